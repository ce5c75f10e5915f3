//! A workspace with a real Gate in front of it.
#![allow(dead_code, reason = "each test file uses some of it")]
#![allow(clippy::disallowed_methods, reason = "sets the scene")]

use std::{fs, sync::Arc};

use aside_actions::{Browser, PersonsHistory, WindowAnswer, WindowCall};
use aside_core::{
    ActionRecord, ActionRequest, ActionState, Choice, Decision, Failure, Grant, Origin, Outcome, ReviewMode, WindowId,
    WorkspacePath,
};
use aside_doc::{Access, PeerId, TextDocument};
use aside_gate::{Gate, Grants, LivePolicy, Policy, PolicyFiles, Submission};
use aside_history::{Effort, History};
use aside_index::WorkspaceIndex;
use aside_store::{DataFolder, Store, StoreOptions};
use aside_workspace::{Document, DocumentFrame, Workspace};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

/// A notebook: some text, a cell that has run, one that failed, and one that its notebook protects.
pub const TIDES: &str = r##"{
 "cells": [
  {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# Tides"]},
  {"cell_type": "code", "execution_count": 3, "id": "load", "metadata": {}, "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["two heights\n"]}
   ], "source": ["heights = [1, 2]"]},
  {"cell_type": "code", "execution_count": 4, "id": "plot", "metadata": {}, "outputs": [
    {"ename": "NameError", "evalue": "name 'height' is not defined", "output_type": "error",
     "traceback": ["Traceback", "\u001b[31mNameError\u001b[0m: name 'height' is not defined"]}
   ], "source": ["import matplotlib\n", "plot(height)"]},
  {"cell_type": "code", "execution_count": null, "id": "grade", "metadata": {"deletable": false, "editable": false},
   "outputs": [], "source": ["assert heights"]}
 ],
 "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

pub struct Bench {
    pub folder: tempfile::TempDir,
    pub workspace: Arc<Workspace>,
    pub gate: Arc<Gate>,
    pub store: Arc<Store>,
}

/// A window with two tabs, in which one was closed.
struct Window;

impl Browser for Window {
    fn perform<'a>(&'a self, call: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        let window: WindowId = "w1".parse().unwrap();
        let regions = json!({ "sidebar": "show", "side": "show" });
        let placed = |id: &str| json!({ "id": id, "path": "a.md", "shows": "file", "pane": "pane-1", "index": 0 });
        let result = match call.name.as_str() {
            "ui.tabs.list" => json!({ "tabs": [
                { "id": "tab-1", "path": "src/model.py", "shows": "file", "pane": 1, "active": true, "shown": true },
                { "id": "tab-2", "path": "data/old.csv", "shows": "file", "pane": 1 },
                { "id": "tab-3", "path": "audit", "shows": "page", "pane": 1 },
            ] }),
            "ui.tabs.open" => json!({ "opened": ["tab-4"] }),
            "ui.tabs.close" => {
                let ids = call.args["tabs"].as_array().unwrap();
                json!({ "closed": ids.iter().map(|id| placed(id.as_str().unwrap())).collect::<Vec<_>>() })
            }
            "ui.tabs.reopen" => json!({ "reopened": [placed("tab-5")] }),
            "ui.split" => json!({ "opened": "tab-6" }),
            "ui.layout" => json!({ "before": regions, "now": regions }),
            _ => json!({}),
        };
        Box::pin(async move { Ok(WindowAnswer { open: vec![window.clone()], window, result }) })
    }
}

/// A person's own folder.
fn own(folder: &std::path::Path) -> DataFolder {
    DataFolder::at(folder.join(".aside/own"))
}

/// The built-in rules, and those of the folder if it has any.
fn rules(folder: &std::path::Path) -> LivePolicy {
    if !folder.join("aside-policy.toml").exists() {
        return Policy::builtin().into();
    }
    let (organisation, workspace) = (folder.join(".aside/none.toml"), folder.to_owned());
    LivePolicy::open(PolicyFiles { organisation, data_folder: None, workspace, assistant: None })
}

impl Bench {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        Self::over(folder)
    }

    fn over(folder: tempfile::TempDir) -> Self {
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder.path(), Arc::clone(&store)).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(Window)).unwrap();
        let persons = PersonsHistory { folder: Some(own(folder.path())), workspace: "/w".to_owned() };
        catalog.replace(|_| false, aside_actions::history(&persons)).unwrap();
        let index = WorkspaceIndex::start(&workspace);
        catalog.replace(|_| false, aside_actions::search_actions(&workspace, &index)).unwrap();
        let gate = Gate::new(store.clone(), catalog, rules(folder.path()));
        Self { folder, workspace, gate, store }
    }

    /// Imports the past session `demo` in the folder `/w`.
    pub fn import_session(&self) {
        let home = self.folder.path().join(".aside/home");
        let logs = home.join(".claude/projects/-w");
        fs::create_dir_all(&logs).unwrap();
        let answer = json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": "/w", "requestId": "r", "message": {
            "id": "m", "model": "claude-opus-4-5", "usage": { "input_tokens": 5, "output_tokens": 9 }, "content": [
                { "type": "text", "text": "The webhooks of Stripe are signed." },
                { "type": "tool_use", "id": "t", "name": "Write", "input": { "file_path": "/w/src/main.rs", "content": "fn main() {}\n" } } ] } });
        fs::write(logs.join("demo.jsonl"), format!("{answer}\n")).unwrap();
        let mut history = History::open_in(&own(self.folder.path())).unwrap();
        let home = home.display().to_string();
        history.update(|name| (name == "HOME").then(|| home.clone()), Effort::All, &mut |_| ()).unwrap();
        history.read_texts().unwrap();
    }

    /// As after `kill -9`.
    pub fn started_again(self) -> Self {
        let Self { folder, workspace, gate, store } = self;
        drop((workspace, gate, store));
        Self::over(folder)
    }

    /// A person asks.
    pub async fn ask(&self, name: &str, args: Value) -> ActionRecord {
        self.gate.submit(request(name, args), person()).await.unwrap().record
    }

    /// A person asks, and says yes if asked back.
    pub async fn act(&self, name: &str, args: Value) -> ActionRecord {
        let record = self.ask(name, args).await;
        let record = match record.state {
            ActionState::AwaitingConfirmation => self.approve(&record).await,
            _ => record,
        };
        assert_eq!(record.state, ActionState::Done, "{:#?}", record.outcome);
        record
    }

    /// Approved if asked, whatever comes of it.
    pub async fn act_any(&self, name: &str, args: Value) -> ActionRecord {
        let record = self.ask(name, args).await;
        if record.state == ActionState::AwaitingConfirmation { self.approve(&record).await } else { record }
    }

    /// A model asks in a thread that reviews each edit.
    pub async fn propose(&self, name: &str, args: Value) -> ActionRecord {
        self.gate.submit(request(name, args), model(ReviewMode::ReviewEach)).await.unwrap().record
    }

    pub async fn approve(&self, record: &ActionRecord) -> ActionRecord {
        let decision = Decision::approve(record.approval_hash.clone());
        self.gate.decide(&record.envelope.id, decision, "ada").await.unwrap()
    }

    pub async fn decide_part(&self, record: &ActionRecord, part: u32, choice: Choice) -> ActionRecord {
        let decision =
            Decision { decision: choice, parts: Some(vec![part]), ..Decision::approve(record.approval_hash.clone()) };
        self.gate.decide(&record.envelope.id, decision, "ada").await.unwrap()
    }

    pub async fn undo(&self, record: &ActionRecord) -> ActionRecord {
        let submitted = self.gate.undo(&record.envelope.id, person(), None).await.unwrap();
        assert_eq!(submitted.record.state, ActionState::Done, "{:#?}", submitted.record.outcome);
        submitted.record
    }

    pub fn document(&self, file: &str) -> Arc<Document> {
        self.workspace.document(&path(file)).unwrap()
    }

    pub fn text(&self, file: &str) -> String {
        self.document(file).text().to_string()
    }

    pub fn on_disk(&self, file: &str) -> String {
        assert!(self.workspace.save_all().is_empty());
        fs::read_to_string(self.folder.path().join(file)).unwrap()
    }

    pub fn exists(&self, file: &str) -> bool {
        self.folder.path().join(file).exists()
    }

    /// Somebody types in a browser: the text becomes what `change` makes of it.
    pub fn type_in(&self, file: &str, change: impl FnOnce(&str) -> String) {
        let document = self.document(file);
        let (peer, mut frames) = document.connect();
        let mut copy = TextDocument::from_updates::<&[u8]>([]).unwrap();
        for frame in copy.replica().greet() {
            peer.receive(&frame).unwrap();
        }
        while let Ok(DocumentFrame::Message(message)) = frames.try_recv() {
            copy.replica_mut().receive(PeerId(0), Access::Write, &message).unwrap();
        }
        let text = change(&copy.text());
        let typed = copy.replace_text(&text, "typing").unwrap();
        peer.receive(&typed.frame()).unwrap();
    }
}

pub fn path(text: &str) -> WorkspacePath {
    WorkspacePath::new(text).unwrap()
}

pub fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse().unwrap(), args)
}

pub fn person() -> Submission {
    Submission::person(Origin::User { user: "ada".to_owned() })
}

pub fn model(review: ReviewMode) -> Submission {
    let origin = Origin::Turn {
        user: "ada".to_owned(),
        thread: "thr_00000000000000000000000001".parse().unwrap(),
        turn: "trn_00000000000000000000000001".parse().unwrap(),
        step: 1,
        call: "call".to_owned(),
    };
    Submission { review: Some(review), ..Submission::under(Grant::full("agent"), origin) }
}

/// What was observed, in words.
pub fn words(record: &ActionRecord) -> String {
    match &record.outcome {
        Some(Outcome::Done { observation }) => observation.text.clone(),
        other => panic!("not done: {other:#?}"),
    }
}

/// Why it did not work.
pub fn failure(record: &ActionRecord) -> &Failure {
    match &record.outcome {
        Some(Outcome::Failed { failure } | Outcome::Refused { failure, .. }) => failure,
        other => panic!("it worked: {other:#?}"),
    }
}

/// With the actions that change notes.
pub fn with_notes(bench: Bench) -> Bench {
    bench.gate.catalog().replace(|_| false, aside_actions::note_actions(&bench.workspace)).unwrap();
    bench
}
