//! A program with the token of a grant of its own, and what it leaves open.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::harness::{self, Server};

/// A program that shows the token of a grant.
pub struct Program<'a> {
    pub server: &'a Server,
    pub token: String,
    pub id: String,
}

impl<'a> Program<'a> {
    pub async fn new(server: &'a Server, limits: Value) -> Self {
        let made = server.post("grants", json!({ "name": "script", "limits": limits })).await;
        let (token, id) = (made["token"].as_str().unwrap(), made["record"]["grant"]["id"].as_str().unwrap());
        Self { server, token: token.to_owned(), id: id.to_owned() }
    }

    pub async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let serving = aside_protocol::Serving { token: self.token.clone(), ..self.server.serving().clone() };
        harness::ask(&serving, method, path, body).await
    }

    pub async fn act(&self, name: &str, args: Value) -> Value {
        let (status, body) = self.ask("POST", "actions", Some(json!({ "action_type": name, "args": args }))).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    pub async fn revoke(&self) {
        self.server.post(&format!("grants/{}/revoke", self.id), json!({})).await;
    }

    /// Opens a request and leaves its answer open.
    pub async fn open(&self, request: &str, headers: &str) -> TcpStream {
        let port = self.server.port();
        let mut socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let head = format!("{request} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {}\r\n", self.token);
        socket.write_all(format!("{head}{headers}\r\n").as_bytes()).await.unwrap();
        socket
    }
}

/// Waits until the server has ended its answer.
pub async fn closed(socket: &mut TcpStream) -> String {
    let mut rest = Vec::new();
    let reading = async {
        let mut piece = [0; 4096];
        while !rest.ends_with(b"0\r\n\r\n") {
            match socket.read(&mut piece).await {
                Ok(length) if length > 0 => rest.extend_from_slice(&piece[..length]),
                _ => break,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.expect("it is closed");
    String::from_utf8_lossy(&rest).into_owned()
}
