//! Plans over real files: what the dry run shows is what then happens, or nothing does.
#![allow(clippy::disallowed_methods, reason = "looks at the scene")]

use std::fs;

use aside_core::{ActionState, Completeness, Origin, Plan, StepState};
use aside_gate::{Call, Confirmed, GateError, Submission};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{self, Bench, request};

fn calls(steps: &[(&str, Value)]) -> Vec<Call> {
    let call = |(number, (name, args)): (u32, &(&str, Value))| Call {
        number,
        request: request(name, args.clone()),
        undoes: None,
    };
    (1..).zip(steps).map(call).collect()
}

async fn plan(bench: &Bench, steps: &[(&str, Value)]) -> Plan {
    bench.gate.foresee(calls(steps), person()).await.unwrap()
}

fn person() -> Submission {
    Submission::person(Origin::User { user: "ada".to_owned() })
}

fn confirmed(bench: &Bench, plan: &Plan) -> Confirmed {
    let task = "tsk_00000000000000000000000001".parse().unwrap();
    let action = bench.gate.new_id();
    Confirmed { by: Some("ada".to_owned()), task, plan: plan.hash.clone(), action, parent: None }
}

/// Carries out all steps that can be.
async fn run(bench: &Bench, plan: &Plan) -> Result<(), GateError> {
    for step in plan.steps.iter().filter(|step| step.state == StepState::Waiting) {
        let done = bench.gate.run_step(step.clone(), person(), confirmed(bench, plan)).await?;
        assert_eq!(done.record.state, ActionState::Done, "{:#?}", done.record.outcome);
    }
    Ok(())
}

fn tree(bench: &Bench) -> Vec<(String, Option<String>)> {
    assert!(bench.workspace.save_all().is_empty());
    let mut found = Vec::new();
    let mut folders = vec![bench.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(bench.folder.path()).unwrap().to_str().unwrap().to_owned();
            if name == ".aside" {
                continue;
            }
            if path.is_dir() {
                found.push((name, None));
                folders.push(path);
            } else {
                found.push((name, Some(fs::read_to_string(&path).unwrap())));
            }
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn later_steps_are_shown_over_what_earlier_ones_would_leave() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let steps = [
        ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})),
        ("file.move", json!({"from": "a.txt", "to": "sub/b.txt"})),
        ("doc.edit", json!({"path": "sub/b.txt", "edits": [{"old": "1\ntwo", "new": "1\n2"}]})),
        ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "two", "new": "2"}]})),
        ("doc.create", json!({"path": "a.txt", "text": "new\n"})),
    ];
    let plan = plan(&bench, &steps).await;
    assert_eq!(plan.completeness, Completeness::Full);
    let problems: Vec<_> = plan.steps.iter().map(|step| step.problem.as_ref().map(|problem| &*problem.code)).collect();
    assert_eq!(problems, [None, None, None, Some("not_found"), None]);
    assert_eq!(tree(&bench), [("a.txt".to_owned(), Some("one\ntwo\n".to_owned()))]);
    run(&bench, &plan).await.unwrap();
    let text = |text: &str| Some(text.to_owned());
    let wanted = [("a.txt".into(), text("new\n")), ("sub".into(), None), ("sub/b.txt".to_owned(), text("1\n2\n"))];
    assert_eq!(tree(&bench), wanted);
}

#[tokio::test]
async fn a_step_that_is_no_longer_what_was_shown_does_not_run() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n"), ("b.txt", "b\n")]);
    let steps = [
        ("doc.edit", json!({"path": "b.txt", "edits": [{"old": "b", "new": "c"}]})),
        ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})),
    ];
    let plan = plan(&bench, &steps).await;
    bench.type_in("a.txt", |text| format!("{text}three\n"));
    let error = run(&bench, &plan).await.unwrap_err();
    assert!(matches!(&error, GateError::Differs { step: 2, .. }), "{error}");
    assert!(error.to_string().contains("`a.txt` has changed meanwhile"), "{error}");
    assert_eq!((bench.text("b.txt"), bench.text("a.txt")), ("c\n".into(), "one\ntwo\nthree\n".into()));
}

#[tokio::test]
async fn a_step_runs_once_however_often_it_is_asked_for() {
    let bench = Bench::new(&[("a.txt", "x\n")]);
    let steps = [("file.copy", json!({"from": "a.txt", "to": "b.txt"}))];
    let plan = plan(&bench, &steps).await;
    let step = || bench.gate.run_step(plan.steps[0].clone(), person(), confirmed(&bench, &plan));
    let (one, two) = tokio::join!(step(), step());
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.record, two.record);
    assert_eq!([one.replayed, two.replayed].iter().filter(|replayed| **replayed).count(), 1);
}

#[tokio::test]
async fn what_an_opaque_step_changes_is_not_guessed() {
    let bench = Bench::new(&[("a.txt", "x\n")]);
    let steps = [
        ("doc.checkpoint", json!({"path": "a.txt"})),
        ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "x", "new": "y"}]})),
    ];
    let plan = plan(&bench, &steps).await;
    assert_eq!((plan.completeness, plan.steps[1].as_if_without), (Completeness::Partial, Some(1)));
}

#[tokio::test]
async fn what_is_denied_is_shown_as_denied_and_left_out() {
    let bench = Bench::new(&[("a.txt", "x\n")]);
    let grant = aside_core::Grant::actions("narrow", ["doc.*"]);
    let submission = Submission { grant, ..person() };
    let steps = [
        ("file.delete", json!({"path": "a.txt"})),
        ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "x", "new": "y"}]})),
    ];
    let plan = bench.gate.foresee(calls(&steps), submission).await.unwrap();
    let problem = plan.steps[0].problem.as_ref().unwrap();
    assert_eq!((problem.code.as_str(), plan.steps[0].state), ("not_granted", StepState::LeftOut));
    assert_eq!(plan.steps[1].state, StepState::Waiting);
}

#[tokio::test]
async fn open_documents_count_as_written() {
    let bench = Bench::new(&[("a.txt", "one\n")]);
    bench.type_in("a.txt", |text| format!("{text}two\n"));
    let steps = [
        ("file.copy", json!({"from": "a.txt", "to": "b.txt"})),
        ("doc.edit", json!({"path": "b.txt", "edits": [{"old": "two", "new": "2"}]})),
    ];
    let plan = plan(&bench, &steps).await;
    run(&bench, &plan).await.unwrap();
    assert_eq!(bench.on_disk("b.txt"), "one\n2\n");
}

#[tokio::test]
async fn the_way_back_of_several_actions_is_a_plan_too() {
    let bench = Bench::new(&[("a/x.txt", "one\n"), ("b.txt", "b\n")]);
    let before = tree(&bench);
    let mut done = Vec::new();
    for (name, args) in [
        ("doc.edit", json!({"path": "a/x.txt", "edits": [{"old": "one", "new": "1"}]})),
        ("file.move", json!({"from": "a/x.txt", "to": "new/y.txt"})),
        ("file.copy", json!({"from": "new/y.txt", "to": "b.txt", "overwrite": true})),
        ("file.delete", json!({"path": "a"})),
        ("doc.create", json!({"path": "p/q/r.txt", "text": "r\n"})),
    ] {
        done.push(bench.act(name, args).await.envelope.id);
    }
    let calls = (1..).zip(done.iter().rev()).map(|(number, id)| Call {
        number,
        request: bench.gate.way_back(id).unwrap(),
        undoes: Some(id.clone()),
    });
    let plan = bench.gate.foresee(calls.collect(), person()).await.unwrap();
    let problems: Vec<_> = plan.steps.iter().filter_map(|step| step.problem.clone()).collect();
    assert!(problems.is_empty(), "{problems:?}");
    for step in &plan.steps {
        bench.gate.run_step(step.clone(), person(), confirmed(&bench, &plan)).await.unwrap();
    }
    assert_eq!(tree(&bench), before);
}

const PLACES: [&str; 7] = ["a.txt", "b.txt", "d", "d/c.txt", "d/e", "d/e/f.txt", "g/h.txt"];

fn step() -> impl Strategy<Value = (&'static str, Value)> {
    let place = || prop::sample::select(&PLACES[..]);
    let word = || prop::sample::select(vec!["one", "two", "three", "four"]);
    prop_oneof![
        4 => (place(), word(), word()).prop_map(|(path, old, new)| {
            ("doc.edit", json!({"path": path, "edits": [{"old": old, "new": new}]}))
        }),
        2 => (place(), word()).prop_map(|(path, text)| {
            ("doc.create", json!({"path": path, "text": format!("{text}\nmore {text}\n")}))
        }),
        1 => place().prop_map(|path| ("file.create", json!({"path": path, "folder": true}))),
        1 => (place(), word()).prop_map(|(path, text)| ("file.create", json!({"path": path, "text": text}))),
        3 => (place(), place(), any::<bool>()).prop_map(|(from, to, overwrite)| {
            ("file.move", json!({"from": from, "to": to, "overwrite": overwrite}))
        }),
        3 => (place(), place(), any::<bool>()).prop_map(|(from, to, overwrite)| {
            ("file.copy", json!({"from": from, "to": to, "overwrite": overwrite}))
        }),
        2 => (place(), any::<bool>()).prop_map(|(path, tidy)| {
            let tidy = if tidy { path.split_once('/').map(|(top, _)| top) } else { None };
            ("file.delete", json!({"path": path, "tidy": tidy}))
        }),
    ]
}

/// Step by step, what is possible and what it shows is the same in the dry run and in the run.
async fn same_both_ways(steps: Vec<(&'static str, Value)>) {
    let files = [("a.txt", "one\ntwo\n"), ("d/c.txt", "two\nthree\n"), ("d/e/f.txt", "one\n")];
    let bench = Bench::new(&files);
    let plan = plan(&bench, &steps).await;
    for step in &plan.steps {
        let now = bench.gate.dry_run(step.request.clone(), person()).await.unwrap();
        let code = now.outcome.as_ref().map(|_| common::failure(&now).code.clone());
        assert_eq!(code, step.problem.as_ref().map(|problem| problem.code.clone()), "{:#?}", step.request);
        if step.problem.is_some() {
            continue;
        }
        let essence = |preview: &Option<aside_core::Preview>| preview.as_ref().map(aside_core::Preview::essence);
        assert_eq!(essence(&now.preview), essence(&step.preview), "{:#?}\n{:#?}", now.preview, step.preview);
        assert_eq!(now.assessment, step.assessment, "{:#?}", step.request);
        let done = bench.gate.run_step(step.clone(), person(), confirmed(&bench, &plan)).await.unwrap();
        assert_eq!(done.record.state, ActionState::Done, "{:#?}", done.record.outcome);
        for left in &step.leaves {
            let path = common::path(&left.object.id);
            let there = bench.workspace.view(&Default::default()).version(&path).unwrap();
            let is_file = there.is_some() && !bench.folder.path().join(path.as_str()).is_dir();
            assert_eq!(there.is_some(), left.version.is_some(), "{:#?} {left:?}", step.request);
            if is_file {
                assert_eq!(there, left.version, "{:#?} {left:?}", step.request);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_dry_run_of_a_plan_is_what_then_happens(steps in prop::collection::vec(step(), 1..9)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(same_both_ways(steps));
    }
}
