//! What goes to the model of the things a person sent along: other conversations, what programs said, and what a word
//! with a slash stands for.

use std::sync::Arc;

use aside_core::{Attached, ContextChip, Label, LabelSource, Thread, ThreadEventBody};
use aside_store::Store;

use crate::{provenance::told_by, threads};

/// Bytes of each part of another conversation, and of what a program said.
const PART: usize = 4 * 1024;
const DATA: usize = 16 * 1024;
/// Bytes of what a command says.
const COMMAND: usize = 32 * 1024;

/// The most things that go along with one message.
pub(crate) const MOST: usize = 8;

/// Returns what is sent of something that goes along; none of what is gone.
pub(crate) fn of(store: &Arc<Store>, attached: &Attached) -> Option<ContextChip> {
    let Attached::Thread { thread: id } = attached else { return chip(attached) };
    let found = threads::get(store, id).ok()?;
    let events = threads::events(store, id, 0).ok()?;
    let log: Vec<_> = events.into_iter().map(|event| event.body).collect();
    Some(thread(&found, &log))
}

/// Returns what is sent of a command or of what a program said; none of a conversation, which has to be read.
fn chip(attached: &Attached) -> Option<ContextChip> {
    match attached {
        Attached::Thread { .. } => None,
        Attached::Data { label, from, text } => {
            let source = LabelSource::external(label, from);
            let text = format!("[Aside] {label}, attached by the user:\n{}", beginning(text, DATA));
            Some(ContextChip { source: Some(source), ..plain(label.clone(), text) })
        }
        Attached::Command { name, text } => {
            let text = format!("[Aside] With `/{name}` the user asks for this:\n{}", beginning(text, COMMAND));
            Some(plain(format!("/{name}"), text))
        }
    }
}

/// Returns what is sent of another conversation: what was asked last, and the last answer. What was from outside there
/// is from outside here.
fn thread(thread: &Thread, log: &[ThreadEventBody]) -> ContextChip {
    let asked = log.iter().rev().find_map(|event| match event {
        ThreadEventBody::TurnStarted { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let answered = log.iter().rev().find_map(|event| match event {
        ThreadEventBody::StepEnded { text, .. } if !text.trim().is_empty() => Some(text.as_str()),
        _ => None,
    });
    let about = thread.document.as_ref().map(|path| format!(" about `{path}`")).unwrap_or_default();
    let text = format!(
        "[Aside] The user attached the end of another conversation{about}:\nTitle: {}\nLast message:\n{}\nLast \
         answer:\n{}\n",
        thread.title,
        beginning(asked.unwrap_or("(none yet)"), PART),
        beginning(answered.unwrap_or("(none yet)"), PART),
    );
    let label = format!("Thread “{}”", thread.title);
    let outside = log.iter().any(|event| told_by(event).is_external());
    let why = if outside { "a conversation that has read untrusted sources" } else { "a model's answer" };
    let source = LabelSource::new(if outside { Label::External } else { Label::Model }, &label, why);
    ContextChip { source: Some(source), ..plain(label, text) }
}

fn plain(label: String, text: String) -> ContextChip {
    ContextChip { label, path: None, version: None, lines: None, text, image: None, source: None, instructions: None }
}

fn beginning(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(bytes)];
    format!("{head}\n[truncated: the full text has {} bytes]", text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_said_is_from_outside_and_bounded() {
        let attached = Attached::Data {
            label: "Problem in a.tex, line 3".into(),
            from: "what a build put out".into(),
            text: "é".repeat(DATA),
        };
        let chip = chip(&attached).unwrap();
        assert_eq!(chip.source.unwrap().label, Label::External);
        assert!(chip.text.len() < DATA + 300, "{}", chip.text.len());
        assert!(chip.text.starts_with("[Aside] Problem in a.tex, line 3, attached by the user:\n"));
    }

    #[test]
    fn a_command_is_the_persons_own_word() {
        let chip = chip(&Attached::Command { name: "fix".into(), text: "Find it.".into() }).unwrap();
        assert_eq!((chip.label.as_str(), chip.source), ("/fix", None));
        assert_eq!(chip.text, "[Aside] With `/fix` the user asks for this:\nFind it.");
    }
}
