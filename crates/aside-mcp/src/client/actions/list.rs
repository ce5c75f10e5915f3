//! `mcp.list`: the servers of tools, and where they stand.

use aside_core::{Assessment, EffectScope, Failure, McpServerName, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, line};
use crate::client::content::source;

/// Arguments of `mcp.list`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Only this server.
    #[serde(default)]
    name: Option<McpServerName>,
}

/// `mcp.list`.
pub(crate) struct List {
    pub(super) servers: Held,
}

impl Action for List {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "mcp.list",
            summary: "List MCP servers",
            description: "Lists the MCP servers of this workspace, whether the user trusts their tools, and the \
                actions of their tools. It starts no server.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![("List all", json!({}))],
            phrases: &[
                "which mcp servers are there",
                "list the tool servers",
                "(list|show|show me) [all] [my] (mcp|tool|mcp tool) servers",
                "(which|what) (mcp|tool) servers (are there|are connected|do i have|are running|are available|exist|are installed)",
                "mcp servers",
            ],
            tags: &["mcp", "tools", "server", "connected"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, _args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary("List MCP servers"))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let servers = self.servers.get()?;
        let found = match &args.name {
            Some(name) => vec![servers.one(name)?],
            None => servers.list(),
        };
        let lines: Vec<_> = found.iter().map(line).collect();
        let text = if lines.is_empty() { "there are no MCP servers".to_owned() } else { lines.join("\n") };
        let observation = Observation::with(text, json!({ "servers": found }));
        // Names of tools, and all that is in the data, are the servers' own words.
        let sources = found.iter().map(|server| source(&server.name));
        Ok(Run::observed(sources.fold(observation, Observation::from_source)))
    }
}
