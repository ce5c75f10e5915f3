//! How much a command has written to the disk, all its processes and files together.
//!
//! The kernel counts for each process, and adds a process that has ended to whoever waited for it; see proc_pid_io(5). What
//! it leaves out, such as room that is taken without writing and processes that nobody waits for, is missing on the disk.

use std::path::{Path, PathBuf};

use super::{plan::Reach, tree};

/// What there was before.
pub(crate) struct Written {
    /// Bytes that were free, where the command may write.
    free: Vec<(PathBuf, u64)>,
}

impl Written {
    /// Looks before the command begins.
    pub(crate) fn begin(reach: &Reach) -> Self {
        let free = |path: &PathBuf| Some((path.clone(), free(path)?));
        Self { free: reach.write.iter().filter_map(free).collect() }
    }

    /// Tells whether more than this was written since, by these processes and those before them.
    pub(crate) fn exceeds(&self, limit: u64, below: &tree::Below) -> bool {
        let missing = |(path, before): &(PathBuf, u64)| free(path).map_or(0, |now| before.saturating_sub(now));
        tree::written(below) > limit || self.free.iter().any(|place| missing(place) > limit)
    }
}

/// Bytes that are free where a path lies; none if nobody can tell.
fn free(path: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(path).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_on_the_disk_counts_even_if_nobody_wrote_it() {
        let folder = tempfile::tempdir().unwrap();
        let plenty = u64::MAX / 2;
        let written = Written { free: vec![(folder.path().to_owned(), u64::MAX)] };
        assert!(written.exceeds(plenty, &tree::Below::default()));
        let reach = Reach { write: vec![folder.path().to_owned(), "/none/such".into()], ..Reach::default() };
        let begun = Written::begin(&reach);
        assert_eq!(begun.free.len(), 1);
        assert!(!begun.exceeds(plenty, &tree::Below::default()));
    }
}
