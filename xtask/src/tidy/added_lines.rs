//! The lines that were added since a file was last committed, by git. They tell new offenders from old ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use crate::run::{command, quiet};

/// Added lines by path.
#[derive(Default)]
pub struct AddedLines {
    lines: BTreeMap<String, Vec<Range<usize>>>,
    /// Files that git does not have yet.
    files: BTreeSet<String>,
}

impl AddedLines {
    /// Asks git; without git or the commit there are none.
    pub fn since_commit_of(path: &str) -> Self {
        let git = |args: &[&str]| quiet("git", command("git", ".").args(args)).unwrap_or_default();
        let commit = git(&["log", "-1", "--format=%H", "--", path]);
        if commit.trim().is_empty() {
            return Self::default();
        }
        Self {
            lines: added(&git(&["diff", "--unified=0", "--no-color", "--no-ext-diff", "-M", commit.trim()])),
            files: git(&["ls-files", "--others", "--exclude-standard"]).lines().map(str::to_owned).collect(),
        }
    }

    pub fn contains(&self, path: &str, line: usize) -> bool {
        let ranges = self.lines.get(path).map(Vec::as_slice).unwrap_or_default();
        self.files.contains(path) || ranges.iter().any(|range| range.contains(&line))
    }
}

/// Reads the headers of a unified diff: `+++ b/PATH` and `@@ -1,2 +3,4 @@`.
fn added(diff: &str) -> BTreeMap<String, Vec<Range<usize>>> {
    let mut lines: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut path = "";
    for line in diff.lines() {
        if let Some(next) = line.strip_prefix("+++ b/") {
            path = next;
        } else if let Some(range) = line.strip_prefix("@@ ").and_then(added_range) {
            lines.entry(path.to_owned()).or_default().push(range);
        }
    }
    lines
}

fn added_range(header: &str) -> Option<Range<usize>> {
    let range = header.split(' ').find_map(|word| word.strip_prefix('+'))?;
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    let start = start.parse().ok()?;
    Some(start..start + count.parse::<usize>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diff_headers_name_the_added_lines() {
        let diff = "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1,2 @@ fn a()\n-a\n+b\n+c\n@@ -9,2 +10,0 @@\n-d\n-e\n";
        let added = AddedLines { lines: added(diff), files: BTreeSet::from(["new.rs".to_owned()]) };
        let found: Vec<_> = (0..12).filter(|line| added.contains("x.rs", *line)).collect();
        assert_eq!(found, [1, 2]);
        assert!(added.contains("new.rs", 7) && !added.contains("y.rs", 1));
    }
}
