//! How many tokens a text has for a model, counted without its tokenizer: about, and at most.
//!
//! Every request of a model is counted before it is sent, with all its tools: this crate is optimised also where the rest
//! is not.

mod about;
mod at_most;

pub use about::{about, about_json};
pub use at_most::at_most;
