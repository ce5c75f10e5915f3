//! What went wrong in a build, from what its programs wrote: each problem with a file of the workspace.

use std::{collections::BTreeMap, sync::Arc};

use aside_core::{LatexEnd, Problem, ProblemSeverity, ProblemSource, Version, WorkspacePath, harmless};
use aside_latex::{ProblemKind, Severity, Tool, excerpt, problems};

use crate::{
    Workspace,
    latex::{knitted::Knitted, output::Output},
};

/// Bytes of a log that are read: its beginning, where the first faults are.
const MOST_LOG: u64 = 16 << 20;
/// Bytes of a log that are kept with a problem.
const DETAIL: usize = 1_500;
/// Problems of one build.
const MOST: usize = 500;

/// Reads the logs of the document itself and of its bibliography and index. In a build that failed nobody knows yet which
/// references and citations lead nowhere: the runs that would settle them were not made.
pub(super) fn of_logs(workspace: &Workspace, main: &WorkspacePath, output: &Output, end: LatexEnd) -> Vec<Problem> {
    let settled = end == LatexEnd::Done;
    let mut reading = Reading::new(workspace, main, settled);
    for end in ["log", "blg", "ilg"] {
        if let Some(log) = output.read(end, MOST_LOG) {
            reading.read(&log);
        }
    }
    reading.found
}

/// Reads what a program put out that writes no log of its own.
pub(super) fn of_output(workspace: &Workspace, main: &WorkspacePath, output: &[u8]) -> Vec<Problem> {
    let mut reading = Reading::new(workspace, main, false);
    reading.read(output);
    reading.found
}

/// Whether the engine asks for one more run.
pub(super) fn asks_again(output: &Output) -> bool {
    let log = output.read("log", MOST_LOG).unwrap_or_default();
    problems(log).iter().any(|problem| problem.kind == ProblemKind::Rerun)
}

/// Whether the engine found nothing to put on a page, and nothing wrong.
pub(super) fn has_no_pages(output: &Output) -> bool {
    let log = output.read("log", MOST_LOG).unwrap_or_default();
    let is_empty = log.windows(NO_PAGES.len()).any(|words| words == NO_PAGES);
    is_empty && problems(log).iter().all(|problem| problem.severity != Severity::Error)
}

const NO_PAGES: &[u8] = b"No pages of output.";

struct Reading<'a> {
    workspace: &'a Workspace,
    main: &'a WorkspacePath,
    /// Every run that was asked for was made.
    settled: bool,
    /// What was made of a document with R code.
    knitted: Option<Knitted>,
    /// The files that were named, read once; none if there is no such file here.
    sources: BTreeMap<WorkspacePath, Option<(Version, Arc<str>)>>,
    found: Vec<Problem>,
}

impl<'a> Reading<'a> {
    fn new(workspace: &'a Workspace, main: &'a WorkspacePath, settled: bool) -> Self {
        let knitted = Knitted::of(workspace, main);
        Self { workspace, main, settled, knitted, sources: BTreeMap::new(), found: Vec::new() }
    }

    fn read(&mut self, log: &[u8]) {
        for problem in problems(log) {
            if self.found.len() >= MOST {
                return;
            }
            if !self.settled && waits_for_another_run(problem.kind) {
                continue;
            }
            let told = self.told(&problem, log);
            if !self.found.contains(&told) {
                self.found.push(told);
            }
        }
    }

    fn told(&mut self, problem: &aside_latex::Problem, log: &[u8]) -> Problem {
        let named = match (&problem.file, problem.tool) {
            (None, Tool::Pythontex) => Some(self.main.clone()),
            (file, _) => file.as_deref().and_then(|file| self.workspace.source_path(self.main, file)),
        };
        let source = named.as_ref().and_then(|path| self.source(path));
        let (path, line, version) = match (source, named) {
            (Some((_, text)), Some(path)) if self.knitted.as_ref().is_some_and(|knitted| knitted.file == path) => {
                let made = within(problem.line_in(&text), &text);
                let line = self.knitted.as_ref().zip(made).and_then(|(knitted, line)| knitted.lines.source(line));
                let own = self.source(self.main);
                let line = line.zip(own.as_ref()).and_then(|(line, (_, text))| within(Some(line), text));
                (self.main.clone(), line, own.map(|(version, _)| version))
            }
            (Some((version, text)), Some(path)) => (path, within(problem.line_in(&text), &text), Some(version)),
            _ => (self.main.clone(), None, None),
        };
        let end_line = problem.end_line.filter(|end| line.is_some_and(|line| *end > line));
        Problem {
            path: Some(path),
            line,
            end_line,
            column: None,
            end_column: None,
            severity: severity(problem),
            message: harmless(&problem.message).into_owned(),
            source: ProblemSource::Latex,
            program: None,
            detail: Some(harmless(excerpt(log, problem, DETAIL).trim_end()).into_owned()),
            version: version.filter(|_| line.is_some()),
            found_line: None,
        }
    }

    fn source(&mut self, path: &WorkspacePath) -> Option<(Version, Arc<str>)> {
        let workspace = self.workspace;
        self.sources.entry(path.clone()).or_insert_with(|| workspace.text_with_lines(path)).clone()
    }
}

fn waits_for_another_run(kind: ProblemKind) -> bool {
    matches!(kind, ProblemKind::UndefinedReference | ProblemKind::UndefinedCitation | ProblemKind::Rerun)
}

/// A line that the file has.
fn within(line: Option<u32>, text: &str) -> Option<u32> {
    let lines = u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX);
    line.map(|line| line.min(lines))
}

fn severity(problem: &aside_latex::Problem) -> ProblemSeverity {
    match (problem.kind, problem.severity) {
        (ProblemKind::Overfull | ProblemKind::Underfull, _) => ProblemSeverity::Badbox,
        (_, Severity::Error) => ProblemSeverity::Error,
        (_, Severity::Warning) => ProblemSeverity::Warning,
        (_, Severity::Note) => ProblemSeverity::Info,
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use aside_store::{Store, StoreOptions};

    use super::*;

    fn check(log: &str, expect: &[(&str, Option<u32>)]) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("paper/chapters")).unwrap();
        std::fs::write(folder.path().join("paper/a.tex"), "one\ntwo\n").unwrap();
        std::fs::write(folder.path().join("paper/chapters/b.tex"), "one\ntwo\nthree\n").unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let log = log.replace("HERE", workspace.folder().to_str().unwrap());
        let main = WorkspacePath::new("paper/a.tex").unwrap();
        let found = of_output(&workspace, &main, log.as_bytes());
        let places: Vec<_> =
            found.iter().map(|problem| (problem.path.as_ref().unwrap().as_str(), problem.line)).collect();
        assert_eq!(places, expect);
        assert!(found.iter().all(|problem| problem.detail.as_ref().unwrap().len() <= DETAIL));
    }

    #[test]
    fn files_are_those_of_the_workspace() {
        let undefined = "! Undefined control sequence.\nl.2 \\x\n\n";
        check(&format!("(./a.tex (./chapters/b.tex\n{undefined}"), &[("paper/chapters/b.tex", Some(2))]);
        check(&format!("(HERE/paper/chapters/b.tex\n{undefined}"), &[("paper/chapters/b.tex", Some(2))]);
        check("./chapters/../a.tex:2: Undefined control sequence.\nl.2 \\x\n\n", &[("paper/a.tex", Some(2))]);
    }

    #[test]
    fn what_is_made_of_a_document_with_code_is_named_as_the_document() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.Rnw", "one\n<<>>=\n1\n@\n\\x\n");
        write("a.tex", "one\n\\begin{kframe}\n1\n[1] 1\n\\end{kframe}\n\\x\n");
        write("a-concordance.tex", "\\Sconcordance{concordance:a.tex:a.Rnw:%\n1 1 1 3 0 1 3}\n");
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let log = b"./a.tex:6: Undefined control sequence.\nl.6 \\x\n\n";
        let found = of_output(&workspace, &WorkspacePath::new("a.Rnw").unwrap(), log);
        assert_eq!((found[0].path.as_ref().unwrap().as_str(), found[0].line), ("a.Rnw", Some(5)));
    }

    #[test]
    fn a_forged_place_is_none() {
        let forged = |file: &str| format!("{file}:1: Undefined control sequence.\nl.1 \\x\n\n");
        check(&forged("/etc/passwd.tex"), &[("paper/a.tex", None)]);
        check(&forged("./../../../etc/passwd.tex"), &[("paper/a.tex", None)]);
        check(&forged("./no-such.tex"), &[("paper/a.tex", None)]);
        check("./a.tex:4000: Undefined control sequence.\nl.4000 \\x\n\n", &[("paper/a.tex", Some(3))]);
    }
}
