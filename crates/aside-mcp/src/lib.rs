//! The Model Context Protocol, in both directions, and the only crate that knows it.
//!
//! [`Server`] offers the catalog to other programs, under a grant: every call of a tool is a request to the Gate.
//! Both revisions of the protocol that are in use are served on one address: 2026-07-28, which keeps no session, and
//! those with a handshake up to 2025-11-25. [`Servers`] are the other direction: programs whose tools become actions.
//! Framing, headers and versions are `rmcp`'s, the protocol's own SDK.

mod bridge;
mod client;
mod fixtures;
mod server;

pub use bridge::{BridgeError, bridge};
pub use client::{ClientLimits, Servers, ServersError, try_tool_list};
pub use fixtures::Fixtures;
pub use server::{Caller, HttpService, Limits, Server, http_service};
