//! What a task did is run again, with edits or as a recipe with other values; it is shown before it does anything.

use std::collections::BTreeMap;

use aside_agent::{TaskDetail, TaskError};
use aside_core::{StepState, TaskDecision, TaskSource, TaskState};
use serde_json::json;

use crate::tasks::bench::{Bench, no, person, request, stands, steps};

fn rename(bench: &Bench) -> TaskDetail {
    let shown = bench.plan(&[
        ("doc.edit", json!({"path": "notes/tides.md", "edits": [{"old": "high", "new": "low"}]})),
        ("file.copy", json!({"from": "notes/tides.md", "to": "old/tides.md"})),
    ]);
    bench.approve(&shown)
}

fn files() -> Bench {
    Bench::new(&[("notes/tides.md", "# Tides\nhigh\n"), ("notes/winds.md", "# Winds\nhigh\n")])
}

fn run(bench: &Bench, name: &str, set: &[(&str, &str)]) -> Result<TaskDetail, TaskError> {
    let set: BTreeMap<_, _> = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (task, submission) = bench.tasks().from_recipe(name, &set, person())?;
    bench.wait(bench.tasks().create(task, submission))
}

#[test]
fn a_recipe_is_the_same_again_with_other_values() {
    let bench = files();
    let done = rename(&bench);
    let recipe = bench.tasks().save_recipe(&done.task.id, None, &BTreeMap::new()).unwrap();
    assert_eq!(recipe.name, "tidy-up");
    let found: Vec<_> = recipe.parameters.iter().map(|each| (&*each.name, &*each.value)).collect();
    assert_eq!(found, [("path", "notes/tides.md"), ("to", "old/tides.md")]);
    assert!(recipe.steps.iter().all(|step| !step.args.to_string().contains("base")), "{recipe:?}");
    let bench = bench.restarted();
    let shown = run(&bench, "tidy-up", &[("path", "notes/winds.md"), ("to", "old/winds.md")]).unwrap();
    assert_eq!(shown.task.source, TaskSource::Recipe { name: "tidy-up".to_owned() });
    assert_eq!(bench.text("notes/winds.md"), "# Winds\nhigh\n");
    assert_eq!(bench.approve(&shown).task.state, TaskState::Completed);
    assert_eq!(bench.text("old/winds.md"), "# Winds\nlow\n");
}

#[test]
fn parameters_get_other_names_and_names_are_taken_once() {
    let bench = files();
    let done = rename(&bench);
    let save = |name: &str, rename: &[(&str, &str)]| {
        let rename = rename.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        bench.tasks().save_recipe(&done.task.id, Some(name.to_owned()), &rename)
    };
    save("lower", &[]).unwrap();
    let renamed = save("lower", &[("path", "note")]).unwrap();
    assert_eq!(renamed.steps[1].args["from"], "{{note}}");
    assert_eq!(save("../lower", &[]).unwrap_err().failure().code, "invalid_task");
    let shown = bench.plan(&[("doc.create", json!({"path": "new.txt", "text": "x"}))]);
    let other = bench.approve(&shown);
    let taken = bench.tasks().save_recipe(&other.task.id, Some("lower".to_owned()), &BTreeMap::new());
    assert_eq!(taken.unwrap_err().failure().code, "exists");
    bench.tasks().delete_recipe("lower").unwrap();
    assert!(bench.tasks().recipes().unwrap().is_empty());
    assert_eq!(bench.tasks().delete_recipe("lower").unwrap_err().failure().code, "not_found");
}

#[test]
fn hostile_values_reach_no_further_than_the_recipe_did() {
    let bench = files();
    let done = rename(&bench);
    bench.tasks().save_recipe(&done.task.id, Some("lower".to_owned()), &BTreeMap::new()).unwrap();
    let before = bench.files();
    for (path, to) in [
        ("notes/winds.md", "../outside.md"),
        ("notes/winds.md", "/etc/passwd"),
        ("notes/winds.md", ".git/hooks/pre-commit"),
        ("notes/winds.md", ".aside/aside.db"),
        ("notes/winds.md", ".envrc"),
        ("notes/winds.md", "a\u{0}b"),
        ("notes/winds.md", ""),
    ] {
        let shown = run(&bench, "lower", &[("path", path), ("to", to)]).unwrap();
        let copy = &shown.plan.as_ref().unwrap().steps[1];
        assert_eq!((copy.state, copy.problem.is_some()), (StepState::LeftOut, true), "{to:?}");
        bench.wait(bench.tasks().cancel(&shown.task.id, "ada")).unwrap();
    }
    let shown = run(&bench, "lower", &[("path", "{{to}}\", \"network\": true, \"x\": \"")]).unwrap();
    assert_eq!(steps(&shown), [StepState::LeftOut; 2]);
    assert_eq!(run(&bench, "lower", &[("sudo", "x")]).unwrap_err().failure().code, "invalid_task");
    assert_eq!(bench.files(), before);
}

#[test]
fn only_what_went_well_is_a_recipe() {
    let bench = files();
    let waits = bench.plan(&[("doc.create", json!({"path": "new.txt", "text": "x"}))]);
    let save = |id| bench.tasks().save_recipe(id, None, &BTreeMap::new()).map_err(|error| error.failure().code);
    assert_eq!(save(&waits.task.id).unwrap_err(), "not_waiting");
    let done = bench.approve(&waits);
    let back = bench.wait(bench.tasks().undo(&done.task.id, person(), aside_agent::Partly::No, None)).unwrap();
    let back = bench.approve(&back);
    assert_eq!(save(&back.task.id).unwrap_err(), "not_waiting");
}

#[test]
fn what_a_person_left_out_stays_out_when_it_is_run_again() {
    let bench = files();
    let shown = bench.plan(&[
        ("doc.edit", json!({"path": "notes/tides.md", "edits": [{"old": "high", "new": "low"}]})),
        ("file.copy", json!({"from": "notes/tides.md", "to": "old/tides.md"})),
    ]);
    let shown = bench.decide(&shown, TaskDecision { steps: Some(vec![2]), ..no(&shown) }).unwrap();
    let done = bench.approve(&shown);
    let again = bench.tasks().to_run_again(&done.task.id).unwrap();
    assert_eq!(again.iter().map(|step| step.action_type.as_str()).collect::<Vec<_>>(), ["doc.edit"]);
}

#[test]
fn it_is_run_again_with_edits() {
    let bench = files();
    let done = rename(&bench);
    let edits = Some(vec![request("file.copy", json!({"from": "notes/winds.md", "to": "old/winds.md"}))]);
    let (task, submission) = bench.tasks().again(&done.task.id, edits, None, person()).unwrap();
    let shown = bench.wait(bench.tasks().create(task, submission)).unwrap();
    assert_eq!(shown.task.source, TaskSource::Again { task: done.task.id.clone() });
    assert_eq!(stands(&bench.approve(&shown)), (TaskState::Completed, "Completed the one step."));
    let start = bench.tasks().to_run_again(&done.task.id).unwrap();
    assert!(start.iter().all(|step| !step.args.to_string().contains("base")), "{start:?}");
    let (task, submission) = bench.tasks().again(&done.task.id, None, None, person()).unwrap();
    assert_eq!(task.calls.iter().map(|call| &call.request).collect::<Vec<_>>(), start.iter().collect::<Vec<_>>());
    let again = bench.wait(bench.tasks().create(task, submission)).unwrap();
    let problems: Vec<_> =
        again.plan.unwrap().steps.into_iter().map(|step| step.problem.map(|problem| problem.code)).collect();
    // The line is so already, which is no failure; the copy is there.
    assert_eq!(problems, [None, Some("exists".to_owned())]);
}
