//! Errors of TeX: `! …`, or `file:line: …`, then the context up to `l.123 …`, then help.

use std::ops::Range;

use super::files::{has_extension, plain_path};
use super::line::Line;
use super::words::{self, Context};
use super::{Reading, number};
use crate::problem::{Problem, ProblemKind, Severity, Tool};

/// As many lines are looked at for the line number of one error.
const LONGEST_CONTEXT: usize = 60;

/// Reads one error, if the line begins one.
pub(super) fn read(reading: &mut Reading, line: &Line) -> bool {
    if line.text.starts_with("Runaway ") && line.text.trim_end().ends_with('?') {
        let what = reading.next().map(|next| next.text).unwrap_or_default();
        reading.runaway = Some((line.raw.clone(), what.trim().to_owned()));
        return true;
    }
    let Some((place, said)) = head(&line.text) else { return false };
    let mut raw = line.raw.clone();
    let said = continued(reading, said, &mut raw);
    let (context, after) = context(reading, &mut raw);
    let runaway = reading.runaway.take();
    if said.starts_with("Emergency stop") || said.contains("==> Fatal error") {
        stopped(reading, said, &after, &context, raw);
    } else {
        failed(reading, place, said, after, &context, runaway, raw);
    }
    true
}

/// Where an error is, if its first line says so, and what it says.
pub(super) fn head(text: &str) -> Option<(Option<(String, u32)>, String)> {
    if let Some(said) = text.strip_prefix("! ").or_else(|| text.strip_prefix("!pdfTeX error: ")) {
        return Some((None, said.trim().to_owned()));
    }
    if let Some(said) = text.strip_prefix("[\\directlua]:").or_else(|| text.strip_prefix("[\\latelua]:")) {
        let (line, said) = number(said)?;
        let said = said.strip_prefix(": ")?;
        return Some((None, format!("Lua error in line {line} of the Lua code: {said}")));
    }
    if let Some(said) = text.strip_prefix("error: ") {
        return Some(located(said).map_or_else(|| (None, said.to_owned()), |(place, said)| (Some(place), said)));
    }
    located(text).map(|(place, said)| (Some(place), said))
}

/// Reads `file:line: text`. A file has an extension; its name may have colons and spaces.
pub(super) fn located(text: &str) -> Option<((String, u32), String)> {
    if text.starts_with([' ', '\t', '<', '(', '[', '\\']) || text.starts_with("warning: ") {
        return None;
    }
    text.match_indices(':').take(8).find_map(|(at, _)| {
        let (line, rest) = number(&text[at + 1..])?;
        let said = rest.strip_prefix(": ").or_else(|| rest.strip_prefix(":  "))?;
        has_extension(&text[..at]).then(|| ((plain_path(&text[..at]), line), said.trim().to_owned()))
    })
}

/// The lines that belong to what is said: indented, or behind the package's name in parentheses.
pub(super) fn continued(reading: &mut Reading, mut said: String, raw: &mut Range<usize>) -> String {
    let package = package(&said);
    let belongs = |text: &str| {
        text.starts_with("    ")
            || package.as_deref().is_some_and(|name| text.strip_prefix('(').is_some_and(|rest| rest.starts_with(name)))
    };
    while said.len() < 4 * super::LONGEST_SAID
        && let Some(line) = reading.next_if(belongs)
    {
        raw.end = line.raw.end;
        let text = line.text.trim();
        let text =
            if text.starts_with('(') { text.split_once(')').map_or(text, |(_, rest)| rest.trim()) } else { text };
        if !text.is_empty() {
            said = format!("{said} {text}");
        }
    }
    said
}

/// `x)` of `Package x Warning: …`: how the further lines begin, but for the parenthesis.
fn package(said: &str) -> Option<String> {
    let said = said.strip_prefix("Fatal ").unwrap_or(said);
    let mut words = said.split_whitespace();
    matches!(words.next()?, "Package" | "Class" | "Module" | "Critical").then_some(())?;
    Some(format!("{})", words.next()?))
}

/// The place that the context of an error names.
#[derive(Default)]
struct After {
    line: Option<u32>,
    near: Option<String>,
}

/// Reads on to the line number of an error, and over the help behind it.
fn context(reading: &mut Reading, raw: &mut Range<usize>) -> (Context, After) {
    let mut context = Context::default();
    let mut after = After::default();
    for _ in 0..LONGEST_CONTEXT {
        let Some(line) = reading.next_if(|text| !ends_context(text)) else { break };
        raw.end = line.raw.end;
        let text = line.text.as_str();
        let numbered = text.strip_prefix("l.").and_then(number);
        if let Some((at, near)) = numbered {
            after = After { line: Some(at), near: Some(near.trim().to_owned()) };
        }
        context.see(text);
        if numbered.is_some() || text.starts_with("<*>") {
            skip_help(reading, raw);
            break;
        }
    }
    (context, after)
}

fn ends_context(text: &str) -> bool {
    head(text).is_some()
        || opens_a_file(text)
        || text.starts_with(')')
        || text.starts_with("*** (")
        || super::warning::head(text).is_some()
        || super::boxes::is_box(text)
}

fn skip_help(reading: &mut Reading, raw: &mut Range<usize>) {
    if let Some(rest) = reading.next_if(|text| text.starts_with(' ') || text.is_empty()) {
        raw.end = rest.raw.end;
    }
    let is_help = |text: &str| {
        let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"(`.'*".contains(&byte));
        begins && !opens_a_file(text) && head(text).is_none() && super::warning::head(text).is_none()
    };
    for _ in 0..LONGEST_CONTEXT {
        let Some(line) = reading.next_if(is_help) else { break };
        raw.end = line.raw.end;
    }
}

fn opens_a_file(text: &str) -> bool {
    ["(./", "(../", "(/", "(\""].iter().any(|start| text.starts_with(start))
}

/// The end of a run is worth telling only if nothing else went wrong. It may know the line of what did.
fn stopped(reading: &mut Reading, said: String, after: &After, context: &Context, raw: Range<usize>) {
    let (file, line) = reading.files.place(after.line);
    if let Some(last) =
        reading.found.last_mut().filter(|last| last.severity == Severity::Error && last.tool == Tool::Tex)
    {
        if last.line.is_none() && last.kind != ProblemKind::Runaway && last.file == file {
            last.line = line;
            last.near = after.near.clone();
        }
    } else if !reading.failed() {
        let why = reading.next_if(|text| text.starts_with("*** (")).map(|line| line.text).unwrap_or_default();
        let (_, message) = words::of_error(&format!("{said} {why}"), context);
        reading.add(Problem {
            kind: ProblemKind::Stopped,
            near: after.near.clone(),
            ..problem(Severity::Error, (file, line), said, message, raw)
        });
    }
}

fn failed(
    reading: &mut Reading,
    place: Option<(String, u32)>,
    said: String,
    after: After,
    context: &Context,
    runaway: Option<(Range<usize>, String)>,
    mut raw: Range<usize>,
) {
    let (kind, message) = words::of_error(&said, context);
    let (kind, message) = match after.near.as_deref() {
        Some(near) if kind == ProblemKind::MissingMath && words::verb_in_argument(near) => {
            words::of_error("\\verb illegal in argument", context)
        }
        _ => (kind, message),
    };
    let place = match place {
        Some((file, _)) if file.ends_with(".lua") => reading.files.place(after.line),
        Some((file, line)) => reading.files.named(file, line),
        None => reading.files.place(after.line),
    };
    let mut near = after.near;
    if let Some((began, what)) = runaway {
        raw.start = began.start;
        near = Some(what);
    }
    reading.add(Problem { kind, near, ..problem(Severity::Error, place, said, message, raw) });
}

/// A problem of TeX of no particular kind.
pub(super) fn problem(
    severity: Severity,
    (file, line): (Option<String>, Option<u32>),
    said: String,
    message: String,
    raw: Range<usize>,
) -> Problem {
    let line = line.filter(|&line| line > 0);
    let kind = ProblemKind::Other;
    Problem { severity, kind, tool: Tool::Tex, message, said, file, line, end_line: None, near: None, raw }
}
