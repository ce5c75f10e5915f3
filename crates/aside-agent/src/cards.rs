//! The tool calls of a thread with the words of their lives, folded from its log: a reload shows the same cards.

use aside_core::{Lifecycle, Origin, ThreadCard, ThreadEventBody};

use crate::turn::{DROPPED, is_whole};

/// Returns the tool calls of a thread in order, without those that were dropped.
pub fn cards<'a>(log: impl IntoIterator<Item = &'a ThreadEventBody>) -> Vec<ThreadCard> {
    let mut cards: Vec<ThreadCard> = Vec::new();
    for event in log {
        match event {
            ThreadEventBody::StepEnded { turn, step, calls, stop, .. } if is_whole(stop) => {
                cards.extend(calls.iter().map(|call| ThreadCard {
                    turn: turn.clone(),
                    step: *step,
                    call: call.id.clone(),
                    name: call.name.clone(),
                    action: None,
                    state: Lifecycle::Booting,
                }));
            }
            ThreadEventBody::ActionChanged { record } if record.parent.is_none() && record.undoes.is_none() => {
                let Origin::Turn { turn, step, call, .. } = &record.origin else { continue };
                let is_it = |card: &&mut ThreadCard| (&card.turn, card.step, &card.call) == (turn, *step, call);
                if let Some(card) = cards.iter_mut().rev().find(is_it) {
                    card.action = Some(record.envelope.id.clone());
                    card.state = Lifecycle::of(Some(record));
                }
            }
            ThreadEventBody::Notice { turn, step, call: Some(call), text } if text == DROPPED => {
                cards.retain(|card| (&card.turn, card.step, &card.call) != (turn, *step, call));
            }
            ThreadEventBody::Notice { turn, step, call: Some(call), .. } => {
                let is_it = |card: &&mut ThreadCard| (&card.turn, card.step, &card.call) == (turn, *step, call);
                cards.iter_mut().rev().filter(is_it).for_each(|card| card.state = Lifecycle::Error);
            }
            ThreadEventBody::TurnEnded { turn, .. } => {
                cards.retain(|card| card.turn != *turn || card.state != Lifecycle::Booting);
            }
            _ => {}
        }
    }
    cards
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionState, Cost, Outcome, RefusedBy, StepStop, ToolCall, Usage};
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{record, turn_id};

    fn step(calls: &[&str]) -> ThreadEventBody {
        let call = |id: &&str| ToolCall {
            id: (*id).to_owned(),
            name: "note.tag".to_owned(),
            args: json!({}),
            problem: None,
            from_text: false,
        };
        ThreadEventBody::StepEnded {
            turn: turn_id(),
            step: 1,
            text: String::new(),
            thinking: String::new(),
            calls: calls.iter().map(call).collect(),
            usage: Usage::default(),
            cost: Cost::default(),
            stop: StepStop::ToolCalls,
            left_out: None,
            echo: Value::Null,
        }
    }

    fn acted(call: &str, state: ActionState) -> ThreadEventBody {
        ThreadEventBody::ActionChanged { record: Box::new(record(1, call, state)) }
    }

    fn states(log: &[ThreadEventBody]) -> Vec<Lifecycle> {
        cards(log).into_iter().map(|card| card.state).collect()
    }

    #[test]
    fn each_state_has_its_word() {
        let states = |state| states(&[step(&["a", "b"]), acted("a", state)]);
        let words = [
            (ActionState::Proposed, Lifecycle::Init),
            (ActionState::AwaitingConfirmation, Lifecycle::WaitingForUserInput),
            (ActionState::Done, Lifecycle::Completed),
            (ActionState::Failed, Lifecycle::Error),
        ];
        for (state, word) in words {
            assert_eq!(states(state), [word, Lifecycle::Booting]);
        }
        assert_eq!(serde_json::to_value(Lifecycle::WaitingForUserInput).unwrap(), "waitingForUserInput");
    }

    #[test]
    fn canceled_card_drops_later_calls() {
        let mut canceled = record(1, "a", ActionState::Refused);
        let failure = aside_core::Failure::new("rejected", "ada rejected it");
        canceled.outcome = Some(Outcome::Refused { by: RefusedBy::Person, failure });
        let dropped =
            ThreadEventBody::Notice { turn: turn_id(), step: 1, call: Some("b".into()), text: DROPPED.into() };
        let log = [step(&["a", "b"]), ThreadEventBody::ActionChanged { record: Box::new(canceled) }, dropped];
        assert_eq!(states(&log), [Lifecycle::Canceled]);
    }
}
