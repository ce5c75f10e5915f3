//! A problem as a prompt tells it: where it is and what was said, then the ends of what the stages put out. Bounded.

use crate::{Problem, Severity, Stage, excerpt, tail};

/// Bytes of the log around a problem.
const EXCERPT: usize = 1_200;
/// Bytes of the end of what one stage put out.
const TAIL: usize = 1_200;

/// What a helper needs to know of a problem. `log` is what it was read from; `outputs` are the stages that ran, in their order.
/// Each piece stands in a fence that nothing in it can close.
pub fn context(problem: &Problem, log: &[u8], outputs: &[(Stage, &[u8])]) -> String {
    let mut text = format!("{} {}\n", place(problem), problem.message);
    if let Some(near) = problem.near.as_deref().filter(|near| !near.is_empty()) {
        text.push_str(&fenced("LaTeX stopped behind this text:", near));
    }
    text.push_str(&fenced("From the log:", excerpt(log, problem, EXCERPT).trim_end()));
    for (stage, output) in outputs.iter().filter(|(_, output)| !output.is_empty()) {
        let cut = if output.len() > TAIL { ", the end of it" } else { "" };
        let head = format!("What the stage {} put out{cut}:", word(*stage));
        text.push_str(&fenced(&head, tail(output, TAIL).trim_end()));
    }
    text
}

fn place(problem: &Problem) -> String {
    let what = match problem.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Note => "Note",
    };
    match (&problem.file, problem.line) {
        (Some(file), Some(line)) => format!("{what} in `{file}`, line {line}:"),
        (Some(file), None) => format!("{what} in `{file}`:"),
        (None, _) => format!("{what}:"),
    }
}

fn word(stage: Stage) -> &'static str {
    match stage {
        Stage::Knitr => "knitr",
        Stage::Latex => "latex",
        Stage::Sagetex => "sagetex",
        Stage::Pythontex => "pythontex",
        Stage::Bibliography => "bibliography",
        Stage::Index => "index",
        Stage::Glossary => "glossary",
    }
}

fn fenced(head: &str, text: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{head}\n{fence}text\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[u8] = b"(./a.tex\n! Undefined control sequence.\nl.3 see ```` \\x\n    y\n\nmore";

    #[test]
    fn the_problem_comes_first_with_its_place() {
        let problem = &crate::problems(LOG)[0];
        let text = context(problem, LOG, &[(Stage::Sagetex, b""), (Stage::Latex, LOG)]);
        assert!(text.starts_with("Error in `a.tex`, line 3: The command \\x is not known"), "{text}");
        assert!(text.contains("`````text\n! Undefined control sequence.\n"), "{text}");
        assert!(text.contains("the stage latex put out:") && !text.contains("sagetex"), "{text}");
    }

    #[test]
    fn it_is_bounded() {
        let log = [LOG, &b"\n! x\n".repeat(10_000)].concat();
        let problem = &crate::problems(&log)[0];
        let text = context(problem, &log, &[(Stage::Latex, &log), (Stage::Bibliography, &log)]);
        assert!(text.len() < EXCERPT + 2 * TAIL + 1_500 && text.contains(", the end of it:"), "{}", text.len());
    }
}
