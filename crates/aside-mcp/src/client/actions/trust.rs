//! `mcp.trust`: a person has looked at exactly this list of tools, and says what each may do.

use std::collections::{BTreeMap, BTreeSet};

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, McpServerName, McpToolChoice, Observation, Place,
    Preview, PreviewBody, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, check_person, request, target};
use crate::client::{
    kept::Kept,
    list::{ToolList, ToolText},
    servers::another_list,
};

/// Arguments of `mcp.trust`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The server's name.
    name: McpServerName,
    /// The hash of the reviewed tool list, from `mcp.list`.
    hash: String,
    /// The risks of tools, by the server's own tool names. Other tools keep the risks `destructive` and `network`.
    #[serde(default)]
    tools: BTreeMap<String, McpToolChoice>,
}

/// `mcp.trust`.
pub(crate) struct Trust {
    pub(super) servers: Held,
}

impl Trust {
    /// The server and its list, if the arguments are about it.
    fn looked_at(&self, args: &Args) -> Result<(Kept, ToolList), Failure> {
        let kept = self.servers.get()?.get(&args.name)?;
        let list =
            kept.list.clone().filter(|list| list.hash.as_str() == args.hash).ok_or_else(|| another_list(&args.name))?;
        for (tool, choice) in &args.tools {
            if list.tool(tool).is_none() {
                return Err(Failure::new("invalid_args", format!("{} has no tool `{tool}`", args.name)));
            }
            if choice.risks.0.is_empty() {
                return Err(Failure::new(
                    "invalid_args",
                    format!("`{tool}` needs at least one risk; `read` is the least"),
                ));
            }
        }
        Ok((kept, list))
    }
}

impl Action for Trust {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "mcp.trust",
            summary: "Trust an MCP server's tools",
            description: "Records that the user reviewed the tools of a server, and the risks of each tool. This \
                applies to exactly this tool list: if the list changes, none of the tools can be used until the user \
                reviews them again. Only the user can request this.",
            preconditions: &["the server has listed its tools", "the list has not changed since the review"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Allow calls of a tool without approval",
                json!({
                    "name": "files",
                    "hash": "0000000000000000000000000000000000000000000000000000000000000000",
                    "tools": {"read_file": {"risks": ["read"], "idempotent": true}},
                }),
            )],
            phrases: &["trust the tools of the server"],
            tags: &["mcp", "tools", "server", "trust"],
            safety: &[
                "Arguments of a tool whose only risks are `read` and `write` are sent to the other program without approval.",
            ],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        // A model is refused by policy, which says so.
        if !context.origin.is_model() {
            check_person(&context.origin)?;
        }
        self.looked_at(args)?;
        Ok(Assessment { targets: vec![target(&args.name)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let (kept, list) = self.looked_at(args)?;
        Ok(Preview {
            summary: format!("Trust the current {} tools of `{}`", list.tools.len(), args.name),
            body: PreviewBody::Changes { rows: rows(&kept, &list, &args.tools) },
            completeness: Completeness::Full,
            warnings: Vec::new(),
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        check_person(&context.origin)?;
        let (_, list) = self.looked_at(args)?;
        let said = (context.origin.user(), context.now);
        self.servers.get()?.trust(&args.name, &list.hash, args.tools.clone(), said).await?;
        Ok(Run {
            observation: Observation::text(format!("the tools of {} are trusted", args.name)),
            inverse: Some(request("mcp.distrust", json!({ "name": args.name, "expected": args.hash }))),
            changed: vec![target(&args.name)],
        })
    }
}

/// One row a tool: as it was looked at last, and as it is now with what is chosen for it.
fn rows(kept: &Kept, list: &ToolList, choices: &BTreeMap<String, McpToolChoice>) -> Vec<ChangeRow> {
    let before = kept.trust.as_ref();
    let old = |name: &str| {
        let trust = before?;
        let choice = trust.choices.get(name).cloned().unwrap_or_default();
        Some(shown(trust.list.tool(name)?, &choice))
    };
    let new = |name: &str| Some(shown(list.tool(name)?, &choices.get(name).cloned().unwrap_or_default()));
    let told = before.map(|trust| &trust.list).into_iter().chain([list]);
    let names: BTreeSet<&str> = told.flat_map(|list| &list.tools).map(|tool| tool.name.as_str()).collect();
    let tools =
        names.into_iter().map(|name| ChangeRow { object: name.to_owned(), before: old(name), after: new(name) });
    let row = |problem: &String| ChangeRow { object: "note".to_owned(), before: None, after: Some(problem.clone()) };
    tools.chain(list.problems.iter().map(row)).collect()
}

fn shown(tool: &ToolText, choice: &McpToolChoice) -> String {
    let repeated = if choice.idempotent { "; may be called again after an interrupted call" } else { "" };
    format!("risks: {}{repeated}\n{}", choice.risks, tool.lines())
}
