//! A workspace made by an earlier Aside opens with everything in it. `old_workspace/README.md` says how it was made.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::common::{Server, Workspace, code, until};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/old_workspace");

/// A copy of the old workspace, trusted by its person.
struct Old {
    workspace: Workspace,
    /// The ids by which things are found.
    made: Value,
}

impl Old {
    fn open() -> Self {
        let workspace = Workspace::new();
        for (from, to) in [("tides", ""), ("own", ".aside"), ("data", ".local/share/aside")] {
            copy(&Path::new(FIXTURE).join(from), &workspace.path().join(to));
        }
        let policy = ".local/share/aside/policy.toml";
        let here = workspace.path().canonicalize().unwrap();
        workspace.put(policy, &workspace.text(policy).replace("/home/ada/tides", here.to_str().unwrap()));
        let (ended, trusted) = workspace.json(&["trust"]);
        assert_eq!(ended, 0, "{trusted}");
        let made = fs::read_to_string(Path::new(FIXTURE).join("made.json")).unwrap();
        Self { workspace, made: serde_json::from_str(&made).unwrap() }
    }

    fn id(&self, name: &str) -> &str {
        self.made[name].as_str().unwrap_or_else(|| panic!("made.json has no {name}"))
    }

    fn has(&self, file: &str) -> bool {
        self.workspace.path().join(file).exists()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// Says yes to a waiting action. Its preview is weeks old: the server shows it anew before it takes the yes.
fn approve(server: &Server, id: &str) -> Value {
    for _ in 0..2 {
        let record = &server.ask("GET", &format!("actions/{id}"), "")["record"];
        assert_eq!(record["state"], "awaiting_confirmation", "{record}");
        let decision = json!({ "decision": "approve", "hash": record["approval_hash"] }).to_string();
        let answer = server.ask("POST", &format!("actions/{id}/decision"), &decision);
        if answer["error"].is_null() {
            return answer["record"].clone();
        }
    }
    panic!("{id} still waits");
}

/// Returns the bodies of a thread's events of one type.
fn events(server: &Server, thread: &str, of: &str) -> Vec<Value> {
    let log = server.ask("GET", &format!("threads/{thread}"), "");
    let events = log["events"].as_array().unwrap_or_else(|| panic!("{log}")).iter();
    events.map(|event| event["body"].clone()).filter(|body| body["type"] == of).collect()
}

#[test]
fn old_audit_verifies_before_and_after_work() {
    let old = Old::open();
    let (noted, head) = (&old.made["audit"], old.made["audit"]["head"].as_str().unwrap());
    let (ended, verified) = old.workspace.json(&["audit", "verify", "--head", head]);
    assert_eq!((ended, &verified["problem"]), (0, &Value::Null), "{verified}");
    // The edit that is only in the journal has an intent and an outcome.
    assert_eq!(verified["entries"].as_u64(), noted["entries"].as_u64().map(|entries| entries + 2));
    let edit = json!({ "path": "Welcome.md", "edits": [{ "start": 1, "old": "", "new": "Back again\n" }] }).to_string();
    assert_eq!(old.workspace.json(&["do", "doc.edit", "--args", &edit]).1["state"], "done");
    let head = verified["head"].as_str().unwrap();
    let (ended, after) = old.workspace.json(&["audit", "verify", "--head", head]);
    assert_eq!((ended, &after["problem"]), (0, &Value::Null));
    assert!(after["entries"].as_u64() > verified["entries"].as_u64(), "{after}");
}

#[test]
fn old_threads_have_their_messages() {
    let old = Old::open();
    let server = old.workspace.serve();
    let threads = server.ask("GET", "threads", "");
    let titles: Vec<_> = threads.as_array().unwrap().iter().map(|thread| thread["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["A better name", "Old readings", "The todos", "The bug", "The folder"]);
    let markdown = server.raw("GET", &format!("/api/v1/threads/{}/markdown", old.id("answered")), "");
    assert!(markdown.contains("What is in this folder?"), "{markdown}");
    assert!(markdown.contains("A small Python package (`tides/`) with tests"), "{markdown}");
    let found = server.ask("GET", "threads/search?q=done%20ones%20last", "");
    assert_eq!(found[0]["thread"]["id"], old.id("rejected"), "{found}");
}

#[test]
fn old_thread_continues_after_its_edit_is_approved() {
    let old = Old::open();
    let server = old.workspace.serve();
    let waiting = server.ask("GET", "actions?state=awaiting_confirmation", "");
    assert!(waiting.as_array().unwrap().iter().any(|record| record["envelope"]["id"] == old.id("waiting_edit")));
    assert_eq!(approve(&server, old.id("waiting_edit"))["state"], "done");
    until("the turn's end", || (!events(&server, old.id("waiting"), "turn_ended").is_empty()).then_some(()));
    server.end();
    assert!(old.workspace.text("tides/harmonics.py").contains("def constituent_height(constituent, hours):"));
}

#[test]
fn old_deletion_is_decided_at_the_command_line() {
    let old = Old::open();
    assert!(old.has("paper/references.bib"));
    let decide = ["decide", old.id("waiting_deletion"), "--yes"];
    // The preview is old: the first yes only shows it anew.
    let ended = code(&old.workspace.run(&decide));
    assert!(ended == 0 || code(&old.workspace.run(&decide)) == 0);
    assert!(!old.has("paper/references.bib"));
}

#[test]
fn old_edit_can_be_undone() {
    let old = Old::open();
    assert_eq!(old.workspace.text("notes/log.md"), "# Log\n\nFirst day: calm\n");
    let (_, undone) = old.workspace.json(&["audit", "show", old.id("undone")]);
    assert!(undone.to_string().contains("undone"), "{undone}");
    let (ended, undo) = old.workspace.json(&["undo", old.id("undoable"), "--yes"]);
    assert_eq!((ended, &undo["state"]), (0, &json!("done")), "{undo}");
    assert_eq!(old.workspace.text("notes/log.md"), "# Log\n\nFirst day\n");
}

#[test]
fn old_undo_overwrites_no_newer_file() {
    let old = Old::open();
    old.workspace.put("data/old-readings.csv", "written since\n");
    let (_, undo) = old.workspace.json(&["undo", old.id("deletion"), "--yes"]);
    assert_eq!(undo["outcome"]["failure"]["code"], "conflict", "{undo}");
    assert_eq!(old.workspace.text("data/old-readings.csv"), "written since\n");
}

#[test]
fn old_deleted_file_is_restored() {
    let old = Old::open();
    assert!(!old.has("data/old-readings.csv"));
    let (ended, undo) = old.workspace.json(&["undo", old.id("deletion"), "--yes"]);
    assert_eq!((ended, &undo["state"]), (0, &json!("done")), "{undo}");
    let text = old.workspace.text("data/old-readings.csv");
    assert_eq!((text.lines().next(), text.lines().count()), (Some("hours,height_m"), 4), "{text}");
}

#[test]
fn old_cleared_output_is_put_back() {
    let old = Old::open();
    assert!(!old.workspace.text("analysis.ipynb").contains("\"54\""));
    let (ended, undo) = old.workspace.json(&["undo", old.id("cleared"), "--yes"]);
    assert_eq!((ended, &undo["state"]), (0, &json!("done")), "{undo}");
    assert!(old.workspace.text("analysis.ipynb").contains("\"54\""));
}

#[test]
fn old_edit_before_a_kill_is_recovered() {
    let old = Old::open();
    let read = ["do", "doc.read", "--args", r#"{"path": "notes/last.md"}"#];
    assert!(old.workspace.json(&read).1.to_string().contains("Killed"));
    assert_eq!(old.workspace.text("notes/last.md"), "Killed\n");
}

#[test]
fn old_version_is_restored() {
    let old = Old::open();
    assert_eq!(old.workspace.text("notes/versions.md"), "three\n");
    let (_, versions) = old.workspace.json(&["versions", "notes/versions.md"]);
    let versions = versions.as_array().unwrap();
    assert_eq!(versions.len(), 2, "{versions:?}");
    let args = json!({ "path": "notes/versions.md", "version": versions[1]["id"] }).to_string();
    let (ended, restored) = old.workspace.json(&["do", "doc.restore", "--args", &args, "--yes"]);
    assert_eq!((ended, &restored["state"]), (0, &json!("done")), "{restored}");
    assert_eq!(old.workspace.text("notes/versions.md"), "one\n");
}

#[test]
fn old_runs_have_their_outputs() {
    let old = Old::open();
    let server = old.workspace.serve();
    let read = json!({ "action_type": "notebook.read", "args": { "path": "analysis.ipynb" } }).to_string();
    let read = server.ask("POST", "actions", &read).to_string();
    assert!(read.contains("worst error 0.0"), "{read}");
    let run = server.ask("GET", &format!("actions/{}", old.id("run")), "");
    assert!(run["outcome"]["observation"]["text"].as_str().unwrap().contains("worst error 0.0"), "{run}");
    assert_eq!(server.ask("GET", "notebooks/trust?path=analysis.ipynb", "")["waits"], false);
    assert!(read.contains("Each *constituent* is one periodic cause"), "what the model answered in a cell: {read}");
    let command = server.ask("GET", &format!("actions/{}", old.id("command")), "");
    assert!(command["outcome"].to_string().contains("high water at noon"), "{command}");
}

#[test]
fn old_grants_are_listed_and_their_tokens_hold() {
    let old = Old::open();
    let (_, grants) = old.workspace.json(&["grants", "list"]);
    let names: Vec<_> = grants.as_array().unwrap().iter().map(|record| &record["grant"]["name"]).collect();
    assert_eq!(names, ["nightly script", "old laptop"]);
    assert_eq!((&grants[0]["revoked"], grants[1]["revoked"].is_null()), (&Value::Null, false));
    let mut server = old.workspace.serve();
    let read = json!({ "action_type": "doc.read", "args": { "path": "notes/log.md" } }).to_string();
    server.serving["token"] = old.made["grant_token"].clone();
    assert_eq!(server.ask("POST", "actions", &read)["state"], "done");
    server.serving["token"] = old.made["revoked_token"].clone();
    assert_ne!(server.ask("POST", "actions", &read)["error"], Value::Null);
}

#[test]
fn old_tasks_and_recipes_are_listed_and_run() {
    let old = Old::open();
    let (_, tasks) = old.workspace.json(&["task", "list"]);
    let state = |goal: &str| &tasks.as_array().unwrap().iter().find(|task| task["goal"] == goal).unwrap()["state"];
    // The turns of threads are tasks, too.
    assert_eq!(tasks.as_array().unwrap().len(), 6, "{tasks}");
    assert_eq!(state("Copy the log"), "completed");
    assert_eq!(state("Rename ht to constituent_height"), "awaiting_confirmation");
    assert_eq!(state("Clear away"), "awaiting_confirmation");
    let recipe = ["recipe", "run", "copy-log", "--set", "copy=notes/again.md", "--yes"];
    assert_eq!(old.workspace.json(&recipe).0, 0);
    assert_eq!(old.workspace.text("notes/again.md"), "# Copy\n\nFirst day: calm\n");
    let approve = ["task", "approve", old.id("waiting_task"), "--yes"];
    let ended = old.workspace.json(&approve).0;
    assert!(ended == 0 || old.workspace.json(&approve).0 == 0, "the plan is old: the first yes only shows it anew");
    assert!(!old.has("notes/copy.md"));
}

#[test]
fn old_messages_of_people_are_there() {
    let old = Old::open();
    let server = old.workspace.serve();
    let page = server.ask("GET", "chats/messages?document=notes/field-trip.md", "");
    let messages: Vec<_> = page["messages"].as_array().unwrap().iter().map(|message| &message["text"]).collect();
    assert_eq!(messages, ["Who brings the **tide gauge**?", "I do.", "", "The power is going out."]);
    let link = json!({ "token": old.made["guest_token"] }).to_string();
    assert_eq!(server.ask("POST", "session", &link)["person"]["name"], "Grace");
}

#[test]
fn old_labels_and_rules_hold() {
    let old = Old::open();
    let server = old.workspace.serve();
    let label = server.ask("GET", "labels?path=data/readings.csv", "");
    assert!(label.to_string().contains("from the harbour office"), "{label}");
    server.end();
    old.workspace.put("notes/reading-list.md", "again\n");
    let delete = ["do", "file.delete", "--args", r#"{"path": "notes/reading-list.md"}"#];
    assert_eq!(old.workspace.json(&delete).1["state"], "done", "the remembered rule allows it without a question");
}
