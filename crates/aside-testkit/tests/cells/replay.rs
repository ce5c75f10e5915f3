//! The notebook is the conversation: what a model is told is the same bytes live, after a restart, and from the file alone.

use std::fs;

use aside_testkit::fake_models::{Answer, Part};
use serde_json::{Value, json};

use crate::scene::{World, ai, call, code};

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
            .with(call("c1", "read_cell", json!({"cellId": "c", "output": 7})))
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
    let scene = world.open();
    world.play(answers());
    scene.ask("a");
    let live = world.told();
    assert_eq!(live.len(), 4, "{live:#?}");
    world.play([Answer::text("Nothing.")]);
    scene.ask("b");
    let first = world.told().pop().unwrap();
    scene.end();

    let scene = world.open();
    world.play([Answer::text("Nothing.")]);
    scene.ask("b");
    assert_eq!(world.told().pop().unwrap(), first, "after a restart");
    scene.end();

    fs::remove_dir_all(world.folder.path().join(".aside")).unwrap();
    let scene = world.open();
    world.play([Answer::text("Nothing.")]);
    scene.ask("b");
    assert_eq!(world.told().pop().unwrap(), first, "from the file alone");
    scene.end();

    assert!(first.starts_with(&live[3]), "what was said live is what is said later:\n{}\n{first}", live[3]);
    assert!(!first.contains("hunter2"));
    assert!(first.contains("Error: Unknown tool: brew") && first.contains("Error parsing arguments"), "{first}");
    assert!(
        first.contains("Cell with ID gone not found") || first.contains("modify_cell: Cell not found: gone"),
        "{first}"
    );
    assert!(first.contains("Only code cells can be executed, got markdown"), "{first}");
    assert!(first.contains(PNG), "a model that sees is shown the picture");
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
