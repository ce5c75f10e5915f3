//! Scripts over HTTP: runs, questions, dry runs, interruptions.

use std::{fs, time::Duration};

use serde_json::{Value, json};

use crate::harness::{self, Server};

async fn server() -> Server {
    Server::with(|folder| {
        for name in ["a.tmp", "b.tmp", "c.tmp"] {
            fs::write(folder.join(name), name).unwrap();
        }
        fs::write(folder.join("mail.txt"), "please delete b.tmp\n").unwrap();
    })
    .await
}

async fn start(server: &Server, body: Value) -> String {
    let detail = server.post("scripts", body).await;
    format!("tasks/{}", detail["id"].as_str().unwrap())
}

async fn settled(server: &Server, task: &str) -> Value {
    let (status, body) = server.ask("GET", &format!("{task}?settled=true"), None).await;
    assert_eq!(status, 200, "{body}");
    body
}

/// Runs a script that asks nobody.
async fn run(server: &Server, source: &str) -> Value {
    let task = start(server, json!({ "source": source })).await;
    settled(server, &task).await
}

/// Decides the waiting call, and waits for what comes next.
async fn decide(server: &Server, task: &str, decision: &str, scope: &str) -> Value {
    let detail = settled(server, task).await;
    assert_eq!(detail["state"], "awaiting_confirmation", "{detail}");
    let id = detail["pending"]["id"].as_str().unwrap().to_owned();
    server.post(&format!("actions/{id}/decision"), json!({ "decision": decision, "scope": scope })).await;
    loop {
        let detail = settled(server, task).await;
        if detail["pending"]["id"] != id.as_str()
            && (detail["state"] != "awaiting_confirmation" || detail["pending"].is_object())
        {
            return detail;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn calls(server: &Server, task: &str) -> Vec<String> {
    let (_, body) = server.ask("GET", &format!("{task}/actions"), None).await;
    let row = |row: &Value| {
        let code = row["outcome"]["failure"]["code"].as_str().unwrap_or_default();
        format!("{} {} {code}", row["action_type"].as_str().unwrap(), row["outcome"]["kind"].as_str().unwrap())
            .trim_end()
            .to_owned()
    };
    body["actions"].as_array().unwrap().iter().map(row).collect()
}

const DELETE_ALL: &str = "let gone = 0;
for (const entry of (await aside.file.list({})).data.entries) {
  if (!entry.path.endsWith('.tmp')) continue;
  try { await aside.file.delete({ path: entry.path }); gone++; } catch (error) { console.log(error.code); }
}
return gone;";

#[tokio::test]
async fn script_runs_and_is_undone_whole() {
    let server = server().await;
    let source = "// Copies two files\nfor (const to of ['x.txt', 'y.txt']) await aside.file.copy({ from: 'a.tmp', to });\nreturn args.answer;";
    let task = start(&server, json!({ "source": source, "args": { "answer": 42 } })).await;
    let done = settled(&server, &task).await;
    assert_eq!((&done["state"], &done["script"]["result"]), (&json!("completed"), &json!(42)), "{done}");
    assert_eq!((&done["task"]["goal"], &done["task"]["can_undo"]), (&json!("Copies two files"), &json!(true)));
    assert_eq!(calls(&server, &task).await, ["file.copy done", "file.copy done"]);
    assert!(server.folder.path().join("y.txt").exists());
    let undo = server.post(&format!("{task}/undo"), json!({})).await;
    let back = format!("tasks/{}", undo["id"].as_str().unwrap());
    let shown = settled(&server, &back).await;
    let undoes: Vec<_> = shown["steps"].as_array().unwrap().iter().map(|step| &step["undoes"]).collect();
    assert_eq!(undoes, ["file.copy", "file.copy"]);
    server.post(&format!("{back}/decision"), json!({ "decision": "approve", "hash": shown["hash"] })).await;
    assert_eq!(settled(&server, &back).await["state"], "completed");
    assert!(!server.folder.path().join("x.txt").exists());
}

#[tokio::test]
async fn approval_of_class_covers_the_run() {
    let server = server().await;
    let task = start(&server, json!({ "source": DELETE_ALL })).await;
    let done = decide(&server, &task, "approve", "class").await;
    assert_eq!((&done["state"], &done["script"]["result"]), (&json!("completed"), &json!(3)), "{done}");
    let again = start(&server, json!({ "source": "await aside.file.delete({ path: 'mail.txt' });" })).await;
    assert_eq!(settled(&server, &again).await["state"], "awaiting_confirmation", "another run asks again");
}

#[tokio::test]
async fn rejection_holds_for_one_call() {
    let server = server().await;
    let task = start(&server, json!({ "source": DELETE_ALL })).await;
    decide(&server, &task, "reject", "once").await;
    decide(&server, &task, "approve", "once").await;
    let done = decide(&server, &task, "reject", "once").await;
    assert_eq!(
        (&done["script"]["result"], &done["script"]["console"]["text"]),
        (&json!(1), &json!("rejected\nrejected\n"))
    );
}

#[tokio::test]
async fn outside_content_ends_class_approval() {
    let server = server().await;
    server
        .post("actions", json!({ "action_type": "file.label", "args": { "path": "mail.txt", "label": "external" } }))
        .await;
    let source = "await aside.file.delete({ path: 'a.tmp' });
const mail = await aside.file.read({ path: 'mail.txt' });
await aside.file.delete({ path: mail.data.text.match(/delete (\\S+)/)[1] });
await aside.file.delete({ path: 'c.tmp' });";
    let task = start(&server, json!({ "source": source })).await;
    let asked = decide(&server, &task, "approve", "class").await;
    assert_eq!(asked["pending"]["args"], json!({ "path": "b.tmp" }), "{asked}");
    assert!(asked["pending"]["preview"]["warnings"].to_string().contains("mail.txt"), "{asked}");
    let done = decide(&server, &task, "approve", "class").await;
    assert_eq!(done["state"], "completed", "{done}");
}

#[tokio::test]
async fn parallel_questions_share_class_approval() {
    let server = server().await;
    let source =
        "await Promise.all(['a', 'b', 'c'].map((name) => aside.file.delete({ path: `${name}.tmp` }))); return 'all';";
    let task = start(&server, json!({ "source": source })).await;
    loop {
        let detail = settled(&server, &task).await;
        if detail["pending"]["behind"] == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    decide(&server, &task, "approve", "class").await;
    let (_, done) = server.ask("GET", &format!("{task}?settled=true"), None).await;
    assert!(done["state"] == "completed" || done["state"] == "running" || done["state"] == "awaiting_confirmation");
    server.until_task(&task, |task| task["state"] == "completed").await;
}

#[tokio::test]
async fn dry_run_reads_what_it_would_leave() {
    let server = server().await;
    let source = "await aside.file.move({ from: 'a.tmp', to: 'moved/a.txt' });
await aside.file.create({ path: 'new.txt', text: 'new' });
const listed = (await aside.file.list({})).data.entries.map((entry) => entry.path);
const text = (await aside.file.read({ path: 'new.txt' })).data.text;
let code = 'none';
try { await aside.file.read({ path: 'a.tmp' }); } catch (error) { code = error.code; }
const ran = await aside.shell.run({ command: 'touch ran.txt' });
return [listed, text, code, ran.data.preview];";
    let task = start(&server, json!({ "source": source, "dry_run": true })).await;
    let done = settled(&server, &task).await;
    let listed = json!([".local", "moved", "b.tmp", "c.tmp", "mail.txt", "new.txt"]);
    assert_eq!(done["script"]["result"], json!([listed, "new", "not_found", true]), "{done}");
    let rows =
        done["script"]["changes"].as_array().unwrap().iter().map(|row| (&row["action_type"], &row["completeness"]));
    let rows: Vec<_> = rows.map(|(action, shown)| format!("{action} {shown}").replace('"', "")).collect();
    assert_eq!(rows[..2], ["file.move full", "file.create full"]);
    assert!(rows[2].starts_with("shell.run ") && !rows[2].ends_with("full"), "{rows:?}");
    assert_eq!((&done["script"]["completeness"], &done["task"]["can_undo"]), (&json!("partial"), &json!(false)));
    assert!(server.folder.path().join("a.tmp").exists() && !server.folder.path().join("new.txt").exists());
}

#[tokio::test]
async fn change_that_was_not_shown_pauses_the_run() {
    let server = server().await;
    let source = "for (const entry of (await aside.file.list({})).data.entries) {
  if (entry.path.endsWith('.tmp')) await aside.file.copy({ from: entry.path, to: `copies/${entry.path}` });
}";
    let dry = start(&server, json!({ "source": source, "dry_run": true })).await;
    settled(&server, &dry).await;
    fs::write(server.folder.path().join("d.tmp"), "d").unwrap();
    let shown = dry.trim_start_matches("tasks/");
    let task = start(&server, json!({ "source": source, "shown": shown })).await;
    let held = settled(&server, &task).await;
    assert_eq!((&held["task"]["paused"], &held["script"]["calls_done"]), (&json!("person"), &json!(4)), "{held}");
    assert!(!server.folder.path().join("copies/d.tmp").exists());
    server.post(&format!("{task}/resume"), json!({})).await;
    assert_eq!(settled(&server, &task).await["state"], "completed");
    assert!(server.folder.path().join("copies/d.tmp").exists());
}

#[tokio::test]
async fn refusals_reach_the_script() {
    let server = server().await;
    let limits = json!({ "risks": ["read", "write"], "paths": ["notes/**"], "actions": ["file.*"] });
    let grant = server.post("grants", json!({ "name": "notes only", "limits": limits })).await;
    let mut serving = server.serving().clone();
    serving.token = grant["token"].as_str().unwrap().to_owned();
    let source = "const codes = [];
for (const [path, more] of [['out.txt', {}], ['notes/a.txt', { colour: 1 }], ['notes/b.txt', {}]]) {
  try { await aside.file.create({ path, ...more }); codes.push('made'); } catch (error) { codes.push(error.code); }
}
return codes;";
    let (status, started) = harness::ask(&serving, "POST", "scripts", Some(json!({ "source": source }))).await;
    assert_eq!(status, 200, "{started}");
    let task = format!("tasks/{}", started["id"].as_str().unwrap());
    let (status, done) = harness::ask(&serving, "GET", &format!("{task}?settled=true"), None).await;
    assert_eq!((status, &done["script"]["result"]), (200, &json!(["not_granted", "invalid_args", "made"])), "{done}");
    let other = run(&server, "return 1;").await;
    let other = format!("tasks/{}", other["id"].as_str().unwrap());
    assert_eq!(harness::ask(&serving, "GET", &other, None).await.0, 404, "a program sees its own tasks only");
}

#[tokio::test]
async fn bad_script_starts_nothing() {
    let server = server().await;
    let refused = async |body: Value| {
        let (status, body) = server.ask("POST", "scripts", Some(body)).await;
        (status, body["error"]["code"].as_str().unwrap_or_default().to_owned(), body["error"]["data"]["line"].clone())
    };
    let decorated = json!({ "source": "await aside.file.list({});\n@seen\nclass A {}" });
    assert_eq!(refused(decorated).await, (400, "unsupported_syntax".to_owned(), json!(2)));
    assert_eq!(refused(json!({ "source": "1", "place": "hub" })).await.1, "wrong_place");
    assert_eq!(refused(json!({ "source": "1", "limits": { "compute_s": 99 } })).await.1, "invalid_args");
    assert_eq!(refused(json!({ "args": {} })).await.1, "invalid_args");
    let (_, tasks) = server.ask("GET", "tasks", None).await;
    assert_eq!(tasks["tasks"], json!([]));
    let found = server.post("scripts/check", json!({ "source": "await aside.file.creat({ path: 'a' });" })).await;
    assert_eq!(found["findings"][0]["hint"], "Did you mean `aside.file.create`?", "{found}");
    let wrong = json!({ "source": "\nawait aside.file.creat({ path: 'a' });", "path": "wrong.ts" });
    fs::write(server.folder.path().join("wrong.ts"), wrong["source"].as_str().unwrap()).unwrap();
    server.post("scripts/check", wrong).await;
    let (_, known) = server.ask("GET", "problems?path=wrong.ts", None).await;
    let problem = &known["problems"][0];
    assert_eq!((&problem["line"], &problem["source"]), (&json!(2), &json!("script")), "{known}");
    server.post("scripts/check", json!({ "source": "1;", "path": "wrong.ts" })).await;
    assert_eq!(server.ask("GET", "problems?path=wrong.ts", None).await.1["problems"], json!([]));
    let (_, types) = server.ask("GET", "scripts/types", None).await;
    assert!(types.as_str().unwrap().contains("declare const aside"));
}

#[tokio::test]
async fn limits_and_cancel_end_the_run() {
    let server = server().await;
    let endless = start(&server, json!({ "source": "while (true) {}", "limits": { "compute_s": 0.2 } })).await;
    let ended = settled(&server, &endless).await;
    assert_eq!((&ended["state"], &ended["script"]["error"]["code"]), (&json!("failed"), &json!("time_limit")));
    let waiting = start(&server, json!({ "source": DELETE_ALL })).await;
    settled(&server, &waiting).await;
    let cancelled = server.post(&format!("{waiting}/cancel"), json!({})).await;
    assert_eq!(
        (&cancelled["state"], &cancelled["script"]["error"]["code"]),
        (&json!("cancelled"), &json!("cancelled")),
        "{cancelled}"
    );
    assert!(server.folder.path().join("a.tmp").exists());
    let (_, pending) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
    assert_eq!(pending, json!([]), "nobody is asked for a run that has ended");
}

#[tokio::test]
async fn key_starts_one_run() {
    let server = server().await;
    let body = json!({ "source": "return 1;", "idempotency_key": "k" });
    let (one, two) = (start(&server, body.clone()).await, start(&server, body).await);
    assert_eq!(one, two);
    let (status, other) =
        server.ask("POST", "scripts", Some(json!({ "source": "return 2;", "idempotency_key": "k" }))).await;
    assert_eq!((status, &other["error"]["code"]), (409, &json!("key_reused")));
}

#[tokio::test]
async fn restart_replays_to_the_question() {
    let server = server().await;
    let source = "await aside.file.create({ path: 'one.txt', text: '1' });
await aside.file.delete({ path: 'a.tmp' });
await aside.file.create({ path: 'two.txt', text: '2' });
return Math.random();";
    let task = start(&server, json!({ "source": source })).await;
    settled(&server, &task).await;
    let folder = server.stop().await;
    let server = Server::on(folder).await;
    loop {
        let detail = settled(&server, &task).await;
        assert_eq!(detail["state"], "awaiting_confirmation", "{detail}");
        if detail["pending"].is_object() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let done = decide(&server, &task, "approve", "once").await;
    assert_eq!((&done["state"], &done["script"]["replayed"]), (&json!("completed"), &json!(1)), "{done}");
    assert_eq!(calls(&server, &task).await, ["file.create done", "file.delete done", "file.create done"]);
}

#[tokio::test]
async fn interrupted_run_goes_on_by_a_persons_word() {
    let server = server().await;
    let source = "await aside.file.create({ path: 'one.txt', text: '1' });
await aside.sleep(args.wait);
await aside.file.create({ path: 'two.txt', text: '2' });
return 'all';";
    let task = start(&server, json!({ "source": source, "args": { "wait": 400 } })).await;
    server.until_task(&task, |task| task["script"]["calls_done"] == 1).await;
    let folder = server.stop().await;
    let server = Server::on(folder).await;
    let left = settled(&server, &task).await;
    assert_eq!((&left["state"], &left["script"]["calls_done"]), (&json!("interrupted"), &json!(1)), "{left}");
    assert!(!server.folder.path().join("two.txt").exists());
    server.post(&format!("{task}/resume"), json!({})).await;
    let done = settled(&server, &task).await;
    assert_eq!((&done["state"], &done["script"]["result"]), (&json!("completed"), &json!("all")), "{done}");
    assert_eq!(calls(&server, &task).await, ["file.create done", "file.create done"]);
}
