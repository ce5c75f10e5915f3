//! `kernel.shutdown`: ends the kernel of a notebook.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::kernels::NotebookKernels;

/// Arguments of `kernel.shutdown`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
}

/// `kernel.shutdown`.
pub(crate) struct KernelShutdown(pub NotebookKernels);

impl Action for KernelShutdown {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "kernel.shutdown",
            summary: "Shut down the kernel",
            description: "Ends the notebook's kernel and all processes that it started. Variables are lost; outputs \
                stay in the notebook.",
            preconditions: &[],
            effect: EffectScope::System,
            risks: [Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Shut down the kernel", json!({"path": "analysis.ipynb"}))],
            phrases: &[
                "shut down the kernel",
                "stop the kernel",
                "end the kernel",
                "(shut down|shutdown|kill|end|stop|quit|terminate) [this] kernel => path={notebook}",
                "shut [this] kernel down => path={notebook}",
                "(shut down|shutdown|kill|end|stop|quit|terminate) kernel (of|in|for) [notebook] {path:notebook}",
            ],
            tags: &["notebook", "jupyter", "kernel"],
            safety: &["unsaved results of computations are lost"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Shut down the kernel of {}", args.path)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        session.shut_down().await.map_err(|error| error.failure())?;
        Ok(Run::observed(Observation::text(format!("the kernel of {} is shut down", args.path))))
    }
}
