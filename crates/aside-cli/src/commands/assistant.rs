//! `aside assistant`: how far AI goes here, whose word that is, and saying so.

use aside_core::{AiLevel, AiReason, AssistantState, RestrictedBy, RuleScope, Timestamp, harmless};
use aside_protocol::RestrictAssistant;

use crate::{
    arguments::{Assistant, Where},
    ended::Ended,
    output::Output,
    workspace,
};

/// Shows it, or writes a word of the person's down.
pub async fn assistant(what: Assistant, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let Assistant { level, clear, here, from, until } = what;
    let scope = if here { RuleScope::Workspace } else { RuleScope::Everywhere };
    let state = match level.is_some() || clear {
        true => client.put("assistant", &RestrictAssistant { level, from, until, scope }).await,
        false => client.get("assistant").await,
    };
    client.finish().await;
    let state: AssistantState = state?;
    output.result(&state, || text(&state));
    Ok(Ended::Done)
}

/// How far AI goes and why, a line for each who has a say.
pub fn text(state: &AssistantState) -> String {
    let mut text = format!("{}\n", state.sentence());
    if let Some(until) = state.until {
        text += &format!("This changes at {until}.\n");
    }
    for reason in &state.restrictions {
        text += &format!("  {}\n", line(reason));
    }
    text
}

fn line(reason: &AiReason) -> String {
    let whose = match reason.by {
        RestrictedBy::Server => "this server",
        RestrictedBy::Organisation => "your organisation",
        RestrictedBy::User => "you",
        RestrictedBy::Workspace => "this folder",
    };
    let level = match reason.restriction.level {
        AiLevel::Off => "off",
        AiLevel::Partial => "partial",
        AiLevel::Full => "full",
    };
    let time = |word: &str, time: Option<Timestamp>| time.map(|time| format!(" {word} {time}")).unwrap_or_default();
    let (from, until) = (time("from", reason.restriction.from), time("until", reason.restriction.until));
    let mistake = reason.mistake.as_deref().map(|mistake| format!(", because of a mistake: {}", harmless(mistake)));
    format!("{level:8} {whose}{from}{until}{}", mistake.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_whose_word_it_is_and_until_when() {
        let reason = |by, text: &str| AiReason { by, restriction: text.parse().unwrap(), mistake: None };
        let all = vec![reason(RestrictedBy::Organisation, "off 1000/2000"), reason(RestrictedBy::User, "partial")];
        assert_eq!(
            text(&AssistantState::at(all, Timestamp(1500))),
            "AI is off here: your organisation has set this.\nThis changes at 1970-01-01T00:00:02.000Z.\n  \
             off      your organisation from 1970-01-01T00:00:01.000Z until 1970-01-01T00:00:02.000Z\n  \
             partial  you\n"
        );
    }
}
