//! One copy of each file, kept from command to command: before the next one, only what has changed is copied.
//!
//! ```text
//! take     same stamp as when it was copied? its copy stays : it is copied anew; then the index is written
//! compare  the copy of a file that the command changed is linked into the snapshot, under its hash
//! ```
//!
//! The index is on disk before a command starts, so that the way back survives a killed server. It does not outlive the
//! machine's start: after a power cut nobody knows which copies got to the disk.
#![expect(clippy::disallowed_methods, reason = "Aside's own folder, which no path of a workspace leads to")]

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, DirBuilder, File},
    io::{self, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    time::SystemTime,
};

use aside_core::WorkspacePath;
use serde::{Deserialize, Serialize};

use super::{
    shelf::KEPT_FOR,
    take::{Stamp, Was},
};
use crate::{EntryKind, PRIVATE_FOLDER};

const INDEX: &str = "index.json";

/// The copies of a workspace.
#[derive(Debug)]
pub(super) struct Copies {
    folder: PathBuf,
    index: Index,
    /// Files that were copied since it was opened.
    copied: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    /// The start of the machine that it belongs to.
    start: String,
    /// The number of the next copy.
    next: u64,
    entries: BTreeMap<WorkspacePath, Was>,
}

impl Copies {
    /// Opens the copies; without any if there are none that can be relied on.
    pub fn open(workspace: &Path) -> io::Result<Self> {
        let folder = folder(workspace);
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let start = start_of_machine();
        let index = read_index(&folder).filter(|index| index.start == start);
        let index = match index {
            Some(index) => index,
            None => {
                fs::remove_dir_all(&folder)?;
                DirBuilder::new().mode(0o700).create(&folder)?;
                Index { start, ..Index::default() }
            }
        };
        Ok(Self { folder, index, copied: 0 })
    }

    /// What was copied last.
    pub fn entries(&self) -> &BTreeMap<WorkspacePath, Was> {
        &self.index.entries
    }

    /// Returns the number of the copy of a file that is still what it was.
    pub fn still_good(&self, path: &WorkspacePath, stamp: &Stamp) -> Option<u64> {
        let was = self.index.entries.get(path)?;
        was.copy.filter(|_| was.kind == EntryKind::File && was.settled && was.stamp == *stamp)
    }

    /// A file for a new copy, and its number.
    pub fn create(&mut self) -> io::Result<(u64, File)> {
        let number = self.index.next;
        self.index.next += 1;
        self.copied += 1;
        // A crash may have left one before the index was written. Nothing else names it.
        let _ = fs::remove_file(self.path(number));
        Ok((number, File::options().read(true).write(true).create_new(true).open(self.path(number))?))
    }

    /// Takes a new copy away of which nothing came.
    pub fn forget(&mut self, number: u64) -> io::Result<()> {
        self.copied -= 1;
        fs::remove_file(self.path(number))
    }

    /// Writes down what the copies are of, and removes those of nothing.
    pub fn keep(&mut self, entries: BTreeMap<WorkspacePath, Was>) -> io::Result<()> {
        if self.copied == 0 && self.index.entries == entries {
            return Ok(());
        }
        let named: HashSet<u64> = entries.values().filter_map(|was| was.copy).collect();
        let before = std::mem::replace(&mut self.index.entries, entries);
        let text = serde_json::to_vec(&self.index).map_err(io::Error::other)?;
        let draft = self.folder.join("index.draft");
        fs::write(&draft, text)?;
        fs::rename(draft, self.folder.join(INDEX))?;
        for number in before.values().filter_map(|was| was.copy).filter(|number| !named.contains(number)) {
            // What stays is in nobody's way, and goes with the rest.
            let _ = fs::remove_file(self.path(number));
        }
        Ok(())
    }

    /// How many files were copied since it was opened.
    pub fn copied(&self) -> usize {
        self.copied
    }

    /// Returns what was copied.
    pub fn read(&self, number: u64, stamp: &Stamp) -> io::Result<Vec<u8>> {
        let bytes = fs::read(self.path(number))?;
        if bytes.len() as u64 == stamp.size { Ok(bytes) } else { Err(io::Error::other("a copy is incomplete")) }
    }

    /// Where a copy lies.
    pub fn path(&self, number: u64) -> PathBuf {
        self.folder.join(number.to_string())
    }
}

/// Makes an empty file share the blocks of another, where the file system can.
pub(super) fn share(from: &File, to: &File) -> bool {
    #[cfg(target_os = "linux")]
    return rustix::fs::ioctl_ficlone(to, from).is_ok();
    #[cfg(not(target_os = "linux"))]
    return false;
}

/// Tells whether copies share their blocks with what they are copies of, by trying it.
pub(super) fn share_blocks(workspace: &Path) -> bool {
    let folder = folder(workspace);
    let tried = || {
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let options = File::options().read(true).write(true).create(true).truncate(true).clone();
        let (mut from, to) = (options.open(folder.join("one"))?, options.open(folder.join("two"))?);
        from.write_all(&[1; 8192])?;
        io::Result::Ok(share(&from, &to))
    };
    let shares = tried().unwrap_or_default();
    for name in ["one", "two"] {
        // What stays is in nobody's way.
        let _ = fs::remove_file(folder.join(name));
    }
    shares
}

/// Removes the copies if none was made for as long as snapshots are kept.
pub(super) fn tidy(workspace: &Path) {
    let folder = folder(workspace);
    let written = fs::metadata(folder.join(INDEX)).and_then(|index| index.modified());
    let age = written.ok().and_then(|written| SystemTime::now().duration_since(written).ok());
    if age.is_some_and(|age| age > KEPT_FOR) {
        // What stays is looked at again at the next start.
        let _ = fs::remove_dir_all(folder);
    }
}

fn folder(workspace: &Path) -> PathBuf {
    workspace.join(PRIVATE_FOLDER).join("copies")
}

fn read_index(folder: &Path) -> Option<Index> {
    serde_json::from_slice(&fs::read(folder.join(INDEX)).ok()?).ok()
}

/// What is different after each start of the machine; of this process, where the system does not say.
fn start_of_machine() -> String {
    let start = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    start.map_or_else(|_| std::process::id().to_string(), |start| start.trim().to_owned())
}
