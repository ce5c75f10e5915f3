//! A Gate with servers of tools, and the ways to ask it for something.

use std::{path::Path, sync::Arc};

use aside_core::{
    ActionRecord, ActionRequest, ActionState, Decision, Failure, McpServer, Origin, Outcome, ReviewMode, Timestamp,
    TurnId,
};
use aside_gate::{Catalog, Gate, Policy, Submission};
use aside_store::{DataFolder, Store, StoreOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{
    servers::{ClientLimits, Servers},
    testing,
};

pub(super) struct Bench {
    pub(super) folder: TempDir,
    pub(super) data: DataFolder,
    pub(super) catalog: Catalog,
    pub(super) gate: Arc<Gate>,
    pub(super) servers: Arc<Servers>,
    pub(super) limits: ClientLimits,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(ClientLimits::default())
    }

    pub(super) fn with(limits: ClientLimits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::open(folder, limits)
    }

    fn open(folder: TempDir, limits: ClientLimits) -> Self {
        let store = Store::open(&folder.path().join("state"), StoreOptions::system()).unwrap();
        let data = DataFolder::at(folder.path().join("data"));
        let catalog = Catalog::new([]).unwrap();
        let servers = Servers::open(catalog.clone(), &folder.path().join("workspace"), Some(&data), limits).unwrap();
        let gate = Gate::new(store, catalog.clone(), Policy::builtin());
        Self { folder, data, catalog, gate, servers, limits }
    }

    /// The same after the end of the server.
    pub(super) async fn again(self) -> Self {
        self.servers.close().await;
        let Self { folder, limits, gate, servers, catalog, .. } = self;
        drop((gate, servers, catalog));
        Self::open(folder, limits)
    }

    /// The folder that is opened.
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    pub(super) fn workspace(&self) -> std::path::PathBuf {
        let folder = self.state().join("workspace");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub(super) fn state(&self) -> &Path {
        self.folder.path()
    }

    pub(super) async fn submit(&self, name: &str, args: Value, submission: Submission) -> ActionRecord {
        let request = ActionRequest::new(name.parse().unwrap(), args);
        self.gate.submit(request, submission).await.unwrap().record
    }

    pub(super) async fn propose(&self, name: &str, args: Value) -> ActionRecord {
        self.submit(name, args, turn("call-1")).await
    }

    pub(super) async fn approve(&self, asked: &ActionRecord) -> ActionRecord {
        let yes = Decision::approve(asked.approval_hash.clone());
        self.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap()
    }

    /// A person asks, and says yes if they are asked.
    pub(super) async fn order(&self, name: &str, args: Value) -> ActionRecord {
        let record = self.submit(name, args, Submission::person(person())).await;
        if record.state == ActionState::AwaitingConfirmation { self.approve(&record).await } else { record }
    }

    pub(super) async fn add(&self, mode: &str) -> ActionRecord {
        self.order("mcp.add", json!({ "name": "fake", "launch": testing::launch(mode, self.state()) })).await
    }

    pub(super) async fn trust(&self, tools: Value) -> ActionRecord {
        let hash = self.server().hash.unwrap();
        self.order("mcp.trust", json!({ "name": "fake", "hash": hash, "tools": tools })).await
    }

    pub(super) fn server(&self) -> McpServer {
        self.servers.list().remove(0)
    }

    pub(super) fn tools(&self) -> Vec<String> {
        let names = self.catalog.descriptors().into_iter().map(|found| found.name.to_string());
        names.filter(|name| name.matches('.').count() == 2).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    pub(super) fn note(&self, name: &str, text: &str) {
        std::fs::write(self.state().join(name), text).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    pub(super) fn calls(&self) -> usize {
        std::fs::read_to_string(self.state().join("calls")).unwrap_or_default().len()
    }
}

pub(super) fn person() -> Origin {
    Origin::User { user: "ada".to_owned() }
}

pub(super) fn turn(call: &str) -> Submission {
    let thread = aside_core::Id::from_parts(Timestamp(1), 1);
    let turn: TurnId = aside_core::Id::from_parts(Timestamp(1), 1);
    let origin = Origin::Turn { user: "ada".to_owned(), thread, turn, step: 1, call: call.to_owned() };
    Submission { review: Some(ReviewMode::AutoApply), ..Submission::person(origin) }
}

pub(super) fn text(record: &ActionRecord) -> &str {
    match &record.outcome {
        Some(Outcome::Done { observation }) => &observation.text,
        other => panic!("not done: {other:?}"),
    }
}

pub(super) fn failure(record: &ActionRecord) -> &Failure {
    match &record.outcome {
        Some(Outcome::Failed { failure } | Outcome::Refused { failure, .. }) => failure,
        other => panic!("not failed: {other:?}"),
    }
}
