//! Errors of a run, of a call, and of the host.

use serde::{Deserialize, Serialize};

/// The reason why a script was refused or a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// The kind of the failure: `unsupported_syntax`, `time_limit`, `script_error`, or the code of an uncaught `AsideError`.
    pub code: String,
    /// The attempt, its object and the cause.
    pub message: String,
    /// The next step for the author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The line in the script's own text, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The action whose error nothing caught.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_type: Option<String>,
}

impl ScriptError {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), hint: None, line: None, action_type: None }
    }

    pub(crate) fn at(self, line: u32) -> Self {
        Self { line: Some(line), ..self }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// The error of one call, which the script can catch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsideError {
    /// The kind: `invalid_args`, `not_granted`, `not_found`.
    pub code: String,
    /// The attempt, its object and the cause.
    pub message: String,
    /// The next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl AsideError {
    /// An error without a hint.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: None }
    }
}

/// A failed call: the script goes on, or the run ends here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// The call's promise is rejected with this error.
    Catchable(AsideError),
    /// Nothing more of the script runs: the grant has ended, the person stopped the run.
    EndsRun(AsideError),
}

impl From<AsideError> for CallFailure {
    fn from(error: AsideError) -> Self {
        Self::Catchable(error)
    }
}
