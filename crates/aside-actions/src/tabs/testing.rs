//! A Gate with all actions over a small workspace, and a window that plays the answers it is given.
#![allow(clippy::disallowed_methods, reason = "sets the scene")]

use std::{
    collections::VecDeque,
    fs,
    sync::{Arc, Mutex},
};

use aside_core::{ActionRecord, ActionRequest, Failure, Grant, GrantLimits, Origin, Outcome, TabKind, WorkspacePath};
use aside_gate::{Gate, Grants, Policy, Submission};
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Listed, Tab};
use crate::{Browser, WindowAnswer, WindowCall, catalog};

pub(crate) struct Bench {
    gate: Arc<Gate>,
    window: Arc<Played>,
    _folder: TempDir,
}

/// A window that answers with what it was given, in order, and notes what it was asked.
#[derive(Default)]
struct Played {
    answers: Mutex<VecDeque<Value>>,
    calls: Mutex<Vec<Value>>,
}

impl Browser for Played {
    fn perform<'a>(&'a self, call: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        Box::pin(async move {
            self.calls.lock().unwrap().push(json!([call.name, call.args, call.window]));
            let result = self.answers.lock().unwrap().pop_front();
            let result = result.ok_or_else(|| Failure::new("no_window", "the window has no more answers"))?;
            let window = call.window.cloned().unwrap_or_else(|| "w1".parse().unwrap());
            Ok(WindowAnswer { open: vec![window.clone()], window, result })
        })
    }
}

impl Bench {
    /// With a window that has one answer.
    pub fn new(files: &[(&str, &str)], answer: Value) -> Self {
        Self::answering(files, vec![answer])
    }

    /// With a window that has several.
    pub fn answering(files: &[(&str, &str)], answers: Vec<Value>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store.clone()).unwrap();
        let window = Arc::new(Played { answers: Mutex::new(answers.into()), calls: Mutex::default() });
        let catalog = catalog(&workspace, Grants::new(store.clone()), window.clone()).unwrap();
        Self { gate: Gate::new(store, catalog, Policy::builtin()), window, _folder: folder }
    }

    pub async fn act(&self, name: &str, args: Value) -> ActionRecord {
        let request = ActionRequest::new(name.parse().unwrap(), args);
        self.gate.submit(request, person()).await.unwrap().record
    }

    /// The same by a program whose grant is limited to some paths.
    pub async fn act_within(&self, paths: &str, name: &str, args: Value) -> ActionRecord {
        let limits = GrantLimits { paths: Some(vec![paths.parse().unwrap()]), ..GrantLimits::default() };
        let submission = Submission { grant: Grant::limited("script", limits), ..person() };
        let request = ActionRequest::new(name.parse().unwrap(), args);
        self.gate.submit(request, submission).await.unwrap().record
    }

    pub async fn undo(&self, record: &ActionRecord) -> ActionRecord {
        self.gate.undo(&record.envelope.id, person(), None).await.unwrap().record
    }

    /// Returns the calls of the window: name, arguments, window.
    pub fn calls(&self) -> Vec<Value> {
        self.window.calls.lock().unwrap().clone()
    }
}

fn person() -> Submission {
    Submission::person(Origin::User { user: "ada".to_owned() })
}

/// The words of an action that was done.
pub(crate) fn words(record: &ActionRecord) -> &str {
    match record.outcome.as_ref() {
        Some(Outcome::Done { observation }) => &observation.text,
        other => panic!("it was not done: {other:?}"),
    }
}

/// The code of an action that was not done.
pub(crate) fn code(record: &ActionRecord) -> &str {
    match record.outcome.as_ref() {
        Some(Outcome::Failed { failure } | Outcome::Refused { failure, .. }) => &failure.code,
        other => panic!("it has not failed: {other:?}"),
    }
}

/// A tab of a file in the first pane.
pub(crate) fn tab(path: &str) -> Tab {
    let path = WorkspacePath::new(path).unwrap();
    Tab {
        id: format!("tab-{}", path.name().replace('.', "_")).parse().unwrap(),
        kind: TabKind::of_file(&path),
        title: path.name().to_owned(),
        path: path.as_str().to_owned(),
        mtime: None,
        used: None,
        active: false,
        shown: false,
        pane: 1,
    }
}

/// A list of tabs in one window.
pub(crate) fn listed(tabs: Vec<Tab>) -> Listed {
    let window: aside_core::WindowId = "w1".parse().unwrap();
    Listed { answer: WindowAnswer { open: vec![window.clone()], window, result: Value::Null }, tabs, outside: None }
}
