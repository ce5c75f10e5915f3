//! Servers of tools: programs that a person added, whose tools become actions.
//!
//! ```text
//! mcp.add ──> file of the person ──> Servers ──Catalog::replace──> mcp.NAME.TOOL ──Gate──> ToolAction
//!                                       │                                                     │
//!                                       └── Link: starts it when it is needed <── call ───────┘
//! ```
//!
//! Nothing that a server says of itself counts for more than words: what its tools may do is what the person chose
//! when they looked at exactly this list. A list that is another than the one looked at can't be used.

mod actions;
mod allowance;
mod bounded;
mod content;
mod kept;
mod launch;
mod link;
mod list;
mod made_up;
mod names;
mod proposals;
mod refuser;
mod schema;
mod servers;
mod shown;
mod tool;
mod words;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use made_up::try_tool_list;
pub use servers::{ClientLimits, Servers, ServersError};
