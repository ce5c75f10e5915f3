//! `file.delete`: takes a file or a folder away, and keeps it for the way back.

use std::sync::Arc;

use aside_core::{
    Assessment, Completeness, EffectScope, Effects, Failure, FileChange, ObjectRef, Observation, Place, Preview,
    PreviewBody, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Expected, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, bytes, foreseen, listed, noun, touching_all, version_of, viewing},
    placing::expected,
    request,
};

/// Arguments of `file.delete`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file or folder, relative to the workspace.
    path: WorkspacePath,
    /// A folder above it. It and the folders between are also deleted if they become empty.
    #[serde(default)]
    tidy: Option<WorkspacePath>,
    /// The version that has to be there, of the file's bytes; otherwise nothing is deleted. Used by undo.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    expected: Option<Expected>,
}

/// `file.delete`.
pub(crate) struct FileDelete {
    pub workspace: Arc<Workspace>,
}

impl Action for FileDelete {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.delete",
            summary: "Delete a file or folder",
            description: "Deletes a file, or a folder with everything in it. The content is stored for undo, unless \
                it is more than 200 MB or 5,000 entries; the preview then warns that the deletion can't be undone.",
            preconditions: &["the file or folder exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Delete a file", json!({"path": "data/old.csv"}))],
            phrases: &[
                "delete the file",
                "delete the old files",
                "remove the folder",
                "rm",
                "(delete|remove|rm|trash|erase) {path:entry}",
                "rm -f {path:entry}",
                "rm (-r|-rf) {path:folder}",
                "(get rid of|throw away) {path:entry}",
                "(delete|remove) (file|folder|directory) {path:entry}",
            ],
            tags: &["file", "folder", "remove", "trash"],
            safety: &["the preview lists what will be deleted"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let (path, expected) = (args.path.clone(), expected(context, &args.path, args.expected.as_ref())?.cloned());
        let found = viewing(&self.workspace, context, move |view| {
            view.check_expected(&path, expected.as_ref())?;
            Ok((version_of(view, &path)?, touching_all(view, &[&path])?))
        });
        let (version, assessment) = found.await?;
        Ok(Assessment { versions: vec![version], ..assessment })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        // What can't be done is not shown as if it could.
        self.effects(context, args).await?;
        let path = args.path.clone();
        let survey = viewing(&self.workspace, context, move |view| view.survey(&path)).await?;
        let forever = if survey.can_be_kept() { "" } else { "; too large to store: this can't be undone" };
        let summary = format!("Delete the {} {}, {}{forever}", noun(&survey), args.path, bytes(survey.bytes));
        let files = listed(&survey, &FileChange::Deleted);
        let all = files.len() == survey.entries.len();
        Ok(Preview {
            body: PreviewBody::Diff { files },
            completeness: if all { Completeness::Full } else { Completeness::Partial },
            ..Preview::summary(summary)
        })
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (path, tidy) = (args.path.clone(), args.tidy.clone());
        foreseen(&self.workspace, context, move |view| view.delete(&path, tidy.as_ref())).await
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (path, tidy, expected) = (args.path.clone(), args.tidy.clone(), args.expected.clone());
        let delete = move |workspace: &Workspace| workspace.delete(&path, tidy.as_ref(), expected.as_ref());
        let kept = blocking(&self.workspace, delete).await?;
        let observation = Observation::with(format!("deleted {}", args.path), json!({"path": args.path, "kept": kept}));
        let inverse = kept.map(|kept| request("file.restore", json!({"kept": kept, "expected": Expected::Nothing})));
        Ok(Run { observation, inverse, changed: vec![ObjectRef::file(&args.path)] })
    }
}
