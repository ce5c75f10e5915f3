//! What is remembered of each document's last build.

use std::path::PathBuf;

use aside_core::{LatexBuild, SeedLog, Sha256, WorkspacePath};

use crate::{PRIVATE_FOLDER, Workspace, WorkspaceError, WorkspaceEvent};

/// The kind of the records: one a main file.
const KIND: &str = "latex_build";
/// The kind of what the stages of these builds put out.
const OUTPUT: &str = "latex_output";

impl Workspace {
    /// Returns the last build of a main file.
    pub fn latex_build(&self, main: &WorkspacePath) -> Result<Option<LatexBuild>, WorkspaceError> {
        Ok(self.store.get(KIND, main.as_str())?)
    }

    /// Returns the last build of the document that a PDF was made of.
    pub(super) fn latex_build_of_pdf(&self, pdf: &WorkspacePath) -> Result<Option<LatexBuild>, WorkspaceError> {
        let builds = self.store.list::<LatexBuild>(KIND)?;
        Ok(builds.into_iter().find(|build| build.pdf.as_ref() == Some(pdf)))
    }

    pub(super) fn keep_latex_build(&self, build: &LatexBuild) -> Result<(), WorkspaceError> {
        self.store.put(KIND, build.main.as_str(), None, build)?;
        Ok(())
    }

    /// Returns the ends of what the stages put out of the newest build that found something wrong in a file: the last
    /// stages in the order in which they ran.
    pub fn latex_output_about(&self, path: &WorkspacePath) -> Result<Vec<SeedLog>, WorkspaceError> {
        let mut builds = self.store.list::<LatexBuild>(KIND)?;
        builds.sort_by_key(|build| std::cmp::Reverse(build.at));
        for LatexBuild { main, .. } in builds {
            if self.problems_of(&main)?.iter().any(|problem| problem.path.as_ref() == Some(path)) {
                return Ok(self.store.get(OUTPUT, main.as_str())?.unwrap_or_default());
            }
        }
        Ok(Vec::new())
    }

    pub(super) fn keep_latex_output(&self, main: &WorkspacePath, stages: &[SeedLog]) -> Result<(), WorkspaceError> {
        self.store.put(OUTPUT, main.as_str(), None, &stages)?;
        Ok(())
    }

    /// Where the SyncTeX file of a main file's last good build is kept, packed as TeX wrote it.
    pub(super) fn synctex_file(&self, main: &WorkspacePath) -> PathBuf {
        let name = format!("{}.synctex.gz", &Sha256::of(main.as_str()).as_str()[..32]);
        self.folder().join(PRIVATE_FOLDER).join("latex").join(name)
    }

    pub(super) fn tell_of_latex(&self, main: &WorkspacePath) {
        self.tell(WorkspaceEvent::LatexChanged { main: main.clone() });
    }
}
