//! What the actions of the place *browser* need: somebody who can reach an open window.

use aside_core::{ActionId, ActionName, Failure};
use futures_util::future::BoxFuture;
use serde_json::Value;

/// The open windows of the person; the server implements it.
pub trait Browser: Send + Sync + 'static {
    /// Asks the window that has the person's attention to do something and returns what came of it.
    ///
    /// Fails with the code `no_window` if none is open, and with what the window says.
    fn perform<'a>(
        &'a self,
        action: &'a ActionId,
        name: &'a ActionName,
        args: &'a Value,
    ) -> BoxFuture<'a, Result<Value, Failure>>;
}
