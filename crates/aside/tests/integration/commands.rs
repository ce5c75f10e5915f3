//! Commands through the program: heard while they run, stopped, and cut off by a kill.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, Command, Stdio},
};

use serde_json::json;

use crate::common::{Workspace, is_alive, stdout, until};

fn args(line: &str) -> String {
    json!({ "command": line }).to_string()
}

#[test]
fn a_command_whose_server_was_killed_is_said_to_be_cut_off_and_can_be_taken_back() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path().join("out")).unwrap();
    let server = workspace.serve();
    let line = "echo 1 > a.txt; cd out; echo new > b.txt; rm -f c.txt; echo begun > begun; sleep 600";
    let mut asking = workspace.command(&["do", "shell.run", "--yes", "--args", &args(line)]);
    let mut asking = asking.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the command", || (workspace.text("out/begun") == "begun\n").then_some(()));
    server.kill();
    assert_eq!(asking.wait().unwrap().code(), Some(1));
    assert_eq!((workspace.text("a.txt").as_str(), workspace.text("out/b.txt").as_str()), ("1\n", "new\n"));
    let server = workspace.serve();
    let told = stdout(&workspace.run(&["audit", "list"]));
    assert!(told.contains("interrupted"), "{told}");
    let (ended, undone) = workspace.json(&["undo"]);
    assert_eq!(ended, 0, "{undone}");
    assert_eq!((workspace.text("a.txt").as_str(), workspace.text("out/b.txt").as_str()), ("one\ntwo\n", "(none)"));
    let id = undone["record"]["undoes"].as_str().unwrap();
    let record = server.ask("GET", &format!("actions/{id}"), "");
    let reason = record["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("Changed 3 files: a.txt (changed), out/b.txt (added), out/begun (added)."), "{reason}");
    assert_eq!(record["record"]["state"], "undone");
}

fn started(workspace: &Workspace, line: &str) -> Child {
    let mut asking = workspace.command(&["do", "shell.run", "--yes", "--args", &args(line)]);
    asking.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn what_a_command_puts_out_comes_while_it_runs_and_what_it_was_is_said_once() {
    let workspace = Workspace::new();
    let mut asking = started(&workspace, "printf 'first\\033[2J\\n'; while [ ! -e go ]; do :; done; printf last");
    let mut output = asking.stdout.take().unwrap();
    let mut said = vec![0; 6];
    output.read_exact(&mut said).unwrap();
    assert_eq!(said, b"first\n", "it still runs");
    workspace.put("go", "");
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(rest.starts_with("last\nExit status 0 after ") && !rest.contains("first"), "{rest}");
    assert_eq!(asking.wait().unwrap().code(), Some(0));
}

#[test]
fn ctrl_c_stops_the_command_with_all_that_it_started_and_that_is_recorded() {
    for shared in [true, false] {
        let workspace = Workspace::new();
        let _server = shared.then(|| workspace.serve());
        let sleep = format!("sleep 611.{}", std::process::id());
        let line = format!("trap '' INT TERM; echo 1 > a.txt; echo begun; {sleep} & setsid {sleep}");
        let mut asking = started(&workspace, &line);
        let mut output = asking.stdout.take().unwrap();
        let mut said = vec![0; 6];
        output.read_exact(&mut said).unwrap();
        assert!(Command::new("kill").args(["-INT", &asking.id().to_string()]).status().unwrap().success());
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert!(rest.starts_with("Stopped by ada after ") && rest.contains("a.txt (changed)"), "{rest}");
        assert_eq!(asking.wait().unwrap().code(), Some(1), "a stopped command is no success");
        assert!(!is_alive(&sleep));
        assert_eq!(workspace.json(&["undo"]).0, 0);
        assert_eq!(workspace.text("a.txt"), "one\ntwo\n");
    }
}

#[test]
fn a_program_that_hangs_up_before_the_handshake_is_over_keeps_nothing_running() {
    let workspace = Workspace::new();
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    workspace.put("hello", &format!("{hello}\n"));
    let input = File::open(workspace.path().join("hello")).unwrap();
    let mut bridge = workspace.command(&["mcp"]).stdin(input).stdout(Stdio::null()).spawn().unwrap();
    let ended = until("its end", || bridge.try_wait().unwrap());
    assert!(ended.success(), "{ended:?}");
}

#[test]
fn a_program_whose_grant_has_ended_is_told_so_and_its_session_is_over() {
    let workspace = Workspace::new();
    let _server = workspace.serve();
    let (_, made) = workspace.json(&["grants", "create", "script", "--risks", "read"]);
    let (token, id) = (made["token"].as_str().unwrap(), made["record"]["grant"]["id"].as_str().unwrap());
    let mut command = workspace.command(&["mcp", "--token", token]);
    let mut bridge = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (bridge.stdin.take().unwrap(), BufReader::new(bridge.stdout.take().unwrap()));
    let mut say = |message: serde_json::Value| writeln!(input, "{message}");
    let mut heard = || {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        line
    };
    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello })).unwrap();
    assert!(heard().contains("serverInfo"));
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
    say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" })).unwrap();
    assert!(heard().contains("doc_read"));
    assert_eq!(workspace.json(&["grants", "revoke", id]).0, 0);
    // It may have heard of it already: then nobody reads this.
    let is_read = say(json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" })).is_ok();
    let told = heard();
    assert!(told.is_empty() || is_read && told.contains("its grant was revoked"), "{told}");
    let ended = until("its end", || bridge.try_wait().unwrap());
    let mut said = String::new();
    bridge.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(!ended.success() && said.contains("its grant was revoked"), "{said}");
}
