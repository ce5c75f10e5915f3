//! The files in which folders say how assistants are to work in them.

use aside_core::WorkspacePath;

use crate::{EntryKind, Workspace, labels::table::AGENTS};

/// Those nearest to a document that count, beside the one at the top.
const MOST_NESTED: usize = 2;

impl Workspace {
    /// Returns the `AGENTS.md` at the top and those nearest to a document, the widest first. They are only looked for,
    /// not read.
    pub fn instruction_files(&self, document: Option<&WorkspacePath>) -> Vec<WorkspacePath> {
        let mut found = Vec::new();
        let mut folder = document.and_then(WorkspacePath::parent);
        while let Some(place) = folder {
            if found.len() < MOST_NESTED {
                found.extend(self.instructions_in(&format!("{place}/{AGENTS}")));
            }
            folder = place.parent();
        }
        found.extend(self.instructions_in(AGENTS));
        found.reverse();
        found
    }

    fn instructions_in(&self, path: &str) -> Option<WorkspacePath> {
        let path = WorkspacePath::new(path).ok()?;
        let entry = self.root.resolve(&path).and_then(|place| place.entry()).ok()??;
        (entry.kind == EntryKind::File).then_some(path)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::fs;

    use aside_store::{Store, StoreOptions};

    use super::*;

    #[test]
    fn the_top_and_the_nearest_two_count_and_only_files_inside() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        for place in ["", "a", "a/b", "a/b/c"] {
            fs::create_dir_all(top.join(place)).unwrap();
            fs::write(top.join(place).join("AGENTS.md"), "x").unwrap();
        }
        fs::create_dir_all(top.join("d/AGENTS.md")).unwrap();
        fs::create_dir(top.join("e")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", top.join("e/AGENTS.md")).unwrap();
        let store = Store::open(&top.join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(top, store).unwrap();
        let found = |document: &str| {
            let document = (!document.is_empty()).then(|| document.parse().unwrap());
            let files = workspace.instruction_files(document.as_ref()).into_iter();
            files.map(|path| path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(found(""), ["AGENTS.md"]);
        assert_eq!(found("a/b/c/x.py"), ["AGENTS.md", "a/b/AGENTS.md", "a/b/c/AGENTS.md"]);
        assert_eq!(found("d/x.py"), ["AGENTS.md"]);
        assert_eq!(found("e/x.py"), ["AGENTS.md"]);
    }
}
