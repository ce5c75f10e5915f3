//! Tasks through the program: typed, answered, and killed at every boundary of their steps.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use serde_json::{Value, json};

use crate::common::{Server, Workspace, until};

/// Asks until the task is as wanted.
fn until_task(server: &Server, task: &str, holds: impl Fn(&Value) -> bool) -> Value {
    until(&format!("task {task}"), || Some(server.ask("GET", &format!("tasks/{task}"), "")).filter(&holds))
}

fn digits() -> Value {
    json!({ "goal": "digits", "steps": [
        { "action_type": "doc.edit", "args": { "path": "a.txt", "edits": [{ "old": "one", "new": "1" }] } },
        { "action_type": "file.copy", "args": { "from": "a.txt", "to": "b.txt" } },
    ]})
}

#[test]
fn a_plan_is_shown_and_waits_for_a_yes_that_names_it() {
    let workspace = Workspace::new();
    workspace.put("plan.json", &digits().to_string());
    let shown = workspace.command(&["task", "run", "plan.json", "--dry-run"]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("Step 1 of 2: doc.edit (write)") && text.contains("-one\n+1\n"), "{text}");
    assert!(text.contains("The preview is complete."), "{text}");
    let (ended, waits) = workspace.json(&["task", "run", "plan.json"]);
    assert_eq!((ended, &waits["task"]["state"]), (3, &json!("awaiting_confirmation")));
    let (id, hash) = (waits["task"]["id"].as_str().unwrap(), waits["plan"]["hash"].as_str().unwrap());
    assert_eq!(workspace.json(&["task", "approve", id]).1["error"]["code"], "hash_missing");
    assert_eq!(workspace.text("b.txt"), "(none)");
    let (ended, done) = workspace.json(&["task", "approve", id, "--hash", hash]);
    assert_eq!((ended, &done["task"]["summary"]), (0, &json!("Completed all 2 steps.")));
    assert_eq!(workspace.text("b.txt"), "1\ntwo\n");
    assert_eq!(workspace.json(&["task", "approve", id, "--hash", hash]).1["error"]["code"], "not_waiting");
    let (_, found) = workspace.json(&["tasks", "list", "digits", "--object", "b.txt"]);
    assert_eq!(found[0]["id"], id);
    let (ended, undone) = workspace.json(&["task", "undo", id, "--yes"]);
    assert_eq!((ended, &undone["task"]["source"]["task"]), (0, &json!(id)));
    assert_eq!((workspace.text("a.txt"), workspace.text("b.txt")), ("one\ntwo\n".into(), "(none)".into()));
}

#[test]
fn a_part_of_a_step_is_left_out_and_stays_to_be_read() {
    let workspace = Workspace::new();
    let lines = |first: &str, last: &str| format!("{first}\n{}{last}\n", "between\n".repeat(12));
    workspace.put("long.txt", &lines("first", "last"));
    let edits = json!([{ "old": "first", "new": "1st" }, { "old": "last", "new": "12th" }]);
    let steps = json!([{ "action_type": "doc.edit", "args": { "path": "long.txt", "edits": edits } }]);
    workspace.put("plan.json", &json!({ "goal": "ends", "steps": steps }).to_string());
    let (_, waits) = workspace.json(&["task", "run", "plan.json"]);
    let (id, hash) = (waits["task"]["id"].as_str().unwrap(), waits["plan"]["hash"].as_str().unwrap());
    let show = || String::from_utf8(workspace.command(&["task", "show", id]).output().unwrap().stdout).unwrap();
    assert!(show().contains("@@ part 0\n-first\n+1st\n") && show().contains("@@ part 1\n"), "{}", show());
    let unseen = workspace.command(&["task", "reject", id, "--steps", "1", "--parts", "1"]).output().unwrap();
    let words = String::from_utf8(unseen.stderr).unwrap();
    assert!(unseen.status.code() == Some(2) && words.contains("--hash <HASH>"), "{words}");
    let (_, rest) = workspace.json(&["task", "reject", id, "--steps", "1", "--parts", "1", "--hash", hash]);
    assert!(show().contains("@@ rejected\n"), "{}", show());
    let hash = rest["plan"]["hash"].as_str().unwrap();
    let (ended, _) = workspace.json(&["task", "approve", id, "--steps", "1", "--parts", "0", "--hash", hash]);
    assert_eq!((ended, workspace.text("long.txt")), (0, lines("1st", "last")));
    assert!(show().contains("rejected in step 1:\n--- a/long.txt"), "{}", show());
}

#[test]
fn what_went_well_is_run_again_as_a_recipe() {
    let workspace = Workspace::new();
    workspace.put("plan.json", &digits().to_string());
    let (_, done) = workspace.json(&["task", "run", "plan.json", "--yes"]);
    let id = done["task"]["id"].as_str().unwrap();
    let (ended, recipe) = workspace.json(&["recipe", "save", id, "--name", "digits", "--rename", "to=copy"]);
    assert_eq!((ended, &recipe["parameters"][1]["name"]), (0, &json!("copy")));
    let (ended, run) = workspace.json(&["recipe", "run", "digits", "--set", "copy=../c.txt", "--dry-run"]);
    assert_eq!((ended, &run["plan"]["steps"][1]["state"]), (0, &json!("left_out")));
    let (ended, _) = workspace.json(&["recipe", "run", "digits", "--set", "copy=c.txt", "--yes"]);
    assert_eq!((ended, workspace.text("c.txt").as_str()), (0, "1\ntwo\n"));
    assert_eq!(workspace.json(&["recipe", "delete", "digits"]).0, 0);
    assert_eq!(workspace.json(&["recipe", "list"]), (0, json!([])));
}

#[test]
fn a_kill_at_every_boundary_does_no_step_twice_and_goes_on_by_a_word_only() {
    const STEPS: u64 = 12;
    let workspace = Workspace::new();
    // A copy that is made twice fails: its place is taken.
    let copy = |number: u64| json!({ "action_type": "file.copy", "args": { "from": "a.txt", "to": format!("c{number}.txt") } });
    let plan = json!({ "goal": "copies", "steps": (1..=STEPS).map(copy).collect::<Vec<_>>() });
    workspace.put("plan.json", &plan.to_string());
    let (_, waits) = workspace.json(&["task", "run", "plan.json"]);
    let id = waits["task"]["id"].as_str().unwrap();
    let mut server = workspace.serve();
    let decision = json!({ "decision": "approve", "hash": waits["plan"]["hash"] }).to_string();
    server.ask("POST", &format!("tasks/{id}/decision"), &decision);
    for boundary in 0..STEPS {
        until_task(&server, id, |detail| {
            detail["task"]["progress"]["done"].as_u64() >= Some(boundary) || detail["task"]["state"] != "running"
        });
        server.kill();
        server = workspace.serve();
        let found = server.ask("GET", &format!("tasks/{id}"), "");
        match found["task"]["state"].as_str().unwrap() {
            "running" => {
                assert_eq!(found["task"]["paused"], "interrupted", "it waits for a word");
                server.ask("POST", &format!("tasks/{id}/resume"), "{}");
            }
            // The last step was cut off in the middle, and nothing is left to show anew.
            "completed" | "failed" => break,
            // A step was cut off in the middle; the rest was shown anew.
            "awaiting_confirmation" => {
                let decision = json!({ "decision": "approve", "hash": found["plan"]["hash"] }).to_string();
                server.ask("POST", &format!("tasks/{id}/decision"), &decision);
            }
            other => panic!("{other}: {found}"),
        }
    }
    let ends = ["completed", "failed", "awaiting_confirmation"];
    let settled = |detail: &Value| ends.contains(&detail["task"]["state"].as_str().unwrap());
    let mut ended = until_task(&server, id, settled);
    while ended["task"]["state"] == "awaiting_confirmation" {
        let decision = json!({ "decision": "approve", "hash": ended["plan"]["hash"] }).to_string();
        server.ask("POST", &format!("tasks/{id}/decision"), &decision);
        ended = until_task(&server, id, settled);
    }
    for step in ended["plan"]["steps"].as_array().unwrap() {
        let copied = workspace.text(&format!("c{}.txt", step["number"])) == "one\ntwo\n";
        match step["state"].as_str().unwrap() {
            "done" => assert!(copied, "{step}"),
            // It was under way when the server was killed: it may have been done, and was not tried again.
            "interrupted" => {}
            other => panic!("{other}: {step}"),
        }
    }
    server.kill();
    let (ended, _) = workspace.json(&["audit", "verify"]);
    assert_eq!(ended, 0);
    let (_, audit) = workspace.json(&["audit", "list", "--action", "file.copy", "--limit", "1000"]);
    let intents = audit.as_array().unwrap().iter().filter(|entry| entry["body"]["kind"] == "intent").count();
    assert_eq!(intents as u64, STEPS, "one intent a step");
}
