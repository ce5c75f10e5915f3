//! Integration tests of `aside-workspace`, one module a subject.

mod common;
mod documents;
mod hostile;
mod notebooks;
mod process;
mod snapshots;

/// Commands are started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_the_helper() {
    aside_workspace::process::enter_if_helper();
}
