//! The one way out of a script: the host that its caller provides.

use std::future::Future;
use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AsideError, CallFailure, CallNumber, JournalEntry, control::Waits};

/// A boxed future of the host.
pub type HostFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The answer to a call. The script gets it as `{ok: true, data, text}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The answer as data.
    pub data: Value,
    /// The answer in words.
    pub text: String,
}

/// One call of an action by the script.
#[derive(Clone, Debug)]
pub struct ScriptCall {
    /// The place of the call in the run, from 1: the same on a replay.
    pub number: CallNumber,
    /// The action's name in the catalog.
    pub action: String,
    /// A copy of the arguments: own properties only, always an object.
    pub args: Value,
    /// Stops the clock of the run while a person decides.
    pub person: PersonWait,
}

/// Stops the clock of a run while a person decides.
#[derive(Clone, Debug)]
pub struct PersonWait(pub(crate) std::sync::Arc<Waits>);

impl PersonWait {
    /// The time until the guard is dropped counts toward no limit.
    #[must_use]
    pub fn begin(&self) -> impl Send + Sync + 'static + use<> {
        Waits::begin(&self.0)
    }
}

/// The caller's side of a run.
pub trait Host: Sync {
    /// Does one call. Calls may be under way together; dropping the future stops the call.
    fn call(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>>;

    /// Decides about a call that had begun in an earlier run and has no end in the journal. It must not be done again blindly.
    fn interrupted(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>> {
        let message =
            format!("`{}` had begun when the run was interrupted, and nobody knows whether it ended", call.action);
        let hint = Some("Look at the result of the call before you do it again.".to_owned());
        Box::pin(async move { Err(AsideError { hint, ..AsideError::new("interrupted", message) }.into()) })
    }

    /// Returns after that many milliseconds.
    fn sleep(&self, milliseconds: u64) -> HostFuture<'_, ()>;

    /// Stores the next entries of the journal together, before the run goes on. An error ends the run.
    fn record<'a>(&'a self, entries: &'a [JournalEntry]) -> HostFuture<'a, Result<(), AsideError>>;

    /// The current time in milliseconds since 1970. It enters the script only through the journal.
    fn now(&self) -> i64;
}
