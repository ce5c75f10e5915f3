//! A thread as Markdown, to be kept or sent: what was asked, answered and done.

use std::{collections::BTreeMap, fmt::Write as _};

use aside_core::{
    ActionId, ActionRecord, ActionState, FileDiff, PreviewBody, Thread, ThreadEvent, ThreadEventBody, TurnEnd, harmless,
};

use crate::grammar::fenced;

/// Returns the thread as CommonMark: messages as quotes, answers as they were written (blocks as code), actions as a list with their
/// diffs. What a model thought aloud, what was read and the results for models are left out.
pub fn as_markdown(thread: &Thread, events: &[ThreadEvent]) -> String {
    let mut transcript = Transcript { text: format!("# {}\n", harmless(&thread.title)), ..Transcript::default() };
    transcript.head(thread);
    for event in events {
        // An action is told once, as it is now, where it first came up.
        if let ThreadEventBody::ActionChanged { record } = &event.body {
            transcript.records.insert(&record.envelope.id, record);
        }
    }
    events.iter().for_each(|event| transcript.take(event));
    transcript.text
}

#[derive(Default)]
struct Transcript<'a> {
    text: String,
    records: BTreeMap<&'a ActionId, &'a ActionRecord>,
}

impl<'a> Transcript<'a> {
    fn head(&mut self, thread: &Thread) {
        let document = thread.document.as_ref().map(|path| format!("About {}. ", code(path.as_str())));
        let _ = writeln!(self.text, "\n{}Started on {}.", document.unwrap_or_default(), thread.created.day());
    }

    fn take(&mut self, event: &'a ThreadEvent) {
        match &event.body {
            ThreadEventBody::TurnStarted { text, by, model, .. } => {
                let _ = writeln!(self.text, "\n## {}, {}\n\n{}", harmless(by), event.at.day(), quoted(text));
                let _ = writeln!(self.text, "\n**{}**", harmless(&model.to_string()));
            }
            ThreadEventBody::StepEnded { text, .. } if !text.trim().is_empty() => {
                let _ = writeln!(self.text, "\n{}", fenced(text.trim_end()));
            }
            ThreadEventBody::ActionChanged { record } => self.action(record),
            ThreadEventBody::TurnEnded { end, .. } => self.ended(end),
            _ => {}
        }
    }

    fn action(&mut self, record: &'a ActionRecord) {
        // Only what had an effect or would have: what was read is in no reader's way.
        let Some(now) = self.records.remove(&record.envelope.id) else { return };
        let Some(preview) = now.preview.as_ref().filter(|preview| preview.body != PreviewBody::Nothing) else { return };
        let _ = writeln!(self.text, "\n- **{}**: {}", one_line(&preview.summary), state_word(now.state));
        match &preview.body {
            PreviewBody::Diff { files } => files.iter().for_each(|file| self.diff(file)),
            PreviewBody::Command { argv, .. } => self.block("sh", &argv.join(" ")),
            PreviewBody::Changes { rows } => {
                for row in rows {
                    let side = |side: &Option<String>| one_line(side.as_deref().unwrap_or("–"));
                    let _ = writeln!(
                        self.text,
                        "  - {}: {} → {}",
                        one_line(&row.object),
                        side(&row.before),
                        side(&row.after)
                    );
                }
            }
            PreviewBody::Rows { rows } => {
                for row in rows {
                    let side = |side: &Option<String>| one_line(side.as_deref().unwrap_or("–"));
                    let place = one_line(row.path.as_str());
                    let _ = writeln!(self.text, "  - {place}: {} → {}", side(&row.before), side(&row.after));
                }
            }
            PreviewBody::Nothing => {}
        }
    }

    fn diff(&mut self, file: &FileDiff) {
        let mut lines = String::new();
        for hunk in &file.hunks {
            let first = usize::try_from(hunk.start).unwrap_or(1).saturating_sub(hunk.before.len());
            let _ = writeln!(lines, "@@ line {first} @@");
            let sides = [(' ', &hunk.before), ('-', &hunk.old), ('+', &hunk.new), (' ', &hunk.after)];
            for (mark, side) in sides {
                side.iter().for_each(|line| lines += &format!("{mark}{line}\n"));
            }
        }
        let note = file.note.as_deref().map(|note| format!(" ({})", one_line(note))).unwrap_or_default();
        let cell =
            file.cell.as_ref().map(|cell| format!(", cell {} {}", cell.number, code(&cell.key))).unwrap_or_default();
        let _ = writeln!(self.text, "\n  {}{cell}{note}", code(file.path.as_str()));
        if !lines.is_empty() {
            self.block("diff", &lines);
        }
    }

    /// A fenced block inside the list's entry, with a fence that nothing in it can close.
    fn block(&mut self, language: &str, content: &str) {
        let fence = "`".repeat(longest_run(content).max(2) + 1);
        let _ = writeln!(self.text, "\n  {fence}{language}");
        content.lines().for_each(|line| self.text += &format!("  {}\n", harmless(line)));
        let _ = writeln!(self.text, "  {fence}");
    }

    fn ended(&mut self, end: &TurnEnd) {
        let words = match end {
            TurnEnd::Done => return,
            TurnEnd::Stopped => "Stopped.".to_owned(),
            TurnEnd::StepLimit { steps } => format!("Stopped after {steps} steps."),
            TurnEnd::OutOfBudget { steps, done, left, .. } => {
                let left = left.as_deref().map(|left| format!(", left: {}", one_line(left))).unwrap_or_default();
                format!("Stopped after {steps} steps: {done} done{left}.")
            }
            TurnEnd::HandOff { offer } => format!("Needs the coding agent: {}", one_line(&offer.reason)),
            TurnEnd::Interrupted => "Interrupted when the server stopped.".to_owned(),
            TurnEnd::Failed { failure } => format!("Failed: {}", one_line(&failure.message)),
        };
        let _ = writeln!(self.text, "\n*{words}*");
    }
}

fn state_word(state: ActionState) -> &'static str {
    match state {
        ActionState::Proposed | ActionState::AwaitingConfirmation => "waiting for a decision",
        ActionState::Running => "running",
        ActionState::Done => "done",
        ActionState::Failed => "failed",
        ActionState::Refused => "refused",
        ActionState::Interrupted => "interrupted",
        ActionState::Undone => "undone",
    }
}

/// Each line as part of a quote.
fn quoted(text: &str) -> String {
    let line = |line: &str| format!("> {}", harmless(line)).trim_end().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A code span that holds whatever the text holds (CommonMark 0.31, section 6.1).
fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", harmless(text))
}

/// The most backticks in a row.
fn longest_run(text: &str) -> usize {
    text.split(|one| one != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use aside_core::{
        Completeness, Confidence, Cost, FileChange, Hunk, Id as _, Preview, ReviewMode, StepStop, ThreadId, Timestamp,
        Usage,
    };
    use serde_json::Value;

    use super::*;
    use crate::testing::{record, turn_id};

    fn thread() -> Thread {
        Thread {
            thinking: Default::default(),
            id: ThreadId::from_parts(Timestamp(1), 1),
            title: "Rename `ht`".into(),
            document: Some("tides/a`b.py".parse().unwrap()),
            mode: ReviewMode::default(),
            model: None,
            created: Timestamp(0),
            updated: Timestamp(0),
            archived: false,
            runs: Default::default(),
            runs_after_outputs: None,
            cell: None,
            grant: None,
            hint: false,
            navigator: None,
            without: vec![],
            off: vec![],
        }
    }

    fn events(bodies: Vec<ThreadEventBody>) -> Vec<ThreadEvent> {
        (1..).zip(bodies).map(|(seq, body)| ThreadEvent { seq, at: Timestamp(0), body }).collect()
    }

    fn edit(state: ActionState) -> ThreadEventBody {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let hunk = Hunk {
            part: 0,
            start: 2,
            old: lines(&["ht = 1"]),
            new: lines(&["height = 1", "```"]),
            before: lines(&["# tide"]),
            after: vec![],
            confidence: Confidence::Exact,
            anchor: None,
        };
        let path = "tides/a`b.py".parse().unwrap();
        let file = FileDiff { path, change: FileChange::Edited, base: None, hunks: vec![hunk], note: None, cell: None };
        let body = PreviewBody::Diff { files: vec![file] };
        let summary = "Edit a.py, 1 change".into();
        let preview = Preview { summary, body, completeness: Completeness::Full, warnings: vec![] };
        ThreadEventBody::ActionChanged {
            record: Box::new(ActionRecord { preview: Some(preview), ..record(1, "c", state) }),
        }
    }

    #[test]
    fn says_what_was_asked_answered_and_done() {
        let model = "ollama/qwen".parse().unwrap();
        let log = events(vec![
            ThreadEventBody::TurnStarted {
                turn: turn_id(),
                text: "rename ht\n\n# and say why".into(),
                focus: None,
                model,
                by: "ada".into(),
                program: None,
                attached: vec![],
            },
            ThreadEventBody::StepEnded {
                turn: turn_id(),
                step: 1,
                text: "I rename it.".into(),
                thinking: "hm".into(),
                calls: vec![],
                usage: Usage::default(),
                cost: Cost::default(),
                stop: StepStop::End,
                left_out: None,
                echo: Value::Null,
            },
            edit(ActionState::AwaitingConfirmation),
            edit(ActionState::Done),
            ThreadEventBody::TurnEnded {
                turn: turn_id(),
                end: TurnEnd::Stopped,
                usage: Usage::default(),
                cost: Cost::default(),
            },
        ]);
        let expected = "\
# Rename `ht`

About ``tides/a`b.py``. Started on 1970-01-01.

## ada, 1970-01-01

> rename ht
>
> # and say why

**ollama/qwen**

I rename it.

- **Edit a.py, 1 change**: done

  ``tides/a`b.py``

  ````diff
  @@ line 1 @@
   # tide
  -ht = 1
  +height = 1
  +```
  ````

*Stopped.*
";
        assert_eq!(as_markdown(&thread(), &log), expected);
    }
}
