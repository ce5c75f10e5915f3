//! Why the Gate can't answer with an action. A refused or failed action is an answer, not an error.

use aside_core::{ActionId, ActionRecord, Failure};
use aside_store::StoreError;

/// Why a call to the Gate was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// There is no such action. Code `not_found`.
    #[error("there is no action {0}")]
    NotFound(ActionId),
    /// The key was used before, for another request. Code `key_reused`.
    #[error("the idempotency key `{key}` was already used for another request, {action}")]
    KeyReused {
        /// The key.
        key: String,
        /// What it was used for.
        action: ActionId,
    },
    /// What was shown is no longer what would happen; nothing ran. Code `stale`.
    #[error("{reason}")]
    Stale {
        /// What is different.
        reason: String,
        /// The action with what would happen now; still waiting.
        record: Box<ActionRecord>,
    },
    /// A step of a plan is no longer what was shown; it did not run. Code `stale`.
    #[error("the preview of step {step} is out of date: {reason}")]
    Differs {
        /// Its number.
        step: u32,
        /// What is different.
        reason: String,
    },
    /// It was decided before, otherwise. Code `already_decided`.
    #[error("{} has already been decided", record.envelope.id)]
    AlreadyDecided {
        /// As it is now.
        record: Box<ActionRecord>,
    },
    /// The preview has no such part. Code `no_such_part`.
    #[error("{action} has no part {part} that can be decided on its own")]
    NoSuchPart {
        /// The action.
        action: ActionId,
        /// The part.
        part: u32,
    },
    /// An accepted part could not be carried out; it is still open. Code as the failure's.
    #[error("could not carry out part {part}: {failure}")]
    PartFailed {
        /// The part.
        part: u32,
        /// Why.
        failure: Failure,
        /// The action with its open parts.
        record: Box<ActionRecord>,
    },
    /// An approval does not say what was shown. Code `hash_missing`.
    #[error("the approval is missing the hash of the preview")]
    HashMissing,
    /// Nothing can be remembered for requests like this one; nothing ran. Code `scope_unsupported`.
    #[error("this scope is not available: {0}")]
    Scope(&'static str),
    /// The rule could not be written down; nothing ran. Code `rule_not_stored`.
    #[error("{0}")]
    Rule(String),
    /// The rule as the person changed it can't be remembered; nothing ran. Code `invalid_rule`.
    #[error("could not save this rule: {0}")]
    Edit(String),
    /// It can't be taken back. Code `not_undoable`, or `already_undone`.
    #[error("{action} can't be undone: {reason}")]
    NotUndoable {
        /// The action.
        action: ActionId,
        /// Why.
        reason: String,
        /// The action that took it back before, if one did.
        undone_by: Option<ActionId>,
    },
    /// Nothing runs that can't be recorded. Code `store`.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work was cut off by the end of the program. Code `interrupted`.
    #[error("the server is shutting down")]
    Ending,
}

impl GateError {
    /// Returns the error as a value for people, models and programs, with a stable code.
    pub fn failure(&self) -> Failure {
        let failure = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NotFound(_) => failure("not_found"),
            Self::KeyReused { action, .. } => failure("key_reused").hint("use a new key").data(action),
            Self::Stale { record, .. } => failure("stale").hint("review the new preview and decide again").data(record),
            Self::Differs { .. } => failure("stale").hint("review the rest of the plan again"),
            Self::AlreadyDecided { record } => failure("already_decided").data(record),
            Self::NoSuchPart { .. } => failure("no_such_part"),
            Self::PartFailed { failure, .. } => failure.clone(),
            Self::HashMissing => {
                failure("hash_missing").hint("send `approval_hash` of the record whose preview the user saw as `hash`")
            }
            Self::Scope(_) => failure("scope_unsupported").hint("decide with the scope `once`"),
            Self::Rule(_) => failure("rule_not_stored").hint("see `aside policy show`"),
            Self::Edit(_) => failure("invalid_rule").hint("change it, or take the suggested rule"),
            Self::NotUndoable { undone_by: Some(by), .. } => {
                failure("already_undone").hint(format!("undo {by} to redo it")).data(by)
            }
            Self::NotUndoable { undone_by: None, .. } => failure("not_undoable"),
            Self::Store(error) => error.failure(),
            Self::Ending => failure("interrupted"),
        }
    }
}

impl From<GateError> for Failure {
    fn from(error: GateError) -> Self {
        error.failure()
    }
}
