//! Versions of documents: a text is kept when something takes its place, and is there until it is thinned out.
//!
//! ```text
//! kept_version  ID (owner: PATH) -> { path, version }      version:ID -> the text
//! ```

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
};

use aside_core::{KeptVersion, KeptVersionId, MadeBy, Timestamp, Version, WorkspacePath};
use aside_store::{Durability, Store};
use serde::{Deserialize, Serialize};

use crate::{Workspace, WorkspaceError};

const KIND: &str = "kept_version";

const SECOND: i64 = 1_000;
const HOUR: i64 = 60 * 60 * SECOND;
const DAY: i64 = 24 * HOUR;

/// Typing and running that pauses for no longer goes on with the same version …
const PAUSE: i64 = 60 * SECOND;
/// … for so long at most: what a person loses by going back is no more than they remember.
const LONGEST: i64 = 10 * 60 * SECOND;

/// Every version is kept for a day …
const ALL_FOR: i64 = DAY;
/// … the last one of each hour for as long as what a command changed can be taken back …
const HOURLY_FOR: i64 = 7 * DAY;
/// … and the last one of each day for a month.
const DAILY_FOR: i64 = 30 * DAY;
/// Versions of one document; more can't be looked through.
const MOST: usize = 500;
/// Bytes of all versions of one document, but for the latest, which is kept however long it is.
const MOST_BYTES: u64 = 64 << 20;

/// What has led to a document's text, and texts that were replaced and are not written down yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lineage {
    /// Since a version was kept.
    pub made_by: Vec<MadeBy>,
    /// When the text last changed.
    pub changed: Timestamp,
    begun: Timestamp,
    pub replaced: VecDeque<Replaced>,
}

/// A text that something else took the place of.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    at: Timestamp,
    kept: Timestamp,
    text: Arc<str>,
    made_by: Vec<MadeBy>,
}

#[derive(Serialize, Deserialize)]
struct VersionRecord {
    path: WorkspacePath,
    version: KeptVersion,
}

impl Lineage {
    /// Of a file that is opened for the first time.
    pub fn found(now: Timestamp) -> Self {
        Self::of(vec![MadeBy::Found], now)
    }

    /// Of a document that was known.
    pub fn of(made_by: Vec<MadeBy>, changed: Timestamp) -> Self {
        Self { made_by, changed, begun: changed, replaced: VecDeque::new() }
    }

    /// Notes a change; `before` is the text that it replaces, if that is known. Tells whether that is to be written down.
    pub fn note(&mut self, by: MadeBy, before: Option<Arc<str>>, now: Timestamp) -> bool {
        let is_by_hand = |by: &MadeBy| matches!(by, MadeBy::Typing | MadeBy::Run);
        let goes_on = is_by_hand(&by)
            && self.made_by.iter().all(is_by_hand)
            && now.0 - self.changed.0 < PAUSE
            && now.0 - self.begun.0 < LONGEST;
        let replaced = before.filter(|_| !goes_on);
        let is_replaced = replaced.is_some();
        if let Some(text) = replaced {
            self.replace(text, now);
            self.made_by.clear();
            self.begun = now;
        }
        if !self.made_by.contains(&by) {
            self.made_by.push(by);
        }
        self.changed = now;
        is_replaced
    }

    /// Has a text written down that was there until now.
    pub fn replace(&mut self, text: Arc<str>, now: Timestamp) {
        let made_by = self.made_by.clone();
        self.replaced.push_back(Replaced { at: self.changed, kept: now, text, made_by });
    }
}

impl Workspace {
    /// Returns the versions that are kept of a document, the latest first; also of a file that is gone.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn versions(&self, path: &WorkspacePath) -> Result<Vec<KeptVersion>, WorkspaceError> {
        let path = self.real_path(path).unwrap_or_else(|_| path.clone());
        let mut list = match self.open_document(&path) {
            Some(document) => document.keep_replaced()?,
            None => of(&self.store, &path)?,
        };
        list.reverse();
        Ok(list)
    }

    /// Returns the text of a version: one that is kept, or one that an action refers to by the whole version of its text.
    ///
    /// # Errors
    /// If there is none.
    pub fn version_text(&self, path: &WorkspacePath, version: &str) -> Result<String, WorkspaceError> {
        let known = self.versions(path)?.into_iter().find(|kept| kept.id.as_str() == version);
        let bytes = match (known, Version::parse(version)) {
            (Some(kept), _) => Some(self.store.read_bytes(&stream(&kept.id))?.concat()),
            (None, Some(version)) => self.store.get_blob(&version)?,
            (None, None) => None,
        };
        let lost = || WorkspaceError::NoVersion { path: path.clone(), version: version.chars().take(80).collect() };
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(lost)
    }
}

/// The versions that are kept, oldest first.
pub(crate) fn of(store: &Store, path: &WorkspacePath) -> Result<Vec<KeptVersion>, WorkspaceError> {
    let records: Vec<VersionRecord> = store.list_owned(KIND, path.as_str())?;
    Ok(records.into_iter().map(|record| record.version).collect())
}

/// Keeps a text, unless it is that of the latest version, and thins out the others.
pub(crate) fn keep(
    store: &Store,
    path: &WorkspacePath,
    list: &mut Vec<KeptVersion>,
    replaced: Replaced,
) -> Result<(), WorkspaceError> {
    let Replaced { at, kept, text, made_by } = replaced;
    let version = Version::of(text.as_bytes());
    if list.last().is_some_and(|last| last.version == version) {
        return Ok(());
    }
    let new = KeptVersion { id: store.new_id(), at, version, bytes: text.len() as u64, made_by };
    let record = VersionRecord { path: path.clone(), version: new.clone() };
    list.push(new);
    let too_many = thinned(list, kept);
    store.transaction(Durability::Normal, |transaction| {
        transaction.append_bytes(&stream(&record.version.id), text.as_bytes())?;
        transaction.put(KIND, record.version.id.as_str(), Some(path.as_str()), &record)?;
        too_many.iter().try_for_each(|id| {
            transaction.delete_bytes(&stream(id))?;
            transaction.delete(KIND, id.as_str()).map(drop)
        })
    })?;
    list.retain(|version| !too_many.contains(&version.id));
    Ok(())
}

/// Has the versions of a file, or of all files in a folder, follow it.
pub(crate) fn carry(
    store: &Store,
    from: &WorkspacePath,
    moved: impl Fn(&WorkspacePath) -> WorkspacePath,
) -> Result<(), WorkspaceError> {
    let all: Vec<VersionRecord> = store.list(KIND)?;
    for record in all.into_iter().filter(|record| record.path.is_within(from)) {
        let record = VersionRecord { path: moved(&record.path), ..record };
        store.put(KIND, record.version.id.as_str(), Some(record.path.as_str()), &record)?;
    }
    Ok(())
}

/// Says which of the versions, oldest first, are to go.
fn thinned(list: &[KeptVersion], now: Timestamp) -> Vec<KeptVersionId> {
    let Some((latest, others)) = list.split_last() else { return Vec::new() };
    let mut spans = HashSet::new();
    if let Kept::LastOf(span) = Kept::at(latest.at, now) {
        spans.insert(span);
    }
    let (mut bytes, mut count, mut gone) = (latest.bytes, 1, Vec::new());
    for version in others.iter().rev() {
        let is_last_of_span = match Kept::at(version.at, now) {
            Kept::Each => true,
            Kept::LastOf(span) => spans.insert(span),
            Kept::Not => false,
        };
        if is_last_of_span && count < MOST && bytes + version.bytes <= MOST_BYTES {
            bytes += version.bytes;
            count += 1;
        } else {
            gone.push(version.id.clone());
        }
    }
    gone
}

/// What is kept of a time.
enum Kept {
    Each,
    /// The last one of this hour or day: its length, and which.
    LastOf((i64, i64)),
    Not,
}

impl Kept {
    fn at(at: Timestamp, now: Timestamp) -> Self {
        let age = now.0 - at.0;
        if age < ALL_FOR {
            Self::Each
        } else if age < HOURLY_FOR {
            Self::LastOf((HOUR, at.0 / HOUR))
        } else if age < DAILY_FOR {
            Self::LastOf((DAY, at.0 / DAY))
        } else {
            Self::Not
        }
    }
}

fn stream(id: &KeptVersionId) -> String {
    format!("version:{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<Arc<str>> {
        Some(text.into())
    }

    fn texts(lineage: &Lineage) -> Vec<(&str, usize)> {
        lineage.replaced.iter().map(|replaced| (&*replaced.text, replaced.made_by.len())).collect()
    }

    #[test]
    fn a_pause_ends_a_version_and_so_does_what_is_not_typed() {
        let at = |seconds: i64| Timestamp(seconds * SECOND);
        let mut lineage = Lineage::found(at(0));
        assert!(lineage.note(MadeBy::Typing, text("found"), at(1)));
        assert!(!lineage.note(MadeBy::Typing, text("a"), at(30)) && !lineage.note(MadeBy::Run, text("b"), at(80)));
        assert!(lineage.note(MadeBy::Typing, text("typed and run"), at(140)));
        assert!(lineage.note(MadeBy::Disk, text("typed"), at(141)));
        assert!(!lineage.note(MadeBy::Typing, None, at(142)), "what is in no file is not known");
        assert_eq!(texts(&lineage), [("found", 1), ("typed and run", 2), ("typed", 1)]);
        for second in (142..142 + 2 * LONGEST / SECOND).step_by(30) {
            lineage.note(MadeBy::Typing, text("on and on"), at(second));
        }
        assert_eq!(lineage.replaced.len(), 3 + 2, "from the first key, and after the longest");
    }

    #[test]
    fn all_are_kept_for_a_day_then_one_an_hour_then_one_a_day() {
        let now = Timestamp(100 * DAY);
        let half_hours = 2 * 24 * 40;
        let version = |at: i64| KeptVersion {
            id: aside_core::Id::from_parts(Timestamp(at), 0),
            at: Timestamp(at),
            version: Version::of("x"),
            bytes: 1,
            made_by: Vec::new(),
        };
        let list: Vec<KeptVersion> = (0..half_hours).rev().map(|ago| version(now.0 - ago * HOUR / 2)).collect();
        let left = list.len() - thinned(&list, now).len();
        assert_eq!(left, 2 * 24 + (6 * 24 + 1) + (23 + 1), "at a border of spans an hour or a day begins");
        assert!(thinned(&[version(0)], now).is_empty(), "the latest is kept for ever");
        let long = |at: i64| KeptVersion { bytes: MOST_BYTES, ..version(at) };
        assert_eq!(thinned(&[version(now.0 - 2), long(now.0 - 1), version(now.0)], now).len(), 1);
        let many: Vec<KeptVersion> = (0..2 * MOST as i64).map(|at| version(now.0 + at)).collect();
        assert_eq!(thinned(&many, now).len(), MOST);
    }
}
