//! `kernel.interrupt`: stops what a notebook's kernel runs.

use aside_core::{
    Assessment, CellExecution, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_kernels::SessionError;
use aside_notebook::CellKey;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::kernels::NotebookKernels;

/// Arguments of `kernel.interrupt`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// Only this cell, by its key. Other running cells continue, and queued cells keep their place.
    #[serde(default)]
    cell: Option<String>,
}

/// `kernel.interrupt`.
pub(crate) struct KernelInterrupt(pub NotebookKernels);

impl Action for KernelInterrupt {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "kernel.interrupt",
            summary: "Interrupt the kernel",
            description: "Interrupts the running cell, like Ctrl-C; queued cells don't start. With `cell`, only \
                that cell stops and the rest continue. Variables stay. AI cells keep answering, unless the user \
                asks.",
            preconditions: &["a kernel is running"],
            effect: EffectScope::System,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                ("Interrupt all cells", json!({"path": "analysis.ipynb"})),
                ("Interrupt one cell", json!({"path": "analysis.ipynb", "cell": "c1"})),
            ],
            phrases: &[
                "interrupt the kernel",
                "stop the cell",
                "stop running",
                "interrupt [this] [kernel|execution|cell|running cell|run|computation|calculation|it] => path={notebook}",
                "(stop|cancel|abort|halt) [this] (cell|running cell|execution|run|running|computation|calculation) => path={notebook}",
                "interrupt kernel (of|in|for) {path:notebook}",
                "stop the kernel => path={notebook}",
            ],
            tags: &["notebook", "jupyter", "kernel"],
            safety: &["code can ignore the interrupt; a restart ends it"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(match &args.cell {
            Some(cell) => format!("Interrupt cell {cell} of {}", args.path),
            None => format!("Interrupt the kernel of {}", args.path),
        }))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        // Answers are asked for by persons, and stopped by them: a model doesn't stop itself by stopping what it runs.
        let answers = self.0.sessions.answers().filter(|_| context.origin.is_person());
        let cell = args.cell.clone().map(CellKey);
        let stopped = answers.is_some_and(|answers| answers.stop(&session, cell.as_ref()));
        if let Some(cell) = cell {
            let runs = session.open_runs(&cell);
            let is_this = |answer: &CellExecution| answer.cell == cell.0;
            if runs.is_empty() && !stopped && session.open_answers().iter().any(is_this) {
                let message = format!("only the user can stop the answer in cell {cell} of {}", args.path);
                return Err(Failure::new("not_yours", message).hint("ask the person who runs it"));
            }
            if runs.is_empty() && !stopped {
                return Ok(Run::observed(Observation::text(format!("cell {cell} of {} is not running", args.path))));
            }
            session.interrupt_runs(runs).await.map_err(|error| error.failure())?;
            return Ok(Run::observed(Observation::text(format!("interrupted cell {cell} of {}", args.path))));
        }
        if context.origin.is_person() {
            session.end_held(None);
        }
        match session.interrupt().await {
            Err(SessionError::NotRunning(_)) if stopped => (),
            interrupted => interrupted.map_err(|error| error.failure())?,
        }
        Ok(Run::observed(Observation::text(format!("interrupted the kernel of {}", args.path))))
    }
}
