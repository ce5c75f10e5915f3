//! What came of a build: in words that fit a model's window, and whole as data.

use aside_core::{LatexBuild, LatexEnd, Problem, ProblemSeverity, Sha256, WorkspacePath};
use aside_workspace::{Compared, LatexBuilt, process::plain_text};
use serde::Serialize;
use serde_json::Value;

use crate::files::counted;

/// Problems that are named in words, and those of them that are told with the program's own words.
const NAMED: usize = 20;
const DETAILED: usize = 2;
/// Bytes of these words.
const DETAIL: usize = 500;
/// Problems among the data, and bytes of the output.
const LISTED: usize = 200;
const SHOWN: usize = 16 * 1024;

/// What is told.
pub(super) struct Told {
    pub words: String,
    pub data: Value,
}

#[derive(Serialize)]
struct Data<'a> {
    build: &'a LatexBuild,
    problems: &'a [Problem],
    /// How many more there are.
    more_problems: usize,
    output: Output,
    changed: Vec<&'a WorkspacePath>,
}

#[derive(Serialize)]
struct Output {
    /// Names the whole of it.
    handle: Option<Sha256>,
    /// The end of it, or all.
    text: String,
    /// There is more before that.
    cut: bool,
}

pub(super) fn told(
    built: &LatexBuilt,
    handle: Option<Sha256>,
    stopped_by: Option<&str>,
    compared: Option<&Compared>,
) -> Told {
    let text = plain_text(&built.output);
    let from = text.ceil_char_boundary(text.len().saturating_sub(SHOWN));
    let problems = if built.build.end == LatexEnd::Stopped { &[] } else { built.problems.as_slice() };
    let mut words = vec![head(&built.build, stopped_by)];
    words.extend(problems.iter().take(NAMED).enumerate().map(|(at, problem)| line(problem, at < DETAILED)));
    if problems.len() > NAMED {
        words.push(format!("and {} more", problems.len() - NAMED));
    }
    if let Some(handle) = &handle {
        words.push(format!("Full output: `shell.output` with `output` {handle}."));
    }
    let data = Data {
        build: &built.build,
        problems: &problems[..problems.len().min(LISTED)],
        more_problems: problems.len().saturating_sub(LISTED),
        output: Output { handle, text: text[from..].to_owned(), cut: from > 0 },
        changed: compared.iter().flat_map(|compared| compared.changes.iter().map(|change| &change.path)).collect(),
    };
    Told { words: words.join("\n"), data: serde_json::to_value(data).expect("it serialises to JSON") }
}

fn head(build: &LatexBuild, stopped_by: Option<&str>) -> String {
    let took = format!("{:.1} s", build.duration_ms as f64 / 1000.0);
    let warnings = counted(build.warnings as usize, "warning");
    match (build.end, &build.pdf) {
        (LatexEnd::Done, Some(pdf)) => format!("Built {pdf} in {took}, with {warnings}."),
        (LatexEnd::Done, None) => format!("Built {} in {took}, with {warnings}.", build.main),
        (LatexEnd::Failed, pdf) => {
            let errors = counted(build.errors as usize, "error");
            let kept = if pdf.is_some() { " The PDF of the last successful build is kept." } else { "" };
            format!("Couldn't build {}: {errors} and {warnings} after {took}.{kept}", build.main)
        }
        (LatexEnd::Stopped, _) => {
            format!("The build of {} was stopped by {} after {took}.", build.main, stopped_by.unwrap_or("somebody"))
        }
    }
}

fn line(problem: &Problem, with_detail: bool) -> String {
    let severity = match problem.severity {
        ProblemSeverity::Error => "error",
        ProblemSeverity::Warning => "warning",
        ProblemSeverity::Info => "note",
        ProblemSeverity::Badbox => "box",
    };
    let path = problem.path.as_ref().map_or("?", |path| path.as_str());
    let place = match problem.line {
        Some(line) => format!("{path}:{line}"),
        None => path.to_owned(),
    };
    let detail = problem.detail.as_deref().filter(|_| with_detail && problem.severity == ProblemSeverity::Error);
    let detail = detail.map(|detail| format!("\n{}", indented(&detail[..detail.floor_char_boundary(DETAIL)])));
    format!("{place}: {severity}: {}{}", problem.message, detail.unwrap_or_default())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
