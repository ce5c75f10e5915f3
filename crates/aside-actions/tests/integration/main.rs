//! Integration tests of `aside-actions`, one module a subject.

mod cell_bytes;
mod cells;
mod commands;
mod common;
mod edits;
mod examples;
mod files;
mod format;
mod grants;
mod kernel_failures;
mod labels;
mod latex;
mod notebooks;
mod plans;
mod versions;

/// Commands are started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_the_helper() {
    aside_workspace::process::enter_if_helper();
}
