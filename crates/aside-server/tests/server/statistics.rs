//! `statistics`: counts from the activity log, the tasks and the sentences.

use serde_json::json;

use crate::harness::Server;

#[tokio::test]
async fn actions_and_sentences_are_counted() {
    let server = Server::new().await;
    let (_, empty) = server.ask("GET", "statistics", None).await;
    assert_eq!((&empty["sentences"]["rules"], &empty["first_success"]), (&json!(0), &json!(null)), "{empty}");

    let said = json!({ "said": "create a.md" });
    let create = json!({ "action_type": "file.create", "args": { "path": "a.md" }, "audit_context": said });
    let done = server.post("actions", create).await;
    server.post(&format!("actions/{}/undo", done["id"].as_str().unwrap()), json!({})).await;
    server.post("statistics/sentences", json!({ "way": "rules", "actions": ["file.create"] })).await;
    server.post("statistics/sentences", json!({ "way": "model" })).await;

    let (_, found) = server.ask("GET", "statistics?days=7", None).await;
    assert_eq!(found["days"], 7);
    assert!(found["first_success"].is_number(), "{found}");
    assert_eq!(found["sentences"]["actions"], json!([{ "action": "file.create", "count": 1 }]));
    assert_eq!((&found["sentences"]["rules"], &found["sentences"]["model"]), (&json!(1), &json!(1)));
    assert_eq!(found["undos"], json!({ "within_minute": 1, "later": 0 }));
    let done: u64 = found["classes"].as_array().unwrap().iter().map(|of| of["done"].as_u64().unwrap()).sum();
    assert_eq!(done, 2, "{found}");

    assert_eq!(server.ask("DELETE", "statistics/sentences", None).await.0, 200);
    let (_, after) = server.ask("GET", "statistics", None).await;
    assert_eq!((&after["sentences"]["rules"], &after["undos"]), (&json!(0), &found["undos"]));
}

#[tokio::test]
async fn words_are_not_taken() {
    let server = Server::new().await;
    let (status, _) =
        server.ask("POST", "statistics/sentences", Some(json!({ "way": "model", "text": "secret" }))).await;
    assert_eq!(status, 400);
}
