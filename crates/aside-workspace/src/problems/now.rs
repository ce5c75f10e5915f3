//! Problems where they stand by now: the texts that they were found in are kept, so that their lines can be found again.

use std::{collections::BTreeMap, sync::Arc};

use aside_core::{Problem, Version, WorkspacePath};
use aside_doc::lines_now;

use crate::{Workspace, WorkspaceError};

/// Bytes of a file in which a program names a line.
const MOST_SOURCE: u64 = 4 << 20;

impl Workspace {
    /// Returns a text in which a program names lines, as it is now, and keeps it; none if there is no such text.
    pub(crate) fn text_with_lines(&self, path: &WorkspacePath) -> Option<(Version, Arc<str>)> {
        if let Some(document) = self.open_document(path) {
            return document.show().ok();
        }
        let text: Arc<str> = self.text_of_file(path)?.into();
        // Without it the lines stay those that were named.
        self.store.put_blob_soon(text.as_bytes()).ok();
        Some((Version::of(text.as_bytes()), text))
    }

    /// Returns problems with the lines where they stand by now, without those of files that are gone.
    pub(super) fn as_they_stand(&self, problems: Vec<Problem>) -> Result<Vec<Problem>, WorkspaceError> {
        let mut there = BTreeMap::new();
        let mut is_there = |path: &WorkspacePath| *there.entry(path.clone()).or_insert_with(|| self.has_text(path));
        let mut problems: Vec<Problem> =
            problems.into_iter().filter(|one| one.path.as_ref().is_none_or(&mut is_there)).collect();
        let mut of_text: BTreeMap<(WorkspacePath, Version), Vec<&mut Problem>> = BTreeMap::new();
        for problem in &mut problems {
            if let (Some(path), Some(version)) = (problem.path.clone(), problem.version.clone()) {
                of_text.entry((path, version)).or_default().push(problem);
            }
        }
        for ((path, version), found) in of_text {
            self.carry_lines(&path, &version, found)?;
        }
        Ok(problems)
    }

    /// Has the lines of problems that were found in one version of a text follow it.
    fn carry_lines(
        &self,
        path: &WorkspacePath,
        version: &Version,
        problems: Vec<&mut Problem>,
    ) -> Result<(), WorkspaceError> {
        let now = match self.open_document(path) {
            Some(document) if document.version() == *version => return Ok(()),
            Some(document) => Some(document.text().to_string()),
            None => self.text_of_file(path),
        };
        let Some(now) = now.filter(|now| Version::of(now.as_bytes()) != *version) else { return Ok(()) };
        let Some(then) = self.kept_text(version)? else { return Ok(()) };
        let lines: Vec<u32> = problems.iter().flat_map(|problem| [problem.line, problem.end_line]).flatten().collect();
        let mut lines = lines_now(&then, &now, &lines).into_iter();
        for problem in problems {
            problem.found_line = problem.line;
            problem.line = problem.line.and_then(|_| lines.next());
            problem.end_line = problem.end_line.and_then(|_| lines.next());
        }
        Ok(())
    }

    fn text_of_file(&self, path: &WorkspacePath) -> Option<String> {
        Some(String::from_utf8_lossy(&self.read_file(path, MOST_SOURCE).ok()?).into_owned())
    }

    fn has_text(&self, path: &WorkspacePath) -> bool {
        let on_disk = || self.root.resolve(path).and_then(|place| place.entry());
        self.open_document(path).is_some() || on_disk().is_ok_and(|entry| entry.is_some())
    }
}
