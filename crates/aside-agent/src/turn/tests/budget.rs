//! The end of the Navigator's budget.

use aside_core::BudgetLimit;

use super::*;

/// The Navigator's turn, which says at its end what is left.
fn navigating() -> Play {
    let state = State { wraps_up: true, ..State::new(ReviewMode::AutoApply, LIMIT) };
    let mut play = Play { state, log: vec![], next: Next::End };
    play.put(started());
    play.put(Input::Context(vec![]));
    play
}

fn says(text: &str) -> Input {
    Input::Answered(Box::new(Answer::cut_off(text.into(), String::new(), StepStop::End)))
}

fn takes_steps(play: &mut Play, count: u32) {
    for step in 0..count {
        let id = step.to_string();
        play.put(answer(&[&id]));
        let mut record = record(&play.state, &id, ActionState::Done);
        record.envelope.risk_level = [aside_core::Risk::Write].into();
        play.put(Input::Acted(record));
    }
}

#[test]
fn last_step_says_what_is_left() {
    let mut play = navigating();
    takes_steps(&mut play, LIMIT - 1);
    assert_eq!(play.next, Next::CallModel);
    assert_eq!(*play.put(says("Left: open the report.")), Next::End);
    let left = Some("open the report.".to_owned());
    assert_eq!(*play.end(), TurnEnd::OutOfBudget { limit: BudgetLimit::Steps, steps: LIMIT, done: 3, left });
    assert_eq!(play.folded(), play.state);
}

#[test]
fn calls_of_the_last_step_are_left() {
    let mut play = navigating();
    takes_steps(&mut play, LIMIT - 1);
    assert_eq!(*play.put(answer(&["late"])), Next::End);
    assert!(matches!(play.end(), TurnEnd::OutOfBudget { left: Some(left), .. } if left == "doc.edit"));
}

#[test]
fn last_step_may_end_the_work() {
    let mut play = navigating();
    takes_steps(&mut play, LIMIT - 1);
    play.put(says("All is done."));
    assert_eq!(*play.end(), TurnEnd::Done);
}

#[test]
fn time_up_leaves_one_call() {
    let mut play = navigating();
    takes_steps(&mut play, 1);
    assert_eq!(*play.put(Input::TimeUp), Next::CallModel);
    assert_eq!(play.folded(), play.state);
    play.put(says("Left: the rest"));
    assert!(matches!(play.end(), TurnEnd::OutOfBudget { limit: BudgetLimit::Time, done: 1, .. }));
}

#[test]
fn stopped_navigator_says_what_is_done() {
    let mut play = navigating();
    takes_steps(&mut play, 1);
    play.put(Input::Stop);
    let said = |event: &ThreadEventBody| matches!(event, ThreadEventBody::Notice { text, .. } if text == "Done before that: doc.edit.");
    assert!(play.log.iter().any(said), "{:?}", play.log);
}
