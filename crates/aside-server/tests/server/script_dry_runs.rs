//! The limits of dry runs, and how far they make an approval reach.

use std::fs;

use serde_json::{Value, json};

use crate::{harness::Server, navigator::window};

async fn server() -> Server {
    Server::with(|folder| {
        for name in ["a.tmp", "b.tmp", "c.tmp"] {
            fs::write(folder.join(name), "the tide\n").unwrap();
        }
    })
    .await
}

async fn start(server: &Server, body: Value) -> String {
    format!("tasks/{}", server.post("scripts", body).await["id"].as_str().unwrap())
}

async fn settled(server: &Server, task: &str) -> Value {
    server.ask("GET", &format!("{task}?settled=true"), None).await.1
}

async fn dry_run(server: &Server, source: &str) -> Value {
    let task = start(server, json!({ "source": source, "dry_run": true })).await;
    settled(server, &task).await
}

/// The question of a run, once it is known.
async fn asked(server: &Server, task: &str) -> Value {
    server.until_task(task, |task| task["pending"].is_object()).await["pending"].clone()
}

#[tokio::test]
async fn dry_run_moves_nothing_in_windows() {
    let server = server().await;
    let tabs = window::tabs(&[]);
    window::open(server.serving(), tabs.clone()).await;
    let source = "for (const name of ['a', 'b']) await aside.ui.open({ path: `${name}.tmp` });
return (await aside.ui.tabs.list()).data.tabs.length;";
    let done = dry_run(&server, source).await;
    assert_eq!((&done["state"], &done["script"]["result"]), (&json!("completed"), &json!(4)), "{done}");
    let rows = done["script"]["changes"].as_array().unwrap().iter().map(|row| row["action_type"].as_str().unwrap());
    assert_eq!(rows.collect::<Vec<_>>(), ["ui.open", "ui.open"]);
    assert_eq!(tabs.lock().unwrap().len(), 4, "no file was opened");
}

#[tokio::test]
async fn search_after_a_change_is_partial() {
    let server = server().await;
    let search = "await aside.search.find({ query: 'tide' });";
    let change = "await aside.file.create({ path: 'new.txt', text: 'the tide' });";
    let before = dry_run(&server, &format!("{search} {change}")).await;
    assert_eq!(before["script"]["completeness"], "full", "{before}");
    let after = dry_run(&server, &format!("{change} {search}")).await;
    assert_eq!(after["script"]["completeness"], "partial", "{after}");
    let summary = after["task"]["summary"].as_str().unwrap();
    assert!(summary.contains("A search saw the files as they are now"), "{summary}");
}

#[tokio::test]
async fn question_counts_calls_of_the_last_dry_run() {
    let server = server().await;
    let source = "for (const name of ['a', 'b', 'c']) await aside.file.delete({ path: `${name}.tmp` });";
    let task = start(&server, json!({ "source": source })).await;
    assert_eq!(asked(&server, &task).await["coming"], Value::Null, "no dry run has shown them");
    server.post(&format!("{task}/cancel"), json!({})).await;
    dry_run(&server, source).await;
    // Another input is another script.
    let task = start(&server, json!({ "source": source, "args": { "other": 1 } })).await;
    assert_eq!(asked(&server, &task).await["coming"], Value::Null);
    server.post(&format!("{task}/cancel"), json!({})).await;
    let task = start(&server, json!({ "source": source })).await;
    let first = asked(&server, &task).await;
    assert_eq!(first["coming"], json!({ "calls": 3, "about": ["a.tmp", "b.tmp", "c.tmp"] }));
    let id = first["id"].as_str().unwrap();
    server.post(&format!("actions/{id}/decision"), json!({ "decision": "approve" })).await;
    let next = server.until_task(&task, |task| task["pending"].is_object() && task["pending"]["id"] != id).await;
    assert_eq!(next["pending"]["coming"], json!({ "calls": 2, "about": ["b.tmp", "c.tmp"] }));
}

#[tokio::test]
async fn write_to_unread_outside_content_ends_class() {
    let server = server().await;
    fs::write(server.folder.path().join("mail.txt"), "hello\n").unwrap();
    let label = json!({ "path": "mail.txt", "label": "external" });
    server.post("actions", json!({ "action_type": "file.label", "args": label })).await;
    let source = "await aside.file.delete({ path: 'a.tmp' });
await aside.file.copy({ from: 'mail.txt', to: 'copy.txt' });
await aside.file.delete({ path: 'b.tmp' });";
    let task = start(&server, json!({ "source": source })).await;
    let id = asked(&server, &task).await["id"].as_str().unwrap().to_owned();
    server.post(&format!("actions/{id}/decision"), json!({ "decision": "approve", "scope": "class" })).await;
    let asks_again = |task: &Value| task["pending"]["id"].as_str().is_some_and(|next| next != id);
    let next = server.until_task(&task, asks_again).await;
    assert_eq!(next["pending"]["args"], json!({ "path": "b.tmp" }), "the copy tells of a mail that nobody has read");
}

#[tokio::test]
async fn plan_of_a_script_waits_by_itself() {
    let server = server().await;
    let source = "const step = { action_type: 'file.delete', args: { path: 'a.tmp' } };
const { data } = await aside.task.plan({ goal: 'Delete a', steps: [step] });
return [data.state ?? 'shown', data.task ?? ''];";
    let dry = dry_run(&server, source).await;
    assert_eq!(dry["script"]["result"], json!(["shown", ""]), "{dry}");
    assert_eq!(server.ask("GET", "tasks?state=awaiting_confirmation", None).await.1["tasks"], json!([]));
    let task = start(&server, json!({ "source": source })).await;
    let done = settled(&server, &task).await;
    assert_eq!((&done["state"], &done["script"]["result"][0]), (&json!("completed"), &json!("awaiting_confirmation")));
    assert!(server.folder.path().join("a.tmp").exists());
    let plan = format!("tasks/{}", done["script"]["result"][1].as_str().unwrap());
    let shown = server.ask("GET", &plan, None).await.1;
    server.post(&format!("{plan}/decision"), json!({ "decision": "approve", "hash": shown["hash"] })).await;
    assert_eq!(settled(&server, &plan).await["state"], "completed");
    assert!(!server.folder.path().join("a.tmp").exists());
}
