//! A notebook becomes what it was: its cells and what they had put out. What its file says of itself, such as its kernel, stays.

use std::{
    collections::HashSet,
    sync::{Arc, MutexGuard},
};

use aside_core::{ActionId, MadeBy, Version};
use aside_doc::{CellChange, CellOutputs, Change, LiveNotebook, NotebookCell, cells_between};
use aside_notebook::CellKey;

use super::{Document, EditRefused, Inner};
use crate::{WorkspaceError, merge::back_to, room::DocumentFrame};

/// What going back would do.
#[derive(Clone, Debug)]
pub struct PlannedBack {
    /// The cells as they are now.
    pub before: Vec<NotebookCell>,
    /// The cells as they would be.
    pub after: Vec<NotebookCell>,
    /// Those under which something else would stand.
    pub outputs: HashSet<CellKey>,
}

/// A notebook that went back.
#[derive(Clone, Debug)]
pub struct BroughtBack {
    /// The version before; its text is kept.
    pub before: Version,
    /// The version after; its text is kept.
    pub after: Version,
    /// How many cells came, went, moved or are different.
    pub cells: usize,
}

impl Document {
    /// Says what going back to a text would do; with `since`, another one, to what changed between the two only.
    ///
    /// # Errors
    /// If it is no notebook, or one of the texts is none.
    pub fn plan_back(&self, then: &str, since: Option<&str>) -> Result<PlannedBack, EditRefused> {
        let inner = self.lock();
        let notebook = notebook_of(&inner)?;
        let (after, outputs) = planned(&inner, notebook, then, since)?;
        let outputs = outputs.into_iter().map(|run| run.key).collect();
        Ok(PlannedBack { before: notebook.document().cells(), after, outputs })
    }

    /// Goes back to a text in an action's name.
    ///
    /// # Errors
    /// If it is no notebook, or one of the texts is none.
    pub fn bring_back(
        self: &Arc<Self>,
        then: &str,
        since: Option<&str>,
        action: &ActionId,
        undoes: Option<&ActionId>,
    ) -> Result<BroughtBack, EditRefused> {
        let mut inner = self.lock();
        let (before, old) = (inner.content.version(), inner.content.text());
        let (after, outputs) = planned(&inner, notebook_of(&inner)?, then, since)?;
        let path = inner.path.clone();
        let notebook = inner.content.as_notebook_mut().expect("it was one a moment ago");
        let changes = cells_between(&notebook.document().cells(), &after);
        let changed = notebook.apply(&changes, action.as_str());
        let changed = changed.map_err(|error| EditRefused::Unfit { path, reason: error.into() })?;
        notebook.set_outputs(&outputs);
        self.respell(&mut inner);
        let cells = touched(&changes).chain(outputs.iter().map(|run| &run.key)).collect::<HashSet<_>>().len();
        let changes = (cells > 0).then_some(changed.change.as_slice());
        let after = self.has_acted(inner, (&before, &old), changes, action, undoes);
        Ok(BroughtBack { before, after, cells })
    }

    /// Tells everybody what an action has made of a notebook, if it has, and keeps it as it was and as it is. Returns the
    /// version that it is.
    pub(super) fn has_acted(
        self: &Arc<Self>,
        mut inner: MutexGuard<'_, Inner>,
        (before, old): (&Version, &Arc<str>),
        changes: Option<&[Change]>,
        action: &ActionId,
        undoes: Option<&ActionId>,
    ) -> Version {
        if let Some(changes) = changes {
            inner.edits += 1;
            let by = MadeBy::Action { action: action.clone(), undoes: undoes.cloned() };
            self.note_change(&mut inner, by, Some(Arc::clone(old)));
            changes.iter().for_each(|change| self.spread(&mut inner, change, None));
            self.has_changed(&mut inner);
            inner.room.send_others(None, DocumentFrame::Edited { action: action.clone(), undoes: undoes.cloned() });
        }
        let (after, text) = (inner.content.version(), inner.content.text());
        // The preview has shown what goes.
        inner.file.approved = Some(Arc::clone(&text));
        // As in `apply`: it has changed already.
        let kept = self.keep_version(&mut inner, before, old);
        if let Err(error) = kept.and_then(|()| self.keep_version(&mut inner, &after, &text)) {
            inner.file.problem = Some(error.failure());
        }
        self.announce(&inner);
        let path = inner.path.clone();
        drop(inner);
        self.tell_edited(path, action, undoes);
        after
    }
}

pub(super) fn notebook_of(inner: &Inner) -> Result<&LiveNotebook, EditRefused> {
    let reason = "it is open as text".to_owned();
    let no_notebook = || WorkspaceError::NotANotebook { path: inner.path.clone(), reason };
    Ok(inner.content.as_notebook().ok_or_else(no_notebook)?)
}

fn planned(
    inner: &Inner,
    notebook: &LiveNotebook,
    then: &str,
    since: Option<&str>,
) -> Result<(Vec<NotebookCell>, Vec<CellOutputs>), EditRefused> {
    back_to(notebook, then, since).map_err(|reason| EditRefused::Unfit { path: inner.path.clone(), reason })
}

fn touched(changes: &[CellChange]) -> impl Iterator<Item = &CellKey> {
    changes.iter().map(|change| match change {
        CellChange::Insert { cell, .. } => &cell.key,
        CellChange::Remove { key }
        | CellChange::Move { key, .. }
        | CellChange::Kind { key, .. }
        | CellChange::Source { key, .. }
        | CellChange::Metadata { key, .. } => key,
    })
}
