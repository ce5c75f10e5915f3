//! Tasks on the real path: agent, Gate, actions, workspace, store; a rehearsal in place of the model.
#![allow(clippy::disallowed_methods, reason = "the tests prepare and read the workspace as another program would")]
#![allow(dead_code, reason = "what is shared with the transcripts is not all used")]

mod bench;
#[path = "../transcripts/model.rs"]
mod model;
#[path = "../common/no_browser.rs"]
mod no_browser;
mod parts;
#[path = "../transcripts/person.rs"]
mod person;
mod plans;
mod recipes;
mod restarts;
mod turns;
mod undo;
mod wait;

/// Commands are started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_the_helper() {
    aside_workspace::process::enter_if_helper();
}
