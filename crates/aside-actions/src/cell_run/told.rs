//! What cells put out, in words for a model: bounded, both ends of what is long, and the last line of an error always.

use aside_core::{ExecutionState, Observation, ShownImage};
use aside_kernels::{Ended, Output};
use aside_notebook::Raw;
use aside_workspace::Workspace;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

/// Characters of one output, and of all that is told.
const MOST: usize = 4_000;
const MOST_OF_ALL: usize = 16_000;
/// Characters that are told of any output however much there is.
const LEAST: usize = 400;
/// How it is told that the time was up.
pub(super) const LATE: &str = "it took longer than";
/// Bytes of an image that a model is shown, and how many of them.
const MOST_IMAGE: usize = 4 << 20;
const MOST_IMAGES: usize = 4;

/// "1 cell", "2 cells".
pub(super) fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

/// All of it, with where the rest is.
pub(super) fn told(workspace: &Workspace, path: &str, ended: &[Ended], stopped: Option<&str>) -> Observation {
    let (mut words, mut data, mut images) = (Vec::new(), Vec::new(), Vec::new());
    let mut room = MOST_OF_ALL;
    for one in ended {
        words.push(head(one));
        let mut outputs = Vec::new();
        for (number, output) in (1..).zip(&one.outputs) {
            let text = bounded(&text_of(output), MOST.min(room.max(LEAST)), number);
            room = room.saturating_sub(text.chars().count());
            outputs.push(facts(output, &text, number));
            words.push(text);
            images.extend(shown(workspace, output));
        }
        let execution = &one.execution;
        data.push(json!({"cell": execution.cell, "execution": execution.id, "state": execution.state, "count": execution.count, "outputs": outputs}));
    }
    words.extend(stopped.map(str::to_owned));
    let failed = stopped.is_some() || ended.iter().any(|one| one.execution.state != ExecutionState::Ok);
    let late = stopped.is_some_and(|why| why.starts_with(LATE));
    let mut all = json!({"path": path, "cells": data, "failed": failed, "stopped": stopped, "late": late});
    // Of many the last ones: what a run ends with is what was wanted.
    images.drain(..images.len().saturating_sub(MOST_IMAGES));
    if let Some(last) = images.last() {
        all["image"] = json!(last);
        all["images"] = json!(images);
    }
    Observation::with(words.join("\n"), all)
}

fn head(one: &Ended) -> String {
    let execution = &one.execution;
    let how = match execution.state {
        ExecutionState::Queued => "has not been begun",
        ExecutionState::Running => "still runs",
        ExecutionState::Ok => "ran",
        ExecutionState::Failed => "failed",
        ExecutionState::Aborted => "was not begun",
        ExecutionState::Lost => "was cut off: its kernel is gone",
    };
    let count = execution.count.map(|count| format!(" [{count}]")).unwrap_or_default();
    let silent =
        if execution.state == ExecutionState::Ok && one.outputs.is_empty() { ", and put out nothing" } else { "" };
    format!("cell {}{count} {how}{silent}", execution.cell)
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
    let text = ["text/markdown", "text/plain", "text/latex"]
        .iter()
        .find_map(|mime| members.iter().find(|member| member.name == *mime).and_then(|member| member.value.text()));
    let others = members.iter().filter(|member| !matches!(&*member.name, "text/plain" | "text/markdown"));
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

/// An image that a model which sees may be shown.
fn shown(workspace: &Workspace, output: &Output) -> Option<ShownImage> {
    let Output::Shown { shown, .. } = output else { return None };
    let data = Raw::parse(shown.data.get()).ok()?;
    let image = |kind: &str| {
        let base64: String = data.get(kind)?.text()?.split_whitespace().collect();
        let bytes = BASE64_STANDARD.decode(base64).ok().filter(|bytes| bytes.len() <= MOST_IMAGE)?;
        let sha256 = workspace.keep_image(&bytes).ok()?;
        Some(ShownImage { kind: kind.to_owned(), sha256, bytes: bytes.len() as u64 })
    };
    ["image/png", "image/jpeg", "image/gif", "image/webp"].into_iter().find_map(image)
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
    fn of_a_long_text_both_ends_are_told_and_the_last_line_of_an_error_always() {
        let raised = Raised { name: "E".into(), value: "why".into(), traceback: vec!["frame\n".repeat(10_000)] };
        let text = bounded(&text_of(&Output::Error(raised)), MOST, 3);
        assert!(text.starts_with("frame\n") && text.ends_with("E: why") && text.len() < MOST + 200, "{text}");
        assert!(text.contains("`notebook.read` has the whole as output 3 of the cell"));
    }
}
