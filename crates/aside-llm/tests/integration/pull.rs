//! Getting a model, from a server that is not Ollama.

use std::sync::Arc;

use aside_core::ModelRef;
use aside_llm::{Environment, Models, Provider, ProviderError, Pulled};
use futures_util::StreamExt as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

/// A server that gives one answer, and where it is.
async fn server(answer: &'static str) -> Arc<dyn Provider> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut asked = [0; 4096];
        let length = socket.read(&mut asked).await.unwrap();
        assert!(asked[..length].starts_with(b"POST /api/pull "));
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n";
        socket.write_all(head.as_bytes()).await.unwrap();
        for byte in answer.as_bytes() {
            socket.write_all(&[*byte]).await.unwrap();
        }
    });
    let models = Models::discover(Environment { ollama_host: Some(host), ..Environment::default() });
    let model: ModelRef = "ollama/small:1b".parse().unwrap();
    models.provider(&model).unwrap()
}

async fn pulled(answer: &'static str) -> Vec<Result<Pulled, ProviderError>> {
    server(answer).await.pull("small:1b").unwrap().collect().await
}

#[tokio::test]
async fn progress_comes_line_by_line_to_the_end() {
    let lines = pulled(concat!(
        "{\"status\":\"pulling manifest\"}\n",
        "{\"status\":\"pulling a\",\"digest\":\"sha256:a\",\"total\":10,\"completed\":4}\n",
        "{\"status\":\"success\"}\n",
    ))
    .await;
    let lines: Vec<_> = lines.into_iter().map(|line| line.unwrap()).collect();
    let seen: Vec<_> = lines.iter().map(|line| (line.total, line.completed, line.done)).collect();
    assert_eq!(seen, [(None, 0, false), (Some(10), 4, false), (Some(10), 4, true)]);
}

#[tokio::test]
async fn an_error_within_a_success_is_one() {
    let lines = pulled("{\"status\":\"pulling manifest\"}\n{\"error\":\"no space left on device\"}\n").await;
    assert!(matches!(&lines[1], Err(ProviderError::Failed { detail, .. }) if detail.contains("no space left")));
    let lines = pulled("<html>").await;
    assert!(matches!(&lines[..], [Err(ProviderError::NotUnderstood { .. })]), "{lines:?}");
}
