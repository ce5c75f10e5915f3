//! What is kept of a document between two starts of the server.

use std::collections::VecDeque;

use aside_core::{EpochId, MadeBy, Timestamp, Version, WorkspacePath};
use aside_doc::TextShape;
use aside_store::{Batch, Durability, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::WorkspaceError;

const KIND: &str = "document";

/// Documents with changes that their files do not have, by epoch.
const UNWRITTEN: &str = "unwritten_document";

/// Texts that were shown and are kept for each document.
pub(crate) const MOST_VERSIONS: usize = 64;

/// What is needed to find a document again; its changes are in the binary log of its epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DocumentRecord {
    pub path: WorkspacePath,
    pub epoch: EpochId,
    /// The text the file had when it was last read or written.
    pub base: Version,
    /// The text that was about to be written: if the file has it, it got there.
    pub writing: Option<Version>,
    pub shape: TextShape,
    /// The changes are those of a notebook's cells, not of a text.
    #[serde(default)]
    pub notebook: bool,
    pub versions: VecDeque<Version>,
    /// What has led to the text since a version of it was kept.
    #[serde(default)]
    pub made_by: Vec<MadeBy>,
    /// When it last changed.
    #[serde(default)]
    pub changed: Timestamp,
}

impl DocumentRecord {
    pub fn get(store: &Store, path: &WorkspacePath) -> Result<Option<Self>, WorkspaceError> {
        Ok(store.get(KIND, path.as_str())?)
    }

    pub fn put(&self, store: &Store) -> Result<(), WorkspaceError> {
        Ok(store.put(KIND, self.path.as_str(), None, self)?)
    }

    /// Writes the record together with the text it is based on, which takes the place of the one before.
    pub fn put_with_base(&self, store: &Store, base: &str) -> Result<(), WorkspaceError> {
        store.transaction(Durability::Normal, |transaction| {
            transaction.replace_bytes(&base_stream(&self.epoch), base.as_bytes())?;
            transaction.put(KIND, self.path.as_str(), None, self)
        })?;
        Ok(())
    }

    /// The text it is based on; none if it is lost.
    pub fn base_text(&self, store: &Store) -> Result<Option<String>, WorkspaceError> {
        let bytes = store.read_bytes(&base_stream(&self.epoch))?.concat();
        Ok(String::from_utf8(bytes).ok().filter(|text| Version::of(text) == self.base))
    }

    /// The records of a file, or of all files in a folder.
    pub fn within(store: &Store, path: &WorkspacePath) -> Result<Vec<Self>, WorkspaceError> {
        let all: Vec<Self> = store.list(KIND)?;
        Ok(all.into_iter().filter(|record| record.path.is_within(path)).collect())
    }

    /// The records of documents with changes that their files do not have.
    pub fn unwritten(store: &Store) -> Result<Vec<Self>, WorkspaceError> {
        let epochs: Vec<EpochId> = store.list(UNWRITTEN)?;
        let all: Vec<Self> = if epochs.is_empty() { Vec::new() } else { store.list(KIND)? };
        Ok(all.into_iter().filter(|record| epochs.contains(&record.epoch)).collect())
    }

    /// Forgets the document with all its changes.
    pub fn delete(&self, store: &Store) -> Result<(), WorkspaceError> {
        note_unwritten(store, &self.epoch, false)?;
        store.delete_bytes(&stream(&self.epoch))?;
        store.delete_bytes(&base_stream(&self.epoch))?;
        store.delete(KIND, self.path.as_str())?;
        Ok(())
    }

    /// Gives the document another path, in place of one that had it.
    pub fn relocate(mut self, store: &Store, to: WorkspacePath) -> Result<(), WorkspaceError> {
        if let Some(displaced) = Self::get(store, &to)?.filter(|displaced| displaced.epoch != self.epoch) {
            displaced.delete(store)?;
        }
        store.delete(KIND, self.path.as_str())?;
        self.path = to;
        self.put(store)
    }
}

/// Notes whether a document has changes that its file does not have.
pub(crate) fn note_unwritten(store: &Store, epoch: &EpochId, unwritten: bool) -> Result<(), StoreError> {
    let mut batch = Batch::default();
    if unwritten {
        batch.put(UNWRITTEN, epoch.as_str(), None, epoch)?;
    } else {
        batch.delete(UNWRITTEN, epoch.as_str());
    }
    store.write(Durability::Normal, batch).map(drop)
}

/// The log of a document's changes.
pub(crate) fn stream(epoch: &EpochId) -> String {
    format!("doc:{epoch}")
}

/// The text its file had; one piece, replaced each time.
fn base_stream(epoch: &EpochId) -> String {
    format!("base:{epoch}")
}
