//! Keeps a conversation within what a model can read: one pure function from all that was said to what is sent.
//!
//! The first exchange and the newest stay. Of the rest, results and shown files are shortened before messages are left
//! out, older ones first. Both happen in rare large strides, and what was done to a message stays done: as the
//! conversation grows, what is sent begins with what was sent before, so that providers can cache it.

mod plan;
mod units;

use aside_core::{Failure, LeftOut};
use aside_llm::{Message, ModelRequest};

use crate::history::{Part, Said};
use plan::{Form, plan};
pub(crate) use units::{IMAGE, as_json, fixed};
use units::{shortened_form, size, units};

/// Tokens of the sentences that say that something is left out; there are at most four.
const GAPS: usize = 4 * 32;
/// What is left for the answer at least and at most, in tokens; between these an eighth of what the model can read.
const LEAST_ANSWER: u32 = 1024;
pub(crate) const MOST_ANSWER: u32 = 32_768;
/// The code of [`TooLarge`] as a failure.
pub(crate) const TOO_LARGE: &str = "too_large_for_model";

/// How much a model can read, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// All of it, the answer included.
    pub window: u32,
    /// What is kept free for the answer.
    pub reserve: u32,
}

impl Room {
    /// The usual share for the answer.
    pub fn of(window: u32) -> Self {
        Self { window, reserve: (window / 8).clamp(LEAST_ANSWER, MOST_ANSWER) }
    }

    /// The same with at most so many tokens for the request: a server counted more than was estimated.
    #[must_use]
    pub fn narrowed(self, most: Option<u32>) -> Self {
        let input = self.window.saturating_sub(self.reserve);
        Self { reserve: self.window - most.map_or(input, |most| most.min(input)), ..self }
    }

    /// Tokens that a request may have.
    pub fn input(self) -> usize {
        self.window.saturating_sub(self.reserve) as usize
    }
}

/// What is sent of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The messages, in order.
    pub messages: Vec<Message>,
    /// What is not there whole; absent if all is.
    pub left_out: Option<LeftOut>,
}

/// Even the instructions, the tools and what is to be answered now are more than the model can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the instructions, the tools and this message need about {needed} tokens, but the model can read only {}: {} in \
     total, of which {} are reserved for its answer", .room.input(), .room.window, .room.reserve
)]
pub struct TooLarge {
    /// Tokens of that.
    pub needed: usize,
    /// What there is.
    pub room: Room,
}

impl From<TooLarge> for Failure {
    fn from(error: TooLarge) -> Self {
        Self::new(TOO_LARGE, error.to_string())
            .hint("send less at once, use a smaller part of the file, or choose a model with a larger context window")
    }
}

/// Returns what of a conversation is sent after the instructions and the tools, which have `fixed` tokens.
pub fn fit(fixed: usize, history: Vec<Said>, room: Room) -> Result<Fitted, TooLarge> {
    let units = units(&history);
    let before = fixed + units.iter().map(|unit| unit.size).sum::<usize>();
    if before <= room.input() {
        let messages = history.into_iter().map(|said| said.message).collect();
        return Ok(Fitted { messages, left_out: None });
    }
    let plan = plan(&history, &units, room.input().saturating_sub(fixed + GAPS));
    if !plan.fits {
        return Err(TooLarge { needed: fixed + GAPS + plan.needed, room });
    }
    let mut kept = Kept::default();
    let mut history = history.into_iter();
    for (unit, form) in units.iter().zip(plan.forms) {
        history.by_ref().take(unit.messages.len()).for_each(|said| kept.take(said, form));
    }
    let Kept { messages, shortened, gone, .. } = kept;
    let tokens_after = (fixed + messages.iter().map(size).sum::<usize>()) as u64;
    let left_out = LeftOut { messages: gone, shortened, tokens_before: before as u64, tokens_after, window: None };
    Ok(Fitted { messages, left_out: Some(left_out) })
}

/// About how many tokens a request has, with `fixed` of them before its messages.
pub fn tokens(fixed: usize, messages: &[Message]) -> u64 {
    (fixed + messages.iter().map(size).sum::<usize>()) as u64
}

/// How many tokens a request of `tokens` may have so that what is said in it has half as many.
pub fn with_half_said(request: &ModelRequest, tokens: u64) -> u32 {
    let said = request.messages.iter().map(size).sum::<usize>() as u64;
    u32::try_from(tokens - said.div_ceil(2)).unwrap_or(u32::MAX)
}

/// About how many tokens a request has at least: the instructions, the tools, the newest message and what came of the
/// last step, all whole.
pub fn least(fixed: usize, history: &[Said]) -> usize {
    let units = units(history);
    let question = units.iter().rposition(|unit| unit.is_question).unwrap_or(0);
    let answer = units.iter().rposition(|unit| unit.is_answer).unwrap_or(0).max(question + 1);
    let standing = units.iter().take(answer).filter(|unit| unit.is_standing);
    let newest = units.get(question).into_iter().chain(units.iter().skip(answer)).chain(standing);
    fixed + GAPS + newest.map(|unit| unit.size).sum::<usize>()
}

/// What is kept, message by message.
#[derive(Default)]
struct Kept {
    messages: Vec<Message>,
    /// How many were left out since the last that was kept.
    gap: u32,
    gone: u32,
    shortened: u32,
}

impl Kept {
    fn take(&mut self, said: Said, form: Form) {
        if form == Form::Gone {
            self.gap += 1;
            self.gone += 1;
            return;
        }
        // Instructions stay wherever they are; what is missing is said once, after them.
        let gap = if said.part == Part::Standing { 0 } else { std::mem::take(&mut self.gap) };
        if gap > 0 {
            let text = match gap {
                1 => "[Aside] An older message is omitted here.".to_owned(),
                _ => format!("[Aside] {gap} older messages are omitted here."),
            };
            self.messages.push(Message::user(text));
        }
        let short = Some(form).filter(|form| *form == Form::Short).and_then(|_| shortened_form(&said));
        self.shortened += u32::from(short.is_some());
        self.messages.push(short.unwrap_or(said.message));
    }
}

#[cfg(test)]
mod tests;
