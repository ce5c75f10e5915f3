//! Stop within a second: an answer (whether asked beside a file or from the palette, which send the same message) and a
//! pull. What there was by then stays, and so does what it cost. `aside/tests/stop.rs` stops commands and
//! tasks.

use std::time::Duration;

use aside_core::{LiveDelta, TurnEnd};
use aside_llm::Environment;
use aside_protocol::{ClientFrame, ServerFrame};
use aside_server::{ServeOptions, serve};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};

use crate::{
    harness::{Server, options, started},
    local_only::{Pull, World},
    socket::Socket,
    threads::until_the_end,
};

/// How long it may take.
const SECOND: Duration = Duration::from_secs(1);

async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    timeout(SECOND, future).await.unwrap_or_else(|_| panic!("{what} took more than a second"))
}

/// An Ollama that begins to answer and never ends, and hears who hangs up.
async fn never_ends() -> (String, mpsc::UnboundedReceiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, hung_up) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(answer(socket, sender.clone()));
        }
    });
    (address, hung_up)
}

async fn answer(mut socket: TcpStream, hung_up: mpsc::UnboundedSender<()>) {
    let mut asked = vec![0; 1 << 16];
    let length = socket.read(&mut asked).await.unwrap_or_default();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n";
    let is = |start: &[u8]| asked[..length].starts_with(start);
    let (line, ends) = if is(b"POST /api/chat ") {
        (json!({ "message": { "role": "assistant", "content": "half an answ" }, "done": false }), false)
    } else if is(b"POST /api/show ") {
        (json!({ "capabilities": ["completion"], "model_info": { "x.context_length": 8192 } }), true)
    } else {
        (json!({ "models": [{ "name": "m", "digest": "d" }] }), true)
    };
    let _ = socket.write_all(format!("{head}{line}\n").as_bytes()).await;
    if !ends {
        while socket.read(&mut asked).await.is_ok_and(|length| length > 0) {}
        let _ = hung_up.send(());
    }
}

#[tokio::test]
async fn an_answer_ends_at_the_model_too_and_keeps_its_words_and_its_cost() {
    let (address, mut hung_up) = never_ends().await;
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment { ollama_host: Some(address), ..Environment::default() };
    let running = started(serve(ServeOptions { environment, ..options(folder.path()) }).await.unwrap());
    let server = Server { folder, running };
    let thread = server.post("threads", json!({ "model": "ollama/m" })).await["id"].as_str().unwrap().to_owned();
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: thread.parse().unwrap(), after: 0 }).await;
    server.post(&format!("threads/{thread}/turns"), json!({ "text": "tell me" })).await;
    let said = |frame| matches!(frame, ServerFrame::ThreadDelta { delta: LiveDelta::Text { .. }, .. }).then_some(());
    socket.until(said).await;
    let ended = in_time("to stop an answer", async {
        server.post(&format!("threads/{thread}/stop"), json!({})).await;
        hung_up.recv().await.expect("the model is left");
        until_the_end(&mut socket).await
    })
    .await;
    let told = serde_json::to_value(&ended).unwrap();
    let body =
        |kind: &str| told.as_array().unwrap().iter().map(|event| &event["body"]).find(|body| body["type"] == kind);
    assert_eq!(body("step_ended").expect("what it said stays")["text"], "half an answ", "{told}");
    let end = body("turn_ended").unwrap();
    assert_eq!(end["end"], serde_json::to_value(TurnEnd::Stopped).unwrap());
    assert_eq!(end["cost"]["local"], 1, "{end}");
}

#[tokio::test]
async fn a_pull_ends_at_ollama_too() {
    let mut world = World::new().await;
    let pull = Pull::begun(&world).await;
    in_time("to stop a pull", async {
        world.server.post(&format!("actions/{}/stop", pull.action), json!({})).await;
        world.hung_up.recv().await.expect("Ollama is left");
    })
    .await;
}
