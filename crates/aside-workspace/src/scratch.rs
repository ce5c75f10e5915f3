//! Folders of ours in the system's temporary folder, for programs to write to. One is gone when it is dropped; what a
//! killed server left is taken away when the next folder of its kind is made.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, FileType, Mode, OFlags, fstat, openat},
    process::geteuid,
};
use tempfile::TempDir;

/// The file that is locked for as long as somebody uses the folder.
const HELD: &str = "held";

/// One folder. What programs may write lies in folders below it, so that they can't touch the lock.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: TempDir,
    _held: File,
}

impl Scratch {
    /// Makes a folder of a kind, which its name begins with, for this person only.
    #[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
    pub fn make(kind: &str) -> io::Result<Self> {
        remove_left_behind(&std::env::temp_dir(), kind);
        let folder = tempfile::Builder::new().prefix(kind).tempdir()?;
        // Under its name it is always locked: nobody takes a new folder for one that was left.
        let making = folder.path().join("making");
        let held = File::create(&making)?;
        held.lock()?;
        fs::rename(&making, folder.path().join(HELD))?;
        Ok(Self { folder, _held: held })
    }

    /// Where it is; without links.
    pub fn path(&self) -> io::Result<PathBuf> {
        self.folder.path().canonicalize()
    }
}

/// Takes away what nobody holds any more; what can't be taken away stays.
#[expect(clippy::disallowed_methods, reason = "temporary folders of our own")]
fn remove_left_behind(temporary: &Path, kind: &str) {
    let Ok(entries) = fs::read_dir(temporary) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(kind)) {
        let is_ours = entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw());
        if is_ours && is_left(&entry.path()) {
            // Somebody else may be at it too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_left(folder: &Path) -> bool {
    open_plain(&folder.join(HELD)).is_some_and(|held| held.try_lock().is_ok())
}

/// Opens what a program wrote if it is a file; no link is followed.
pub(crate) fn open_plain(path: &Path) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(CWD, path, flags, Mode::empty()).ok()?;
    let kind = FileType::from_raw_mode(fstat(&file).ok()?.st_mode);
    (kind == FileType::RegularFile).then(|| File::from(file))
}

/// Returns what a program wrote, `limit` bytes of it at most; none if it is no file.
pub(crate) fn read_plain(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.take(limit).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_taken_away_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, held) in [("kind-left", true), ("kind-held", true), ("kind-unknown", false), ("other-left", true)] {
            fs::create_dir(at(name)).unwrap();
            if held {
                File::create(at(name).join(HELD)).unwrap();
            }
        }
        std::os::unix::fs::symlink(at("other-left"), at("kind-link")).unwrap();
        let held = File::open(at("kind-held").join(HELD)).unwrap();
        held.lock().unwrap();
        remove_left_behind(folder.path(), "kind-");
        let mut there: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        assert_eq!(there, ["kind-held", "kind-link", "kind-unknown", "other-left"]);
    }

    #[test]
    fn it_goes_with_its_owner() {
        let scratch = Scratch::make("aside-scratch-test-").unwrap();
        let path = scratch.path().unwrap();
        assert!(path.is_dir() && !is_left(&path));
        drop(scratch);
        assert!(!path.exists());
    }
}
