//! What is remembered of each document's last build.

use std::path::PathBuf;

use aside_core::{LatexBuild, Sha256, WorkspacePath};

use crate::{PRIVATE_FOLDER, Workspace, WorkspaceError, WorkspaceEvent};

/// The kind of the records: one a main file.
const KIND: &str = "latex_build";

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

    /// Where the SyncTeX file of a main file's last good build is kept, packed as TeX wrote it.
    pub(super) fn synctex_file(&self, main: &WorkspacePath) -> PathBuf {
        let name = format!("{}.synctex.gz", &Sha256::of(main.as_str()).as_str()[..32]);
        self.folder().join(PRIVATE_FOLDER).join("latex").join(name)
    }

    pub(super) fn tell_of_latex(&self, main: &WorkspacePath) {
        self.tell(WorkspaceEvent::LatexChanged { main: main.clone() });
    }
}
