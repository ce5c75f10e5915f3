//! `script.run` as a tool of MCP clients, each call under their grant; recipes that are scripts, each call within what their run did.

use std::fs;

use serde_json::{Value, json};

use crate::{harness::Server, mcp::Client, program::Program};

async fn server() -> Server {
    Server::with(|folder| {
        fs::create_dir(folder.join("notes")).unwrap();
        for name in ["notes/a.tmp", "notes/b.tmp", "secret.md"] {
            fs::write(folder.join(name), "hush\n").unwrap();
        }
    })
    .await
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

/// Answers the first question of a script.
async fn decide(server: &Server, decision: &str, scope: &str) -> Value {
    loop {
        let (_, waiting) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
        if let Some(first) = waiting.as_array().unwrap().iter().find(|record| record["origin"]["kind"] == "script") {
            let id = first["envelope"]["id"].as_str().unwrap();
            let said = json!({ "decision": decision, "scope": scope, "hash": first["approval_hash"] });
            server.post(&format!("actions/{id}/decision"), said).await;
            return first.clone();
        }
        tokio::task::yield_now().await;
    }
}

const DELETE: &str = "let gone = 0;
for (const name of ['a', 'b']) { await aside.file.delete({ path: `notes/${name}.tmp` }); gone++; }
return gone;";

#[tokio::test]
async fn client_runs_scripts_under_its_grant() {
    let server = server().await;
    let program = Program::new(&server, json!({ "risks": ["read", "write"], "paths": ["notes/**"] })).await;
    let client = Client::new(&server, &program.token).await;
    let tools = client.request("tools/list", json!({})).await;
    let names: Vec<_> = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"script_run"), "{names:?}");
    let source = "const codes = [];
for (const call of [() => aside.file.read({ path: 'secret.md' }), () => aside.file.create({ path: 'out.md', text: '' }),
    () => aside.file.delete({ path: 'notes/a.tmp' }), () => aside.grant.create({ name: 'wider' })]) {
  try { codes.push((await call()).text); } catch (error) { codes.push(error.code ?? error.name); }
}
return codes;";
    let done = client.call("script_run", json!({ "source": source })).await;
    let refused = r#"result: ["not_granted","not_granted","not_granted","not_granted"]"#;
    assert!(text(&done).contains(refused) && !text(&done).contains("hush"), "{done}");
    assert!(server.folder.path().join("notes/a.tmp").exists() && !server.folder.path().join("out.md").exists());
}

#[tokio::test]
async fn grant_without_scripts_has_no_such_tool() {
    let server = server().await;
    let program = Program::new(&server, json!({ "risks": ["read"], "actions": ["file.*"] })).await;
    let client = Client::new(&server, &program.token).await;
    let run = json!({ "action_type": "script.run", "args": { "source": "return 1;" } });
    assert!(client.call("script_run", json!({ "source": "return 1;" })).await["code"].is_number());
    let refused = client.call("action_run", run).await;
    assert!(refused["isError"] == true && text(&refused).contains("not_granted"), "{refused}");
}

#[tokio::test]
async fn class_approval_covers_calls_of_client() {
    let server = server().await;
    let client = Client::new(&server, crate::harness::TOKEN).await;
    let (done, asked) =
        tokio::join!(client.call("script_run", json!({ "source": DELETE })), decide(&server, "approve", "class"));
    assert_eq!(asked["origin"]["by"]["kind"], "mcp", "{asked}");
    assert!(text(&done).contains("Completed after 2 calls"), "{done}");
    assert!(!server.folder.path().join("notes/b.tmp").exists());
    // Another run of the same client asks again, and a rejected call is the error of its script.
    fs::write(server.folder.path().join("notes/a.tmp"), "again\n").unwrap();
    let (done, _) =
        tokio::join!(client.call("script_run", json!({ "source": DELETE })), decide(&server, "reject", "once"));
    assert!(text(&done).contains("Failed at line 2"), "{done}");
    assert!(server.folder.path().join("notes/a.tmp").exists());
}

#[tokio::test]
async fn untrusted_content_marks_answers_to_clients() {
    let server = server().await;
    let label = json!({ "action_type": "file.label", "args": { "path": "secret.md", "label": "external" } });
    server.post("actions", label).await;
    let client = Client::new(&server, crate::harness::TOKEN).await;
    let source = "return (await aside.file.read({ path: 'secret.md' })).data.text;";
    let done = client.call("script_run", json!({ "source": source })).await;
    assert!(text(&done).starts_with("[From an untrusted source"), "{done}");
    // A class approval ends with the first answer from outside, and the question names the source.
    let source = "await aside.file.delete({ path: 'notes/a.tmp' });
await aside.file.read({ path: 'secret.md' });
await aside.file.delete({ path: 'notes/b.tmp' });";
    let run = client.call("script_run", json!({ "source": source }));
    let decisions = async {
        decide(&server, "approve", "class").await;
        let second = loop {
            let second = decide(&server, "reject", "once").await;
            if second["envelope"]["args"]["path"] == "notes/b.tmp" {
                break second;
            }
        };
        assert!(second["provenance"].to_string().contains("secret.md"), "{second}");
    };
    let (done, ()) = tokio::join!(run, decisions);
    assert!(text(&done).contains("Failed at line 3"), "{done}");
}

#[tokio::test]
async fn revoked_grant_ends_scripts_of_client() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let client = Client::new(&server, &program.token).await;
    let source = "for (let i = 0; i < 900; i++) { await aside.file.list({}); await aside.sleep(20); }";
    client.call("script_run", json!({ "source": source, "wait": false })).await;
    let (_, tasks) = server.ask("GET", "tasks?open=true", None).await;
    let task = format!("tasks/{}", tasks["tasks"][0]["id"].as_str().unwrap());
    program.revoke().await;
    let ended = server.until_task(&task, |task| task["state"] != "running").await;
    assert_eq!((&ended["state"], &ended["script"]["error"]["code"]), (&json!("failed"), &json!("grant_revoked")));
}

#[tokio::test]
async fn recipe_script_does_no_more_than_its_run() {
    let server = server().await;
    let source = "// Copies a file\nawait aside.file[args.verb](JSON.parse(args.call));";
    let copy = |to: &str| json!({ "verb": "copy", "call": json!({ "from": "notes/a.tmp", "to": to }).to_string() });
    let started = server.post("scripts", json!({ "source": source, "args": copy("notes/c.tmp") })).await;
    let id = started["id"].as_str().unwrap().to_owned();
    server.until_task(&format!("tasks/{id}"), |task| task["state"] == "completed").await;
    server.post("recipes", json!({ "task": id, "name": "copying" })).await;
    let run = async |set: Value| {
        let run = server.post("recipes/copying/run", json!({ "set": set })).await;
        let task = format!("tasks/{}", run["id"].as_str().unwrap());
        server.until_task(&task, |task| task["state"] != "running").await
    };
    let done = run(copy("notes/d.tmp")).await;
    let goal = json!("copying: Copies a file");
    assert_eq!((&done["state"], &done["task"]["goal"]), (&json!("completed"), &goal), "{done}");
    let refused = run(json!({ "verb": "delete", "call": "{\"path\":\"notes/a.tmp\"}" })).await;
    assert_eq!(refused["script"]["error"]["code"], "not_granted", "{refused}");
    assert!(server.folder.path().join("notes/a.tmp").exists());
    let program = Program::new(&server, json!({})).await;
    let (status, _) = program.ask("POST", "recipes/copying/run", Some(json!({}))).await;
    assert_eq!(status, 403, "recipes are the person's");
}
