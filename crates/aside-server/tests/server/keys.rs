//! A key goes to its service and nowhere else: looked for in every answer and in every byte that is kept.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use aside_llm::{Environment, Service};
use aside_server::{ServeOptions, serve};
use aside_store::DataFolder;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::harness::{Server, TOKEN, options, started};

const KEY: &str = "sk-canary-0123456789-canary";
const SAYS: &str =
    "data: {\"choices\":[{\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

/// How the service answers, one after the other; the last again and again.
const ANSWERS: [&str; 3] = ["401 Unauthorized", "302 Found", "200 OK"];

type Heads = Arc<Mutex<Vec<String>>>;

/// A service that quotes the key of whoever asks.
async fn service() -> (String, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let heads = Heads::default();
    let heard = heads.clone();
    tokio::spawn(async move {
        let mut answers = ANSWERS.into_iter();
        let mut status = "";
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut bytes = vec![0; 1 << 16];
            let read = socket.read(&mut bytes).await.unwrap_or_default();
            let head = String::from_utf8_lossy(&bytes[..read]).into_owned();
            if !head.starts_with("POST") {
                // A list of models is nothing to count.
                let _ =
                    socket.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
                continue;
            }
            heard.lock().unwrap().push(head);
            status = answers.next().unwrap_or(status);
            let body = match status {
                "200 OK" => SAYS.to_owned(),
                _ => json!({ "error": { "message": format!("Incorrect API key provided: {KEY}") } }).to_string(),
            };
            let kind = if status == "200 OK" { "text/event-stream" } else { "application/json" };
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nlocation: /{KEY}\r\nconnection: close\r\n\r\n");
            let _ = socket.write_all(format!("{head}{body}").as_bytes()).await;
        }
    });
    (base, heads)
}

struct World {
    server: Server,
    data: tempfile::TempDir,
    heads: Heads,
}

async fn world() -> World {
    let (base, heads) = service().await;
    let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let environment = Environment { services: vec![Service::new("vllm", Some(base), None)], ..Environment::default() };
    let data_folder = Some(DataFolder::at(data.path().join("own")));
    let options = ServeOptions { environment, data_folder, ..options(folder.path()) };
    let running = started(serve(options).await.unwrap());
    World { server: Server { folder, running }, data, heads }
}

impl World {
    async fn put(&self, key: &str) -> (u16, Value) {
        self.server.ask("PUT", "models/keys/vllm", Some(json!({ "key": key }))).await
    }

    async fn turn(&self, text: &str) -> String {
        let thread = self.server.post("threads", json!({ "model": "vllm/m" })).await;
        let path = format!("/api/v1/threads/{}/turns?stream=true&deltas=true", thread["id"].as_str().unwrap());
        let bearer = format!("Bearer {TOKEN}");
        let host = format!("127.0.0.1:{}", self.server.port());
        let headers =
            [("host", host.as_str()), ("authorization", bearer.as_str()), ("content-type", "application/json")];
        self.server.raw("POST", &path, &headers, &json!({ "text": text }).to_string()).await.body
    }
}

/// The files under a folder that hold the key.
fn holding(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path));
        } else if fs::read(&path).unwrap().windows(KEY.len()).any(|bytes| bytes == KEY.as_bytes()) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

#[tokio::test]
async fn a_key_is_in_its_header_and_its_file_and_nowhere_else() {
    let world = world().await;
    let (status, kept) = world.put(KEY).await;
    assert_eq!((status, &kept["key"]), (200, &json!("file")), "{kept}");
    let mut said = vec![kept.to_string()];
    for _ in ANSWERS {
        said.push(world.turn("hello").await);
    }
    assert!(said[1].contains("[secret]") && said.last().unwrap().contains("ready"), "{said:#?}");
    let heads = world.heads.lock().unwrap().clone();
    assert_eq!(heads.len(), ANSWERS.len(), "no redirect was followed");
    assert!(heads.iter().all(|head| head.matches(KEY).count() == 1 && head.contains(&format!("Bearer {KEY}"))));
    for path in ["models", "models/keys", "audit", "audit/export", "threads", "status", "spending", "catalog"] {
        let host = format!("127.0.0.1:{}", world.server.port());
        let headers = [("host", host.as_str()), ("authorization", "Bearer token-of-the-test")];
        said.push(world.server.raw("GET", &format!("/api/v1/{path}"), &headers, "").await.body);
    }
    // A person who pastes it into an action: the audit masks it.
    let action = json!({ "action_type": "file.create", "args": { "path": KEY }, "dry_run": false });
    world.server.ask("POST", "actions", Some(action)).await;
    let (_, audit) = world.server.ask("GET", "audit", None).await;
    said.push(audit.to_string());
    assert!(said.iter().all(|text| !text.contains(KEY)), "{said:#?}");
    assert_eq!(holding(world.data.path()), ["keys.json"]);
}

#[tokio::test]
async fn nothing_that_is_kept_of_a_turn_holds_the_key() {
    let world = world().await;
    world.put(KEY).await;
    for _ in ANSWERS {
        world.turn("hello").await;
    }
    let folder = world.server.stop().await;
    assert_eq!(holding(folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn a_key_takes_effect_at_once_and_is_gone_when_it_is_forgotten() {
    let world = world().await;
    world.put("an-earlier-key").await;
    world.put(KEY).await;
    world.turn("hello").await;
    let (status, gone) = world.server.ask("DELETE", "models/keys/vllm", None).await;
    assert_eq!((status, &gone["key"]), (200, &json!("none")));
    world.turn("hello").await;
    let heads = world.heads.lock().unwrap().clone();
    assert!(heads[0].contains(KEY) && !heads[0].contains("earlier"));
    assert!(!heads[1].contains("uthorization"), "{}", heads[1]);
    let (_, audit) = world.server.ask("GET", "audit?after=0&limit=1000", None).await;
    let entries = audit.as_array().unwrap().iter();
    let noted: Vec<_> = entries.filter_map(|entry| entry["body"]["action_type"].as_str()).collect();
    let noted: Vec<_> = noted.into_iter().filter(|name| name.starts_with("model.")).collect();
    assert_eq!(noted, ["model.set_key", "model.set_key", "model.forget_key"]);
}

#[tokio::test]
async fn what_is_no_key_is_refused_without_being_repeated() {
    let world = world().await;
    for wrong in [json!({ "key": format!("{KEY}\r\nx-evil: 1") }), json!({ "keyy": KEY }), json!(KEY)] {
        let (status, body) = world.server.ask("PUT", "models/keys/vllm", Some(wrong)).await;
        assert_eq!(status, 400);
        assert!(!body.to_string().contains(KEY), "{body}");
    }
    let (status, _) = world.server.ask("PUT", "models/keys/nobody", Some(json!({ "key": KEY }))).await;
    assert_eq!(status, 404);
    assert_eq!(holding(world.data.path()), Vec::<String>::new());
}

#[tokio::test]
async fn a_service_of_ones_own_takes_a_key_as_soon_as_it_is_named() {
    let world = world().await;
    let lab = "models/keys/lab";
    let key = Some(json!({ "key": KEY }));
    assert_eq!(world.server.ask("PUT", lab, key.clone()).await.0, 404);
    let file = world.data.path().join("own/services.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "[services.lab]\nname = \"Lab\"\nbase_url = \"http://10.0.0.5:8000/v1\"\napi = \"chat\"\n")
        .unwrap();
    let (status, kept) = world.server.ask("PUT", lab, key).await;
    assert_eq!((status, &kept["key"], &kept["name"]), (200, &json!("file"), &json!("Lab")), "{kept}");
    let row = async |id: &str| {
        let (_, found) = world.server.ask("GET", "models", None).await;
        found["providers"].as_array().unwrap().iter().find(|one| one["id"] == id).cloned().unwrap_or_default()
    };
    let found = row("lab").await;
    assert_eq!(
        (&found["consent"], &found["host"], &found["key"]),
        (&json!("needed"), &json!("10.0.0.5:8000"), &json!("file"))
    );
    let (status, said) = world.server.ask("PUT", "models/consent/lab", Some(json!({ "host": "10.0.0.5:8000" }))).await;
    assert_eq!(status, 200, "{said}");
    assert_eq!(row("lab").await["consent"], "given");
    // Somewhere else is somebody else.
    fs::write(&file, "[services.lab]\nbase_url = \"http://10.0.0.66:8000/v1\"\napi = \"chat\"\n").unwrap();
    assert_eq!(row("lab").await["consent"], "needed");
    fs::write(&file, "[services.lab]\nbase_url = 7\n").unwrap();
    assert_eq!(row("lab").await, Value::Null);
    assert!(row("services.toml").await["problem"].as_str().unwrap().contains("services.toml, line 2"));
    assert_eq!(row("vllm").await["id"], "vllm");
}
