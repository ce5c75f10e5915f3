//! A server on a folder of its own, and requests to it spelled out byte by byte.

use std::{path::Path, time::Duration};

use aside_llm::{Environment, Script};
use aside_protocol::Serving;
use aside_server::{Running, ServeOptions, Started, serve};
use aside_store::DataFolder;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

pub const TOKEN: &str = "token-of-the-test";

/// Where the person's own folder is in the workspace.
pub const HOME: &str = ".local/share/aside";

pub struct Server {
    pub folder: TempDir,
    pub running: Running,
}

/// A status with headers as text and the body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

pub fn options(folder: &Path) -> ServeOptions {
    ServeOptions {
        port: Some(0),
        token: Some(TOKEN.to_owned()),
        environment: Environment::default(),
        keyring: None,
        user: "ada".to_owned(),
        data_folder: Some(data(folder)),
        organisation_policy: folder.join(HOME).join("organisation.toml"),
        logs: None,
        ..ServeOptions::new(folder)
    }
}

/// The person's own folder: below the workspace, as when that is their home.
pub fn data(folder: &Path) -> DataFolder {
    DataFolder::at(folder.join(HOME))
}

pub async fn start(folder: &Path) -> Running {
    started(serve(options(folder)).await.expect("the server starts"))
}

pub fn started(started: Started) -> Running {
    match started {
        Started::Serving(running) => running,
        Started::Joined(serving) => panic!("joined {serving:?}"),
    }
}

impl Server {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A server on a folder that was prepared.
    pub async fn with(prepare: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        prepare(folder.path());
        let running = start(folder.path()).await;
        Self { folder, running }
    }

    /// A server whose only model plays a script.
    pub async fn rehearsing(script: Script) -> Self {
        Self::rehearsing_in(tempfile::tempdir().expect("a temporary folder"), script).await
    }

    /// The same, on a folder that is there.
    pub async fn rehearsing_in(folder: TempDir, script: Script) -> Self {
        let environment = Environment { rehearsal: Some(script), ..Environment::default() };
        let options = ServeOptions { environment, ..options(folder.path()) };
        let running = started(serve(options).await.expect("the server starts"));
        Self { folder, running }
    }

    /// A server on a folder that another one has left.
    pub async fn on(folder: TempDir) -> Self {
        let running = start(folder.path()).await;
        Self { folder, running }
    }

    pub fn serving(&self) -> &Serving {
        self.running.serving()
    }

    pub fn port(&self) -> u16 {
        port(self.serving())
    }

    /// Sends a request with exactly these headers (and a length, if there is a body).
    pub async fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        raw(self.port(), method, path, headers, body).await
    }

    /// Asks as a program with the token does; returns status and body.
    pub async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        ask(self.serving(), method, path, body).await
    }

    /// Sends a request and goes away when it was taken in, before its answer.
    pub async fn send_and_go(&self, method: &str, path: &str, body: &Value) {
        let body = body.to_string();
        let (port, length) = (self.port(), body.len());
        let mut socket = TcpStream::connect(("127.0.0.1", port)).await.expect("the server listens");
        let head = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {TOKEN}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        socket.write_all(head.as_bytes()).await.expect("it is sent");
        // The first byte of the answer is there: what was asked for is done.
        socket.readable().await.expect("it is answered");
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        let (status, body) = self.ask("POST", path, Some(body)).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// An action as soon as it is so.
    pub async fn until(&self, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let looking = async {
            loop {
                let (_, action) = self.ask("GET", &format!("actions/{id}"), None).await;
                if holds(&action) {
                    return action;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), looking).await.expect("it becomes so")
    }

    /// A task as soon as it is so.
    pub async fn until_task(&self, task: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let looking = async {
            loop {
                let (_, detail) = self.ask("GET", task, None).await;
                if holds(&detail) {
                    return detail;
                }
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), looking).await.expect("the task is so in time")
    }

    pub async fn stop(self) -> TempDir {
        self.running.stop().await;
        self.folder
    }
}

pub fn port(serving: &Serving) -> u16 {
    let address = serving.url.trim_start_matches("http://").split('/').next().unwrap_or_default();
    address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("the url has a port")
}

pub async fn ask(serving: &Serving, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
    let host = format!("127.0.0.1:{}", port(serving));
    let bearer = format!("Bearer {}", serving.token);
    let headers = [("host", &*host), ("authorization", &*bearer), ("content-type", "application/json")];
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let answer = raw(port(serving), method, &format!("/api/v1/{path}"), &headers, &body).await;
    let value = serde_json::from_str(&answer.body).unwrap_or(Value::String(answer.body));
    (answer.status, value)
}

async fn raw(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        request += &format!("content-length: {}\r\n", body.len());
    }
    let upgrade = headers.iter().any(|(name, _)| *name == "upgrade");
    request += if upgrade { "connection: Upgrade\r\n\r\n" } else { "connection: close\r\n\r\n" };
    request += body;
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await.expect("the server listens");
    // A refused body may be answered before it is read.
    let _ = socket.write_all(request.as_bytes()).await;
    let mut bytes = Vec::new();
    if upgrade {
        let mut piece = [0; 4096];
        while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
            match socket.read(&mut piece).await {
                Ok(length) if length > 0 => bytes.extend_from_slice(&piece[..length]),
                _ => break,
            }
        }
    } else {
        let _ = socket.read_to_end(&mut bytes).await;
    }
    parse(&String::from_utf8_lossy(&bytes))
}

fn parse(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let head = head.to_lowercase();
    let body = if head.contains("transfer-encoding: chunked") { unchunk(body) } else { body.to_owned() };
    Answer { status, head, body }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size, 16) else { break };
        let Some(piece) = rest.get(..size) else { break };
        whole += piece;
        body = rest.get(size + 2..).unwrap_or_default();
    }
    whole
}
