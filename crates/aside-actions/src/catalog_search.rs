//! `catalog.search`: finds actions by words.

mod arguments;

use std::sync::Arc;

use aside_core::{
    Assessment, Descriptor, EffectScope, Failure, Label, Observation, Place, Preview, Risk, Risks, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Listing, Query, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Actions a search returns when no limit is given.
const USUAL: usize = 10;

/// Arguments of `catalog.search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The task, in words. Leave empty to list all actions.
    query: String,
    /// Most actions to return. Default: 10.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
    /// Only actions of this noun: `doc` for `doc.edit`.
    #[serde(default)]
    noun: Option<String>,
    /// Only actions whose risks are all in this list.
    #[serde(default)]
    risks: Option<Risks>,
}

/// `catalog.search`.
pub(crate) struct CatalogSearch {
    pub listing: Listing,
}

impl Action for CatalogSearch {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "catalog.search",
            summary: "Search for actions",
            description: "Returns the actions that best match a query, each with its summary and its arguments; `?` \
                marks those that may be absent. `catalog.describe` gives the details of one.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Find an action", json!({"query": "rename a file"})),
                ("List read-only document actions", json!({"query": "", "noun": "doc", "risks": ["read"]})),
            ],
            phrases: &["what can you do", "find an action", "help"],
            tags: &["actions", "tools", "help", "commands"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Search the actions for “{}”", args.query)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (noun, limit) = (args.noun.as_deref(), args.limit.unwrap_or(USUAL));
        let hits = self.listing.search(&Query { words: &args.query, noun, risks: args.risks.as_ref(), limit });
        let found: Vec<_> = hits.iter().map(|hit| (hit, arguments::written(&hit.args_schema))).collect();
        let line = |(hit, args): &(&Arc<Descriptor>, Option<String>)| {
            let args = args.as_deref().map_or_else(String::new, |args| format!(" {args}"));
            format!("{}: {}{args}", hit.name, hit.summary)
        };
        let lines: Vec<_> = found.iter().map(line).collect();
        let text = if lines.is_empty() { "no action matches this query".to_owned() } else { lines.join("\n") };
        let entry = |(hit, args): &(&Arc<Descriptor>, Option<String>)| {
            let mut entry = json!({"name": hit.name, "summary": hit.summary, "risks": hit.risks});
            if let Some(args) = args {
                entry["arguments"] = json!(args);
            }
            entry
        };
        let data: Vec<_> = found.iter().map(entry).collect();
        let label = hits.iter().map(|hit| hit.label).max().unwrap_or(Label::Workspace);
        Ok(Run::observed(Observation { label, ..Observation::with(text, json!({"actions": data})) }))
    }
}
