//! Tasks and recipes over HTTP, and what the windows hear of them.

use std::fs;

use aside_core::TaskState;
use aside_protocol::ServerFrame;
use serde_json::{Value, json};

use crate::{harness::Server, socket::Socket};

async fn server() -> Server {
    Server::with(|folder| fs::write(folder.join("a.txt"), "one\ntwo\n").unwrap()).await
}

fn steps() -> Value {
    json!([
        { "action_type": "doc.edit", "args": { "path": "a.txt", "edits": [{ "old": "one", "new": "1" }] } },
        { "action_type": "file.copy", "args": { "from": "a.txt", "to": "b.txt" } }
    ])
}

fn id(detail: &Value) -> String {
    format!("tasks/{}", detail["task"]["id"].as_str().unwrap())
}

/// Says yes to what is shown, and waits.
async fn approve(server: &Server, shown: &Value) -> Value {
    let decision = json!({ "decision": "approve", "hash": shown["plan"]["hash"] });
    server.post(&format!("{}/decision", id(shown)), decision).await;
    get(server, &format!("{}?settled=true", id(shown))).await
}

async fn get(server: &Server, path: &str) -> Value {
    let (status, body) = server.ask("GET", path, None).await;
    assert_eq!(status, 200, "{path}: {body}");
    body
}

async fn code(server: &Server, path: &str, body: Value) -> (u16, String) {
    let (status, body) = server.ask("POST", path, Some(body)).await;
    (status, body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_plan_is_made_shown_confirmed_searched_and_taken_back() {
    let server = server().await;
    let shown = server.post("tasks", json!({ "goal": "digits", "steps": steps() })).await;
    assert_eq!(shown["task"]["state"], "awaiting_confirmation");
    let decision = format!("{}/decision", id(&shown));
    assert_eq!(code(&server, &decision, json!({ "decision": "approve" })).await, (409, "stale".to_owned()));
    let done = approve(&server, &shown).await;
    assert_eq!(
        (&done["task"]["state"], &done["task"]["summary"]),
        (&json!("completed"), &json!("Completed all 2 steps."))
    );
    let again = json!({ "decision": "approve", "hash": shown["plan"]["hash"] });
    assert_eq!(code(&server, &decision, again).await, (409, "not_waiting".to_owned()));
    let found = get(&server, "tasks?text=digits&object=b.txt&action=file&state=completed").await;
    assert_eq!(found["tasks"].as_array().unwrap().len(), 1);
    assert_eq!(get(&server, "tasks?text=letters").await["tasks"], json!([]));
    let dry = server.post(&format!("{}/undo", id(&shown)), json!({ "dry_run": true })).await;
    assert_eq!(server.ask("GET", &id(&dry), None).await.0, 404);
    let again = get(&server, &format!("{}/run_again", id(&shown))).await;
    assert_eq!(again, steps(), "what it would be run again with, to be edited");
    let undo = server.post(&format!("{}/undo", id(&shown)), json!({})).await;
    assert_eq!(approve(&server, &undo).await["task"]["state"], "completed");
    let folder = server.stop().await;
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\ntwo\n");
    assert!(!folder.path().join("b.txt").exists());
}

#[tokio::test]
async fn a_request_that_is_sent_again_under_its_key_makes_one_task() {
    let server = server().await;
    let wanted = |goal: &str| json!({ "goal": goal, "steps": steps(), "idempotency_key": "k" });
    let (first, second) = tokio::join!(server.post("tasks", wanted("digits")), server.post("tasks", wanted("digits")));
    assert_eq!((id(&second), &first["task"]["state"]), (id(&first), &json!("awaiting_confirmation")));
    assert_eq!(second["plan"]["hash"], first["plan"]["hash"]);
    assert_eq!(code(&server, "tasks", wanted("letters")).await, (409, "key_reused".to_owned()));
    let again = format!("{}/run_again", id(&first));
    let keyed = json!({ "idempotency_key": "k2" });
    assert_eq!(id(&server.post(&again, keyed.clone()).await), id(&server.post(&again, keyed).await));
    assert_eq!(get(&server, "tasks").await["tasks"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_undo_that_is_sent_again_under_its_key_is_one_task_also_when_it_is_done() {
    let server = server().await;
    let made = server.post("tasks", json!({ "goal": "digits", "steps": steps() })).await;
    approve(&server, &made).await;
    let (undo, keyed) = (format!("{}/undo", id(&made)), json!({ "idempotency_key": "back" }));
    let first = server.post(&undo, keyed.clone()).await;
    assert_eq!(id(&server.post(&undo, keyed.clone()).await), id(&first));
    approve(&server, &first).await;
    let late = server.post(&undo, keyed.clone()).await;
    assert_eq!((id(&late), &late["task"]["state"]), (id(&first), &json!("completed")));
    assert_eq!(get(&server, "tasks").await["tasks"].as_array().unwrap().len(), 2);
    let of_that = format!("{}/undo", id(&first));
    assert_eq!(code(&server, &of_that, keyed).await, (409, "key_reused".to_owned()));
}

#[tokio::test]
async fn tasks_come_in_pages_the_newest_first_and_those_under_way_apart() {
    let server = server().await;
    let mut made = Vec::new();
    for goal in ["one", "two", "three", "four"] {
        made.push(server.post("tasks", json!({ "goal": goal, "steps": steps() })).await);
    }
    for over in &made[..3] {
        server.post(&format!("{}/cancel", id(over)), json!({})).await;
    }
    let goals = |found: &Value| -> Vec<String> {
        found["tasks"].as_array().unwrap().iter().map(|task| task["goal"].as_str().unwrap().to_owned()).collect()
    };
    let first = get(&server, "tasks?open=false&limit=2").await;
    assert_eq!(goals(&first), ["three", "two"]);
    let last = first["tasks"][1]["id"].as_str().unwrap();
    assert_eq!(goals(&get(&server, &format!("tasks?open=false&limit=2&before={last}")).await), ["one"]);
    assert_eq!(goals(&get(&server, "tasks?open=true").await), ["four"]);
    assert_eq!(goals(&get(&server, "tasks?state=awaiting_confirmation").await), ["four"]);
    assert_eq!(goals(&get(&server, "tasks?limit=3").await), ["four", "three", "two"]);
}

#[tokio::test]
async fn what_makes_no_sense_is_said_with_a_code() {
    let server = server().await;
    assert_eq!(code(&server, "tasks", json!({ "goal": "", "steps": steps() })).await, (400, "invalid_task".to_owned()));
    let forged = json!([{ "action_type": "file.list", "args": {}, "requires_confirmation": false }]);
    assert_eq!(code(&server, "tasks", json!({ "goal": "x", "steps": forged })).await.0, 400);
    let none = "tasks/tsk_00000000000000000000000001";
    assert_eq!(code(&server, &format!("{none}/resume"), json!({})).await, (404, "not_found".to_owned()));
    assert_eq!(code(&server, "recipes/none/run", json!({})).await, (404, "not_found".to_owned()));
    assert_eq!(server.ask("GET", "tasks?colour=red", None).await.0, 400);
}

#[tokio::test]
async fn a_recipe_is_saved_run_and_deleted() {
    let server = server().await;
    let shown = server.post("tasks", json!({ "goal": "digits", "steps": steps() })).await;
    let done = approve(&server, &shown).await;
    let recipe = server.post("recipes", json!({ "task": done["task"]["id"], "rename": { "to": "copy" } })).await;
    assert_eq!((&recipe["name"], &recipe["parameters"][1]["name"]), (&json!("digits"), &json!("copy")));
    assert_eq!(get(&server, "recipes").await, json!([recipe]));
    let set = json!({ "set": { "copy": "c.txt" }, "dry_run": true });
    let dry = server.post("recipes/digits/run", set).await;
    assert_eq!(dry["plan"]["steps"][1]["assessment"]["targets"][1]["id"], "c.txt", "{dry}");
    let run = server.post("recipes/digits/run", json!({ "set": { "copy": "c.txt" } })).await;
    assert_eq!(approve(&server, &run).await["task"]["state"], "completed");
    assert_eq!(server.ask("DELETE", "recipes/digits", None).await.0, 200);
    assert_eq!(get(&server, "recipes").await, json!([]));
    assert!(server.stop().await.path().join("c.txt").exists());
}

#[tokio::test]
async fn windows_hear_how_a_task_goes_on() {
    let server = server().await;
    let mut socket = Socket::connect(server.serving()).await;
    let shown = server.post("tasks", json!({ "goal": "digits", "steps": steps() })).await;
    approve(&server, &shown).await;
    let mut states = Vec::new();
    while states.last() != Some(&TaskState::Completed) {
        let changed = |frame| match frame {
            ServerFrame::TaskChanged { task } => Some(task.state),
            _ => None,
        };
        states.push(socket.until(changed).await);
    }
    assert_eq!(states[..2], [TaskState::Created, TaskState::AwaitingConfirmation], "it is there before its plan");
    assert!(states.contains(&TaskState::Running));
}
