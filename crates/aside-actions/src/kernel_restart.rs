//! `kernel.restart`: ends the kernel of a notebook and starts it anew.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::kernels::NotebookKernels;

/// Arguments of `kernel.restart`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
}

/// `kernel.restart`.
pub(crate) struct KernelRestart(pub NotebookKernels);

impl Action for KernelRestart {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "kernel.restart",
            summary: "Restart the kernel",
            description: "Ends the notebook's kernel and starts it again. Variables are lost; outputs stay in the \
                notebook.",
            preconditions: &["the kernel is installed"],
            effect: EffectScope::System,
            risks: [Risk::Destructive, Risk::Install].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Restart the kernel", json!({"path": "analysis.ipynb"}))],
            phrases: &[
                "restart the kernel",
                "clear all variables",
                "(restart|reboot|reset) [this] [python|notebook's|notebook] kernel [now] => path={notebook}",
                "(restart|reboot|reset) kernel (of|in|for) [notebook] {path:notebook}",
                "clear all variables => path={notebook}",
            ],
            tags: &["notebook", "jupyter", "kernel"],
            safety: &["unsaved results of computations are lost"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Restart the kernel of {}", args.path)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        session.restart().await.map_err(|error| error.failure())?;
        let name = session.kernel().kernel.map(|kernel| kernel.name);
        let words = format!("the kernel of {} is running: {}", args.path, name.as_deref().unwrap_or("unnamed"));
        Ok(Run::observed(Observation::with(words, json!({ "kernel": name }))))
    }
}
