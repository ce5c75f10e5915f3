//! `file.list`: what is in a folder.

use std::{fmt::Write as _, sync::Arc};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{ListedEntry, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::files::{bytes, counted, touching, viewing};

/// Entries a single answer names.
const MOST_ENTRIES: usize = 500;

/// Arguments of `file.list`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The folder, relative to the workspace. Default: the top folder.
    #[serde(default)]
    folder: Option<String>,
}

impl Args {
    fn folder(&self) -> Result<Option<WorkspacePath>, Failure> {
        match self.folder.as_deref().map(|folder| folder.trim_start_matches("./").trim_end_matches('/')) {
            None | Some("" | ".") => Ok(None),
            Some(folder) => {
                WorkspacePath::new(folder).map(Some).map_err(|error| Failure::new("invalid_args", error.to_string()))
            }
        }
    }
}

/// `file.list`.
pub(crate) struct FileList {
    pub workspace: Arc<Workspace>,
}

#[derive(Serialize)]
struct Row {
    path: WorkspacePath,
    folder: bool,
    size: u64,
    ignored: bool,
    link: bool,
}

impl From<ListedEntry> for Row {
    fn from(entry: ListedEntry) -> Self {
        let ListedEntry { path, folder, size, ignored, link } = entry;
        Self { path, folder, size, ignored, link }
    }
}

impl Action for FileList {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.list",
            summary: "List the files in a folder",
            description: "Lists one folder of the workspace, folders first. Files that git ignores are marked.",
            preconditions: &["the folder exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![("List the top folder", json!({})), ("List a folder", json!({"folder": "src"}))],
            phrases: &[
                "list files",
                "show the folder",
                "what files are there",
                "ls",
                "ls [-l|-la]",
                "ls {folder:folder}",
                "(list|show|show me) [all] [my] files [here]",
                "(list|show|show me|give me) [all] [of] [a list of] files (in|inside|of|under|within) [folder|directory] {folder:folder}",
                "(what is|what's|what files are|which files are|what do we have|what do i have|what lies|what) (in|inside|under|within) [folder|directory] {folder:folder}",
                "(what|which) files (are there|do i have|are here|are in this folder|are in here)",
                "(what|which) files (are there|do i have) in {folder:folder}",
                "(list|show|show me) (folder|directory|contents of|content of) [folder] {folder:folder}",
                "list {folder:folder}",
                "what does [folder] {folder:folder} contain",
            ],
            tags: &["file", "folder", "directory", "explorer"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let folder = args.folder()?;
        Ok(touching(&self.workspace.view(&context.would_be), folder.iter().collect::<Vec<_>>().as_slice(), []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(match args.folder()? {
            Some(folder) => format!("List {folder}"),
            None => "List the workspace".to_owned(),
        }))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let folder = args.folder()?;
        let named = folder.clone();
        let workspace = self.workspace.clone();
        let (entries, total, outside) = viewing(&self.workspace, context, move |view| {
            let mut entries = view.list(named.as_ref())?;
            let total = entries.len();
            entries.truncate(MOST_ENTRIES);
            let outside = workspace.outside_name(&entries)?;
            Ok((entries, total, outside))
        })
        .await?;
        let shown = folder.map_or_else(|| "the workspace".to_owned(), |folder| format!("{folder}/"));
        let mut text = format!("{shown}: {}", counted(total, "item"));
        for entry in &entries {
            let size = if entry.folder { "/".to_owned() } else { format!("  {}", bytes(entry.size)) };
            let mark = if entry.ignored { "  (ignored by git)" } else { "" };
            write!(text, "\n{}{size}{mark}", entry.path).expect("writing to a string does not fail");
        }
        if total > entries.len() {
            write!(text, "\n… and {} more", total - entries.len()).expect("writing to a string does not fail");
        }
        let rows: Vec<Row> = entries.into_iter().map(Row::from).collect();
        let observation = Observation::with(text, json!({"entries": rows, "total": total}));
        Ok(Run::observed(match outside {
            Some(source) => observation.from_source(source),
            None => observation,
        }))
    }
}
