//! AI cells, answered by a model that plays a script: what it is sent, byte by byte, what it may do, and how an answer ends.
//!
//! The path is the real one: the notebook's session, agent, Gate, actions, workspace, adapters, HTTP; and ipykernel where
//! there is one (`ASIDE_TEST_PYTHON`).
#![allow(clippy::disallowed_methods, reason = "the tests prepare the workspace as another program would")]

mod answers;
#[path = "../common/no_browser.rs"]
mod no_browser;
mod replay;
mod runs;
mod scene;

/// Kernels and commands are started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_another() {
    aside_workspace::process::enter_if_helper();
    aside_jupyter::enter_if_relay();
}
