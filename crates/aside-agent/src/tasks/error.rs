//! Why something about a task was not done.

use aside_core::{Failure, IllegalTransition, ScriptFault, TaskId};
use aside_gate::GateError;
use aside_store::StoreError;
use serde_json::json;

use crate::AgentError;

/// Why a request about a task was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// There is no such task. Code `not_found`.
    #[error("there is no task {0}")]
    NotFound(TaskId),
    /// There is no such recipe. Code `not_found`.
    #[error("there is no recipe `{0}`")]
    NoRecipe(String),
    /// There is another recipe of this name. Code `exists`.
    #[error("there is already a recipe `{0}`, from another task")]
    RecipeExists(String),
    /// The request makes no sense. Code `invalid_task`.
    #[error("{0}")]
    Invalid(String),
    /// It does not make sense where the task is now. Code `not_waiting`.
    #[error("{0}")]
    NotNow(String),
    /// The plan that was decided on is not the one that waits. Code `stale`.
    #[error("{0}")]
    Stale(String),
    /// The key was used before, for another task. Code `key_reused`.
    #[error("the idempotency key was already used for another request, which became {0}")]
    KeyReused(TaskId),
    /// Something of it can't be taken back. Code `not_undoable`; the details say which and why.
    #[error("{message}")]
    CantUndo {
        /// In a sentence.
        message: String,
        /// One line for each action that can't be.
        why: Vec<String>,
    },
    /// The script can't run. Code of its fault; the details have the line.
    #[error("{}", .0.message)]
    Script(Box<ScriptFault>),
    /// The Gate refused. Code of its failure.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The conversation refused. Code of its failure.
    #[error(transparent)]
    Agent(#[from] Box<AgentError>),
    /// It could not be written down. Code `store`.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TaskError {
    /// Returns the error as a value for people and programs, with a stable code.
    pub fn failure(&self) -> Failure {
        let failure = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NotFound(_) | Self::NoRecipe(_) => failure("not_found"),
            Self::RecipeExists(_) => failure("exists").hint("choose another name, or delete the other recipe first"),
            Self::Invalid(_) => failure("invalid_task"),
            Self::NotNow(_) => failure("not_waiting"),
            Self::Stale(_) => failure("stale").hint("review the plan again, then decide"),
            Self::KeyReused(task) => failure("key_reused").hint("use a new key").data(task),
            Self::CantUndo { why, .. } => {
                failure("not_undoable").hint("set `partly` to undo as much as possible").data(why)
            }
            Self::Script(fault) => {
                let failure = Failure { hint: fault.hint.clone(), ..failure(&fault.code) };
                failure.data(json!({ "line": fault.line }))
            }
            Self::Gate(error) => error.failure(),
            Self::Agent(error) => error.failure(),
            Self::Store(error) => error.failure(),
        }
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        error.failure()
    }
}

impl From<ScriptFault> for TaskError {
    fn from(fault: ScriptFault) -> Self {
        Self::Script(Box::new(fault))
    }
}

impl From<IllegalTransition> for TaskError {
    fn from(error: IllegalTransition) -> Self {
        Self::NotNow(error.to_string())
    }
}

impl From<AgentError> for TaskError {
    fn from(error: AgentError) -> Self {
        Self::Agent(Box::new(error))
    }
}
