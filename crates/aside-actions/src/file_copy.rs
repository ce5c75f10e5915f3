//! `file.copy`: makes a second file or folder like one that is there.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, FileChange, Observation, Place, Preview, Risk, UndoSupport,
    WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, foreseen},
    placing::{arrival, assess_arrival, created, existing},
};

/// Arguments of `file.copy`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file or folder, relative to the workspace.
    from: WorkspacePath,
    /// The path of the copy, including its name. Missing folders are created.
    to: WorkspacePath,
    /// Replaces an existing file. The replaced file is stored for undo.
    #[serde(default)]
    overwrite: bool,
}

/// `file.copy`.
pub(crate) struct FileCopy {
    pub workspace: Arc<Workspace>,
}

impl Action for FileCopy {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.copy",
            summary: "Copy a file or folder",
            description: "Copies a file, or a folder with everything in it (at most 200 MB). Fails if the target \
                exists, unless `overwrite` is set and it is a file.",
            preconditions: &["`from` exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Copy a file", json!({"from": "data/old.csv", "to": "data/new.csv"}))],
            phrases: &[
                "copy the file",
                "duplicate",
                "cp",
                "(copy|duplicate) (this|it) (to|into|as) [folder|directory] {to:target} => from={file}",
                "(copy|duplicate) {from:entry} (to|into|as|in) [folder|directory] {to:target}",
                "copy {from:entry} (there|in there) => to={there}",
                "cp [-r] {from:entry} {to:target}",
                "make a copy of {from:entry} (called|named|as|in|at|under) {to:target}",
                "(copy|duplicate) {from:entry} and (call|name) (it|the copy) {to:target}",
            ],
            tags: &["file", "folder", "duplicate"],
            safety: &["`overwrite` replaces another file"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        assess_arrival(&self.workspace, context, (&args.from, &args.to), args.overwrite).await
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        // What can't be done is not shown as if it could.
        self.effects(context, args).await?;
        let summary = |noun: &str| format!("Copy the {noun} {} to {}", args.from, args.to);
        arrival(
            &self.workspace,
            context,
            (&args.from, &args.to),
            FileChange::Copied { from: args.from.clone() },
            summary,
        )
        .await
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (from, to) = (args.from.clone(), args.to.clone());
        let existing = existing(args.overwrite);
        foreseen(&self.workspace, context, move |view| view.copy(&from, &to, existing)).await
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (from, to) = (args.from.clone(), args.to.clone());
        let existing = existing(args.overwrite);
        let placed = blocking(&self.workspace, move |workspace| workspace.copy(&from, &to, existing)).await?;
        let observation = Observation::with(
            format!("copied {} to {}", args.from, args.to),
            json!({"from": args.from, "to": args.to, "overwritten": placed.overwritten}),
        );
        Ok(created(&args.to, &placed, observation))
    }
}
