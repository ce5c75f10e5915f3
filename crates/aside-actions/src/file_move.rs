//! `file.move`: gives a file or folder another place or name.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, FileChange, ObjectRef, Observation, Place, Preview, Risk, Sha256,
    UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Existing, Expected, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, foreseen, viewing},
    placing::{arrival, assess_arrival, existing, expected},
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
    /// The version that an overwritten file has to have, of its bytes; otherwise nothing is moved. Used by undo.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    expected: Option<Expected>,
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
            phrases: &[
                "rename the file",
                "move the file",
                "mv",
                "rename {from:entry} [to|as|into|->|→] {to:rename}",
                "(change|set) (name|filename|file name) of {from:entry} to {to:rename}",
                "rename (this|it) [to|as] {to:rename} => from={file}",
                "(move|put) (this|it) (to|into|in) [folder|directory] {to:target} => from={file}",
                "give {from:entry} the name {to:rename}",
                "(move|put) {from:entry} (to|into|in|under|inside) [folder|directory] {to:target}",
                "(move|put) {from:entry} (there|in there) => to={there}",
                "mv {from:entry} {to:target}",
            ],
            tags: &["file", "folder", "rename"],
            safety: &["`overwrite` replaces another file"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if args.overwrite {
            let (to, expected) = (args.to.clone(), expected(context, &args.to, args.expected.as_ref())?.cloned());
            viewing(&self.workspace, context, move |view| view.check_expected(&to, expected.as_ref())).await?;
        }
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
        let expected = args.expected.clone();
        let (placed, put_back) = blocking(&self.workspace, move |workspace| {
            let placed = workspace.move_entry(&from, &to, existing, tidy.as_ref(), expected.as_ref())?;
            let Some(kept) = restore else { return Ok((placed, None)) };
            match workspace.restore(&kept, Some(&Expected::Nothing)) {
                Ok(put_back) => Ok((placed, Some(put_back))),
                Err(error) => {
                    // Both or none: without the file that was there before, this one stays where it is.
                    workspace.move_entry(&to, &from, Existing::Refuse, placed.made_folder.as_ref(), None)?;
                    Err(error)
                }
            }
        })
        .await?;
        let mut inverse = json!({
            "from": args.to, "to": args.from, "restore": placed.overwritten, "tidy": placed.made_folder,
        });
        if let Some(put_back) = put_back {
            (inverse["overwrite"], inverse["expected"]) = (true.into(), json!(put_back.left));
        }
        let observation = Observation::with(
            format!("moved {} to {}", args.from, args.to),
            json!({"from": args.from, "to": args.to, "overwritten": placed.overwritten}),
        );
        let changed = vec![ObjectRef::file(&args.from), ObjectRef::file(&args.to)];
        Ok(Run { observation, inverse: Some(request("file.move", inverse)), changed })
    }
}
