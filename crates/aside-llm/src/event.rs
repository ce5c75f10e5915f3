//! What comes back from a model, piece by piece.

use std::time::Duration;

use aside_core::{StepStop, ToolCall, Usage};
use serde::Serialize;
use serde_json::Value;

/// One piece of an answer.
///
/// Order: `Waiting` before anything else; text, thinking and tool calls as they come (a call only when it is whole); then at most one `Usage`, at
/// most one `Echo`, and exactly one `Stop`, which is the last. A stream that fails ends with an error and no `Stop`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", content = "value", rename_all = "snake_case")]
pub enum ModelEvent {
    /// The server is busy, and is asked again after this.
    Waiting(Duration),
    /// More of the answer.
    Text(String),
    /// More of what it thinks aloud.
    Thinking(String),
    /// A whole tool call. Its id is unique within the answer, whatever the provider sent.
    /// Arguments that are not JSON are given as a string, with the reason in `problem`.
    ToolCall(ToolCall),
    /// What the call has used when its answer begins, for a provider that says so: all that was read, and little of what is
    /// written. [`ModelEvent::Usage`] takes its place.
    UsageSoFar(Usage),
    /// What the call used, as the provider counted at the end.
    Usage(Usage),
    /// What the provider wants to have back with this answer, opaque; only the same model's adapter reads it.
    Echo(Value),
    /// Why it ended: `End`, `ToolCalls`, `Length` or `Refusal`.
    Stop(StepStop),
}
