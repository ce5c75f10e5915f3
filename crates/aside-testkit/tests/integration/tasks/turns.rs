//! A message that changes something is a task, kept up with its thread.

use aside_agent::TaskQuery;
use aside_core::{Decision, Pause, Phase, ReviewMode, Task, TaskState};
use serde_json::json;

use crate::{
    tasks::bench::Bench,
    transcripts::model::{Answer, calls, endless, says},
};

fn edit(old: &str, new: &str) -> Answer {
    calls("doc_edit", json!({"path": "a.txt", "edits": [{"old": old, "new": new}]}))
}

const FILES: &[(&str, &str)] = &[("a.txt", "one\ntwo\n")];

/// Waits until there is a task that is as wanted.
fn task(bench: &Bench, what: &str, holds: impl Fn(&Task) -> bool) -> Task {
    let mut tail = bench.life.store.tail();
    bench.wait(async {
        loop {
            if let Some(task) = bench.list(&TaskQuery::default()).into_iter().find(&holds) {
                return task;
            }
            tail.recv().await.map(drop).unwrap_or_else(|error| panic!("{what}: {error}"));
        }
    })
}

/// Waits until nothing runs in a thread.
fn idle(bench: &Bench, thread: &aside_core::ThreadId) {
    while bench.life.agents.is_busy(thread) {
        std::thread::yield_now();
    }
}

fn approve(bench: &Bench) {
    let waiting = bench.life.gate.pending().unwrap().remove(0);
    let decision = Decision::approve(waiting.approval_hash);
    bench.wait(bench.life.gate.decide(&waiting.envelope.id, decision, "ada")).unwrap();
}

#[test]
fn a_message_that_changes_nothing_is_no_task() {
    let bench = Bench::with_model(FILES, vec![calls("file_list", json!({})), says("Two lines.")]);
    let thread = bench.thread(ReviewMode::AutoApply);
    bench.say(&thread, "what is there?");
    idle(&bench, &thread);
    assert!(bench.list(&TaskQuery::default()).is_empty());
}

#[test]
fn it_follows_the_actions_of_its_turn() {
    let bench = Bench::with_model(FILES, vec![edit("one", "1"), edit("two", "2"), says("Digits now.")]);
    let thread = bench.thread(ReviewMode::ReviewEach);
    bench.say(&thread, "digits please");
    let waits = task(&bench, "a question", |task| task.state == TaskState::AwaitingConfirmation);
    assert_eq!((waits.goal.as_str(), waits.thread.as_ref()), ("digits please", Some(&thread)));
    approve(&bench);
    task(&bench, "the second question", |task| {
        task.state == TaskState::AwaitingConfirmation && task.actions.len() == 2
    });
    approve(&bench);
    let done = task(&bench, "the end", |task| task.state.is_final());
    assert_eq!((done.state, done.summary.as_deref()), (TaskState::Completed, Some("Made all 2 changes.")));
    assert_eq!((done.id.clone(), done.progress.done, done.can_undo), (waits.id, 2, true));
    let timeline = bench.tasks().detail(&done.id).unwrap().timeline;
    for phase in [Phase::Plan, Phase::Execute, Phase::Observe] {
        assert!(timeline.iter().any(|entry| entry.phase == phase), "{phase:?}");
    }
    assert_eq!(bench.text("a.txt"), "1\n2\n");
}

#[test]
fn it_outlives_the_server_while_it_waits() {
    let bench = Bench::with_model(FILES, vec![edit("one", "1"), says("Done.")]);
    let thread = bench.thread(ReviewMode::ReviewEach);
    bench.say(&thread, "digits please");
    let waits = task(&bench, "a question", |task| task.state == TaskState::AwaitingConfirmation);
    let bench = bench.restarted();
    approve(&bench);
    let done = task(&bench, "the end", |task| task.state.is_final());
    assert_eq!((done.id, done.state), (waits.id, TaskState::Completed));
}

#[test]
fn what_was_interrupted_goes_on_under_the_same_task() {
    let answers = vec![edit("one", "1"), endless("and now "), edit("two", "2"), says("Digits now.")];
    let bench = Bench::with_model(FILES, answers);
    let thread = bench.thread(ReviewMode::AutoApply);
    bench.say(&thread, "digits please");
    let running = task(&bench, "the first edit", |task| task.progress.done == 1);
    let mut tail = bench.life.store.tail();
    bench.wait(async {
        while bench.life.agents.running_step(&thread).is_empty() {
            tail.recv().await.unwrap();
        }
    });
    let bench = bench.restarted();
    let paused = task(&bench, "the interruption", |task| task.paused == Some(Pause::Interrupted));
    assert_eq!(paused.id, running.id);
    bench.wait(bench.tasks().resume(&paused.id, "ada")).unwrap();
    let done = task(&bench, "the end", |task| task.state.is_final());
    assert_eq!((done.id, done.summary.as_deref()), (running.id, Some("Made all 2 changes.")));
    assert_eq!((done.turns.len(), bench.text("a.txt").as_str()), (2, "1\n2\n"));
}

#[test]
fn x8_a_turn_at_its_limit_is_not_failed_says_what_is_done_and_goes_on_with_the_rest() {
    let mut answers = vec![edit("one", "1")];
    answers.extend((0..9).map(|_| calls("doc_read", json!({"path": "a.txt"}))));
    answers.extend([edit("two", "2"), says("Digits now.")]);
    let bench = Bench::with_model(FILES, answers);
    let thread = bench.thread(ReviewMode::AutoApply);
    bench.say(&thread, "digits please");
    let paused = task(&bench, "the limit", |task| task.paused == Some(Pause::StepLimit));
    assert_eq!((paused.state, paused.progress.done), (TaskState::Running, 1), "{paused:?}");
    assert_eq!(
        paused.summary.as_deref(),
        Some("Stopped after 10 steps, the limit. So far: Made the one change. Resume it to continue with the rest.")
    );
    let bench = bench.restarted();
    let found = bench.tasks().detail(&paused.id).unwrap().task;
    assert_eq!((found.paused, found.progress.done), (Some(Pause::StepLimit), 1), "it does not go on by itself");
    bench.wait(bench.tasks().resume(&paused.id, "ada")).unwrap();
    let done = task(&bench, "the end", |task| task.state.is_final());
    assert_eq!((&done.id, done.summary.as_deref()), (&paused.id, Some("Made all 2 changes.")));
    assert_eq!(bench.text("a.txt"), "1\n2\n");
}

#[test]
fn stopping_the_turn_cancels_it_and_says_what_was_made() {
    let bench = Bench::with_model(FILES, vec![edit("one", "1"), endless("and now ")]);
    let thread = bench.thread(ReviewMode::AutoApply);
    bench.say(&thread, "digits please");
    let running = task(&bench, "the first edit", |task| task.progress.done == 1);
    bench.wait(bench.tasks().cancel(&running.id, "ada")).unwrap();
    let ended = task(&bench, "the end", |task| task.state.is_final());
    assert_eq!((ended.state, ended.summary.as_deref()), (TaskState::Cancelled, Some("Stopped: cancelled by ada.")));
}

#[test]
fn a_model_s_plan_is_one_task_confirmed_once_and_the_model_hears_of_it() {
    let plan = json!({"goal": "digits in a copy", "steps": [
        {"action_type": "file.copy", "args": {"from": "a.txt", "to": "b.txt"}},
        {"action_type": "doc.edit", "args": {"path": "b.txt", "edits": [{"old": "one", "new": "1"}]}},
        {"action_type": "doc.create", "args": {"path": ".git/hooks/pre-commit", "text": "rm -rf ."}},
        {"action_type": "make.coffee", "args": {}},
    ]});
    let answers = vec![calls("task_plan", plan), says("It waits for you."), says("I see.")];
    let bench = Bench::with_model(FILES, answers);
    let thread = bench.thread(ReviewMode::AutoApply);
    bench.say(&thread, "digits in a copy please");
    let waits = task(&bench, "the plan", |task| task.state == TaskState::AwaitingConfirmation);
    let shown = bench.tasks().detail(&waits.id).unwrap();
    assert_eq!((waits.thread.as_ref(), bench.files().len()), (Some(&thread), 1));
    let possible: Vec<_> = shown.plan.as_ref().unwrap().steps.iter().map(|step| step.problem.is_none()).collect();
    assert_eq!(possible, [true, true, false, false]);
    idle(&bench, &thread);
    let done = bench.approve(&shown);
    assert_eq!(done.task.state, TaskState::Completed);
    assert_eq!((bench.text("a.txt").as_str(), bench.text("b.txt").as_str()), ("one\ntwo\n", "1\ntwo\n"));
    assert_eq!(bench.list(&TaskQuery::default()).len(), 1);
    assert!(done.actions.iter().all(|record| record.parent.is_some() && record.decided_by.as_deref() == Some("ada")));
    bench.say(&thread, "and?");
    idle(&bench, &thread);
    let told = bench.told();
    assert!(told.iter().any(|text| text.contains("Since then") && text.contains("b.txt")), "{told:#?}");
}

#[test]
fn what_a_turn_really_did_is_what_it_is_run_again_with() {
    let edits = json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}, {"old": "four", "new": "4"}]});
    let answers = vec![calls("doc_edit", edits), edit("two", "2"), edit("absent", "x"), says("Digits now.")];
    let bench = Bench::with_model(&[("a.txt", "one\ntwo\nthree\nfour\n")], answers);
    let thread = bench.thread(ReviewMode::ReviewEach);
    bench.say(&thread, "digits please");
    let waiting = || bench.life.gate.pending().unwrap().remove(0);
    let decide = |decision: Decision| {
        let asked = waiting();
        let decision = Decision { hash: asked.approval_hash, ..decision };
        bench.wait(bench.life.gate.decide(&asked.envelope.id, decision, "ada")).unwrap();
    };
    task(&bench, "a question", |task| task.state == TaskState::AwaitingConfirmation);
    decide(Decision { parts: Some(vec![0]), ..Decision::approve(None) });
    decide(Decision { parts: Some(vec![1]), ..Decision::reject(None) });
    // The accepted part is an action of its own.
    task(&bench, "the second question", |task| {
        task.state == TaskState::AwaitingConfirmation && task.actions.len() == 3
    });
    decide(Decision::reject(None));
    let done = task(&bench, "the end", |task| task.state.is_final());
    assert_eq!(bench.text("a.txt"), "1\ntwo\nthree\nfour\n");
    let again = bench.tasks().to_run_again(&done.id).unwrap();
    let wanted = json!({"path": "a.txt", "edits": [{"old": "one\n", "new": "1\n"}]});
    assert_eq!(again.iter().map(|request| &request.args).collect::<Vec<_>>(), [&wanted]);
    // Without edits it is the same.
    let (task, _) = bench.tasks().again(&done.id, None, None, crate::tasks::bench::person()).unwrap();
    assert_eq!(task.calls.into_iter().map(|call| call.request).collect::<Vec<_>>(), again);
}
