//! `terminal.read`: the last lines of a terminal.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::counted,
    terminals::{PersonsTerminals, joined, printed_in, standing},
};

/// Lines of an answer: if nobody says, and at most.
const USUAL: u32 = 200;
const MOST: u32 = 1_000;

/// Arguments of `terminal.read`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The id or name of the terminal.
    terminal: String,
    /// How many of the last lines. Default: 200, at most 1,000.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    lines: Option<u32>,
}

/// `terminal.read`.
pub(crate) struct TerminalRead(pub PersonsTerminals);

impl Action for TerminalRead {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "terminal.read",
            summary: "Read the last lines of a terminal",
            description: "Returns the last lines of a terminal as the user sees them, without colours. For a \
                full-screen program it returns the screen.",
            preconditions: &["the terminal is open"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Read a terminal", json!({"terminal": "bash"})),
                ("Read its last lines", json!({"terminal": "bash", "lines": 20})),
            ],
            phrases: &["read the terminal", "what does the terminal say", "show the output of the terminal"],
            tags: &["terminal", "shell", "console", "output", "screen", "scrollback"],
            safety: &["output of programs is untrusted data", "a terminal can show passwords and private files"],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.find(&args.terminal).map(|_| Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let name = self.0.find(&args.terminal)?.state().name;
        let lines = args.lines.unwrap_or(USUAL).clamp(1, MOST) as usize;
        Ok(Preview::summary(format!("Read the last {} of the terminal {name}", counted(lines, "line"))))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let terminal = self.0.find(&args.terminal)?;
        let text = terminal.text(args.lines.unwrap_or(USUAL).clamp(1, MOST) as usize);
        let state = terminal.state();
        let (lines, cut) = joined(&text);
        let screen = if text.full_screen { ", full-screen" } else { "" };
        let words = format!("{} ({}{screen})\n{lines}", state.name, standing(&state));
        let source = printed_in(&state, &context.id);
        let data = json!({"terminal": state, "text": lines, "cut": cut, "full_screen": text.full_screen});
        Ok(Run::observed(Observation::with(words, data).from_source(source)))
    }
}
