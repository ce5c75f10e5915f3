//! What the programs around TeX say: BibTeX, Biber, makeindex, knitr, PythonTeX, SageTeX, latexmk.

use std::ops::Range;

use super::files::{Place, plain_path};
use super::line::Line;
use super::words::{missing_file, quoted};
use super::{Reading, number};
use crate::problem::{Problem, ProblemKind, Severity, Tool};

/// The program whose first line this is.
pub(super) fn banner(text: &str) -> Option<Tool> {
    if text.starts_with("Latexmk: ") {
        return Some(Tool::Latexmk);
    }
    if text.ends_with("This is Biber") || text.contains("INFO - This is Biber ") {
        return Some(Tool::Biber);
    }
    // SageTeX begins without a word; this is the line that starts it.
    if text.starts_with("$ sage ") && text.ends_with(".sagetex.sage") {
        return Some(Tool::Sagetex);
    }
    let name = text.strip_prefix("This is ")?;
    let known = [
        ("BibTeX", Tool::Bibtex),
        ("8-bit", Tool::Bibtex),
        ("pBibTeX", Tool::Bibtex),
        ("makeindex", Tool::Makeindex),
        ("PythonTeX", Tool::Pythontex),
    ];
    let known = known.iter().find(|(start, _)| name.starts_with(start)).map(|&(_, tool)| tool);
    known.or_else(|| name.contains("TeX, Version").then_some(Tool::Tex))
}

/// Reads one message of these programs, if the line begins one.
pub(super) fn read(reading: &mut Reading, line: &Line) -> bool {
    let of = |tool: Tool, reading: &Reading| reading.tool.is_none_or(|speaking| speaking == tool);
    (of(Tool::Bibtex, reading) && bibtex(reading, line))
        || (of(Tool::Biber, reading) && biber(reading, line))
        || (of(Tool::Makeindex, reading) && makeindex(reading, line))
        || (of(Tool::Knitr, reading) && knitr(reading, line))
        || (of(Tool::Pythontex, reading) && pythontex(reading, line))
        || (of(Tool::Sagetex, reading) && sagetex(reading, line))
        || (of(Tool::Latexmk, reading) && latexmk(reading, line))
}

fn bibtex(reading: &mut Reading, line: &Line) -> bool {
    let text = line.text.as_str();
    let mut raw = line.raw.clone();
    if let Some(said) = text.strip_prefix("Warning--") {
        let place = place_behind(reading, "--line ", &mut raw);
        add(reading, Tool::Bibtex, Severity::Warning, entry_or(said, ProblemKind::Bibliography), text, place, raw);
    } else if text.starts_with("I couldn't open ") {
        let name = text.rsplit_once(" file ").map_or("?", |(_, name)| name);
        let place = place_behind(reading, "---line ", &mut raw);
        let what = missing_file(&format!("File `{name}' not found"));
        add(reading, Tool::Bibtex, Severity::Error, what, text, place, raw);
    } else if let Some((said, place)) =
        text.split_once("---").and_then(|(said, rest)| Some((said, bibtex_place(rest)?)))
    {
        while let Some(shown) = reading.next_if(|text| text.starts_with(" : ") || text.starts_with("(Error may")) {
            raw.end = shown.raw.end;
        }
        let what = (ProblemKind::Bibliography, said.to_owned());
        add(reading, Tool::Bibtex, Severity::Error, what, said, place, raw);
    } else {
        return false;
    }
    true
}

/// `line 3 of file x` or `while reading file x`.
fn bibtex_place(text: &str) -> Option<Place> {
    if let Some(file) = text.strip_prefix("while reading file ") {
        return Some((Some(plain_path(file)), None));
    }
    let (line, rest) = number(text.strip_prefix("line ")?)?;
    Some((Some(plain_path(rest.strip_prefix(" of file ")?)), Some(line)))
}

fn place_behind(reading: &mut Reading, start: &str, raw: &mut Range<usize>) -> Place {
    let Some(line) = reading.next_if(|text| text.starts_with(start)) else { return (None, None) };
    raw.end = line.raw.end;
    bibtex_place(line.text.trim_start_matches('-')).unwrap_or_default()
}

/// An entry that is cited but not there, or what was said.
fn entry_or(said: &str, kind: ProblemKind) -> (ProblemKind, String) {
    if said.starts_with("I didn't find a database entry for ") {
        let name = quoted(&said["I didn't".len()..]).unwrap_or("?");
        return (ProblemKind::UndefinedCitation, format!("{name} is cited but is not in any bibliography file."));
    }
    (kind, said.to_owned())
}

fn biber(reading: &mut Reading, line: &Line) -> bool {
    let text =
        line.text.split_once("> ").filter(|_| line.text.starts_with('[')).map_or(line.text.as_str(), |(_, rest)| rest);
    if let Some(name) = text.strip_prefix("INFO - Found BibTeX data source ").and_then(quoted) {
        reading.bibliography = Some(plain_path(name));
        return true;
    }
    let levels = [("ERROR - ", Severity::Error), ("FATAL - ", Severity::Error), ("WARN - ", Severity::Warning)];
    let Some((said, severity)) = levels.iter().find_map(|&(start, grave)| Some((text.strip_prefix(start)?, grave)))
    else {
        return false;
    };
    let (place, said) =
        subsystem(said).map_or(((None, None), said), |(at, what)| ((reading.bibliography.clone(), Some(at)), what));
    let what = if said.starts_with("Cannot find ") {
        (ProblemKind::MissingFile, format!("The file {} was not found.", quoted(said).unwrap_or("?")))
    } else {
        entry_or(said, ProblemKind::Bibliography)
    };
    add(reading, Tool::Biber, severity, what, said, place, line.raw.clone());
    true
}

/// Reads `BibTeX subsystem: /a/copy/of/the/file, line 3, text`.
fn subsystem(said: &str) -> Option<(u32, &str)> {
    let (_, rest) = said.strip_prefix("BibTeX subsystem: ")?.split_once(", line ")?;
    let (line, rest) = number(rest)?;
    Some((line, rest.trim_start_matches([',', ' '])))
}

fn makeindex(reading: &mut Reading, line: &Line) -> bool {
    let text = line.text.as_str();
    let severity = match text.get(..2) {
        Some("!!") => Severity::Error,
        Some("##") if text.contains("Warning") => Severity::Warning,
        _ => return false,
    };
    let mut raw = line.raw.clone();
    let said = reading.next_if(|text| text.trim_start().starts_with("-- "));
    let said = said.map_or(text.to_owned(), |line| {
        raw.end = line.raw.end;
        line.text.trim_start_matches([' ', '-']).to_owned()
    });
    let file = ["file = ", "input = "].iter().find_map(|start| text.split_once(start)?.1.split(',').next());
    let at = text.split_once("line = ").and_then(|(_, rest)| number(rest)).map(|(line, _)| line);
    let what = (ProblemKind::Index, said.clone());
    add(reading, Tool::Makeindex, severity, what, &said, (file.map(plain_path), at), raw);
    true
}

/// What R says of the code that fails, until it names its calls.
const MOST_OF_R: usize = 8;

/// Code that fails: knitr says where, and R then says what.
fn knitr(reading: &mut Reading, line: &Line) -> bool {
    let Some((_, place)) = line.text.split_once("Quitting from ") else { return false };
    let mut raw = line.raw.clone();
    let mut said: Vec<String> = Vec::new();
    let ends = |text: &str| ["Calls:", "Backtrace:", "Execution halted"].iter().any(|end| text.starts_with(end));
    while said.len() < MOST_OF_R {
        let Some(line) = reading.next_if(|text| !ends(text)) else { break };
        raw.end = line.raw.end;
        said.extend(Some(line.text.trim().to_owned()).filter(|text| !text.is_empty()));
    }
    let said = if said.is_empty() { "R ended with an error.".to_owned() } else { said.join(" ") };
    add(reading, Tool::Knitr, Severity::Error, (ProblemKind::Code, said.clone()), &said, quit_at(place), raw);
    true
}

/// Code that fails: PythonTeX says the line of the document, whose name it leaves out, and then shows what Python says.
fn pythontex(reading: &mut Reading, line: &Line) -> bool {
    let Some((_, at)) = line.text.split_once("* PythonTeX stderr - error on line ") else { return false };
    let (mut raw, mut said) = (line.raw.clone(), String::new());
    while let Some(line) = reading.next_if(|text| text.starts_with("  ")) {
        raw.end = line.raw.end;
        // The last line of a traceback names the error.
        line.text.trim().clone_into(&mut said);
    }
    let at = number(at).map(|(line, _)| line);
    add(reading, Tool::Pythontex, Severity::Error, (ProblemKind::Code, said.clone()), &said, (None, at), raw);
    true
}

/// Code that fails: Sage shows a traceback, and SageTeX says before it or behind it which line of the document it is.
fn sagetex(reading: &mut Reading, line: &Line) -> bool {
    if line.text.starts_with(TRACEBACK) {
        reading.raised = raised(reading, line.raw.clone());
        return true;
    }
    let Some((_, at)) = line.text.split_once("Error in Sage code on line ") else { return false };
    if reading.raised.is_none() {
        while reading.next_if(|text| text.trim().is_empty()).is_some() {}
        let traceback = reading.next_if(|text| text.starts_with(TRACEBACK));
        reading.raised = traceback.and_then(|line| raised(reading, line.raw));
    }
    let unsaid = || (line.raw.clone(), "Sage ended with an error.".to_owned());
    let (raw, said) = reading.raised.take().unwrap_or_else(unsaid);
    let raw = raw.start.min(line.raw.start)..raw.end.max(line.raw.end);
    let file = at.split_once(" of ").and_then(|(_, rest)| rest.split_once('!')).map(|(file, _)| plain_path(file));
    let at = number(at).map(|(line, _)| line);
    add(reading, Tool::Sagetex, Severity::Error, (ProblemKind::Code, said.clone()), &said, (file, at), raw);
    true
}

const TRACEBACK: &str = "Traceback (most recent call last):";

/// The last line of a traceback, which names the error, and where the whole stands.
fn raised(reading: &mut Reading, mut raw: Range<usize>) -> Option<(Range<usize>, String)> {
    while let Some(line) = reading.next_if(|text| text.starts_with("  ")) {
        raw.end = line.raw.end;
    }
    let named = reading.next_if(|text| !text.trim().is_empty())?;
    Some((raw.start..named.raw.end, named.text.trim().to_owned()))
}

/// Reads `lines 4-5 (a.Rnw)`, `lines 4-5 [chunk] (a.Rnw)` and, of newer versions, `a.Rnw:4-5 [chunk]`.
fn quit_at(text: &str) -> Place {
    let text = text.trim_end();
    if let Some(rest) = text.strip_prefix("lines ").or_else(|| text.strip_prefix("line ")) {
        let file = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).map(|(_, file)| plain_path(file));
        return (file, number(rest).map(|(line, _)| line));
    }
    let place = text.split_once(" [").map_or(text, |(place, _)| place);
    let found = place.rsplit_once(':').and_then(|(file, lines)| Some((plain_path(file), number(lines)?.0)));
    found.map_or((None, None), |(file, line)| (Some(file), Some(line)))
}

fn latexmk(reading: &mut Reading, line: &Line) -> bool {
    let Some(said) = line.text.strip_prefix("Latexmk: ") else { return false };
    let lost = said.contains("ould not find file") || said.contains("an't find file");
    if lost {
        let what = (ProblemKind::MissingFile, format!("The file {} was not found.", quoted(said).unwrap_or("?")));
        add(reading, Tool::Latexmk, Severity::Error, what, said, (None, None), line.raw.clone());
    } else if said.starts_with("Errors, so I did not complete") && !reading.failed() {
        let what = (ProblemKind::Stopped, "latexmk stopped; its output shows the error.".to_owned());
        add(reading, Tool::Latexmk, Severity::Error, what, said, (None, None), line.raw.clone());
    }
    true
}

fn add(
    reading: &mut Reading,
    tool: Tool,
    severity: Severity,
    (kind, message): (ProblemKind, String),
    said: &str,
    (file, line): Place,
    raw: Range<usize>,
) {
    let line = line.filter(|&line| line > 0);
    let said = said.to_owned();
    reading.add(Problem { severity, kind, tool, message, said, file, line, end_line: None, near: None, raw });
}
