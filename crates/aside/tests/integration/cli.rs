//! The program as it is typed: what it prints, how it ends, and that a kill loses nothing.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::fs;

use serde_json::{Value, json};

use crate::common::{Workspace, code, stderr, stdout};

/// With a model that proposes one edit.
fn rehearsing() -> Workspace {
    let workspace = Workspace::new();
    let call = json!({ "name": "doc.edit", "args": { "path": "a.txt", "edits": [{ "old": "two\n", "new": "2\n" }] } });
    let steps = json!([{ "text": "I'll change it.\u{1b}[2J", "calls": [call] }, { "text": "Changed." }]);
    let script = json!({ "name": "proposes", "replies": [{ "when": "change", "steps": steps }] });
    fs::create_dir(workspace.path().join(".aside")).unwrap();
    workspace.put(".aside/rehearsal.json", &script.to_string());
    assert_eq!(code(&workspace.run(&["trust", workspace.path().to_str().unwrap()])), 0);
    workspace
}

const EDIT: &str = r#"{"path": "a.txt", "edits": [{"old": "two\n", "new": "2\n"}]}"#;

#[test]
fn the_second_joins_the_first_and_the_end_is_clean() {
    let workspace = Workspace::new();
    let server = workspace.serve();
    let found = server.serving.clone();
    assert!(found["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    let (ended, joined) = workspace.json(&[".", "--no-open"]);
    assert_eq!((ended, &joined), (0, &found));
    let words = stdout(&workspace.run(&[".", "--no-open"]));
    assert!(words.contains("already open") && words.contains("#token="), "{words}");
    assert_eq!(server.signal("-TERM"), Some(0));
    assert!(!workspace.path().join(".aside/server.json").exists());
}

#[test]
fn a_dry_run_prints_the_diff_and_changes_nothing() {
    let workspace = Workspace::new();
    let shown = workspace.run(&["do", "doc.edit", "--args", EDIT, "--dry-run"]);
    assert_eq!(code(&shown), 0, "{shown:?}");
    let text = stdout(&shown);
    assert!(text.contains("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"), "{text}");
    assert!(text.contains("Nothing was changed"), "{text}");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn an_edit_is_made_undone_and_audited() {
    let workspace = Workspace::new();
    let (ended, done) = workspace.json(&["do", "doc.edit", "--args", EDIT]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")));
    assert_eq!(done["record"]["origin"], json!({ "kind": "cli", "user": "ada" }));
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
    let (ended, undone) = workspace.json(&["undo"]);
    assert_eq!((ended, &undone["record"]["undoes"]), (0, &done["id"]));
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    let again = workspace.run(&["undo"]);
    assert_eq!(code(&again), 1);
    assert!(stderr(&again).starts_with("error: there is nothing to undo"), "{again:?}");
    let list = stdout(&workspace.run(&["audit", "list"]));
    assert!(list.lines().count() >= 4 && list.contains("intent") && list.contains("doc.edit"), "{list}");
    let (ended, check) = workspace.json(&["audit", "verify"]);
    assert_eq!((ended, &check["problem"]), (0, &Value::Null));
    let (_, entries) = workspace.json(&["audit", "show", done["id"].as_str().unwrap()]);
    assert_eq!(entries["entries"][0]["body"]["action"], done["id"]);
    let shown = stdout(&workspace.run(&["audit", "show", "1"]));
    assert!(shown.contains("-two\n+2\n") && shown.contains("intent"), "{shown}");
}

#[test]
fn the_audit_is_filtered_paged_exported_and_compared_with_a_noted_hash() {
    let workspace = Workspace::new();
    workspace.json(&["do", "doc.edit", "--args", EDIT]);
    workspace.json(&["do", "doc.read", "--args", r#"{"path": "a.txt"}"#]);
    let seqs = |args: &[&str]| {
        let (ended, entries) = workspace.json(&[&["audit", "list"], args].concat());
        assert_eq!(ended, 0, "{entries}");
        entries.as_array().unwrap().iter().map(|entry| entry["seq"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(seqs(&[]), [4, 3, 2, 1]);
    assert_eq!(seqs(&["--limit", "1", "--before", "4"]), [3]);
    assert_eq!(seqs(&["--after", "2"]), [3, 4]);
    assert_eq!(seqs(&["--action", "doc.edit", "--state", "done,failed", "--by", "ada", "--object", "a.txt"]), [2]);
    assert_eq!(seqs(&["--from", "2020-01-01", "--to", "2020-01-02"]), [0; 0]);
    let wrong = workspace.run(&["audit", "list", "--state", "fine"]);
    assert!(code(&wrong) == 1 && stderr(&wrong).contains("hint: the states are"), "{wrong:?}");
    let exported = stdout(&workspace.run(&["audit", "export"]));
    let last: Value = serde_json::from_str(exported.lines().last().unwrap()).unwrap();
    let (ended, check) = workspace.json(&["audit", "verify", "--head", last["hash"].as_str().unwrap()]);
    assert_eq!((ended, exported.lines().count(), &check["head"]), (0, 4, &last["hash"]));
    let (ended, check) = workspace.json(&["audit", "verify", "--head", &"1".repeat(64)]);
    assert_eq!(ended, 1);
    assert!(check["problem"].as_str().unwrap().contains("earlier or different one"), "{check}");
    let logs = stdout(&workspace.run(&["audit", "export", "--format", "otlp"]));
    let logs: Value = serde_json::from_str(logs.trim_end()).unwrap();
    assert_eq!(logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap().len(), 4);
}

#[test]
fn without_a_person_the_decision_is_left_open() {
    let workspace = Workspace::new();
    let delete = ["do", "file.delete", "--args", r#"{"path": "a.txt"}"#];
    let (ended, asked) = workspace.json(&delete);
    assert_eq!((ended, &asked["state"]), (3, &json!("awaiting_confirmation")));
    assert!(asked["preview"]["summary"].is_string());
    let words = workspace.run(&delete);
    assert_eq!(code(&words), 3);
    assert!(stdout(&words).contains("aside decide act_"), "{words:?}");
    let id = asked["id"].as_str().unwrap();
    let (ended, refused) = workspace.json(&["decide", id, "--no"]);
    assert_eq!((ended, &refused["state"]), (0, &json!("refused")));
    assert!(workspace.path().join("a.txt").exists());
    let (ended, done) = workspace.json(&["decide", "--yes"]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")));
    assert!(!workspace.path().join("a.txt").exists());
}

#[test]
fn a_yes_is_for_what_was_there_when_it_was_asked_for() {
    let workspace = Workspace::new();
    let before = fs::read(workspace.path().join("a.txt")).unwrap();
    let (ended, _) = workspace.json(&["do", "file.delete", "--args", r#"{"path": "a.txt"}"#]);
    assert_eq!(ended, 3);
    // As long as it was, so that it looks the same.
    fs::write(workspace.path().join("a.txt"), vec![b'x'; before.len()]).unwrap();
    let said = workspace.run(&["decide", "--yes"]);
    assert_eq!(code(&said), 3, "{said:?}");
    assert!(
        stderr(&said).contains("the preview was out of date") && stdout(&said).contains("Delete the file a.txt"),
        "{said:?}"
    );
    assert!(workspace.path().join("a.txt").exists());
    let (ended, done) = workspace.json(&["decide", "--yes"]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")));
}

#[test]
fn the_rule_that_an_answer_leaves_behind_can_be_changed_first() {
    let workspace = Workspace::new();
    workspace.json(&["do", "file.delete", "--args", r#"{"path": "a.txt"}"#]);
    workspace.put("wrong.json", r#"{"action": "*"}"#);
    let wrong = workspace.run(&["decide", "--yes", "--remember", "workspace", "--rule", "wrong.json"]);
    assert!(code(&wrong) == 1 && stderr(&wrong).contains("wrong.json is not a valid change of a rule"), "{wrong:?}");
    workspace.put("rule.json", r#"{"paths": ["*.txt"], "expires": "2999-01-01"}"#);
    let done = workspace.run(&["decide", "--yes", "--remember", "workspace", "--rule", "rule.json"]);
    assert!(stderr(&done).contains("wider than the proposed rule: Every file that matches `*.txt`."), "{done:?}");
    assert!(stdout(&done).contains("remembered as user/file.delete-1"), "{done:?}");
    workspace.put("b.txt", "x");
    let (ended, done) = workspace.json(&["do", "file.delete", "--args", r#"{"path": "b.txt"}"#]);
    assert_eq!((ended, &done["record"]["verdict"]["rule"]), (0, &json!("user/file.delete-1")), "{done}");
}

#[test]
fn yes_decides_beforehand() {
    let workspace = Workspace::new();
    let (ended, done) = workspace.json(&["do", "file.delete", "--args", r#"{"path": "a.txt"}"#, "--yes"]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")));
    assert_eq!(done["record"]["decided_by"], "ada");
}

#[test]
fn what_makes_no_sense_is_wrong_usage_and_what_fails_has_a_hint() {
    let workspace = Workspace::new();
    assert_eq!(code(&workspace.run(&["do", "doc.fly"])), 2);
    assert_eq!(code(&workspace.run(&["do", "doc.edit", "--args", r#"{"path": 1}"#])), 2);
    assert_eq!(code(&workspace.run(&["fly", "--x"])), 2);
    let lost = workspace.run(&["do", "doc.read", "--args", r#"{"path": "gone.txt"}"#]);
    assert_eq!(code(&lost), 1);
    assert!(stdout(&lost).contains("\nhint: "), "{lost:?}");
    let (ended, error) = workspace.json(&["audit", "show", "act_00000000000000000000000000"]);
    assert_eq!((ended, &error["error"]["code"]), (1, &json!("not_found")));
    let (ended, error) = workspace.json(&["actions", "describe", "doc.fly"]);
    assert_eq!((ended, &error["error"]["code"]), (1, &json!("not_found")));
}

#[test]
fn asking_prints_the_answer_and_makes_the_change() {
    let workspace = rehearsing();
    let asked = workspace.run(&["ask", "change it", "--file", "a.txt", "--yes"]);
    assert_eq!(code(&asked), 0, "{asked:?}");
    let text = stdout(&asked);
    assert!(text.contains("I'll change it.\\u{1b}[2J\n") && text.contains("Changed.\n"), "{text}");
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
}

#[test]
fn asking_without_a_person_ends_at_the_proposal() {
    let workspace = rehearsing();
    let (ended, answer) = workspace.json(&["ask", "change it", "--file", "a.txt"]);
    assert_eq!(ended, 3);
    assert_eq!(answer["pending"]["preview"]["body"]["files"][0]["path"], "a.txt");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    let id = answer["pending"]["id"].as_str().unwrap();
    let (ended, done) = workspace.json(&["decide", id, "--yes"]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")));
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
}

#[test]
fn a_kill_loses_nothing_that_waits() {
    let workspace = rehearsing();
    let server = workspace.serve();
    let (_, answer) = workspace.json(&["ask", "change it", "--file", "a.txt"]);
    let id = answer["pending"]["id"].as_str().unwrap().to_owned();
    assert_eq!(server.signal("-KILL"), None);
    let server = workspace.serve();
    let (ended, done) = workspace.json(&["decide", &id, "--yes"]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")));
    let (_, check) = workspace.json(&["audit", "verify"]);
    assert_eq!(check["problem"], Value::Null);
    assert_eq!(server.signal("-INT"), Some(0));
    assert_eq!(workspace.text("a.txt"), "one\n2\n");
}

#[test]
fn without_a_model_asking_says_what_to_do() {
    let workspace = Workspace::new();
    let asked = workspace.run(&["ask", "change it"]);
    assert_eq!(code(&asked), 1);
    assert!(stderr(&asked).contains("\nhint: "), "{asked:?}");
    let doctor = stdout(&workspace.run(&["doctor"]));
    assert!(doctor.contains("Ollama") && doctor.contains("not running; started for this command"), "{doctor}");
    assert!(doctor.contains("chosen model") && doctor.contains("-> start Ollama"), "{doctor}");
}

#[test]
fn the_catalog_is_shown() {
    let workspace = Workspace::new();
    let list = stdout(&workspace.run(&["actions", "list"]));
    assert!(list.contains("doc.edit") && list.contains("[write]"), "{list}");
    let hits = stdout(&workspace.run(&["actions", "search", "delete a file"]));
    assert!(hits.starts_with("file.delete"), "{hits}");
    let one = stdout(&workspace.run(&["actions", "describe", "doc.edit"]));
    assert!(one.contains("aside do doc.edit --args '"), "{one}");
    let (_, manifest) = workspace.json(&["actions", "manifest"]);
    assert!(manifest.as_array().unwrap().iter().all(|found| found["args_schema"].is_object()));
}

#[test]
fn a_command_below_the_folder_finds_the_workspace() {
    let workspace = Workspace::new();
    workspace.run(&["audit", "verify"]);
    fs::create_dir(workspace.path().join("sub")).unwrap();
    let read = workspace
        .command(&["do", "doc.read", "--args", r#"{"path": "a.txt"}"#])
        .current_dir(workspace.path().join("sub"))
        .output()
        .unwrap();
    assert_eq!(code(&read), 0, "{read:?}");
    assert!(!workspace.path().join("sub/.aside").exists());
}

#[test]
fn an_aside_folder_that_came_with_the_files_is_used_when_its_person_says_so() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path().join(".aside")).unwrap();
    fs::write(workspace.path().join(".aside/rehearsal.json"), r#"{"name": "theirs", "replies": []}"#).unwrap();
    for args in [&[".", "--no-open"][..], &["do", "doc.edit", "--args", EDIT], &["doctor"]] {
        let refused = workspace.run(args);
        assert_eq!((code(&refused), stdout(&refused).as_str()), (1, ""));
        let said = stderr(&refused);
        assert!(said.contains(".aside was not created on this computer") && said.contains("aside trust '"), "{said}");
    }
    assert_eq!(fs::read_dir(workspace.path().join(".aside")).unwrap().count(), 1, "it is as it was");
    let (ended, said) = workspace.json(&["trust"]);
    assert_eq!((ended, &said["known"]), (0, &json!(false)));
    assert_eq!(code(&workspace.run(&["do", "doc.edit", "--args", EDIT])), 0);
    assert_eq!(workspace.json(&["trust", "."]).1["known"], true);
}

#[test]
fn listening_to_the_network_needs_a_secret_of_ones_own() {
    let workspace = Workspace::new();
    let refused = workspace.run(&[".", "--no-open", "--port", "0", "--host", "0.0.0.0"]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("ASIDE_TOKEN"), "{refused:?}");
}

#[test]
fn a_grant_is_made_shown_and_ended() {
    let workspace = Workspace::new();
    let _server = workspace.serve();
    let create = ["grants", "create", "script", "--risks", "read,write", "--paths", "notes/**"];
    let (code, made) = workspace.json(&create);
    assert_eq!((code, &made["record"]["grant"]["risks"]), (0, &json!(["read", "write"])), "{made}");
    assert!(made["token"].as_str().unwrap().starts_with("aside_"));
    let id = made["record"]["grant"]["id"].as_str().unwrap();
    let (code, ended) = workspace.json(&["grants", "revoke", id]);
    assert!(code == 0 && ended["revoked"].is_number(), "{ended}");
    let list = String::from_utf8(workspace.run(&["grants", "list"]).stdout).unwrap();
    assert!(list.contains("script") && list.contains("revoked"), "{list}");
    assert!(!list.contains(made["token"].as_str().unwrap()));
}

#[test]
fn a_list_without_anything_in_it_says_so() {
    let workspace = Workspace::new();
    for (args, told) in [
        (&["audit", "list"][..], "the activity log is empty"),
        (&["grants", "list"], "no grants; create one for another program with `aside grants create`"),
        (&["task", "list"], "no tasks yet; `aside ask` and `aside task run` create tasks"),
        (&["task", "list", "--by", "bob"], "no matching tasks; `aside task list` without filters shows the latest"),
        (&["recipe", "list"], "no recipes; save a completed task as one with `aside recipe save`"),
        (&["mcp", "list"], "no MCP servers; add one with `aside mcp add`"),
        (&["actions", "search", "zzzzz"], "no matching actions; `aside actions list` shows all"),
    ] {
        let output = workspace.run(args);
        assert_eq!((code(&output), stdout(&output).trim_end()), (0, told), "{args:?}");
    }
    workspace.run(&["do", "file.create", "--args", r#"{"path":"b.txt"}"#]);
    let filtered = workspace.run(&["audit", "list", "--by", "bob"]);
    assert_eq!(
        stdout(&filtered).trim_end(),
        "no matching entries; `aside audit list` without filters shows the latest"
    );
}
