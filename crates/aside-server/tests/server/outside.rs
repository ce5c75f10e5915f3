//! Consent and Local only, with a model server that counts who connects to it.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use aside_llm::{Environment, Secret, Service};
use aside_server::{ServeOptions, serve};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    harness::{Server, TOKEN, options, started},
    program::Program,
};

const MODEL: &str = "openai/m";
const SAYS: &str =
    "data: {\"choices\":[{\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

/// A server of Aside whose one model is elsewhere by its address, and here in truth.
struct World {
    server: Server,
    host: String,
    connections: Arc<AtomicU32>,
}

async fn world(local_only: bool) -> World {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let connections: Arc<AtomicU32> = Arc::default();
    let count = connections.clone();
    // An address of IPv6 that leads to this machine, which nobody has to know.
    let host = format!("[::ffff:7f00:1]:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = socket.read(&mut [0; 65536]).await;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let _ = socket.write_all(format!("{head}{SAYS}").as_bytes()).await;
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let service = Service::new("openai", Some(format!("http://{host}/v1")), Secret::new("sk-a-key-of-a-test"));
    let environment = Environment { services: vec![service], ..Environment::default() };
    let options = ServeOptions { environment, local_only, ..options(folder.path()) };
    let running = started(serve(options).await.unwrap());
    World { server: Server { folder, running }, host, connections }
}

impl World {
    fn connections(&self) -> u32 {
        self.connections.load(Ordering::SeqCst)
    }

    /// Sends a message; returns how the turn ended.
    async fn turn(&self) -> Value {
        let thread = self.server.post("threads", json!({ "model": MODEL })).await;
        let path = format!("threads/{}/turns?stream=true", thread["id"].as_str().unwrap());
        let host = format!("127.0.0.1:{}", self.server.port());
        let bearer = format!("Bearer {TOKEN}");
        let headers =
            [("host", host.as_str()), ("authorization", bearer.as_str()), ("content-type", "application/json")];
        let path = format!("/api/v1/{path}");
        let answer = self.server.raw("POST", &path, &headers, &json!({ "text": "hello" }).to_string()).await;
        let ended = answer.body.lines().find(|line| line.contains("turn_ended")).expect("the turn ends");
        serde_json::from_str(ended).unwrap()
    }

    async fn allow(&self, host: &str) -> (u16, Value) {
        self.server.ask("PUT", "models/consent/openai", Some(json!({ "host": host }))).await
    }

    async fn provider(&self) -> Value {
        let (_, models) = self.server.ask("GET", "models", None).await;
        models["providers"].as_array().unwrap().iter().find(|one| one["id"] == "openai").unwrap().clone()
    }
}

#[tokio::test]
async fn nothing_goes_to_another_machine_before_the_person_says_so() {
    let world = world(false).await;
    assert_eq!(
        (&world.provider().await["consent"], &world.provider().await["host"]),
        (&json!("needed"), &json!(world.host))
    );
    let ended = world.turn().await.to_string();
    assert!(
        ended.contains("needs_consent") && ended.contains(&world.host) && ended.contains("nothing was sent"),
        "{ended}"
    );
    let (status, test) = world.server.ask("POST", "models/test", Some(json!({ "model": MODEL }))).await;
    assert_eq!((status, &test["error"]["code"]), (403, &json!("needs_consent")));
    assert_eq!(test["error"]["data"], json!({ "provider": "openai", "host": world.host }));
    assert_eq!(world.connections(), 0);

    let (status, said) = world.allow("api.openai.com").await;
    assert_eq!((status, &said["error"]["code"]), (409, &json!("stale")), "not the host that it has");
    assert_eq!(world.allow(&world.host).await.0, 200);
    assert_eq!(world.provider().await["consent"], "given");
    let ended = world.turn().await.to_string();
    // Its list of models and then the message.
    assert!(!ended.contains("needs_consent") && world.connections() == 2, "{ended}");

    let (status, _) = world.server.ask("DELETE", "models/consent/openai", None).await;
    assert_eq!((status, &world.provider().await["consent"]), (200, &json!("needed")));
    world.turn().await;
    assert_eq!(world.connections(), 2);
    let (_, audit) = world.server.ask("GET", "audit", None).await;
    let audit = audit.to_string();
    assert!(audit.contains("model.allow") && audit.contains("model.disallow"), "both are on record");
}

#[tokio::test]
async fn only_a_person_can_say_it() {
    let world = world(false).await;
    let all = json!({ "risks": ["read", "write", "destructive", "access", "billing", "network", "install"] });
    let program = Program::new(&world.server, all).await;
    let body = json!({ "host": world.host });
    assert_eq!(program.ask("PUT", "models/consent/openai", Some(body)).await.0, 403);
    assert_eq!(program.ask("PUT", "models/local-only", Some(json!({ "on": false }))).await.0, 403);
    let asked = program.act("model.allow", json!({ "provider": "openai", "host": world.host })).await;
    assert!(asked.to_string().contains("person_only"), "{asked}");
    assert_eq!(world.provider().await["consent"], "needed");
}

#[tokio::test]
async fn local_only_goes_before_consent_and_what_was_forced_stays() {
    let world = world(false).await;
    world.allow(&world.host).await;
    let (status, now) = world.server.ask("PUT", "models/local-only", Some(json!({ "on": true }))).await;
    assert_eq!((status, now), (200, json!({ "on": true, "forced": false })));
    let provider = world.provider().await;
    assert_eq!(provider["off"], true);
    assert!(provider["problem"].as_str().unwrap().contains("Local only"), "{provider}");
    assert!(world.turn().await.to_string().contains("local_only"));
    world.server.ask("GET", "models?fetch=openai", None).await;
    assert_eq!(world.connections(), 0);
    world.server.ask("PUT", "models/local-only", Some(json!({ "on": false }))).await;
    world.turn().await;
    assert_eq!(world.connections(), 1);

    let forced = self::world(true).await;
    let (status, body) = forced.server.ask("PUT", "models/local-only", Some(json!({ "on": false }))).await;
    assert_eq!((status, &body["error"]["code"]), (403, &json!("denied")));
    assert!(forced.turn().await.to_string().contains("local_only") && forced.connections() == 0);
}
