//! Real logs of documents with one known fault each, built by `corpus/make.py`: is the first thing the parser says that fault?

use std::path::{Path, PathBuf};

use aside_latex::{Problem, Severity, first, problems};

/// TeX notices some faults when it reads the line behind them.
const LATE: u32 = 1;

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

#[test]
fn the_first_problem_is_the_known_fault() {
    let faults = faults();
    let (mut faulty, mut said, mut right) = (0, 0, 0);
    for fault in &faults {
        let found = problems(read(folder().join("logs").join(format!("{}.log", fault.name))));
        let problem = told(&found);
        faulty += usize::from(fault.kind.is_some());
        said += usize::from(problem.is_some());
        if problem.is_some_and(|problem| is(problem, fault)) {
            right += 1;
        } else if problem.is_some() || fault.kind.is_some() {
            let shown = problem.map(|problem| (&problem.file, problem.line, kind(problem), &problem.said));
            println!("{}: {:?}:{:?} {:?}, but {shown:?}", fault.name, fault.file, fault.line, fault.kind);
        }
    }
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;
    let (recall, precision) = (percent(right, faulty), percent(right, said));
    println!("{} logs, {faulty} with a fault: recall {recall:.1} %, precision {precision:.1} %", faults.len());
    assert!(faulty >= 60 && recall >= 95.0 && precision >= 95.0, "recall {recall:.1} %, precision {precision:.1} %");
}

#[test]
fn with_the_source_the_line_is_the_true_one() {
    let documents: serde_json::Value = serde_json::from_slice(&read(folder().join("documents.json"))).expect("JSON");
    let (mut known, mut right) = (0, 0);
    for fault in faults() {
        let found = problems(read(folder().join("logs").join(format!("{}.log", fault.name))));
        let Some(problem) = told(&found).filter(|problem| problem.file == fault.file) else { continue };
        let source = fault.file.as_ref().and_then(|file| documents[&fault.name][file].as_str());
        let (Some(source), Some(at)) = (source, fault.at) else { continue };
        known += 1;
        if problem.line_in(source) == Some(at) {
            right += 1;
        } else {
            println!("{}: line {at}, but {:?}", fault.name, problem.line_in(source));
        }
    }
    let percent = 100.0 * f64::from(right) / f64::from(known);
    println!("{known} faults with their source: {percent:.1} % on the very line");
    assert!(known > 60 && percent >= 95.0, "{percent:.1} %");
}
