//! `mcp.reconnect`: starts a server of tools anew and asks it for its tools, without waiting for its rest.

use aside_core::{
    Assessment, Completeness, EffectScope, Failure, McpServerName, Observation, Place, Preview, Provenance, Risk,
    UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, line, target};
use crate::client::{content::source, shown};

/// Arguments of `mcp.reconnect`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The server's name.
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
            summary: "Restart an MCP server",
            description: "Stops the program or connection if there is one, starts it again, and lists its tools. A \
                failing server is started without its retry delay.",
            preconditions: &["the server exists"],
            effect: EffectScope::System,
            risks: [Risk::Write].into(),
            place: Place::Host,
            undo: UndoSupport::None,
            examples: vec![("Retry a failed server", json!({"name": "files"}))],
            phrases: &[
                "restart the mcp server",
                "try the tool server again",
                "(restart|reconnect|reconnect to|reload) mcp server {name:word}",
                "(restart|reconnect|reconnect to|reload) {name:word} mcp server",
                "try the (tool|mcp) server {name:word} again",
            ],
            tags: &["mcp", "tools", "server", "restart", "retry", "failed"],
            safety: &[
                "A running call is lost.",
                "Needs approval each time if files of the workspace can change the started program.",
            ],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let servers = self.servers.get()?;
        let kept = servers.get(&args.name)?;
        let provenance = Provenance::of(source(&args.name));
        let mut assessment = Assessment { targets: vec![target(&args.name)], provenance, ..Assessment::default() };
        // What would be started may be another program by now than the one that was added.
        if servers.is_started_by_hand(&kept.launch) {
            assessment.risks.insert(Risk::Install);
        }
        Ok(assessment)
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let servers = self.servers.get()?;
        let launch = servers.get(&args.name)?.launch;
        let summary = format!("Restart the MCP server `{}`", args.name);
        let body = shown::body(launch, &servers.files()?.own_folder(&args.name), servers.workspace());
        Ok(Preview { summary, body, completeness: Completeness::Opaque, warnings: Vec::new() })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let servers = self.servers.get()?;
        tokio::select! {
            reached = servers.start_anew(&args.name) => reached.map(drop)?,
            by = context.progress.stopped() => {
                return Err(Failure::new("stopped", format!("{by} did not wait for its tool list")));
            }
        }
        let server = servers.one(&args.name)?;
        let observation = Observation::with(line(&server), &server).from_source(source(&args.name));
        Ok(Run { observation, inverse: None, changed: vec![target(&args.name)] })
    }
}
