//! Integration tests of `aside-testkit`, one module a subject.

mod caching;
mod cells;
mod injection;
mod no_browser;
mod refusals;
mod restrictions;
mod signed_thinking;
mod speech;
mod tasks;
mod transcripts;

/// Commands, relays of kernels and a server of tools are started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_the_helper() {
    aside_workspace::process::enter_if_helper();
    aside_jupyter::enter_if_relay();
    injection::tide_server::enter_if_server();
}
