//! From an agent's edit to the lines it left, and back.

use aside_llm::Script;
use serde_json::{Value, json};

use crate::{harness::Server, program::Program};

/// A model that makes a file, changes a line of another, and takes one out of it.
async fn server() -> Server {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "one\ntwo\nthree\nfour\n").unwrap();
    let edit = |old: &str, new: &str| {
        json!({ "steps": [
            { "calls": [{ "name": "doc.edit", "args": { "path": "a.py", "edits": [{ "old": old, "new": new }] } }] },
            { "text": "Done." },
        ] })
    };
    let create = json!({ "steps": [
        { "calls": [{ "name": "doc.create", "args": { "path": "b.py", "text": "1\n2\n" } }] },
        { "text": "Done." },
    ] });
    let when = |words: &str, reply: &Value| {
        let mut reply = reply.clone();
        reply["when"] = json!(words);
        reply
    };
    let replies =
        [when("change", &edit("two", "TWO\nand more")), when("take out", &edit("four", "")), when("create", &create)];
    let script = json!({ "name": "eager", "replies": replies, "otherwise": "Hello." });
    Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await
}

/// Lets a model act in a thread of its own; returns the thread.
async fn told(server: &Server, words: &str) -> String {
    let thread =
        server.post("threads", json!({ "model": "rehearsal/eager", "mode": "auto_apply", "title": words })).await;
    let id = thread["id"].as_str().unwrap().to_owned();
    let turn = format!("threads/{id}/turns?stream=true");
    assert_eq!(server.ask("POST", &turn, Some(json!({ "text": words }))).await.0, 200);
    id
}

async fn edits(server: &Server, path: &str) -> Vec<Value> {
    let (status, body) = server.ask("GET", &format!("threads/edits?path={path}"), None).await;
    assert_eq!(status, 200, "{body}");
    body["edits"].as_array().unwrap().clone()
}

async fn lines(server: &Server, path: &str) -> Vec<(String, Value)> {
    let edits = edits(server, path).await;
    edits.into_iter().map(|edit| (edit["title"].as_str().unwrap().to_owned(), edit["lines"].clone())).collect()
}

async fn person_edits(server: &Server, old: &str, new: &str) {
    let args = json!({ "path": "a.py", "edits": [{ "old": old, "new": new }] });
    let done = server.post("actions", json!({ "action_type": "doc.edit", "args": args })).await;
    assert_eq!(done["state"], "done", "{done}");
}

#[tokio::test]
async fn an_edit_leads_to_the_lines_it_left_as_they_are_now() {
    let server = server().await;
    let thread = told(&server, "change").await;
    let found = edits(&server, "a.py").await;
    assert_eq!((found[0]["thread"].as_str(), &found[0]["lines"]), (Some(&*thread), &json!([{ "start": 2, "end": 3 }])));
    person_edits(&server, "one", "zero\none").await;
    assert_eq!(lines(&server, "a.py").await, [("change".to_owned(), json!([{ "start": 3, "end": 4 }]))]);
    person_edits(&server, "and more", "and less").await;
    assert_eq!(lines(&server, "a.py").await[0].1, json!([{ "start": 3, "end": 3 }]));
    person_edits(&server, "TWO", "2").await;
    assert_eq!(lines(&server, "a.py").await[0].1, json!([]), "nothing of it is left");
    told(&server, "take out").await;
    let gone = json!([{ "start": 6, "end": 5 }]);
    assert_eq!(lines(&server, "a.py").await[0], ("take out".to_owned(), gone));
}

#[tokio::test]
async fn what_was_taken_back_is_no_edit_until_it_is_brought_back() {
    let server = server().await;
    told(&server, "change").await;
    let action = edits(&server, "a.py").await[0]["action"].as_str().unwrap().to_owned();
    let undo = server.post(&format!("actions/{action}/undo"), json!({})).await;
    assert_eq!(lines(&server, "a.py").await, []);
    let undo = undo["id"].as_str().unwrap().to_owned();
    server.post(&format!("actions/{undo}/undo"), json!({})).await;
    assert_eq!(lines(&server, "a.py").await[0].1, json!([{ "start": 2, "end": 3 }]));
}

#[tokio::test]
async fn a_file_that_a_thread_made_is_its_own_and_a_program_is_told_of_none() {
    let server = server().await;
    told(&server, "create").await;
    assert_eq!(lines(&server, "b.py").await, [("create".to_owned(), json!([{ "start": 1, "end": 2 }]))]);
    assert_eq!(server.ask("GET", "threads/edits?path=gone.py", None).await.0, 404);
    let program = Program::new(&server, json!({})).await;
    assert_eq!(program.ask("GET", "threads/edits?path=b.py", None).await.0, 403);
}

#[tokio::test]
async fn edits_and_threads_are_found_under_the_name_that_the_file_has_now() {
    let server = server().await;
    let thread = server
        .post("threads", json!({ "model": "rehearsal/eager", "mode": "auto_apply", "title": "a", "document": "a.py" }))
        .await["id"]
        .clone();
    let turn = format!("threads/{}/turns?stream=true", thread.as_str().unwrap());
    assert_eq!(server.ask("POST", &turn, Some(json!({ "text": "change" }))).await.0, 200);
    let left = [("a".to_owned(), json!([{ "start": 2, "end": 3 }]))];
    let args = json!({ "from": "a.py", "to": "lib/b.py" });
    assert_eq!(server.post("actions", json!({ "action_type": "file.move", "args": args })).await["state"], "done");
    assert_eq!(lines(&server, "lib/b.py").await, left);

    // Another program gives the folder another name.
    let place = server.folder.path();
    std::fs::rename(place.join("lib"), place.join("src")).unwrap();
    let followed = async {
        loop {
            let (_, found) = server.ask("GET", "threads?document=src/b.py", None).await;
            if found[0]["id"] == thread {
                return;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), followed).await.expect("the thread follows");
    assert_eq!(lines(&server, "src/b.py").await, left);
    std::fs::write(place.join("a.py"), "another\n").unwrap();
    assert_eq!(lines(&server, "a.py").await, [], "a namesake has none of them");
}
