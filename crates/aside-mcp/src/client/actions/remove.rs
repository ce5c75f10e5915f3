//! `mcp.remove`: ends a server of tools and forgets it.

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, McpServerName, Observation, Place, Preview, PreviewBody,
    Risk, UndoSupport,
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
    /// Which server.
    name: McpServerName,
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
            summary: "Remove a server of tools",
            description: "Ends the program, takes its tools away, and forgets what was said of them. Taken back, it is \
                added again as it was, and its tools have to be looked at again.",
            preconditions: &["there is a server of this name"],
            effect: EffectScope::System,
            risks: [Risk::Access].into(),
            place: Place::Host,
            undo: UndoSupport::Inverse,
            examples: vec![("Remove one", json!({"name": "files"}))],
            phrases: &["remove the mcp server", "disconnect the tool server"],
            tags: &["mcp", "tools", "server", "disconnect", "uninstall"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.servers.get()?.get(&args.name)?;
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
            summary: format!("Remove the server of tools `{}`", args.name),
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
