//! Commands through the program: heard while they run, stopped, and cut off by a kill.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

mod common;

use std::process::Stdio;

use common::{Workspace, stdout, until};
use serde_json::json;

fn args(line: &str) -> String {
    json!({ "command": line }).to_string()
}

#[test]
fn a_command_whose_server_was_killed_is_said_to_be_cut_off_and_can_be_taken_back() {
    let workspace = Workspace::new();
    let server = workspace.serve();
    let line = "echo 1 > a.txt; echo new > b.txt; rm -f c.txt; echo begun > begun; sleep 600";
    let mut asking = workspace.command(&["do", "shell.run", "--yes", "--args", &args(line)]);
    let mut asking = asking.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the command", || (workspace.text("begun") == "begun\n").then_some(()));
    server.kill();
    assert_eq!(asking.wait().unwrap().code(), Some(1));
    assert_eq!((workspace.text("a.txt").as_str(), workspace.text("b.txt").as_str()), ("1\n", "new\n"));
    let server = workspace.serve();
    let told = stdout(&workspace.run(&["audit", "list"]));
    assert!(told.contains("interrupted"), "{told}");
    let (ended, undone) = workspace.json(&["undo"]);
    assert_eq!(ended, 0, "{undone}");
    assert_eq!((workspace.text("a.txt").as_str(), workspace.text("b.txt").as_str()), ("one\ntwo\n", "(none)"));
    let id = undone["record"]["undoes"].as_str().unwrap();
    let record = server.ask("GET", &format!("actions/{id}"), "");
    let reason = record["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("Changed 3 files: a.txt (changed), b.txt (added), begun (added)."), "{reason}");
    assert_eq!(record["record"]["state"], "undone");
}
