//! `file.create`: a new file or folder.

use std::sync::Arc;

use aside_core::{
    ActionRequest, Assessment, Completeness, EffectScope, Effects, Failure, FileChange, FileDiff, Hunk, ObjectRef,
    Observation, Place, Preview, PreviewBody, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Placed, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{blocking, counted, foreseen, refuse_raw_notebook, touching, version_of, viewing},
    request,
};

/// Arguments of `file.create`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Where, relative to the workspace. Folders on the way are made.
    path: WorkspacePath,
    /// What is in the file; nothing if absent.
    #[serde(default)]
    text: Option<String>,
    /// Makes a folder instead of a file.
    #[serde(default)]
    folder: bool,
}

/// `file.create`.
pub(crate) struct FileCreate {
    pub workspace: Arc<Workspace>,
}

impl Action for FileCreate {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.create",
            summary: "Create a file or a folder",
            description: "Creates a new file with the given text, or a new folder. Refused if something is there.",
            preconditions: &["nothing is at the path"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Create a file", json!({"path": "data/units.csv", "text": "name,unit\n"})),
                ("Create a folder", json!({"path": "figures", "folder": true})),
            ],
            phrases: &["new file", "new folder", "create a file", "make a folder"],
            tags: &["file", "folder", "new", "mkdir", "touch"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if context.origin.is_model() && !args.folder {
            refuse_raw_notebook(&args.path)?;
        }
        let path = args.path.clone();
        let version = viewing(&self.workspace, context, move |view| version_of(view, &path)).await?;
        if version.version.is_some() {
            return Err(exists(&args.path));
        }
        Ok(Assessment {
            versions: vec![version],
            ..touching(&self.workspace.view(&context.would_be), &[&args.path], [])
        })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        // What can't be done is not shown as if it could.
        self.effects(context, args).await?;
        Ok(match args.folder {
            true => creation(&args.path, Vec::new(), "folder"),
            false => new_text(&args.path, args.text.as_deref().unwrap_or_default()),
        })
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (path, folder) = (args.path.clone(), args.folder);
        let text = args.text.clone().unwrap_or_default();
        foreseen(&self.workspace, context, move |view| match folder {
            true => view.create_folder(&path),
            false => view.create_file(&path, text.as_bytes()),
        })
        .await
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (path, folder) = (args.path.clone(), args.folder);
        let text = args.text.clone().unwrap_or_default();
        let placed = blocking(&self.workspace, move |workspace| match folder {
            true => workspace.create_folder(&path),
            false => workspace.create_file(&path, text.as_bytes()),
        })
        .await?;
        Ok(created(
            &args.path,
            &placed,
            Observation::with(format!("created {}", args.path), json!({"path": args.path})),
        ))
    }

    fn part(&self, args: &Args, _preview: &Preview, _part: u32) -> Result<Value, Failure> {
        // One part only: the file itself.
        Ok(json!({"path": args.path, "text": args.text, "folder": args.folder}))
    }
}

/// The answer when something is at the place.
pub(crate) fn exists(path: &WorkspacePath) -> Failure {
    Failure::new("exists", format!("`{path}` exists already")).hint("`doc.edit` changes it; or choose another name")
}

/// Shows a text file that would come, as one change.
pub(crate) fn new_text(path: &WorkspacePath, text: &str) -> Preview {
    let new: Vec<String> = text.lines().map(str::to_owned).collect();
    let note = format!("new file, {}", counted(new.len(), "line"));
    let hunk = Hunk {
        part: 0,
        start: 1,
        old: Vec::new(),
        new,
        before: Vec::new(),
        after: Vec::new(),
        confidence: aside_core::Confidence::Exact,
        anchor: None,
    };
    creation(path, if text.is_empty() { Vec::new() } else { vec![hunk] }, &note)
}

fn creation(path: &WorkspacePath, hunks: Vec<Hunk>, note: &str) -> Preview {
    let file =
        FileDiff { path: path.clone(), change: FileChange::Created, base: None, hunks, note: Some(note.to_owned()) };
    Preview {
        body: PreviewBody::Diff { files: vec![file] },
        completeness: Completeness::Full,
        ..Preview::summary(format!("Create {path}"))
    }
}

/// What a creation leaves behind: the way back takes the new folders away again, if nothing else is in them.
pub(crate) fn created(path: &WorkspacePath, placed: &Placed, observation: Observation) -> Run {
    let inverse: ActionRequest = request("file.delete", json!({"path": path, "tidy": placed.made_folder}));
    Run { observation, inverse: Some(inverse), changed: vec![ObjectRef::file(path)] }
}
