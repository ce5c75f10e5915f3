//! What stays or goes together, and about how many tokens it has.

use std::ops::Range;

use aside_core::ToolCall;
use aside_llm::{Message, ToolSpec};
use aside_tokens::{about, about_json};
use serde_json::Value;

use crate::{
    fence::shortened,
    history::{Part, Said},
};

/// Bytes that stay of a result.
const STUB: usize = 400;
/// Tokens of an image: what the largest takes at those who scale images down before they count them.
pub(crate) const IMAGE: usize = 1600;
/// Tokens around each message.
const AROUND: usize = 8;

/// Messages that only make sense together: those of one side, up to the words of a person; or an answer with the results
/// of its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Their places in the conversation.
    pub(super) messages: Range<usize>,
    /// About how many tokens they have.
    pub(super) size: usize,
    /// It ends with the words of a person, which start an exchange.
    pub(super) is_question: bool,
    /// It starts with an answer.
    pub(super) is_answer: bool,
    /// Standing instructions: it stays whole.
    pub(super) is_standing: bool,
}

/// Returns the units of a conversation, in order and without gaps.
pub(super) fn units(history: &[Said]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (place, said) in history.iter().enumerate() {
        let is_answer = matches!(said.message, Message::Assistant { .. });
        let (is_result, is_question) = (matches!(said.message, Message::ToolResult { .. }), said.part == Part::Words);
        let is_standing = said.part == Part::Standing;
        match units.last_mut() {
            Some(unit)
                if unit.is_standing == is_standing
                    && !is_answer
                    && !unit.is_question
                    && (unit.is_answer == is_result) =>
            {
                unit.messages.end = place + 1;
                unit.size += size(&said.message);
                unit.is_question = is_question;
            }
            _ => units.push(Unit {
                messages: place..place + 1,
                size: size(&said.message),
                is_question,
                is_answer,
                is_standing,
            }),
        }
    }
    units
}

/// Returns what may stand for a message when there is no room for it: of a result its beginning, of a shown file its
/// name. The person has the whole of both.
pub(super) fn shortened_form(said: &Said) -> Option<Message> {
    match (&said.message, &said.part) {
        (Message::ToolResult { call, name, text, failed }, _) if text.len() > 2 * STUB => {
            let (call, name, text) = (call.clone(), name.clone(), shortened(text, STUB));
            Some(Message::ToolResult { call, name, text, failed: *failed })
        }
        (Message::User { text, .. }, Part::Shown { instead }) if instead.len() < text.len() => {
            Some(Message::user(instead))
        }
        _ => None,
    }
}

/// About how many tokens go before the conversation.
pub(crate) fn fixed(system: &str, tools: &[ToolSpec]) -> usize {
    about(system) + tools.iter().map(|tool| about(&as_json(tool))).sum::<usize>()
}

/// A tool as it is sent, which is counted at every call of a model.
pub(crate) fn as_json(ToolSpec { name, description, schema }: &ToolSpec) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    format!(r#"{{"name":{},"description":{},"schema":{schema}}}"#, quoted(name), quoted(description))
}

/// About how many tokens a message has.
pub(super) fn size(message: &Message) -> usize {
    AROUND
        + match message {
            Message::User { text, images } => about(text) + images.len() * IMAGE,
            Message::ToolResult { text, .. } => about(text),
            // A list goes back in place of text and calls, anything else beside them.
            Message::Assistant { text, calls, echo } => {
                let said = about(text) + calls.iter().map(call).sum::<usize>();
                let sealed = if echo.is_null() { 0 } else { thirds(echo) };
                if echo["content"].is_array() { said.max(sealed) } else { said + sealed }
            }
        }
}

fn call(call: &ToolCall) -> usize {
    about(&call.name) + about_json(&call.args)
}

/// A token for every three bytes of something as JSON: no tokenizer sees what a provider has sealed.
fn thirds(value: &Value) -> usize {
    value.to_string().len().div_ceil(3)
}
