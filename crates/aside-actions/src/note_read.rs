//! `note.read`: notes with their text, tags, todos and links.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_notes::{NoteFacts, Vault};
use aside_workspace::{Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{counted, touching},
    known_notes::{MOST_READ, MOST_TOLD, with_notes},
    trimmed::trimmed,
};

/// Arguments of `note.read`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notes.
    #[schemars(length(min = 1, max = 100))]
    notes: Vec<Wanted>,
    /// Name the lines of other notes that link to each. Default: false.
    #[serde(default)]
    backlinks: bool,
}

/// A note to read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// The file, relative to the workspace.
    path: WorkspacePath,
}

/// `note.read`.
pub(crate) struct NoteRead {
    pub workspace: Arc<Workspace>,
}

impl Action for NoteRead {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "note.read",
            summary: "Read notes with their tags, todos and links",
            description: "Returns each note's text and version, its title, aliases, tags, todos (with line, text, state \
                and dates) and links with the files that they lead to, as they are in open editors now. A note that \
                can't be read has an `error` in its place. With `backlinks`, also the lines of other notes that link to it.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Read a note", json!({"notes": [{"path": "notes/ideas.md"}]})),
                ("Read a note and the links to it", json!({"notes": [{"path": "notes/ideas.md"}], "backlinks": true})),
            ],
            phrases: &["read the note", "what links to this note"],
            tags: &["note", "markdown", "backlinks", "tags", "links"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let paths: Vec<_> = args.notes.iter().map(|wanted| &wanted.path).collect();
        Ok(touching(&self.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Read {}", names(args))))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (wanted, name) = (args.clone(), names(args));
        let read = with_notes(&self.workspace, move |workspace, vault| {
            let all: Vec<_> = wanted.notes.iter().map(|one| workspace.fresh_note(&one.path).map(drop)).collect();
            if all.iter().all(Result::is_err)
                && let Some(Err(error)) = all.into_iter().next()
            {
                return Err(error);
            }
            let shown = |one: &Wanted| shown(workspace, vault, &one.path, wanted.backlinks);
            Ok(wanted.notes.iter().map(shown).collect::<Vec<_>>())
        });
        let data = json!({"notes": read.await?});
        let told = trimmed(data.clone(), MOST_TOLD);
        Ok(Run::observed(Observation::with(format!("Read {name}:\n{told}"), trimmed(data, MOST_READ))))
    }
}

fn names(args: &Args) -> String {
    match &args.notes[..] {
        [one] => one.path.to_string(),
        many => counted(many.len(), "note"),
    }
}

fn shown(workspace: &Arc<Workspace>, vault: &Vault, path: &WorkspacePath, backlinks: bool) -> Value {
    let error = |error: WorkspaceError| json!({"path": path, "error": Failure::from(error).message});
    let (note, text) = match workspace.fresh_note(path) {
        Ok(found) => found,
        Err(found) => return error(found),
    };
    let facts = NoteFacts::of(vault, &note, text.as_deref().unwrap_or_default());
    let mut value = serde_json::to_value(facts).expect("facts are JSON");
    value["path"] = json!(path);
    if !backlinks && let Some(fields) = value.as_object_mut() {
        fields.remove("backlinks");
    }
    if !note.not_utf8 {
        match workspace.document(path).and_then(|document| document.show()) {
            Ok((version, text)) => {
                value["version"] = json!(version);
                value["text"] = json!(&*text);
            }
            Err(found) => return error(found),
        }
    }
    value
}
