//! How an action ended. A refusal is an outcome, not an error: person and model read it and go on.

use crate::TS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Label, LabelSource};

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Observation {
    /// In words, for the model and the person.
    pub text: String,
    /// The same as data, whole.
    #[ts(type = "unknown")]
    pub data: Value,
    /// Where the content came from.
    pub label: Label,
    /// What it is and why it has this label, if there is more to say than the action's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<LabelSource>,
    /// It is known that nothing is other than before, so that there is nothing to take back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub unchanged: bool,
}

impl Observation {
    /// Words about the workspace's own content, without data.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), data: Value::Null, label: Label::Workspace, source: None, unchanged: false }
    }

    /// Words and data about the workspace's own content.
    pub fn with(text: impl Into<String>, data: impl Serialize) -> Self {
        let data = serde_json::to_value(data).expect("observations serialise to JSON");
        Self { text: text.into(), data, label: Label::Workspace, source: None, unchanged: false }
    }

    /// Tells whether what was run has failed, as its data say: a command whose exit status is not 0, a cell with an error.
    pub fn has_failed(&self) -> bool {
        matches!(&self.data["failed"], Value::Bool(true) | Value::String(_))
    }

    /// The same, with where its content came from.
    #[must_use]
    pub fn from_source(self, source: LabelSource) -> Self {
        Self { label: self.label.max(source.label), source: Some(source), ..self }
    }
}

/// Why something could not be done, in a form that a program, a model and a person can use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// A stable word: `not_found`, `no_match`, `ambiguous`, `stale`, `invalid_args`, `io` …
    pub code: String,
    /// What was attempted, on what, and what came of it.
    pub message: String,
    /// What to try.
    #[ts(optional)]
    pub hint: Option<String>,
    /// Details, such as the report of an edit.
    #[ts(type = "unknown")]
    pub data: Value,
}

impl Failure {
    /// A failure with a code and a message.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: None, data: Value::Null }
    }

    /// Adds what to try.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds details.
    #[must_use]
    pub fn data(mut self, data: impl Serialize) -> Self {
        self.data = serde_json::to_value(data).expect("details serialise to JSON");
        self
    }
}

/// Who refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RefusedBy {
    /// A rule.
    Policy,
    /// The grant of the origin does not cover it.
    Grant,
    /// A person.
    Person,
    /// The request itself: unknown action, arguments against the schema, a reused key.
    Request,
}

/// How an action ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// It ran.
    Done {
        /// What came of it.
        observation: Observation,
    },
    /// It did not run.
    Refused {
        /// Who refused.
        by: RefusedBy,
        /// Why.
        failure: Failure,
    },
    /// It ran or tried to, and did not get there.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// It was stopped, or nobody knows how it ended (a crash between start and end).
    Interrupted {
        /// What is known.
        reason: String,
    },
}

impl Outcome {
    /// Tells whether the action did what it was asked for.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done { .. })
    }
}
