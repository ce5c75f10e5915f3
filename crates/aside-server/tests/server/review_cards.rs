//! Review cards of notes and todos over the wire: one at a time, the words of their lives, *Cancel*, and groups that are off.

use aside_llm::Script;
use serde_json::{Value, json};

use crate::harness::Server;

/// A model that ticks a todo and then tags the note, in one message.
async fn server() -> Server {
    let tick = json!({ "todos": [{ "path": "plan.md", "line": 1, "text": "measure" }, { "path": "plan.md", "line": 2, "text": "write" }] });
    let tag = json!({ "notes": [{ "path": "plan.md", "add": ["done"] }] });
    let script = json!({
        "name": "tidy",
        "replies": [{ "when": "tidy", "steps": [
            { "calls": [{ "name": "todo_done", "args": tick }, { "name": "note_tag", "args": tag }] },
            { "text": "All done." },
        ] }],
        "otherwise": "Hello.",
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.md"), "- [ ] measure\n- [ ] write\n").unwrap();
    Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await
}

async fn thread(server: &Server, more: Value) -> String {
    let mut body = json!({ "model": "rehearsal/tidy" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.post("threads", body).await["id"].as_str().unwrap().to_owned()
}

/// Sends a message; returns when the turn is over or waits.
async fn say(server: &Server, thread: &str, text: &str) -> Value {
    let (status, log) =
        server.ask("POST", &format!("threads/{thread}/turns?stream=true"), Some(json!({ "text": text }))).await;
    assert_eq!(status, 200, "{log}");
    log
}

async fn states(server: &Server, thread: &str) -> Vec<String> {
    let (_, cards) = server.ask("GET", &format!("threads/{thread}/cards"), None).await;
    let state = |card: &Value| card["state"].as_str().unwrap().to_owned();
    cards.as_array().unwrap().iter().map(state).collect()
}

async fn waiting(server: &Server) -> Vec<Value> {
    let (_, waiting) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
    waiting.as_array().unwrap().clone()
}

async fn decide(server: &Server, record: &Value, mut decision: Value) {
    decision["hash"] = record["approval_hash"].clone();
    let id = record["envelope"]["id"].as_str().unwrap();
    let (status, answer) = server.ask("POST", &format!("actions/{id}/decision"), Some(decision)).await;
    assert_eq!(status, 200, "{answer}");
}

/// Waits until the states of the cards are these.
async fn until(server: &Server, thread: &str, wanted: &[&str]) {
    let mut found = Vec::new();
    for _ in 0..2000 {
        found = states(server, thread).await;
        if found == wanted {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{found:?} instead of {wanted:?}");
}

fn text(server: &Server) -> String {
    std::fs::read_to_string(server.folder.path().join("plan.md")).unwrap()
}

#[tokio::test]
async fn cards_wait_one_at_a_time() {
    let server = server().await;
    let id = thread(&server, json!({ "mode": "review_at_end" })).await;
    say(&server, &id, "tidy").await;
    assert_eq!(states(&server, &id).await, ["waitingForUserInput", "booting"]);
    let first = waiting(&server).await;
    assert_eq!((first.len(), text(&server).as_str()), (1, "- [ ] measure\n- [ ] write\n"));
    decide(&server, &first[0], json!({ "decision": "approve", "parts": [1] })).await;
    until(&server, &id, &["completed", "waitingForUserInput"]).await;
    let second = waiting(&server).await;
    decide(&server, &second[0], json!({ "decision": "approve" })).await;
    until(&server, &id, &["completed", "completed"]).await;
    assert_eq!(text(&server), "---\ntags: [done]\n---\n- [ ] measure\n- [x] write\n");
}

#[tokio::test]
async fn stale_row_is_marked_and_the_others_go() {
    let server = server().await;
    let id = thread(&server, json!({})).await;
    say(&server, &id, "tidy").await;
    let shown = waiting(&server).await.remove(0);
    let edit = json!({ "path": "plan.md", "edits": [{ "old": "- [ ] measure", "new": "- [ ] weigh" }] });
    let (status, edited) =
        server.ask("POST", "actions", Some(json!({ "action_type": "doc.edit", "args": edit }))).await;
    assert_eq!((status, &edited["record"]["state"]), (200, &json!("done")), "{edited}");
    let path = format!("actions/{}/decision", shown["envelope"]["id"].as_str().unwrap());
    let yes = |record: &Value, parts: Value| json!({ "decision": "approve", "hash": record["approval_hash"], "parts": parts });
    let (status, stale) = server.ask("POST", &path, Some(yes(&shown, json!([0, 1])))).await;
    assert_eq!((status, &stale["error"]["code"]), (409, &json!("stale")), "{stale}");
    let again = waiting(&server).await.remove(0);
    let problem = again["preview"]["body"]["rows"][0]["problem"].as_str().unwrap();
    assert!(problem.ends_with("that line is now `weigh`"), "{problem}");
    decide(&server, &again, json!({ "decision": "approve", "parts": [1] })).await;
    until(&server, &id, &["completed", "waitingForUserInput"]).await;
    assert_eq!(text(&server), "- [ ] weigh\n- [x] write\n");
}

#[tokio::test]
async fn cancel_leaves_the_note_and_drops_later_calls() {
    let server = server().await;
    let id = thread(&server, json!({})).await;
    say(&server, &id, "tidy").await;
    let first = waiting(&server).await;
    decide(&server, &first[0], json!({ "decision": "reject" })).await;
    until(&server, &id, &["canceled"]).await;
    assert!(waiting(&server).await.is_empty());
    assert_eq!(text(&server), "- [ ] measure\n- [ ] write\n");
    let (_, log) = server.ask("GET", &format!("threads/{id}"), None).await;
    assert!(!log.to_string().contains("All done."), "the model is not called after Cancel");
}

#[tokio::test]
async fn group_that_is_off_is_refused_until_mentioned() {
    let server = server().await;
    let id = thread(&server, json!({ "off": ["todos", "notes"] })).await;
    assert!(say(&server, &id, "tidy").await.to_string().contains("group_off"));
    let raw = |thread: &str| {
        let args = json!({ "todos": [{ "path": "plan.md", "line": 1, "text": "measure" }] });
        json!({ "action_type": "todo.done", "args": args, "thread": thread, "dry_run": true })
    };
    let (_, refused) = server.ask("POST", "actions", Some(raw(&id))).await;
    assert_eq!(refused["record"]["outcome"]["failure"]["code"], "group_off", "{refused}");
    say(&server, &id, "tidy with (@todos)!").await;
    let (_, now) = server.ask("GET", &format!("threads/{id}"), None).await;
    assert_eq!(now["thread"]["off"], json!(["notes"]));
    let (_, allowed) = server.ask("POST", "actions", Some(raw(&id))).await;
    assert_eq!(allowed["record"]["state"], "proposed", "{allowed}");
}
