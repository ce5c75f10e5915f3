//! The notebook is the conversation: what a model is told is the same bytes live, after a restart, and from the file alone.

use std::fs;

use aside_testkit::fake_models::{Answer, Part, Wire};
use serde_json::{Value, json};

use crate::cells::scene::{Scene, World, ai, call, code};

/// A black dot.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// Cells of every kind, with outputs of every kind.
fn cells() -> Vec<Value> {
    let outputs = json!([
        {"output_type": "stream", "name": "stdout", "text": ["a\n"]},
        {"output_type": "stream", "name": "stdout", "text": ["b \u{1b}[31mred\u{1b}[0m\n"]},
        {"output_type": "stream", "name": "stderr", "text": "10%\r100%\n"},
        {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "p", "text/html": "<b>h</b>", "image/png": PNG}},
        {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"k": [1, 2.5]}}},
        {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/markdown": "**m**"}},
        {"output_type": "display_data", "metadata": {}, "data": {"text/latex": ["$x\n", "^2$"], "text/plain": "<Math>"}},
        {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": ["<svg>\n", "</svg>"]}},
        {"output_type": "display_data", "metadata": {}, "data": {"image/jpeg": "/9j/2Q==\n"}},
        {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "IntSlider(value=1)",
            "application/vnd.jupyter.widget-view+json": {"model_id": "m", "version_major": 2, "version_minor": 0}}},
        {"output_type": "display_data", "metadata": {}, "data": {"application/vnd.vegalite.v5+json": {"mark": "bar"}}},
        {"output_type": "error", "ename": "E", "evalue": "why", "traceback": ["frame\n".repeat(2000), "last"]},
    ]);
    let mut sql = code(
        "q",
        "select 1",
        json!([{"output_type": "execute_result", "execution_count": 2, "metadata": {},
        "data": {"text/html": "<table><tr><td>1</td></tr></table>"}}]),
    );
    sql["metadata"] = json!({"aside": {"cell": "sql"}});
    let mut hidden =
        code("h", "password = 'hunter2'", json!([{"output_type": "stream", "name": "stdout", "text": "hunter2"}]));
    hidden["metadata"] = json!({"aside": {"ai_hidden": true}});
    let markdown = json!({"cell_type": "markdown", "id": "m", "metadata": {}, "source": ["# Title\n", "text"]});
    vec![markdown, code("c", "x = 1", outputs), hidden, sql, ai("a", "What is x?"), ai("b", "And then?")]
}

/// A text with calls in parallel, one that is unknown, one that is no JSON; then a refused one; then words.
fn answers() -> Vec<Answer> {
    vec![
        Answer::text("I look. ")
            .with(call("c1", "read_cell", json!({"cellId": "c", "output": 12})))
            .with(call("c2", "brew", json!({"z": 1.5})))
            .with(Part::Call(aside_testkit::fake_models::Call::new("c3", "modify_cell", "{\"cellId"))),
        Answer::default().with(call("c4", "modify_cell", json!({"cellId": "gone", "source": "1"}))),
        Answer::default().with(call("c5", "execute_cell", json!({"cellId": "m"}))),
        Answer::text("x is 1.\n\nThat is all."),
    ]
}

#[test]
fn what_a_model_is_told_is_the_same_bytes_after_a_restart_and_from_the_file_alone() {
    let world = World::new(&cells(), json!({"language_info": {"name": "python"}}));
    let first = told_again(&world, answers());
    elsewhere(&world);
    let scene = world.open();
    assert_eq!(ask_b(&world, &scene), first, "from the file alone");
    scene.end();
    assert!(!first.contains("hunter2"));
    assert!(first.contains("Error: Unknown tool: brew") && first.contains("Error parsing arguments"), "{first}");
    assert!(
        first.contains("Cell with ID gone not found") || first.contains("modify_cell: Cell not found: gone"),
        "{first}"
    );
    assert!(first.contains("Only code cells can be executed, got markdown"), "{first}");
    assert!(first.contains(PNG) && first.contains("/9j/2Q=="), "a model that sees is shown the pictures");
    for named in ["$x\\n^2$", "image/svg+xml (12 bytes)", "widget-view+json", "vegalite.v5+json (14 bytes)"] {
        assert!(first.contains(named), "{named}: {first}");
    }
}

#[test]
fn what_a_model_thought_goes_back_as_it_came_also_later_and_from_a_file_that_is_trusted() {
    for wire in Wire::ALL {
        let world = World::over(wire, &cells(), json!({"language_info": {"name": "python"}}));
        let first = told_again(&world, answers().into_iter().map(thoughtfully).collect());
        let marks = ["c2lnbmVk", "I wonder"];
        let marked = |told: &str| marks.iter().any(|mark| told.contains(mark));
        assert!(marked(&first), "{wire:?}: {first}");
        elsewhere(&world);
        let scene = world.open();
        let bare = ask_b(&world, &scene);
        assert!(!marked(&bare) && bare.contains("I look."), "{wire:?}: anybody may have written it: {bare}");
        scene.wait(scene.session().trust(true, None)).unwrap();
        assert_eq!(ask_b(&world, &scene), first, "{wire:?}: from the file, trusted");
        scene.end();
    }
}

/// The same answer after a thought.
fn thoughtfully(mut answer: Answer) -> Answer {
    answer.parts.insert(0, Part::Thinking { text: "I wonder. ".into(), signature: "c2lnbmVk".into() });
    answer
}

/// Asks in one cell, then in the next, before and after a restart; returns what the model was told in the last one.
fn told_again(world: &World, answers: Vec<Answer>) -> String {
    let scene = world.open();
    world.play(answers);
    scene.ask("a");
    let live = world.told();
    assert_eq!(live.len(), 4, "{live:#?}");
    let first = ask_b(world, &scene);
    scene.end();
    let scene = world.open();
    assert_eq!(ask_b(world, &scene), first, "after a restart");
    scene.end();
    for (one, next) in live.iter().zip(live.iter().skip(1).chain([&first])) {
        assert!(next.starts_with(one), "what was said live is what is said later:\n{one}\n{next}");
    }
    first
}

fn ask_b(world: &World, scene: &Scene) -> String {
    world.play([Answer::text("Nothing.")]);
    scene.ask("b");
    world.told().pop().unwrap()
}

/// The file is on another machine.
fn elsewhere(world: &World) {
    fs::remove_dir_all(world.folder.path().join(".aside")).unwrap();
}

#[test]
fn each_output_is_one_message_and_calls_made_together_are_one() {
    let world = World::new(&cells(), json!({}));
    let scene = world.open();
    world.play(answers());
    scene.ask("a");
    let outputs = scene.outputs("a");
    let roles: Vec<_> = outputs.iter().map(|output| output["metadata"]["anode"]["role"].as_str().unwrap()).collect();
    let call = ["function_call", "tool"];
    let wanted: Vec<&str> = ["assistant"]
        .into_iter()
        .chain(call)
        .chain(call)
        .chain(call)
        .chain(call)
        .chain(call)
        .chain(["assistant"])
        .collect();
    assert_eq!(roles, wanted);
    world.play([Answer::text("Nothing.")]);
    scene.ask("b");
    let requests = world.fake.requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    let at = roles.iter().position(|role| *role == "assistant").unwrap();
    assert_eq!(
        roles[at..],
        // The text; three calls with their results; two rounds of one call; the last words; the next question.
        [
            "assistant",
            "assistant",
            "tool",
            "tool",
            "tool",
            "assistant",
            "tool",
            "assistant",
            "tool",
            "assistant",
            "user"
        ]
    );
    assert_eq!(messages[at + 1]["tool_calls"].as_array().unwrap().len(), 3);
    scene.end();
}
