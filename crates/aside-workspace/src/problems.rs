//! What is known to be wrong in the workspace's files, kept for each subject that was looked at: for LaTeX, each main file
//! that was built. What is found anew replaces what was known of its subject. Beside it stands what programs find while a
//! text is written, and what a command or a kernel that failed has said of lines of files; both are gone with the server.

mod now;
mod said;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use aside_core::{Problem, ProblemSource, Version, WorkspacePath, harmless};
use serde::{Deserialize, Serialize};

use crate::{Workspace, WorkspaceError, WorkspaceEvent};
use said::{Said, Spot, said};

/// The kind of the records: one a subject.
const KIND: &str = "problems";

/// Problems that are kept of one subject; those after them are mostly consequences.
pub const MOST_KEPT_PROBLEMS: usize = 1_000;

/// Problems of all files together that are told.
const MOST_TOLD: usize = 5_000;

/// What programs find now: by the program, then by the file.
#[derive(Debug, Default)]
pub(crate) struct FoundNow(Mutex<BTreeMap<String, BTreeMap<WorkspacePath, Vec<Problem>>>>);

impl FoundNow {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, BTreeMap<WorkspacePath, Vec<Problem>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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

    /// Shows what a program finds in a file now, in place of what it found in it before.
    pub fn show_problems(&self, program: &str, path: &WorkspacePath, mut problems: Vec<Problem>) {
        problems.truncate(MOST_KEPT_PROBLEMS);
        let mut found = self.found_now.lock();
        let of_program = found.entry(program.to_owned()).or_default();
        let before = match problems.is_empty() {
            true => of_program.remove(path).unwrap_or_default(),
            false => of_program.insert(path.clone(), problems.clone()).unwrap_or_default(),
        };
        drop(found);
        if before != problems {
            self.tell(WorkspaceEvent::ProblemsChanged);
        }
    }

    /// Shows what something that ran has said of lines of files, as plain text, in place of what anything of its kind said
    /// before. `folder` is where it ran; a traceback stands at its innermost line that is in the workspace.
    pub fn show_said(&self, source: ProblemSource, program: &str, folder: Option<&WorkspacePath>, text: &str) {
        let mut by_path: BTreeMap<WorkspacePath, Vec<Problem>> = BTreeMap::new();
        for said in said(text).into_iter().take(MOST_KEPT_PROBLEMS) {
            let place = said.places.iter().find_map(|spot| self.place_of(folder, spot));
            let Some((path, version, spot)) = place else { continue };
            let problem = Problem { version: Some(version), ..problem(source, program, &path, &spot, &said) };
            let of_path = by_path.entry(path).or_default();
            if !of_path.contains(&problem) {
                of_path.push(problem);
            }
        }
        let key = key_of(source);
        let mut found = self.found_now.lock();
        let before = match by_path.is_empty() {
            true => found.remove(key),
            false => found.insert(key.to_owned(), by_path.clone()),
        };
        drop(found);
        if before.unwrap_or_default() != by_path {
            self.problems_changed();
        }
    }

    /// Forgets what something of a kind has said, if this program did: it has nothing to say any more.
    pub fn forget_said(&self, source: ProblemSource, program: &str) {
        let key = key_of(source);
        let is_its_own = |found: &BTreeMap<WorkspacePath, Vec<Problem>>| {
            found.values().flatten().any(|problem| problem.program.as_deref() == Some(program))
        };
        if self.found_now.lock().get(key).is_some_and(is_its_own) {
            self.forget_problems(key);
        }
    }

    /// The file of the workspace that is meant, its version and the line in it, if there is such a line.
    fn place_of(&self, folder: Option<&WorkspacePath>, spot: &Spot) -> Option<(WorkspacePath, Version, Spot)> {
        let path = self.path_as_told(folder, &spot.file)?;
        let (version, text) = self.text_with_lines(&path)?;
        let lines = u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX);
        (spot.line <= lines).then(|| (path, version, spot.clone()))
    }

    /// Forgets what a program found.
    pub fn forget_problems(&self, program: &str) {
        if self.found_now.lock().remove(program).is_some() {
            self.problems_changed();
        }
    }

    /// Says that something has changed in what is known, or in who looks for it.
    pub fn problems_changed(&self) {
        self.tell(WorkspaceEvent::ProblemsChanged);
    }

    /// Returns what was found of a subject.
    pub fn problems_of(&self, subject: &WorkspacePath) -> Result<Vec<Problem>, WorkspaceError> {
        Ok(self.store.get::<Found>(KIND, subject.as_str())?.map(|found| found.problems).unwrap_or_default())
    }

    /// The same, each at the lines where it stands by now.
    pub(crate) fn problems_now_of(&self, subject: &WorkspacePath) -> Result<Vec<Problem>, WorkspaceError> {
        self.as_they_stand(self.problems_of(subject)?)
    }

    /// Has what is known to be wrong in a file, or in all files of a folder, follow it to its other name. Language servers
    /// tell of it anew.
    pub(crate) fn carry_problems(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let renamed = |(path, mut problems): (WorkspacePath, Vec<Problem>)| {
            let path = path.moved(from, to).unwrap_or(path);
            problems.iter_mut().for_each(|problem| problem.path = Some(path.clone()));
            (path, problems)
        };
        let mut found = self.found_now.lock();
        for key in [key_of(ProblemSource::Kernel), key_of(ProblemSource::Shell)] {
            if let Some(said) = found.get_mut(key) {
                *said = std::mem::take(said).into_iter().map(renamed).collect();
            }
        }
        drop(found);
        self.carry_latex(from, to)
    }

    /// Has what was found of a subject go along when that, or a file in which something was found, has another name.
    pub(crate) fn carry_problems_of(
        &self,
        before: &WorkspacePath,
        after: &WorkspacePath,
        moved: impl Fn(&WorkspacePath) -> WorkspacePath,
    ) -> Result<(), WorkspaceError> {
        let found = self.problems_of(before)?;
        let carried = found.iter().map(|one| Problem { path: one.path.as_ref().map(&moved), ..one.clone() });
        let carried: Vec<Problem> = carried.collect();
        if before != after {
            self.store.delete(KIND, before.as_str())?;
        }
        if before != after || found != carried { self.keep_problems(after, carried) } else { Ok(()) }
    }

    /// Returns all that is known to be wrong, or what is wrong in one file, where it stands by now: the gravest first, then
    /// by file and line. Of files that are gone nothing is told.
    pub fn problems(&self, path: Option<&WorkspacePath>) -> Result<Vec<Problem>, WorkspaceError> {
        let found = self.store.list::<Found>(KIND)?.into_iter().flat_map(|found| found.problems);
        let wanted = |problem: &Problem| path.is_none() || problem.path.as_ref() == path;
        let mut problems: Vec<Problem> = found.filter(wanted).collect();
        let now = self.found_now.lock();
        problems.extend(now.values().flat_map(BTreeMap::values).flatten().filter(|one| wanted(one)).cloned());
        drop(now);
        let mut problems = self.as_they_stand(problems)?;
        problems.sort_by(|one, other| {
            let key = |problem: &Problem| (problem.severity, problem.path.clone(), problem.line);
            key(one).cmp(&key(other))
        });
        problems.truncate(MOST_TOLD);
        Ok(problems)
    }
}

/// What commands, and what kernels say, is one subject each: what ran last has the word. No server can have such a name.
fn key_of(source: ProblemSource) -> &'static str {
    match source {
        ProblemSource::Kernel => "$ kernel",
        _ => "$ command",
    }
}

fn problem(source: ProblemSource, program: &str, path: &WorkspacePath, spot: &Spot, said: &Said) -> Problem {
    Problem {
        path: Some(path.clone()),
        line: Some(spot.line),
        end_line: None,
        column: spot.column,
        end_column: None,
        severity: said.severity,
        message: harmless(&said.message).into_owned(),
        source,
        program: Some(program.to_owned()),
        detail: Some(harmless(&said.detail).into_owned()),
        version: None,
        found_line: None,
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
            end_column: None,
            severity,
            message: "m".into(),
            source,
            program: None,
            detail: None,
            version: None,
            found_line: None,
        }
    }

    #[expect(clippy::disallowed_methods, reason = "another program writes the files")]
    fn write(folder: &std::path::Path, names: &[&str]) {
        names.iter().for_each(|name| std::fs::write(folder.join(name), "one\ntwo\nthree\n").unwrap());
    }

    fn paths(workspace: &Workspace, path: Option<&str>) -> Vec<String> {
        let path = path.map(|path| WorkspacePath::new(path).unwrap());
        let found = workspace.problems(path.as_ref()).unwrap();
        found.into_iter().filter_map(|problem| problem.path).map(|path| path.to_string()).collect()
    }

    #[test]
    fn what_is_found_anew_replaces_what_was_known_of_its_subject() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &["a.tex", "b.tex", "c.tex"]);
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
    fn what_is_found_now_stands_beside_what_is_kept_and_is_heard_of_when_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &["a.tex", "b.py"]);
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let path = |name: &str| WorkspacePath::new(name).unwrap();
        workspace.keep_problems(&path("a.tex"), vec![problem("a.tex", ProblemSeverity::Error)]).unwrap();
        let mut events = workspace.events();
        let of_b = vec![problem("b.py", ProblemSeverity::Warning)];
        workspace.show_problems("pylsp", &path("b.py"), of_b.clone());
        workspace.show_problems("ruff", &path("b.py"), of_b.clone());
        assert_eq!(paths(&workspace, None), ["a.tex", "b.py", "b.py"]);
        assert_eq!(events.len(), 2);
        workspace.show_problems("ruff", &path("b.py"), of_b);
        assert_eq!(events.len(), 2, "the same again is no news");
        workspace.show_problems("pylsp", &path("b.py"), Vec::new());
        assert_eq!(paths(&workspace, Some("b.py")), ["b.py"]);
        workspace.forget_problems("ruff");
        assert_eq!((paths(&workspace, None), events.len()), (vec!["a.tex".to_owned()], 4));
        assert_eq!(events.try_recv(), Ok(WorkspaceEvent::ProblemsChanged));
    }

    #[test]
    fn no_more_are_kept_than_a_person_reads() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &["a.tex"]);
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let many = vec![problem("a.tex", ProblemSeverity::Badbox); MOST_KEPT_PROBLEMS + 1];
        workspace.keep_problems(&WorkspacePath::new("a.tex").unwrap(), many).unwrap();
        assert_eq!(paths(&workspace, None).len(), MOST_KEPT_PROBLEMS);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "another program writes the file")]
    fn what_a_command_says_stands_at_lines_of_the_workspace_until_it_has_nothing_to_say() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("lib")).unwrap();
        std::fs::write(folder.path().join("lib/model.py"), "def go():\n    1 / 0\n").unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let lib = WorkspacePath::new("lib").unwrap();
        let own = workspace.folder().display().to_string();
        let say = |program: &str, folder: Option<&WorkspacePath>, text: &str| {
            workspace.show_said(ProblemSource::Shell, program, folder, text);
            let place = |problem: Problem| format!("{}:{}", problem.path.unwrap(), problem.line.unwrap());
            workspace.problems(None).unwrap().into_iter().map(place).collect::<Vec<_>>()
        };
        let traceback = format!(
            "  File \"{own}/lib/model.py\", line 2, in go\n  File \"/usr/lib/python3/json.py\", line 9, in load\n\
             ValueError: no\n"
        );
        assert_eq!(say("python3 run.py", None, &traceback), ["lib/model.py:2"], "the innermost of the workspace");
        assert_eq!(
            say("mypy", Some(&lib), "model.py:1: error: no\n"),
            ["lib/model.py:1"],
            "what ran last has the word"
        );
        for forged in ["../../etc/passwd:1: error: x\n", "/etc/passwd:1: error: x\n", "lib/model.py:99: error: x\n"] {
            assert_eq!(say("mypy", None, forged), Vec::<String>::new(), "{forged}");
        }
        let (from, to) = (WorkspacePath::new("lib/model.py").unwrap(), WorkspacePath::new("lib/tides.py").unwrap());
        say("mypy", None, "lib/model.py:1: error: no\n");
        workspace.move_entry(&from, &to, crate::Existing::Refuse, None, None).unwrap();
        assert_eq!(paths(&workspace, None), ["lib/tides.py"]);
        workspace.move_entry(&to, &from, crate::Existing::Refuse, None, None).unwrap();
        workspace.forget_said(ProblemSource::Shell, "ls");
        assert_eq!(workspace.problems(None).unwrap().len(), 1, "another program says nothing of it");
        std::fs::write(folder.path().join("lib/model.py"), "import os\n\ndef go():\n    1 / 0\n").unwrap();
        let lines =
            || workspace.problems(None).unwrap().iter().map(|one| (one.line, one.found_line)).collect::<Vec<_>>();
        assert_eq!(lines(), [(Some(3), Some(1))], "where the line has gone");
        let open = workspace.document(&from).unwrap();
        assert_eq!(lines(), [(Some(3), Some(1))], "whether it is open or not");
        drop(open);
        workspace.forget_said(ProblemSource::Shell, "mypy");
        assert_eq!(workspace.problems(None).unwrap(), []);
    }
}
