//! A plan is shown whole, confirmed, and carried out exactly as it was shown.

use aside_core::{Choice, Pause, StepState, TaskDecision, TaskSource, TaskState};
use serde_json::json;

use crate::tasks::bench::{Bench, no, request, stands, steps, yes};

const NOTE: &str = "one\ntwo\n";

fn edit(path: &str, old: &str, new: &str) -> (&'static str, serde_json::Value) {
    ("doc.edit", json!({"path": path, "edits": [{"old": old, "new": new}]}))
}

fn code(error: Result<impl Sized, aside_agent::TaskError>) -> String {
    error.err().expect("it is refused").failure().code
}

#[test]
fn a_plan_is_shown_waits_and_is_done_on_a_yes() {
    let bench = Bench::new(&[("a.txt", NOTE)]);
    let shown = bench.plan(&[
        edit("a.txt", "one", "1"),
        ("file.move", json!({"from": "a.txt", "to": "b.txt"})),
        edit("b.txt", "two", "2"),
    ]);
    assert_eq!(shown.task.state, TaskState::AwaitingConfirmation);
    assert_eq!(steps(&shown), [StepState::Waiting; 3]);
    assert!(shown.plan.as_ref().unwrap().steps.iter().all(|step| step.preview.is_some()));
    assert_eq!(bench.text("a.txt"), NOTE);
    let done = bench.approve(&shown);
    assert_eq!(stands(&done), (TaskState::Completed, "Completed all 3 steps."));
    assert_eq!(bench.files(), [("b.txt".to_owned(), "1\n2\n".to_owned())]);
    assert_eq!((done.task.progress.step, done.task.progress.done, done.actions.len()), (3, 3, 3));
    let told: Vec<_> = done.timeline.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(told.first(), Some(&"Planned 3 steps."));
    assert_eq!(told.get(1), Some(&"ada approved it."));
    assert_eq!(told.last(), Some(&"Completed all 3 steps."));
    assert_eq!(done.actions[0].decided_by.as_deref(), Some("ada"));
    let wanted = ["dry_run", "dry_run", "dry_run", "decision", "intent", "outcome"];
    assert_eq!(bench.audited()[..6], wanted);
}

#[test]
fn a_yes_names_what_was_shown_and_counts_once() {
    let bench = Bench::new(&[("a.txt", NOTE)]);
    let shown = bench.plan(&[("test.wait", json!({"name": "only"}))]);
    assert_eq!(code(bench.decide(&shown, TaskDecision { hash: None, ..yes(&shown) })), "stale");
    let other = aside_core::Sha256::of("something else");
    assert_eq!(code(bench.decide(&shown, TaskDecision { hash: Some(other), ..yes(&shown) })), "stale");
    bench.waiting.go.add_permits(9);
    let (tasks, id, decision) = (bench.tasks(), &shown.task.id, yes(&shown));
    let twice =
        bench.wait(async { tokio::join!(tasks.decide(id, &decision, "ada"), tasks.decide(id, &decision, "ada")) });
    assert!(twice.0.is_ok() != twice.1.is_ok(), "one of them came first");
    bench.settled(id);
    assert_eq!(code(bench.decide(&shown, decision)), "not_waiting");
    assert_eq!(bench.runs(), ["only"]);
}

#[test]
fn it_stops_at_the_first_difference_and_shows_the_rest_anew() {
    let bench = Bench::new(&[("a.txt", NOTE), ("b.txt", "b\n")]);
    let shown = bench.plan(&[edit("b.txt", "b", "c"), edit("a.txt", "one", "1"), edit("b.txt", "c", "d")]);
    bench.type_in("a.txt", "two", "two and more");
    let stopped = bench.approve(&shown);
    let reason = "Stopped after 1 of 3: step 2 no longer matches its preview: file `a.txt` has changed meanwhile.";
    assert_eq!(stands(&stopped), (TaskState::AwaitingConfirmation, reason));
    assert_eq!(steps(&stopped), [StepState::Done, StepState::Waiting, StepState::Waiting]);
    let said: Vec<_> = stopped.plan.iter().flat_map(|plan| &plan.steps).map(|step| step.changed.as_deref()).collect();
    assert_eq!(said, [None, Some("file `a.txt` has changed meanwhile"), None], "each step says it of itself");
    assert_eq!((bench.text("a.txt").as_str(), bench.text("b.txt").as_str()), ("one\ntwo and more\n", "c\n"));
    assert_eq!(code(bench.decide(&shown, yes(&shown))), "stale");
    let done = bench.approve(&stopped);
    assert_eq!(stands(&done), (TaskState::Completed, "Completed all 3 steps."));
    assert_eq!((bench.text("a.txt").as_str(), bench.text("b.txt").as_str()), ("1\ntwo and more\n", "d\n"));
}

#[test]
fn a_no_ends_it_and_nothing_was_done() {
    let bench = Bench::new(&[("a.txt", NOTE)]);
    let shown = bench.plan(&[edit("a.txt", "one", "1")]);
    let ended = bench.decide(&shown, TaskDecision { reason: Some("not today".to_owned()), ..no(&shown) }).unwrap();
    assert_eq!(stands(&ended), (TaskState::Cancelled, "Stopped after 0 of 1: cancelled by ada."));
    assert!(ended.timeline.iter().any(|entry| entry.text == "ada rejected it: not today"));
    assert_eq!(bench.text("a.txt"), NOTE);
    assert_eq!(code(bench.decide(&shown, yes(&shown))), "not_waiting");
}

#[test]
fn steps_are_confirmed_by_kind_or_left_out_and_the_rest_is_shown_without_them() {
    let bench = Bench::new(&[("a.txt", NOTE)]);
    let shown = bench.plan(&[
        edit("a.txt", "one", "1"),
        ("file.copy", json!({"from": "a.txt", "to": "b.txt"})),
        edit("a.txt", "two", "2"),
    ]);
    let without = bench.decide(&shown, TaskDecision { steps: Some(vec![1]), ..no(&shown) }).unwrap();
    assert_eq!(steps(&without), [StepState::LeftOut, StepState::Waiting, StepState::Waiting]);
    assert_eq!(code(bench.decide(&shown, yes(&shown))), "stale");
    let edits = TaskDecision { action_type: Some("doc.edit".parse().unwrap()), ..yes(&without) };
    let half = bench.decide(&without, edits).unwrap();
    assert_eq!(half.task.state, TaskState::AwaitingConfirmation);
    assert_eq!(code(bench.decide(&half, TaskDecision { steps: Some(vec![1]), ..yes(&half) })), "invalid_task");
    let done = bench.approve(&half);
    assert_eq!(stands(&done), (TaskState::Completed, "Completed 2 of 3 steps. Not done: 1 (ada rejected it)."));
    assert_eq!((bench.text("a.txt").as_str(), bench.text("b.txt").as_str()), ("one\n2\n", NOTE));
}

#[test]
fn x8_a_step_that_fails_ends_it_with_what_was_done() {
    let bench = Bench::new(&[]);
    let shown = bench.plan(&[("test.wait", json!({"name": "a"})), ("test.wait", json!({"name": "b"}))]);
    bench.decide(&shown, yes(&shown)).unwrap();
    bench.wait(bench.waiting.has_begun());
    let running = bench.tasks().detail(&shown.task.id).unwrap();
    let action = running.actions[0].envelope.id.clone();
    bench.wait(bench.life.gate.stop(&action, "ada")).unwrap();
    let failed = bench.settled(&shown.task.id);
    let reason = "Stopped after 0 of 2: step 1 failed: ada stopped it";
    assert_eq!(stands(&failed), (TaskState::Failed, reason));
    assert_eq!(bench.runs(), ["a"]);
}

#[test]
fn a_task_that_can_do_nothing_fails_at_once_and_says_why() {
    let bench = Bench::new(&[]);
    let failed = bench.plan(&[edit("gone.txt", "a", "b"), ("make.coffee", json!({}))]);
    assert_eq!(stands(&failed), (TaskState::Failed, "None of its steps can run."));
    let plan = failed.plan.unwrap();
    let codes: Vec<_> = plan.steps.iter().map(|step| step.problem.as_ref().unwrap().code.as_str()).collect();
    assert_eq!(codes, ["not_found", "unknown_action"]);
}

#[test]
fn a_paused_task_ends_its_step_and_goes_on_when_told() {
    let bench = Bench::new(&[]);
    let shown = bench.plan(&[("test.wait", json!({"name": "a"})), ("test.wait", json!({"name": "b"}))]);
    let id = &shown.task.id;
    bench.decide(&shown, yes(&shown)).unwrap();
    bench.wait(bench.waiting.has_begun());
    let paused = bench.tasks().pause(id, "ada").unwrap();
    assert_eq!((paused.task.state, paused.task.paused), (TaskState::Running, Some(Pause::Person)));
    assert_eq!(code(bench.tasks().pause(id, "ada")), "not_waiting");
    bench.waiting.go.add_permits(9);
    let between = bench.until(id, "the end of the first step", |task| task.progress.done == 1);
    assert_eq!(steps(&between), [StepState::Done, StepState::Waiting]);
    assert_eq!(bench.runs(), ["a"]);
    let (tasks, resume) = (bench.tasks(), |id| bench.tasks().resume(id, "ada"));
    let twice = bench.wait(async { tokio::join!(resume(id), resume(id)) });
    assert!(twice.0.is_ok() != twice.1.is_ok(), "one of them came first");
    assert_eq!(stands(&bench.wait(tasks.settled(id)).unwrap()), (TaskState::Completed, "Completed all 2 steps."));
    assert_eq!(bench.runs(), ["a", "b"]);
}

#[test]
fn cancelling_stops_the_running_step_and_starts_no_other() {
    let bench = Bench::new(&[]);
    let shown = bench.plan(&[("test.wait", json!({"name": "a"})), ("test.wait", json!({"name": "b"}))]);
    bench.decide(&shown, yes(&shown)).unwrap();
    bench.wait(bench.waiting.has_begun());
    bench.wait(bench.tasks().cancel(&shown.task.id, "ada")).unwrap();
    let over = |task: &aside_core::Task| task.summary.as_deref().is_some_and(|text| text.contains("was running"));
    let ended = bench.until(&shown.task.id, "the end of the step", over);
    let summary = "Stopped after 0 of 2: cancelled by ada. Step 1 was running: ada stopped it";
    assert_eq!(stands(&ended), (TaskState::Cancelled, summary));
    assert_eq!(bench.runs(), ["a"]);
    assert_eq!(code(bench.wait(bench.tasks().cancel(&shown.task.id, "ada"))), "not_waiting");
}

#[test]
fn a_plan_under_a_grant_asks_no_more_when_that_is_revoked() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let grants = bench.life.gate.grants();
    let grant = grants.create(aside_core::Grant::full("nightly"), "ada").unwrap().grant;
    let id = grant.id.clone().unwrap();
    let origin = aside_core::Origin::Client { user: "ada".to_owned(), grant: id.clone() };
    let step = || vec![request("file.copy", json!({"from": "a.txt", "to": "b.txt"}))];
    let new = aside_agent::NewTask::of("copy".to_owned(), step(), TaskSource::Plan);
    let under = bench.wait(bench.tasks().create(new, aside_gate::Submission::under(grant, origin))).unwrap();
    let own = bench.plan(&[("file.copy", json!({"from": "a.txt", "to": "c.txt"}))]);
    grants.revoke(&id).unwrap();
    let ended = bench.until(&under.task.id, "the end", |task| task.state == TaskState::Cancelled);
    assert_eq!(stands(&ended), (TaskState::Cancelled, "Stopped after 0 of 1: cancelled by the end of its grant."));
    assert_eq!(bench.tasks().detail(&own.task.id).unwrap().task.state, TaskState::AwaitingConfirmation);
}

#[test]
fn a_plan_under_a_grant_asks_no_more_when_that_has_expired() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let grants = bench.life.gate.grants();
    // A moment after now, which is waited for below.
    let expires = Some(bench.life.gate.now().plus(2_000));
    let grant = aside_core::Grant { expires, ..aside_core::Grant::full("nightly") };
    let grant = grants.create(grant, "ada").unwrap().grant;
    let origin = aside_core::Origin::Client { user: "ada".to_owned(), grant: grant.id.clone().unwrap() };
    let step = vec![request("file.copy", json!({"from": "a.txt", "to": "b.txt"}))];
    let new = aside_agent::NewTask::of("copy".to_owned(), step, TaskSource::Plan);
    let under = bench.wait(bench.tasks().create(new, aside_gate::Submission::under(grant, origin))).unwrap();
    let ended = bench.until(&under.task.id, "the end", |task| task.state == TaskState::Cancelled);
    assert_eq!(stands(&ended), (TaskState::Cancelled, "Stopped after 0 of 1: cancelled by the end of its grant."));
}

#[test]
fn what_makes_no_sense_is_not_taken_in() {
    let bench = Bench::new(&[]);
    let make = |goal: &str, count: usize| {
        let requests = vec![crate::tasks::bench::request("file.list", json!({})); count];
        let new = aside_agent::NewTask::of(goal.to_owned(), requests, aside_core::TaskSource::Plan);
        code(bench.wait(bench.tasks().create(new, crate::tasks::bench::person())))
    };
    assert_eq!(make(" ", 1), "invalid_task");
    assert_eq!(make("look", 0), "invalid_task");
    assert_eq!(make("look", 201), "invalid_task");
    assert_eq!(make(&"x".repeat(2001), 1), "invalid_task");
    let shown = bench.plan(&[("file.list", json!({}))]);
    let unknown = TaskDecision { decision: Choice::Reject, steps: Some(vec![7]), ..yes(&shown) };
    assert_eq!(code(bench.decide(&shown, unknown)), "invalid_task");
}
