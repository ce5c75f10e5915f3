//! `note.edit`: changes some lines of a note, as `doc.edit` does.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Effects, Failure, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    doc_edit::{self, DocEdit, EditArgs},
    notes::is_note,
};

/// Arguments of `note.edit`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The note, relative to the workspace.
    path: WorkspacePath,
    /// The version that was read. Line numbers refer to this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    /// The changes. All are made, or none.
    #[schemars(length(min = 1))]
    edits: Vec<EditArgs>,
}

/// `note.edit`.
pub(crate) struct NoteEdit {
    edit: DocEdit,
}

impl NoteEdit {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        Self { edit: DocEdit { workspace } }
    }
}

impl Args {
    /// The same as arguments of `doc.edit`.
    fn of_doc(&self) -> Result<doc_edit::Args, Failure> {
        if !is_note(&self.path) {
            let failure = Failure::new("not_a_note", format!("`{}` is no note", self.path));
            return Err(failure.hint("`doc.edit` changes other texts"));
        }
        Ok(doc_edit::Args::new(self.path.clone(), self.base.clone(), self.edits.clone()))
    }
}

impl Action for NoteEdit {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "note.edit",
            summary: "Edit lines of a note",
            description: "Replaces, inserts or deletes whole lines of a note, its front matter included. Read the note \
                first, give its version as `base`, and copy `old` exactly. All edits of one call are made, or none. \
                Text typed since then is kept.",
            examples: vec![(
                "Insert a line",
                json!({"path": "README.md", "edits": [{"start": 1, "old": "", "new": "Draft of May.\n"}]}),
            )],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            preconditions: &["the note exists and is UTF-8 text"],
            phrases: &["edit the note", "change a line of my note"],
            tags: &["note", "text", "change", "insert", "delete"],
            safety: &["The preview shows the exact lines.", "Undo keeps later changes."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.edit.assess(context, &args.of_doc()?).await
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        self.edit.preview(context, &args.of_doc()?).await
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        self.edit.effects(context, &args.of_doc()?).await
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        self.edit.run(context, &args.of_doc()?).await
    }

    fn parts(&self, _args: &Args, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let (file, edits) = doc_edit::edits_of(preview, parts)?;
        Ok(json!({"path": file.path, "base": file.base, "edits": edits}))
    }

    fn again(&self, args: &Value) -> Value {
        self.edit.again(args)
    }
}
