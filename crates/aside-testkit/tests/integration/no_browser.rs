//! A browser in which nobody looks.

use aside_actions::{Browser, WindowAnswer, WindowCall};
use aside_core::Failure;
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
};

/// No window is open.
pub struct NoBrowser;

impl Browser for NoBrowser {
    fn perform<'a>(&'a self, _: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        ready(Err(Failure::new("no_window", "no window is open"))).boxed()
    }
}
