//! Language servers: programs that say what is wrong in a text while it is written.
//!
//! ```text
//! editors ── follow(document) ──> follower (one a document) ── orders ──> keeper (one a server, owns all its state)
//!                                                                           │ session (pure): messages -> effects
//!                                   problems of the workspace <─────────────┤
//!                                                                           └── the program, kept apart
//! ```
//!
//! Which programs they are is the person's to say, in `language-servers.toml` of their own data folder: nothing that comes
//! with a workspace names one. They read the workspace, write nothing in it and have no network. What they say is data:
//! bounded, and shown as what it is.

mod configuration;
mod diagnostic;
mod follower;
mod framing;
mod keeper;
mod language;
mod place;
mod servers;
mod session;
mod uri;

pub use servers::{Following, LanguageServers, Overview};

#[cfg(test)]
#[ctor::ctor(unsafe)]
fn become_the_helper() {
    aside_workspace::process::enter_if_helper();
}
