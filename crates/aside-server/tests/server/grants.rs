//! Other programs, each with the token of its own grant: what they reach, what they don't, and how it ends.

use std::collections::BTreeSet;

use aside_llm::Script;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;

use crate::{
    harness::Server,
    program::{Program, closed},
};

/// Where a program with a token comes in; every other route is for persons alone.
const HOLDERS: &[(&str, &str)] = &[
    ("GET", "/status"),
    ("GET", "/catalog"),
    ("GET", "/catalog/search"),
    ("GET", "/catalog/{name}"),
    ("GET", "/actions"),
    ("POST", "/actions"),
    ("POST", "/actions/undo"),
    ("GET", "/actions/{id}"),
    ("POST", "/actions/{id}/undo"),
    ("POST", "/actions/{id}/stop"),
    ("POST", "/scripts"),
    ("POST", "/scripts/check"),
    ("GET", "/scripts/types"),
    ("GET", "/tasks/{id}"),
    ("GET", "/tasks/{id}/actions"),
    ("POST", "/tasks/{id}/cancel"),
    ("POST", "/threads"),
    ("GET", "/threads/{id}"),
    ("PATCH", "/threads/{id}"),
    ("POST", "/threads/{id}/turns"),
    ("GET", "/threads/{id}/cards"),
    ("GET", "/threads/{id}/events"),
    ("GET", "/threads/{id}/markdown"),
    ("POST", "/threads/{id}/stop"),
];

async fn server() -> Server {
    Server::with(|folder| {
        std::fs::create_dir(folder.join("notes")).unwrap();
        std::fs::write(folder.join("notes/a.md"), "one\n").unwrap();
        std::fs::write(folder.join("secret.md"), "secret\n").unwrap();
    })
    .await
}

fn code(body: &Value) -> &str {
    body["error"]["code"].as_str().unwrap_or_default()
}

fn insert(path: &str) -> Value {
    json!({ "path": path, "edits": [{ "start": 1, "end": 1, "old": "one", "new": "two" }] })
}

/// Every path that the router has, as its source says: so that a new one can't be forgotten here.
fn paths() -> BTreeSet<&'static str> {
    let source = include_str!("../../src/routes.rs");
    let paths = source.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    paths.filter(|path| !path.starts_with("/api") && !path.contains("{*") && *path != "/").collect()
}

fn filled(path: &str) -> String {
    let id = |kind: &str| format!("{kind}_00000000000000000000000000");
    let kind = match path.split('/').nth(1) {
        Some("actions") => "act",
        Some("threads") => "thr",
        Some("tasks") => "tsk",
        Some("people") => "psn",
        Some("chats") => "msg",
        _ => "grt",
    };
    path.replace("{id}", &id(kind)).replace("{sha256}", &"0".repeat(64)).replace("{name}", "doc.read")
}

#[tokio::test]
async fn every_route_wants_a_token_and_those_of_persons_take_no_program_s() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let host = format!("127.0.0.1:{}", server.port());
    let json_type = ("content-type", "application/json");
    assert!(paths().len() > 30, "{:?}", paths());
    for path in paths() {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let url = format!("/api/v1{}", filled(path));
            if (method, path) == ("POST", "/session") {
                continue; // It takes the token in its body.
            }
            let answer = server.raw(method, &url, &[("host", &host), json_type], "{}").await;
            assert_eq!(answer.status, 401, "{method} {path} without a token");
            let (status, body) = program.ask(method, filled(path).trim_start_matches('/'), Some(json!({}))).await;
            let is_holders = HOLDERS.contains(&(method, path)) || path == "/connection";
            let turned_away = (status, code(&body)) == (403, "not_granted") || status == 405;
            assert_eq!(turned_away, !is_holders || status == 405, "{method} {path}: {status} {body}");
        }
    }
}

#[tokio::test]
async fn a_token_is_shown_once_and_stands_nowhere_else() {
    let server = server().await;
    let program = Program::new(&server, json!({ "risks": ["read"] })).await;
    let (_, list) = server.ask("GET", "grants", None).await;
    assert_eq!((&list[0]["grant"]["id"], list[0]["grant"]["risks"].clone()), (&json!(program.id), json!(["read"])));
    let (_, audit) = server.ask("GET", "audit", None).await;
    for text in [list.to_string(), audit.to_string()] {
        assert!(!text.contains(&program.token));
    }
    let (status, again) = server.ask("POST", &format!("grants/{}/token", program.id), Some(json!({}))).await;
    assert_eq!((status, code(&again)), (409, "handed_out"));
    let (status, _) = server.ask("POST", "grants", Some(json!({ "name": "", "limits": {} }))).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn a_narrow_token_does_no_more_than_its_grant_says() {
    let server = server().await;
    let program = Program::new(&server, json!({ "risks": ["read", "write"], "paths": ["notes/**"] })).await;
    let done = program.act("doc.edit", insert("notes/a.md")).await;
    assert_eq!((&done["state"], &done["record"]["origin"]["kind"]), (&json!("done"), &json!("client")), "{done}");
    for (name, args) in [
        ("doc.read", json!({ "path": "secret.md" })),
        ("doc.read", json!({ "path": "notes/../secret.md" })),
        ("file.delete", json!({ "path": "notes/a.md" })),
        ("grant.create", json!({ "name": "wider" })),
    ] {
        let answer = program.act(name, args).await;
        assert_eq!(answer["state"], "refused", "{name} {answer}");
    }
    let (status, body) = program.ask("GET", "catalog/file.delete", None).await;
    assert_eq!((status, code(&body)), (404, "not_found"), "what it can't do is not shown to it");
}

#[tokio::test]
async fn a_program_cannot_say_yes_to_itself_nor_see_what_others_asked_for() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let asked = program.act("file.delete", json!({ "path": "secret.md" })).await;
    assert_eq!(asked["state"], "awaiting_confirmation");
    let id = asked["id"].as_str().unwrap();
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let (status, body) = program.ask("POST", &format!("actions/{id}/decision"), Some(yes.clone())).await;
    assert_eq!((status, code(&body)), (403, "not_granted"));
    let several = json!({ "decisions": [{ "id": id, "decision": yes }] });
    assert_eq!(program.ask("POST", "actions/decisions", Some(several)).await.0, 403);
    let other = Program::new(&server, json!({})).await;
    assert_eq!(other.ask("GET", &format!("actions/{id}"), None).await.0, 404);
    assert_eq!(other.ask("POST", &format!("actions/{id}/undo"), Some(json!({}))).await.0, 404);
    let waiting = "actions?state=awaiting_confirmation";
    assert_eq!(other.ask("GET", waiting, None).await.1, json!([]));
    assert_eq!(program.ask("GET", waiting, None).await.1.as_array().unwrap().len(), 1);
    assert_eq!(program.ask("GET", &format!("actions/{id}"), None).await.0, 200);
}

#[tokio::test]
async fn a_revoked_token_opens_nothing_and_what_waited_under_it_does_not_run() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let asked = program.act("file.delete", json!({ "path": "secret.md" })).await;
    program.revoke().await;
    for (method, path) in [("GET", "status"), ("POST", "actions"), ("GET", "nothing")] {
        let (status, body) = program.ask(method, path, Some(json!({}))).await;
        assert_eq!((status, code(&body)), (401, "no_token"), "{path}");
    }
    let ended = server.until(asked["id"].as_str().unwrap(), |action| action["record"]["ended"].is_number()).await;
    assert_eq!((&ended["state"], &ended["outcome"]["failure"]["code"]), (&json!("refused"), &json!("grant_revoked")));
    assert_eq!(server.ask("GET", "actions?state=awaiting_confirmation", None).await.1, json!([]), "nobody is asked");
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let path = format!("actions/{}/decision", asked["id"].as_str().unwrap());
    let (status, late) = server.ask("POST", &path, Some(yes)).await;
    assert_eq!((status, code(&late)), (409, "already_decided"));
    assert!(server.folder.path().join("secret.md").exists());
}

#[tokio::test]
async fn open_streams_and_sockets_of_a_revoked_grant_are_closed_at_once() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let (_, thread) = program.ask("POST", "threads", Some(json!({}))).await;
    let events = format!("GET /api/v1/threads/{}/events?follow=true", thread["id"].as_str().unwrap());
    let upgrade = "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n\
        sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let mut open = vec![program.open(&events, "").await, program.open("GET /api/v1/connection", upgrade).await];
    for socket in &mut open {
        let mut head = [0; 12];
        socket.read_exact(&mut head).await.unwrap();
        assert!(matches!(&head[9..], b"200" | b"101"), "{}", String::from_utf8_lossy(&head));
    }
    program.revoke().await;
    for socket in &mut open {
        closed(socket).await;
    }
}

#[tokio::test]
async fn a_limited_grant_does_not_open_the_connection() {
    let server = server().await;
    for limits in [json!({ "risks": ["read"] }), json!({ "paths": ["**"] }), json!({ "actions": ["doc.*"] })] {
        let program = Program::new(&server, limits).await;
        let upgrade = "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n\
            sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let mut socket = program.open("GET /api/v1/connection", upgrade).await;
        let mut head = [0; 12];
        socket.read_exact(&mut head).await.unwrap();
        assert_eq!(&head[9..], b"403");
    }
}

#[tokio::test]
async fn a_program_s_turn_runs_under_its_grant_and_stops_with_it() {
    let script = json!({ "name": "eager", "replies": [
        { "when": "talk", "steps": [{ "text": "on and on ", "endless": true, "delay_ms": 1 }] },
    ] });
    let server = Server::rehearsing(Script::parse(&script.to_string()).unwrap()).await;
    let poor = Program::new(&server, json!({ "risks": ["read"] })).await;
    let new = || Some(json!({ "model": "rehearsal/eager" }));
    let talk = || Some(json!({ "text": "talk" }));
    let turns = |thread: &Value| format!("threads/{}/turns", thread["id"].as_str().unwrap());
    let (_, thread) = poor.ask("POST", "threads", new()).await;
    assert_eq!(code(&poor.ask("POST", &turns(&thread), talk()).await.1), "not_granted", "it may spend nothing");

    let program = Program::new(&server, json!({ "risks": ["read", "billing"] })).await;
    assert_eq!(program.ask("POST", &turns(&thread), talk()).await.0, 404, "the thread is another's");
    let (_, thread) = program.ask("POST", "threads", new()).await;
    let (status, _) = program.ask("POST", &turns(&thread), talk()).await;
    assert_eq!(status, 200);
    program.revoke().await;
    let log = format!("threads/{}", thread["id"].as_str().unwrap());
    let mut last = Value::Null;
    for _ in 0..1000 {
        let (_, now) = server.ask("GET", &log, None).await;
        last = now["events"].as_array().unwrap().last().unwrap()["body"].clone();
        if last["type"] == "turn_ended" {
            break;
        }
    }
    assert_eq!(last["end"]["failure"]["code"], "grant_revoked", "{last}");
}

#[tokio::test]
async fn a_program_takes_no_question_away_from_the_person() {
    let script = json!({ "name": "runner", "replies": [{ "when": "run it", "steps": [
        { "calls": [{ "name": "cell_run", "args": { "path": "a.ipynb", "cells": ["c"] } }] },
        { "text": "Done." },
    ] }] });
    let folder = tempfile::tempdir().unwrap();
    let cell = json!({ "cell_type": "code", "id": "c", "metadata": {}, "source": "1", "execution_count": null, "outputs": [] });
    let notebook = json!({ "cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 });
    std::fs::write(folder.path().join("a.ipynb"), notebook.to_string()).unwrap();
    let server = Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await;
    let program = Program::new(&server, json!({})).await;
    let new = |more: Value| {
        let mut body = json!({ "model": "rehearsal/runner", "document": "a.ipynb" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Some(body)
    };
    let after_outputs = json!({ "runs_after_outputs": "a.ipynb" });
    let runs = ["auto", "after_review"].map(|runs| json!({ "runs": runs }));
    for looser in runs.into_iter().chain([json!({ "mode": "auto_apply" }), after_outputs.clone()]) {
        let (status, body) = program.ask("POST", "threads", new(looser.clone())).await;
        assert_eq!((status, code(&body)), (403, "not_granted"), "{looser} {body}");
    }
    let (status, thread) = program.ask("POST", "threads", new(json!({ "runs": "ask", "mode": "review_at_end" }))).await;
    assert_eq!(status, 200, "{thread}");
    let path = format!("threads/{}", thread["id"].as_str().unwrap());
    for looser in [json!({ "runs": "auto" }), after_outputs.clone()] {
        let (status, body) = program.ask("PATCH", &path, Some(looser)).await;
        assert_eq!((status, code(&body)), (403, "not_granted"), "{body}");
    }
    let (status, body) = server.ask("PATCH", &path, Some(after_outputs)).await;
    assert_eq!((status, code(&body)), (400, "bad_request"), "it asks before each run: {body}");

    // What a program says may be anybody's words: that is asked about also where the person lets cells run.
    assert_eq!(server.ask("PATCH", &path, Some(json!({ "runs": "auto" }))).await.0, 200);
    let (status, body) = program.ask("POST", &format!("{path}/turns"), Some(json!({ "text": "run it" }))).await;
    assert_eq!(status, 200, "{body}");
    let asked = async {
        loop {
            let (_, waiting) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
            if let Some(action) = waiting.as_array().unwrap().first() {
                return action.clone();
            }
        }
    };
    let asked = tokio::time::timeout(std::time::Duration::from_secs(30), asked).await.expect("the person is asked");
    assert_eq!(
        (&asked["envelope"]["action_type"], &asked["verdict"]["rule"]),
        (&json!("cell.run"), &json!("label/external"))
    );
    assert_eq!(asked["provenance"]["sources"][0]["what"], "script", "what it says is a program's: {asked}");
}
