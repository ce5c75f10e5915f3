//! What a server finds in a text, as problems. It is data of a program: bounded, and no character of it steers anything.

use aside_core::{Problem, ProblemSeverity, ProblemSource, WorkspacePath, harmless};
use serde::Deserialize;
use serde_json::Value;

use crate::place::{Lines, Range};

/// Problems that are kept of one file.
pub(crate) const MOST_IN_FILE: usize = 300;
/// Characters of a message, and of what else is said.
const LONGEST_MESSAGE: usize = 2_000;
const LONGEST_DETAIL: usize = 2_000;
const LONGEST_NAME: usize = 60;
/// Other places that are named.
const MOST_RELATED: usize = 5;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Diagnostic {
    range: Range,
    severity: Option<u8>,
    code: Option<Value>,
    code_description: Option<CodeDescription>,
    source: Option<String>,
    message: Value,
    #[serde(default)]
    related_information: Vec<Related>,
}

#[derive(Deserialize)]
struct CodeDescription {
    href: String,
}

#[derive(Deserialize)]
struct Related {
    location: Location,
    message: String,
}

#[derive(Deserialize)]
struct Location {
    uri: String,
    range: Range,
}

/// Returns the problems that a list of diagnostics tells of a file; `text` is what the server knows of it, none for a
/// file that is not open. What makes no sense is left out.
pub(crate) fn problems(found: &[Value], path: &WorkspacePath, text: Option<&str>, server: &str) -> Vec<Problem> {
    let lines = text.map(Lines::new);
    let read = found.iter().filter_map(|one| serde_json::from_value::<Diagnostic>(one.clone()).ok());
    let mut problems: Vec<Problem> =
        read.take(MOST_IN_FILE * 4).map(|one| problem(&one, path, lines.as_ref(), server)).collect();
    problems.sort_by_key(|problem| (problem.severity, problem.line, problem.column));
    problems.truncate(MOST_IN_FILE);
    problems
}

fn problem(found: &Diagnostic, path: &WorkspacePath, lines: Option<&Lines<'_>>, server: &str) -> Problem {
    let Range { start, end } = found.range;
    let (from, to) = match lines {
        Some(lines) => {
            let (from, to) = (lines.place(start), lines.place(end.max(start)));
            ((from.0, Some(from.1)), (to.0, Some(to.1)))
        }
        None => ((start.line.saturating_add(1), None), (end.line.max(start.line).saturating_add(1), None)),
    };
    let message = match &found.message {
        Value::String(message) => message,
        // Markup, which newer servers may send.
        other => other["value"].as_str().unwrap_or_default(),
    };
    let message = bounded(message, LONGEST_MESSAGE);
    let source = found.source.as_deref().filter(|source| !source.trim().is_empty()).unwrap_or(server);
    Problem {
        path: Some(path.clone()),
        line: Some(from.0),
        end_line: Some(to.0).filter(|line| *line > from.0),
        column: from.1,
        end_column: to.1,
        severity: severity(found.severity),
        message: if message.trim().is_empty() { "no message".to_owned() } else { message },
        source: ProblemSource::LanguageServer,
        program: Some(bounded(source, LONGEST_NAME)),
        detail: detail(found),
        version: None,
        found_line: None,
    }
}

/// A server that does not say how grave it is means an error, as editors take it.
fn severity(severity: Option<u8>) -> ProblemSeverity {
    match severity {
        Some(2) => ProblemSeverity::Warning,
        Some(3 | 4) => ProblemSeverity::Info,
        _ => ProblemSeverity::Error,
    }
}

/// The name of the rule, where it is explained, and what else has to do with it.
fn detail(found: &Diagnostic) -> Option<String> {
    let code = match &found.code {
        Some(Value::String(code)) => Some(code.clone()),
        Some(Value::Number(code)) => Some(code.to_string()),
        _ => None,
    };
    let page = found.code_description.as_ref().map(|page| page.href.clone());
    let related = found.related_information.iter().take(MOST_RELATED).map(|related| {
        let name = related.location.uri.rsplit('/').next().unwrap_or_default();
        format!("{name}, line {}: {}", related.location.range.start.line.saturating_add(1), related.message)
    });
    let said: Vec<String> = code.into_iter().chain(page).chain(related).filter(|said| !said.is_empty()).collect();
    (!said.is_empty()).then(|| bounded(&said.join("\n"), LONGEST_DETAIL))
}

fn bounded(text: &str, most: usize) -> String {
    let text = harmless(text.trim());
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(diagnostics: Value, text: Option<&str>) -> Vec<Problem> {
        problems(diagnostics.as_array().unwrap(), &WorkspacePath::new("a.py").unwrap(), text, "lab")
    }

    fn range(from: (u32, u32), to: (u32, u32)) -> Value {
        json!({"start": {"line": from.0, "character": from.1}, "end": {"line": to.0, "character": to.1}})
    }

    #[test]
    fn a_diagnostic_is_a_problem_at_its_characters() {
        let told = json!([{
            "range": range((1, 2), (1, 4)), "severity": 2, "code": "reportUnused", "source": "Pyright",
            "codeDescription": {"href": "https://rules.example/unused"}, "message": "“x” is not used",
            "relatedInformation": [
                {"location": {"uri": "file:///w/b.py", "range": range((4, 0), (4, 1))}, "message": "it begins here"}
            ],
        }]);
        let found = found(told, Some("ok\n😀xy = 1\n"));
        let [problem] = &found[..] else { panic!("one problem") };
        assert_eq!(
            (problem.line, problem.column, problem.end_line, problem.end_column),
            (Some(2), Some(2), None, Some(4))
        );
        assert_eq!((problem.severity, problem.source), (ProblemSeverity::Warning, ProblemSource::LanguageServer));
        assert_eq!((problem.message.as_str(), problem.program.as_deref()), ("“x” is not used", Some("Pyright")));
        assert_eq!(
            problem.detail.as_deref(),
            Some("reportUnused\nhttps://rules.example/unused\nb.py, line 5: it begins here")
        );
    }

    #[test]
    fn what_is_beyond_the_end_or_upside_down_is_at_a_place_that_is_there() {
        let told = json!([
            {"range": range((90, 0), (91, 0)), "message": "far"},
            {"range": range((0, 1), (0, 0)), "message": "upside down"},
        ]);
        let places: Vec<_> = found(told, Some("ab\ncd"))
            .into_iter()
            .map(|problem| (problem.line, problem.column, problem.end_column))
            .collect();
        assert_eq!(places, [(Some(1), Some(2), Some(2)), (Some(2), Some(3), Some(3))]);
    }

    #[test]
    fn what_makes_no_sense_is_left_out_and_the_rest_is_kept() {
        let told = json!([
            {"message": "no place"}, 7, null,
            {"range": range((0, 0), (0, 1)), "message": {"kind": "markdown", "value": "in markup\u{202e}\u{7}"}},
            {"range": range((0, 0), (0, 1)), "message": "", "severity": 4},
        ]);
        let found = found(told, None);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].message, "in markup\\u{202e}\\u{7}");
        assert_eq!((found[0].severity, found[0].column), (ProblemSeverity::Error, None));
        assert_eq!(found[0].program.as_deref(), Some("lab"), "the person's own name stands for one it does not give");
        assert_eq!(found[1].message, "no message");
    }

    #[test]
    fn a_flood_is_bounded_and_the_gravest_stay() {
        let mut told: Vec<Value> = (0..2 * MOST_IN_FILE as u32)
            .map(|line| json!({"range": range((line, 0), (line, 1)), "severity": 3, "message": "x".repeat(5_000)}))
            .collect();
        told.push(json!({"range": range((0, 0), (0, 1)), "severity": 1, "message": "grave"}));
        let found = found(Value::Array(told), None);
        assert_eq!((found.len(), found[0].message.as_str()), (MOST_IN_FILE, "grave"));
        assert!(found.iter().all(|problem| problem.message.chars().count() <= LONGEST_MESSAGE + 1));
    }
}
