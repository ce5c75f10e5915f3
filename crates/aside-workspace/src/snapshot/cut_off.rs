//! A command that was cut off by the end of the server: the next start finds its copy and compares.

use aside_core::{ActionId, SnapshotId, WorkspacePath};
use aside_doc::{LiveContent, decode};
use serde::{Deserialize, Serialize};

use super::{
    Compared, Coverage, Snapshot, State, compare::kept_failed, copies::Copies, shelf::Shelf, take::Taken,
    touched::Since,
};
use crate::{
    Workspace, WorkspaceError,
    record::{self, DocumentRecord},
};

/// What is written down of a copy before the command runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begun {
    pub id: SnapshotId,
    pub action: ActionId,
    /// By the clock of the file system: seconds and nanoseconds.
    pub begun: (i64, i64),
    pub coverage: Coverage,
}

impl Taken {
    pub(super) fn as_begun(&self) -> Begun {
        let (id, action) = (self.id.clone(), self.action.clone());
        Begun { id, action, begun: self.since.begun, coverage: self.coverage.clone() }
    }
}

impl Workspace {
    /// Finds out what a command has changed whose server was killed, if its copy is still there: to be called before the
    /// next command, when no document is open. Waits until the command is gone. What others have changed since counts as
    /// the command's, except in files that were open in an editor.
    pub fn cut_off_snapshot(&self, action: &ActionId) -> Result<Option<Compared>, WorkspaceError> {
        self.processes().wait_for_the_last();
        match Shelf::of_action(self.folder(), action) {
            None => Ok(None),
            Some((.., Some(snapshot))) => Ok(Some(compared_before(snapshot))),
            Some((shelf, Some(begun), None)) => self.resumed(shelf, begun),
            Some((_, None, None)) => Ok(None),
        }
    }

    fn resumed(&self, shelf: Shelf, begun: Begun) -> Result<Option<Compared>, WorkspaceError> {
        let copies = Copies::open(self.folder()).map_err(kept_failed)?;
        let Begun { id, action, begun, coverage } = begun;
        let since = Since { begun, folders: None };
        if copies.entries().is_empty() {
            // The machine was started anew: there is nothing to compare with.
            let touched = Some(self.touched_since(&since)?);
            let (changes, put_back, not_put_back) = (Vec::new(), Vec::new(), Vec::new());
            return Ok(Some(Compared { snapshot: None, changes, touched, put_back, not_put_back }));
        }
        self.compare_snapshot(Taken { id, shelf, copies, action, since, documents: None, coverage }).map(Some)
    }

    /// Tells whether a file was open in an editor and its document has another text than before the command: from what
    /// is stored it can't be told whether that is the command's text or somebody's.
    pub(super) fn may_be_typed_into(&self, shelf: &Shelf, path: &WorkspacePath, before: Option<&State>) -> bool {
        let (Ok(Some(record)), Some(State::File { content, .. })) = (DocumentRecord::get(&self.store, path), before)
        else {
            return false;
        };
        let updates = self.store.read_bytes(&record::stream(&record.epoch)).ok();
        let base = record.base_text(&self.store).ok().flatten().unwrap_or_default();
        let live = updates.and_then(|updates| LiveContent::from_updates(&updates, &base, record.notebook).ok());
        let then = shelf.get(content).ok().and_then(|bytes| decode(&bytes).ok());
        !matches!((live, then), (Some(live), Some((then, _))) if *live.text() == *then)
    }
}

/// It was compared, and the server was killed before that was told.
fn compared_before(snapshot: Snapshot) -> Compared {
    let changes = snapshot.changes.clone();
    Compared { snapshot: Some(snapshot), changes, touched: None, put_back: Vec::new(), not_put_back: Vec::new() }
}
