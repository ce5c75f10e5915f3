//! `/mcp` under the token of a grant: its limits hold there, clients are told apart, and it closes with the grant.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{
    harness::{Answer, Server, TOKEN},
    program::{Program, closed},
};

/// The revision without sessions.
const LATER: &str = "2026-07-28";

/// What tells of another list.
const CHANGED: &str = "notifications/tools/list_changed";

/// One client, in a session of its own unless it is said otherwise.
pub struct Client<'a> {
    server: &'a Server,
    authorization: String,
    session: String,
    /// It keeps no session.
    is_later: bool,
}

impl<'a> Client<'a> {
    pub async fn new(server: &'a Server, token: &str) -> Self {
        let mut client =
            Self { server, authorization: format!("Bearer {token}"), session: String::new(), is_later: false };
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "helper", "version": "1" }
        });
        let answer = client.post(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let session = answer.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        session.expect("a session").clone_into(&mut client.session);
        let initialized = client.post(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!(initialized.status, 202, "{initialized:?}");
        client
    }

    fn headers<'b>(&'b self, host: &'b str) -> Vec<(&'b str, &'b str)> {
        let mut headers = vec![
            ("host", host),
            ("authorization", &*self.authorization),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        if self.session.is_empty() && self.is_later {
            headers.extend([("mcp-protocol-version", LATER), ("mcp-method", "subscriptions/listen")]);
        } else if !self.session.is_empty() {
            headers.extend([("mcp-session-id", &*self.session), ("mcp-protocol-version", "2025-11-25")]);
        }
        headers
    }

    /// One without a session, of the later revision.
    fn without_a_session(server: &'a Server, token: &str) -> Self {
        Self { server, authorization: format!("Bearer {token}"), session: String::new(), is_later: true }
    }

    async fn post(&self, message: Value) -> Answer {
        let host = format!("127.0.0.1:{}", self.server.port());
        self.server.raw("POST", "/mcp", &self.headers(&host), &message.to_string()).await
    }

    /// The result, or the protocol's error.
    pub async fn request(&self, method: &str, params: Value) -> Value {
        let answer = self.post(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).await;
        told_in(&answer)
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// The same under a key.
    pub async fn call_keyed(&self, tool: &str, arguments: Value, key: Value) -> Value {
        let meta = json!({ "aside/idempotency-key": key });
        self.request("tools/call", json!({ "name": tool, "arguments": arguments, "_meta": meta })).await
    }

    /// Sends a request whose answer stays open.
    async fn open(&self, method: &str, body: &str) -> tokio::net::TcpStream {
        let host = format!("127.0.0.1:{}", self.server.port());
        let mut socket = tokio::net::TcpStream::connect(&host).await.unwrap();
        let mut request = format!("{method} /mcp HTTP/1.1\r\n");
        for (name, value) in self.headers(&host) {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("content-length: {}\r\n\r\n{body}", body.len());
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut head = [0; 12];
        socket.read_exact(&mut head).await.unwrap();
        assert_eq!(&head[9..], b"200", "{}", String::from_utf8_lossy(&head));
        socket
    }
}

/// The result of the request 1 in an answer, or the protocol's error.
fn told_in(answer: &Answer) -> Value {
    let events = answer.body.lines().filter_map(|line| line.strip_prefix("data: "));
    let messages = events.chain([&*answer.body]).filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let message = messages.into_iter().find(|message| message["id"] == 1);
    let message = message.unwrap_or_else(|| panic!("it was not answered: {answer:?}"));
    if message["error"].is_null() { message["result"].clone() } else { message["error"].clone() }
}

async fn server() -> Server {
    Server::with(|folder| {
        std::fs::create_dir(folder.join("notes")).unwrap();
        std::fs::write(folder.join("notes/a.md"), "one\n").unwrap();
        std::fs::write(folder.join("secret.md"), "hush\n").unwrap();
    })
    .await
}

fn run(action: &str, args: Value) -> Value {
    json!({ "action_type": action, "args": args })
}

#[tokio::test]
async fn a_call_that_is_sent_again_under_its_key_runs_once() {
    let server = Server::with(|folder| std::fs::write(folder.join("a.txt"), "one\n").unwrap()).await;
    let client = Client::new(&server, TOKEN).await;
    let action = |answer: &Value| answer["_meta"]["aside/action"].clone();
    let read = || json!({ "path": "a.txt" });
    let first = client.call_keyed("doc_read", read(), json!("k")).await;
    assert!(action(&first).is_string(), "{first}");
    assert_eq!(action(&client.call_keyed("doc_read", read(), json!("k")).await), action(&first));
    assert_ne!(action(&client.call("doc_read", read()).await), action(&first));
    let other = client.call_keyed("doc_read", json!({ "path": "b.txt" }), json!("k")).await;
    assert!(other["isError"] == true && other.to_string().contains("was already used for another request"), "{other}");
    let odd = client.call_keyed("doc_read", read(), json!(7)).await;
    assert!(odd["isError"] == true && odd.to_string().contains("is not a text"), "{odd}");
}

#[tokio::test]
async fn a_grant_s_limits_hold_for_tools_calls_and_resources() {
    let server = server().await;
    let program = Program::new(&server, json!({ "risks": ["read"], "paths": ["notes/**"] })).await;
    let client = Client::new(&server, &program.token).await;
    let tools = client.request("tools/list", json!({})).await;
    let names: Vec<_> = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"doc_read") && !names.contains(&"doc_edit"), "{names:?}");

    let read = client.call("doc_read", json!({ "path": "notes/a.md" })).await;
    assert!(read["isError"] != true && read.to_string().contains("one"), "{read}");
    for (tool, arguments) in [
        ("doc_read", json!({ "path": "secret.md" })),
        ("file_read", json!({ "path": "notes/../secret.md" })),
        ("action_run", run("file.read", json!({ "path": "secret.md" }))),
        ("action_run", run("file.delete", json!({ "path": "notes/a.md" }))),
        ("action_run", run("grant.create", json!({ "name": "wider" }))),
    ] {
        let refused = client.call(tool, arguments.clone()).await;
        assert_eq!(refused["isError"], true, "{tool} {arguments}: {refused}");
        assert!(!refused.to_string().contains("hush"), "{refused}");
    }
    let unknown = client.call("doc_edit", json!({ "path": "notes/a.md", "edits": [] })).await;
    assert!(unknown["code"].is_number(), "it is not there at all: {unknown}");
    let resource = client.request("resources/read", json!({ "uri": "aside://doc/secret.md" })).await;
    assert!(resource["code"].is_number() && !resource.to_string().contains("hush"), "{resource}");
    let resource = client.request("resources/read", json!({ "uri": "aside://doc/notes/a.md" })).await;
    assert!(resource.to_string().contains("one"), "{resource}");
    assert_eq!(std::fs::read_to_string(server.folder.path().join("notes/a.md")).unwrap(), "one\n");
}

#[tokio::test]
async fn what_is_open_closes_with_the_grant_and_what_it_asked_for_asks_no_more() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let client = Client::new(&server, &program.token).await;
    let mut stream = client.open("GET", "").await;
    let params = json!({ "name": "action_run", "arguments": run("file.delete", json!({ "path": "secret.md" })) });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }).to_string();
    let mut waiting = client.open("POST", &call).await;
    let asked = async {
        loop {
            let (_, list) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
            if let Some(first) = list.as_array().unwrap().first() {
                return first["envelope"]["id"].as_str().unwrap().to_owned();
            }
        }
    };
    let asked = tokio::time::timeout(std::time::Duration::from_secs(30), asked).await.expect("it asks");
    program.revoke().await;
    closed(&mut stream).await;
    closed(&mut waiting).await;
    let ended = server.until(&asked, |action| action["record"]["ended"].is_number()).await;
    assert_eq!(ended["state"], "refused", "{ended}");
    assert!(server.folder.path().join("secret.md").exists());
    let again = client.post(json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" })).await;
    assert_eq!(again.status, 401, "{again:?}");
}

#[tokio::test]
async fn clients_of_one_name_and_one_token_are_told_apart() {
    let server = server().await;
    let (one, two) = (Client::new(&server, TOKEN).await, Client::new(&server, TOKEN).await);
    let mut origins = Vec::new();
    for client in [&one, &two] {
        client.call("doc_read", json!({ "path": "notes/a.md" })).await;
        let (_, audit) = server.ask("GET", "audit?action=doc.read&limit=1", None).await;
        origins.push(audit[0]["body"]["origin"].clone());
    }
    assert_eq!((&origins[0]["kind"], &origins[0]["client"]), (&json!("mcp"), &json!("helper")), "{origins:?}");
    assert!(origins[0]["session"].is_string() && origins[0]["session"] != origins[1]["session"], "{origins:?}");
    assert!(!origins[0].to_string().contains(&one.session), "nobody who reads it can use it");

    let read = one.call("action_run", run("doc.read", json!({ "path": "notes/a.md" }))).await;
    assert_ne!(read["isError"], true);
    let (_, audit) = server.ask("GET", "audit?action=doc.read&limit=1", None).await;
    let id = json!({ "id": audit[0]["body"]["action"] });
    assert_ne!(one.call("action_wait", id.clone()).await["isError"], true);
    assert_eq!(two.call("action_wait", id).await["isError"], true, "its namesake asked for that");
}

/// Reads on until it was told so often that the list of tools is another one.
async fn told(stream: &mut tokio::net::TcpStream, times: usize) {
    let mut heard = Vec::new();
    let reading = async {
        while String::from_utf8_lossy(&heard).matches(CHANGED).count() < times {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).await.unwrap();
            assert!(length > 0, "it ended: {}", String::from_utf8_lossy(&heard));
            heard.extend_from_slice(&piece[..length]);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), reading).await.expect("it is told");
}

async fn restrict(server: &Server, level: &str) {
    let body = json!({ "level": level, "scope": "workspace" });
    assert_eq!(server.ask("PUT", "assistant", Some(body)).await.0, 200);
}

#[tokio::test]
async fn who_is_connected_is_told_of_another_list_of_tools_and_only_of_that() {
    let server = server().await;
    let reading = Program::new(&server, json!({ "risks": ["read"] })).await;
    let (all, reads) = (Client::new(&server, TOKEN).await, Client::new(&server, &reading.token).await);
    let (mut for_all, mut for_reads) = (all.open("GET", "").await, reads.open("GET", "").await);
    restrict(&server, "partial").await;
    told(&mut for_all, 1).await;
    let tools = all.request("tools/list", json!({})).await.to_string();
    assert!(tools.contains("doc_read") && !tools.contains("doc_edit"), "{tools}");
    restrict(&server, "off").await;
    told(&mut for_all, 1).await;
    told(&mut for_reads, 1).await;
    reading.revoke().await;
    let rest = closed(&mut for_reads).await;
    assert!(!rest.contains(CHANGED), "what it may see was the same under both other levels: {rest}");
}

#[tokio::test]
async fn who_keeps_no_session_is_told_of_another_list_as_long_as_it_listens() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let client = Client::without_a_session(&server, &program.token);
    let params = json!({ "_meta": meta(&json!({})), "notifications": { "toolsListChanged": true } });
    let listen = json!({ "jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": params }).to_string();
    let mut stream = client.open("POST", &listen).await;
    restrict(&server, "partial").await;
    told(&mut stream, 1).await;
    restrict(&server, "full").await;
    told(&mut stream, 1).await;
    program.revoke().await;
    closed(&mut stream).await;
}

/// What a program of the later revision sends of itself.
fn meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": LATER,
        "io.modelcontextprotocol/clientInfo": { "name": "helper", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// Calls a tool in the later revision, as a program that says that it can ask its person.
async fn call_asking(server: &Server, tool: &str, arguments: &Value, more: &Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": arguments, "_meta": meta(&json!({ "elicitation": {} })) });
    for (name, value) in more.as_object().into_iter().flatten() {
        params[name] = value.clone();
    }
    let (host, bearer) = (format!("127.0.0.1:{}", server.port()), format!("Bearer {TOKEN}"));
    let headers = [
        ("host", &*host),
        ("authorization", &*bearer),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", LATER),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    told_in(&server.raw("POST", "/mcp", &headers, &body).await)
}

fn yes() -> Value {
    json!({ "decision": { "action": "accept", "content": { "approve": true } } })
}

async fn text(server: &Server) -> Value {
    let read = json!({ "action_type": "doc.read", "args": { "path": "notes/a.md" } });
    server.post("actions", read).await["outcome"]["observation"]["data"]["text"].clone()
}

#[tokio::test]
async fn a_program_without_a_session_gets_the_question_and_its_answer_counts_once() {
    let server = server().await;
    let edit = |new: &str| json!({ "path": "notes/a.md", "edits": [{ "old": "one", "new": new }] });
    let asked = call_asking(&server, "doc_edit", &edit("two"), &json!({})).await;
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let message = asked["inputRequests"]["decision"]["params"]["message"].as_str().unwrap();
    assert!(message.contains("-one\n+two"), "{message}");
    let state = asked["requestState"].as_str().unwrap();
    let middle = state.len() / 2;
    let other = if &state[middle..=middle] == "A" { "B" } else { "A" };
    let tampered = format!("{}{other}{}", &state[..middle], &state[middle + 1..]);
    for (state, arguments) in [(&*tampered, edit("two")), (state, edit("three")), ("", edit("two"))] {
        let more = json!({ "requestState": state, "inputResponses": yes() });
        let refused = call_asking(&server, "doc_edit", &arguments, &more).await;
        assert!(refused["code"].is_number(), "{refused}");
    }
    assert_eq!(text(&server).await, "one\n");
    let more = json!({ "requestState": state, "inputResponses": yes() });
    for _ in 0..2 {
        let done = call_asking(&server, "doc_edit", &edit("two"), &more).await;
        assert!(done["isError"] != true && done.to_string().contains("Edited"), "{done}");
    }
    assert_eq!(text(&server).await, "two\n");
    let (_, audit) = server.ask("GET", "audit?action=doc.edit", None).await;
    let of_kind = |kind: &str| audit.as_array().unwrap().iter().filter(|entry| entry["body"]["kind"] == kind).count();
    assert_eq!((of_kind("decision"), of_kind("intent")), (1, 1), "{audit}");
}

#[tokio::test]
async fn a_program_that_says_it_can_ask_is_never_asked_about_more_than_writing() {
    let server = server().await;
    for (action, args) in [
        ("file.create", json!({ "path": ".envrc", "text": "x" })),
        ("file.delete", json!({ "path": "secret.md" })),
        ("file.copy", json!({ "from": "notes/a.md", "to": "secret.md", "overwrite": true })),
        ("shell.run", json!({ "command": "true" })),
        ("shell.run", json!({ "command": "true", "network": true })),
    ] {
        let arguments = run(action, args);
        let nothing = json!({});
        let calling = call_asking(&server, "action_run", &arguments, &nothing);
        // It waits for the person, who says no.
        let deciding = async {
            loop {
                let (_, list) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
                let Some(id) = list[0]["envelope"]["id"].as_str() else { continue };
                let no = json!({ "decision": "reject" });
                return server.post(&format!("actions/{id}/decision"), no).await;
            }
        };
        let both = async { tokio::join!(calling, deciding) };
        let (answer, _) = tokio::time::timeout(std::time::Duration::from_secs(30), both).await.expect("it is asked");
        assert_eq!(answer["resultType"], "complete", "{action}: {answer}");
        assert!(answer["isError"] == true && answer.to_string().contains("rejected"), "{action}: {answer}");
    }
    assert_eq!(std::fs::read_to_string(server.folder.path().join("secret.md")).unwrap(), "hush\n");
}
