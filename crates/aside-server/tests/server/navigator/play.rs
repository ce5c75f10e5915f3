//! Plays one case on a server of its own.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use aside_llm::Script;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    cases::Case,
    window::{self, Tabs},
};
use crate::harness::Server;

/// All that there is to see of a case afterwards.
#[derive(Debug, Default)]
pub struct Played {
    pub did: Vec<String>,
    pub says: String,
    pub end: Value,
    pub files: BTreeMap<String, String>,
    pub tabs: Vec<String>,
    pub notices: Vec<String>,
    pub results: Vec<String>,
    pub situation: String,
    /// The actions that had an effect, and those whose intent is in the audit.
    pub effects: Vec<String>,
    pub intents: Vec<String>,
}

const NOTEBOOK: &str = r##"{"cells": [
 {"cell_type": "code", "execution_count": 1, "id": "setup", "metadata": {}, "outputs": [], "source": ["x = 1"]},
 {"cell_type": "markdown", "id": "words", "metadata": {}, "source": ["# Tides"]},
 {"cell_type": "code", "execution_count": 2, "id": "broken", "metadata": {}, "outputs": [{"ename": "ZeroDivisionError",
  "evalue": "division by zero", "output_type": "error", "traceback": []}], "source": ["1/0"]}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;

const FILES: [(&str, &str); 8] = [
    ("plan.md", "# Plan\n\n- [x] measure\n- [ ] write\n"),
    ("report.md", "# Report\n\nDraft.\n"),
    ("data.csv", "hour,height\n0,1\n"),
    ("results.txt", "12 passed, 0 failed\n"),
    ("code/plot.py", "import math\n\nprint(math.pi)\n"),
    ("paper/paper.tex", "\\documentclass{article}\n\\begin{document}\nTides.\n\\end{document}\n"),
    ("old/a.log", "one\n"),
    ("lab.ipynb", NOTEBOOK),
];

/// The longest wait for a turn.
const PATIENCE: Duration = Duration::from_secs(60);

/// Plays it.
pub async fn play(case: &Case) -> Played {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let more = case.more.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    FILES.into_iter().chain(more).for_each(|(path, text)| put(folder.path(), path, text));
    let tabs = window::tabs(&case.open);
    let mut scene = Scene::begin(case, folder, &tabs, 0).await;
    let new = json!({ "navigator": case.budget.clone().unwrap_or_else(|| json!({})), "mode": case.mode, "grant": case.grant });
    let thread = scene.server.post("threads", new).await["id"].as_str().expect("it has an id").to_owned();
    scene.say(&thread, &case.ask).await;
    scene.settled(&thread).await;
    for act in &case.person {
        scene = scene.act(case, &thread, act).await;
        scene.settled(&thread).await;
    }
    scene.seen(&thread).await
}

fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("it is in the folder")).expect("the folder is made");
    fs::write(path, text).expect("the file is written");
}

struct Scene<'a> {
    server: Server,
    tabs: &'a Tabs,
}

impl<'a> Scene<'a> {
    /// Starts a server whose model goes on where it was.
    async fn begin(case: &Case, folder: TempDir, tabs: &'a Tabs, played: usize) -> Self {
        let steps: Vec<Value> = case.model.iter().skip(played).map(step).collect();
        let script = json!({ "name": "planner", "strict": true, "replies": [{ "steps": steps }] });
        let server = Server::rehearsing_in(folder, Script::parse(&script.to_string()).expect("a script")).await;
        if case.window {
            window::open(server.serving(), tabs.clone()).await;
        }
        Self { server, tabs }
    }

    async fn say(&self, thread: &str, text: &str) {
        let turn = json!({ "text": text, "window": window::told(self.tabs) });
        self.server.post(&format!("threads/{thread}/turns"), turn).await;
    }

    async fn act(self, case: &Case, thread: &str, act: &str) -> Self {
        match act.split_once(": ").unwrap_or((act, "")) {
            ("approve", "all") => self.decide(case, json!({ "decision": "approve", "scope": "class" })).await,
            ("approve", _) => self.decide(case, json!({ "decision": "approve" })).await,
            ("resume", _) => self.resume(thread).await,
            ("reject", reason) => self.decide(case, json!({ "decision": "reject", "reason": reason })).await,
            ("say", text) => self.say(thread, text).await,
            ("stop", _) => {
                self.server.post(&format!("threads/{thread}/stop"), json!({})).await;
                self.until(thread, is_over).await;
            }
            ("restart", _) => {
                let played = self.events(thread).await.iter().filter(|body| body["type"] == "step_ended").count();
                let folder = self.server.stop().await;
                return Self::begin(case, folder, self.tabs, played).await;
            }
            (other, _) => panic!("nobody does `{other}`"),
        }
        self
    }

    async fn decide(&self, case: &Case, mut decision: Value) {
        let waiting = self.waiting().await;
        let first = waiting.first().unwrap_or_else(|| panic!("nothing waits in “{}”", case.ask));
        decision["hash"] = first["approval_hash"].clone();
        let id = first["envelope"]["id"].as_str().expect("it has an id");
        self.server.post(&format!("actions/{id}/decision"), decision).await;
    }

    async fn waiting(&self) -> Vec<Value> {
        let (_, waiting) = self.server.ask("GET", "actions?state=awaiting_confirmation", None).await;
        waiting.as_array().cloned().unwrap_or_default()
    }

    async fn events(&self, thread: &str) -> Vec<Value> {
        let (_, found) = self.server.ask("GET", &format!("threads/{thread}"), None).await;
        let events = found["events"].as_array().cloned().unwrap_or_default();
        events.into_iter().map(|event| event["body"].clone()).collect()
    }

    /// Lets the script go on that is held.
    async fn resume(&self, thread: &str) {
        let held = self.script(thread, is_held).await.expect("a script is held");
        self.server.post(&format!("tasks/{held}/resume"), json!({})).await;
    }

    /// A script of the thread of which something holds.
    async fn script(&self, thread: &str, holds: impl Fn(&Value) -> bool) -> Option<String> {
        let (_, listed) = self.server.ask("GET", &format!("tasks?thread={thread}"), None).await;
        let tasks = listed["tasks"].as_array().cloned().unwrap_or_default();
        let found = tasks.into_iter().find(|task| task["source"]["kind"] == "script" && holds(task));
        found.map(|task| task["id"].as_str().expect("it has an id").to_owned())
    }

    /// Waits until the turn is over, or it or a script of it waits for the person.
    async fn settled(&self, thread: &str) {
        let waiting = async {
            loop {
                let events = self.events(thread).await;
                let asks = events.last().is_some_and(|body| body["record"]["state"] == "awaiting_confirmation");
                let script_asks = self.waiting().await.iter().any(|record| record["origin"]["kind"] == "script");
                if is_over(&events) || asks || script_asks || self.script(thread, is_held).await.is_some() {
                    return;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the turn ends or waits");
    }

    async fn until(&self, thread: &str, holds: impl Fn(&[Value]) -> bool) {
        let waiting = async {
            while !holds(&self.events(thread).await) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the turn ends or waits");
    }

    async fn seen(self, thread: &str) -> Played {
        let events = self.events(thread).await;
        let (_, audit) = self.server.ask("GET", "audit?limit=1000", None).await;
        let tabs = self.tabs.lock().unwrap().iter().map(|tab| tab.path.clone()).collect();
        let folder = self.server.stop().await;
        let mut played = told(&events);
        played.tabs = tabs;
        played.intents = intents(&audit, &played.effects);
        files(folder.path(), folder.path(), &mut played.files);
        played
    }
}

fn is_held(task: &Value) -> bool {
    task["state"] == "running" && task["paused"] == "person"
}

fn is_over(events: &[Value]) -> bool {
    let count = |kind: &str| events.iter().filter(|body| body["type"] == kind).count();
    count("turn_started") == count("turn_ended")
}

/// Reads the log of a thread.
fn told(events: &[Value]) -> Played {
    let mut played = Played::default();
    let mut order: Vec<(String, Value)> = Vec::new();
    for body in events {
        match body["type"].as_str().unwrap_or_default() {
            "action_changed" => {
                let record = &body["record"];
                let id = record["envelope"]["id"].as_str().unwrap_or_default().to_owned();
                match order.iter_mut().find(|(known, _)| *known == id) {
                    Some((_, known)) => *known = record.clone(),
                    None => order.push((id, record.clone())),
                }
            }
            "step_ended" => played.says = text(&body["text"]),
            "notice" => played.notices.push(text(&body["text"])),
            "turn_ended" => played.end = body["end"].clone(),
            "context_sent" => played.situation += &body["chips"].to_string(),
            _ => {}
        }
    }
    for (id, record) in &order {
        let (name, state) = (text(&record["envelope"]["action_type"]), text(&record["state"]));
        let effect =
            record["envelope"]["risk_level"].as_array().is_some_and(|risks| risks.iter().any(|risk| risk != "read"));
        if effect && state == "done" {
            played.effects.push(id.clone());
        }
        let outcome = &record["outcome"];
        played.results.push(text(&outcome["observation"]["text"]) + &text(&outcome["failure"]["message"]));
        played.did.push(if state == "done" { name } else { format!("{name} {state}") });
    }
    played
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The actions among these whose intent is in the audit, in the order of the actions.
fn intents(audit: &Value, effects: &[String]) -> Vec<String> {
    let entries = audit.as_array().or_else(|| audit["entries"].as_array()).cloned().unwrap_or_default();
    let is_intent = |id: &&String| {
        let of = |entry: &&Value| entry["body"]["kind"] == "intent" && entry.to_string().contains(id.as_str());
        entries.iter().filter(of).count() == 1
    };
    effects.iter().filter(is_intent).cloned().collect()
}

fn files(top: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder is read").flatten() {
        let path = entry.path();
        let name = path.strip_prefix(top).expect("it is below").to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            files(top, &path, found);
        } else {
            found.insert(name, fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

/// A step of the plan as the rehearsal plays it.
fn step(planned: &Value) -> Value {
    match planned {
        Value::String(words) => json!({ "text": words }),
        Value::Array(calls) => json!({ "text": "", "calls": calls.iter().map(call).collect::<Vec<_>>() }),
        one if one["endless"].is_string() => json!({ "text": one["endless"], "endless": true, "delay_ms": 1 }),
        one => json!({ "text": "", "calls": [call(one)] }),
    }
}

/// `{"find": WORDS}`, `{"describe": NAME}`, `{"do": [NAME, ARGS]}`, `{"hand_off": ARGS}`, or `{"call": [NAME, ARGS]}` for any
/// tool.
fn call(planned: &Value) -> Value {
    if let Some(words) = planned["find"].as_str() {
        return json!({ "name": "catalog_search", "args": { "query": words } });
    }
    if let Some(name) = planned["describe"].as_str() {
        return json!({ "name": "catalog_describe", "args": { "name": name } });
    }
    if planned["do"].is_array() {
        let (name, args) = (&planned["do"][0], &planned["do"][1]);
        return json!({ "name": "action_run", "args": { "action_type": name, "args": args } });
    }
    if planned["hand_off"].is_object() {
        return json!({ "name": "hand_off", "args": planned["hand_off"] });
    }
    json!({ "name": planned["call"][0], "args": planned["call"][1] })
}
