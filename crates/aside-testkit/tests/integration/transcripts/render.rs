//! A scene as text: the thread as a person reads it, what the model was told, the audit, the files.

use std::fmt::Write as _;

use aside_agent::TaskDetail;
use aside_core::{
    ActionRecord, ActionState, Hunk, Origin, Outcome, Preview, PreviewBody, StepStop, ThreadEvent, ThreadEventBody,
    ToolCall, TurnEnd,
};
use aside_llm::ModelRequest;
use aside_store::ChainEntry;
use serde_json::Value;

use crate::transcripts::model::news;

/// Longer files are shown where they have changed.
const MOST_LINES: usize = 100;

/// Everything there is to see.
pub struct Render<'a> {
    pub events: &'a [ThreadEvent],
    pub asked: &'a [ModelRequest],
    pub plans: &'a [TaskDetail],
    pub scripts: &'a [TaskDetail],
    pub audit: &'a [ChainEntry],
    pub files: &'a [(&'a str, String)],
    pub before: &'a [(&'a str, &'a str)],
}

/// Writes it down.
pub fn render(seen: &Render<'_>) -> String {
    let mut out = String::new();
    let mut requests = seen.asked.iter();
    for event in seen.events {
        thread_event(&mut out, &event.body);
        if let ThreadEventBody::StepStarted { .. } = event.body
            && let Some(request) = requests.next()
        {
            told(&mut out, request);
        }
    }
    for detail in seen.plans {
        plan(&mut out, detail);
        // The work of turns is noted beside them, so that which number comes next is not the same in every run.
        out = out.replace(detail.task.id.as_str(), "(its id)");
    }
    for detail in seen.scripts {
        script(&mut out, detail);
        out = out.replace(detail.task.id.as_str(), "(its id)");
    }
    out.push_str("\naudit\n");
    for entry in seen.audit {
        audit(&mut out, &serde_json::from_str(&entry.body).unwrap());
    }
    for ((path, after), (_, before)) in seen.files.iter().zip(seen.before) {
        if after == before {
            _ = writeln!(out, "\n{path}: unchanged");
        } else {
            _ = write!(out, "\n{path}\n{}", changed(after, before));
        }
    }
    out
}

fn plan(out: &mut String, detail: &TaskDetail) {
    line(out, format!("\nplan “{}”: {:?}", detail.task.goal, detail.task.state).to_lowercase());
    for step in detail.plan.iter().flat_map(|plan| &plan.steps) {
        line(out, format!("  {}. {}: {:?}", step.number, step.request.action_type, step.state).to_lowercase());
        if let Some(shown) = &step.preview {
            preview(out, shown);
        }
        for hunk in step.rejected.iter().flat_map(|file| &file.hunks) {
            line(out, format!("      rejected @{}: {:?} to {:?}", hunk.start, hunk.old, hunk.new));
        }
    }
}

fn script(out: &mut String, detail: &TaskDetail) {
    let summary = detail.task.summary.as_deref().unwrap_or_default();
    line(out, format!("\nscript “{}”: {:?}, {summary}", detail.task.goal, detail.task.state));
    for change in detail.script.iter().flat_map(|script| script.changes.iter().flatten()) {
        let asks = if change.asks { ", asks" } else { "" };
        line(out, format!("  {}: {} ({:?}{asks})", change.action_type, change.summary, change.completeness));
    }
    for record in &detail.actions {
        line(out, format!("  call {}: {:?}", record.envelope.action_type, record.state).to_lowercase());
    }
    if let Some(result) = detail.script.as_ref().and_then(|script| script.result.as_ref()) {
        line(out, format!("  result {result}"));
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Of a long file, the lines that it did not have and those around them.
fn changed(after: &str, before: &str) -> String {
    let lines: Vec<&str> = after.lines().collect();
    if lines.len() <= MOST_LINES {
        return indented(after);
    }
    let is_new = |line: &str| !before.lines().any(|old| old == line);
    let near = |at: usize| lines[at.saturating_sub(1)..(at + 2).min(lines.len())].iter().any(|line| is_new(line));
    let shown = (0..lines.len()).filter(|at| near(*at)).map(|at| format!("{}: {}\n", at + 1, lines[at]));
    indented(&format!("{}({} lines)\n", shown.collect::<String>(), lines.len()))
}

fn line(out: &mut String, text: impl AsRef<str>) {
    _ = writeln!(out, "{}", text.as_ref().replace('\n', "\n      "));
}

/// The file itself is not repeated.
fn told(out: &mut String, request: &ModelRequest) {
    for message in news(request) {
        let message = match message.split_once("\nFull text:") {
            Some((head, _)) => format!("{head} (and all of it)"),
            None => message,
        };
        line(out, format!("    told {message}"));
    }
}

fn thread_event(out: &mut String, event: &ThreadEventBody) {
    match event {
        ThreadEventBody::ThreadChanged { thread } => line(out, format!("# {}, {:?}", thread.title, thread.mode)),
        ThreadEventBody::TurnStarted { text, by, .. } => line(out, format!("{by}> {text}")),
        ThreadEventBody::ContextSent { chips, .. } => {
            chips.iter().for_each(|chip| line(out, format!("  sent: {}", chip.label)));
        }
        ThreadEventBody::StepStarted { step, .. } => line(out, format!("  step {step}")),
        ThreadEventBody::StepEnded { text, calls, stop, .. } => step_ended(out, text, calls, stop),
        ThreadEventBody::ActionChanged { record } => action(out, record),
        ThreadEventBody::Notice { call, text, .. } => {
            let about = call.as_ref().map(|call| format!(" ({call})")).unwrap_or_default();
            line(out, format!("    notice{about}: {text}"));
        }
        ThreadEventBody::TurnEnded { end, .. } => line(out, format!("  end: {}", turn_end(end))),
    }
}

fn turn_end(end: &TurnEnd) -> String {
    match end {
        TurnEnd::Failed { failure } => format!("failed, {}: {failure}", failure.code),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn step_ended(out: &mut String, text: &str, calls: &[ToolCall], stop: &StepStop) {
    let cut = matches!(stop, StepStop::Stopped | StepStop::Interrupted) && !text.is_empty();
    let text = if cut { "(as far as it came)" } else { text };
    if !text.is_empty() {
        line(out, format!("    says: {text}"));
    }
    for call in calls {
        let source = if call.from_text { " from its text" } else { "" };
        line(out, format!("    calls {}{source} {}", call.name, call.args));
    }
    if !matches!(stop, StepStop::End | StepStop::ToolCalls) {
        line(out, format!("    stop: {stop:?}"));
    }
}

fn action(out: &mut String, record: &ActionRecord) {
    let reads_focus = matches!(&record.origin, Origin::Turn { call, .. } if call == "focus");
    if reads_focus || record.state == ActionState::Running || record.state == ActionState::Proposed {
        return;
    }
    let name = &record.envelope.action_type;
    let part = if record.parent.is_some() { ", one part" } else { "" };
    let state = format!("{:?}", record.state).to_lowercase();
    let words = match &record.outcome {
        Some(Outcome::Done { observation }) => observation.text.clone(),
        Some(Outcome::Failed { failure } | Outcome::Refused { failure, .. }) => format!("{}: {failure}", failure.code),
        Some(Outcome::Interrupted { reason }) => reason.clone(),
        None => format!("because of {}", record.verdict.rule),
    };
    line(out, format!("    {name}{part}: {state}, {words}"));
    if record.state == ActionState::AwaitingConfirmation
        && let Some(shown) = &record.preview
    {
        let decided = record.parts.len();
        if decided > 0 {
            return line(out, format!("      {decided} decided, {} open", record.open_parts().len()));
        }
        preview(out, shown);
    }
}

fn preview(out: &mut String, preview: &Preview) {
    line(out, format!("      {}", preview.summary));
    for warning in &preview.warnings {
        line(out, format!("      warning: {}", warning.text));
    }
    let PreviewBody::Diff { files } = &preview.body else { return };
    for file in files {
        file.hunks.iter().for_each(|shown| hunk(out, shown));
    }
}

fn hunk(out: &mut String, hunk: &Hunk) {
    line(out, format!("      @{} ({:?})", hunk.start, hunk.confidence).to_lowercase());
    hunk.old.iter().for_each(|text| line(out, format!("      -{text}")));
    hunk.new.iter().for_each(|text| line(out, format!("      +{text}")));
}

fn audit(out: &mut String, entry: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if text(&entry["origin"]["call"]) == "focus" {
        return;
    }
    let mut words = vec![text(&entry["kind"]), text(&entry["action_type"]), text(&entry["origin"]["kind"])];
    if let Some(answer) = entry["answer"].as_object() {
        words.push(format!("{} by {}", text(&answer["decision"]), text(&answer["by"])));
    }
    words.push(text(&entry["outcome"]["kind"]));
    words.retain(|word| !word.is_empty());
    line(out, format!("    {}", words.join(" ")));
}
