//! Integration tests of `aside-doc`, one module a subject.

mod common;
mod edits;
mod guards;
mod meanwhile;
mod notebooks;
mod properties;
mod sync;
mod three;
