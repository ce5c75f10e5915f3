//! The timeline of a turn's task, folded from the thread's log.

use aside_core::{
    ActionRecord, ActionState, Cost, Origin, Phase, ThreadEvent, ThreadEventBody, TimelineEntry, TurnEnd, TurnId,
};

use super::run::{ending, first_lines};

/// Returns what happened in some turns: what was planned, done and observed.
pub(crate) fn of_turns(events: &[ThreadEvent], turns: &[TurnId]) -> Vec<TimelineEntry> {
    events.iter().filter_map(|event| entry(event, turns)).collect()
}

/// Returns what the calls of models in some turns have cost.
pub(crate) fn cost_of_turns<'a>(log: impl IntoIterator<Item = &'a ThreadEventBody>, turns: &[TurnId]) -> Cost {
    let costs = log.into_iter().filter_map(|event| match event {
        ThreadEventBody::StepEnded { turn, cost, .. } if turns.contains(turn) => Some(cost),
        _ => None,
    });
    costs.fold(Cost::default(), |sum, cost| sum.plus(cost))
}

fn entry(event: &ThreadEvent, turns: &[TurnId]) -> Option<TimelineEntry> {
    let ours = |turn: &TurnId| turns.contains(turn);
    let say =
        |phase, text: String, step| Some(TimelineEntry { at: event.at, phase, text, step, action: None, state: None });
    match &event.body {
        ThreadEventBody::TurnStarted { turn, text, by, .. } if ours(turn) => {
            say(Phase::Plan, format!("{by}: {}", first_lines(text)), None)
        }
        ThreadEventBody::StepEnded { turn, step, text, .. } if ours(turn) && !text.trim().is_empty() => {
            say(Phase::Plan, first_lines(text.trim()), Some(*step))
        }
        ThreadEventBody::Notice { turn, step, text, .. } if ours(turn) => {
            say(Phase::Observe, first_lines(text), Some(*step))
        }
        ThreadEventBody::TurnEnded { turn, end, .. } if ours(turn) => say(Phase::Observe, ended(end), None),
        ThreadEventBody::ActionChanged { record } => match &record.origin {
            Origin::Turn { turn, step, .. } if ours(turn) => Some(acted(event, record, *step)),
            _ => None,
        },
        _ => None,
    }
}

fn acted(event: &ThreadEvent, record: &ActionRecord, step: u32) -> TimelineEntry {
    let name = &record.envelope.action_type;
    let shown = record.preview.as_ref().map_or_else(|| name.to_string(), |preview| preview.summary.clone());
    let (phase, text) = match record.state {
        ActionState::Proposed => (Phase::Plan, shown),
        ActionState::AwaitingConfirmation => (Phase::Plan, format!("{shown}: waiting for you")),
        ActionState::Running => (Phase::Execute, shown),
        ActionState::Undone => (Phase::Observe, format!("{shown}: undone")),
        _ => (Phase::Observe, format!("{name}: {}", ending(record))),
    };
    let (action, state) = (Some(record.envelope.id.clone()), Some(record.told_state()));
    TimelineEntry { at: event.at, phase, text, step: Some(step), action, state }
}

fn ended(end: &TurnEnd) -> String {
    match end {
        TurnEnd::Done => "The answer is complete.".to_owned(),
        TurnEnd::Stopped => "Stopped by the user.".to_owned(),
        TurnEnd::StepLimit { steps } => format!("Stopped after {steps} steps, the limit."),
        TurnEnd::OutOfBudget { done, left, .. } => {
            let left = left.as_deref().map(|left| format!(", left: {left}")).unwrap_or_default();
            format!("Stopped at the end of its budget: {done} done{left}")
        }
        TurnEnd::HandOff { offer } => format!("Needs the coding agent: {}", offer.reason),
        TurnEnd::Interrupted => "The server stopped before the end.".to_owned(),
        TurnEnd::Failed { failure } => format!("It could not continue: {}", failure.message),
    }
}
