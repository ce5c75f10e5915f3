//! Find in files over HTTP: lines as they are found, and a search that ends with its reader.

use std::fs;

use serde_json::{Value, json};

use crate::{
    chats::Visitor,
    harness::{Server, TOKEN},
};

async fn found(server: &Server, body: Value) -> Vec<Value> {
    let (authorization, host) = (format!("Bearer {TOKEN}"), format!("127.0.0.1:{}", server.port()));
    let headers = [("host", &*host), ("authorization", &*authorization), ("content-type", "application/json")];
    let answer = server.raw("POST", "/api/v1/find", &headers, &body.to_string()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    lines(&answer.body)
}

fn lines(body: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    assert!(last.get("done").is_some(), "{last}");
    lines.sort_by_key(|line| line["file"]["path"].as_str().unwrap().to_owned());
    lines.push(last);
    lines
}

fn files(folder: &std::path::Path) {
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("a.py"), "tide = 1\n🌊 low tide\n").unwrap();
    fs::write(folder.join("src/b.txt"), "Tide\r\n").unwrap();
    fs::write(folder.join("AGENTS.md"), "the tide\n").unwrap();
    let cell = json!({"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["one\n", "tide"]});
    let notebook = json!({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    fs::write(folder.join("n.ipynb"), notebook.to_string()).unwrap();
}

#[tokio::test]
async fn files_come_as_lines_with_marks() {
    let server = Server::with(files).await;
    let found = found(&server, json!({"text": "tide", "include": ["*.py", "*.txt", "*.ipynb"]})).await;
    assert_eq!(
        found[..3],
        [
            json!({"file": {"path": "a.py", "lines": [
                {"line": 1, "text": "tide = 1", "marks": [[0, 4]]},
                {"line": 2, "text": "🌊 low tide", "marks": [[7, 11]]},
            ], "more": false}}),
            json!({"file": {"path": "n.ipynb", "lines": [{"line": 1, "text": "tide", "marks": [[0, 4]]}], "more": false}}),
            json!({"file": {"path": "src/b.txt", "lines": [{"line": 1, "text": "Tide", "marks": [[0, 4]]}], "more": false}}),
        ]
    );
    let done = &found[3]["done"];
    assert_eq!((&done["files"], &done["lines"], &done["more"]), (&json!(3), &json!(4), &json!(false)));
}

#[tokio::test]
async fn limit_ends_a_search() {
    let server = Server::with(files).await;
    let found = found(&server, json!({"text": "tide", "limit": 1})).await;
    let done = &found.last().unwrap()["done"];
    assert_eq!((found.len(), &done["lines"], &done["more"]), (2, &json!(1), &json!(true)));
}

#[tokio::test]
async fn wrong_search_is_a_problem() {
    let server = Server::with(files).await;
    for (body, status, words) in [
        (json!({"text": "a(", "regex": true}), 400, "at character 2"),
        (json!({"text": "a", "include": ["{a"]}), 400, "the file pattern `{a` is wrong"),
        (json!({"text": ""}), 400, "is empty"),
        (json!({"text": "a", "within": "nowhere"}), 404, "nowhere"),
        (json!({"text": "a", "within": "../x"}), 400, ""),
    ] {
        let (answered, problem) = server.ask("POST", "find", Some(body)).await;
        assert_eq!(answered, status, "{problem}");
        assert!(problem["error"]["message"].as_str().unwrap().contains(words), "{problem}");
    }
}

#[tokio::test]
async fn guest_finds_only_what_they_may_open() {
    let server = Server::with(files).await;
    let (_, token) = Visitor::new(&server, TOKEN).await.invite("Ben").await;
    let guest = Visitor::new(&server, &token).await;
    let answer = guest.answer("POST", "find", json!({"text": "tide"})).await;
    let paths: Vec<_> = lines(&answer.body).iter().map(|line| line["file"]["path"].clone()).collect();
    assert_eq!(paths, [json!("a.py"), json!("n.ipynb"), json!("src/b.txt"), Value::Null]);
    assert!(found(&server, json!({"text": "tide"})).await.iter().any(|line| line["file"]["path"] == "AGENTS.md"));
}
