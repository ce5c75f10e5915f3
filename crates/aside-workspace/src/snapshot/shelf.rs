//! Where snapshots lie: a folder for each below Aside's own, with a manifest and the contents by hash.
#![expect(clippy::disallowed_methods, reason = "Aside's own folder, which no path of a workspace leads to")]

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use aside_core::{ActionId, Sha256, SnapshotId, Timestamp};

use super::{Snapshot, cut_off::Begun};
use crate::PRIVATE_FOLDER;

/// How long a command can be taken back.
pub const KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Bytes of all snapshots together.
pub const MOST_OF_ALL: u64 = 2 * 1024 * 1024 * 1024;

const MANIFEST: &str = "manifest.json";
/// What is known before the command runs; the manifest takes its place.
const BEGUN: &str = "begun.json";
/// The longest step of a file system's clock that is waited for, in milliseconds.
const LONGEST_STEP: u32 = 50;

/// One snapshot's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shelf(PathBuf);

fn all(workspace: &Path) -> PathBuf {
    workspace.join(PRIVATE_FOLDER).join("snapshots")
}

impl Shelf {
    /// Makes the folder.
    pub fn make(workspace: &Path, id: &SnapshotId) -> io::Result<Self> {
        let folder = all(workspace).join(id.as_str());
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        Ok(Self(folder))
    }

    /// When the folder was changed last, by the clock of the file system.
    pub fn made(&self) -> io::Result<(i64, i64)> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(&self.0)?;
        Ok((metadata.mtime(), metadata.mtime_nsec()))
    }

    /// Waits until the clock of the file system is past a time, since it goes in steps: what is made from then on is later.
    /// Where its steps are long, not for that.
    pub fn pass(&self, time: (i64, i64)) -> io::Result<()> {
        let tick = self.0.join("tick");
        for _ in 0..LONGEST_STEP {
            if self.made()? > time {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
            fs::write(&tick, [])?;
            fs::remove_file(&tick)?;
        }
        Ok(())
    }

    /// Opens a snapshot that is there.
    pub fn open(workspace: &Path, id: &SnapshotId) -> Option<(Self, Snapshot)> {
        let shelf = Self(all(workspace).join(id.as_str()));
        let snapshot = shelf.manifest()?;
        Some((shelf, snapshot))
    }

    fn manifest(&self) -> Option<Snapshot> {
        serde_json::from_slice(&fs::read(self.0.join(MANIFEST)).ok()?).ok()
    }

    /// Writes down for what it is, before the command runs.
    pub fn begin(&self, begun: &Begun) -> io::Result<()> {
        let draft = self.0.join("begun.draft");
        fs::write(&draft, serde_json::to_vec(begun).map_err(io::Error::other)?)?;
        fs::rename(draft, self.0.join(BEGUN))
    }

    /// Finds what was begun for an action, and the snapshot if that is there.
    pub fn of_action(workspace: &Path, action: &ActionId) -> Option<(Self, Option<Begun>, Option<Snapshot>)> {
        let shelves = fs::read_dir(all(workspace)).into_iter().flatten().flatten().map(|entry| Self(entry.path()));
        let mut found = shelves.map(|shelf| {
            let begun = fs::read(shelf.0.join(BEGUN)).ok().and_then(|text| serde_json::from_slice(&text).ok());
            let manifest = shelf.manifest();
            (shelf, begun, manifest)
        });
        found.find(|(_, begun, manifest)| {
            begun.as_ref().is_some_and(|begun: &Begun| begun.action == *action)
                || manifest.as_ref().is_some_and(|snapshot| snapshot.action.as_ref() == Some(action))
        })
    }

    /// Takes a copy over under the hash of its content. The file is linked, not moved: until the manifest is there, all
    /// of it can be done again.
    pub fn take_over(&self, copy: &Path, bytes: &[u8]) -> io::Result<Sha256> {
        let content = Sha256::of(bytes);
        let place = self.0.join(content.as_str());
        match fs::hard_link(copy, &place) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(content),
            // Some file systems have no links.
            Err(_) => self.put(bytes),
            Ok(()) => Ok(content),
        }
    }

    /// Keeps some bytes. Never writes into a file that is there, which may be a copy as well.
    pub fn put(&self, bytes: &[u8]) -> io::Result<Sha256> {
        let (content, draft) = (Sha256::of(bytes), self.0.join("draft"));
        fs::write(&draft, bytes)?;
        fs::rename(draft, self.0.join(content.as_str()))?;
        Ok(content)
    }

    /// Returns kept bytes, if they are what they were.
    pub fn get(&self, content: &Sha256) -> io::Result<Vec<u8>> {
        let bytes = fs::read(self.0.join(content.as_str()))?;
        if Sha256::of(&bytes) == *content { Ok(bytes) } else { Err(io::Error::other("a stored file is damaged")) }
    }

    /// Writes the manifest: from now on the snapshot is there.
    pub fn finish(&self, snapshot: &Snapshot) -> io::Result<()> {
        fs::write(self.0.join(MANIFEST), serde_json::to_vec(snapshot).map_err(io::Error::other)?)?;
        match fs::remove_file(self.0.join(BEGUN)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// How much is in it; what is shared with a file counts as well.
    fn bytes(&self) -> u64 {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten();
        files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
    }

    pub fn remove(self) {
        // What stays is looked at again at the next start.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes snapshots that are too old, those that are too much together, the oldest first, and what a crash left half
/// done.
pub(super) fn tidy(workspace: &Path, now: Timestamp) {
    let oldest = now.0 - i64::try_from(KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
    let mut kept = Vec::new();
    for entry in fs::read_dir(all(workspace)).into_iter().flatten().flatten() {
        let shelf = Shelf(entry.path());
        match shelf.manifest() {
            Some(snapshot) if snapshot.taken.0 >= oldest => kept.push((snapshot.taken, shelf.bytes(), shelf)),
            _ => shelf.remove(),
        }
    }
    kept.sort_by_key(|(taken, ..)| std::cmp::Reverse(*taken));
    let mut bytes = 0;
    for (_, size, shelf) in kept {
        bytes += size;
        if bytes > MOST_OF_ALL {
            shelf.remove();
        }
    }
}
