//! The turn loop: what goes to a model, what comes back, and how it becomes action requests.
//!
//! Knows no file, document or kernel: those are behind the Gate. The turn itself (`turn`) is a pure
//! state machine over the thread log; only `drive` talks to providers and the Gate.

mod grammar;
mod turn;
