//! `mcp.distrust`: takes back what was said of a server's tools, so that each call asks again.

use aside_core::{Assessment, EffectScope, Failure, McpServerName, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, target};

/// Arguments of `mcp.distrust`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The server's name.
    name: McpServerName,
}

/// `mcp.distrust`.
pub(crate) struct Distrust {
    pub(super) servers: Held,
}

impl Action for Distrust {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "mcp.distrust",
            summary: "Stop trusting an MCP server's tools",
            description: "Ends the trust in a server's tools: each call has the risks `destructive` and `network` \
                again, and needs approval.",
            preconditions: &["the server exists"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Require approval of each call again", json!({"name": "files"}))],
            phrases: &["do not trust the tool server any more"],
            tags: &["mcp", "tools", "server", "trust"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.servers.get()?.get(&args.name)?;
        Ok(Assessment { targets: vec![target(&args.name)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Require approval of each call of the tools of `{}` again", args.name)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        self.servers.get()?.distrust(&args.name).await?;
        let observation = Observation::text(format!("each call of the tools of {} needs approval again", args.name));
        Ok(Run { observation, inverse: None, changed: vec![target(&args.name)] })
    }
}
