//! What a snapshot covers, and how much of it is copied.

use aside_core::WorkspacePath;
use serde::{Deserialize, Serialize};

use super::{
    copies::share_blocks,
    walk::{Met, walk},
};
use crate::{EntryKind, Workspace, WorkspaceError, process::protect::is_protected};

/// Bytes of all files that are copied, and of those that are read again to compare them.
pub const MOST_BYTES: u64 = 200_000_000;
/// The same of each file, and of those that are read again, where copies share their blocks with the files and so cost
/// nothing. A file that was changed is read as a whole, which takes that much memory.
pub const MOST_SHARED: u64 = 1_000_000_000;
/// Files, folders and links that are looked at.
pub const MOST_FILES: usize = 20_000;

/// What a snapshot would cover.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Files, folders and links.
    pub entries: usize,
    /// Places that are not covered.
    pub left_out: Vec<WorkspacePath>,
    /// Files that are too large to be copied: whether they change is seen, and they can't go back.
    #[serde(default)]
    pub too_large: Vec<WorkspacePath>,
}

impl Coverage {
    /// Tells whether it is within the limit; else only what governs programs is copied, and nothing can be taken back.
    pub fn is_possible(&self) -> bool {
        self.entries <= MOST_FILES
    }

    /// Tells whether a file is copied.
    pub(super) fn copies(&self, path: &WorkspacePath) -> bool {
        is_protected(path.as_str()) || self.is_possible() && self.too_large.binary_search(path).is_err()
    }
}

impl Workspace {
    /// Says what a snapshot would cover.
    pub fn snapshot_coverage(&self) -> Result<Coverage, WorkspaceError> {
        let (mut entries, mut sizes) = (0, Vec::new());
        let left_out = walk(&self.root, &mut |met| {
            entries += 1;
            if entries <= MOST_FILES {
                sizes.extend(size_of(met));
            }
            Ok(())
        })?;
        let too_large = if self.shares_blocks() { each_above(sizes) } else { together_above(sizes) };
        Ok(Coverage { entries, left_out, too_large })
    }

    /// Bytes of files that are read again at most.
    pub(super) fn most_read(&self) -> u64 {
        if self.shares_blocks() { MOST_SHARED } else { MOST_BYTES }
    }

    fn shares_blocks(&self) -> bool {
        *self.shares_blocks.get_or_init(|| share_blocks(self.folder()))
    }
}

fn size_of(met: Met<'_>) -> Option<(u64, WorkspacePath)> {
    let size = u64::try_from(met.stat.st_size).unwrap_or_default();
    (met.kind == EntryKind::File && !is_protected(met.path.as_str())).then_some((size, met.path))
}

/// Files that are too large where a copy costs nothing.
fn each_above(sizes: Vec<(u64, WorkspacePath)>) -> Vec<WorkspacePath> {
    let mut large: Vec<_> = sizes.into_iter().filter(|(size, _)| *size > MOST_SHARED).map(|(_, path)| path).collect();
    large.sort();
    large
}

/// The largest files, as many as have to be left for the others to fit.
fn together_above(mut sizes: Vec<(u64, WorkspacePath)>) -> Vec<WorkspacePath> {
    sizes.sort();
    let (mut sum, mut large) = (sizes.iter().map(|(size, _)| size).sum::<u64>(), Vec::new());
    while sum > MOST_BYTES
        && let Some((size, path)) = sizes.pop()
    {
        sum -= size;
        large.push(path);
    }
    large.sort();
    large
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(sizes: &[(u64, &str)]) -> Vec<(u64, WorkspacePath)> {
        sizes.iter().map(|(size, path)| (*size, WorkspacePath::new(path).unwrap())).collect()
    }

    fn names(paths: &[WorkspacePath]) -> Vec<&str> {
        paths.iter().map(WorkspacePath::as_str).collect()
    }

    #[test]
    fn the_largest_files_are_left_until_the_others_fit() {
        let all = sizes(&[(10, "a"), (MOST_BYTES, "b"), (MOST_BYTES + 50, "big"), (MOST_BYTES - 10, "c")]);
        assert_eq!(names(&together_above(all.clone())), ["b", "big"]);
        assert_eq!(names(&together_above(sizes(&[(MOST_BYTES, "b")]))), [""; 0]);
        assert_eq!(names(&each_above(all)), [""; 0], "a copy costs nothing there");
        assert_eq!(names(&each_above(sizes(&[(MOST_SHARED, "a"), (MOST_SHARED + 1, "b")]))), ["b"]);
    }

    #[test]
    fn what_governs_programs_is_always_copied() {
        let path = |text: &str| WorkspacePath::new(text).unwrap();
        let coverage = Coverage { entries: MOST_FILES + 1, too_large: vec![path("b")], ..Coverage::default() };
        assert!(coverage.copies(&path(".envrc")) && !coverage.copies(&path("a")));
        let coverage = Coverage { entries: 2, ..coverage };
        assert!(coverage.copies(&path("a")) && !coverage.copies(&path("b")));
    }
}
