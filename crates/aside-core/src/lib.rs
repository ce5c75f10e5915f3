//! The words of Aside: ids, actions, risks, verdicts, grants, threads, places.
//!
//! Vocabulary only: this crate does no I/O, reads no clock and knows no SQL, HTTP or model.
//! A type enters when at least two crates must agree on it, and stays out otherwise.

mod action;
mod action_pattern;
mod assistant;
mod attached;
mod audit;
mod chat;
mod cost;
mod document;
mod file_kind;
mod grant;
mod grant_needed;
mod harmless;
mod hash;
mod host;
mod id;
mod instructions;
mod kept_version;
mod kernel;
mod label;
mod language_server;
mod latex;
mod mcp;
mod model;
mod notebook;
mod outcome;
mod path_glob;
mod phrase;
mod plan;
mod policy;
mod preview;
mod problem;
mod program;
mod protected;
mod provider;
mod recipe;
mod record;
mod redact;
mod risk;
mod sandbox;
mod seed;
mod settings;
mod switch;
mod task;
mod thread;
mod time;
mod token;
mod window;
mod would_be;

pub use action::*;
pub use action_pattern::*;
pub use assistant::*;
pub use attached::*;
pub use audit::*;
pub use chat::*;
pub use cost::*;
pub use document::*;
pub use file_kind::*;
pub use grant::*;
pub use grant_needed::*;
pub use harmless::harmless;
pub use hash::*;
pub use host::*;
pub use id::*;
pub use instructions::*;
pub use kept_version::*;
pub use kernel::*;
pub use label::*;
pub use language_server::*;
pub use latex::*;
pub use mcp::*;
pub use model::*;
pub use notebook::*;
pub use outcome::*;
pub use path_glob::*;
pub use phrase::*;
pub use plan::*;
pub use policy::*;
pub use preview::*;
pub use problem::*;
pub use program::*;
pub use protected::*;
pub use provider::*;
pub use recipe::*;
pub use record::*;
pub use redact::{Secrets, redacted, redacted_text};
pub use risk::*;
pub use sandbox::*;
pub use seed::*;
pub use settings::*;
pub use switch::*;
pub use task::*;
pub use thread::*;
pub use time::*;
pub use token::*;
pub use window::*;
pub use would_be::*;

/// Describes a type in TypeScript under the feature `typescript`; derives nothing otherwise.
#[cfg(not(feature = "typescript"))]
pub use aside_macros::TS;
#[cfg(feature = "typescript")]
pub use ts_rs::TS;
