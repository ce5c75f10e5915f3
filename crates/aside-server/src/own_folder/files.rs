//! What is on record of the files that everything else is in: which files they are, and how far the audit had come when
//! that was noted. Another file in the place of one, or one whose audit never was there, is somebody else's work, or a
//! backup: neither is used without the person's word.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use aside_store::{DataFolder, Store, StoreError};
use serde::{Deserialize, Serialize};

use super::{
    NotOurs, failed,
    record::{self, Identity},
};

/// The database, with the audit in it, and what it does not have yet.
const FILES: [&str; 2] = ["aside.db", "aside.journal"];

/// What is on record of them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Files {
    is: BTreeMap<String, Identity>,
    /// Entries of the audit.
    entries: u64,
    /// The hash of the last of these.
    hash: String,
}

/// The folder of a server that runs, and where it is on record.
#[derive(Debug)]
pub struct Watched {
    folder: PathBuf,
    data: DataFolder,
}

/// Returns the first file that is another one than when it was noted.
pub(super) fn replaced(folder: &Path, data: &DataFolder) -> io::Result<Option<PathBuf>> {
    let Some(files) = record::files(data, folder)? else { return Ok(None) };
    for (name, noted) in files.is {
        let path = folder.join(&name);
        match path.symlink_metadata() {
            Ok(found) if Identity::of(&found) == noted => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => return Ok(Some(path)),
        }
    }
    Ok(None)
}

impl Watched {
    /// A folder that was found to be the person's.
    pub fn new(folder: &Path, data: &DataFolder) -> Self {
        Self { folder: folder.to_owned(), data: data.clone() }
    }

    /// Makes sure that the audit still has what it had, and notes what is there now.
    pub fn check(&self, store: &Store) -> Result<(), NotOurs> {
        let noted = record::files(&self.data, &self.folder).map_err(failed(&self.folder))?.unwrap_or_default();
        if noted.entries > 0 {
            let there = store.chain_read(noted.entries - 1, 1).map_err(|error| self.unreadable(&error))?;
            if there.first().is_none_or(|entry| entry.hash.as_str() != noted.hash) {
                return Err(NotOurs::Replaced(self.folder.join(FILES[0])));
            }
        }
        self.note(store)
    }

    /// Notes which files there are, and how far the audit has come.
    pub fn note(&self, store: &Store) -> Result<(), NotOurs> {
        let head = store.chain_head().map_err(|error| self.unreadable(&error))?;
        let found = |name: &str| self.folder.join(name).symlink_metadata().ok();
        let is = FILES.iter().filter_map(|name| Some(((*name).to_owned(), Identity::of(&found(name)?)))).collect();
        // What is cut off already, and was taken as it is, says nothing the next time.
        let last = head.count.checked_sub(1).map(|before| store.chain_read(before, 1)).transpose();
        let last = last.map_err(|error| self.unreadable(&error))?.unwrap_or_default();
        let whole = last.first().is_some_and(|entry| entry.hash == head.hash);
        let entries = if whole { head.count } else { 0 };
        let files = Files { is, entries, hash: head.hash.to_string() };
        record::note(&self.data, &self.folder, files)
            .map_err(|source| NotOurs::Record { folder: self.folder.clone(), source })
    }

    fn unreadable(&self, error: &StoreError) -> NotOurs {
        NotOurs::Io { path: self.folder.clone(), source: io::Error::other(error.to_string()) }
    }
}
