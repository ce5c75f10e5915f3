//! `mcp.remove`: ends a server of tools and forgets it.

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, McpLaunch, McpServerName, Observation, Place, Preview,
    PreviewBody, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, request, target};

/// Arguments of `mcp.remove`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The server's name.
    name: McpServerName,
    /// How the server has to be started or reached; otherwise nothing is removed. Used by undo.
    #[serde(default)]
    expected: Option<McpLaunch>,
}

/// `mcp.remove`.
pub(crate) struct Remove {
    pub(super) servers: Held,
}

impl Action for Remove {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "mcp.remove",
            summary: "Remove an MCP server",
            description: "Stops the program, and removes its tools and their trust. Undo adds the server again, and \
                its tools must be reviewed again.",
            preconditions: &["the server exists"],
            effect: EffectScope::System,
            risks: [Risk::Access].into(),
            place: Place::Host,
            undo: UndoSupport::Inverse,
            examples: vec![("Remove a server", json!({"name": "files"}))],
            phrases: &[
                "remove the mcp server",
                "disconnect the tool server",
                "(remove|disconnect|delete) (mcp|tool|mcp tool) server {name:word}",
                "(remove|disconnect|delete) {name:word} mcp server",
            ],
            tags: &["mcp", "tools", "server", "disconnect", "uninstall"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let kept = self.servers.get()?.get(&args.name)?;
        if args.expected.as_ref().is_some_and(|expected| *expected != kept.launch) {
            let message = format!("`{}` has been set up anew since, so it was not removed", args.name);
            return Err(Failure::new("conflict", message).hint("`mcp.remove` removes it as it is now"));
        }
        Ok(Assessment { targets: vec![target(&args.name)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let server = self.servers.get()?.one(&args.name)?;
        let row = ChangeRow {
            object: args.name.to_string(),
            before: Some(format!("{} tools", server.tools.len())),
            after: None,
        };
        Ok(Preview {
            summary: format!("Remove the MCP server `{}`", args.name),
            body: PreviewBody::Changes { rows: vec![row] },
            completeness: Completeness::Full,
            warnings: Vec::new(),
        })
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let kept = self.servers.get()?.remove(&args.name).await?;
        Ok(Run {
            observation: Observation::text(format!("removed {}", args.name)),
            inverse: Some(request("mcp.add", json!({ "name": args.name, "launch": kept.launch }))),
            changed: vec![target(&args.name)],
        })
    }
}
