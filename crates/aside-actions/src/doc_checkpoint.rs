//! `doc.checkpoint`: writes a document to its file now, with a person's word where one is needed.

use std::sync::Arc;

use aside_core::{
    Assessment, ChangeRow, EffectScope, Failure, ObjectRef, ObjectVersion, Observation, Place, Preview, PreviewBody,
    Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{MOST_TEXT, Word, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, counted, touching},
    placing::way_back,
};

/// Arguments of `doc.checkpoint`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// The user confirms that the file may become empty or much shorter, or be created again after it was deleted.
    #[serde(default)]
    allow_shrink: bool,
    /// The user confirms that the document replaces a file that another program made unreadable as this notebook or
    /// text. The replaced version is stored.
    #[serde(default)]
    write_over: bool,
    /// The user confirms that a notebook of an older format is saved in the newest one. The old file is stored.
    #[serde(default)]
    upgrade: bool,
}

/// `doc.checkpoint`.
pub(crate) struct DocCheckpoint {
    pub workspace: Arc<Workspace>,
}

impl Action for DocCheckpoint {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "doc.checkpoint",
            summary: "Save a document to its file now",
            description: "Documents are saved automatically soon after each change; this saves one at once. \
                `allow_shrink` confirms a save that makes the file empty or much shorter, or creates a deleted file \
                again. `write_over` confirms a save over a file that another program made unreadable. `upgrade` \
                saves a notebook of nbformat 1, 2 or 3 as nbformat 4.5, which has to happen before it can be changed.",
            preconditions: &["the document is open"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Save a document", json!({"path": "src/model.py"})),
                ("Replace a file that another program broke", json!({"path": "tides.ipynb", "write_over": true})),
                ("Upgrade an old notebook", json!({"path": "old.ipynb", "upgrade": true})),
            ],
            phrases: &[
                "save the file",
                "write to disk",
                "save",
                "save [the|this|my|current] [open] (file|document|notebook|script|tab|note|it|changes|work) [now|to disk] => path={file}",
                "save (this|now|to disk) [now] => path={file}",
                "save => path={file}",
                "save [changes to|changes in] {path:file} [now|to disk]",
                "write {path:file} to disk",
                "write (this|it|this file|the file) to disk => path={file}",
                "upgrade the notebook",
                "convert the notebook to the new format",
            ],
            tags: &["document", "save", "checkpoint", "file", "nbformat"],
            safety: &[
                "with `allow_shrink`, the longer file is replaced",
                "with `write_over`, the other program's version is replaced; undo restores only that one",
            ],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let path = args.path.clone();
        let found = blocking(&self.workspace, move |workspace| {
            let document = workspace.document_or_gone(&path)?;
            Ok((document.path(), document.version(), document.state().borrow().older_format))
        });
        let (path, version, older) = found.await?;
        if args.upgrade && older.is_none() {
            return Err(not_older(&args.path));
        }
        let versions = vec![ObjectVersion { object: ObjectRef::file(&path), version: Some(version) }];
        // Without a person's word it is what comes by itself a moment later.
        let risk = if args.allow_shrink || args.write_over || args.upgrade { Risk::Destructive } else { Risk::Write };
        Ok(Assessment { versions, ..touching(&self.workspace.view(&context.would_be), &[&args.path], [risk]) })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let path = args.path.clone();
        let (before, after, older) = blocking(&self.workspace, move |workspace| {
            let document = workspace.document_or_gone(&path)?;
            let older = document.state().borrow().older_format;
            let on_disk = workspace.read_file(&document.path(), MOST_TEXT).ok();
            let lines = |bytes: &[u8]| counted(String::from_utf8_lossy(bytes).lines().count(), "line");
            Ok((on_disk.map(|bytes| lines(&bytes)), lines(document.text().as_bytes()), older))
        })
        .await?;
        // Of an upgrade only the format is known before it is done.
        let (before, after) = match older.filter(|_| args.upgrade) {
            Some(older) => (Some(format!("nbformat {older}")), "nbformat 4.5".to_owned()),
            None => (before, after),
        };
        let row = ChangeRow { object: args.path.to_string(), before, after: Some(after) };
        Ok(Preview {
            body: PreviewBody::Changes { rows: vec![row] },
            ..Preview::summary(match args.write_over {
                true => format!("Save {} over a file that can't be read as this document", args.path),
                false if args.upgrade => format!("Upgrade {} to nbformat 4.5", args.path),
                false => format!("Save {} to its file", args.path),
            })
        })
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        if args.write_over {
            let path = args.path.clone();
            let written = blocking(&self.workspace, move |workspace| {
                let document = workspace.document_or_gone(&path)?;
                workspace.write_over(&document)
            });
            let inverse = written.await?.filter(|placed| placed.overwritten.is_some());
            let inverse = inverse.map(|placed| way_back(&args.path, &placed));
            let observation = Observation::with(format!("saved {}", args.path), json!({"path": args.path}));
            return Ok(Run { observation, inverse, changed: vec![ObjectRef::file(&args.path)] });
        }
        if args.upgrade {
            return self.upgrade(args).await;
        }
        let (path, word) = (args.path.clone(), word(args));
        blocking(&self.workspace, move |workspace| workspace.save(&workspace.document_or_gone(&path)?, word)).await?;
        let observation = Observation::with(format!("saved {}", args.path), json!({"path": args.path}));
        Ok(Run { observation, inverse: None, changed: vec![ObjectRef::file(&args.path)] })
    }
}

impl DocCheckpoint {
    async fn upgrade(&self, args: &Args) -> Result<Run, Failure> {
        let (path, word) = (args.path.clone(), word(args));
        let upgraded = blocking(&self.workspace, move |workspace| {
            workspace.upgrade_notebook(&workspace.document_or_gone(&path)?, word)
        });
        let placed = upgraded.await?.ok_or_else(|| not_older(&args.path))?;
        let inverse = placed.overwritten.is_some().then(|| way_back(&args.path, &placed));
        let text = format!("upgraded {} to nbformat 4.5", args.path);
        let observation = Observation::with(text, json!({"path": args.path}));
        Ok(Run { observation, inverse, changed: vec![ObjectRef::file(&args.path)] })
    }
}

fn word(args: &Args) -> Word {
    if args.allow_shrink { Word::Given } else { Word::NotGiven }
}

fn not_older(path: &WorkspacePath) -> Failure {
    Failure::new("not_older", format!("`{path}` is not a notebook of an older format"))
        .hint("`doc.checkpoint` without `upgrade` saves it")
}
