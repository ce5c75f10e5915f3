//! AI cells beside a kernel: what they make and run, and what is run around them.

use std::time::{Duration, Instant};

use aside_core::ExecutionState;
use aside_testkit::fake_models::{Answer, Delivery, Ending, Reply};
use serde_json::json;

use crate::cells::scene::{Scene, World, ai, call, code, states};

fn end(scene: Scene) {
    scene.done(scene.submit("kernel.shutdown", json!({}), crate::cells::scene::person()));
    scene.end();
}

#[test]
fn what_an_answer_makes_and_runs_is_asked_for_seen_and_told_again_the_same() {
    let cells = [code("c", "x = 6", json!([])), ai("a", "times seven?"), ai("b", "run it"), ai("d", "sure?")];
    let Some(world) = World::with_python(&cells) else { return };
    let scene = world.open();
    let dot = "display({'image/png': 'iVBORw0KGgo=', 'text/plain': 'a dot'}, raw=True)";
    let bar = "bar = display({'text/plain': 'half'}, raw=True, display_id='bar')\nbar.update({'text/plain': 'full'}, raw=True)";
    let make = format!("print('six')\n{dot}\n{bar}\nx * 7");
    world.play([
        Answer::default().with(call("r", "execute_cell", json!({"cellId": "c"}))),
        Answer::text("I make one. ").with(call("m", "create_cell", json!({"source": make, "after_id": "a"}))),
        Answer::text("Run it."),
    ]);
    let running = scene.run(json!({"cells": ["a"], "wait": true}));
    scene.approve("cell.run");
    scene.approve("cell.insert");
    assert_eq!(states(&scene.done(running)), [ExecutionState::Ok]);
    let made = scene.sources()[2].0.clone();
    world.play([
        Answer::default().with(call("e", "execute_cell", json!({"cellId": made}))),
        Answer::default().with(call("f", "execute_cell", json!({"cellId": made}))),
        Answer::text("It is 42."),
    ]);
    let running = scene.run(json!({"cells": ["b"], "wait": true}));
    scene.approve("cell.run");
    scene.reject("once is enough");
    assert_eq!(states(&scene.done(running)), [ExecutionState::Ok]);
    assert_eq!(results(&scene, "a"), ["Cell c executed successfully", &format!("Created code cell: {made}")]);
    let [ran, refused] = &results(&scene, "b")[..] else { panic!("two results") };
    assert!(ran.starts_with(&format!("Cell {made} executed successfully. ")), "{ran}");
    assert!(ran.contains("Output: six") && ran.contains("Result: 42"), "{ran}");
    assert!(ran.contains("Result: full") && !ran.contains("half"), "{ran}");
    assert!(refused.contains("once is enough"), "{refused}");
    world.play([Answer::text("Yes.")]);
    scene.ask("d");
    let first = world.told().pop().unwrap();
    end(scene);
    std::fs::remove_dir_all(world.folder.path().join(".aside")).unwrap();
    let scene = world.open();
    world.play([Answer::text("Yes.")]);
    scene.ask("d");
    assert_eq!(world.told().pop().unwrap(), first);
    scene.end();
}

/// What came of the calls in an AI cell.
fn results(scene: &Scene, cell: &str) -> Vec<String> {
    let text = |output: &serde_json::Value| {
        Some(output["data"]["application/vnd.anode.aitool.result+json"]["result"].as_str()?.to_owned())
    };
    scene.outputs(cell).iter().filter_map(text).collect()
}

#[test]
fn what_comes_after_an_answer_waits_for_it_and_is_not_run_if_the_answer_changed_it() {
    let cells = [ai("a", "mend it"), code("b", "print('b')", json!([])), code("c", "print('old')", json!([]))];
    let Some(world) = World::with_python(&cells) else { return };
    let scene = world.open();
    // The model has not seen the cell, which stands below: it is refused with the text, and tries again with the version.
    let version = aside_core::Version::of("print('old')").to_string();
    let modify = |version: serde_json::Value| {
        call("m", "modify_cell", json!({"cellId": "c", "source": "print('new')", "version": version}))
    };
    world.play([
        Answer::default().with(modify(json!(null))),
        Answer::default().with(modify(json!(version))),
        Answer::text("Mended."),
    ]);
    let told = scene.done(scene.run(json!({"part": "all"})));
    assert_eq!(told["executions"].as_array().unwrap().len(), 3, "all have their place");
    let queued = told["executions"][2].as_str().unwrap().parse().unwrap();
    scene.until(|session| !session.open_answers().is_empty());
    assert_eq!(scene.session().execution(&queued).unwrap().state, ExecutionState::Queued);
    // Pressed again: it keeps its place.
    let again = scene.done(scene.run(json!({"cells": ["c"]})));
    assert_eq!(again["executions"][0], told["executions"][2]);
    scene.approve("cell.set");
    scene.until(|session| session.execution(&queued).is_some_and(|run| run.state == ExecutionState::Failed));
    let before = told["executions"][1].as_str().unwrap().parse().unwrap();
    scene.until(|session| session.execution(&before).is_some_and(|run| run.state == ExecutionState::Ok));
    assert_eq!(scene.outputs("b")[0]["text"], json!(["b\n"]));
    assert_eq!(scene.outputs("c")[0]["evalue"], "this cell changed after you ran it, so it was not run");
    assert_eq!(states(&scene.ask("c")), [ExecutionState::Ok], "now it is what the person ran");
    assert_eq!(scene.outputs("c")[0]["text"], json!(["new\n"]));
    end(scene);
}

#[test]
fn stopping_an_answer_stops_the_cell_that_it_runs_within_a_second_and_the_next_cell_runs() {
    // In one statement: an interrupt while the next one is compiled is told in another way.
    let sleeps = "import time\nfor word in ['begun', 'on']:\n    print(word, flush=True)\n    time.sleep(60)";
    let cells = [code("c", sleeps, json!([])), ai("a", "run it"), code("d", "print('well')", json!([]))];
    let Some(world) = World::with_python(&cells) else { return };
    let scene = world.open();
    world.play([Answer::default().with(call("r", "execute_cell", json!({"cellId": "c", "timeout": 600})))]);
    let running = scene.run(json!({"cells": ["a"], "wait": true}));
    let ran = scene.approving("cell.run");
    let begun = |scene: &Scene| {
        let outputs = scene.wait(scene.session().outputs(&aside_notebook::CellKey("c".into()))).unwrap();
        !outputs.is_empty()
    };
    let mut watch = scene.session().watch();
    while !begun(&scene) {
        scene.wait(watch.next()).unwrap();
    }
    let pressed = Instant::now();
    scene.done(scene.submit("kernel.interrupt", json!({"cell": "a"}), crate::cells::scene::person()));
    assert_eq!(states(&scene.done(running)), [ExecutionState::Failed]);
    let ran = scene.done(ran);
    assert_eq!(states(&ran), [ExecutionState::Failed], "{ran}");
    assert!(pressed.elapsed() < Duration::from_secs(1), "{:?}", pressed.elapsed());
    assert_eq!(scene.outputs("a").last().unwrap()["ename"], "Stopped");
    assert_eq!(world.told().len(), 1, "the model is not asked on");
    assert_eq!(states(&scene.ask("d")), [ExecutionState::Ok], "the interrupt is of the other cell alone");
    end(scene);
}

#[test]
fn an_answer_that_is_stopped_ends_what_waits_for_it_and_no_run_of_a_colleague() {
    let waits =
        "import time\nprint('go', flush=True)\nwhile not __import__('os').path.exists('stop'): time.sleep(0.02)";
    let cells = [ai("a", "think"), code("c", "1", json!([])), code("d", waits, json!([]))];
    let Some(world) = World::with_python(&cells) else { return };
    let scene = world.open();
    world.fake.play(Reply::Answer(Answer::text("Well"), Delivery::ending(Ending::Hang(1))));
    let told = scene.done(scene.run(json!({"cells": ["a", "c"]})));
    let waiting = told["executions"][1].as_str().unwrap().parse().unwrap();
    let colleague = scene.run(json!({"cells": ["d"], "wait": true}));
    scene.until(|session| {
        let runs = session.open_runs(&aside_notebook::CellKey("d".into()));
        runs.iter().any(|run| session.execution(run).is_some_and(|run| run.began_at.is_some()))
    });
    scene.done(scene.submit("kernel.interrupt", json!({"cell": "a"}), crate::cells::scene::person()));
    scene.until(|session| session.execution(&waiting).is_some_and(|run| run.state == ExecutionState::Aborted));
    std::fs::write(world.folder.path().join("stop"), "").unwrap();
    assert_eq!(states(&scene.done(colleague)), [ExecutionState::Ok]);
    end(scene);
}
