//! The person's AI coding history: read while the server runs, told to pages, asked by a model of this machine only.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use aside_llm::Environment;
use aside_server::{ServeOptions, serve};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    harness::{Server, options, started},
    program::Program,
};

/// A line of Claude Code's log.
fn answer(id: &str, text: &str) -> String {
    let message = json!({
        "id": id, "model": "claude-opus-4-5", "usage": { "input_tokens": 1_000_000, "output_tokens": 0 },
        "content": [{ "type": "text", "text": text },
            { "type": "tool_use", "id": id, "name": "Write", "input": { "file_path": "/w/a.py", "content": format!("{id}\n") } }],
    });
    let line = json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": "/w", "requestId": id, "message": message });
    format!("{line}\n")
}

/// A server that reads the logs of a home, and whose Ollama is at an address.
pub async fn world(ollama: Option<&str>) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let logs = home.join(".claude/projects/-w");
    std::fs::create_dir_all(&logs).unwrap();
    std::fs::write(logs.join("one.jsonl"), answer("m1", "The webhooks of Stripe are signed.")).unwrap();
    let logs = BTreeMap::from([("HOME".to_owned(), home.display().to_string())]);
    let environment = Environment { ollama_host: ollama.map(str::to_owned), ..Environment::default() };
    let options = ServeOptions { logs: Some(logs), environment, ..options(folder.path()) };
    let running = started(serve(options).await.expect("the server starts"));
    Server { folder, running }
}

/// What a route says as soon as it is so.
async fn until(server: &Server, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let looking = async {
        loop {
            let (_, found) = server.ask("GET", path, None).await;
            if holds(&found) {
                return found;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), looking).await.expect("it becomes so")
}

fn append(folder: &Path, text: &str) {
    use std::io::Write as _;
    let path = folder.join("home/.claude/projects/-w/one.jsonl");
    std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[tokio::test]
async fn logs_are_read_while_the_server_runs_and_a_person_can_turn_that_off() {
    let server = world(None).await;
    let read = |count: u64| move |told: &Value| told["totals"]["responses"] == count;
    let told = until(&server, "history/dashboard?timezone=UTC", read(1)).await;
    assert_eq!((&told["totals"]["dollars"], &told["days"][0]["name"]), (&json!(5.0), &json!("2026-06-30")));
    append(server.folder.path(), &answer("m2", "And retried."));
    until(&server, "history/dashboard?timezone=UTC", read(2)).await;
    let found =
        until(&server, "history/sessions?query=stripe", |told| told["sessions"][0]["snippet"].is_string()).await;
    let id = found["sessions"][0]["id"].as_str().unwrap();
    let (_, page) = server.ask("GET", &format!("history/sessions/{id}"), None).await;
    assert_eq!(page["entries"].as_array().unwrap().len(), 4, "{page}");
    let (_, played) = server.ask("GET", &format!("history/sessions/{id}/playback?step=1&path=/w/a.py"), None).await;
    assert_eq!((&played["files"][0]["text"], played["steps"].as_array().unwrap().len()), (&json!("m1\n"), 2));
    assert_eq!(server.ask("GET", "history/sessions/none", None).await.0, 404);
    let plan = json!({ "import": false, "plan": { "name": "custom", "reset_day": 1 } });
    assert_eq!(server.ask("PUT", "history/settings", Some(plan)).await.0, 400);
    let off = json!({ "import": false, "plan": { "name": "claude-max", "reset_day": 1 } });
    let (status, standing) = server.ask("PUT", "history/settings", Some(off)).await;
    assert_eq!((status, &standing["import"], &standing["plan"]["monthly_usd"]), (200, &json!(false), &json!(200.0)));
    let (_, told) = server.ask("GET", "history/dashboard", None).await;
    assert_eq!(told["course"]["budget"], 200.0);
    // One session speaks for nothing yet, and nothing went wrong with its file.
    let (status, advice) = server.ask("GET", "history/advice", None).await;
    assert_eq!((status, advice), (200, json!({ "models": [], "skills": [] })));
    assert_eq!(server.ask("GET", "history/risk?path=a.py", None).await, (200, json!({})));
    let question = json!({ "action_type": "history.search_past_decisions", "args": { "query": "webhooks" } });
    let (_, asked) = server.ask("POST", "actions", Some(question)).await;
    assert_eq!(asked["outcome"]["observation"]["data"]["count"], 1, "{asked}");
    assert_eq!(asked["outcome"]["observation"]["label"], "external");
}

#[tokio::test]
async fn pages_hear_which_models_are_served_no_more_and_how_a_session_began() {
    let server = world(None).await;
    let asked = json!({ "type": "user", "timestamp": "2026-06-30T09:00:00.000Z", "cwd": "/w", "message": { "content": "Sign\n  the webhooks" } });
    let old = answer("m2", "Signed.").replace("claude-opus-4-5", "claude-3-opus-20240229");
    append(server.folder.path(), &format!("{asked}\n{old}"));
    let told = until(&server, "history/dashboard", |told| told["totals"]["responses"] == 2).await;
    assert_eq!(told["retired"], json!(["claude-3-opus-20240229"]));
    let (_, found) = server.ask("GET", "history/sessions", None).await;
    let session = &found["sessions"][0];
    assert_eq!(
        (&session["snippet"], &session["estimated"], &session["unpriced"]),
        (&json!("Sign the webhooks"), &json!(false), &json!(0))
    );
}

#[tokio::test]
async fn of_a_file_of_which_no_log_has_all_its_last_change_is_told() {
    let server = world(None).await;
    let mut line: Value = serde_json::from_str(&answer("m2", "Mended.")).unwrap();
    let input = json!({ "file_path": "/w/b.py", "old_string": "one", "new_string": "two" });
    line["message"]["content"][1] = json!({ "type": "tool_use", "id": "m2", "name": "Edit", "input": input });
    append(server.folder.path(), &format!("{line}\n"));
    until(&server, "history/dashboard", |told| told["totals"]["responses"] == 2).await;
    for (path, change) in [("/w/b.py", json!([{ "before": "one", "after": "two" }])), ("/w/a.py", json!([]))] {
        let (_, played) = server.ask("GET", &format!("history/sessions/one/playback?path={path}"), None).await;
        assert_eq!(played["change"], change, "{played}");
    }
}

/// A server that answers as Ollama does, with these lines for each call, and keeps what it was asked. At `null` it is silent.
pub async fn ollama(answers: Vec<Value>) -> (String, Arc<Mutex<Vec<Value>>>) {
    ollama_showing(json!({ "capabilities": ["tools"] }), answers).await
}

/// The same, of which each model is what is shown.
async fn ollama_showing(shown: Value, answers: Vec<Value>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let keeping = asked.clone();
    tokio::spawn(async move {
        loop {
            let Ok((mut socket, _)) = listener.accept().await else { return };
            let (mut text, mut buffer) = (Vec::new(), [0; 65_536]);
            let body = loop {
                let read = socket.read(&mut buffer).await.unwrap_or(0);
                text.extend_from_slice(&buffer[..read]);
                let seen = String::from_utf8_lossy(&text).into_owned();
                let Some((head, body)) = seen.split_once("\r\n\r\n") else { continue };
                let length = head
                    .lines()
                    .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
                let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
                if read == 0 || body.len() >= length {
                    break if seen.starts_with("POST /api/chat") {
                        serde_json::from_str::<Value>(body).ok()
                    } else {
                        None
                    };
                }
            };
            let number = keeping.lock().unwrap().len();
            let line = match body {
                Some(body) => {
                    keeping.lock().unwrap().push(body);
                    answers[number.min(answers.len() - 1)].clone()
                }
                None => shown.clone(),
            };
            if line.is_null() {
                tokio::spawn(async move { while socket.read(&mut buffer).await.is_ok_and(|read| read > 0) {} });
                continue;
            }
            let said = format!("{line}\n");
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                said.len()
            );
            let _ = socket.write_all(format!("{head}{said}").as_bytes()).await;
        }
    });
    (address, asked)
}

pub fn says(text: &str) -> Value {
    json!({ "message": { "role": "assistant", "content": text }, "done": true, "done_reason": "stop",
        "prompt_eval_count": 700, "eval_count": 30 })
}

pub fn calls(name: &str, args: Value) -> Value {
    let call = json!({ "function": { "name": name, "arguments": args } });
    json!({ "message": { "role": "assistant", "content": "", "tool_calls": [call] }, "done": true, "done_reason": "stop" })
}

/// The lines of an answer.
pub async fn chat(server: &Server, body: Value) -> (u16, Vec<Value>) {
    let headers = [
        ("host", &*format!("127.0.0.1:{}", server.port())),
        ("authorization", "Bearer token-of-the-test"),
        ("content-type", "application/json"),
    ];
    let answer = server.raw("POST", "/api/meta-agent/chat", &headers, &body.to_string()).await;
    let lines = answer.body.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    (answer.status, lines)
}

pub fn question(tools: bool) -> Value {
    json!({ "messages": [{ "role": "user", "content": "what did I spend?" }], "model": "qwen2.5-coder", "tools_enabled": tools })
}

#[tokio::test]
async fn a_model_of_this_machine_answers_from_the_history() {
    let (address, asked) = ollama(vec![
        calls("get_cost_summary", json!({ "period": "all" })),
        calls("guess", json!({})),
        calls("get_project_summary", json!({})),
        says("Five dollars."),
    ])
    .await;
    let server = world(Some(&address)).await;
    until(&server, "history/dashboard", |told| told["totals"]["responses"] == 1).await;
    let (status, lines) = chat(&server, question(true)).await;
    assert_eq!(status, 200);
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    let pair = ["tool_call", "tool_result"];
    assert_eq!(kinds, [&pair[..], &pair, &pair, &["token", "done"]].concat(), "{lines:?}");
    assert_eq!((&lines[1]["ok"], &lines[1]["data"]["total_cost_usd"]), (&json!(true), &json!(5.0)));
    assert_eq!(lines[0]["id"], lines[1]["id"]);
    assert_eq!(
        (&lines[3]["ok"], lines[3]["data"]["error"].as_str().unwrap().contains("get_cost_summary")),
        (&json!(false), true)
    );
    // The workspace is meant where no project is named; nothing is known of this one.
    assert_eq!(lines[4]["args"]["slug"], server.serving().workspace);
    assert_eq!((&lines[7]["hops"], &lines[6]["delta"]), (&json!(4), &json!("Five dollars.")));
    let first = asked.lock().unwrap()[0].clone();
    assert_eq!(first["tools"].as_array().unwrap().len(), 14);
    assert_eq!(asked.lock().unwrap()[1]["messages"].as_array().unwrap().last().unwrap()["role"], "tool");
    let (_, spent) = server.ask("GET", "spending", None).await;
    assert_eq!((&spent["today"]["local"], &spent["models"][0]["model"]), (&json!(4), &json!("ollama/qwen2.5-coder")));
    let (_, lines) = chat(&server, question(false)).await;
    assert_eq!(lines.last().unwrap()["type"], "done");
    assert!(asked.lock().unwrap().last().unwrap().get("tools").is_none_or(|tools| tools == &json!([])));
    let headers = [("host", &*format!("127.0.0.1:{}", server.port())), ("authorization", "Bearer token-of-the-test")];
    let told = server.raw("GET", "/api/meta-agent/tools", &headers, "").await;
    let (status, told) = (told.status, serde_json::from_str::<Value>(&told.body).unwrap());
    assert!(status == 200 && told["max_hops"] == 5 && told["names"].as_array().unwrap().len() == 14, "{status} {told}");
}

#[tokio::test]
async fn a_model_looks_at_the_part_of_the_history_that_the_person_names() {
    let (address, asked) =
        ollama(vec![calls("get_cost_summary", json!({ "period": "all", "source": "claude" })), says("None.")]).await;
    let server = world(Some(&address)).await;
    until(&server, "history/dashboard", |told| told["totals"]["responses"] == 1).await;
    let spent = async |bounds: Value| {
        let mut body = question(true);
        body["bounds"] = bounds;
        let (status, lines) = chat(&server, body).await;
        (status, lines.get(1).map(|line| line["data"]["total_cost_usd"].clone()))
    };
    assert_eq!(spent(json!({ "source": "claude" })).await, (200, Some(json!(5.0))));
    assert!(asked.lock().unwrap()[0]["messages"][0]["content"].as_str().unwrap().contains(r#"{"source":"claude"}"#));
    asked.lock().unwrap().clear();
    assert_eq!(spent(json!({ "source": "codex" })).await, (200, Some(json!(0.0))));
    assert_eq!(spent(json!({ "programs": "codex" })).await.0, 400);
}

#[tokio::test]
async fn one_that_only_calls_comes_to_an_end() {
    let (address, asked) = ollama(vec![calls("list_recent_sessions", json!({}))]).await;
    let server = world(Some(&address)).await;
    let (_, lines) = chat(&server, question(true)).await;
    let ends: Vec<&Value> = lines.iter().filter(|line| line["type"] == "error" || line["type"] == "done").collect();
    assert_eq!(ends.len(), 1);
    assert!(ends[0]["message"].as_str().unwrap().contains("hop cap"));
    assert_eq!(asked.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn only_a_model_of_this_machine_is_asked() {
    // Nothing listens there.
    let server = world(Some("http://127.0.0.1:9")).await;
    let (status, lines) = chat(&server, question(true)).await;
    assert_eq!((status, lines.len(), &lines[0]["type"]), (200, 1, &json!("error")), "{lines:?}");
    assert!(lines[0]["message"].as_str().unwrap().contains("127.0.0.1:9"));
    for (body, wanted) in [
        ("{}", 400),
        (r#"{"messages":[],"model":"x"}"#, 400),
        (r#"{"messages":[{"role":"user","content":"x"}],"model":""}"#, 400),
        (r#"{"messages":[{"role":"user","content":"x"}],"model":"x","bounds":{"timezone":"Mars/Base"}}"#, 400),
        (r#"{"messages":[{"role":"user","content":"x"}],"model":"x","bounds":{"since":"some day"}}"#, 400),
        (r#"{"messages":[{"role":"user","content":"x"}],"model":"x","bounds":{"source":"clippy"}}"#, 400),
    ] {
        assert_eq!(chat(&server, serde_json::from_str(body).unwrap()).await.0, wanted, "{body}");
    }
    // An address that is not of this machine, though somebody listens there.
    let elsewhere = world(Some("http://192.0.2.1:11434")).await;
    let (_, lines) = chat(&elsewhere, question(true)).await;
    assert_eq!(lines.len(), 1);
    assert!(lines[0]["message"].as_str().unwrap().contains("only local models"), "{lines:?}");
    // A model that Ollama only passes on.
    let (address, asked) = ollama(vec![says("hello")]).await;
    let server = world(Some(&address)).await;
    let (_, lines) =
        chat(&server, json!({ "messages": [{ "role": "user", "content": "x" }], "model": "gpt-oss:120b-cloud" })).await;
    assert!(lines[0]["message"].as_str().unwrap().contains("only local models"), "{lines:?}");
    assert!(asked.lock().unwrap().is_empty());
    // The same under a name that says nothing of it, whether or not any other machine may be reached.
    let shown = json!({ "capabilities": ["tools"], "remote_host": "https://ollama.com:443" });
    let (address, asked) = ollama_showing(shown, vec![says("hello")]).await;
    let aliased = world(Some(&address)).await;
    let (_, lines) = chat(&aliased, json!({ "messages": [{ "role": "user", "content": "x" }], "model": "mine" })).await;
    assert!(lines[0]["message"].as_str().unwrap().contains("ollama.com"), "{lines:?}");
    assert!(asked.lock().unwrap().is_empty(), "nothing of it was sent");
    // Without a token nobody comes in.
    let host = format!("127.0.0.1:{}", server.port());
    let headers = [("host", &*host), ("content-type", "application/json")];
    assert_eq!(server.raw("POST", "/api/meta-agent/chat", &headers, "{}").await.status, 401);
    // Nor does a program, whatever it was given.
    let bearer = format!("Bearer {}", Program::new(&server, json!({})).await.token);
    let headers = [headers[0], headers[1], ("authorization", &*bearer)];
    assert_eq!(server.raw("POST", "/api/meta-agent/chat", &headers, "{}").await.status, 403);
}
