//! Threads, recipes, limits, the chosen model and the person's name, changed by actions and put back by their undo.

use aside_llm::Script;
use serde_json::{Value, json};

use crate::{harness::Server, program::Program};

/// A person asks, and says yes if asked back; the action has to be done.
async fn act(server: &Server, name: &str, args: Value) -> Value {
    let mut done = server.post("actions", json!({ "action_type": name, "args": args })).await;
    if done["state"] == "awaiting_confirmation" {
        let yes = json!({ "decision": "approve", "hash": done["record"]["approval_hash"] });
        done = server.post(&format!("actions/{}/decision", done["id"].as_str().unwrap()), yes).await;
    }
    assert_eq!(done["state"], "done", "{name}: {done}");
    done
}

async fn undo(server: &Server, done: &Value) {
    let undone = server.post(&format!("actions/{}/undo", done["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(undone["state"], "done", "{undone}");
}

async fn get(server: &Server, path: &str) -> Value {
    server.ask("GET", path, None).await.1
}

#[tokio::test]
async fn thread_changes_are_undone() {
    let server = Server::new().await;
    let made = act(&server, "thread.create", json!({ "title": "Plans" })).await;
    let id = made["outcome"]["observation"]["data"]["id"].as_str().unwrap().to_owned();
    let path = format!("threads/{id}");
    for (name, args, field, before, after) in [
        ("thread.rename", json!({ "title": " Better \n plans " }), "title", json!("Plans"), json!("Better plans")),
        ("thread.archive", json!({}), "archived", json!(false), json!(true)),
        ("thread.set_model", json!({ "model": "ollama/a" }), "model", Value::Null, json!("ollama/a")),
    ] {
        let mut args = args;
        args["thread"] = json!(id);
        assert_eq!(get(&server, &path).await["thread"][field], before, "{name}");
        let done = act(&server, name, args).await;
        assert_eq!(get(&server, &path).await["thread"][field], after, "{name}");
        undo(&server, &done).await;
        assert_eq!(get(&server, &path).await["thread"][field], before, "{name}");
    }
    let made = act(&server, "thread.create", json!({})).await;
    undo(&server, &made).await;
    assert_eq!(get(&server, "threads").await.as_array().unwrap().len(), 1, "a new thread is deleted by its undo");
}

#[tokio::test]
async fn higher_limit_asks_first() {
    let server = Server::new().await;
    let limit = async || get(&server, "spending").await["limits"]["day"].clone();
    let two = act(&server, "spending.set_limit", json!({ "of": "day", "dollars": 2 })).await;
    assert_eq!(limit().await, 2_000_000_000_000_u64);
    let more = json!({ "action_type": "spending.set_limit", "args": { "of": "day", "dollars": 3 } });
    let asked = server.post("actions", more).await;
    assert_eq!(asked["state"], "awaiting_confirmation");
    assert!(asked["preview"].to_string().contains("$3.00"), "{asked}");
    let one = act(&server, "spending.set_limit", json!({ "of": "day", "dollars": 1 })).await;
    undo(&server, &one).await;
    assert_eq!(limit().await, 2_000_000_000_000_u64);
    undo(&server, &two).await;
    assert_eq!(limit().await, Value::Null);
}

#[tokio::test]
async fn name_and_model_are_put_back() {
    let script = json!({ "name": "plain", "replies": [], "otherwise": "Yes." });
    let server = Server::rehearsing(Script::parse(&script.to_string()).unwrap()).await;
    let name = async || get(&server, "people").await[0]["person"]["name"].clone();
    let before = name().await;
    let renamed = act(&server, "person.rename", json!({ "name": "Ada L." })).await;
    assert_eq!(name().await, "Ada L.");
    undo(&server, &renamed).await;
    assert_eq!(name().await, before);
    let chosen = act(&server, "model.choose", json!({ "model": "rehearsal/other" })).await;
    assert_eq!(get(&server, "models").await["chosen"], "rehearsal/other");
    undo(&server, &chosen).await;
    assert_ne!(get(&server, "models").await["chosen"], "rehearsal/other");
    let unknown = json!({ "action_type": "model.choose", "args": { "model": "nobody/x" } });
    let (_, refused) = server.ask("POST", "actions", Some(unknown)).await;
    assert!(refused["state"] != "done" && refused.to_string().contains("nobody"), "{refused}");
}

#[tokio::test]
async fn model_is_tested_by_action() {
    let script = json!({ "name": "plain", "replies": [], "otherwise": "ready" });
    let server = Server::rehearsing(Script::parse(&script.to_string()).unwrap()).await;
    let tested = act(&server, "model.test", json!({ "model": "rehearsal/one" })).await;
    assert_eq!(tested["outcome"]["observation"]["data"]["text"], "ready", "{tested}");
    let unknown = json!({ "action_type": "model.test", "args": { "model": "nobody/x" } });
    assert_ne!(server.ask("POST", "actions", Some(unknown)).await.1["state"], "done");
}

#[tokio::test]
async fn only_running_task_is_paused() {
    let server = Server::new().await;
    let step = json!({ "action_type": "file.create", "args": { "path": "new", "folder": true } });
    let task = server.post("tasks", json!({ "goal": "Make a folder", "steps": [step] })).await;
    let pause = json!({ "action_type": "task.pause", "args": { "task": task["task"]["id"] } });
    let (_, refused) = server.ask("POST", "actions", Some(pause)).await;
    assert!(refused.to_string().contains("only a running task can be paused"), "{refused}");
}

#[tokio::test]
async fn tasks_are_cancelled_and_saved_as_recipes() {
    let server = Server::new().await;
    let step_of = |path: &str| json!({ "action_type": "file.create", "args": { "path": path, "folder": true } });
    let task = server.post("tasks", json!({ "goal": "Make a folder", "steps": [step_of("new")] })).await;
    let id = task["task"]["id"].as_str().unwrap().to_owned();
    let other = server.post("tasks", json!({ "goal": "Never", "steps": [step_of("never")] })).await;
    act(&server, "task.cancel", json!({ "task": other["task"]["id"] })).await;
    let path = format!("tasks/{}", other["task"]["id"].as_str().unwrap());
    assert_eq!(get(&server, &path).await["task"]["state"], "cancelled");
    let unfinished = json!({ "action_type": "recipe.save", "args": { "task": id } });
    let (_, refused) = server.ask("POST", "actions", Some(unfinished)).await;
    assert!(refused.to_string().contains("only a completed task"), "{refused}");
    let yes = json!({ "decision": "approve", "hash": task["plan"]["hash"] });
    server.post(&format!("tasks/{id}/decision"), yes).await;
    assert_eq!(get(&server, &format!("tasks/{id}?settled=true")).await["task"]["state"], "completed");
    let early = json!({ "action_type": "recipe.delete", "args": { "name": "folders" } });
    let (_, refused) = server.ask("POST", "actions", Some(early)).await;
    assert!(refused.to_string().contains("folders"), "{refused}");
    let saved = act(&server, "recipe.save", json!({ "task": id, "name": "folders" })).await;
    assert_eq!(get(&server, "recipes").await[0]["name"], "folders");
    undo(&server, &saved).await;
    assert_eq!(get(&server, "recipes").await, json!([]));
    act(&server, "recipe.save", json!({ "task": id, "name": "folders" })).await;
    act(&server, "recipe.delete", json!({ "name": "folders" })).await;
    assert_eq!(get(&server, "recipes").await, json!([]));
}

#[tokio::test]
async fn program_changes_nothing_of_the_person() {
    let server = Server::new().await;
    let program = Program::new(&server, json!({})).await;
    let thread = server.post("threads", json!({})).await["id"].clone();
    for (name, args) in [
        ("thread.create", json!({})),
        ("thread.rename", json!({ "thread": thread, "title": "x" })),
        ("thread.archive", json!({ "thread": thread })),
        ("thread.set_model", json!({ "thread": thread, "model": "ollama/x" })),
        ("person.rename", json!({ "name": "x" })),
        ("model.choose", json!({ "model": "ollama/x" })),
        ("spending.set_limit", json!({ "of": "day", "dollars": 9 })),
        ("recipe.save", json!({ "task": "tsk_01kahz8v9k0000000000000000" })),
        ("recipe.delete", json!({ "name": "x" })),
        ("thread.stop", json!({ "thread": thread })),
        ("task.cancel", json!({ "task": "tsk_01kahz8v9k0000000000000000" })),
        ("task.pause", json!({ "task": "tsk_01kahz8v9k0000000000000000" })),
        ("device.revoke", json!({ "device": "dev_01kahz8v9k0000000000000000" })),
        ("model.test", json!({ "model": "ollama/x" })),
        ("language_server.restart", json!({ "name": "x" })),
    ] {
        let (_, refused) = program.ask("POST", "actions", Some(json!({ "action_type": name, "args": args }))).await;
        assert!(refused.to_string().contains("person_only"), "{name}: {refused}");
    }
}
