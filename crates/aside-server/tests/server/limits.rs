//! What a thread's limits keep its turns from, whatever the model tries.

use aside_llm::Script;
use serde_json::{Value, json};

use crate::harness::Server;

/// A model that edits `a.md` when it is told to, and else talks without end.
async fn server() -> Server {
    let edit = json!({ "path": "a.md", "edits": [{ "start": 1, "end": 1, "old": "one", "new": "two" }] });
    let script = json!({
        "name": "eager",
        "replies": [
            { "when": "edit", "steps": [
                { "calls": [{ "name": "doc_read", "args": { "path": "a.md" } }] },
                { "calls": [{ "name": "doc_edit", "args": edit }] },
                { "text": "That is all." },
            ] },
            { "when": "talk", "steps": [{ "text": "on and on ", "endless": true, "delay_ms": 1 }] },
        ],
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "one\n").unwrap();
    Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await
}

/// Sends a message to a new thread under limits; returns the whole log of the turn.
async fn turn(server: &Server, limits: Value, text: &str) -> Vec<Value> {
    let new = json!({ "model": "rehearsal/eager", "mode": "auto_apply", "grant": limits });
    let thread = server.post("threads", new).await["id"].as_str().unwrap().to_owned();
    let (status, log) =
        server.ask("POST", &format!("threads/{thread}/turns?stream=true"), Some(json!({ "text": text }))).await;
    assert_eq!(status, 200, "{log}");
    log.as_str().unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn actions(log: &[Value]) -> Vec<(&str, &str)> {
    let records = log.iter().filter(|event| event["body"]["type"] == "action_changed");
    let ended = records.map(|event| &event["body"]["record"]).filter(|record| record["outcome"].is_object());
    ended
        .map(|record| (record["envelope"]["action_type"].as_str().unwrap(), record["state"].as_str().unwrap()))
        .collect()
}

#[tokio::test]
async fn a_thread_that_may_only_look_changes_nothing() {
    let server = server().await;
    let log = turn(&server, json!({ "risks": ["read"] }), "edit").await;
    assert_eq!(actions(&log), [("doc.read", "done"), ("doc.edit", "refused")]);
    let log = turn(&server, json!({ "paths": ["notes/**"] }), "edit").await;
    assert_eq!(actions(&log), [("doc.read", "refused"), ("doc.edit", "refused")]);
    let log = turn(&server, json!({}), "edit").await;
    assert_eq!(actions(&log), [("doc.read", "done"), ("doc.edit", "done")]);
}

#[tokio::test]
async fn a_turn_stops_when_what_it_runs_under_ends() {
    let server = server().await;
    let soon = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64 + 200;
    let log = turn(&server, json!({ "expires": soon }), "talk").await;
    let end = &log.last().unwrap()["body"];
    assert_eq!(
        (&end["type"], &end["end"]["failure"]["code"]),
        (&json!("turn_ended"), &json!("grant_expired")),
        "{end}"
    );
}
