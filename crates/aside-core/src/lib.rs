//! The words of Aside: ids, actions, risks, verdicts, grants, threads, places.
//!
//! Vocabulary only: this crate does no I/O, reads no clock and knows no SQL, HTTP or model.
//! A type enters when at least two crates must agree on it, and stays out otherwise.

mod action;
mod action_pattern;
mod audit;
mod cost;
mod document;
mod grant;
mod harmless;
mod hash;
mod host;
mod id;
mod label;
mod mcp;
mod model;
mod outcome;
mod path_glob;
mod plan;
mod policy;
mod preview;
mod problem;
mod protected;
mod provider;
mod recipe;
mod record;
mod risk;
mod sandbox;
mod switch;
mod task;
mod thread;
mod time;
mod token;
mod would_be;

pub use action::*;
pub use action_pattern::*;
pub use audit::*;
pub use cost::*;
pub use document::*;
pub use grant::*;
pub use harmless::harmless;
pub use hash::*;
pub use host::*;
pub use id::*;
pub use label::*;
pub use mcp::*;
pub use model::*;
pub use outcome::*;
pub use path_glob::*;
pub use plan::*;
pub use policy::*;
pub use preview::*;
pub use problem::*;
pub use protected::*;
pub use provider::*;
pub use recipe::*;
pub use record::*;
pub use risk::*;
pub use sandbox::*;
pub use switch::*;
pub use task::*;
pub use thread::*;
pub use time::*;
pub use token::*;
pub use would_be::*;
