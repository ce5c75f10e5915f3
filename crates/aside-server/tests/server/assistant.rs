//! AI restrictions over the wire: whoever asks, by whatever way, while nothing, a part or all of it is allowed.

use aside_llm::{Environment, Script};
use aside_protocol::{ClientFrame, ServerFrame};
use aside_server::{ServeOptions, serve};
use serde_json::{Value, json};

use crate::{
    harness::{HOME, Server, options, started},
    program::Program,
    socket::Socket,
};

/// A model that edits, one that does not stop talking, and one that says a word.
fn script() -> Script {
    let edit = json!({ "path": "a.py", "edits": [{ "old": "one", "new": "two" }] });
    let words = "word ".repeat(4000);
    let script = json!({
        "name": "eager",
        "replies": [
            { "when": "edit", "steps": [{ "calls": [{ "name": "doc.edit", "args": edit }] }, { "text": "Done." }] },
            { "when": "talk", "steps": [{ "text": words, "delay_ms": 20 }] },
        ],
        "otherwise": "Hello.",
    });
    Script::parse(&script.to_string()).unwrap()
}

async fn server() -> Server {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "one\n").unwrap();
    Server::rehearsing_in(folder, script()).await
}

async fn restrict(server: &Server, body: Value) -> Value {
    let (status, state) = server.ask("PUT", "assistant", Some(body)).await;
    assert_eq!(status, 200, "{state}");
    state
}

async fn thread(server: &Server) -> String {
    let thread = server.post("threads", json!({ "model": "rehearsal/eager", "mode": "auto_apply" })).await;
    thread["id"].as_str().unwrap().to_owned()
}

/// Sends a message and returns the log when the turn is over or waits.
async fn turn(server: &Server, thread: &str, text: &str) -> (u16, Value) {
    server.ask("POST", &format!("threads/{thread}/turns?stream=true"), Some(json!({ "text": text }))).await
}

fn code(body: &Value) -> &str {
    body["error"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn off_asks_no_model_for_anything_and_threads_can_still_be_read() {
    let server = server().await;
    let id = thread(&server).await;
    assert_eq!(turn(&server, &id, "hello").await.0, 200);
    let state = restrict(&server, json!({ "level": "off", "scope": "workspace" })).await;
    assert_eq!((&state["level"], &state["because"][0]["by"]), (&json!("off"), &json!("workspace")));
    assert_eq!(
        std::fs::read_to_string(server.folder.path().join("aside-policy.toml")).unwrap(),
        "[[assistant]]\nlevel = \"off\"\n"
    );
    let (status, body) = turn(&server, &id, "hello").await;
    assert_eq!((status, code(&body)), (403, "ai_off"), "{body}");
    let draft = json!({ "thread": id, "text": "hello" });
    assert_eq!(code(&server.ask("POST", "models/estimate", Some(draft)).await.1), "ai_off");
    let tried = server.ask("POST", "models/test", Some(json!({ "model": "rehearsal/eager" }))).await.1;
    assert!(tried.to_string().contains("ai_off"), "{tried}");
    let (status, log) = server.ask("GET", &format!("threads/{id}"), None).await;
    assert_eq!(status, 200);
    assert!(log.to_string().contains("Hello."));
    // A person's own work is none of an assistant's.
    let own = json!({ "action_type": "doc.read", "args": { "path": "a.py" } });
    assert_eq!(server.post("actions", own).await["state"], "done");
    let program = Program::new(&server, json!({})).await;
    assert_eq!(program.act("doc.read", json!({ "path": "a.py" })).await["outcome"]["failure"]["code"], "ai_off");
    restrict(&server, json!({ "scope": "workspace" })).await;
    assert_eq!(turn(&server, &id, "hello").await.0, 200);
}

#[tokio::test]
async fn partial_reads_and_nothing_else() {
    let server = server().await;
    restrict(&server, json!({ "level": "partial", "scope": "everywhere" })).await;
    let id = thread(&server).await;
    let (status, log) = turn(&server, &id, "edit").await;
    assert_eq!(status, 200);
    assert!(log.to_string().contains("ai_restricted"), "{log}");
    assert_eq!(std::fs::read_to_string(server.folder.path().join("a.py")).unwrap(), "one\n");
    let program = Program::new(&server, json!({})).await;
    assert_eq!(program.act("doc.read", json!({ "path": "a.py" })).await["state"], "done");
    let run = program.act("shell.run", json!({ "command": "ls" })).await;
    assert_eq!(run["outcome"]["failure"]["code"], "ai_restricted");
}

#[tokio::test]
async fn only_a_person_says_so_and_no_word_widens_another() {
    let server = server().await;
    let program = Program::new(&server, json!({})).await;
    let full = json!({ "level": "full", "scope": "everywhere" });
    assert_eq!(program.ask("PUT", "assistant", Some(full.clone())).await.0, 403);
    let args = json!({ "level": "full", "scope": "workspace" });
    assert_eq!(program.act("assistant.restrict", args).await["outcome"]["failure"]["code"], "person_only");
    std::fs::write(server.folder.path().join("aside-policy.toml"), "[[assistant]]\nlevel = 'partial'\n").unwrap();
    assert_eq!(restrict(&server, full).await["level"], "partial");
    let (status, body) = server
        .ask("PUT", "assistant", Some(json!({ "level": "off", "from": 20, "until": 10, "scope": "everywhere" })))
        .await;
    assert_eq!((status, code(&body)), (400, "invalid_args"), "{body}");
}

#[tokio::test]
async fn what_the_server_was_started_with_holds_whatever_is_said_later() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment { rehearsal: Some(script()), ..Environment::default() };
    let assistant = Some("partial".parse().unwrap());
    let options = ServeOptions { environment, assistant, ..options(folder.path()) };
    let server = Server { running: started(serve(options).await.unwrap()), folder };
    let state = restrict(&server, json!({ "level": "full", "scope": "everywhere" })).await;
    assert_eq!((&state["level"], &state["because"][0]["by"]), (&json!("partial"), &json!("server")));
}

#[tokio::test]
async fn a_turn_ends_at_once_keeps_what_it_said_and_every_window_hears_why() {
    let server = server().await;
    let id = thread(&server).await;
    let mut socket = Socket::connect(server.serving()).await;
    socket
        .until(|frame| matches!(frame, ServerFrame::Assistant { state } if state.because.is_empty()).then_some(()))
        .await;
    socket.say(&ClientFrame::Subscribe { thread: id.parse().unwrap(), after: 0 }).await;
    server.post(&format!("threads/{id}/turns"), json!({ "text": "talk" })).await;
    socket.until(|frame| matches!(frame, ServerFrame::ThreadDelta { .. }).then_some(())).await;
    let organisation = server.folder.path().join(HOME).join("organisation.toml");
    std::fs::create_dir_all(organisation.parent().unwrap()).unwrap();
    std::fs::write(organisation, "[[assistant]]\nlevel = 'off'\n").unwrap();
    let (mut told, mut said, mut ended) = (false, String::new(), None);
    socket
        .until(|frame| {
            match frame {
                ServerFrame::Assistant { state } => told = state.sentence().contains("your organisation"),
                ServerFrame::ThreadEvent { event, .. } => match serde_json::to_value(&event.body).unwrap() {
                    body if body["type"] == "step_ended" => said = body["text"].as_str().unwrap().to_owned(),
                    body if body["type"] == "turn_ended" => ended = Some(body["end"].clone()),
                    _ => {}
                },
                _ => {}
            }
            (told && ended.is_some()).then_some(())
        })
        .await;
    assert_eq!(ended.unwrap()["failure"]["code"], "ai_off");
    assert!(said.starts_with("word "), "what had come is kept");
}

#[tokio::test]
async fn what_a_model_asked_for_and_planned_leaves_the_list() {
    let server = server().await;
    let id = thread(&server).await;
    server.ask("PATCH", &format!("threads/{id}"), Some(json!({ "mode": "review_each" }))).await;
    turn(&server, &id, "edit").await;
    let program = Program::new(&server, json!({})).await;
    let steps = json!([{ "action_type": "file.delete", "args": { "path": "a.py" } }]);
    program.act("task.plan", json!({ "goal": "clean", "steps": steps })).await;
    let (_, waiting) = server.ask("GET", "actions?state=awaiting_confirmation", None).await;
    let asked = waiting[0]["envelope"]["id"].as_str().unwrap().to_owned();
    restrict(&server, json!({ "level": "partial", "scope": "workspace" })).await;
    let ended = server.until(&asked, |action| action["state"] != "awaiting_confirmation").await;
    assert_eq!(ended["outcome"]["failure"]["code"], "ai_restricted", "{ended}");
    let looking = async {
        loop {
            let (_, tasks) = server.ask("GET", "tasks?open=true", None).await;
            if tasks["tasks"].as_array().is_some_and(Vec::is_empty) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), looking).await.expect("no plan waits any more");
}
