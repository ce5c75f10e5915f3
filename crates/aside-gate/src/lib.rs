//! The only door to side effects: catalog, validation, risk, policy, preview, decision, intent, run,
//! inverse, audit. Knows no particular action, no model and no HTTP.

mod handler;

pub use handler::*;
