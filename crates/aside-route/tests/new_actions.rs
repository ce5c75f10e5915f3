//! Phrases of an action that is new to the catalog: each is one line of its declaration.

use aside_core::Descriptor;
use aside_route::{Grammar, InvalidGrammar, Route, SeenTodo, Situation, route};
use serde_json::{Value, json};

fn descriptor(name: &str, properties: Value, required: &[&str], phrases: &[&str]) -> Descriptor {
    let declared = json!({
        "name": name, "summary": "Does it", "description": "", "preconditions": [], "effect": "workspace", "risks": ["write"],
        "grant_needed": { "actions": [name], "risks": ["write"] }, "places": ["workspace"], "undo": "none",
        "args_schema": { "type": "object", "properties": properties, "required": required },
        "examples": [], "phrases": phrases, "tags": [], "safety": [], "label": "workspace",
    });
    serde_json::from_value(declared).unwrap()
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn grammar() -> Grammar {
    let actions = [
        descriptor(
            "todo.add",
            json!({ "text": text(), "due": text() }),
            &["text"],
            &["remind me [{due:when}] to {text:text} [{due:when}]"],
        ),
        descriptor("todo.done", json!({ "todo": text() }), &["todo"], &["(tick off|check off) {todo:todo}"]),
        descriptor("note.create", json!({ "title": text() }), &["title"], &["new note (about|called) {title:text}"]),
        descriptor("terminal.open", json!({ "cwd": text() }), &[], &["[open|new] [a] terminal [in {cwd:folder}]"]),
    ];
    Grammar::new(&actions).unwrap()
}

fn check(sentence: &str, wanted: Option<(&str, Value)>) {
    let situation = Situation {
        time: "2026-06-18T09:40:00+02:00".to_owned(),
        folders: vec!["data".to_owned()],
        todos: vec![SeenTodo { id: "td1".to_owned(), text: "Buy rye flour".to_owned() }],
        ..Situation::default()
    };
    let found = match route(sentence, &situation, &grammar()) {
        Route::Action(action) => Some((action.action_type.to_string(), action.args)),
        Route::Model => None,
        other => panic!("{sentence}: {other:?}"),
    };
    assert_eq!(found, wanted.map(|(name, args)| (name.to_owned(), args)), "{sentence}");
}

#[test]
fn slots_of_new_actions_are_filled() {
    check(
        "remind me tomorrow at 9 to call Ana",
        Some(("todo.add", json!({ "text": "call Ana", "due": "2026-06-19T09:00" }))),
    );
    check("remind me to call Ana", Some(("todo.add", json!({ "text": "call Ana" }))));
    check("remind me to call Ana tomorrow", Some(("todo.add", json!({ "text": "call Ana", "due": "2026-06-19" }))));
    check("tick off buy rye flour", Some(("todo.done", json!({ "todo": "td1" }))));
    check("new note about rye", Some(("note.create", json!({ "title": "rye" }))));
    check("open a terminal in data", Some(("terminal.open", json!({ "cwd": "data" }))));
    check("terminal", Some(("terminal.open", json!({}))));
}

#[test]
fn conditions_in_free_text_are_for_a_model() {
    check("remind me to call Ana if she has not written", None);
    check("remind me to call Ana when it rains", None);
    check("tick off the wedding", None);
}

#[test]
fn absent_actions_are_never_routed() {
    check("close all tabs", None);
    check("delete data", None);
}

#[test]
fn mistakes_in_phrases_are_found() {
    let build = |phrase: &str| Grammar::new([&descriptor("x.y", json!({ "path": text() }), &[], &[phrase])]).map(drop);
    assert!(matches!(build("open {file:file}"), Err(InvalidGrammar::Argument { .. })));
    assert!(matches!(build("open {path:flie}"), Err(InvalidGrammar::UnknownKind { .. })));
    assert!(matches!(build("open {path"), Err(InvalidGrammar::Phrase { .. })));
}
