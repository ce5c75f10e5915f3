//! Every example of the whole catalog does what it says, and what people say finds the action that they mean in it.
//!
//! The examples of the built-in actions run in `aside-actions`, where each has its scene. Here are those that the server
//! adds to them; what can't run here is in a list, with the reason.

use std::{collections::BTreeSet, fs, sync::Arc};

use aside_actions::{Browser, PersonsHistory, WindowAnswer, WindowCall};
use aside_core::Failure;
use aside_gate::Grants;
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::harness::Server;

/// Examples that don't run here, and why.
const NOT_HERE: &[(&str, &str)] = &[
    ("cell.clear_outputs", "with a kernel, in notebooks.rs of aside-actions"),
    ("cell.restore_outputs", "what it puts back is named by what was taken away: in notebooks.rs, as an undo"),
    ("cell.run", "with a kernel, in notebooks.rs of aside-actions"),
    ("kernel.interrupt", "with a kernel, in notebooks.rs of aside-actions"),
    ("kernel.restart", "with a kernel, in notebooks.rs of aside-actions"),
    ("kernel.setup", "it installs packages from the network; notebooks.rs looks at what it would run"),
    ("kernel.shutdown", "with a kernel, in notebooks.rs of aside-actions"),
    ("kernel.start", "with a kernel, in notebooks.rs of aside-actions"),
    ("kernel.variables", "with a kernel, in sessions.rs of aside-kernels"),
    ("mcp.add", "with a server of its own, in tests.rs of aside-mcp"),
    ("mcp.distrust", "with a server of its own, in tests.rs of aside-mcp"),
    ("mcp.reconnect", "with a server of its own, in tests.rs of aside-mcp"),
    ("mcp.remove", "with a server of its own, in tests.rs of aside-mcp"),
    ("mcp.trust", "with a server of its own, in tests.rs of aside-mcp"),
    ("language_server.restart", "with a server of its own, in language_servers.rs"),
    ("recipe.delete", "with a task of its own, in own_actions.rs"),
    ("recipe.save", "with a task of its own, in own_actions.rs"),
    ("device.revoke", "with a browser that signed in, in own_actions.rs"),
    ("model.test", "with a model that is there, in own_actions.rs"),
    ("task.pause", "with a task of its own, in own_actions.rs"),
    ("task.cancel", "with a task of its own, in own_actions.rs"),
    ("notebook.trust", "with the kernels of notebooks, in notebooks.rs of aside-actions"),
    ("terminal.close", "with a shell of its own, in terminals.rs of aside-actions"),
    ("terminal.read", "with a shell of its own, in terminals.rs of aside-actions"),
    ("terminal.send", "with a shell of its own, in terminals.rs of aside-actions"),
    ("model.choose", "with a model that is there, in own_actions.rs"),
    ("model.pull", "it fetches gigabytes; pull.spec.ts has it from an Ollama of its own"),
];

/// The thread of the examples.
const THREAD: &str = "thr_01kahz8v9k0000000000000000";

struct NoWindow;

impl Browser for NoWindow {
    fn perform<'a>(&'a self, _: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        Box::pin(async { Err(Failure::new("no_window", "no window is open")) })
    }
}

/// The actions whose examples run in `aside-actions`, and fail there if they don't.
fn built_in() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
    let workspace = Workspace::open(folder.path(), store.clone()).unwrap();
    let catalog = aside_actions::catalog(&workspace, Grants::new(store), Arc::new(NoWindow)).unwrap();
    let nobodys = PersonsHistory { folder: None, workspace: String::new() };
    catalog.replace(|_| false, aside_actions::history(&nobodys)).unwrap();
    catalog.replace(|_| false, aside_actions::note_actions(&workspace)).unwrap();
    catalog.descriptors().iter().map(|descriptor| descriptor.name.to_string()).collect()
}

async fn world() -> (Server, String) {
    let server = Server::with(|folder| {
        fs::create_dir(folder.join("src")).unwrap();
        fs::write(folder.join("data.csv"), "time,height\n1,3.1\n2,2.7\n").unwrap();
        fs::write(folder.join("plot.py"), "plot(\"data.csv\")\n").unwrap();
    })
    .await;
    let thread = server.post("threads", json!({})).await["id"].as_str().unwrap().to_owned();
    (server, thread)
}

/// A person asks, and says yes if asked back.
async fn act(server: &Server, name: &str, args: &Value) -> Value {
    let asked = server.post("actions", json!({ "action_type": name, "args": args })).await;
    if asked["state"] != "awaiting_confirmation" {
        return asked;
    }
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    server.post(&format!("actions/{}/decision", asked["id"].as_str().unwrap()), yes).await
}

async fn catalog(server: &Server) -> Vec<Value> {
    let (_, catalog) = server.ask("GET", "catalog", None).await;
    catalog.as_array().expect("a list of actions").clone()
}

#[tokio::test]
async fn every_example_that_the_server_adds_runs() {
    let (server, thread) = world().await;
    let other = server.post("threads", json!({})).await["id"].as_str().unwrap().to_owned();
    let (built_in, catalog) = (built_in(), catalog(&server).await);
    let name = |action: &Value| action["name"].as_str().unwrap().to_owned();
    let mut ran = Vec::new();
    for action in &catalog {
        let name = name(action);
        aside_gate::check_declaration(&serde_json::from_value(action.clone()).unwrap()).unwrap();
        if built_in.contains(&name) || NOT_HERE.iter().any(|(other, _)| *other == name) {
            continue;
        }
        for example in action["examples"].as_array().unwrap() {
            let meant = if name == "thread.delete" || name == "thread.restore" { &thread } else { &other };
            let args = example["args"].to_string().replace(THREAD, meant);
            let done = act(&server, &name, &serde_json::from_str(&args).unwrap()).await;
            assert_eq!(done["state"], "done", "{name}, {}: {}", example["title"], done["outcome"]);
        }
        ran.push(name);
    }
    let there: BTreeSet<String> = catalog.iter().map(name).collect();
    for (other, _) in NOT_HERE {
        assert!(there.contains(*other) && !built_in.contains(*other), "{other} is not to be left out");
    }
    assert!(ran.len() >= 8, "{ran:?}");
}

/// What people say, and the action that has to come first.
fn golden() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = [include_str!("../../../aside-actions/tests/golden_queries.txt"), include_str!("golden_queries.txt")];
    let lines = lines.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" -> ").expect("`words -> action`"))
}

#[tokio::test]
async fn what_people_say_finds_the_action_they_mean_among_all_of_them() {
    let (server, _) = world().await;
    let mut misses = Vec::new();
    for (words, wanted) in golden() {
        let (mut query, mut free) = (json!({ "query": "", "limit": 3 }), Vec::new());
        for word in words.split(' ') {
            match word.split_once(':') {
                Some(("noun", noun)) => query["noun"] = json!(noun),
                Some(("risks", risks)) => query["risks"] = risks.split(',').collect(),
                _ => free.push(word),
            }
        }
        query["query"] = json!(free.join(" "));
        let found = server.post("actions", json!({ "action_type": "catalog.search", "args": query })).await;
        let found = found["outcome"]["observation"]["data"]["actions"].clone();
        if found[0]["name"] != wanted {
            let names: Vec<_> = found.as_array().into_iter().flatten().map(|hit| hit["name"].to_string()).collect();
            misses.push(format!("{words} -> {wanted}, not {names:?}"));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
    let catalog = catalog(&server).await;
    let asked: BTreeSet<_> = golden().map(|(_, name)| name).collect();
    let unasked = catalog.iter().filter_map(|action| action["name"].as_str()).filter(|name| !asked.contains(name));
    assert_eq!(unasked.collect::<Vec<_>>(), Vec::<&str>::new(), "nobody asks for these in golden_queries.txt");
}
