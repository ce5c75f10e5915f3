//! What one call of a model is asked with: instructions, tools, and as much of the conversation as the model can read.

use aside_core::{LeftOut, ModelRef, ThinkingEffort, ThreadEventBody, ThreadId};
use aside_llm::{ModelInfo, ModelRequest, Provider, ToolSpec};

use crate::{
    book::Page,
    budget::{Fitted, Room, TooLarge, fit, fixed, least, tokens},
    history::{messages, standing},
    images::Eyes,
    profile::AgentProfile,
    prompt::{Ways, system_prompt},
    tools::Tools,
};

/// Tokens a model on this machine is given to read, when its server asks how many; that has to keep them in memory.
const LOCAL_WINDOW: u32 = 32_768;
/// Tokens that a model elsewhere can read, when nobody says.
const REMOTE_WINDOW: u32 = 64_000;
/// Tokens that a model is given to read, if no message needs more: above this, prices rise and attention falls.
const MOST_WINDOW: u32 = 200_000;

/// A request, and what of the conversation is not in it.
pub struct Prepared {
    /// The request.
    pub request: ModelRequest,
    /// About how many tokens it has; rather too many than too few.
    pub tokens: u64,
    /// What is not there whole.
    pub left_out: Option<LeftOut>,
}

/// Who is asked, and about what.
#[derive(Clone)]
pub struct Asked<'a> {
    /// The model.
    pub model: &'a ModelRef,
    /// What is known of it.
    pub info: &'a ModelInfo,
    /// The thread.
    pub thread: &'a ThreadId,
    /// Its log, which ends with the step that has just started.
    pub log: &'a [ThreadEventBody],
    /// What the model sees of images.
    pub eyes: Eyes<'a>,
    /// It is to nudge and not to solve.
    pub hint: bool,
    /// How much it is to think.
    pub thinking: ThinkingEffort,
    /// The conversation and the tools, where they are not those of the log.
    pub page: Option<(Page, Vec<ToolSpec>)>,
    /// Tokens that the request may have, if its server said that it was sent too much.
    pub most: Option<u32>,
}

/// Prepares a call of a model in a thread.
pub fn prepare(
    profile: &AgentProfile,
    provider: &dyn Provider,
    tools: &Tools,
    asked: Asked<'_>,
) -> Result<Prepared, TooLarge> {
    let Asked { model, info, thread, log, eyes, hint, thinking, page, most } = asked;
    let with_tools = info.tools != Some(false);
    let ways = match (with_tools, &page) {
        (true, _) => Ways::Tools,
        (false, None) => Ways::Blocks,
        (false, Some(_)) => Ways::Words,
    };
    let mut system = system_prompt(profile, tools, ways, hint);
    let (specs, history) = match page {
        Some((page, specs)) => {
            system.push_str(&page.instructions);
            let said = tools.page(page.said, &specs);
            (specs, standing(log).into_iter().chain(said).collect())
        }
        None => (tools.specs(), messages(log, model, eyes, tools)),
    };
    let tools = if with_tools { specs } else { Vec::new() };
    let fixed = fixed(&system, &tools);
    let sizes_context = provider.sizes_context();
    let window = Windows {
        usual: if sizes_context && info.elsewhere.is_none() { LOCAL_WINDOW } else { MOST_WINDOW },
        unknown: if provider.info().local { LOCAL_WINDOW } else { REMOTE_WINDOW },
        most: info.context,
    }
    .or_said(provider.window())
    .for_at_least(least(fixed, &history));
    let Fitted { messages, left_out } = fit(fixed, history, Room::of(window).narrowed(most))?;
    let request = ModelRequest {
        model: model.name.clone(),
        system,
        messages,
        tools,
        max_output: None,
        context: sizes_context.then_some(window),
        conversation: Some(thread.to_string()),
        thinking,
    };
    let left_out = left_out.map(|left_out| LeftOut { window: sizes_context.then_some(window), ..left_out });
    Ok(Prepared { tokens: tokens(fixed, &request.messages), request, left_out })
}

/// How much a model may be given to read, in tokens.
struct Windows {
    /// As a rule.
    usual: u32,
    /// If nobody says how much it can read.
    unknown: u32,
    /// How much it can read.
    most: Option<u32>,
}

impl Windows {
    /// With what the person says, if they do.
    fn or_said(self, window: Option<u32>) -> Self {
        match window {
            Some(window) => Self { usual: window, unknown: window, ..self },
            None => self,
        }
    }

    /// The usual one, doubled as often as what has to be sent needs it: another size every time would make a server load
    /// its model anew, and undo what is cached.
    fn for_at_least(&self, tokens: usize) -> u32 {
        let most = self.most.unwrap_or(self.unknown);
        let sizes = std::iter::successors(Some(self.usual), |size| size.checked_mul(2));
        let mut enough = sizes.take_while(|size| *size < most).filter(|size| Room::of(*size).input() >= tokens);
        enough.next().unwrap_or(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_the_usual_one_as_far_as_the_model_has_it() {
        let local = |most| Windows { usual: LOCAL_WINDOW, unknown: LOCAL_WINDOW, most };
        assert_eq!(local(None).for_at_least(100), 32_768);
        assert_eq!(local(Some(8192)).for_at_least(100), 8192);
        assert_eq!(local(Some(262_144)).for_at_least(100), 32_768);
        let remote = |most| Windows { usual: MOST_WINDOW, unknown: REMOTE_WINDOW, most };
        assert_eq!(remote(Some(1_000_000)).for_at_least(100), 200_000);
        assert_eq!(remote(None).for_at_least(100_000), 64_000);
        let said = |most| local(most).or_said(Some(65_536)).for_at_least(100);
        assert_eq!((said(None), said(Some(262_144)), said(Some(8192))), (65_536, 65_536, 8192));
    }

    #[test]
    fn a_message_that_needs_more_gets_it_in_steps_of_two_up_to_what_there_is() {
        let local = |most| Windows { usual: LOCAL_WINDOW, unknown: LOCAL_WINDOW, most };
        assert_eq!(local(Some(262_144)).for_at_least(30_000), 65_536);
        assert_eq!(local(Some(262_144)).for_at_least(40_000), 65_536);
        assert_eq!(local(Some(262_144)).for_at_least(500_000), 262_144);
        assert_eq!(local(Some(40_000)).for_at_least(500_000), 40_000);
        assert_eq!(local(None).for_at_least(500_000), 32_768);
    }
}
