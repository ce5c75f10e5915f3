//! What is kept of a document between two starts of the server.

use std::collections::VecDeque;

use aside_core::{EpochId, Version, WorkspacePath};
use aside_doc::TextShape;
use aside_store::{Durability, Store};
use serde::{Deserialize, Serialize};

use crate::WorkspaceError;

const KIND: &str = "document";

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
    pub versions: VecDeque<Version>,
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

    /// Forgets the document with all its changes.
    pub fn delete(&self, store: &Store) -> Result<(), WorkspaceError> {
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

/// The log of a document's changes.
pub(crate) fn stream(epoch: &EpochId) -> String {
    format!("doc:{epoch}")
}

/// The text its file had; one piece, replaced each time.
fn base_stream(epoch: &EpochId) -> String {
    format!("base:{epoch}")
}
