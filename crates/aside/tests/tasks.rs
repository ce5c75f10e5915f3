//! Tasks through the program: typed, answered, and killed at every boundary of their steps.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(60);

struct Workspace(TempDir);

struct Server {
    child: Child,
    serving: Value,
}

impl Workspace {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap_or_else(|_| "(none)".to_owned())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aside"));
        command.args(args).current_dir(self.path()).stdin(Stdio::null());
        command.env_clear().env("HOME", self.path()).env("OLLAMA_HOST", "127.0.0.1:1").env("USER", "ada");
        command
    }

    /// Runs with `--json`; returns the exit code and the answer.
    fn json(&self, args: &[&str]) -> (i32, Value) {
        let output = self.command(args).arg("--json").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?} {args:?}"));
        (output.status.code().unwrap(), value)
    }

    fn plan(&self, name: &str, plan: &Value) {
        fs::write(self.path().join(name), plan.to_string()).unwrap();
    }

    fn serve(&self) -> Server {
        let args = [".", "--no-open", "--port", "0", "--json"];
        let mut child = self.command(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Server { child, serving: serde_json::from_str(&line).unwrap() }
    }
}

impl Server {
    /// As a power cut would: nobody is asked.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let url = self.serving["url"].as_str().unwrap();
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        let token = self.serving["token"].as_str().unwrap();
        let mut socket = TcpStream::connect(host).unwrap();
        let head = format!(
            "host: {host}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\nconnection: close"
        );
        write!(socket, "{method} /api/v1/{path} HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
            .unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let start = answer.find("\r\n\r\n").unwrap() + 4;
        serde_json::from_str(&answer[start..]).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Asks until the task is as wanted.
    fn until(&self, task: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let detail = self.ask("GET", &format!("tasks/{task}"), "");
            if holds(&detail) {
                return detail;
            }
            assert!(start.elapsed() < PATIENCE, "waited for {}", detail["task"]);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
    workspace.plan("plan.json", &digits());
    let shown = workspace.command(&["task", "run", "plan.json", "--dry-run"]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("Step 1 of 2: doc.edit (write)") && text.contains("-one\n+1\n"), "{text}");
    assert!(text.contains("All that it would do is shown."), "{text}");
    let (ended, waits) = workspace.json(&["task", "run", "plan.json"]);
    assert_eq!((ended, &waits["task"]["state"]), (3, &json!("awaiting_confirmation")));
    let (id, hash) = (waits["task"]["id"].as_str().unwrap(), waits["plan"]["hash"].as_str().unwrap());
    assert_eq!(workspace.json(&["task", "approve", id]).1["error"]["code"], "hash_missing");
    assert_eq!(workspace.text("b.txt"), "(none)");
    let (ended, done) = workspace.json(&["task", "approve", id, "--hash", hash]);
    assert_eq!((ended, &done["task"]["summary"]), (0, &json!("Did all 2 steps.")));
    assert_eq!(workspace.text("b.txt"), "1\ntwo\n");
    assert_eq!(workspace.json(&["task", "approve", id, "--hash", hash]).1["error"]["code"], "not_waiting");
    let (_, found) = workspace.json(&["tasks", "list", "digits", "--object", "b.txt"]);
    assert_eq!(found[0]["id"], id);
    let (ended, undone) = workspace.json(&["task", "undo", id, "--yes"]);
    assert_eq!((ended, &undone["task"]["source"]["task"]), (0, &json!(id)));
    assert_eq!((workspace.text("a.txt"), workspace.text("b.txt")), ("one\ntwo\n".into(), "(none)".into()));
}

#[test]
fn what_went_well_is_run_again_as_a_recipe() {
    let workspace = Workspace::new();
    workspace.plan("plan.json", &digits());
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
    workspace.plan("plan.json", &json!({ "goal": "copies", "steps": (1..=STEPS).map(copy).collect::<Vec<_>>() }));
    let (_, waits) = workspace.json(&["task", "run", "plan.json"]);
    let id = waits["task"]["id"].as_str().unwrap();
    let mut server = workspace.serve();
    let decision = json!({ "decision": "approve", "hash": waits["plan"]["hash"] }).to_string();
    server.ask("POST", &format!("tasks/{id}/decision"), &decision);
    for boundary in 0..STEPS {
        server.until(id, |detail| {
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
    let mut ended = server.until(id, settled);
    while ended["task"]["state"] == "awaiting_confirmation" {
        let decision = json!({ "decision": "approve", "hash": ended["plan"]["hash"] }).to_string();
        server.ask("POST", &format!("tasks/{id}/decision"), &decision);
        ended = server.until(id, settled);
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
