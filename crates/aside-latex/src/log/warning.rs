//! Warnings: `LaTeX Warning: …`, those of packages and classes, and the few that have forms of their own.

use std::ops::Range;

use super::files::Place;
use super::line::Line;
use super::{Reading, error, number, words};
use crate::problem::{Problem, ProblemKind, Severity};

/// Reads one warning, if the line begins one.
pub(super) fn read(reading: &mut Reading, line: &Line) -> bool {
    let mut raw = line.raw.clone();
    if let Some((place, said)) = located_warning(&line.text) {
        let message = said.clone();
        reading.add(error::problem(Severity::Warning, place, said, message, raw));
    } else if head(&line.text).is_some() {
        let said = error::continued(reading, line.text.trim().to_owned(), &mut raw);
        warned(reading, &said, raw);
    } else {
        return unusual(reading, line);
    }
    true
}

/// tectonic's `warning: file:line: …`.
fn located_warning(text: &str) -> Option<(Place, String)> {
    let said = text.strip_prefix("warning: ")?;
    Some(match error::located(said) {
        Some(((file, line), said)) => ((Some(file), Some(line)), said),
        None => ((None, None), said.to_owned()),
    })
}

/// What a warning says behind its author, if the line begins one.
pub(super) fn head(text: &str) -> Option<&str> {
    if let Some(said) = text.strip_prefix("pdfTeX warning") {
        return said.split_once(": ").map(|(_, said)| said);
    }
    let known = ["LaTeX ", "LaTeX3 ", "Package ", "Class ", "Module "].iter().any(|start| text.starts_with(start));
    let (author, said) = text.split_once("Warning: ").or_else(|| text.split_once("Warning:"))?;
    (known && author.split_whitespace().count() <= 3).then_some(said)
}

fn warned(reading: &mut Reading, said: &str, raw: Range<usize>) {
    let what = head(said).unwrap_or(said).trim();
    let (text, line) = on_input_line(what);
    let (kind, message) = meaning(said, text);
    let severity = if kind == ProblemKind::Rerun { Severity::Note } else { Severity::Warning };
    let place = reading.files.place(line);
    reading.add(Problem { kind, ..error::problem(severity, place, said.to_owned(), message, raw) });
}

/// A warning without the line it names, and the line.
fn on_input_line(said: &str) -> (&str, Option<u32>) {
    match said.rsplit_once(" on input line ").and_then(|(text, rest)| Some((text, number(rest)?.0))) {
        Some((text, line)) => (text, Some(line)),
        None => (said, None),
    }
}

fn meaning(said: &str, text: &str) -> (ProblemKind, String) {
    use ProblemKind::*;
    let name = words::quoted(text).unwrap_or_default();
    let undefined = text.contains("undefined");
    if text.starts_with("Reference ") && undefined {
        (UndefinedReference, format!("There is no label {name}."))
    } else if (text.starts_with("Citation ") || text.starts_with("Citation(s)")) && undefined {
        (UndefinedCitation, format!("{name} is not in the bibliography, or the bibliography has not been built yet."))
    } else if text.contains("multiply defined") {
        (DuplicateLabel, format!("The label {name} is defined more than once."))
    } else if text.starts_with("File ") && text.contains("not found") {
        words::missing_file(text)
    } else if said.contains("Rerun") || said.contains("rerun") || text.contains("may have changed") {
        (Rerun, "Another run is needed.".to_owned())
    } else if text.starts_with("There were undefined references") || text.contains("undefined references") {
        (UndefinedReference, SUMMARY.to_owned())
    } else if text.starts_with("There were undefined citations") {
        (UndefinedCitation, SUMMARY.to_owned())
    } else if text.contains("multiply-defined labels") {
        (DuplicateLabel, SUMMARY.to_owned())
    } else if text.contains("entry could not be found") || text.contains("entries could not be found") {
        (UndefinedCitation, text.to_owned())
    } else if text.starts_with("Unused global option") || text.contains("nknown option") {
        (BadOption, text.to_owned())
    } else if said.starts_with("LaTeX Font") {
        (MissingFont, text.to_owned())
    } else if text.contains("as a float") || text.contains("Float too large") || text.contains("float specifier") {
        (Float, text.to_owned())
    } else {
        (if said.starts_with("LaTeX") { Other } else { Package }, text.to_owned())
    }
}

const SUMMARY: &str = "Some are unknown; the log does not say which.";

/// Drops what only sums up others.
pub(super) fn drop_summaries(found: &mut Vec<Problem>) {
    use ProblemKind::*;
    let told = |problem: &Problem| problem.message != SUMMARY;
    let related = |one: ProblemKind, other: ProblemKind| {
        one == other
            || matches!((one, other), (UndefinedReference, UndefinedCitation) | (UndefinedCitation, UndefinedReference))
    };
    let kinds: Vec<ProblemKind> = found.iter().filter(|problem| told(problem)).map(|problem| problem.kind).collect();
    let is_told = |kind: ProblemKind| kinds.iter().any(|&other| related(kind, other));
    found.retain(|problem| told(problem) || !is_told(problem.kind));
}

/// Warnings in a form of their own.
fn unusual(reading: &mut Reading, line: &Line) -> bool {
    let text = line.text.trim_end();
    if let Some(rest) = text.strip_prefix("Missing character: There is no ") {
        let message = format!("The font has no character {}.", rest.trim_end_matches('!'));
        add(reading, ProblemKind::MissingCharacter, None, text, message, line);
    } else if let Some(name) = text.strip_prefix("No file ").and_then(|rest| rest.strip_suffix(".tex.")) {
        let message = format!("The file {name}.tex was not found.");
        add(reading, ProblemKind::MissingFile, None, text, message, line);
    } else if let Some(rest) = text.strip_prefix("### ") {
        if let Some((_, at)) = rest.split_once(" entered at line ") {
            let message = "A group is not closed: a closing brace or an \\end is missing.".to_owned();
            add(reading, ProblemKind::MissingBrace, number(at).map(|(line, _)| line), text, message, line);
        }
    } else {
        return text.trim_start_matches([')', ' ']).starts_with("(\\end occurred ");
    }
    true
}

fn add(reading: &mut Reading, kind: ProblemKind, at: Option<u32>, said: &str, message: String, line: &Line) {
    let place = reading.files.place(at);
    let found = error::problem(Severity::Warning, place, said.to_owned(), message, line.raw.clone());
    reading.add(Problem { kind, ..found });
}
