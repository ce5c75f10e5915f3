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
    /// The hash of the trusted list of tools; if another one is trusted, it stays so. Used by undo.
    #[serde(default)]
    expected: Option<String>,
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
            phrases: &[
                "do not trust the tool server any more",
                "(do not|don't) trust the (tool|mcp) server {name:word} [any more|anymore]",
            ],
            tags: &["mcp", "tools", "server", "trust"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let kept = self.servers.get()?.get(&args.name)?;
        let trusted = kept.trust.as_ref().map(|trust| trust.list.hash.as_str());
        if args.expected.as_deref().is_some_and(|expected| trusted.is_some_and(|trusted| trusted != expected)) {
            let message =
                format!("another list of tools of `{}` has been trusted since, so it stays trusted", args.name);
            return Err(Failure::new("conflict", message).hint("`mcp.distrust` ends that trust"));
        }
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
