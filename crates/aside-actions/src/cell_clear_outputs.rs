//! `cell.clear_outputs`: takes away what cells have put out.

use aside_core::{
    Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, Risk, UndoSupport, Version, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_kernels::{KeptOutputs, Session};
use aside_notebook::CellKey;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    checkpoint::{NotOnDisk, refused},
    files::{blocking, counted},
    kernels::NotebookKernels,
    request,
};

/// Arguments of `cell.clear_outputs`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// The keys of the cells.
    cells: Vec<String>,
    /// The version that the outputs must have; otherwise nothing is cleared. Used by undo.
    #[serde(default)]
    expected: Option<String>,
}

/// `cell.clear_outputs`.
pub(crate) struct CellClearOutputs(pub NotebookKernels);

impl Action for CellClearOutputs {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "cell.clear_outputs",
            summary: "Clear cell outputs",
            description: "Clears the outputs and execution counts of cells. Their source stays, and so do the \
                variables in the kernel. Can be undone.",
            preconditions: &["none of the cells is running"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write, Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Clear one cell", json!({"path": "analysis.ipynb", "cells": ["c1"]}))],
            phrases: &[
                "clear the output",
                "clear all outputs",
                "remove the outputs",
                "(clear|remove|delete|wipe|erase|clean) [all|every] [of] [cell] outputs [of all cells|of every cell|of this notebook|in this notebook|of the notebook|in the notebook|from the notebook|from all cells] => path={notebook}, cells={outputs}",
                "(clear|remove|delete|wipe|erase) [all] outputs (of|in|from) [notebook] {path:notebook} => cells={outputs}",
                "(clear|remove|delete|wipe|erase) (the|this) [cell's] output => path={notebook}, cells={cells}",
                "(clear|remove|delete|wipe|erase) (output|outputs) (of|in|from) (this|the current|the selected) cell => path={notebook}, cells={cells}",
                "(clear|remove|delete|wipe|erase) this cell's (output|outputs) => path={notebook}, cells={cells}",
                "(clear|remove|delete|wipe|erase) (output|outputs) (of|in|from) (cell|cells) {cells:cells} => path={notebook}",
                "(clear|remove|delete|wipe|erase) (output|outputs) (of|in|from) the {cells:cells} cell => path={notebook}",
            ],
            tags: &["notebook", "jupyter", "output"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let session = self.0.session(&args.path)?;
        let keys = with_outputs(&session, args).await?;
        let (cells, names) =
            (counted(keys.len(), "cell"), keys.iter().map(|key| &*key.0).collect::<Vec<_>>().join(", "));
        Ok(Preview::summary(format!("Clear the outputs of {cells} of {}: {names}", args.path)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        let keys = with_outputs(&session, args).await?;
        let outputs = session.kept(&keys).await.map_err(|error| error.failure())?;
        if args.expected.as_ref().is_some_and(|expected| version_of(&outputs).as_str() != expected) {
            return Err(run_since(&outputs));
        }
        let json = serde_json::to_string(&outputs).expect("outputs serialise to JSON");
        let kept = blocking(&self.0.workspace, move |workspace| workspace.keep_cells(&json)).await?;
        session.clear(&keys).await.map_err(|error| error.failure())?;
        let not_yet = match self.0.written(&args.path).await {
            Ok(not_yet) => not_yet,
            Err(failure) => {
                let put_back = session.put_back(outputs).await.is_ok();
                return Err(refused(failure, put_back));
            }
        };
        let inverse = Some(request("cell.restore_outputs", json!({"path": args.path, "kept": kept})));
        let words = format!("cleared {} of {}", counted(keys.len(), "cell"), args.path);
        let run = Run { observation: Observation::text(words), inverse, changed: vec![ObjectRef::file(&args.path)] };
        Ok(NotOnDisk::told(not_yet, run))
    }
}

/// The version of what cells have put out.
pub(crate) fn version_of(outputs: &[KeptOutputs]) -> Version {
    Version::of(serde_json::to_vec(outputs).expect("outputs serialise to JSON"))
}

/// Says that cells have put out something since, which an undo would take away.
pub(crate) fn run_since(outputs: &[KeptOutputs]) -> Failure {
    let named: Vec<String> = outputs.iter().map(|kept| format!("`{}`", kept.cell)).collect();
    let message = format!("cells have run since, and their new outputs would be lost: {}", named.join(", "));
    Failure::new("conflict", message).hint("clear the outputs of these cells first if nobody needs them")
}

/// Those of the cells that can have put something out: text has nothing to be taken away.
async fn with_outputs(session: &Session, args: &Args) -> Result<Vec<CellKey>, Failure> {
    let notebook = session.notebook().await.map_err(|error| error.failure())?;
    let has_outputs = |key: &CellKey| notebook.cell(key).is_none_or(|cell| cell.kind().has_outputs());
    Ok(args.cells.iter().cloned().map(CellKey).filter(has_outputs).collect())
}
