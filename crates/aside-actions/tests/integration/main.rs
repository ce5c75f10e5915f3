//! Integration tests of `aside-actions`, one module a subject.

mod cell_bytes;
mod cells;
mod commands;
mod common;
mod disk;
mod edits;
mod examples;
mod files;
mod find;
mod format;
mod grants;
mod kernel_failures;
mod labels;
mod later_work;
mod latex;
mod latex_projects;
mod notebooks;
mod notes;
mod odd_names;
mod old_notebooks;
mod plans;
mod search;
mod tables;
mod terminals;
mod versions;

/// Commands are started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_the_helper() {
    aside_workspace::process::enter_if_helper();
}
