//! What goes along with a message: of the moment in which it is sent, and kept once.

use std::path::Path;

use aside_llm::Script;
use serde_json::{Value, json};

use crate::harness::Server;

async fn server(text: &str) -> Server {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), text).unwrap();
    let script = json!({ "name": "calm", "replies": [], "otherwise": "Hello." });
    Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await
}

async fn thread(server: &Server) -> String {
    let thread = server.post("threads", json!({ "model": "rehearsal/calm", "document": "a.py" })).await;
    thread["id"].as_str().unwrap().to_owned()
}

/// Sends a message while looking at the file; returns what went along.
async fn sent(server: &Server, thread: &str) -> Value {
    let body = json!({ "text": "look", "focus": { "path": "a.py", "cursor": 1 } });
    assert_eq!(server.ask("POST", &format!("threads/{thread}/turns?stream=true"), Some(body)).await.0, 200);
    let (_, log) = server.ask("GET", &format!("threads/{thread}"), None).await;
    let events = log["events"].as_array().unwrap().iter();
    let mut contexts = events.filter(|event| event["body"]["type"] == "context_sent");
    contexts.next_back().expect("something went along")["body"]["chips"][0].clone()
}

#[tokio::test]
async fn each_message_goes_with_the_text_of_that_moment_whoever_changed_it() {
    let server = server("one\ntwo\n").await;
    let thread = thread(&server).await;
    let first = sent(&server, &thread).await;
    let args = json!({ "path": "a.py", "edits": [{ "old": "two", "new": "2" }] });
    let edited = server.post("actions", json!({ "action_type": "doc.edit", "args": args })).await;
    let second = sent(&server, &thread).await;
    let text = |chip: &Value| chip["text"].as_str().unwrap().to_owned();
    assert!(text(&first).contains("2\ttwo\n") && text(&second).contains("2\t2\n"), "{second}");
    let report = &edited["outcome"]["observation"]["data"]["report"];
    assert_eq!((&first["version"], &second["version"]), (&report["hash_before"], &report["hash_after"]));
}

#[tokio::test]
async fn a_large_file_is_kept_once_and_not_with_every_message() {
    let text: String = (0..60_000).map(|number| format!("value_{number:06} = measure({number})\n")).collect();
    let server = server(&text).await;
    let thread = thread(&server).await;
    for _ in 0..4 {
        let chip = sent(&server, &thread).await;
        assert!(chip["text"].as_str().unwrap().len() < 12_000);
    }
    let (_, log) = server.ask("GET", &format!("threads/{thread}"), None).await;
    assert!(log.to_string().len() < 200_000, "{}", log.to_string().len());
    let folder = server.stop().await;
    let kept = bytes_below(&folder.path().join(".aside/blobs"));
    assert!(kept <= text.len() as u64 + 100_000, "{kept} bytes for a file of {}", text.len());
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}
