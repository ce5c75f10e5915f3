//! A browser in which nobody looks.

use aside_actions::Browser;
use aside_core::{ActionId, ActionName, Failure};
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
};
use serde_json::Value;

/// No window is open.
pub struct NoBrowser;

impl Browser for NoBrowser {
    fn perform<'a>(
        &'a self,
        _: &'a ActionId,
        _: &'a ActionName,
        _: &'a Value,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        ready(Err(Failure::new("no_window", "no window is open"))).boxed()
    }
}
