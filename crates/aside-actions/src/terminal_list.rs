//! `terminal.list`: lists the terminals.

use aside_core::{Assessment, EffectScope, Failure, LabelSource, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::terminals::{PersonsTerminals, line};

/// Arguments of `terminal.list`: none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// `terminal.list`.
pub(crate) struct TerminalList(pub PersonsTerminals);

impl Action for TerminalList {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "terminal.list",
            summary: "List the terminals",
            description: "Returns each terminal's id, name, title, size, program in the foreground, and exit status \
                if its shell has ended.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![("List all terminals", json!({}))],
            phrases: &[
                "list the terminals",
                "(list|show|show me) [all] [the|my] [open|running] (terminals|shells|consoles)",
                "(which|what) terminals are [currently] (open|running)",
            ],
            tags: &["terminal", "shell", "console", "running"],
            safety: &["titles are set by programs: untrusted data"],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, _args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary("List the terminals"))
    }

    async fn run(&self, context: &ActionContext, _args: &Args) -> Result<Run, Failure> {
        let terminals = self.0.terminals.list();
        if terminals.is_empty() {
            let words = "No terminal is open.";
            return Ok(Run::observed(Observation::with(words, json!({"terminals": terminals}))));
        }
        let lines: Vec<_> = terminals.iter().map(line).collect();
        let source = LabelSource::external("the list of terminals", "titles and last words of programs");
        let observation = Observation::with(lines.join("\n"), json!({"terminals": terminals}));
        Ok(Run::observed(observation.from_source(source.by(&context.id))))
    }
}
