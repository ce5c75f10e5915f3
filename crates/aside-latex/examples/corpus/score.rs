//! Real logs of documents with one known fault each, built by `corpus/make.py`: is the first thing the parser says that fault?
//! Counted here for the test that holds it and for the example that prints it.

use std::path::{Path, PathBuf};

use aside_latex::{Problem, Severity, first, problems};

/// TeX notices some faults when it reads the line behind them.
const LATE: u32 = 1;

/// How the first problems of all logs compare with the faults that were put in.
pub struct Score {
    /// All logs.
    pub logs: usize,
    /// Those with a fault.
    pub faulty: usize,
    /// Per cent of the faults that are the first problem told.
    pub recall: f64,
    /// Per cent of what is told first that is the fault.
    pub precision: f64,
    /// Those of which the source is known.
    pub with_source: usize,
    /// Per cent of these on the very line with it.
    pub on_the_line: f64,
}

/// What was put into a document. A fault without kind is none at all.
struct Fault {
    name: String,
    file: Option<String>,
    line: Option<u32>,
    kind: Option<String>,
    /// The line in the source, which a log may not say.
    at: Option<u32>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

#[allow(clippy::disallowed_methods, reason = "the corpus is on disk")]
fn read(path: PathBuf) -> Vec<u8> {
    std::fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

fn faults() -> Vec<Fault> {
    let text = String::from_utf8(read(folder().join("faults.tsv"))).expect("faults.tsv is text");
    text.lines().map(fault).collect()
}

fn fault(row: &str) -> Fault {
    let cells: Vec<_> = row.split('\t').map(|cell| Some(cell.to_owned()).filter(|cell| cell != "-")).collect();
    let [name, file, line, kind, at] = <[_; 5]>::try_from(cells).expect("five cells");
    let number = |line: Option<String>| line.map(|line| line.parse().expect("a line number"));
    Fault { name: name.expect("a name"), file, line: number(line), kind, at: number(at) }
}

fn kind(problem: &Problem) -> String {
    serde_json::to_value(problem.kind).expect("a kind is a word").as_str().expect("a word").to_owned()
}

fn is(problem: &Problem, fault: &Fault) -> bool {
    let near = match (problem.line, fault.line) {
        (Some(said), Some(true_line)) => (true_line..=true_line + LATE).contains(&said),
        (said, true_line) => said == true_line,
    };
    near && problem.file == fault.file && Some(kind(problem)) == fault.kind
}

/// A note of one more run is no fault.
fn told(found: &[Problem]) -> Option<&Problem> {
    first(found).filter(|problem| problem.severity < Severity::Note || kind(problem) == "underfull")
}

/// Reads all of them; what is wrong is printed.
pub fn score() -> Score {
    let faults = faults();
    let (mut faulty, mut said, mut right) = (0, 0, 0);
    for fault in &faults {
        let found = problems(log_of(fault));
        let problem = told(&found);
        faulty += usize::from(fault.kind.is_some());
        said += usize::from(problem.is_some());
        if problem.is_some_and(|problem| is(problem, fault)) {
            right += 1;
        } else if problem.is_some() || fault.kind.is_some() {
            let shown = problem.map(|problem| (&problem.file, problem.line, kind(problem), &problem.said));
            eprintln!("{}: {:?}:{:?} {:?}, but {shown:?}", fault.name, fault.file, fault.line, fault.kind);
        }
    }
    let (with_source, on_the_line) = lines(&faults);
    let (recall, precision) = (percent(right, faulty), percent(right, said));
    Score { logs: faults.len(), faulty, recall, precision, with_source, on_the_line }
}

/// How many are found in the right file and have their source, and per cent of them on the very line.
fn lines(faults: &[Fault]) -> (usize, f64) {
    let documents: serde_json::Value = serde_json::from_slice(&read(folder().join("documents.json"))).expect("JSON");
    let (mut known, mut right) = (0, 0);
    for fault in faults {
        let found = problems(log_of(fault));
        let Some(problem) = told(&found).filter(|problem| problem.file == fault.file) else { continue };
        let source = fault.file.as_ref().and_then(|file| documents[&fault.name][file].as_str());
        let (Some(source), Some(at)) = (source, fault.at) else { continue };
        known += 1;
        if problem.line_in(source) == Some(at) {
            right += 1;
        } else {
            eprintln!("{}: line {at}, but {:?}", fault.name, problem.line_in(source));
        }
    }
    (known, percent(right, known))
}

fn log_of(fault: &Fault) -> Vec<u8> {
    read(folder().join("logs").join(format!("{}.log", fault.name)))
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}
