//! Tasks on the real path: agent, Gate, actions, workspace, store; a rehearsal in place of the model.
#![allow(clippy::disallowed_methods, reason = "the tests prepare and read the workspace as another program would")]
#![allow(dead_code, reason = "what is shared with the transcripts is not all used")]

mod bench;
mod parts;
mod plans;
mod recipes;
mod restarts;
mod turns;
mod undo;
mod wait;
