//! What single things are told in: chips, instructions, answers that were cut off, and what came of calls.

use std::collections::BTreeMap;

use aside_core::{
    ActionRecord, ActionState, ContextChip, InstructionsAt, Label, Outcome, Provenance, ShownImage, StepStop,
    ThreadEventBody, ToolCall,
};
use aside_llm::Message;

use super::{Part, Said};
use crate::{
    fence::{advice, fenced},
    tools::wire_name,
};

/// What became of a call that came to nothing.
pub(super) const NOT_DONE: &str = "was not done";

/// What became of an action, without a word about what it was.
pub(super) fn became(state: ActionState) -> &'static str {
    match state {
        ActionState::Done => "was done",
        ActionState::Undone => "was done, and then undone by the user",
        ActionState::AwaitingConfirmation => "is waiting for the user",
        _ => NOT_DONE,
    }
}

/// The standing instructions that hold by now, for a conversation that stands elsewhere than in the log.
pub(crate) fn standing(log: &[ThreadEventBody]) -> Vec<Said> {
    let mut latest: BTreeMap<&InstructionsAt, &ContextChip> = BTreeMap::new();
    for event in log {
        let ThreadEventBody::ContextSent { chips, .. } = event else { continue };
        latest.extend(chips.iter().filter_map(|chip| Some((chip.instructions.as_ref()?, chip))));
    }
    let said = |(at, chip): (&InstructionsAt, &ContextChip)| Said {
        message: Message::user(shown(chip, &at.to_string())),
        part: Part::Standing,
    };
    latest.into_iter().map(said).collect()
}

/// A chip as the model gets it: its first line is ours, the rest is the file's.
pub(super) fn shown(chip: &ContextChip, salt: &str) -> String {
    let outside = chip.source.clone().filter(|source| source.label == Label::External);
    match (outside, chip.text.split_once('\n')) {
        (Some(source), Some((ours, theirs))) => {
            let fence = if chip.instructions.is_some() { advice } else { fenced };
            format!("{ours}\n{}", fence(theirs, &Provenance::of(source), salt))
        }
        _ => chip.text.clone(),
    }
}

/// The images that an action read, or that what it ran has put out.
pub(super) fn images_of(record: &ActionRecord) -> Vec<ShownImage> {
    match &record.outcome {
        Some(Outcome::Done { observation }) => ShownImage::all_in(&observation.data),
        _ => Vec::new(),
    }
}

pub(super) fn sent_back(call: &ToolCall) -> ToolCall {
    ToolCall { name: wire_name(&call.name), ..call.clone() }
}

pub(super) fn cut_off(stop: &StepStop) -> Option<String> {
    match stop {
        StepStop::Stopped => {
            Some("The user stopped your last answer; none of its requests were carried out.".to_owned())
        }
        StepStop::Interrupted => {
            Some("Your last answer was interrupted; none of its requests were carried out.".to_owned())
        }
        StepStop::Failed { .. } => {
            Some("Your last answer failed before its end; none of its requests were carried out.".to_owned())
        }
        _ => None,
    }
}

pub(super) fn subject(call: &ToolCall) -> &str {
    call.args["path"].as_str().unwrap_or_default()
}
