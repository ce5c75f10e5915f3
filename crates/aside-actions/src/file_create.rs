//! `file.create`: a new file or folder.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{blocking, foreseen, refuse_raw_notebook},
    placing::{assess_new, created, creation, new_text},
};

/// Arguments of `file.create`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The new path, relative to the workspace. Missing folders are created.
    path: WorkspacePath,
    /// The file's text. Default: empty.
    #[serde(default)]
    text: Option<String>,
    /// Creates a folder instead of a file.
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
            summary: "Create a file or folder",
            description: "Creates a file with the given text, or a folder. Fails if the path exists.",
            preconditions: &["nothing exists at the path"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Create a file", json!({"path": "data/units.csv", "text": "name,unit\n"})),
                ("Create a folder", json!({"path": "figures", "folder": true})),
            ],
            phrases: &[
                "new file",
                "new folder",
                "create a file",
                "make a folder",
                "touch",
                "(create|make|add|new|start) [a|an] [new] [empty] [text] file [called|named|with the name|with name] {path:new_file}",
                "(create|make|add|new|start) [a|an] [new] [empty] [text] file [called|named] {path:new_file} (in|inside|under|within) [folder|directory] {path:into}",
                "(create|make|add|new|start) [a|an] [new] [empty] [text] file (in|inside|under) [folder|directory] {path:into} (called|named) {path:new_file}",
                "(create|touch|new) {path:new_file}",
                "create {path:new_file} (in|inside|under|within) [folder|directory] {path:into}",
                "(create|make|add|new) [a|an] [new] (folder|directory|subfolder) [called|named|with the name|with name] {path:new_folder} => folder=true",
                "(create|make|add|new) [a|an] [new] (folder|directory|subfolder) [called|named] {path:new_folder} (in|inside|under|within) [folder|directory] {path:into} => folder=true",
                "(create|make|add|new) [a|an] [new] (folder|directory|subfolder) (in|inside|under|within) [folder|directory] {path:into} (called|named) {path:new_folder} => folder=true",
                "(create|make|add) [a|the] [new] {path:new_folder} (folder|directory) => folder=true",
                "mkdir [-p] {path:new_folder} => folder=true",
            ],
            tags: &["file", "folder", "new", "mkdir"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if context.origin.is_model() && !args.folder {
            refuse_raw_notebook(&args.path)?;
        }
        assess_new(&self.workspace, context, &args.path).await
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

    fn parts(&self, args: &Args, _preview: &Preview, _parts: &[u32]) -> Result<Value, Failure> {
        // One part only: the file itself.
        Ok(json!({"path": args.path, "text": args.text, "folder": args.folder}))
    }
}
