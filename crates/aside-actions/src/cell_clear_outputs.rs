//! `cell.clear_outputs`: takes away what cells have put out.

use aside_core::{
    Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_kernels::Session;
use aside_notebook::CellKey;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
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
            phrases: &["clear the output", "clear all outputs", "remove the outputs"],
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
        let kept = session.kept(&keys).await.map_err(|error| error.failure())?;
        let json = serde_json::to_string(&kept).expect("outputs serialise to JSON");
        let kept = blocking(&self.0.workspace, move |workspace| workspace.keep_cells(&json)).await?;
        session.clear(&keys).await.map_err(|error| error.failure())?;
        let inverse = Some(request("cell.restore_outputs", json!({"path": args.path, "kept": kept})));
        let words = format!("cleared {} of {}", counted(keys.len(), "cell"), args.path);
        Ok(Run { observation: Observation::text(words), inverse, changed: vec![ObjectRef::file(&args.path)] })
    }
}

/// Those of the cells that can have put something out: text has nothing to be taken away.
async fn with_outputs(session: &Session, args: &Args) -> Result<Vec<CellKey>, Failure> {
    let notebook = session.notebook().await.map_err(|error| error.failure())?;
    let has_outputs = |key: &CellKey| notebook.cell(key).is_none_or(|cell| cell.kind().has_outputs());
    Ok(args.cells.iter().cloned().map(CellKey).filter(has_outputs).collect())
}
