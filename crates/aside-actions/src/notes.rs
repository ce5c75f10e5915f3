//! The shared parts of the actions on notes and todos: notes are read as they are now, edits are gathered note by note,
//! shown as a table with checkboxes, and made as one change with one way back.

mod change;
mod index;
mod planning;
mod reading;
mod rows;
mod steps;
mod todos;

pub(crate) use aside_notes::is_note;
pub(crate) use change::{NoteAction, NoteChange, kept};
pub(crate) use index::target;
pub(crate) use planning::{Planning, effects_of, guarded};
pub(crate) use reading::{NoteText, parsed, read};
pub(crate) use rows::{part, row};
pub(crate) use steps::{NoteStep, run_steps};
pub(crate) use todos::{TodoArgs, date, lines_after, todo_row};
