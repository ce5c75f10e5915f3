//! What a rehearsal is made of.
//!
//! ```json
//! {
//!   "name": "demo",
//!   "replies": [
//!     {"when": "rename", "steps": [
//!       {"text": "Let me look.", "calls": [{"name": "doc_read", "args": {"path": "a.py"}}], "delay_ms": 20},
//!       {"text": "Renamed."}
//!     ]}
//!   ],
//!   "otherwise": "I only rehearse."
//! }
//! ```

use aside_core::StepStop;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Message;

/// A whole rehearsal.
///
/// A reply is chosen by the last user message, its step by how many answers came after that message: so the same
/// thread gets the same answers after a restart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The name of the model.
    pub name: String,
    /// The first whose `when` is in the message is played.
    pub replies: Vec<Reply>,
    /// What is said when no reply fits, or when the one that fits has no more steps.
    #[serde(default)]
    pub otherwise: String,
    /// For tests: the steps of all replies in order, one a request, whatever is asked; then an error.
    #[serde(default)]
    pub strict: bool,
}

/// What is played for one message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// Words in the message, in any case; fits every message if absent.
    #[serde(default)]
    pub when: Option<String>,
    /// One a model call.
    pub steps: Vec<Step>,
}

/// One answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// What it thinks aloud first.
    pub thinking: String,
    /// What it says.
    pub text: String,
    /// What it calls after that.
    pub calls: Vec<ScriptedCall>,
    /// The pause before each word.
    pub delay_ms: u64,
    /// Fails with these words after the text and the calls.
    pub error: Option<String>,
    /// Says the text again and again, without end.
    pub endless: bool,
    /// Why it stops, if not for the calls or because it is done.
    pub stop: Option<StepStop>,
}

/// One tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptedCall {
    /// The tool's name, `doc_edit`, or that of its action, `doc.edit`.
    pub name: String,
    /// The arguments.
    pub args: Value,
    /// Given instead of arguments: text that is not JSON.
    pub malformed: Option<String>,
}

/// Says why a text is not a script.
#[derive(Debug, thiserror::Error)]
#[error("not a rehearsal script: {0}")]
pub struct ScriptProblem(#[from] serde_json::Error);

impl Script {
    /// Reads a script from JSON.
    pub fn parse(json: &str) -> Result<Self, ScriptProblem> {
        Ok(serde_json::from_str(json)?)
    }

    pub(super) fn step_number(&self, number: usize) -> Option<&Step> {
        self.replies.iter().flat_map(|reply| &reply.steps).nth(number)
    }

    pub(super) fn step_for(&self, messages: &[Message]) -> Option<&Step> {
        let (position, text) = messages.iter().enumerate().rev().find_map(|(position, message)| match message {
            Message::User { text, .. } => Some((position, text.to_lowercase())),
            _ => None,
        })?;
        let fits = |reply: &&Reply| reply.when.as_ref().is_none_or(|when| text.contains(&when.to_lowercase()));
        let answers = messages[position..].iter().filter(|message| matches!(message, Message::Assistant { .. }));
        self.replies.iter().find(fits)?.steps.get(answers.count())
    }

    pub(super) fn otherwise_step(&self) -> Step {
        Step { text: self.otherwise.clone(), ..Step::default() }
    }
}
