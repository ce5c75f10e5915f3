//! The steps of a change of notes: made one after the other, and all taken back if one fails.

use std::sync::Arc;

use aside_core::{ActionId, Failure, ObjectRef, Sha256, WorkspacePath};
use aside_doc::AnchoredEdit;
use aside_workspace::{Existing, Expected, Word, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doc_edit::{self, EditArgs};

/// One step of a change of notes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum NoteStep {
    /// Lines of a note become others.
    Edit {
        /// The note.
        path: WorkspacePath,
        /// The version that the lines are counted in.
        base: String,
        /// The changes.
        edits: Vec<EditArgs>,
    },
    /// A new note.
    Create {
        /// Its path.
        path: WorkspacePath,
        /// Its text.
        text: String,
    },
    /// A note goes.
    Delete {
        /// Its path.
        path: WorkspacePath,
        /// A folder above that goes too, with those between, if they are empty then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tidy: Option<WorkspacePath>,
        /// The version that it has to have.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        expected: Option<Expected>,
    },
    /// A deleted note comes back.
    Restore {
        /// Its handle.
        kept: String,
    },
    /// A note gets another path.
    Move {
        /// The path before.
        from: WorkspacePath,
        /// The path after.
        to: WorkspacePath,
        /// A folder above `from` that goes too, with those between, if they are empty then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tidy: Option<WorkspacePath>,
    },
}

impl NoteStep {
    /// Returns the paths that it touches.
    pub(crate) fn paths(&self) -> Vec<&WorkspacePath> {
        match self {
            Self::Edit { path, .. } | Self::Create { path, .. } | Self::Delete { path, .. } => vec![path],
            Self::Move { from, to, .. } => vec![from, to],
            Self::Restore { .. } => Vec::new(),
        }
    }
}

/// The way back from some steps, and what they changed.
#[derive(Debug, Default)]
pub(crate) struct StepsDone {
    /// The steps that take them back, in order.
    pub back: Vec<NoteStep>,
    pub changed: Vec<ObjectRef>,
    /// Remarks, such as a change that is not on disk yet.
    pub remarks: Vec<String>,
}

/// Makes all steps, or none.
pub(crate) fn run_steps(
    workspace: &Arc<Workspace>,
    steps: &[NoteStep],
    (action, undoes): (&ActionId, Option<&ActionId>),
) -> Result<StepsDone, Failure> {
    let mut done = StepsDone::default();
    for step in steps {
        match run(workspace, step, (action, undoes), &mut done) {
            Ok(Some(back)) => done.back.insert(0, back),
            Ok(None) => {}
            Err(failure) => return Err(taken_back(workspace, &done, action, failure)),
        }
        done.changed.extend(step.paths().into_iter().map(ObjectRef::file));
    }
    Ok(done)
}

/// Names the file of a failure, among many files.
fn named(path: &WorkspacePath, failure: Failure) -> Failure {
    if failure.message.contains(path.as_str()) {
        return failure;
    }
    Failure { message: format!("`{path}`: {}", failure.message), ..failure }
}

fn taken_back(workspace: &Arc<Workspace>, done: &StepsDone, action: &ActionId, failure: Failure) -> Failure {
    let mut ignored = StepsDone::default();
    let mut left = Vec::new();
    for step in &done.back {
        if let Err(error) = run(workspace, step, (action, Some(action)), &mut ignored) {
            tracing::warn!(%error, "could not take back a step of a change that failed");
            left.extend(step.paths().into_iter().map(ToString::to_string));
        }
    }
    let end = match left.is_empty() {
        true => "nothing was changed".to_owned(),
        false => format!("these could not be taken back: {}", left.join(", ")),
    };
    Failure { message: format!("{}; {end}", failure.message), ..failure }
}

/// Makes one step; returns the step that takes it back, if it changed anything.
fn run(
    workspace: &Arc<Workspace>,
    step: &NoteStep,
    (action, undoes): (&ActionId, Option<&ActionId>),
    done: &mut StepsDone,
) -> Result<Option<NoteStep>, Failure> {
    Ok(match step {
        NoteStep::Edit { path, base, edits } => {
            let document = workspace.document(path)?;
            let edits: Vec<AnchoredEdit> = edits.iter().map(AnchoredEdit::from).collect();
            let applied = document.apply(Some(base.as_str()), &edits, action, undoes);
            let applied = applied.map_err(|refused| named(path, doc_edit::failure(refused)))?;
            if applied.inverse.is_empty() {
                return Ok(None);
            }
            let after = applied.after;
            match workspace.save(&document, Word::NotGiven) {
                Ok(()) => {}
                Err(error @ WorkspaceError::Held { .. }) => {
                    done.remarks.push(format!("Not on disk yet: {}.", error.failure().message));
                }
                Err(error) => {
                    let back = document.apply(Some(after.as_str()), &applied.inverse, action, Some(action));
                    let _ = back.is_ok_and(|_| workspace.save(&document, Word::NotGiven).is_ok());
                    return Err(error.failure());
                }
            }
            let edits = applied.inverse.into_iter().map(EditArgs::from).collect();
            Some(NoteStep::Edit { path: path.clone(), base: after.to_string(), edits })
        }
        NoteStep::Create { path, text } => {
            let (placed, ..) = workspace.create_document(path, text)?;
            Some(NoteStep::Delete { path: path.clone(), tidy: placed.made_folder, expected: placed.left })
        }
        NoteStep::Delete { path, tidy, expected } => {
            let kept = workspace.delete(path, tidy.as_ref(), expected.as_ref())?;
            if kept.is_none() {
                done.remarks.push(format!("`{path}` was too large to be kept for undo."));
            }
            kept.map(|kept| NoteStep::Restore { kept: kept.to_string() })
        }
        NoteStep::Restore { kept } => {
            let id =
                Sha256::parse(kept).ok_or_else(|| Failure::new("invalid_args", format!("`{kept}` is no handle")))?;
            let path = workspace.kept(&id)?.path;
            let placed = workspace.restore(&id, Some(&Expected::Nothing))?;
            done.changed.push(ObjectRef::file(&path));
            Some(NoteStep::Delete { path, tidy: placed.made_folder, expected: placed.left })
        }
        NoteStep::Move { from, to, tidy } => {
            let placed = workspace.move_entry(from, to, Existing::Refuse, tidy.as_ref(), None)?;
            Some(NoteStep::Move { from: to.clone(), to: from.clone(), tidy: placed.made_folder })
        }
    })
}
