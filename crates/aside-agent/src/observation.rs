//! What the model is told of an action: bounded, with how to read the rest. The person has the whole record.

use aside_core::{ActionRecord, ActionState, Choice, Failure, Hunk, Outcome, PreviewBody, RefusedBy, TOLD_BYTES};

use crate::fence::fenced;

/// Bytes of an outcome that changed something or tried to.
const SHORT: usize = 4 * 1024;
/// Lines of a rejected part.
const HUNK_LINES: usize = 20;

/// What the model is told of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The words.
    pub text: String,
    /// It did not do what it was asked for.
    pub failed: bool,
}

/// Returns what the model is told of an action as it stands now.
pub fn told_of(record: &ActionRecord) -> Told {
    let limit = if record.envelope.risk_level.is_read_only() { TOLD_BYTES } else { SHORT };
    let (text, failed) = match (&record.state, &record.outcome) {
        (ActionState::AwaitingConfirmation, _) => ("Proposed; the user has not decided yet.".to_owned(), false),
        (ActionState::Undone, _) => ("Done, and then undone by the user.".to_owned(), false),
        (_, Some(outcome)) => (outcome_text(record, outcome, limit), !outcome.is_done()),
        (_, None) => ("Still running.".to_owned(), false),
    };
    Told { text, failed }
}

fn outcome_text(record: &ActionRecord, outcome: &Outcome, limit: usize) -> String {
    // What is in files and what programs say may be somebody else's words; refusals are ours or the person's.
    let data = |text: &str| {
        let told = record.told_from();
        if !told.is_external() {
            return clip(text, limit);
        }
        // Of what a program put out the end is what it was run for.
        let text = if limit == SHORT { both_ends(text, TOLD_BYTES) } else { clip(text, limit) };
        fenced(&text, &told, record.envelope.id.as_str())
    };
    match outcome {
        Outcome::Done { observation } => [data(&observation.text), clip(&rejected_parts(record), limit)].concat(),
        Outcome::Failed { failure } => format!("Failed: {}", data(&failure_text(failure))),
        Outcome::Refused { by: RefusedBy::Person, failure } => {
            clip(&format!("Not done: {}{}", failure_text(failure), rejected_parts(record)), limit)
        }
        Outcome::Refused { failure, .. } => clip(&format!("Refused: {}", failure_text(failure)), limit),
        Outcome::Interrupted { reason } => {
            format!("Interrupted; it is unknown whether it was done ({reason}). Check before you try again.")
        }
    }
}

fn failure_text(failure: &Failure) -> String {
    let mut text = failure.message.clone();
    if let Some(hint) = &failure.hint {
        text.push_str("\nHint: ");
        text.push_str(hint);
    }
    text
}

/// The parts that a person said no to, so that they are not proposed again.
fn rejected_parts(record: &ActionRecord) -> String {
    let rejected: Vec<u32> =
        record.parts.iter().filter(|part| part.decision == Choice::Reject).map(|part| part.part).collect();
    let Some(PreviewBody::Diff { files }) = record.preview.as_ref().map(|preview| &preview.body) else {
        return String::new();
    };
    let hunks = files.iter().flat_map(|file| file.hunks.iter().map(move |hunk| (file.path.as_str(), hunk)));
    let rejected = hunks.filter(|(_, hunk)| rejected.contains(&hunk.part)).map(|(path, hunk)| hunk_text(path, hunk));
    let texts: Vec<String> = rejected.collect();
    if texts.is_empty() { texts.concat() } else { format!("\nThe user rejected these parts:\n{}", texts.join("\n")) }
}

fn hunk_text(path: &str, hunk: &Hunk) -> String {
    let old = hunk.old.iter().map(|line| format!("-{line}"));
    let new = hunk.new.iter().map(|line| format!("+{line}"));
    let lines: Vec<String> = old.chain(new).take(HUNK_LINES).collect();
    format!("{path}, line {}:\n{}", hunk.start, lines.join("\n"))
}

/// Cuts at the end of a line, and says so.
fn clip(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(limit);
    let end = text[..end].rfind('\n').filter(|line| *line > limit / 2).unwrap_or(end);
    let rest = "request the rest in smaller parts, for example lines with `start` and `end`";
    format!("{}\n[cut here: {end} of {} bytes; {rest}]", &text[..end], text.len())
}

/// Cuts in the middle, at the ends of lines where there are some, and says so.
fn both_ends(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(limit / 3)];
    let head = head.rfind('\n').filter(|line| *line > limit / 6).map_or(head, |line| &head[..line]);
    let tail = &text[text.ceil_char_boundary(text.len() - limit / 3 * 2)..];
    let tail = tail.find('\n').filter(|line| *line < limit / 3).map_or(tail, |line| &tail[line + 1..]);
    let left = text.len() - head.len() - tail.len();
    format!("{head}\n[omitted here: {left} of {} bytes]\n{tail}", text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_programs_put_out_both_ends_are_told() {
        let text = format!("first\n{}E: the reason", "a line\n".repeat(5000));
        let told = both_ends(&text, TOLD_BYTES);
        assert!(told.starts_with("first\n") && told.ends_with("a line\nE: the reason"));
        assert!(told.len() < TOLD_BYTES + 100 && told.contains("a line\n[omitted here: "), "{}", told.len());
        assert!(both_ends(&"é".repeat(SHORT), SHORT).contains("omitted here"));
        assert_eq!(both_ends("short", SHORT), "short");
    }

    #[test]
    fn what_is_cut_is_said() {
        let text = "a line\n".repeat(2000);
        let told = clip(&text, SHORT);
        assert!(told.len() < SHORT + 200);
        assert!(told.contains("of 14000 bytes"), "{}", &told[told.len() - 150..]);
        assert!(told.split("\n[").next().unwrap().ends_with("a line"));
        assert_eq!(clip("short", SHORT), "short");
        assert!(clip(&"é".repeat(SHORT), SHORT).contains("cut here"));
    }
}
