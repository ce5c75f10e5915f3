//! Stop within a second: the command of an answer, and a task in the middle of its plan. What had come by then stays.
//! Answers and pulls are stopped in `aside-server/tests/server/stop.rs`.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::common::{Server, Workspace, code, is_alive, until};

/// How long it may take.
const SECOND: Duration = Duration::from_secs(1);

/// A command that tells when it has begun, says something, and minds no signal; a part of it leaves its group.
fn stubborn(sleep: &str) -> String {
    format!("trap '' INT TERM; echo 1 > a.txt; echo heard; {sleep} & setsid {sleep} & echo begun > begun; wait")
}

/// Names a sleep that no other test has.
fn sleep(number: u32) -> String {
    format!("sleep {number}.{}", std::process::id())
}

/// A workspace whose model runs a command.
fn rehearsing(command: &str) -> Workspace {
    let workspace = Workspace::new();
    let call = json!({ "name": "shell.run", "args": { "command": command } });
    let steps = json!([{ "text": "I'll run it.", "calls": [call] }, { "text": "It ran." }]);
    let script = json!({ "name": "runs", "replies": [{ "when": "run", "steps": steps }] });
    fs::create_dir(workspace.path().join(".aside")).unwrap();
    workspace.put(".aside/rehearsal.json", &script.to_string());
    assert_eq!(code(&workspace.run(&["trust", workspace.path().to_str().unwrap()])), 0);
    workspace
}

fn in_time(since: Instant, what: &str) {
    assert!(since.elapsed() < SECOND, "{what} took {:?}", since.elapsed());
}

/// The only action that waits for a person, as soon as there is one.
fn asked(server: &Server) -> Value {
    until("the question", || server.ask("GET", "actions?state=awaiting_confirmation", "").get(0).cloned())
}

fn has_begun(workspace: &Workspace) {
    until("the command", || (workspace.text("begun") == "begun\n").then_some(()));
}

#[test]
fn a_command_of_an_answer_is_gone_with_all_it_started_and_what_it_put_out_and_changed_is_kept() {
    let sleep = sleep(612);
    let workspace = rehearsing(&stubborn(&sleep));
    let server = workspace.serve();
    let thread = server.ask("POST", "threads", r#"{ "model": "rehearsal/runs" }"#)["id"].as_str().unwrap().to_owned();
    server.ask("POST", &format!("threads/{thread}/turns"), r#"{ "text": "run it" }"#);
    let asked = asked(&server);
    let action = asked["envelope"]["id"].as_str().unwrap();
    let yes = json!({ "decision": "approve", "hash": asked["approval_hash"] }).to_string();
    std::thread::scope(|scope| {
        // The answer to a yes comes with the end of what it was for.
        scope.spawn(|| server.ask("POST", &format!("actions/{action}/decision"), &yes));
        has_begun(&workspace);
        let pressed = Instant::now();
        server.ask("POST", &format!("threads/{thread}/stop"), "{}");
        let log = until("the end of the turn", || {
            let log = server.ask("GET", &format!("threads/{thread}"), "");
            let events = log["events"].as_array().unwrap();
            events.iter().find(|event| event["body"]["type"] == "turn_ended").cloned()
        });
        in_time(pressed, "to stop the turn");
        assert_eq!(log["body"]["end"]["kind"], "stopped", "{log}");
        until("the end of the command", || (!is_alive(&sleep)).then_some(()));
        in_time(pressed, "to end the command");
    });
    let ended = server.ask("GET", &format!("actions/{action}"), "");
    let told = ended["outcome"]["observation"]["text"].as_str().unwrap();
    assert!(told.starts_with("Stopped by ada after ") && told.contains("heard"), "{told}");
    assert!(told.contains("a.txt (changed)"), "{told}");
    assert_eq!(workspace.text("a.txt"), "1\n");
    server.ask("POST", &format!("actions/{action}/undo"), "{}");
    assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
}

#[test]
fn a_task_in_the_middle_of_its_plan_is_over_with_its_command_and_what_is_done_stays() {
    let sleep = sleep(613);
    let workspace = Workspace::new();
    let copy = |to: &str| json!({ "action_type": "file.copy", "args": { "from": "a.txt", "to": to } });
    let run = json!({ "action_type": "shell.run", "args": { "command": stubborn(&sleep) } });
    let plan = json!({ "goal": "three steps", "steps": [copy("b.txt"), run, copy("c.txt")] });
    let server = workspace.serve();
    let shown = server.ask("POST", "tasks", &plan.to_string());
    let task = shown["task"]["id"].as_str().unwrap();
    let yes = json!({ "decision": "approve", "hash": shown["plan"]["hash"] }).to_string();
    server.ask("POST", &format!("tasks/{task}/decision"), &yes);
    has_begun(&workspace);
    let pressed = Instant::now();
    let cancelled = server.ask("POST", &format!("tasks/{task}/cancel"), "{}");
    in_time(pressed, "to end the task");
    assert_eq!(cancelled["task"]["state"], "cancelled", "{cancelled}");
    until("the end of the command", || (!is_alive(&sleep)).then_some(()));
    in_time(pressed, "to end the command");
    let ended = until("the end of the step", || {
        let found = server.ask("GET", &format!("tasks/{task}"), "");
        (found["plan"]["steps"][1]["state"] == "failed").then_some(found)
    });
    let summary = ended["task"]["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("Stopped after 1 of 3: cancelled by ada. Step 2 was running: Stopped by ada"),
        "{summary}"
    );
    let outcome = &ended["plan"]["steps"][1]["outcome"]["observation"]["text"];
    assert!(outcome.as_str().unwrap().contains("heard"), "{outcome}");
    assert_eq!(["b.txt", "c.txt"].map(|file| workspace.text(file)), ["one\ntwo\n", "(none)"]);
}
