//! *Local only*, seen from outside: the real program under `strace`, with keys for everything. An attempt counts,
//! whether or not it gets anywhere; without the switch the same program is seen to make one.
#![allow(clippy::disallowed_methods, reason = "starts the program and reads what was seen of it")]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

use crate::common::{Server, Workspace, until};

/// What an Ollama was asked to answer.
type Asked = Arc<Mutex<Vec<String>>>;

/// An Ollama for as long as the test runs, with one model, and one that it passes on under a name which does not say so;
/// returns its port.
fn ollama(asked: Asked) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let asked = asked.clone();
            thread::spawn(move || {
                let head = request(&mut socket);
                if head.starts_with("POST /api/chat") || head.starts_with("POST /api/pull") {
                    asked.lock().unwrap().push(head.clone());
                }
                let body = if head.starts_with("GET /api/tags") {
                    json!({ "models": [{ "name": "m", "digest": "d" }] })
                } else if head.starts_with("POST /api/show") {
                    let host = head.contains("\"mine\"").then_some("https://ollama.com:443");
                    json!({ "capabilities": ["completion"], "model_info": { "x.context_length": 8192 }, "remote_host": host })
                } else if head.contains("\"name\":\"get_cost_summary\"") && !head.contains("\"role\":\"tool\"") {
                    let call = json!({ "function": { "name": "get_cost_summary", "arguments": { "period": "all" } } });
                    json!({ "message": { "role": "assistant", "content": "", "tool_calls": [call] }, "done": true, "done_reason": "stop" })
                } else {
                    json!({ "message": { "role": "assistant", "content": "hello" }, "done": true, "done_reason": "stop" })
                };
                let (head, body) =
                    ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n", body);
                let _ = writeln!(socket, "{head}{body}");
            });
        }
    });
    port
}

/// A request, whole.
fn request(socket: &mut TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 1 << 16]);
    loop {
        let read = socket.read(&mut piece).unwrap_or_default();
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let length =
            head.to_lowercase().split_once("content-length: ").and_then(|(_, rest)| rest.lines().next()?.parse().ok());
        if read == 0 || (text.contains("\r\n\r\n") && body.len() >= length.unwrap_or(0)) {
            return text;
        }
    }
}

/// Does something with the program while it is watched, with keys for everything and an Ollama at a port; returns what came of it, and
/// what the kernel was asked for.
fn traced<T>(workspace: &Workspace, port: u16, local_only: bool, work: impl FnOnce(&Server) -> T) -> (T, String) {
    let trace = workspace.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o"]).arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_aside")).args([".", "--no-open", "--port", "0", "--json"]);
    command.current_dir(workspace.path()).env_clear().env("HOME", workspace.path()).env("USER", "ada");
    command.env("PATH", "/usr/bin:/bin").env("OLLAMA_HOST", format!("127.0.0.1:{port}"));
    for service in ["OPENAI", "ANTHROPIC", "GEMINI", "OPENROUTER", "GROQ", "MISTRAL", "DEEPSEEK", "XAI", "TOGETHER"] {
        command.env(format!("{service}_API_KEY"), "sk-canary-0123456789");
    }
    command.env("OPENAI_BASE_URL", format!("{}/v1", here_by_another_name(port)));
    if local_only {
        command.env("ASIDE_LOCAL_ONLY", "1");
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let server = Server::watched(child, serde_json::from_str(&line).unwrap());
    let came = work(&server);
    server.end();
    (came, fs::read_to_string(trace).unwrap())
}

/// An address that is not loopback for Aside, and leads nowhere but to this machine.
fn here_by_another_name(port: u16) -> String {
    format!("http://[::ffff:127.0.0.1]:{port}")
}

/// Does what reaches for models, tools and prices; returns the ends of two turns, and what the kernel was asked for.
fn watched(local_only: bool) -> (Vec<String>, String) {
    let asked = Asked::default();
    let port = ollama(asked.clone());
    traced(&Workspace::new(), port, local_only, |server| reach(server, port, local_only, &asked))
}

fn reach(server: &Server, port: u16, local_only: bool, asked: &Asked) -> Vec<String> {
    server.ask("GET", "models", "");
    server.ask("GET", "models?fetch=openai", "");
    server.ask("PUT", "models/consent/openai", &json!({ "host": format!("[::ffff:7f00:1]:{port}") }).to_string());
    let ends = ["ollama/m", "openai/m"].map(|model| turn(server, model)).to_vec();
    server.ask("POST", "models/test", &json!({ "model": "openai/m" }).to_string());
    if local_only {
        // Nothing of this may be tried without the switch: it is not this machine.
        for model in ["anthropic/m", "gemini/m", "groq/m", "xai/m"] {
            server.ask("POST", "models/test", &json!({ "model": model }).to_string());
            server.ask("GET", &format!("models?fetch={}", model.trim_end_matches("/m")), "");
        }
        for refused in [tools_elsewhere(server), all_else(server)].concat() {
            let words = refused.to_lowercase().replace('_', " ");
            assert!(words.contains("local only"), "it is the switch that refuses: {refused}");
        }
        let asked = asked.lock().unwrap().join("\n");
        assert!(asked.contains("\"m\"") && !asked.contains("mine") && !asked.contains("api/pull"), "{asked}");
    }
    ends
}

/// Adds a server of tools under a name that would have to be looked up, with the person's yes; returns what came of it.
fn tools_elsewhere(server: &Server) -> Vec<String> {
    let launch = json!({ "kind": "http", "url": "https://tools.example/mcp" });
    vec![allowed(server, "mcp.add", &json!({ "name": "far", "launch": launch }))]
}

/// What else would reach for another machine: prices, a model that is got, a command with a network, hosts of
/// repositories, and what Ollama passes on, asked by the sidebar before anything else knows of it.
fn all_else(server: &Server) -> Vec<String> {
    let question = json!({ "messages": [{ "role": "user", "content": "x" }], "model": "mine", "tools_enabled": false });
    let sidebar = server.raw("POST", "/api/meta-agent/chat", &question.to_string());
    // Its own sentence says more.
    assert!(sidebar.contains("only local models") && sidebar.contains("ollama.com"), "{sidebar}");
    let mut told = vec![
        server.raw("POST", "/api/v1/models/prices", "{}"),
        server.raw("POST", "/api/v1/history/pull", &json!({ "repo": "ada/tide", "allow": true }).to_string()),
        turn(server, "ollama/mine"),
        allowed(server, "model.pull", &json!({ "model": "ollama/small:1b" })),
        allowed(server, "shell.run", &json!({ "command": "echo hello", "network": true })),
    ];
    told.retain(|told| !told.is_empty());
    assert_eq!(told.len(), 5);
    told
}

/// Asks for an action and says yes to it, if it waits for that; returns what came of it.
fn allowed(server: &Server, action: &str, args: &Value) -> String {
    let asked = server.ask("POST", "actions", &json!({ "action_type": action, "args": args }).to_string());
    if asked["record"]["state"] != "awaiting_confirmation" {
        return asked.to_string();
    }
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    server.ask("POST", &format!("actions/{}/decision", asked["id"].as_str().unwrap()), &yes.to_string()).to_string()
}

fn turn(server: &Server, model: &str) -> String {
    let thread = server.ask("POST", "threads", &json!({ "model": model }).to_string());
    let path = format!("threads/{}", thread["id"].as_str().unwrap());
    server.ask("POST", &format!("{path}/turns"), &json!({ "text": "hello" }).to_string());
    until("the turn's end", || {
        let events = server.ask("GET", &path, "")["events"].clone();
        events.as_array().unwrap().iter().find(|event| event["body"]["type"] == "turn_ended").map(ToString::to_string)
    })
}

/// The lines that name an address of a network which is not loopback's, or ask for the address of a name: a name server
/// may listen on loopback, and passes on what it is asked.
fn elsewhere(trace: &str) -> Vec<&str> {
    let here = |line: &str| line.contains("inet_addr(\"127.") || line.contains("inet_pton(AF_INET6, \"::1\"");
    let asks_for_a_name = |line: &str| line.contains("htons(53)") || line.contains("systemd/resolve");
    let is_elsewhere = |line: &&str| asks_for_a_name(line) || (line.contains("AF_INET") && !here(line));
    trace.lines().filter(is_elsewhere).collect()
}

#[test]
fn a_question_for_a_name_counts_as_elsewhere() {
    let line = "7 connect(9, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr(\"127.0.0.53\")}, 16) = 0";
    assert_eq!(elsewhere(line), [line]);
    assert!(elsewhere(&line.replace("htons(53)", "htons(11434)")).is_empty());
}

/// Tells whether anything can be watched here, and says so if not.
fn can_watch() -> bool {
    let tried = Command::new("strace").args(["-qq", "-e", "trace=none", "true"]).status();
    let can = tried.is_ok_and(|status| status.success());
    if !can {
        assert!(!aside_testkit::is_promised("strace"), "`cargo xtask test` has seen `strace` work");
        eprintln!("NOT TESTED: `strace` is not installed or may not trace here; Local only is not seen from outside");
    }
    can
}

#[test]
fn a_question_about_the_history_is_answered_on_loopback_alone_without_the_switch() {
    if !can_watch() {
        return;
    }
    let workspace = Workspace::new();
    let logs = workspace.path().join(".claude/projects/-w");
    fs::create_dir_all(&logs).unwrap();
    let message =
        json!({ "id": "a", "model": "claude-opus-4-5", "usage": { "input_tokens": 1_000_000, "output_tokens": 0 } });
    let line = json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:00Z", "cwd": "/w", "requestId": "a", "message": message });
    fs::write(logs.join("one.jsonl"), format!("{line}\n")).unwrap();
    let port = ollama(Asked::default());
    let (answer, trace) = traced(&workspace, port, false, |server| {
        until("the log", || (server.ask("GET", "history/dashboard", "")["totals"]["responses"] == 1).then_some(()));
        let question = json!({ "messages": [{ "role": "user", "content": "what did I spend?" }], "model": "m", "tools_enabled": true });
        server.raw("POST", "/api/meta-agent/chat", &question.to_string())
    });
    let lines: Vec<Value> =
        answer.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["tool_call", "tool_result", "token", "done"], "{answer}");
    assert_eq!(lines[1]["data"]["total_cost_usd"], 5.0, "{answer}");
    assert!(trace.contains("inet_addr(\"127."), "the model is reached: {trace}");
    assert_eq!(elsewhere(&trace), Vec::<&str>::new());
}

#[test]
fn no_socket_but_loopback_is_opened() {
    if !can_watch() {
        return;
    }
    let (ends, trace) = watched(true);
    assert!(ends[0].contains("\"done\"") && ends[1].contains("local_only"), "{ends:?}");
    assert!(trace.contains("inet_addr(\"127."), "the one on this machine is reached: {trace}");
    assert_eq!(elsewhere(&trace), Vec::<&str>::new());

    let (_, trace) = watched(false);
    assert!(!elsewhere(&trace).is_empty(), "the same without the switch is seen to try: {trace}");
}
