//! What an adapter does with the frames of an answer, apart from any connection.

use aside_core::Usage;
use serde_json::Value;

use crate::ModelEvent;

/// How a wire separates its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One JSON value a line.
    Lines,
    /// Server-sent events.
    Events,
}

/// One message on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The event's name; empty where there is none.
    pub(crate) event: &'a str,
    /// Its data.
    pub(crate) data: &'a str,
}

impl Frame<'_> {
    /// Reads the data as JSON.
    pub(crate) fn json(&self) -> Result<Value, WireProblem> {
        serde_json::from_str(self.data)
            .map_err(|error| WireProblem::NotUnderstood(format!("not JSON ({error}): {}", excerpt(self.data))))
    }
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WireProblem {
    /// The server says that it failed.
    Failed(String),
    /// The server says that it has too much to do.
    Busy {
        /// Its name for that.
        reason: String,
        /// Its words.
        detail: String,
    },
    /// This is not the protocol.
    NotUnderstood(String),
    /// The answer ended in the middle.
    CutOff(String),
}

/// Frames to events. Pure, so that it can be tried with anything.
pub(crate) trait Decoder: Clone + Send + Sync + 'static {
    /// How its wire separates messages.
    const FRAMING: Framing;

    /// Takes one frame and adds what it says. After a `Stop` nothing more is read.
    fn accept(&mut self, frame: &Frame<'_>, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem>;

    /// The usage that the server has counted for an answer that fails now, beside what it said when the answer began.
    fn counted(&self) -> Option<Usage> {
        None
    }

    /// Takes the end of the connection before a `Stop`.
    fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem>;
}

/// Takes a field out; null if there is none. Indexing to change a foreign value would panic where it is no object.
pub(crate) fn taken(value: &mut Value, field: &str) -> Value {
    value.get_mut(field).map(Value::take).unwrap_or_default()
}

/// Takes a text out of a field, if there is one that is not empty.
pub(crate) fn words(value: &mut Value, field: &str) -> Option<String> {
    match value.get_mut(field)? {
        Value::String(text) if !text.is_empty() => Some(std::mem::take(text)),
        _ => None,
    }
}

/// Returns the start of a foreign text on one line, fit for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 300;
    let line: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).take(LONGEST + 1).collect();
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", line[..at].trim()),
        None => line.trim().to_owned(),
    }
}

/// Returns what an error object says, in the spellings that servers use: `{"error": "…"}`, `{"error": {"message"}}`,
/// `{"message"}`, `{"detail"}`, or one of these in a list.
pub(crate) fn error_words(value: &Value) -> Option<String> {
    let value = value.get(0).unwrap_or(value);
    let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
    let words = [error, &error["message"], &error["detail"], &error["error"]].into_iter().find_map(Value::as_str);
    words.map(excerpt)
}

/// Reads an error that a server sent within an answer.
pub(crate) fn reported(value: &Value) -> WireProblem {
    let error = &value["error"];
    let name =
        |field: &str| error[field].as_str().map(str::to_owned).or_else(|| Some(error[field].as_u64()?.to_string()));
    let reason = ["type", "code", "status"].into_iter().filter_map(name).collect::<Vec<_>>().join(" ");
    let detail = error_words(value).unwrap_or_else(|| excerpt(&value.to_string()));
    let busy = ["overloaded", "rate_limit", "429", "503", "529", "RESOURCE_EXHAUSTED", "UNAVAILABLE"]
        .iter()
        .any(|word| reason.contains(word));
    if busy { WireProblem::Busy { reason, detail } } else { WireProblem::Failed(detail) }
}

#[cfg(test)]
pub(crate) mod trial {
    //! Foreign frames for every decoder: none may make it panic, or speak after it stopped.

    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// Words of all wires, so that what is made up gets past the first look.
    const WORDS: &[&str] = &[
        "type",
        "index",
        "delta",
        "choices",
        "message",
        "content",
        "content_block",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "usage",
        "error",
        "done",
        "done_reason",
        "finish_reason",
        "text",
        "thinking",
        "partial_json",
        "signature",
        "input",
        "stop_reason",
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "text_delta",
        "input_json_delta",
        "signature_delta",
        "tool_use",
        "iterations",
        "reasoning_details",
        "stop",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "thoughtSignature",
        "finishReason",
        "STOP",
        "promptFeedback",
        "blockReason",
        "item",
        "item_id",
        "output_index",
        "response",
        "output",
        "call_id",
        "function_call",
        "reasoning",
        "response.created",
        "response.output_item.added",
        "response.output_item.done",
        "response.output_text.delta",
        "response.function_call_arguments.delta",
        "response.completed",
        "{",
        "",
    ];

    fn word() -> impl Strategy<Value = String> {
        proptest::sample::select(WORDS).prop_map(str::to_owned)
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0u64..3).prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            word().prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Value::from),
                vec((word(), inner), 0..6).prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    pub(crate) fn frames() -> impl Strategy<Value = Vec<(String, String)>> {
        let data = prop_oneof![4 => json().prop_map(|value| value.to_string()), 1 => ".{0,20}"];
        vec((word(), data), 0..12)
    }

    /// Feeds frames as a connection would.
    pub(crate) fn feed(mut decoder: impl Decoder, frames: &[(String, String)]) {
        let is_stop = |event: &ModelEvent| matches!(event, ModelEvent::Stop(_));
        for (event, data) in frames {
            let mut events = Vec::new();
            if decoder.accept(&Frame { event, data }, &mut events).is_err() {
                return;
            }
            let stops = events.iter().filter(|event| is_stop(event)).count();
            let last = events.last().is_some_and(is_stop);
            assert!(stops == usize::from(last), "{events:?}");
            if last {
                return;
            }
        }
        let mut events = Vec::new();
        if decoder.end(&mut events).is_ok() {
            assert!(events.last().is_some_and(is_stop), "{events:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_errors_however_they_are_spelled() {
        let failed = |value: Value| reported(&value);
        assert_eq!(failed(json!({"error": "out of memory"})), WireProblem::Failed("out of memory".to_owned()));
        assert_eq!(failed(json!({"error": {"message": "no"}})), WireProblem::Failed("no".to_owned()));
        assert_eq!(failed(json!({"error": {"x": 1}})), WireProblem::Failed(r#"{"error":{"x":1}}"#.to_owned()));
        let busy = failed(json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}));
        assert!(matches!(busy, WireProblem::Busy { .. }));
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("a\n\u{1b}[31mb"), "a  [31mb");
        assert_eq!(excerpt(&"é".repeat(1000)).chars().count(), 301);
    }
}
