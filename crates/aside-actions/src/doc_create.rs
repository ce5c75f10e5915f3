//! `doc.create`: a new text document.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath,
};
use aside_doc::{Lines, text_guards, to_lf};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{blocking, counted, foreseen, refuse_raw_notebook},
    placing::{assess_new, created, new_text},
};

/// Arguments of `doc.create`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The new file, relative to the workspace. Missing folders are created.
    path: WorkspacePath,
    /// The whole text.
    text: String,
}

/// `doc.create`.
pub(crate) struct DocCreate {
    pub workspace: Arc<Workspace>,
}

impl Action for DocCreate {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "doc.create",
            summary: "Create a new text document",
            description: "Creates a text file with the given text and opens it as a document for editing. Fails if \
                the path exists: `doc.edit` changes an existing file.",
            preconditions: &["nothing exists at the path"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Create a note", json!({"path": "notes/plan.md", "text": "# Plan\n\n- [ ] measure\n"}))],
            phrases: &["new document", "write a new file"],
            tags: &["document", "text", "new", "write"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        refuse_raw_notebook(&args.path)?;
        assess_new(&self.workspace, context, &args.path).await
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        // What can't be done is not shown as if it could.
        self.effects(context, args).await?;
        let text = to_lf(&args.text);
        Ok(Preview { warnings: text_guards(Some(args.path.name()), &text), ..new_text(&args.path, &text) })
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (path, text) = (args.path.clone(), to_lf(&args.text));
        foreseen(&self.workspace, context, move |view| view.create_document(&path, &text)).await
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (path, text) = (args.path.clone(), to_lf(&args.text));
        let create = move |workspace: &Workspace| workspace.create_document(&path, &text);
        let (placed, version, text) = blocking(&self.workspace, create).await?;
        let lines = counted(Lines::new(&text).len(), "line");
        let words = format!("created {}, {lines}, version {}", args.path, version.short());
        let data = json!({"path": args.path, "version": version});
        Ok(created(&args.path, &placed, Observation::with(words, data)))
    }

    fn parts(&self, args: &Args, _preview: &Preview, _parts: &[u32]) -> Result<Value, Failure> {
        // One part only: the document itself.
        Ok(json!({"path": args.path, "text": args.text}))
    }
}
