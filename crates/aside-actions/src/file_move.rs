//! `file.move`: gives a file or folder another place or name.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, FileChange, ObjectRef, Observation, Place, Preview, Risk, Sha256,
    UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, foreseen},
    placing::{arrival, assess_arrival, existing},
    request,
};

/// Arguments of `file.move`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file or folder, relative to the workspace.
    from: WorkspacePath,
    /// The new path, including the new name. Missing folders are created.
    to: WorkspacePath,
    /// Replaces an existing file. The replaced file is stored for undo.
    #[serde(default)]
    overwrite: bool,
    /// Restores the stored content with this handle afterwards. Used by undo.
    #[serde(default)]
    restore: Option<String>,
    /// A folder above `from`. It and the folders between are also deleted if they become empty. Used by undo.
    #[serde(default)]
    tidy: Option<WorkspacePath>,
}

/// `file.move`.
pub(crate) struct FileMove {
    pub workspace: Arc<Workspace>,
}

impl Action for FileMove {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.move",
            summary: "Move or rename a file or folder",
            description: "Moves a file, or a folder with everything in it. Open editors stay open and follow. Fails \
                if the target exists, unless `overwrite` is set and it is a file.",
            preconditions: &["`from` exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Rename a file", json!({"from": "data/old.csv", "to": "data/tides-2023.csv"}))],
            phrases: &["rename the file", "move the file", "mv"],
            tags: &["file", "folder", "rename"],
            safety: &["`overwrite` replaces another file"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        assess_arrival(&self.workspace, context, (&args.from, &args.to), args.overwrite).await
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        // What can't be done is not shown as if it could.
        self.effects(context, args).await?;
        let summary = |noun: &str| format!("Move the {noun} {} to {}", args.from, args.to);
        arrival(
            &self.workspace,
            context,
            (&args.from, &args.to),
            FileChange::Moved { from: args.from.clone() },
            summary,
        )
        .await
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (from, to, tidy) = (args.from.clone(), args.to.clone(), args.tidy.clone());
        let existing = existing(args.overwrite);
        let restore = args.restore.as_deref().and_then(Sha256::parse);
        foreseen(&self.workspace, context, move |view| {
            let mut effects = view.move_entry(&from, &to, existing, tidy.as_ref())?;
            if let Some(kept) = restore {
                let moved = view.after(&effects);
                effects.extend(view.of(&moved).restore(&kept)?);
            }
            Ok(effects)
        })
        .await
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (from, to, tidy) = (args.from.clone(), args.to.clone(), args.tidy.clone());
        let existing = existing(args.overwrite);
        let restore = args.restore.as_deref().and_then(Sha256::parse);
        let (placed, put_back) = blocking(&self.workspace, move |workspace| {
            let placed = workspace.move_entry(&from, &to, existing, tidy.as_ref())?;
            let put_back = restore.map(|kept| workspace.restore(&kept)).transpose()?;
            Ok((placed, put_back.is_some()))
        })
        .await?;
        let inverse = json!({
            "from": args.to, "to": args.from, "restore": placed.overwritten, "tidy": placed.made_folder,
            "overwrite": put_back,
        });
        let observation = Observation::with(
            format!("moved {} to {}", args.from, args.to),
            json!({"from": args.from, "to": args.to, "overwritten": placed.overwritten}),
        );
        let changed = vec![ObjectRef::file(&args.from), ObjectRef::file(&args.to)];
        Ok(Run { observation, inverse: Some(request("file.move", inverse)), changed })
    }
}
