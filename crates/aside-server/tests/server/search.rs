//! The routes of search.

use std::{fs, path::Path};

use aside_llm::Script;
use serde_json::{Value, json};

use crate::{
    chats::Visitor,
    harness::{Server, TOKEN},
};

fn scene(folder: &Path) {
    for (path, text) in [
        ("tides.md", "# Tides\n\n## Springs\n\nThe mooring rises twice 🚀 a day.\n"),
        ("x/harbour.md", "A mooring in the harbour rises with the tide.\n"),
        ("a.md", "one\n"),
        ("bread.md", "Flour and water.\n"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Searches until all files are read and something is so.
async fn until(server: &Server, question: Value, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let (status, answer) = server.ask("POST", "search", Some(question.clone())).await;
        assert_eq!(status, 200, "{answer}");
        if answer["index"]["state"] == "ready" && is_so(&answer) {
            return answer;
        }
    }
}

fn paths(answer: &Value) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn hits_name_their_place_and_reason() {
    let server = Server::with(scene).await;
    let answer = until(&server, json!({"query": "twice day"}), |_| true).await;
    assert_eq!(
        answer["hits"][0],
        json!({
            "path": "tides.md", "kind": "note", "line": 5, "title": "Tides", "headings": ["Springs"],
            "text": "The mooring rises twice 🚀 a day.", "marks": [[18, 23], [29, 32]], "why": "words",
        })
    );
    assert_eq!(answer["index"]["meaning"]["model"], Value::Null);
    let answer = until(&server, json!({"query": "moor", "typing": true, "limit": 1}), |_| true).await;
    assert_eq!(answer["hits"].as_array().unwrap().len(), 1);
    let answer = until(&server, json!({"query": "mooring", "kinds": ["code"]}), |_| true).await;
    assert_eq!(paths(&answer), [""; 0]);
    let (status, related) = server.ask("GET", "search/related?path=tides.md", None).await;
    assert_eq!((status, paths(&related)), (200, vec!["x/harbour.md"]));
    let (status, problem) = server.ask("POST", "search", Some(json!({"query": "before:soon"}))).await;
    assert_eq!((status, &problem["error"]["code"]), (400, &json!("invalid_args")));
    server.stop().await;
}

#[tokio::test]
async fn threads_are_found_until_they_are_deleted() {
    let script = json!({"name": "demo", "replies": [], "otherwise": "Narwhals sing."});
    let server = Server::rehearsing(Script::parse(&script.to_string()).unwrap()).await;
    let thread = server.post("threads", json!({"model": "rehearsal/demo", "title": "Whales"})).await;
    let id = thread["id"].as_str().unwrap().to_owned();
    let asked = server.post(&format!("threads/{id}/turns"), json!({"text": "About walruses"})).await;
    let path = format!("thread/{id}");
    let answer = until(&server, json!({"query": "narwhals"}), |answer| !paths(answer).is_empty()).await;
    assert_eq!((paths(&answer), &answer["hits"][0]["line"]), (vec![path.as_str()], &json!(2)));
    assert_eq!(answer["hits"][0]["said"], asked["turn"]);
    let answer = until(&server, json!({"query": "walruses kind:thread"}), |answer| !paths(answer).is_empty()).await;
    assert_eq!((paths(&answer), &answer["hits"][0]["title"]), (vec![path.as_str()], &json!("Whales")));
    server.stop().await;
}

#[tokio::test]
async fn guests_do_not_search() {
    let server = Server::with(scene).await;
    let owner = Visitor::new(&server, TOKEN).await;
    let said = owner.say("The walrus is here").await;
    let answer = until(&server, json!({"query": "walrus"}), |answer| !paths(answer).is_empty()).await;
    assert_eq!((&answer["hits"][0]["kind"], &answer["hits"][0]["title"]), (&json!("chat"), &json!("a.md")));
    assert_eq!(answer["hits"][0]["said"], said["id"]);
    let guest = Visitor::new(&server, &owner.invite("Bea").await.1).await;
    let (status, _) = guest.ask("POST", "search", json!({"query": "walrus"})).await;
    assert_eq!(status, 403);
    server.stop().await;
}
