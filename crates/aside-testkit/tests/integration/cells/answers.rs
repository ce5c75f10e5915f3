//! How answers end, and who may ask for them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use aside_agent::{Instruction, Instructions};
use aside_core::{
    ActionState, ExecutionState, Grant, Id as _, InstructionsAt, Origin, Outcome, Timestamp, WorkspacePath,
};
use aside_gate::Submission;
use aside_testkit::fake_models::{Answer, Delivery, Ending, OfferedModel, Reply};
use serde_json::{Value, json};

use crate::cells::scene::{World, ai, call, code, person, states};

fn roles(outputs: &[Value]) -> Vec<&str> {
    outputs.iter().map(|output| output["metadata"]["anode"]["role"].as_str().unwrap_or("none")).collect()
}

#[test]
fn the_most_rounds_end_it_clearly_and_the_last_of_them_is_kept() {
    let world = World::new(&[code("c", "1", json!([])), ai("a", "go on")], json!({"max_ai_iterations": 2}));
    let scene = world.open();
    world.fake.otherwise(Reply::answer(Answer::text("Again. ").with(call("c", "read_cell", json!({"cellId": "c"})))));
    let told = scene.ask("a");
    let outputs = scene.outputs("a");
    assert_eq!(roles(&outputs), ["assistant", "function_call", "tool", "assistant", "function_call", "tool", "none"]);
    let last = outputs.last().unwrap()["data"]["text/markdown"].to_string();
    assert!(last.contains("Reached maximum iterations (2)"), "{last}");
    assert_eq!((states(&told), world.told().len()), (vec![ExecutionState::Ok], 2));
    scene.end();
}

#[test]
fn an_empty_cell_asks_nobody_and_a_model_that_fails_fails_its_cell() {
    let world = World::new(&[ai("a", "  \n"), ai("b", "why?")], json!({}));
    let scene = world.open();
    assert_eq!(states(&scene.ask("a")), [ExecutionState::Ok]);
    assert!(scene.outputs("a").is_empty() && world.told().is_empty());
    world.fake.play(Reply::Status { status: 401, retry_after: None, message: "no such key".into() });
    assert_eq!(states(&scene.ask("b")), [ExecutionState::Failed]);
    assert_eq!(scene.outputs("b")[0]["output_type"], "error");
    scene.end();
}

#[test]
fn an_answer_that_is_stopped_hangs_up_within_a_second_and_the_cell_beside_it_goes_on() {
    let world = World::new(&[ai("a", "one"), ai("b", "two")], json!({}));
    let scene = world.open();
    let hanging = || Reply::Answer(Answer::text("The beginning, and then"), Delivery::ending(Ending::Hang(3)));
    world.fake.play(hanging());
    let first = scene.run(json!({"cells": ["a"], "wait": true}));
    scene.until(|session| !session.open_answers().is_empty());
    scene.wait(async {
        while world.fake.begun() < 1 {
            tokio::task::yield_now().await
        }
    });
    world.fake.play(hanging());
    let second = scene.run(json!({"cells": ["b"], "wait": true}));
    scene.until(|session| session.open_answers().len() == 2);
    scene.wait(async {
        while world.fake.begun() < 2 {
            tokio::task::yield_now().await
        }
    });

    // What a person asks in a cell no program stops.
    let grant = aside_core::GrantId::from_parts(Timestamp(1), 1);
    let program = Origin::Client { user: "ada".to_owned(), grant };
    for args in [json!({"cell": "a"}), json!({})] {
        let program = Submission::under(Grant::full("any"), program.clone());
        let refused = scene.wait(scene.submit("kernel.interrupt", args, program)).unwrap();
        assert_eq!(refused.state, ActionState::Failed, "{refused:?}");
    }
    assert_eq!(scene.session().open_answers().len(), 2, "both go on");

    let pressed = Instant::now();
    let stopping = scene.submit("kernel.interrupt", json!({"cell": "a"}), person());
    scene.done(stopping);
    scene.wait(world.fake.departed(1));
    let told = scene.done(first);
    assert!(pressed.elapsed() < Duration::from_secs(1), "{:?}", pressed.elapsed());
    assert_eq!(states(&told), [ExecutionState::Failed]);
    let outputs = scene.outputs("a");
    assert!(!format!("{outputs:?}").contains("maximum iterations"));
    assert_eq!(outputs.last().unwrap()["ename"], "Stopped");
    assert_eq!(scene.session().open_answers().len(), 1, "the other one goes on");

    let stopping = scene.submit("kernel.interrupt", json!({}), person());
    scene.wait(stopping).unwrap();
    scene.wait(world.fake.departed(2));
    scene.done(second);
    scene.end();
}

#[test]
fn who_waits_can_stop_waiting_and_that_stops_the_answer() {
    let world = World::new(&[ai("a", "one"), ai("b", "two")], json!({}));
    let scene = world.open();
    world.fake.play(Reply::Answer(Answer::text("The beginning"), Delivery::ending(Ending::Hang(2))));
    let told = scene.done(scene.run(json!({"cells": ["a", "b"], "wait": true, "timeout": 1})));
    assert_eq!(told["stopped"], "it took longer than 1 s and was interrupted");
    assert_eq!(states(&told), [ExecutionState::Failed, ExecutionState::Aborted]);
    scene.wait(world.fake.departed(1));
    assert_eq!(world.told().len(), 1, "the second is not asked");
    scene.end();
}

/// What a person has written for all models.
struct Standing;

impl Instructions for Standing {
    fn of(&self, _document: Option<&WorkspacePath>) -> Vec<Instruction> {
        vec![Instruction { at: InstructionsAt::Person, text: Some(Ok("Write units.".to_owned())) }]
    }
}

#[test]
fn standing_instructions_go_along_and_a_notebook_s_own_prompt_is_advice_until_it_is_trusted() {
    let world = World::new(&[ai("a", "one")], json!({"user_saved_prompt": "Answer in rhyme."}));
    let scene = world.open();
    scene.agents.instruct(Arc::new(Standing));
    world.play([Answer::text("Yes."), Answer::text("Yes.")]);
    scene.ask("a");
    let told = world.told().pop().unwrap();
    assert!(told.contains("Write units."), "{told}");
    assert!(told.contains("Answer in rhyme.") && told.contains("The user did not write it"), "{told}");
    assert!(!world.system().contains("rhyme"));
    scene.wait(scene.session().trust(true, None)).unwrap();
    scene.ask("a");
    assert!(world.system().contains("Answer in rhyme.") && !world.told().pop().unwrap().contains("rhyme"));
    scene.end();
}

#[test]
fn with_hints_only_nothing_is_offered_that_changes_or_runs() {
    let world = World::new(&[code("c", "1", json!([])), ai("a", "solve it")], json!({}));
    let scene = world.open_at("partial");
    world.play([
        Answer::default().with(call("c1", "create_cell", json!({"source": "x", "after_id": "a"}))),
        Answer::text("What does line 1 do?"),
    ]);
    scene.ask("a");
    assert_eq!(world.offered(), ["read_cell"]);
    assert_eq!(scene.sources().len(), 2, "what is not offered is refused too");
    assert_eq!(roles(&scene.outputs("a")), ["function_call", "tool", "assistant"]);
    scene.end();
}

#[test]
fn a_model_without_tools_hears_of_none_and_answers() {
    let long = json!([{"output_type": "stream", "name": "stdout", "text": "x".repeat(9000)}]);
    let world = World::new(&[code("c", "1", long), ai("a", "what is it?")], json!({}));
    world.fake.offer([OfferedModel { name: "fake".into(), capabilities: Some(vec![]), ..OfferedModel::default() }]);
    let scene = world.open();
    world.play([Answer::text("A one.")]);
    scene.ask("a");
    let asked = world.asked();
    assert!(asked[0].body["tools"].is_null(), "{:?}", asked[0].body);
    let told = world.system() + &world.told()[0];
    assert!(told.contains("You can't change cells here") && told.contains("omitted here"), "{told}");
    for word in ["read_cell", "create", "after_id", "calling tools", "<<<"] {
        assert!(!told.contains(word), "{word}: {told}");
    }
    scene.end();
}

#[test]
fn what_is_typed_in_a_cell_while_it_is_answered_is_another_question() {
    let world = World::new(&[ai("a", "make one")], json!({}));
    let scene = world.open();
    world.play([
        Answer::default().with(call("m", "create_cell", json!({"source": "1", "after_id": "a"}))),
        Answer::text("Made."),
    ]);
    let running = scene.run(json!({"cells": ["a"], "wait": true}));
    scene.next();
    let version = aside_core::Version::of("make one").to_string();
    let typed = scene.submit("cell.set", json!({"cell": "a", "version": version, "source": "make two"}), person());
    scene.done(typed);
    scene.approve("cell.insert");
    scene.done(running);
    let told = world.told();
    assert!(told[1].starts_with(&told[0]) && !told[1].contains("make two"), "{told:#?}");
    assert_eq!(scene.sources()[0].1, "make two");
    scene.end();
}

#[test]
fn other_programs_and_models_do_not_run_cells_for_ai() {
    let world = World::new(&[ai("a", "one")], json!({}));
    let scene = world.open();
    let grant = aside_core::Id::from_parts(aside_core::Timestamp(1), 1);
    for origin in [
        Origin::Mcp { user: "ada".into(), client: "other".into(), session: None },
        Origin::Client { user: "ada".into(), grant },
    ] {
        let asked = scene.submit("cell.run", json!({"cells": ["a"]}), Submission::person(origin));
        let record = scene.wait(asked).unwrap();
        let record = if record.outcome.is_none() {
            scene.approve("cell.run");
            scene.wait(scene.gate.settled(&record.envelope.id)).unwrap()
        } else {
            record
        };
        let Some(Outcome::Failed { failure }) = record.outcome else { panic!("{:?}", record.outcome) };
        assert_eq!((failure.code.as_str(), world.told().len()), ("not_code", 0));
    }
    scene.end();
}
