//! `language-servers`: which ones the person set up, how they stand, and what is wrong with their file.

use serde_json::json;

use crate::harness::{HOME, Server};

async fn server(file: &str) -> Server {
    let prepare = |folder: &std::path::Path| {
        std::fs::create_dir_all(folder.join(HOME)).unwrap();
        std::fs::write(folder.join(HOME).join("language-servers.toml"), file).unwrap();
    };
    Server::with(prepare).await
}

#[tokio::test]
async fn they_are_listed_as_they_stand_and_read_anew_when_their_file_has_changed() {
    let server = server("[servers.python]\ncommand = [\"no-such-langserver\", \"--stdio\"]\n").await;
    let (status, shown) = server.ask("GET", "language-servers", None).await;
    assert_eq!(status, 200, "{shown}");
    assert!(shown["file"].as_str().unwrap().ends_with("language-servers.toml"), "{shown}");
    let one = &shown["servers"][0];
    assert_eq!(
        (&one["name"], &one["languages"], &one["state"]),
        (&json!("python"), &json!(["python"]), &json!("missing"))
    );
    assert_eq!((&one["command"], &one["program"]), (&json!(["no-such-langserver", "--stdio"]), &json!(null)));
    assert_eq!(one["said"], "the program `no-such-langserver` was not found");
    let file = server.folder.path().join(HOME).join("language-servers.toml");
    std::fs::write(&file, "[servers.python]\ncommand = []\n").unwrap();
    let (_, shown) = server.ask("GET", "language-servers", None).await;
    assert!(shown["problem"].as_str().unwrap().contains("language-servers.toml, line 2: "), "{shown}");
    assert_eq!(shown["servers"][0]["command"][0], "no-such-langserver", "what was understood goes on");
    std::fs::write(&file, "").unwrap();
    let (_, shown) = server.ask("GET", "language-servers", None).await;
    assert_eq!((&shown["problem"], &shown["servers"]), (&json!(null), &json!([])));
}

#[tokio::test]
async fn one_is_started_anew_by_its_name() {
    let server = server("[servers.python]\ncommand = [\"no-such-langserver\"]\n").await;
    assert_eq!(server.ask("POST", "language-servers/python/restart", Some(json!({}))).await.0, 204);
    let (status, said) = server.ask("POST", "language-servers/nobody/restart", Some(json!({}))).await;
    assert_eq!((status, said["error"]["code"].as_str()), (404, Some("not_found")), "{said}");
    let restart = |name: &str| json!({ "action_type": "language_server.restart", "args": { "name": name } });
    let asked = server.post("actions", restart("python")).await;
    assert_eq!(asked["state"], "awaiting_confirmation", "it starts a program");
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let done = server.post(&format!("actions/{}/decision", asked["id"].as_str().unwrap()), yes).await;
    assert_eq!(done["state"], "done", "{done}");
    let (_, refused) = server.ask("POST", "actions", Some(restart("nobody"))).await;
    assert!(refused.to_string().contains("there is no language server"), "{refused}");
}
