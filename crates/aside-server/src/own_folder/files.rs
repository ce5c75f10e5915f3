//! What is on record of the files that everything else is in: which files they are, how far the audit had come when that
//! was noted, and, from the end of a server to the next start, that nobody writes to them. Another file in the place of
//! one, one that was written to meanwhile, or one whose audit never was there, is somebody else's work, or a backup: none
//! of them is used without the person's word.
//!
//! After a kill nobody has said how they ended. What is known is when the server lived last, within a minute: what was
//! written to well after that was written by somebody else. What was within that time is told only if it is another file, or
//! an audit that misses what was noted.

use std::{
    collections::BTreeMap,
    fs::Metadata,
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use aside_store::{DataFolder, Store, StoreError};
use serde::{Deserialize, Serialize};

use super::{
    NotOurs, failed,
    record::{self, Identity},
};

/// The database, with the audit in it, and what it does not have yet.
const FILES: [&str; 2] = ["aside.db", "aside.journal"];

/// What SQLite reads beside the database if it is there, and takes for changes of it.
const BESIDE: [&str; 2] = ["aside.db-wal", "aside.db-journal"];

/// How often a server says that it lives.
pub const SAID_EVERY: Duration = Duration::from_secs(60);
/// Seconds after that word in which it may have written, and a machine that is busy or was asleep not have said it again.
const LIVES_ON: i64 = 180;

/// What is on record of them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Files {
    is: BTreeMap<String, Identity>,
    /// The position of the audit's last entry; 0 if there is none.
    entries: u64,
    /// The hash of that one.
    hash: String,
    /// How they are while no server runs; none while one does, or if it was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<BTreeMap<String, Written>>,
    /// When a server that had not ended said last that it lives, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lived: Option<i64>,
}

/// What changes with every write to a file, whatever time the writer gives it: bytes, and when anything about it changed,
/// in seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Written(u64, i64, i64);

/// The folder of a server that runs, and where it is on record.
#[derive(Debug)]
pub struct Watched {
    folder: PathBuf,
    data: DataFolder,
    /// It has ended: its last word is said.
    ended: Mutex<bool>,
}

/// Returns the first file that is another one than when it was noted, or was written to while no server ran.
pub(super) fn replaced(folder: &Path, data: &DataFolder) -> io::Result<Option<PathBuf>> {
    let Some(files) = record::files(data, folder)? else { return Ok(None) };
    for (name, noted) in &files.is {
        if !found(folder, name)?.is_some_and(|found| Identity::of(&found) == *noted) {
            return Ok(Some(folder.join(name)));
        }
    }
    let Some(rest) = &files.rest else { return written_after_its_end(folder, &files) };
    let now = at_rest(folder)?;
    let changed = FILES.into_iter().chain(BESIDE).find(|name| now.get(*name) != rest.get(*name));
    let Some(changed) = changed else { return Ok(None) };
    // A server that started meanwhile has said so before it touched them.
    let noted = record::files(data, folder)?.and_then(|files| files.rest);
    Ok((noted.as_ref() == Some(rest)).then(|| folder.join(changed)))
}

/// The first file that was written to when the server that was killed can't have done it.
fn written_after_its_end(folder: &Path, files: &Files) -> io::Result<Option<PathBuf>> {
    let Some(lived) = files.lived else { return Ok(None) };
    let late = |(name, Written(_, seconds, _))| (seconds > lived + LIVES_ON).then(|| folder.join(name));
    Ok(at_rest(folder)?.into_iter().find_map(late))
}

impl Watched {
    /// A folder that was found to be the person's. To be said before its store is opened: from here on files change.
    pub fn begin(folder: &Path, data: &DataFolder) -> Result<Self, NotOurs> {
        let watched = Self { folder: folder.to_owned(), data: data.clone(), ended: Mutex::default() };
        let noted = record::files(data, folder).map_err(failed(folder))?;
        if let Some(files) = noted.filter(|files| files.rest.is_some()) {
            watched.put(Files { rest: None, lived: Some(now()), ..files })?;
        }
        Ok(watched)
    }

    /// Says that the server lives. To be said every minute: what is written later than that is somebody else's.
    pub fn says_it_lives(&self) -> Result<(), NotOurs> {
        let ended = self.ended();
        match record::files(&self.data, &self.folder).map_err(failed(&self.folder))? {
            Some(files) if !*ended => self.put(Files { lived: Some(now()), ..files }),
            _ => Ok(()),
        }
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
        self.note(store, None)
    }

    /// Lets the store rest, and notes how it is left.
    pub fn end(&self, store: &Store) -> Result<(), NotOurs> {
        let mut ended = self.ended();
        *ended = true;
        store.rest().map_err(|error| self.unreadable(&error))?;
        let rest = at_rest(&self.folder).map_err(failed(&self.folder))?;
        self.note(store, Some(rest))
    }

    /// Notes which files there are, and how far the audit has come.
    fn note(&self, store: &Store, rest: Option<BTreeMap<String, Written>>) -> Result<(), NotOurs> {
        let mut is = BTreeMap::new();
        for name in FILES {
            let found = found(&self.folder, name).map_err(failed(&self.folder))?;
            is.extend(found.map(|found| (name.to_owned(), Identity::of(&found))));
        }
        // Not the head of the audit, which may know of entries that were cut off.
        let last = store.chain_end().map_err(|error| self.unreadable(&error))?;
        let (entries, hash) = last.map_or_else(Default::default, |last| (last.seq, last.hash.to_string()));
        let lived = rest.is_none().then(now);
        self.put(Files { is, entries, hash, rest, lived })
    }

    fn ended(&self) -> MutexGuard<'_, bool> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, files: Files) -> Result<(), NotOurs> {
        record::note(&self.data, &self.folder, files)
            .map_err(|source| NotOurs::Record { folder: self.folder.clone(), source })
    }

    fn unreadable(&self, error: &StoreError) -> NotOurs {
        NotOurs::Io { path: self.folder.clone(), source: io::Error::other(error.to_string()) }
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// How the files are. An empty one says as much as none: SQLite leaves one behind, or does not.
fn at_rest(folder: &Path) -> io::Result<BTreeMap<String, Written>> {
    let mut all = BTreeMap::new();
    for name in FILES.into_iter().chain(BESIDE) {
        let found = found(folder, name)?.filter(|found| found.size() > 0);
        all.extend(found.map(|found| (name.to_owned(), Written(found.size(), found.ctime(), found.ctime_nsec()))));
    }
    Ok(all)
}

fn found(folder: &Path, name: &str) -> io::Result<Option<Metadata>> {
    match folder.join(name).symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
