//! Anchored edits of the live text: planned for showing, planned again and made in one step.

use std::{ops::Range, sync::Arc};

use aside_core::{ActionId, Guard, HunkAnchor, MadeBy, Version, Warning, WorkspacePath};
use aside_doc::{AnchoredEdit, BaseText, Plan, Report, TextShape, Unfit, encode, guards, invert, plan};
use aside_notebook::NotebookError;

use super::{Document, Inner};
use crate::{WorkspaceError, WorkspaceEvent, room::DocumentFrame};

/// Why edits were not made; nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum EditRefused {
    /// The version the edits refer to was never shown, or is forgotten by now.
    #[error("version `{version}` of `{path}` is unknown")]
    UnknownBase {
        /// The document.
        path: WorkspacePath,
        /// The version that was named.
        version: String,
    },
    /// At least one edit has no place in the text.
    #[error("{} of the edits can't be placed", .0.failed.len())]
    NotPlaced(Box<Report>),
    /// A notebook would be none any more.
    #[error("cannot change `{path}`: {reason}")]
    Unfit {
        /// The document.
        path: WorkspacePath,
        /// Why not.
        reason: Unfit,
    },
    /// The workspace refused.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

/// What edits would do to the text as it is now.
#[derive(Clone, Debug)]
pub struct PlannedEdit {
    /// Where the file is.
    pub path: WorkspacePath,
    /// The version it is planned for.
    pub version: Version,
    /// The text of that version.
    pub text: Arc<str>,
    /// How its file spells it.
    pub shape: TextShape,
    /// The changes.
    pub plan: Plan,
    /// For each hunk, where it is in the live text.
    pub anchors: Vec<Option<HunkAnchor>>,
    /// Reasons to look twice.
    pub warnings: Vec<Warning>,
}

/// Edits that were made.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The version they were made on.
    pub before: Version,
    /// The version they led to; its text is kept.
    pub after: Version,
    /// What became of each edit.
    pub report: Report,
    /// How many places changed.
    pub hunks: usize,
    /// The edits of version `after` that take them back; empty if nothing had to change.
    pub inverse: Vec<AnchoredEdit>,
}

impl Document {
    /// Says what edits would do, and keeps the version they are planned for.
    pub fn plan(&self, base: Option<&str>, edits: &[AnchoredEdit]) -> Result<PlannedEdit, EditRefused> {
        let mut inner = self.lock();
        let planned = self.plan_locked(&inner, base, edits)?;
        self.keep_version(&mut inner, &planned.version, &planned.text)?;
        Ok(planned)
    }

    /// Makes edits as one change, in an action's name. What they take away, they may: the guards that
    /// warn of it ask a person before an action runs.
    pub fn apply(
        self: &Arc<Self>,
        base: Option<&str>,
        edits: &[AnchoredEdit],
        action: &ActionId,
        undoes: Option<&ActionId>,
    ) -> Result<Applied, EditRefused> {
        let mut inner = self.lock();
        let planned = self.plan_locked(&inner, base, edits)?;
        let before = planned.version.clone();
        let inverse = invert(&planned.plan, &planned.text);
        let mut report = planned.plan.report;
        let path = inner.path.clone();
        let unfit = |reason| EditRefused::Unfit { path, reason };
        let changes = inner.content.apply(&planned.plan.splices, action.as_str()).map_err(unfit)?;
        if !planned.plan.splices.is_empty() {
            inner.edits += 1;
            let by = MadeBy::Action { action: action.clone(), undoes: undoes.cloned() };
            self.note_change(&mut inner, by, Some(Arc::clone(&planned.text)));
            for change in &changes {
                self.spread(&mut inner, change, None);
            }
            self.has_changed(&mut inner);
            inner.room.send_others(None, DocumentFrame::Edited { action: action.clone(), undoes: undoes.cloned() });
        }
        let (after, text) = (inner.content.version(), inner.content.text());
        if planned.warnings.iter().any(|warning| takes_away(warning.guard)) {
            inner.file.approved = Some(Arc::clone(&text));
        }
        // The text has changed already, so a store that takes no more is a problem, not a refusal.
        let kept = self.keep_version(&mut inner, &before, &planned.text);
        if let Err(error) = kept.and_then(|()| self.keep_version(&mut inner, &after, &text)) {
            inner.file.problem = Some(error.failure());
        }
        self.announce(&inner);
        let path = inner.path.clone();
        drop(inner);
        // Nobody may be listening.
        let _ =
            self.events.send(WorkspaceEvent::DocumentEdited { path, action: action.clone(), undoes: undoes.cloned() });
        report.hash_after = Some(after.clone());
        Ok(Applied { before, after, report, hunks: planned.plan.hunks.len(), inverse })
    }

    fn plan_locked(
        &self,
        inner: &Inner,
        base: Option<&str>,
        edits: &[AnchoredEdit],
    ) -> Result<PlannedEdit, EditRefused> {
        let (version, text) = (inner.content.version(), inner.content.text());
        let seen = match base {
            Some(base) => Some(
                self.text_at_locked(inner, base)?
                    .ok_or_else(|| EditRefused::UnknownBase { path: inner.path.clone(), version: base.to_owned() })?,
            ),
            None => None,
        };
        let seen = seen.as_ref().map(|(version, text)| BaseText { version: version.clone(), text });
        let shown = (version, text, inner.file.shape.clone());
        let planned = planned(inner.path.clone(), shown, seen.as_ref(), edits, |bytes| inner.content.anchor(bytes))?;
        if let Some(notebook) = inner.content.as_notebook() {
            let unfit = |reason: NotebookError| EditRefused::Unfit { path: inner.path.clone(), reason: reason.into() };
            notebook.read(&planned.plan.text_after(&planned.text)).map_err(unfit)?;
        }
        Ok(planned)
    }
}

impl PlannedEdit {
    /// Returns the bytes that the file would have.
    pub fn bytes_after(&self) -> Vec<u8> {
        encode(&self.plan.text_after(&self.text), &self.shape)
    }
}

/// Plans edits of a text, which is the version of a document and spelled in its file as the shape says.
pub(crate) fn planned(
    path: WorkspacePath,
    (version, text, shape): (Version, Arc<str>, TextShape),
    seen: Option<&BaseText<'_>>,
    edits: &[AnchoredEdit],
    anchor: impl Fn(Range<usize>) -> Option<HunkAnchor>,
) -> Result<PlannedEdit, EditRefused> {
    let plan = plan(&text, &version, seen, edits).map_err(|report| EditRefused::NotPlaced(Box::new(report)))?;
    let anchors = plan.hunks.iter().map(|hunk| anchor(hunk.bytes.clone())).collect();
    let warnings = guards(Some(path.name()), &text, &plan);
    Ok(PlannedEdit { path, version, text, shape, plan, anchors, warnings })
}

/// For a text that is in no live document.
pub(crate) fn without_anchors(_bytes: Range<usize>) -> Option<HunkAnchor> {
    None
}

fn takes_away(guard: Guard) -> bool {
    matches!(guard, Guard::LargeDeletion | Guard::Emptying | Guard::WholeFile)
}
