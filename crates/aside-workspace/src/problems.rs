//! What is known to be wrong in the workspace's files, kept for each subject that was looked at: for LaTeX, each main file
//! that was built. What is found anew replaces what was known of its subject.

use aside_core::{Problem, WorkspacePath};
use serde::{Deserialize, Serialize};

use crate::{Workspace, WorkspaceError, WorkspaceEvent};

/// The kind of the records: one a subject.
const KIND: &str = "problems";

/// Problems that are kept of one subject; those after them are mostly consequences.
pub const MOST_KEPT_PROBLEMS: usize = 1_000;

#[derive(Serialize, Deserialize)]
struct Found {
    problems: Vec<Problem>,
}

impl Workspace {
    /// Keeps what was found of a subject, in place of what was known of it.
    pub fn keep_problems(&self, subject: &WorkspacePath, mut problems: Vec<Problem>) -> Result<(), WorkspaceError> {
        problems.truncate(MOST_KEPT_PROBLEMS);
        if problems.is_empty() {
            self.store.delete(KIND, subject.as_str())?;
        } else {
            self.store.put(KIND, subject.as_str(), None, &Found { problems })?;
        }
        self.tell(WorkspaceEvent::ProblemsChanged);
        Ok(())
    }

    /// Returns what was found of a subject.
    pub fn problems_of(&self, subject: &WorkspacePath) -> Result<Vec<Problem>, WorkspaceError> {
        Ok(self.store.get::<Found>(KIND, subject.as_str())?.map(|found| found.problems).unwrap_or_default())
    }

    /// Returns all that is known to be wrong, or what is wrong in one file: the gravest first, then by file and line.
    pub fn problems(&self, path: Option<&WorkspacePath>) -> Result<Vec<Problem>, WorkspaceError> {
        let found = self.store.list::<Found>(KIND)?.into_iter().flat_map(|found| found.problems);
        let wanted = |problem: &Problem| path.is_none() || problem.path.as_ref() == path;
        let mut problems: Vec<Problem> = found.filter(wanted).collect();
        problems.sort_by(|one, other| {
            let key = |problem: &Problem| (problem.severity, problem.path.clone(), problem.line);
            key(one).cmp(&key(other))
        });
        Ok(problems)
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ProblemSeverity, ProblemSource};
    use aside_store::{Store, StoreOptions};

    use super::*;

    fn problem(path: &str, severity: ProblemSeverity) -> Problem {
        let path = WorkspacePath::new(path).ok();
        let source = ProblemSource::Latex;
        Problem {
            path,
            line: Some(3),
            end_line: None,
            column: None,
            severity,
            message: "m".into(),
            source,
            detail: None,
        }
    }

    fn paths(workspace: &Workspace, path: Option<&str>) -> Vec<String> {
        let path = path.map(|path| WorkspacePath::new(path).unwrap());
        let found = workspace.problems(path.as_ref()).unwrap();
        found.into_iter().filter_map(|problem| problem.path).map(|path| path.to_string()).collect()
    }

    #[test]
    fn what_is_found_anew_replaces_what_was_known_of_its_subject() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let (one, other) = (WorkspacePath::new("a.tex").unwrap(), WorkspacePath::new("b.tex").unwrap());
        let mut events = workspace.events();
        let of_one = vec![problem("c.tex", ProblemSeverity::Warning), problem("a.tex", ProblemSeverity::Error)];
        workspace.keep_problems(&one, of_one).unwrap();
        assert_eq!(events.try_recv(), Ok(WorkspaceEvent::ProblemsChanged));
        workspace.keep_problems(&other, vec![problem("b.tex", ProblemSeverity::Error)]).unwrap();
        assert_eq!(paths(&workspace, None), ["a.tex", "b.tex", "c.tex"]);
        assert_eq!(paths(&workspace, Some("c.tex")), ["c.tex"]);
        workspace.keep_problems(&one, Vec::new()).unwrap();
        assert_eq!(paths(&workspace, None), ["b.tex"]);
    }

    #[test]
    fn no_more_are_kept_than_a_person_reads() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let many = vec![problem("a.tex", ProblemSeverity::Badbox); MOST_KEPT_PROBLEMS + 1];
        workspace.keep_problems(&WorkspacePath::new("a.tex").unwrap(), many).unwrap();
        assert_eq!(paths(&workspace, None).len(), MOST_KEPT_PROBLEMS);
    }
}
