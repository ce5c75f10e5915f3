//! `cell.restore_outputs`: puts back what cells had put out before it was taken away.

use aside_core::{
    Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, Risk, Sha256, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_kernels::KeptOutputs;
use aside_notebook::CellKey;
use aside_workspace::WorkspaceError;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cell_clear_outputs::{run_since, version_of},
    checkpoint::{NotOnDisk, refused},
    files::{blocking, counted},
    kernels::NotebookKernels,
    request,
};

/// Arguments of `cell.restore_outputs`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// The handle of the outputs, as the action that cleared them returned it.
    kept: String,
}

/// `cell.restore_outputs`.
pub(crate) struct CellRestoreOutputs(pub NotebookKernels);

impl Action for CellRestoreOutputs {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "cell.restore_outputs",
            summary: "Restore cleared outputs",
            description: "Restores cleared outputs and execution counts in the cells that still exist. The inverse \
                of `cell.clear_outputs`.",
            preconditions: &["the cleared outputs are still stored", "none of the cells is running"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Restore outputs",
                json!({
                    "path": "analysis.ipynb",
                    "kept": "967338ff7234477ff0b0b9c8f2c5d0e574214f8d54f8bb6d082095e3370e2fc9",
                }),
            )],
            phrases: &["restore the outputs", "bring the output back"],
            tags: &["notebook", "output", "inverse"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let cells = counted(self.kept(args).await?.len(), "cell");
        Ok(Preview::summary(format!("Restore the outputs of {cells} of {}", args.path)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let kept = self.kept(args).await?;
        let keys: Vec<String> = kept.iter().map(|kept| kept.cell.clone()).collect();
        let session = self.0.session(&args.path)?;
        let cells: Vec<CellKey> = keys.iter().cloned().map(CellKey).collect();
        let before = session.kept(&cells).await.map_err(|error| error.failure())?;
        if context.undoes.is_some() && !before.is_empty() {
            return Err(run_since(&before));
        }
        session.put_back(kept).await.map_err(|error| error.failure())?;
        let not_yet = match self.0.written(&args.path).await {
            Ok(not_yet) => not_yet,
            Err(failure) => {
                let cleared = session.clear(&cells).await.is_ok();
                let taken_back = cleared && session.put_back(before).await.is_ok();
                return Err(refused(failure, taken_back));
            }
        };
        let now = session.kept(&cells).await.map_err(|error| error.failure())?;
        let words = format!("restored the outputs of {} of {}", counted(keys.len(), "cell"), args.path);
        let inverse = Some(request(
            "cell.clear_outputs",
            json!({"path": args.path, "cells": keys, "expected": version_of(&now)}),
        ));
        let run = Run { observation: Observation::text(words), inverse, changed: vec![ObjectRef::file(&args.path)] };
        Ok(NotOnDisk::told(not_yet, run))
    }
}

impl CellRestoreOutputs {
    async fn kept(&self, args: &Args) -> Result<Vec<KeptOutputs>, Failure> {
        let named = args.kept.clone();
        let kept = blocking(&self.0.workspace, move |workspace| {
            let lost = || WorkspaceError::NotKept(named.chars().take(80).collect());
            workspace.kept_cells(&Sha256::parse(&named).ok_or_else(lost)?)
        });
        serde_json::from_str(&kept.await?)
            .map_err(|error| Failure::new("not_kept", format!("the cleared outputs can't be read: {error}")))
    }
}
