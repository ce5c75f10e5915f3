//! Every action × every restriction × every way to ask for it, by the doors that a student has too.
//!
//! The table is an answer of its own: what each action does to the person's work. A new action has none, and fails here.

#[path = "restrictions/answers.rs"]
mod answers;

use std::collections::BTreeMap;

use aside_llm::Script;
use serde_json::{Value, json};

use answers::{ANSWERS, Does};

use crate::{
    harness::Server,
    history::{calls, chat, ollama, question, says, world as history},
    mcp::Client,
    program::Program,
};

/// What holds while it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Off,
    Partial,
    Full,
    Hint,
}

impl Held {
    /// Whether the restriction leaves it.
    fn leaves(self, does: Does) -> bool {
        match self {
            Self::Off => false,
            Self::Partial | Self::Hint => does == Does::Looks,
            Self::Full => true,
        }
    }

    async fn hold(self, server: &Server) {
        let level = match self {
            Self::Off => "off",
            Self::Partial => "partial",
            Self::Full | Self::Hint => "full",
        };
        let body = json!({ "level": level, "scope": "workspace" });
        assert_eq!(server.ask("PUT", "assistant", Some(body)).await.0, 200);
    }
}

/// Whether the grant, or a restriction, is why it was not done.
fn held_back(record: &Value) -> bool {
    let outcome = &record["outcome"];
    outcome["kind"] == "refused"
        && outcome["by"] == "grant"
        && ["not_granted", "ai_off", "ai_restricted"].contains(&outcome["failure"]["code"].as_str().unwrap_or_default())
}

/// A server whose model calls any action by its name with the first of its examples.
async fn world() -> (Server, BTreeMap<String, Value>) {
    let server = Server::with(|folder| {
        std::fs::write(folder.join("a.py"), "one\n").unwrap();
        std::fs::write(folder.join("a.ipynb"), "").unwrap();
    })
    .await;
    let (_, catalog) = server.ask("GET", "catalog", None).await;
    let examples = catalog.as_array().or(catalog["actions"].as_array()).expect("a list of actions").iter();
    let examples: BTreeMap<_, _> = examples
        .map(|action| (action["name"].as_str().unwrap().to_owned(), action["examples"][0]["args"].clone()))
        .collect();
    let folder = server.stop().await;
    let reply = |(name, args): (&String, &Value)| {
        let call = json!({ "name": "action_run", "args": { "action_type": name, "args": args } });
        json!({ "when": format!("do {name} now"), "steps": [{ "calls": [call] }, { "text": "Done." }] })
    };
    let replies: Vec<_> = examples.iter().map(reply).collect();
    let script = json!({ "name": "any", "replies": replies, "otherwise": "What?" }).to_string();
    (Server::rehearsing_in(folder, Script::parse(&script).unwrap()).await, examples)
}

/// Beside what somebody has the agent that has this action.
fn document(name: &str) -> Option<&'static str> {
    ["notebook.", "cell.", "kernel."].iter().any(|noun| name.starts_with(noun)).then_some("a.ipynb")
}

async fn thread(server: &Server, name: &str, hint: bool) -> String {
    let (model, mode, document) = ("rehearsal/any", "review_at_end", document(name));
    let new = json!({ "model": model, "mode": mode, "hint": hint, "document": document });
    server.post("threads", new).await["id"].as_str().unwrap().to_owned()
}

/// The last record of an action in a log that came as lines.
fn record_in(log: &str, name: &str) -> Option<Value> {
    let events = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut records =
        events.filter(|event| event["body"]["type"] == "action_changed").map(|event| event["body"]["record"].clone());
    records.rfind(|record| record["envelope"]["action_type"] == name)
}

#[tokio::test]
async fn every_action_has_an_answer() {
    let (_server, examples) = world().await;
    let answered: Vec<_> = ANSWERS.iter().map(|(name, _)| *name).collect();
    let there: Vec<_> = examples.keys().map(String::as_str).collect();
    assert_eq!(there, answered, "say in ANSWERS what a new action does to the person's work");
}

#[tokio::test]
async fn a_turn_gets_what_is_left_and_nothing_else() {
    let (server, examples) = world().await;
    for held in [Held::Off, Held::Partial, Held::Hint] {
        for (name, does) in ANSWERS {
            Held::Full.hold(&server).await;
            let id = thread(&server, name, held == Held::Hint).await;
            held.hold(&server).await;
            let (path, text) = (format!("threads/{id}/turns?stream=true"), format!("do {name} now"));
            let (status, log) = server.ask("POST", &path, Some(json!({ "text": text }))).await;
            if held == Held::Off {
                assert_eq!((status, &log["error"]["code"]), (403, &json!("ai_off")), "{name}");
                continue;
            }
            let log = log.as_str().map_or_else(|| log.to_string(), str::to_owned);
            let record = record_in(&log, name).unwrap_or_else(|| panic!("{held:?} {name} was not asked for: {log}"));
            assert_eq!(held_back(&record), !held.leaves(*does), "{held:?} {name}: {}", record["outcome"]);
        }
    }
    assert_eq!(examples.len(), ANSWERS.len());
    assert_eq!(std::fs::read_to_string(server.folder.path().join("a.py")).unwrap(), "one\n");
}

#[tokio::test]
async fn a_program_gets_what_is_left_by_either_door() {
    let (server, examples) = world().await;
    let program = Program::new(&server, json!({})).await;
    let client = Client::new(&server, &program.token).await;
    for held in [Held::Full, Held::Partial, Held::Off] {
        held.hold(&server).await;
        for (name, does) in ANSWERS {
            let args = &examples[*name];
            // A look, so that a whole grant does not do what all of them say.
            let body = json!({ "action_type": name, "args": args, "dry_run": held == Held::Full });
            let (_, answer) = program.ask("POST", "actions", Some(body)).await;
            assert_eq!(held_back(&answer), !held.leaves(*does), "{held:?} {name}: {answer}");
            if held == Held::Full {
                continue;
            }
            let told = client.call(&name.replace('.', "_"), args.clone()).await.to_string();
            let is_back = ["not_granted", "ai_off", "ai_restricted", "no tool", "unknown tool", "Unknown tool"];
            assert_eq!(
                is_back.iter().any(|code| told.contains(code)),
                !held.leaves(*does),
                "MCP {held:?} {name}: {told}"
            );
        }
        if held == Held::Off {
            let list = client.request("tools/list", json!({})).await;
            assert!(!list.to_string().contains("doc_read"), "{list}");
        }
    }
}

#[tokio::test]
async fn a_program_s_thread_of_hints_gives_nothing_more_than_hints() {
    let (server, examples) = world().await;
    let program = Program::new(&server, json!({})).await;
    for (name, does) in ANSWERS {
        let (model, document) = ("rehearsal/any", document(name));
        let new = json!({ "model": model, "hint": true, "document": document });
        let (_, thread) = program.ask("POST", "threads", Some(new)).await;
        let id = thread["id"].as_str().unwrap();
        // Nothing that can be said of the thread later lifts it.
        for change in [json!({ "hint": false }), json!({ "grant": {} }), json!({ "mode": "auto_apply" })] {
            server.ask("PATCH", &format!("threads/{id}"), Some(change)).await;
        }
        let (_, log) = program
            .ask("POST", &format!("threads/{id}/turns?stream=true"), Some(json!({ "text": format!("do {name} now") })))
            .await;
        let log = log.as_str().map_or_else(|| log.to_string(), str::to_owned);
        let record = record_in(&log, name).unwrap_or_else(|| panic!("{name}: {log}"));
        assert_eq!(held_back(&record), !Held::Hint.leaves(*does), "{name}: {}", record["outcome"]);
    }
    assert_eq!(examples.len(), ANSWERS.len());
}

#[tokio::test]
async fn a_plan_and_a_recipe_carry_nothing_past_it() {
    let (server, _) = world().await;
    let program = Program::new(&server, json!({})).await;
    Held::Partial.hold(&server).await;
    let steps = json!([{ "action_type": "file.delete", "args": { "path": "a.py" } }]);
    let planned = program.act("task.plan", json!({ "goal": "clean", "steps": steps })).await;
    assert!(held_back(&planned), "{planned}");
    for (method, path) in [("POST", "tasks"), ("POST", "recipes"), ("POST", "recipes/x/run")] {
        let (status, _) = program.ask(method, path, Some(json!({ "goal": "clean", "steps": steps }))).await;
        assert_eq!(status, 403, "{path} is for persons alone");
    }
    // A plan that was confirmed and waits for its next step goes no further: it is checked at each.
    Held::Full.hold(&server).await;
    program.act("task.plan", json!({ "goal": "clean", "steps": steps })).await;
    let (_, tasks) = server.ask("GET", "tasks?open=true", None).await;
    let id = tasks["tasks"][0]["id"].as_str().unwrap().to_owned();
    let (_, shown) = server.ask("GET", &format!("tasks/{id}"), None).await;
    // By a file that nobody was told of yet.
    std::fs::write(server.folder.path().join("aside-policy.toml"), "[[assistant]]\nlevel = 'partial'\n").unwrap();
    let yes = json!({ "decision": "approve", "hash": shown["plan"]["hash"] });
    server.ask("POST", &format!("tasks/{id}/decision"), Some(yes)).await;
    assert!(server.folder.path().join("a.py").exists());
}

/// The questions that are offered to a model about the history.
async fn questions(server: &Server) -> usize {
    let headers = [("host", &*format!("127.0.0.1:{}", server.port())), ("authorization", "Bearer token-of-the-test")];
    let told = server.raw("GET", "/api/meta-agent/tools", &headers, "").await;
    serde_json::from_str::<Value>(&told.body).unwrap()["names"].as_array().unwrap().len()
}

#[tokio::test]
async fn the_model_of_the_history_is_asked_only_where_nothing_is_restricted() {
    let (address, asked) = ollama(vec![says("The solution is 42.")]).await;
    let server = history(Some(&address)).await;
    for (held, code) in [(Held::Partial, "ai_restricted"), (Held::Off, "ai_off")] {
        held.hold(&server).await;
        for tools in [true, false] {
            let (status, told) = chat(&server, question(tools)).await;
            assert_eq!((status, &told[0]["error"]["code"]), (403, &json!(code)), "{told:?}");
            assert!(told[0]["error"]["message"].as_str().unwrap().contains("has set this"), "{told:?}");
        }
        assert_eq!(questions(&server).await, 0);
    }
    assert!(asked.lock().unwrap().is_empty());
    Held::Full.hold(&server).await;
    assert_eq!(chat(&server, question(true)).await.1.last().unwrap()["type"], "done");
    assert_eq!(questions(&server).await, 14);
}

#[tokio::test]
async fn an_answer_from_the_history_ends_when_ai_is_restricted_meanwhile() {
    for held in [Held::Partial, Held::Off] {
        let (address, asked) = ollama(vec![calls("get_cost_summary", json!({ "period": "all" })), Value::Null]).await;
        let server = history(Some(&address)).await;
        let restricts = async {
            while asked.lock().unwrap().len() < 2 {
                tokio::task::yield_now().await;
            }
            held.hold(&server).await;
        };
        let ((status, lines), ()) = tokio::join!(chat(&server, question(true)), restricts);
        let last = lines.last().unwrap();
        assert_eq!((status, &last["type"]), (200, &json!("error")));
        assert!(last["message"].as_str().unwrap().starts_with("AI "), "{last}");
    }
}

#[tokio::test]
async fn what_a_model_asks_of_the_history_is_no_person_s_own_request() {
    let (address, _) = ollama(vec![calls("get_cost_summary", json!({ "period": "all" })), says("Nothing.")]).await;
    let server = history(Some(&address)).await;
    let (_, lines) = chat(&server, question(true)).await;
    assert_eq!(lines[1]["ok"], true, "{lines:?}");
    let (_, log) = server.ask("GET", "audit?action=history.get_cost_summary", None).await;
    assert!(log.to_string().contains(r#""kind":"sidebar""#), "{log}");
}
