//! What is under way when *Local only* is turned on, or when nobody waits for it any more: the pull of a model, with an
//! Ollama that hears who hangs up, and a command that wants a network.

use std::time::Duration;

use aside_llm::Environment;
use aside_server::{ServeOptions, serve};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};

use crate::harness::{Server, TOKEN, options, started};

/// Nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server of Aside with an Ollama that never finishes a pull, and hears when its client hangs up.
pub struct World {
    pub server: Server,
    pub hung_up: mpsc::UnboundedReceiver<()>,
}

impl World {
    pub async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (sender, hung_up) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(ollama(socket, sender.clone()));
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment { ollama_host: Some(address), ..Environment::default() };
        let options = ServeOptions { environment, ..options(folder.path()) };
        Self { server: Server { folder, running: started(serve(options).await.unwrap()) }, hung_up }
    }

    async fn local_only(&self, on: bool) {
        let (status, now) = self.server.ask("PUT", "models/local-only", Some(json!({ "on": on }))).await;
        assert_eq!((status, &now["on"]), (200, &json!(on)));
    }

    /// Sends a request and leaves its answer open.
    async fn open(&self, path: &str, body: &Value) -> TcpStream {
        self.send("POST", path, body.to_string()).await
    }

    async fn look(&self, path: &str) -> TcpStream {
        self.send("GET", path, String::new()).await
    }

    async fn send(&self, method: &str, path: &str, body: String) -> TcpStream {
        let port = self.server.port();
        let mut socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let head = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {TOKEN}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        socket
    }
}

async fn ollama(mut socket: TcpStream, hung_up: mpsc::UnboundedSender<()>) {
    let mut asked = [0; 4096];
    let length = socket.read(&mut asked).await.unwrap_or_default();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n";
    if !asked[..length].starts_with(b"POST /api/pull ") {
        let _ = socket.write_all(format!("{head}{{\"models\":[]}}").as_bytes()).await;
        return;
    }
    let line = r#"{"status":"pulling a","digest":"sha256:a","total":10,"completed":4}"#;
    let _ = socket.write_all(format!("{head}{line}\n").as_bytes()).await;
    while socket.read(&mut asked).await.is_ok_and(|length| length > 0) {}
    let _ = hung_up.send(());
}

/// A pull as a window asks for it, and the lines that came of it.
pub struct Pull {
    /// The action.
    pub action: String,
    socket: TcpStream,
    bytes: Vec<u8>,
    /// The yes is answered when all is over.
    _yes: TcpStream,
}

impl Pull {
    /// Asks for a model, says yes, and waits until it comes.
    pub async fn begun(world: &World) -> Self {
        let mut socket = world.open("models/pull", &json!({ "model": "ollama/small:1b" })).await;
        let mut bytes = Vec::new();
        let waiting = until(&mut socket, &mut bytes, "waiting").await;
        let asked = &waiting["submitted"];
        let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
        let path = format!("actions/{}/decision", asked["id"].as_str().unwrap());
        let yes = world.open(&path, &yes).await;
        until(&mut socket, &mut bytes, "progress").await;
        Self { action: asked["id"].as_str().unwrap().to_owned(), socket, bytes, _yes: yes }
    }
}

/// The first line of a kind.
async fn until(socket: &mut TcpStream, bytes: &mut Vec<u8>, kind: &str) -> Value {
    let reading = async {
        loop {
            let text = String::from_utf8_lossy(bytes);
            let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            if let Some(line) = lines.find(|line| line["kind"] == kind) {
                return line;
            }
            let read = socket.read_buf(bytes).await.unwrap();
            assert!(read > 0, "no line `{kind}`: {}", String::from_utf8_lossy(bytes));
        }
    };
    timeout(PATIENCE, reading).await.expect("a line comes")
}

#[tokio::test]
async fn a_pull_goes_on_without_its_window_is_found_by_the_next_and_stopped_there() {
    let mut world = World::new().await;
    let pull = Pull::begun(&world).await;
    let action = pull.action.clone();
    drop(pull);
    // Whether one asks for the one that goes on or for the same model: no second one begins.
    let found = |mut socket: TcpStream| async move {
        let mut bytes = Vec::new();
        let begun = until(&mut socket, &mut bytes, "begun").await;
        (begun["action"].clone(), begun["model"].clone(), socket, bytes)
    };
    let same = found(world.open("models/pull", &json!({ "model": "ollama/small:1b" })).await).await;
    let (found, model, mut socket, mut bytes) = found(world.look("models/pull").await).await;
    assert_eq!((&found, &same.0, &model), (&json!(action), &json!(action), &json!("ollama/small:1b")));
    world.server.post(&format!("actions/{action}/stop"), json!({})).await;
    let ended = until(&mut socket, &mut bytes, "ended").await;
    assert_eq!(ended["record"]["outcome"]["failure"]["code"], "stopped", "{ended}");
    let (_, none) = world.server.ask("GET", "models/pull", None).await;
    assert_eq!(none, json!(""), "nothing goes on any more");
    timeout(PATIENCE, world.hung_up.recv()).await.expect("Ollama is left").unwrap();
    let (_, audit) = world.server.ask("GET", "audit", None).await;
    assert!(audit.to_string().contains("model.pull"), "{audit}");
}

#[tokio::test]
async fn local_only_ends_a_pull_that_is_under_way() {
    let mut world = World::new().await;
    let mut pull = Pull::begun(&world).await;
    world.local_only(true).await;
    let ended = until(&mut pull.socket, &mut pull.bytes, "ended").await;
    assert_eq!(ended["record"]["outcome"]["failure"]["code"], "local_only", "{ended}");
    timeout(PATIENCE, world.hung_up.recv()).await.expect("Ollama is left").unwrap();
}

#[tokio::test]
async fn no_command_gets_a_network_while_local_only_is_on() {
    let world = World::new().await;
    let command = json!({ "action_type": "shell.run", "args": { "command": "echo hello", "network": true } });
    world.local_only(true).await;
    let refused = world.server.post("actions", command).await;
    let told = refused.to_string();
    assert!(told.contains("local_only") && told.contains("without `network`"), "{told}");
    assert!(refused["record"]["outcome"].is_object(), "nobody is asked: {told}");
}
