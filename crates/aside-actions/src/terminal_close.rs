//! `terminal.close`: closes a terminal and ends its programs.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::terminals::{PersonsTerminals, standing};

/// Arguments of `terminal.close`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The id or name of the terminal.
    terminal: String,
}

/// `terminal.close`.
pub(crate) struct TerminalClose(pub PersonsTerminals);

impl Action for TerminalClose {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "terminal.close",
            summary: "Close a terminal",
            description: "Closes a terminal and ends its shell and the programs in it. Its output is gone.",
            preconditions: &["the terminal is open"],
            effect: EffectScope::System,
            risks: [Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Close a terminal", json!({"terminal": "bash"}))],
            phrases: &["close the terminal", "end the shell", "kill the terminal"],
            tags: &["terminal", "shell", "console", "end", "kill"],
            safety: &["unsaved work of the programs in it is lost"],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.find(&args.terminal).map(|_| Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let terminal = self.0.find(&args.terminal)?.state();
        Ok(Preview::summary(format!("Close the terminal {} ({})", terminal.name, standing(&terminal))))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let terminal = self.0.find(&args.terminal)?.state();
        let id = terminal.id.clone();
        // Whoever else closed it in between has done the same.
        let closed = self.0.terminals.close(&id).unwrap_or(terminal);
        let words = format!("Closed the terminal {} ({})", closed.name, standing(&closed));
        Ok(Run::observed(Observation::with(words, json!({"terminal": id}))))
    }
}
