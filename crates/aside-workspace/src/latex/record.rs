//! What is remembered of each document's last build.

use std::path::PathBuf;

use aside_core::{LatexBuild, Problem, ProblemSeverity, SeedLog, Sha256, WorkspacePath};

use super::LatexDocument;
use crate::{PRIVATE_FOLDER, Workspace, WorkspaceError, WorkspaceEvent};

/// The kind of the records: one a main file.
const KIND: &str = "latex_build";
/// The kind of what the stages of these builds put out.
const OUTPUT: &str = "latex_output";
/// The kind of the builds that a person has agreed to for good.
const AGREED: &str = "latex_agreed";

/// What a build that found something wrong says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatexFaults {
    /// The ends of what its last stages put out, in the order in which they ran.
    pub stages: Vec<SeedLog>,
    /// The error that its log tells first: those after it are often its consequences.
    pub first: Option<Problem>,
}

/// The same person, main file and programs.
fn agreed(document: &LatexDocument, user: &str) -> Sha256 {
    Sha256::of_json(&(user, &document.main, document.line()))
}

fn is_error(problem: &Problem) -> bool {
    problem.severity == ProblemSeverity::Error
}

impl Workspace {
    /// Notes that a person lets a document be built as it would be built now, without being asked again.
    ///
    /// # Errors
    /// If the store can't be written.
    pub fn agree_to_latex(&self, document: &LatexDocument, user: &str) -> Result<(), WorkspaceError> {
        Ok(self.store.put(AGREED, agreed(document, user).as_str(), None, &true)?)
    }

    /// Tells whether a person has let it be built so.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn is_agreed_to_latex(&self, document: &LatexDocument, user: &str) -> Result<bool, WorkspaceError> {
        Ok(self.store.get(AGREED, agreed(document, user).as_str())?.unwrap_or_default())
    }

    /// Returns the last build of a main file.
    pub fn latex_build(&self, main: &WorkspacePath) -> Result<Option<LatexBuild>, WorkspaceError> {
        Ok(self.store.get(KIND, main.as_str())?)
    }

    /// Returns the last build of the document that a PDF was made of.
    pub(super) fn latex_build_of_pdf(&self, pdf: &WorkspacePath) -> Result<Option<LatexBuild>, WorkspaceError> {
        Ok(self.latex_builds()?.into_iter().find(|build| build.pdf.as_ref() == Some(pdf)))
    }

    /// Returns the last build of each main file.
    pub(super) fn latex_builds(&self) -> Result<Vec<LatexBuild>, WorkspaceError> {
        Ok(self.store.list(KIND)?)
    }

    /// Keeps a build in place of what was known of it under another name.
    pub(super) fn carry_latex_build(&self, before: &LatexBuild, after: &LatexBuild) -> Result<(), WorkspaceError> {
        self.keep_latex_build(after)?;
        if before.main != after.main {
            let stages: Vec<SeedLog> = self.store.get(OUTPUT, before.main.as_str())?.unwrap_or_default();
            self.keep_latex_output(&after.main, &stages)?;
            self.store.delete(OUTPUT, before.main.as_str())?;
            self.store.delete(KIND, before.main.as_str())?;
        }
        Ok(())
    }

    pub(super) fn keep_latex_build(&self, build: &LatexBuild) -> Result<(), WorkspaceError> {
        self.store.put(KIND, build.main.as_str(), None, build)?;
        Ok(())
    }

    /// Returns what the newest build says of itself that found something wrong in a file.
    pub fn latex_faults_about(&self, path: &WorkspacePath) -> Result<LatexFaults, WorkspaceError> {
        let mut builds = self.latex_builds()?;
        builds.sort_by_key(|build| std::cmp::Reverse(build.at));
        for LatexBuild { main, .. } in builds {
            let problems = self.problems_now_of(&main)?;
            if problems.iter().any(|problem| problem.path.as_ref() == Some(path)) {
                let stages = self.store.get(OUTPUT, main.as_str())?.unwrap_or_default();
                return Ok(LatexFaults { stages, first: problems.into_iter().find(is_error) });
            }
        }
        Ok(LatexFaults::default())
    }

    /// Returns the first error of each build that found several.
    pub fn first_latex_errors(&self) -> Result<Vec<Problem>, WorkspaceError> {
        let mut first = Vec::new();
        for LatexBuild { main, .. } in self.latex_builds()? {
            let mut errors = self.problems_now_of(&main)?.into_iter().filter(is_error);
            first.extend(errors.next().filter(|_| errors.next().is_some()));
        }
        Ok(first)
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

#[cfg(test)]
mod tests {
    use aside_core::{ActionId, Id as _, LatexEnd, ProblemSource, Timestamp};
    use aside_store::{Store, StoreOptions};

    use super::*;

    fn path(name: &str) -> WorkspacePath {
        name.parse().unwrap()
    }

    fn problem(file: &str, line: u32, severity: ProblemSeverity) -> Problem {
        Problem {
            path: Some(path(file)),
            line: Some(line),
            end_line: None,
            column: None,
            end_column: None,
            severity,
            message: format!("line {line}"),
            source: ProblemSource::Latex,
            program: None,
            detail: None,
            version: None,
            found_line: None,
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "sets the scene")]
    fn the_first_error_is_that_of_the_log_whatever_the_list_begins_with() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let (main, part) = ("main.tex", "parts/one.tex");
        std::fs::create_dir(folder.path().join("parts")).unwrap();
        for name in [main, part] {
            std::fs::write(folder.path().join(name), "x\n".repeat(9)).unwrap();
        }
        let build = LatexBuild {
            main: path(main),
            action: ActionId::from_parts(Timestamp(1), 1),
            end: LatexEnd::Failed,
            at: Timestamp(1),
            duration_ms: 1,
            errors: 2,
            warnings: 1,
            pdf: None,
        };
        workspace.keep_latex_build(&build).unwrap();
        let (warning, root) = (problem(part, 1, ProblemSeverity::Warning), problem(part, 9, ProblemSeverity::Error));
        let second = problem(main, 3, ProblemSeverity::Error);
        workspace.keep_problems(&build.main, vec![warning.clone(), root.clone(), second.clone()]).unwrap();
        assert_eq!(workspace.problems(None).unwrap()[0], second);
        assert_eq!(workspace.latex_faults_about(&path(main)).unwrap().first, Some(root.clone()));
        assert_eq!(workspace.latex_faults_about(&path("other.tex")).unwrap(), LatexFaults::default());
        assert_eq!(workspace.first_latex_errors().unwrap(), std::slice::from_ref(&root));
        workspace.keep_problems(&build.main, vec![warning, root]).unwrap();
        assert_eq!(workspace.first_latex_errors().unwrap(), [], "one alone needs no mark");
    }
}
