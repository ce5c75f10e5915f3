//! The wait for the disk. A change is in the journal when it returns, where a kill of the program can't lose it; that the
//! journal is on the disk, where a power cut can't, is waited for here, by all together who do so at the same time.
//!
//! ```text
//! one:    commit |........ disk ........|
//! two:        commit |     waits        |........ disk ........|
//! three:            commit |   waits    |     the same disk    |
//! ```

use std::{
    fs::File,
    io,
    path::PathBuf,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::StoreError;

/// How far the journal is on the disk.
pub(crate) struct Disk {
    journal: File,
    path: PathBuf,
    progress: Mutex<Progress>,
    moved: Condvar,
}

/// Commits are counted from 1.
#[derive(Default)]
struct Progress {
    committed: u64,
    /// The last one that is to be on the disk soon.
    soon: u64,
    /// The last one that is.
    synced: u64,
    /// Somebody is at it.
    syncing: bool,
    /// What was not written then is not written by the next try either, though that may say so: the system forgets it.
    failed: Option<String>,
}

impl Disk {
    pub(crate) fn new(journal: File, path: PathBuf) -> Self {
        Self { journal, path, progress: Mutex::default(), moved: Condvar::new() }
    }

    /// Counts a commit; returns its number. Called in the order of the commits.
    pub(crate) fn committed(&self, soon: bool) -> u64 {
        let mut progress = self.progress();
        progress.committed += 1;
        if soon {
            progress.soon = progress.committed;
        }
        progress.committed
    }

    /// Returns when a commit is on the disk, and with it all before.
    pub(crate) fn wait(&self, commit: u64) -> Result<(), StoreError> {
        let mut progress = self.progress();
        loop {
            if let Some(failed) = &progress.failed {
                let source = io::Error::other(failed.clone());
                return Err(StoreError::Io { doing: "flush", path: self.path.clone(), source });
            }
            if progress.synced >= commit {
                return Ok(());
            }
            progress = match progress.syncing {
                true => self.moved.wait(progress).unwrap_or_else(PoisonError::into_inner),
                false => self.sync(progress),
            };
        }
    }

    /// Returns when all that is to be on the disk soon is.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        let soon = self.progress().soon;
        self.wait(soon)
    }

    /// Tells whether something is to be on the disk soon and is not yet.
    pub(crate) fn owes(&self) -> bool {
        let progress = self.progress();
        progress.soon > progress.synced
    }

    /// Says that something was not written: from now on nothing counts as written.
    pub(crate) fn fail(&self, error: &io::Error) {
        self.progress().failed = Some(error.to_string());
        self.moved.notify_all();
    }

    /// Syncs for all who have committed by now.
    fn sync<'a>(&'a self, mut progress: MutexGuard<'a, Progress>) -> MutexGuard<'a, Progress> {
        let reached = progress.committed;
        progress.syncing = true;
        drop(progress);
        let synced = self.journal.sync_data();
        let mut progress = self.progress();
        progress.syncing = false;
        match synced {
            Ok(()) => progress.synced = progress.synced.max(reached),
            Err(error) => progress.failed = Some(error.to_string()),
        }
        self.moved.notify_all();
        progress
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn disk() -> Disk {
        Disk::new(tempfile::tempfile().unwrap(), PathBuf::from("aside.journal"))
    }

    fn synced(disk: &Disk) -> u64 {
        disk.progress().synced
    }

    #[test]
    fn one_wait_is_for_all_that_was_committed_before() {
        let disk = disk();
        let (one, two) = (disk.committed(false), disk.committed(true));
        assert!(disk.owes());
        disk.wait(one).unwrap();
        assert_eq!((synced(&disk), disk.owes()), (two, false));
        let three = disk.committed(false);
        assert!(!disk.owes());
        disk.settle().unwrap();
        assert_eq!(synced(&disk), two, "nobody asked for more");
        disk.wait(three).unwrap();
        assert_eq!(synced(&disk), three);
    }

    #[test]
    fn many_who_wait_all_get_there() {
        let disk = disk();
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let commit = disk.committed(false);
                        disk.wait(commit).unwrap();
                        assert!(synced(&disk) >= commit);
                    }
                });
            }
        });
        assert_eq!(synced(&disk), 400);
    }

    #[test]
    #[cfg(unix)]
    fn after_a_failure_nothing_counts_as_written_any_more() {
        let (reader, _writer) = io::pipe().unwrap();
        // A pipe can't be synced.
        let disk = Disk::new(File::from(std::os::fd::OwnedFd::from(reader)), PathBuf::from("aside.journal"));
        for _ in 0..2 {
            let commit = disk.committed(true);
            let error = disk.wait(commit).unwrap_err();
            assert!(error.to_string().starts_with("cannot flush `aside.journal`: "), "{error}");
            assert!(disk.owes() && disk.settle().is_err());
        }
    }
}
