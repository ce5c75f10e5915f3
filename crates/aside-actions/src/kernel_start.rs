//! `kernel.start`: starts the kernel of a notebook.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::kernels::NotebookKernels;

/// Arguments of `kernel.start`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// The kernel's name. Default: the kernel that the notebook names. Replaces a different kernel that is running.
    #[serde(default)]
    kernel: Option<String>,
}

/// `kernel.start`.
pub(crate) struct KernelStart(pub NotebookKernels);

impl Action for KernelStart {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "kernel.start",
            summary: "Start the kernel",
            description: "Starts the notebook's kernel and waits until it is ready. A running kernel stays, unless \
                a different one is named: then that one replaces it, and variables are lost.",
            preconditions: &["the kernel is installed"],
            effect: EffectScope::System,
            risks: [Risk::Install].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Start the kernel", json!({"path": "analysis.ipynb"}))],
            phrases: &[
                "start the kernel",
                "use another kernel",
                "change the kernel",
                "(start|launch|boot) [the|a] kernel => path={notebook}",
                "(start|launch|boot) [the|a] kernel (of|in|for) [notebook] {path:notebook}",
            ],
            tags: &["notebook", "jupyter", "kernel"],
            safety: &["a kernel is a program that can do anything the user can"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Start the kernel of {}", args.path)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        session.start(args.kernel.clone()).await.map_err(|error| error.failure())?;
        let name = session.kernel().kernel.map(|kernel| kernel.name);
        let words = format!("the kernel of {} is running: {}", args.path, name.as_deref().unwrap_or("unnamed"));
        Ok(Run::observed(Observation::with(words, json!({ "kernel": name }))))
    }
}
