//! `file.restore`: puts back what was deleted or overwritten.

use std::sync::Arc;

use aside_core::{
    Assessment, Completeness, EffectScope, Effects, Failure, FileChange, Observation, Place, Preview, PreviewBody,
    Risk, Sha256, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Expected, Kept, KeptWhat, Survey, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, foreseen, listed, noun, touching, version_of, viewing},
    placing::{created, with_overwrite},
};

/// Arguments of `file.restore`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The handle of the stored content, as the action that removed it returned it.
    kept: String,
    /// The version that has to be at the path, of the file's bytes, or `nothing`; otherwise nothing is restored. Used by
    /// undo.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    expected: Option<Expected>,
}

/// `file.restore`.
pub(crate) struct FileRestore {
    pub workspace: Arc<Workspace>,
}

impl FileRestore {
    async fn kept(&self, args: &Args) -> Result<(Sha256, Kept), Failure> {
        let id = Sha256::parse(&args.kept)
            .ok_or_else(|| Failure::from(WorkspaceError::NotKept(args.kept.chars().take(80).collect())))?;
        let wanted = id.clone();
        let kept = blocking(&self.workspace, move |workspace| workspace.kept(&wanted)).await?;
        Ok((id, kept))
    }
}

impl Action for FileRestore {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.restore",
            summary: "Restore a deleted or overwritten file or folder",
            description: "Restores content that `file.delete` or an overwrite removed. A file now at that path is \
                overwritten and stored in turn.",
            preconditions: &["the content is still stored"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Restore a file",
                json!({"kept": "051765f42de5419074051102ea63b821700037fed59ea2edde679c2cc5573dfd"}),
            )],
            phrases: &["restore the file", "bring it back", "bring back what I deleted", "undelete"],
            tags: &["file", "folder", "undelete", "trash"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let (_, kept) = self.kept(args).await?;
        let (path, expected) = (kept.path.clone(), expected(context, args));
        let found = viewing(&self.workspace, context, move |view| {
            view.check_expected(&path, expected.as_ref())?;
            version_of(view, &path)
        });
        let version = found.await?;
        let there = version.version.is_some();
        let paths: Vec<_> = kept.entries.iter().map(|entry| &entry.path).collect();
        let assessment = touching(&self.workspace.view(&context.would_be), &paths, []);
        Ok(with_overwrite(Assessment { versions: vec![version], ..assessment }, there))
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        // What can't be done is not shown as if it could.
        self.effects(context, args).await?;
        let (_, kept) = self.kept(args).await?;
        let size = |what: &KeptWhat| if let KeptWhat::File { size, .. } = what { *size } else { 0 };
        let bytes = kept.entries.iter().map(|entry| size(&entry.what)).sum();
        let survey = Survey { entries: kept.entries, bytes };
        Ok(Preview {
            body: PreviewBody::Diff { files: listed(&survey, &FileChange::Created) },
            completeness: Completeness::Full,
            ..Preview::summary(format!("Restore the {} {}", noun(&survey), kept.path))
        })
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (id, _) = self.kept(args).await?;
        foreseen(&self.workspace, context, move |view| view.restore(&id)).await
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (id, kept) = self.kept(args).await?;
        let expected = expected(context, args);
        let restore = move |workspace: &Workspace| workspace.restore(&id, expected.as_ref());
        let placed = blocking(&self.workspace, restore).await?;
        let observation = Observation::with(format!("restored {}", kept.path), json!({"path": kept.path}));
        Ok(created(&kept.path, &placed, observation))
    }
}

/// The state that the place has to be in. An undo that was recorded before it named one overwrites nothing.
fn expected(context: &ActionContext, args: &Args) -> Option<Expected> {
    args.expected.clone().or_else(|| context.undoes.is_some().then_some(Expected::Nothing))
}
