//! Servers elsewhere, over HTTP: both revisions, and answers that nobody should wait for or follow.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use aside_core::{ActionState, McpLaunch, McpState, Switch};
use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Redirect, Response},
    routing::{any, post},
};
use futures_util::stream;
use serde_json::{Value, json};

use super::bench::{Bench, failure, text};
use crate::{
    Fixtures,
    client::{
        link::{Link, Lost, Reach},
        servers::ClientLimits,
    },
    http_service,
};

/// Serves until the runtime of the test ends.
async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn add(bench: &Bench, url: &str, headers: Value) -> aside_core::ActionRecord {
    let launch = json!({ "kind": "http", "url": url, "headers": headers });
    bench.order("mcp.add", json!({ "name": "fake", "launch": launch })).await
}

/// A server of an earlier revision: a handshake, and a session that it can forget.
#[derive(Clone, Default)]
struct Earlier {
    sessions: Arc<AtomicUsize>,
    calls: Arc<AtomicUsize>,
}

impl Earlier {
    fn router(&self) -> Router {
        Router::new().route("/mcp", post(answer)).with_state(self.clone())
    }

    fn forget(&self) {
        self.sessions.fetch_add(1, Ordering::SeqCst);
    }

    fn session(&self) -> String {
        format!("s{}", self.sessions.load(Ordering::SeqCst))
    }
}

async fn answer(State(server): State<Earlier>, headers: HeaderMap, Json(message): Json<Value>) -> Response {
    let session = headers.get("mcp-session-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let result = |result: Value| Json(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
    match (message["method"].as_str().unwrap_or_default(), session) {
        ("initialize", _) => {
            let told = json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": { "name": "f", "version": "1" } });
            ([("mcp-session-id", server.session())], result(told)).into_response()
        }
        (_, None) => (StatusCode::BAD_REQUEST, "no session").into_response(),
        (_, Some(session)) if session != server.session() => StatusCode::NOT_FOUND.into_response(),
        ("tools/list", _) => {
            result(json!({ "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }] })).into_response()
        }
        ("tools/call", _) => {
            server.calls.fetch_add(1, Ordering::SeqCst);
            result(json!({ "content": [{ "type": "text", "text": "from afar" }] })).into_response()
        }
        _ => StatusCode::ACCEPTED.into_response(),
    }
}

#[tokio::test]
async fn a_server_of_the_newer_revision_is_used_over_http() {
    let bench = Bench::new();
    let service = http_service(Fixtures::default(), std::future::pending());
    let url = serve(Router::new().route_service("/mcp", service)).await;
    let added = add(&bench, &url, json!({})).await;
    assert!(text(&added).contains("mcp.fake.test_simple_text"), "{}", text(&added));
    assert!(bench.server().running);
    let asked = bench.propose("mcp.fake.test_simple_text", json!({})).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    assert!(text(&bench.approve(&asked).await).contains("simple text"));
    // What it asks in return is not answered by anybody.
    let asks = bench.order("mcp.fake.test_elicitation", json!({ "message": "your password?" })).await;
    assert_ne!(asks.state, ActionState::Done);
}

#[tokio::test]
async fn a_server_of_an_earlier_revision_is_used_too_and_may_forget_the_session() {
    let (bench, server) = (Bench::new(), Earlier::default());
    add(&bench, &serve(server.router()).await, json!({})).await;
    bench.trust(json!({ "echo": { "risks": ["read"] } })).await;
    assert_eq!(text(&bench.propose("mcp.fake.echo", json!({})).await), "from afar");
    server.forget();
    assert_eq!(text(&bench.order("mcp.fake.echo", json!({})).await), "from afar");
    assert_eq!(server.calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_address_that_leads_elsewhere_is_not_followed() {
    let bench = Bench::new();
    let elsewhere = Earlier::default();
    let other = serve(elsewhere.router()).await;
    let url = serve(Router::new().route("/mcp", any(async move || Redirect::temporary(&other)))).await;
    let added = add(&bench, &url, json!({})).await;
    assert!(text(&added).contains("could not be reached"), "{}", text(&added));
    assert_eq!((bench.server().state, bench.server().running), (McpState::Unseen, false));
}

#[tokio::test]
async fn a_header_is_sent_by_the_name_of_its_value_and_told_nowhere() {
    let bench = Bench::new();
    bench
        .data
        .file("mcp/secrets.env", 1000)
        .change(|_| Ok::<_, std::io::Error>("FAR_AUTH=Bearer s3cret\n".to_owned()))
        .unwrap();
    let server = Earlier::default();
    let guard = async |headers: HeaderMap, request: axum::extract::Request, next: axum::middleware::Next| match headers
        .get(header::AUTHORIZATION)
        .is_some_and(|value| value == "Bearer s3cret")
    {
        true => next.run(request).await,
        false => StatusCode::UNAUTHORIZED.into_response(),
    };
    let url = serve(server.router().layer(axum::middleware::from_fn(guard))).await;
    let added = add(&bench, &url, json!({ "Authorization": "FAR_AUTH" })).await;
    assert_eq!(bench.server().state, McpState::Untrusted, "{}", text(&added));
    let told = format!("{added:?} {:?}", bench.server());
    assert!(!told.contains("s3cret"));
    bench.order("mcp.remove", json!({ "name": "fake" })).await;
    let refused = add(&bench, &url, json!({})).await;
    assert!(text(&refused).contains("could not be reached") && text(&refused).contains("401"), "{}", text(&refused));
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let endless = |kind: &'static str, piece: &'static [u8]| {
        let body =
            move || Body::from_stream(stream::repeat_with(move || Ok::<_, Infallible>(Bytes::from_static(piece))));
        Router::new().route("/mcp", any(async move || ([(header::CONTENT_TYPE, kind)], body())))
    };
    for (kind, piece) in
        [("application/json", &b"[[[[["[..]), ("text/event-stream", b": on it goes\n\n"), ("text/html", b"<p>")]
    {
        let limits = ClientLimits { start: Duration::from_millis(500), ..ClientLimits::default() };
        let bench = Bench::with(limits);
        let added = add(&bench, &serve(endless(kind, piece)).await, json!({})).await;
        assert!(text(&added).contains("could not be reached"), "{kind}: {}", text(&added));
    }
}

#[tokio::test]
async fn a_server_that_has_gone_says_so_and_is_tried_again() {
    let bench = Bench::new();
    let gone = { tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap() };
    add(&bench, &format!("http://{gone}/mcp"), json!({})).await;
    let failure_words = bench.server().failure.unwrap();
    assert!(failure_words.contains("onnection refused") && !failure_words.contains("rmcp"), "{failure_words}");
    assert_eq!(failure(&bench.order("mcp.reconnect", json!({ "name": "fake" })).await).code, "server_unreachable");
}

/// A server whose one tool answers in the way of the test.
fn with_tool(call: impl Fn() -> Response + Clone + Send + Sync + 'static) -> Router {
    let answer = async move |Json(message): Json<Value>| {
        let result = |result: Value| Json(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => {
                let told = json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": { "name": "f", "version": "1" } });
                result(told).into_response()
            }
            "tools/list" => {
                result(json!({ "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }] })).into_response()
            }
            "tools/call" => call(),
            method if method.starts_with("notifications/") => StatusCode::ACCEPTED.into_response(),
            _ => StatusCode::BAD_REQUEST.into_response(),
        }
    };
    Router::new().route("/mcp", post(answer))
}

fn events(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

#[tokio::test]
async fn a_server_that_sends_messages_without_end_is_left() {
    let line = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"on"}}"#;
    let many = Bytes::from(format!("data: {line}\n\n").repeat(1000));
    let url = serve(with_tool(move || {
        let many = many.clone();
        events(Body::from_stream(stream::repeat_with(move || Ok::<_, Infallible>(many.clone()))))
    }))
    .await;
    let bench = Bench::new();
    add(&bench, &url, json!({})).await;
    let record = bench.order("mcp.fake.echo", json!({})).await;
    assert_eq!(failure(&record).code, "flooded", "{}", failure(&record));
    assert!(!bench.server().running);
}

/// Says so when it is dropped: who was served has gone.
struct Present(tokio::sync::mpsc::UnboundedSender<()>);

impl Drop for Present {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[tokio::test]
async fn local_only_turned_on_ends_a_connection_to_another_machine_with_what_is_under_way() {
    let (served, mut gone) = tokio::sync::mpsc::unbounded_channel();
    let (began, mut begun) = tokio::sync::mpsc::unbounded_channel();
    let url = serve(with_tool(move || {
        let (present, began) = (Present(served.clone()), began.clone());
        events(Body::from_stream(stream::poll_fn(move |_| {
            let _ = (&present, began.send(()));
            std::task::Poll::<Option<Result<Bytes, Infallible>>>::Pending
        })))
    }))
    .await;
    // An address that is not this machine's, as far as anybody looks.
    let far = McpLaunch::Http { url: url.replace("127.0.0.1", "[::ffff:127.0.0.1]"), headers: BTreeMap::new() };
    let (bench, on) = (Bench::new(), Arc::new(AtomicBool::new(false)));
    let looked = on.clone();
    let (link, name) = (Link::default(), "far".parse().unwrap());
    let reach = Reach {
        server: &name,
        launch: &far,
        files: bench.servers.files().unwrap(),
        limits: bench.limits,
        local_only: Switch::by(move || looked.load(Ordering::SeqCst)),
        servers: Arc::downgrade(&bench.servers),
    };
    let session = link.session(&reach).await.unwrap();
    let nothing = serde_json::Map::new();
    let turned_on = async {
        begun.recv().await.unwrap();
        on.store(true, Ordering::SeqCst);
    };
    let (lost, ()) = tokio::join!(session.call("echo", &nothing), turned_on);
    assert!(matches!(&lost, Err(Lost::Connection(failure)) if failure.code == "local_only"), "{lost:?}");
    gone.recv().await.unwrap();
    let again = link.session(&reach).await.map(drop).unwrap_err();
    assert!(again.message.contains("Local only is on"), "{again}");
}
