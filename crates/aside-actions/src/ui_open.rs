//! `ui.open`: shows a file to the person.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Browser,
    files::{blocking, touching},
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
}

/// `ui.open`.
pub(crate) struct UiOpen {
    pub browser: Arc<dyn Browser>,
    pub workspace: Arc<Workspace>,
}

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
            phrases: &["open the file", "show me", "go to line"],
            tags: &["window", "tab", "show", "editor", "navigate"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let path = args.path.clone();
        let there = blocking(&self.workspace, move |workspace| workspace.confine(&path)?.entry()).await?;
        if there.is_none() {
            return Err(WorkspaceError::NotFound(args.path.clone()).failure());
        }
        Ok(touching(&self.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(match args.line {
            Some(line) => format!("Open {} at line {line}", args.path),
            None => format!("Open {}", args.path),
        }))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let name = "ui.open".parse().expect("it is well formed");
        let result = self.browser.perform(&context.id, &name, &json!(args)).await?;
        Ok(Run::observed(Observation::with(format!("opened {}", args.path), result)))
    }
}
