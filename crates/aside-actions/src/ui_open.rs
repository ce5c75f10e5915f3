//! `ui.open`: shows a file to the person.

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WindowId, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, DryReading, Run};
use aside_workspace::WorkspaceError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::{blocking, touching},
    tabs::WindowTabs,
};

/// Arguments of `ui.open`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// The line to go to, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    line: Option<u32>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default, skip_serializing)]
    window: Option<WindowId>,
}

/// `ui.open`.
pub(crate) struct UiOpen(pub WindowTabs);

impl Action for UiOpen {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.open",
            summary: "Open a file in the user's window",
            description: "Opens a file in the user's active window, at a line if one is given.",
            preconditions: &["the file exists", "a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::NotNeeded,
            examples: vec![("Open a file at a line", json!({"path": "src/model.py", "line": 2}))],
            phrases: &[
                "open the file",
                "show me",
                "go to line",
                "(open|open up|show|show me|display|view|edit|bring up|pull up|let me see|take me to|look at|let me look at) {path:one_file} [in a new tab|in a tab|in editor]",
                "(go to|switch to|jump to) {path:closed_file}",
                "(open|show|show me|go to|jump to|view) {path:one_file} [,] [at|on] line {line}",
                "(go to|goto|jump to|open|show me|show|take me to) line {line} (in|of) {path:one_file}",
                "(open|go to|jump to) {path:one_file} and (go|jump) to line {line}",
                "[go to|goto|jump to|show] line {line} => path={file}",
            ],
            tags: &["window", "tab", "show", "editor", "navigate"],
            safety: &[],
        }
    }

    fn in_dry_runs(&self) -> DryReading {
        DryReading::Shown
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let path = args.path.clone();
        let there = blocking(&self.0.workspace, move |workspace| workspace.confine(&path)?.entry()).await?;
        if there.is_none() {
            return Err(WorkspaceError::NotFound(args.path.clone()).failure());
        }
        Ok(touching(&self.0.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(match args.line {
            Some(line) => format!("Open {} at line {line}", args.path),
            None => format!("Open {}", args.path),
        }))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let window = args.window.as_ref();
        let answer = self.0.windows.call(context, "ui.open", json!(args), window).await?;
        let text = format!("opened {}{}", args.path, answer.place(window));
        Ok(Run::observed(Observation::with(text, answer.result)))
    }
}
