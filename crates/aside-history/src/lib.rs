//! Logs of AI coding programs: read, indexed and asked.
//!
//! Readers turn the bytes of a log into records, one file of code for each program; they touch no disk and never panic.
//! This crate knows no model service, no HTTP and no workspace of Aside: it reads what other programs left, and writes none of it.

mod lenient;
mod lines;
mod reader;
mod record;
mod source;
mod touch;

pub use reader::{FileFacts, Reader};
pub use record::{
    Call, Ending, Found, Message, Mode, Place, Problem, Response, ResponseKey, Role, Session, Tokens, Touch,
};
pub use source::{Source, UnknownSource};
