//! What cells put out, in words for a model: bounded, both ends of what is long, and the last line of an error always.

use aside_core::{ExecutionState, Observation};
use aside_kernels::{Ended, Output};
use aside_notebook::{Raw, html_text, joined};
use aside_workspace::Workspace;
use serde_json::{Value, json};

use crate::cells::show_images;

/// Characters of one output, and of all that is told.
const MOST: usize = 4_000;
const MOST_OF_ALL: usize = 14_000;
/// Characters that there have to be room for to tell of an output; of what is told in any case there are as many.
const LEAST: usize = 400;
/// How it is told that the time was up.
pub(super) const LATE: &str = "it took longer than";

/// "1 cell", "2 cells".
pub(super) fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

/// All of it, with where the rest is.
pub(super) fn told(workspace: &Workspace, path: &str, ended: &[Ended], stopped: Option<&str>) -> Observation {
    let (mut words, mut data) = (Vec::new(), Vec::new());
    let mut room = MOST_OF_ALL;
    for one in ended {
        words.push(head(one));
        let outputs = told_outputs(&one.outputs, &mut room, &mut words);
        let (execution, left_out) = (&one.execution, one.outputs.len() - outputs.len());
        let mut told = json!({"cell": execution.cell, "execution": execution.id, "state": execution.state, "count": execution.count, "outputs": outputs});
        if let Some(problem) = &execution.problem {
            told["problem"] = json!(problem);
        }
        if left_out > 0 {
            told["left_out"] = json!(left_out);
        }
        data.push(told);
    }
    words.extend(stopped.map(str::to_owned));
    let failed = stopped.is_some() || ended.iter().any(|one| one.execution.state != ExecutionState::Ok);
    let late = stopped.is_some_and(|why| why.starts_with(LATE));
    let mut all = json!({"path": path, "cells": data, "failed": failed, "stopped": stopped, "late": late});
    let forms = |output: &Output| match output {
        Output::Shown { shown, .. } => Raw::parse(shown.data.get()).ok(),
        _ => None,
    };
    show_images(workspace, &mut all, ended.iter().flat_map(|one| &one.outputs).rev().filter_map(forms));
    Observation::with(words.join("\n"), all)
}

/// As many outputs of a cell as there is room for, and in any case its last error and its last output: that is what it was run
/// for.
fn told_outputs(outputs: &[Output], room: &mut usize, words: &mut Vec<String>) -> Vec<Value> {
    let last_error = outputs.iter().rposition(|output| matches!(output, Output::Error(_)));
    let (mut told, mut left_out) = (Vec::new(), 0);
    for (number, output) in (1..).zip(outputs) {
        let is_wanted = number == outputs.len() || last_error.is_some_and(|last| number == last + 1);
        if *room < LEAST && !is_wanted {
            left_out += 1;
            continue;
        }
        words.extend(more(number, std::mem::take(&mut left_out)));
        let text = bounded(&text_of(output), MOST.min((*room).max(LEAST)), number);
        *room = room.saturating_sub(text.chars().count());
        told.push(facts(output, &text, number));
        words.push(text);
    }
    told
}

/// How the outputs are read that are left out before one.
fn more(before: usize, count: usize) -> Option<String> {
    let (first, last) = (before - count, before - 1);
    (count > 0).then(|| {
        format!("[… {count} more outputs are left out; `notebook.read` reads each, as output {first} to {last} of the cell …]")
    })
}

fn head(one: &Ended) -> String {
    let execution = &one.execution;
    let how = match execution.state {
        ExecutionState::Queued => "has not started",
        ExecutionState::Running => "is still running",
        ExecutionState::Ok => "ran",
        ExecutionState::Failed => "failed",
        ExecutionState::Aborted => "did not run",
        ExecutionState::Lost => "was interrupted: its kernel is gone",
    };
    let count = execution.count.map(|count| format!(" [{count}]")).unwrap_or_default();
    let silent = if execution.state == ExecutionState::Ok && one.outputs.is_empty() { ", with no output" } else { "" };
    let why = execution.problem.as_ref().map(|problem| format!(": {}", problem.message)).unwrap_or_default();
    format!("cell {}{count} {how}{silent}{why}", execution.cell)
}

fn text_of(output: &Output) -> String {
    match output {
        Output::Stream { name, text } => format!("{name}:\n{}", plain(text)),
        Output::Error(raised) => {
            let traceback = plain(&raised.traceback.join("\n"));
            let last = format!("{}: {}", raised.name, raised.value);
            if traceback.trim_end().ends_with(last.trim_end()) { traceback } else { format!("{traceback}\n{last}") }
        }
        Output::Shown { shown, is_result } => {
            let what = if *is_result { "value" } else { "shown" };
            format!("{what}:\n{}", forms(&Raw::parse(shown.data.get()).ok()))
        }
        Output::Other(raw) => raw.as_str().to_owned(),
    }
}

/// Its text if it has one, and what else it is.
fn forms(data: &Option<Raw>) -> String {
    let members = data.as_ref().and_then(Raw::members).unwrap_or_default();
    let named = |mime: &str| members.iter().find(|member| member.name == mime);
    let best = ["text/markdown", "text/plain", "text/latex", "text/html"].iter().find_map(|mime| named(mime));
    let text = best.and_then(|best| {
        let text = joined(&best.value)?;
        Some(if best.name == "text/html" { html_text(&text) } else { text })
    });
    let is_told = |name: &str| {
        matches!(name, "text/plain" | "text/markdown")
            || (name == "text/html" && best.is_some_and(|best| best.name == name))
    };
    let others = members.iter().filter(|member| !is_told(&member.name));
    let others: Vec<String> =
        others.map(|member| format!("[{}, {} bytes]", member.name, member.value.as_str().len())).collect();
    text.map(|text| plain(&text)).into_iter().chain(others).collect::<Vec<_>>().join("\n")
}

/// Both ends of a long text: more of the end of it, where errors say what they are. `number` is the output's, from 1, by which
/// `notebook.read` finds it.
fn bounded(text: &str, most: usize, number: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.trim_end().to_owned();
    }
    let head: String = text.chars().take(most / 3).collect();
    let tail: String = text.chars().skip(count - (most - most / 3)).collect();
    let left = count - most;
    format!(
        "{head}\n[… {left} characters are left out; `notebook.read` has the whole as output {number} of the cell …]\n{}",
        tail.trim_end()
    )
}

fn facts(output: &Output, text: &str, number: usize) -> Value {
    let kind = match output {
        Output::Stream { .. } => "stream",
        Output::Error(_) => "error",
        Output::Shown { is_result: true, .. } => "result",
        Output::Shown { .. } => "display",
        Output::Other(_) => "other",
    };
    json!({"output": number, "type": kind, "text": text})
}

/// Without the colours of a terminal, and of a line that was written over only what was left of it.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                // The parameters end with a letter or such.
                let _ = chars.by_ref().find(|char| ('@'..='~').contains(char));
            }
            '\r' if chars.peek() == Some(&'\n') => (),
            '\r' => plain.truncate(plain.rfind('\n').map_or(0, |end| end + 1)),
            char => plain.push(char),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use aside_jupyter::Raised;

    use super::*;

    #[test]
    fn colours_and_progress_bars_are_left_out() {
        assert_eq!(plain("a\u{1b}[0;31mred\u{1b}[0m\r\n10 %\r100 %\ndone"), "ared\n100 %\ndone");
    }

    #[test]
    fn of_very_many_outputs_the_first_ones_the_error_and_the_last_one_are_told() {
        let line = |at: usize| Output::Stream { name: format!("s{}", at % 2), text: "x".repeat(100) };
        let error = Output::Error(Raised { name: "E".into(), value: "why".into(), traceback: Vec::new() });
        let mut outputs: Vec<Output> = (0..5_000).map(line).collect();
        outputs.extend([error, line(0), line(1)]);
        let (mut room, mut words) = (MOST_OF_ALL, Vec::new());
        let told = told_outputs(&outputs, &mut room, &mut words);
        let numbers: Vec<_> = told.iter().skip(told.len() - 3).map(|one| one["output"].as_u64().unwrap()).collect();
        assert_eq!(&numbers[1..], [5_001, 5_003], "{numbers:?}");
        let words = words.join("\n");
        assert!(words.len() < MOST_OF_ALL + 1_000 && words.contains("E: why"), "{}", words.len());
        let rest = 5_000 - numbers[0];
        assert!(words.contains(&format!("[… {rest} more outputs are left out; `notebook.read` reads each, as output")));
    }

    #[test]
    fn of_a_long_text_both_ends_are_told_and_the_last_line_of_an_error_always() {
        let raised = Raised { name: "E".into(), value: "why".into(), traceback: vec!["frame\n".repeat(10_000)] };
        let text = bounded(&text_of(&Output::Error(raised)), MOST, 3);
        assert!(text.starts_with("frame\n") && text.ends_with("E: why") && text.len() < MOST + 200, "{text}");
        assert!(text.contains("`notebook.read` has the whole as output 3 of the cell"));
    }
}
