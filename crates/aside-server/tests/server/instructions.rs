//! Standing instructions: who is heard, in which order, how much, and how they are left out.

use aside_core::{ContextChip, InstructionsAt, Label, ThreadEvent, ThreadEventBody};
use aside_llm::Script;
use serde_json::{Value, json};

use crate::harness::{HOME, Server, data};

/// A workspace that was cloned: it says how to work in it, at length.
async fn server() -> Server {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let _ = data(folder.path());
    write(&format!("{HOME}/instructions.md"), "Answer briefly.\n");
    write("AGENTS.md", "Use tabs.\n");
    write("src/AGENTS.md", &"Name things whole.\n".repeat(1000));
    write("src/model.py", "x = 1\n");
    write("notes.md", "# Notes\n");
    let script = json!({ "name": "demo", "replies": [], "otherwise": "Yes." });
    Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await
}

async fn thread(server: &Server, new: Value) -> String {
    server.post("threads", new).await["id"].as_str().unwrap().to_owned()
}

/// Sends a message beside a file and returns the instructions that went along with it.
async fn said(server: &Server, thread: &str, beside: &str) -> Vec<ContextChip> {
    let body = json!({ "text": "go on", "focus": { "path": beside, "scope": "nothing" } });
    let (status, lines) = server.ask("POST", &format!("threads/{thread}/turns?stream=true"), Some(body)).await;
    assert_eq!(status, 200, "{lines}");
    let (_, log) = server.ask("GET", &format!("threads/{thread}"), None).await;
    let events: Vec<ThreadEvent> = serde_json::from_value(log["events"].clone()).unwrap();
    let last = events.iter().rposition(|event| matches!(event.body, ThreadEventBody::TurnStarted { .. })).unwrap();
    let chips = events.into_iter().skip(last).filter_map(|event| match event.body {
        ThreadEventBody::ContextSent { chips, .. } => Some(chips),
        _ => None,
    });
    chips.flatten().filter(|chip| chip.instructions.is_some()).collect()
}

fn labels(chips: &[ContextChip]) -> Vec<&str> {
    chips.iter().map(|chip| chip.label.as_str()).collect()
}

#[tokio::test]
async fn they_go_along_once_in_a_fixed_order_bounded_and_with_their_labels() {
    let server = server().await;
    let thread = thread(&server, json!({ "document": "notes.md" })).await;
    let first = said(&server, &thread, "notes.md").await;
    assert_eq!(labels(&first), ["Instructions: your instructions.md", "Instructions: AGENTS.md"]);
    assert!(first[0].text.starts_with("[Aside] The user's custom instructions") && first[0].source.is_none());
    assert_eq!(first[1].source.as_ref().unwrap().label, Label::External);
    let second = said(&server, &thread, "src/model.py").await;
    assert_eq!(labels(&second), ["Instructions: src/AGENTS.md"], "what is known is not said again");
    assert!(
        second[0].text.len() < 9000 && second[0].text.contains("\n[truncated: the full text has 18"),
        "{}",
        second[0].text
    );
    std::fs::write(server.folder.path().join(HOME).join("instructions.md"), "Answer at length.\n").unwrap();
    let third = said(&server, &thread, "src/model.py").await;
    assert_eq!(labels(&third), ["Instructions: your instructions.md"]);
    assert!(said(&server, &thread, "src/model.py").await.is_empty());
}

#[tokio::test]
async fn a_person_leaves_some_out_and_says_whose_they_are() {
    let server = server().await;
    let out = json!([{ "kind": "file", "path": "AGENTS.md" }]);
    let thread = thread(&server, json!({ "document": "notes.md", "without": out })).await;
    assert_eq!(labels(&said(&server, &thread, "notes.md").await), ["Instructions: your instructions.md"]);
    let (_, shown) = server.ask("GET", &format!("instructions?thread={thread}"), None).await;
    let left_out: Vec<_> = shown["files"].as_array().unwrap().iter().map(|file| &file["left_out"]).collect();
    assert_eq!(left_out, [false, true], "{shown}");
    let all = json!({ "without": [{ "kind": "person" }] });
    assert_eq!(server.ask("PATCH", &format!("threads/{thread}"), Some(all)).await.0, 200);
    let mine = json!({ "action_type": "file.label", "args": { "path": "AGENTS.md", "label": "workspace" } });
    let asked = server.post("actions", mine).await;
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let done = server.post(&format!("actions/{}/decision", asked["id"].as_str().unwrap()), yes).await;
    assert_eq!(done["state"], "done", "{done}");
    let chips = said(&server, &thread, "notes.md").await;
    assert_eq!(labels(&chips), ["Removed: your instructions.md", "Instructions: AGENTS.md"]);
    assert_eq!(chips[0].instructions, Some(InstructionsAt::Person));
    assert_eq!(chips[1].source.as_ref().unwrap().label, Label::Workspace);
    assert!(chips[1].text.starts_with("[Aside] `AGENTS.md` is the user's"), "{}", chips[1].text);
}

#[tokio::test]
async fn what_goes_along_is_shown_before_with_how_much_of_it() {
    let server = server().await;
    let (status, shown) = server.ask("GET", "instructions?document=src/model.py", None).await;
    assert_eq!(status, 200, "{shown}");
    let files = shown["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["your instructions.md", "AGENTS.md", "src/AGENTS.md"]);
    assert_eq!(
        (&files[2]["bytes"], &files[2]["sent"], &files[2]["label"]),
        (&json!(19_000), &json!(8192), &json!("external"))
    );
    assert_eq!(files[0]["label"], "user");
}

#[tokio::test]
async fn those_of_the_workspace_go_after_the_persons_and_before_the_files() {
    let server = server().await;
    std::fs::write(server.folder.path().join(".aside/instructions.md"), "Tests first.\n").unwrap();
    let thread = thread(&server, json!({ "document": "notes.md" })).await;
    let chips = said(&server, &thread, "notes.md").await;
    let expected =
        ["Instructions: your instructions.md", "Instructions: .aside/instructions.md", "Instructions: AGENTS.md"];
    assert_eq!(labels(&chips), expected);
    assert!(chips[1].text.starts_with("[Aside] The user's custom instructions for this workspace."));
    assert!(chips[1].text.ends_with("Tests first.") && chips[1].source.is_none(), "{:?}", chips[1]);
    std::fs::remove_file(server.folder.path().join(".aside/instructions.md")).unwrap();
    let chips = said(&server, &thread, "notes.md").await;
    assert_eq!(labels(&chips), ["Removed: .aside/instructions.md"]);
}
