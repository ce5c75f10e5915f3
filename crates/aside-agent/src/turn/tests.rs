//! Built on hand-made records: the machine sees nothing else of the Gate.

mod budget;

use aside_core::{Outcome, Preview, PreviewBody, RefusedBy};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::testing::{self, turn_id};

const LIMIT: u32 = 4;

fn started() -> Input {
    Input::Started {
        turn: turn_id(),
        text: "rename it".into(),
        focus: None,
        model: "rehearsal/demo".parse().unwrap(),
        by: "ada".into(),
        program: None,
        attached: vec![],
    }
}

fn call(id: &str) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: "doc.edit".into(),
        args: json!({"path": "a.py", "base": id}),
        problem: None,
        from_text: false,
    }
}

fn answer(calls: &[&str]) -> Input {
    let stop = if calls.is_empty() { StepStop::End } else { StepStop::ToolCalls };
    let mut answer = Answer::cut_off("text".into(), String::new(), stop);
    answer.calls = calls.iter().map(|id| call(id)).collect();
    Input::Answered(Box::new(answer))
}

fn record(state: &State, call: &str, action_state: ActionState) -> Box<ActionRecord> {
    let turn = state.turn.as_ref().unwrap();
    Box::new(testing::record(turn.step, call, action_state))
}

/// A thread that is played by hand, with its log.
struct Play {
    state: State,
    log: Vec<ThreadEventBody>,
    next: Next,
}

impl Play {
    fn new(mode: ReviewMode) -> Self {
        let mut play = Self { state: State::new(mode, LIMIT), log: vec![], next: Next::End };
        play.put(started());
        play.put(Input::Context(vec![]));
        play
    }

    fn put(&mut self, input: Input) -> &Next {
        if let Input::Acted(record) = &input {
            self.log.push(ThreadEventBody::ActionChanged { record: record.clone() });
        }
        let reaction = handle(&mut self.state, input);
        self.log.extend(reaction.events);
        self.next = reaction.next;
        &self.next
    }

    /// A change of a file waits for the person, or what comes of a command does.
    fn proposes(&mut self, call: &str, body: PreviewBody) -> &Next {
        let mut record = record(&self.state, call, ActionState::AwaitingConfirmation);
        record.preview = Some(Preview { body, ..Preview::summary("It would.") });
        self.put(Input::Acted(record))
    }

    fn act(&mut self, call: &str, state: ActionState) -> &Next {
        let record = record(&self.state, call, state);
        self.put(Input::Acted(record))
    }

    fn folded(&self) -> State {
        let mut state = State { wraps_up: self.state.wraps_up, ..State::new(self.state.mode, LIMIT) };
        self.log.iter().for_each(|event| state.apply(event));
        state
    }

    fn end(&self) -> &TurnEnd {
        match self.log.last() {
            Some(ThreadEventBody::TurnEnded { end, .. }) => end,
            other => panic!("the turn has not ended: {other:?}"),
        }
    }
}

#[test]
fn an_answer_without_calls_ends_the_turn() {
    let mut play = Play::new(ReviewMode::ReviewEach);
    assert_eq!(play.next, Next::CallModel);
    assert_eq!(*play.put(answer(&[])), Next::End);
    assert_eq!(*play.end(), TurnEnd::Done);
}

fn note_record(state: &State, call: &str, action_state: ActionState) -> Box<ActionRecord> {
    let mut record = record(state, call, action_state);
    record.envelope.action_type = "note.tag".parse().unwrap();
    if action_state == ActionState::Refused {
        let failure = Failure::new("rejected", "ada rejected it");
        record.outcome = Some(Outcome::Refused { by: RefusedBy::Person, failure });
    }
    record
}

#[test]
fn canceled_review_card_ends_the_turn() {
    let mut play = Play::new(ReviewMode::ReviewAtEnd);
    play.put(answer(&["a", "b", "c"]));
    let waiting = note_record(&play.state, "a", ActionState::AwaitingConfirmation);
    assert!(matches!(play.put(Input::Acted(waiting)), Next::Settle(_)), "one card at a time, in every mode");
    let canceled = note_record(&play.state, "a", ActionState::Refused);
    assert_eq!(*play.put(Input::Acted(canceled)), Next::End);
    assert_eq!(*play.end(), TurnEnd::Done);
    let dropped =
        play.log.iter().filter(|event| matches!(event, ThreadEventBody::Notice { text, .. } if text == DROPPED));
    assert_eq!(dropped.count(), 2);
}

#[test]
fn failed_review_card_drops_later_calls() {
    let mut play = Play::new(ReviewMode::ReviewEach);
    play.put(answer(&["a", "b"]));
    let failed = note_record(&play.state, "a", ActionState::Failed);
    assert_eq!(*play.put(Input::Acted(failed)), Next::CallModel, "the model hears of the failure");
    assert_eq!(play.folded().turn, play.state.turn);
}

#[test]
fn empty_answer_fails_the_turn() {
    let silent = |text: &str, thinking: &str, stop: StepStop| {
        Input::Answered(Box::new(Answer::cut_off(text.into(), thinking.into(), stop)))
    };
    let cases = [
        ("", "", StepStop::End, "the model returned an empty answer"),
        (" \n", "hm", StepStop::End, "the model thought, but did not answer"),
        ("", "", StepStop::ToolCalls, "the model returned an empty answer"),
        ("", "", StepStop::Refusal, "the model refused to answer"),
        ("", "hm", StepStop::Length, "the model reached its length limit before it answered"),
    ];
    for (text, thinking, stop, message) in cases {
        let mut play = Play::new(ReviewMode::ReviewEach);
        play.put(silent(text, thinking, stop));
        assert!(matches!(play.end(), TurnEnd::Failed { failure } if failure.message == message), "{:?}", play.end());
    }
    // Earlier actions stay done, and the silence is said.
    let mut play = Play::new(ReviewMode::AutoApply);
    play.put(answer(&["a"]));
    play.act("a", ActionState::Done);
    play.put(silent("", "", StepStop::End));
    assert_eq!(*play.end(), TurnEnd::Done);
    let said = |event: &ThreadEventBody| matches!(event, ThreadEventBody::Notice { call: None, text, .. } if text.contains("empty answer"));
    assert!(play.log.iter().any(said), "{:?}", play.log);
}

#[test]
fn calls_are_asked_for_one_after_the_other() {
    let mut play = Play::new(ReviewMode::AutoApply);
    assert_eq!(*play.put(answer(&["a", "b"])), Next::Submit(call("a")));
    assert_eq!(*play.act("a", ActionState::Done), Next::Submit(call("b")));
    assert_eq!(*play.act("b", ActionState::Failed), Next::CallModel);
}

#[test]
fn reviewing_each_waits_and_reviewing_at_the_end_goes_on() {
    let mut each = Play::new(ReviewMode::ReviewEach);
    each.put(answer(&["a"]));
    assert!(matches!(each.act("a", ActionState::AwaitingConfirmation), Next::Settle(_)));
    assert_eq!(*each.act("a", ActionState::Refused), Next::CallModel);

    let mut end = Play::new(ReviewMode::ReviewAtEnd);
    end.put(answer(&["a"]));
    assert_eq!(*end.proposes("a", PreviewBody::Diff { files: vec![] }), Next::CallModel);
    assert_eq!(*end.put(answer(&[])), Next::End);
    assert_eq!(*end.end(), TurnEnd::Done);
}

#[test]
fn reviewing_at_the_end_waits_for_what_has_a_result_also_after_a_restart() {
    let mut play = Play::new(ReviewMode::ReviewAtEnd);
    play.put(answer(&["a", "b"]));
    assert_eq!(*play.proposes("a", PreviewBody::Diff { files: vec![] }), Next::Submit(call("b")));
    let waits = play.proposes("b", PreviewBody::Nothing).clone();
    assert!(matches!(waits, Next::Settle(_)));
    play.state = play.folded();
    let resumed = Input::Resumed { text: String::new(), thinking: String::new(), cost: Cost::default() };
    assert_eq!(*play.put(resumed), waits);
    assert_eq!(*play.act("b", ActionState::Done), Next::CallModel);
}

#[test]
fn what_a_person_says_of_reviewing_holds_for_what_waits_next() {
    let mut play = Play::new(ReviewMode::ReviewAtEnd);
    play.put(answer(&["a", "b"]));
    assert_eq!(*play.proposes("a", PreviewBody::Diff { files: vec![] }), Next::Submit(call("b")));
    play.state.mode = ReviewMode::ReviewEach;
    assert!(matches!(play.proposes("b", PreviewBody::Diff { files: vec![] }), Next::Settle(_)));
}

#[test]
fn stopping_cancels_what_waits_and_then_ends() {
    let mut play = Play::new(ReviewMode::ReviewEach);
    play.put(answer(&["a", "b"]));
    play.act("a", ActionState::AwaitingConfirmation);
    assert!(matches!(play.put(Input::Stop), Next::Cancel(ids) if ids.len() == 1));
    assert_eq!(*play.put(Input::Cancelled), Next::End);
    assert_eq!(*play.end(), TurnEnd::Stopped);
}

#[test]
fn a_stopped_answer_keeps_its_text_and_none_of_its_calls() {
    let mut play = Play::new(ReviewMode::AutoApply);
    let mut cut = Answer::cut_off("half".into(), String::new(), StepStop::Stopped);
    cut.calls = vec![call("a")];
    assert_eq!(*play.put(Input::Answered(Box::new(cut))), Next::End);
    assert!(matches!(&play.log[2], ThreadEventBody::StepEnded { text, stop: StepStop::Stopped, .. } if text == "half"));
    assert_eq!(*play.end(), TurnEnd::Stopped);
}

#[test]
fn the_step_limit_is_said() {
    let mut play = Play::new(ReviewMode::AutoApply);
    for step in 0..LIMIT {
        let id = step.to_string();
        play.put(answer(&[&id]));
        play.act(&id, ActionState::Done);
    }
    assert_eq!(*play.end(), TurnEnd::StepLimit { steps: LIMIT });
    assert!(matches!(&play.log[play.log.len() - 2], ThreadEventBody::Notice { text, .. } if text.contains("limit")));
}

#[test]
fn the_same_failing_call_is_warned_about_and_then_ends_the_turn() {
    let mut play = Play::new(ReviewMode::AutoApply);
    for id in ["a", "b"] {
        play.put(answer(&[id]));
        assert_eq!(*play.act(id, ActionState::Failed), Next::CallModel);
    }
    let warned =
        |event: &ThreadEventBody| matches!(event, ThreadEventBody::Notice { text, .. } if text.contains("twice"));
    assert_eq!(play.log.iter().filter(|event| warned(event)).count(), 1);
    play.put(answer(&["c"]));
    assert_eq!(*play.act("c", ActionState::Failed), Next::End);
    assert!(matches!(play.end(), TurnEnd::Failed { failure } if failure.code == "repeated_failure"));
}

#[test]
fn answers_that_cannot_be_used_are_answered_three_times() {
    let mut play = Play::new(ReviewMode::AutoApply);
    for _ in 0..3 {
        let mut useless = Answer::cut_off("<<<EDIT".into(), String::new(), StepStop::End);
        useless.problems = vec!["it names no lines".into()];
        play.put(Input::Answered(Box::new(useless)));
    }
    assert!(matches!(play.end(), TurnEnd::Failed { failure } if failure.code == "nothing_usable"));
}

#[test]
fn a_crash_during_the_answer_keeps_what_had_come() {
    let mut play = Play::new(ReviewMode::ReviewEach);
    play.state = play.folded();
    play.put(Input::Resumed { text: "half".into(), thinking: String::new(), cost: Cost::default() });
    assert_eq!(*play.end(), TurnEnd::Interrupted);
    let kept = |event: &ThreadEventBody| matches!(event, ThreadEventBody::StepEnded { text, stop: StepStop::Interrupted, .. } if text == "half");
    assert!(play.log.iter().any(kept));
}

#[test]
fn a_crash_while_waiting_for_a_person_changes_nothing() {
    let mut play = Play::new(ReviewMode::ReviewEach);
    play.put(answer(&["a"]));
    let waits = play.act("a", ActionState::AwaitingConfirmation).clone();
    play.state = play.folded();
    assert_eq!(
        *play.put(Input::Resumed { text: String::new(), thinking: String::new(), cost: Cost::default() }),
        waits
    );
    assert_eq!(*play.act("a", ActionState::Done), Next::CallModel);
}

#[test]
fn a_crash_during_an_action_is_not_tried_again() {
    let mut play = Play::new(ReviewMode::AutoApply);
    play.put(answer(&["a"]));
    let interrupted = record(&play.state, "a", ActionState::Interrupted);
    play.log.push(ThreadEventBody::ActionChanged { record: interrupted });
    play.state = play.folded();
    assert_eq!(
        *play.put(Input::Resumed { text: String::new(), thinking: String::new(), cost: Cost::default() }),
        Next::End
    );
    assert_eq!(*play.end(), TurnEnd::Interrupted);
}

fn inputs() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..60)
}

/// Answers what the machine asks for, one way or another, as the byte says.
fn reply(play: &Play, choice: u8) -> Option<Input> {
    let outcome = |state: u8| match state % 4 {
        0 => ActionState::Done,
        1 => ActionState::Failed,
        2 => ActionState::Refused,
        _ => ActionState::Interrupted,
    };
    if choice.is_multiple_of(13) {
        return Some(Input::Stop);
    }
    Some(match &play.next {
        Next::End => return None,
        Next::ReadFocus(_) => Input::Context(vec![]),
        Next::CallModel if choice.is_multiple_of(7) => Input::Broken(Failure::new("x", "x")),
        Next::CallModel => answer(&["a", "b", "c"][..usize::from(choice % 4)]),
        Next::Submit(call) if choice.is_multiple_of(5) => {
            Input::NotAsked { call: call.id.clone(), text: "unknown".into() }
        }
        Next::Submit(call) if choice.is_multiple_of(3) => {
            Input::Acted(record(&play.state, &call.id, ActionState::AwaitingConfirmation))
        }
        Next::Submit(call) => Input::Acted(record(&play.state, &call.id, outcome(choice))),
        Next::Settle(id) => {
            let calls = &play.state.turn.as_ref().unwrap().calls;
            let (call, _) = calls.iter().find(|(_, state)| matches!(state, CallState::Action(own, _) if own == id))?;
            Input::Acted(record(&play.state, &call.id, outcome(choice)))
        }
        Next::Cancel(_) => Input::Cancelled,
    })
}

proptest! {
    #[test]
    fn the_log_tells_the_whole_state_and_every_turn_ends(
        choices in inputs(),
        mode in prop::sample::select(vec![ReviewMode::ReviewEach, ReviewMode::ReviewAtEnd, ReviewMode::AutoApply]),
    ) {
        let mut play = Play::new(mode);
        for choice in choices.iter().cycle().take(400) {
            let Some(input) = reply(&play, *choice) else { break };
            play.put(input);
            prop_assert_eq!(play.folded(), play.state.clone());
        }
        prop_assert!(play.state.turn.is_none());
        let count = |wanted: fn(&ThreadEventBody) -> bool| play.log.iter().filter(|event| wanted(event)).count();
        let steps = count(|event| matches!(event, ThreadEventBody::StepStarted { .. }));
        prop_assert!(steps <= LIMIT as usize);
        prop_assert_eq!(steps, count(|event| matches!(event, ThreadEventBody::StepEnded { .. })));
        prop_assert_eq!(1, count(|event| matches!(event, ThreadEventBody::TurnEnded { .. })));
    }
}
