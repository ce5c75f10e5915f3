//! Actions over HTTP, and what the windows hear of them.

use std::fs;

use aside_core::ActionState;
use aside_llm::Script;
use aside_protocol::{ClientFrame, ServerFrame};
use serde_json::{Value, json};

use crate::{
    harness::{self, Server},
    socket::{Editor, Socket},
};

async fn server() -> Server {
    Server::with(|folder| fs::write(folder.join("a.txt"), "one\ntwo\n").unwrap()).await
}

fn edit(old: &str, new: &str) -> Value {
    json!({ "action_type": "doc.edit", "args": { "path": "a.txt", "edits": [{ "old": old, "new": new }] } })
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

#[tokio::test]
async fn an_edit_reaches_editor_and_file_and_can_be_taken_back_and_forth() {
    let server = server().await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    let done = server.post("actions", edit("two\n", "2\n")).await;
    assert_eq!(done["state"], "done");
    assert_eq!(done["envelope"]["risk_level"], json!(["write"]));
    ada.wait_for("one\n2\n").await;
    let id = done["id"].as_str().unwrap();
    let undo = server.post(&format!("actions/{id}/undo"), json!({ "idempotency_key": "u1" })).await;
    assert_eq!((&undo["state"], &undo["record"]["undoes"]), (&json!("done"), &json!(id)));
    ada.wait_for("one\ntwo\n").await;
    let undo_id = undo["id"].as_str().unwrap();
    server.post(&format!("actions/{undo_id}/undo"), json!({})).await;
    ada.wait_for("one\n2\n").await;
    let latest = server.post("actions/undo", json!({})).await;
    assert_eq!(latest["record"]["undoes"], json!(id));
    ada.wait_for("one\ntwo\n").await;
    let folder = server.stop().await;
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\ntwo\n");
}

#[tokio::test]
async fn a_dry_run_shows_and_does_nothing() {
    let server = server().await;
    let shown = server.post("actions", with(edit("two\n", "2\n"), "dry_run", json!(true))).await;
    assert_eq!(shown["state"], "done");
    assert_eq!(shown["preview"]["body"]["files"][0]["hunks"][0]["new"], json!(["2"]));
    let read = server.post("actions", json!({ "action_type": "doc.read", "args": { "path": "a.txt" } })).await;
    assert!(read["outcome"]["observation"]["text"].as_str().unwrap().contains("two"), "{read}");
}

#[tokio::test]
async fn a_key_is_for_one_request() {
    let server = server().await;
    let keyed = |body: Value| with(body, "idempotency_key", json!("k1"));
    let first = server.post("actions", keyed(edit("two\n", "2\n"))).await;
    let again = server.post("actions", keyed(edit("two\n", "2\n"))).await;
    assert_eq!((&again["id"], &again["replayed"]), (&first["id"], &json!(true)));
    let (status, body) = server.ask("POST", "actions", Some(keyed(edit("one\n", "1\n")))).await;
    assert_eq!((status, &body["error"]["code"]), (409, &json!("key_reused")));
}

#[tokio::test]
async fn nobody_sets_the_risk_but_the_gate() {
    let server = server().await;
    for (name, value) in
        [("risk_level", json!(["read"])), ("requires_confirmation", json!(false)), ("origin", json!({}))]
    {
        let (status, body) = server.ask("POST", "actions", Some(with(edit("two\n", "2\n"), name, value))).await;
        assert_eq!((status, &body["error"]["code"]), (400, &json!("bad_request")), "{name}");
    }
}

#[tokio::test]
async fn what_destroys_waits_for_a_person_over_a_restart() {
    let server = server().await;
    let asked = server.post("actions", json!({ "action_type": "file.delete", "args": { "path": "a.txt" } })).await;
    assert_eq!(asked["state"], "awaiting_confirmation");
    let id = asked["id"].as_str().unwrap().to_owned();
    let folder = server.stop().await;
    let server = Server { running: crate::harness::start(folder.path()).await, folder };
    let (_, waiting) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
    assert_eq!(waiting[0]["envelope"]["id"], json!(id));
    let wrong = json!({ "decision": "approve", "hash": "0".repeat(64) });
    let (status, body) = server.ask("POST", &format!("actions/{id}/decision"), Some(wrong)).await;
    assert_eq!((status, &body["error"]["code"]), (409, &json!("stale")), "{body}");
    assert!(server.folder.path().join("a.txt").exists());
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let done = server.post(&format!("actions/{id}/decision"), yes).await;
    assert_eq!((&done["state"], &done["record"]["decided_by"]), (&json!("done"), &json!("ada")));
    assert!(!server.folder.path().join("a.txt").exists());
    let check = server.post("audit/verify", json!({})).await;
    assert_eq!(check["problem"], Value::Null);
    let (_, entries) = server.ask("GET", &format!("audit?action={id}&after=0"), None).await;
    let kinds: Vec<&str> =
        entries.as_array().unwrap().iter().map(|entry| entry["body"]["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["submitted", "decision", "intent", "outcome"]);
}

#[tokio::test]
async fn what_can_not_be_done_says_so() {
    let server = server().await;
    let unknown = server.ask("POST", "actions", Some(json!({ "action_type": "doc.fly", "args": {} }))).await;
    assert_eq!((unknown.0, &unknown.1["error"]["code"]), (400, &json!("unknown_action")));
    let wrong = server.post("actions", json!({ "action_type": "doc.edit", "args": { "path": 1 } })).await;
    assert_eq!(wrong["outcome"]["by"], "request");
    let lost = server.post("actions", edit("not there\n", "x\n")).await;
    assert_eq!(lost["state"], "failed");
    let (status, body) = server.ask("POST", "actions/undo", Some(json!({}))).await;
    assert_eq!((status, &body["error"]["code"]), (404, &json!("not_found")));
    let (status, _) = server.ask("GET", "actions/act_00000000000000000000000000", None).await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn windows_hear_how_many_actions_wait() {
    let server = server().await;
    let mut socket = Socket::connect(server.serving()).await;
    let count = |wanted: u32| {
        move |frame: ServerFrame| matches!(frame, ServerFrame::NeedsYou { count } if count == wanted).then_some(())
    };
    socket.until(count(0)).await;
    let asked = server.post("actions", json!({ "action_type": "file.delete", "args": { "path": "a.txt" } })).await;
    socket.until(count(1)).await;
    let path = format!("actions/{}/decision", asked["id"].as_str().unwrap());
    server.post(&path, json!({ "decision": "reject" })).await;
    socket.until(count(0)).await;
}

#[tokio::test]
async fn a_window_does_what_runs_in_a_browser() {
    let server = server().await;
    let open = json!({ "action_type": "ui.open", "args": { "path": "a.txt", "line": 2 } });
    let nobody = server.post("actions", open.clone()).await;
    assert_eq!(nobody["outcome"]["failure"]["code"], "no_window");
    let mut looked_at = Socket::connect(server.serving()).await;
    let _other = Socket::connect(server.serving()).await;
    looked_at.say(&ClientFrame::Focused).await;
    // Answered after what was said before it.
    looked_at
        .say(&ClientFrame::Subscribe { thread: "thr_00000000000000000000000000".parse().unwrap(), after: 0 })
        .await;
    looked_at.until(|frame| matches!(frame, ServerFrame::ThreadRefused { .. }).then_some(())).await;
    let answer = async {
        let (action, args) = looked_at
            .until(|frame| match frame {
                ServerFrame::UiAction { action, args, .. } => Some((action, args)),
                _ => None,
            })
            .await;
        assert_eq!(args, json!({ "path": "a.txt", "line": 2 }));
        let result = ClientFrame::UiResult { action, result: Some(json!({ "opened": true })), failure: None };
        looked_at.say(&result).await;
    };
    let (done, ()) = tokio::join!(server.post("actions", open), answer);
    assert_eq!((&done["state"], &done["outcome"]["observation"]["data"]), (&json!("done"), &json!({ "opened": true })));
}

#[tokio::test]
async fn a_proposal_of_a_turn_waits_over_a_restart_and_the_turn_goes_on() {
    let call = json!({ "name": "doc.edit", "args": { "path": "a.txt", "edits": [{ "old": "two\n", "new": "2\n" }] } });
    let steps = json!([{ "text": "I'll change it.", "calls": [call] }, { "text": "Done." }]);
    let script = json!({ "name": "proposes", "replies": [{ "when": "change", "steps": steps }] });
    let script = || Script::parse(&script.to_string()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    let server = Server::rehearsing_in(folder, script()).await;
    let thread = server.post("threads", json!({ "document": "a.txt" })).await;
    let thread = thread["id"].as_str().unwrap().to_owned();
    let mut socket = Socket::connect(server.serving()).await;
    server.post(&format!("threads/{thread}/turns"), json!({ "text": "change it" })).await;
    socket.until(|frame| matches!(frame, ServerFrame::NeedsYou { count: 1 }).then_some(())).await;
    let folder = server.stop().await;

    let server = Server::rehearsing_in(folder, script()).await;
    let (_, waiting) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
    assert_eq!(waiting[0]["origin"]["thread"], json!(thread));
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: thread.parse().unwrap(), after: 0 }).await;
    let path = format!("actions/{}/decision", waiting[0]["envelope"]["id"].as_str().unwrap());
    server.post(&path, json!({ "decision": "approve", "hash": waiting[0]["approval_hash"] })).await;
    let mut ends = Vec::new();
    let end = socket
        .until(|frame| {
            let ServerFrame::ThreadEvent { event, .. } = frame else { return None };
            match event.body {
                aside_core::ThreadEventBody::ActionChanged { record } => {
                    ends.push(record.state);
                    None
                }
                aside_core::ThreadEventBody::TurnEnded { end, .. } => Some(end),
                _ => None,
            }
        })
        .await;
    assert_eq!((end, ends.last()), (aside_core::TurnEnd::Done, Some(&ActionState::Done)));
    let folder = server.stop().await;
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\n2\n");
}

#[tokio::test]
async fn the_catalog_is_listed_searched_and_described() {
    let server = server().await;
    let (_, all) = server.ask("GET", "catalog", None).await;
    assert!(all.as_array().unwrap().iter().any(|found| found["name"] == "doc.edit"));
    let (_, hits) = server.ask("GET", "catalog/search?q=delete%20a%20file", None).await;
    assert_eq!(hits[0]["name"], "file.delete");
    let (_, one) = server.ask("GET", "catalog/doc.edit", None).await;
    assert!(one["args_schema"]["properties"]["edits"].is_object());
    assert_eq!(server.ask("GET", "catalog/doc.fly", None).await.0, 404);
}

#[tokio::test]
async fn folders_and_names_are_listed() {
    let server = server().await;
    fs::create_dir(server.folder.path().join("sub")).unwrap();
    fs::write(server.folder.path().join("sub/b.txt"), "").unwrap();
    let (_, top) = server.ask("GET", "files?folder=", None).await;
    let paths: Vec<&str> =
        top["entries"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [".local", "sub", "a.txt"]);
    let (_, names) = server.ask("GET", "files/names", None).await;
    let names: Vec<&str> = names["paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    let theirs: Vec<_> = names.into_iter().filter(|name| !name.starts_with(harness::HOME)).collect();
    assert_eq!(theirs, ["a.txt", "sub/b.txt"]);
    assert_eq!(server.ask("GET", "files?folder=gone", None).await.0, 404);
    assert_eq!(server.ask("GET", "files?folder=../..", None).await.0, 400);
}

#[tokio::test]
async fn several_answers_are_taken_each_on_its_own() {
    let server =
        Server::with(|folder| ["a", "b", "c"].iter().for_each(|name| fs::write(folder.join(name), "x").unwrap())).await;
    let mut asked = Vec::new();
    for name in ["a", "b", "c"] {
        let delete = json!({ "action_type": "file.delete", "args": { "path": name } });
        asked.push(server.post("actions", delete).await);
    }
    fs::write(server.folder.path().join("b"), "newer").unwrap();
    let answer =
        |asked: &Value, hash: &Value| json!({ "id": asked["id"], "decision": { "decision": "approve", "hash": hash } });
    let hash = |index: usize| &asked[index]["record"]["approval_hash"];
    // The last one is sent with what was shown of another.
    let several = [answer(&asked[0], hash(0)), answer(&asked[1], hash(1)), answer(&asked[2], hash(0))];
    let taken = server.post("actions/decisions", json!({ "decisions": several })).await;
    assert_eq!((&taken[0]["id"], &taken[0]["submitted"]["state"]), (&asked[0]["id"], &json!("done")));
    for late in [&taken[1], &taken[2]] {
        assert_eq!(late["failure"]["code"], "stale", "{late}");
    }
    let there = ["a", "b", "c"].map(|name| server.folder.path().join(name).exists());
    assert_eq!(there, [false, true, true], "what was not shown is not done");
}

#[tokio::test]
async fn x3_what_is_sent_again_after_its_answer_was_lost_has_run_once_and_says_the_same() {
    let server = server().await;
    let edit = json!({ "path": "a.txt", "edits": [{ "start": 1, "end": 1, "old": "one", "new": "one more" }] });
    let sent = json!({ "action_type": "doc.edit", "args": edit, "idempotency_key": "retry-1" });
    // Nobody reads the answer to the first.
    server.send_and_go("POST", "actions", &sent).await;
    let again = server.post("actions", sent.clone()).await;
    let third = server.post("actions", sent.clone()).await;
    assert_eq!((&again["state"], &again["replayed"]), (&json!("done"), &json!(true)), "{again}");
    assert_eq!((&again["id"], &again["outcome"]), (&third["id"], &third["outcome"]));
    assert_eq!(again["record"], third["record"]);
    let (_, read) =
        server.ask("POST", "actions", Some(json!({ "action_type": "doc.read", "args": { "path": "a.txt" } }))).await;
    assert!(read["outcome"]["observation"]["data"]["text"].as_str().unwrap().starts_with("one more\ntwo"), "{read}");
    let (_, audit) = server.ask("GET", "audit?action=doc.edit", None).await;
    let ran = audit.as_array().unwrap().iter().filter(|entry| entry["body"]["kind"] == "intent").count();
    assert_eq!(ran, 1, "{audit}");
    let other = json!({ "action_type": "doc.read", "args": { "path": "a.txt" }, "idempotency_key": "retry-1" });
    let (status, refused) = server.ask("POST", "actions", Some(other)).await;
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("key_reused")));
}

#[tokio::test]
async fn an_undo_of_the_latest_that_is_sent_again_takes_nothing_else_back() {
    let server = server().await;
    let edit =
        |old: &str, new: &str| json!({ "path": "a.txt", "edits": [{ "start": 1, "end": 1, "old": old, "new": new }] });
    for args in [edit("one", "1"), edit("1", "I")] {
        assert_eq!(server.post("actions", json!({ "action_type": "doc.edit", "args": args })).await["state"], "done");
    }
    let undo = json!({ "idempotency_key": "undo-1" });
    server.send_and_go("POST", "actions/undo", &undo).await;
    let again = server.post("actions/undo", undo.clone()).await;
    let third = server.post("actions/undo", undo).await;
    assert_eq!((&again["replayed"], &again["id"]), (&json!(true), &third["id"]), "{again}");
    let read = json!({ "action_type": "doc.read", "args": { "path": "a.txt" } });
    let text = server.post("actions", read).await["outcome"]["observation"]["data"]["text"].clone();
    assert!(text.as_str().unwrap().starts_with("1\n"), "{text}");
    assert_eq!(server.post("actions/undo", json!({})).await["state"], "done", "without a key it is another one");
}
