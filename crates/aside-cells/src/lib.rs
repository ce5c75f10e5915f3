//! AI cells: a notebook read as a conversation, and what comes of one written into the notebook as outputs that any
//! program can keep.
//!
//! ```text
//! cells above + the cell's prompt + its outputs --conversation--> messages --aside-agent--> the thread's log
//!                                       ^                                                        |
//!                                       +------------------- outputs <---------------------------+
//! ```
//!
//! The messages of every call are made from the notebook alone, so that they are the same after a restart.

mod book;
mod cells;
mod conversation;
mod outputs;
mod tools;

pub use cells::AiCells;
pub use conversation::{Conversation, Reading, conversation};
pub use outputs::outputs;
pub use tools::{request, tools};
