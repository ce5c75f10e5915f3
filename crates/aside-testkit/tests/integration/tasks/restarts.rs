//! The server is killed at every boundary of a task's steps, and within one: nothing runs twice, nothing goes on alone.

use aside_core::{Pause, StepState, TaskId, TaskState};
use aside_store::Durability;
use serde_json::{Value, json};

use crate::tasks::bench::{Bench, stands, steps, yes};

fn two(bench: &Bench) -> aside_agent::TaskDetail {
    bench.plan(&[("test.wait", json!({"name": "a"})), ("test.wait", json!({"name": "b"}))])
}

/// Takes back what a task wrote after its gate did its part, as a kill between the two would.
fn as_before(store: &aside_store::Store, id: &TaskId, state: &str, steps: &[&str]) {
    let (mut task, mut plan): (Value, Value) =
        (store.get("task", id.as_str()).unwrap().unwrap(), store.get("task_plan", id.as_str()).unwrap().unwrap());
    task["task"]["state"] = json!(state);
    task["task"]["summary"] = Value::Null;
    for (step, state) in plan["steps"].as_array_mut().unwrap().iter_mut().zip(steps) {
        step["state"] = json!(state);
        step["outcome"] = Value::Null;
    }
    let put = |transaction: &aside_store::Transaction<'_>| {
        transaction.put("task", id.as_str(), None, &task)?;
        transaction.put("task_plan", id.as_str(), None, &plan)
    };
    store.transaction(Durability::Normal, put).unwrap();
}

#[test]
fn what_waits_for_a_person_goes_on_waiting() {
    let bench = Bench::new(&[]);
    bench.waiting.go.add_permits(9);
    let shown = two(&bench);
    let bench = bench.restarted();
    assert_eq!(bench.tasks().detail(&shown.task.id).unwrap(), shown);
    assert_eq!(bench.approve(&shown).task.state, TaskState::Completed);
    assert_eq!(bench.runs(), ["a", "b"]);
}

#[test]
fn killed_before_there_was_a_plan_it_has_failed_and_nothing_was_done() {
    let bench = Bench::new(&[]);
    let shown = two(&bench);
    let id = shown.task.id.clone();
    let bench = bench.restarted_after(|store| {
        as_before(store, &id, "created", &[]);
        store.delete("task_plan", id.as_str()).unwrap();
    });
    let failed = bench.tasks().detail(&id).unwrap();
    assert_eq!(
        stands(&failed),
        (TaskState::Failed, "The server stopped before there was a plan. Nothing was changed.")
    );
    assert_eq!((failed.plan, bench.runs().len()), (None, 0));
}

#[test]
fn killed_within_a_step_it_is_not_done_again() {
    let bench = Bench::new(&[]);
    let shown = two(&bench);
    let id = &shown.task.id;
    bench.decide(&shown, yes(&shown)).unwrap();
    bench.wait(bench.waiting.has_begun());
    let bench = bench.restarted();
    bench.waiting.go.add_permits(9);
    let found = bench.tasks().detail(id).unwrap();
    assert_eq!((found.task.state, found.task.paused), (TaskState::Running, Some(Pause::Interrupted)));
    assert_eq!(bench.runs(), ["a"]);
    let asks = bench.resume(id);
    assert_eq!(steps(&asks), [StepState::Interrupted, StepState::Waiting]);
    let reason = "Stopped after 0 of 2: step 1 was interrupted and is not run again; check what it did.";
    assert_eq!(stands(&asks), (TaskState::AwaitingConfirmation, reason));
    let done = bench.approve(&asks);
    assert_eq!(stands(&done), (TaskState::Completed, "Completed 1 of 2 steps. Not done: 1 (interrupted)."));
    assert_eq!(bench.runs(), ["a", "b"]);
}

#[test]
fn killed_before_a_step_was_asked_for_it_is_done_once() {
    let bench = Bench::new(&[]);
    bench.waiting.go.add_permits(9);
    let shown = two(&bench);
    let id = shown.task.id.clone();
    let bench = bench.restarted_after(|store| as_before(store, &id, "running", &["running", "waiting"]));
    let found = bench.tasks().detail(&id).unwrap();
    assert_eq!((found.task.paused, bench.runs().len()), (Some(Pause::Interrupted), 0));
    assert_eq!(stands(&bench.resume(&id)), (TaskState::Completed, "Completed all 2 steps."));
    assert_eq!(bench.runs(), ["a", "b"]);
}

#[test]
fn killed_after_a_step_was_done_and_before_that_was_noted_it_is_not_done_again() {
    for before in [["running", "waiting"], ["done", "running"], ["done", "waiting"]] {
        let bench = Bench::new(&[]);
        bench.waiting.go.add_permits(9);
        let shown = two(&bench);
        let id = shown.task.id.clone();
        bench.approve(&shown);
        let bench = bench.restarted_after(|store| as_before(store, &id, "running", &before));
        assert_eq!(stands(&bench.resume(&id)), (TaskState::Completed, "Completed all 2 steps."), "{before:?}");
        assert_eq!(bench.runs(), ["a", "b"], "{before:?}");
    }
}

#[test]
fn a_pause_outlives_the_server() {
    let bench = Bench::new(&[]);
    let shown = two(&bench);
    let id = &shown.task.id;
    bench.decide(&shown, yes(&shown)).unwrap();
    bench.wait(bench.waiting.has_begun());
    bench.tasks().pause(id, "ada").unwrap();
    bench.waiting.go.add_permits(9);
    bench.until(id, "the end of the first step", |task| task.progress.done == 1);
    let bench = bench.restarted();
    assert_eq!(bench.tasks().detail(id).unwrap().task.paused, Some(Pause::Person));
    assert_eq!(bench.resume(id).task.state, TaskState::Completed);
    assert_eq!(bench.runs(), ["a", "b"]);
}

#[test]
fn what_is_over_stays_over() {
    let bench = Bench::new(&[]);
    bench.waiting.go.add_permits(9);
    let shown = two(&bench);
    let done = bench.approve(&shown);
    let bench = bench.restarted();
    assert_eq!(bench.tasks().detail(&shown.task.id).unwrap(), done);
    assert_eq!(bench.runs(), ["a", "b"]);
}
