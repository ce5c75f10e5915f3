//! Boxes that are too full or too empty.

use super::line::Line;
use super::{Reading, error, number};
use crate::problem::{Problem, ProblemKind, Severity};

/// The text of a box that TeX shows is no longer than that.
const LONGEST_SHOWN: usize = 20;

pub(super) fn is_box(text: &str) -> bool {
    text.starts_with("Overfull \\") || text.starts_with("Underfull \\")
}

/// Reads one box, if the line begins one, and over the text of it.
pub(super) fn read(reading: &mut Reading, line: &Line) -> bool {
    if !is_box(&line.text) {
        return false;
    }
    let said = line.text.trim();
    let mut raw = line.raw.clone();
    let (from, to) = lines_of(said);
    for _ in 0..LONGEST_SHOWN {
        let Some(shown) = reading.next_if(|text| !text.trim().is_empty() && !is_box(text)) else { break };
        raw.end = shown.raw.end;
        if shown.text.trim() == "[]" {
            break;
        }
    }
    let overfull = said.starts_with("Over");
    let kind = if overfull { ProblemKind::Overfull } else { ProblemKind::Underfull };
    let severity = if overfull { Severity::Warning } else { Severity::Note };
    let place = reading.files.place(from);
    let found = error::problem(severity, place, said.to_owned(), meaning(said, overfull), raw);
    reading.add(Problem { kind, end_line: to, ..found });
    true
}

/// The lines a message names, the lesser first: `at lines 3--5`, `detected at line 3`.
fn lines_of(said: &str) -> (Option<u32>, Option<u32>) {
    if let Some((from, rest)) = said.rsplit_once(" at lines ").and_then(|(_, at)| number(at)) {
        let to = rest.strip_prefix("--").and_then(number).map_or(from, |(to, _)| to);
        return (Some(from.min(to)), Some(from.max(to)));
    }
    (said.rsplit_once(" at line ").and_then(|(_, at)| number(at)).map(|(line, _)| line), None)
}

fn meaning(said: &str, overfull: bool) -> String {
    let amount = said.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(amount, _)| amount);
    match (overfull, said.contains("\\hbox")) {
        (true, true) => format!("A line is {amount}."),
        (true, false) => format!("A page or a box is {amount}."),
        (false, true) => "A line is stretched too much, for example after \\\\ at the end of a paragraph.".to_owned(),
        (false, false) => "A page is stretched too much.".to_owned(),
    }
}
