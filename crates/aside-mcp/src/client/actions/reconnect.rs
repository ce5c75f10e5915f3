//! `mcp.reconnect`: starts a server of tools anew and asks it for its tools, without waiting for its rest.

use aside_core::{
    Assessment, EffectScope, Failure, McpServerName, Observation, Place, Preview, Provenance, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, line, target};
use crate::client::content::source;

/// Arguments of `mcp.reconnect`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Which server.
    name: McpServerName,
}

/// `mcp.reconnect`.
pub(crate) struct Reconnect {
    pub(super) servers: Held,
}

impl Action for Reconnect {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "mcp.reconnect",
            summary: "Start a server of tools anew",
            description: "Ends the program or the connection if there is one, starts it as it was added, and asks for its \
                tools. A server that keeps failing is tried at once.",
            preconditions: &["there is a server of this name"],
            effect: EffectScope::System,
            risks: [Risk::Write].into(),
            place: Place::Host,
            undo: UndoSupport::None,
            examples: vec![("Try one again that failed", json!({"name": "files"}))],
            phrases: &["restart the mcp server", "try the tool server again"],
            tags: &["mcp", "tools", "server", "restart", "retry", "failed"],
            safety: &["A call that is under way is lost."],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.servers.get()?.get(&args.name)?;
        let provenance = Provenance::of(source(&args.name));
        Ok(Assessment { targets: vec![target(&args.name)], provenance, ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Start the server of tools `{}` anew", args.name)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let servers = self.servers.get()?;
        tokio::select! {
            reached = servers.reconnect(&args.name) => reached.map(drop)?,
            by = context.progress.stopped() => {
                return Err(Failure::new("stopped", format!("{by} did not wait for its tools")));
            }
        }
        let server = servers.one(&args.name)?;
        let observation = Observation::with(line(&server), &server).from_source(source(&args.name));
        Ok(Run { observation, inverse: None, changed: vec![target(&args.name)] })
    }
}
