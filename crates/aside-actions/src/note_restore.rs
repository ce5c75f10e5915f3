//! `note.restore`: takes a change of notes back, step by step, all or nothing.

use std::sync::Arc;

use aside_core::{
    Assessment, Completeness, EffectScope, Effects, Failure, FileEffect, NoteRow, ObjectRef, ObjectVersion,
    Observation, Place, Preview, PreviewBody, Risk, UndoSupport, Version, WorkspacePath, WouldBe,
};
use aside_gate::{Action, ActionContext, Declaration, Run, all_or_nothing, waiting};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{counted, touching, version_of},
    notes::{NoteStep, effects_of, row, run_steps},
    request,
};

/// Arguments of `note.restore`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The steps, in order. All are made, or none.
    #[schemars(length(min = 1))]
    steps: Vec<NoteStep>,
}

/// `note.restore`.
pub(crate) struct NoteRestore {
    pub workspace: Arc<Workspace>,
}

/// The steps over the files as they are: rows, effects and versions.
struct Foreseen {
    rows: Vec<NoteRow>,
    effects: Vec<FileEffect>,
    versions: Vec<ObjectVersion>,
    paths: Vec<WorkspacePath>,
}

impl NoteRestore {
    async fn foreseen(&self, context: &ActionContext, args: &Args) -> Result<Foreseen, Failure> {
        let (workspace, would_be, steps) = (self.workspace.clone(), context.would_be.clone(), args.steps.clone());
        waiting(move || foreseen(&workspace, &would_be, &steps)).await.map_err(|error| error.failure())?
    }
}

fn foreseen(workspace: &Workspace, would_be: &WouldBe, steps: &[NoteStep]) -> Result<Foreseen, Failure> {
    let view = workspace.view(would_be);
    let mut seen = Foreseen { rows: Vec::new(), effects: Vec::new(), versions: Vec::new(), paths: Vec::new() };
    let mut after = would_be.clone();
    for step in steps {
        let effects = effects_of(&view.of(&after), step)?;
        after.apply(&effects);
        let mut paths: Vec<WorkspacePath> = step.paths().into_iter().cloned().collect();
        if let NoteStep::Restore { kept } = step
            && let Some(kept) = Version::parse(kept)
        {
            paths.push(workspace.kept(&kept)?.path);
        }
        for path in &paths {
            seen.versions.push(version_of(&view, path)?);
        }
        if let Some(path) = paths.first() {
            seen.rows.push(shown(step, path));
        }
        seen.effects.extend(effects);
        seen.paths.extend(paths);
    }
    Ok(seen)
}

fn shown(step: &NoteStep, path: &WorkspacePath) -> NoteRow {
    let lines = |words: Vec<&str>| Some(words.join("\n")).filter(|words| !words.is_empty());
    match step {
        NoteStep::Edit { edits, .. } => {
            let old = lines(edits.iter().filter_map(|edit| edit.old.as_deref()).collect());
            let new = lines(edits.iter().map(|edit| &*edit.new).collect());
            row(0, path, "text", old.as_deref(), new.as_deref())
        }
        NoteStep::Create { text, .. } => row(0, path, "note", None, Some(text)),
        NoteStep::Delete { .. } => row(0, path, "note", Some("the note"), None),
        NoteStep::Restore { .. } => row(0, path, "note", None, Some("the note as it was")),
        NoteStep::Move { from, to, .. } => row(0, from, "path", Some(from.as_str()), Some(to.as_str())),
    }
}

impl Action for NoteRestore {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "note.restore",
            summary: "Restore notes and texts as they were before an action",
            description: "Takes a change of notes or of several texts back: line by line, and files as they were. Used by \
                undo.",
            preconditions: &["the lines and files to restore are as the action left them"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Move a note back",
                json!({"steps": [{"kind": "move", "from": "Projects/Boats.md", "to": "Boats.md"}]}),
            )],
            phrases: &["restore notes", "take a change of notes back"],
            tags: &["note", "undo", "restore"],
            safety: &["All steps are made, or none.", "Lines that somebody typed since stay."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let seen = self.foreseen(context, args).await?;
        let targets: Vec<_> = seen.paths.iter().collect();
        let view = self.workspace.view(&context.would_be);
        Ok(Assessment { versions: seen.versions, ..touching(&view, &targets, []) })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let seen = self.foreseen(context, args).await?;
        Ok(Preview {
            body: PreviewBody::Rows { rows: seen.rows },
            completeness: Completeness::Full,
            ..Preview::summary(format!("Restore {}", counted(args.steps.len(), "change")))
        })
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        Ok(Effects::Known(self.foreseen(context, args).await?.effects))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (workspace, steps) = (self.workspace.clone(), args.steps.clone());
        let (id, undoes) = (context.id.clone(), context.undoes.clone());
        let work = move || run_steps(&workspace, &steps, (&id, undoes.as_ref()));
        let done = waiting(work).await.map_err(|error| error.failure())??;
        let mut words = vec![format!("Restored {}.", counted(args.steps.len(), "change"))];
        words.extend(done.remarks);
        let changed: Vec<ObjectRef> = done.changed;
        let observation = Observation::with(words.join("\n"), json!({"steps": args.steps.len()}));
        let inverse = request("note.restore", json!({"steps": done.back}));
        Ok(Run { observation, inverse: (!done.back.is_empty()).then_some(inverse), changed })
    }

    fn parts(&self, _args: &Args, _preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        Err(all_or_nothing(parts))
    }
}
