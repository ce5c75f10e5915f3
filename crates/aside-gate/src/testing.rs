//! A Gate over a small world, for the tests of every module.

mod world;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, Ordering},
        mpsc,
    },
    thread::JoinHandle,
};

use aside_core::{
    ActionId, ActionName, ActionRecord, ActionRequest, Decision, Grant, Id as _, Origin, ReviewMode, Risks, Sha256,
    ThreadId, Timestamp, TurnId,
};
use aside_store::{Durability, Store, StoreError, StoreOptions};
use serde_json::{Value, json};

use crate::{Catalog, Gate, GateError, Policy, Submission, Submitted, record::StoredAction};
pub(crate) use world::{Declared, World};
use world::{Pair, catalog_of, pairs_args};

pub(crate) fn catalog() -> Catalog {
    catalog_of(&World::new(""))
}

pub(crate) fn person() -> Origin {
    Origin::User { user: "ada".to_owned() }
}

pub(crate) fn model() -> Origin {
    called("call-1")
}

fn called(call: &str) -> Origin {
    Origin::Turn {
        user: "ada".to_owned(),
        thread: thread(),
        turn: TurnId::from_parts(Timestamp(1), 1),
        step: 1,
        call: call.to_owned(),
    }
}

pub(crate) fn thread() -> ThreadId {
    ThreadId::from_parts(Timestamp(1), 1)
}

pub(crate) fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse::<ActionName>().unwrap(), args)
}

pub(crate) fn replace(from: &str, to: &str) -> ActionRequest {
    request("text.replace", json!({ "from": from, "to": to }))
}

pub(crate) fn replace_all(pairs: &[(&str, &str)]) -> ActionRequest {
    let pairs = pairs.iter().map(|(from, to)| Pair { from: (*from).to_owned(), to: (*to).to_owned() });
    request("text.replace", pairs_args(pairs))
}

pub(crate) fn keyed(request: ActionRequest, key: &str) -> ActionRequest {
    ActionRequest { idempotency_key: Some(key.to_owned()), ..request }
}

/// Some record, for what only needs one.
pub(crate) fn record() -> ActionRecord {
    stored().record
}

/// The same as the Gate keeps it.
pub(crate) fn stored() -> StoredAction {
    let envelope = aside_core::Envelope {
        id: ActionId::from_parts(Timestamp(0), 0),
        hash: Sha256::of(""),
        action_type: "text.read".parse().unwrap(),
        target: Default::default(),
        args: json!({}),
        risk_level: Risks::default(),
        requires_confirmation: false,
        idempotency_key: "key".to_owned(),
        audit_context: None,
    };
    StoredAction::new(envelope, &Submission::person(person()), None, Timestamp(0))
}

/// A Gate over a small world, with a clock that only moves a little by itself.
pub(crate) struct Bench {
    pub(crate) world: Arc<World>,
    pub(crate) store: Arc<Store>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) clock: Arc<AtomicI64>,
    folder: Arc<tempfile::TempDir>,
    calls: AtomicU32,
}

impl Bench {
    pub(crate) fn new(text: &str) -> Self {
        Self::with_journal(text, StoreOptions::for_tests().journal)
    }

    /// One whose journal gets up to so many bytes.
    pub(crate) fn with_journal(text: &str, room: u64) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Self::over(World::new(text), folder, Arc::new(AtomicI64::new(1_000)), room)
    }

    fn over(world: Arc<World>, folder: Arc<tempfile::TempDir>, clock: Arc<AtomicI64>, journal: u64) -> Self {
        let time = clock.clone();
        let clock_of_store = Arc::new(move || Timestamp(time.fetch_add(1, Ordering::SeqCst)));
        let options = StoreOptions { clock: clock_of_store, journal, ..StoreOptions::for_tests() };
        let store = Store::open(folder.path(), options).unwrap();
        let gate = Gate::new(store.clone(), catalog_of(&world), Policy::builtin());
        Self { world, store, gate, clock, folder, calls: AtomicU32::new(0) }
    }

    /// The same world, database and time with another Gate, as after a restart.
    pub(crate) fn reopened(self) -> Self {
        let Self { world, folder, clock, calls, .. } = self;
        Self { calls, ..Self::over(world, folder, clock, StoreOptions::for_tests().journal) }
    }

    /// Holds the database as another process could, until the guard is dropped: without a journal nothing can be written.
    pub(crate) fn hold_the_database(&self) -> Held {
        let other = Store::open(self.folder.path(), StoreOptions::for_tests()).unwrap();
        let (held, is_held) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            other.transaction(Durability::Normal, |_| {
                held.send(()).expect("somebody waits for it");
                // Until the other end is dropped.
                let _ = released.recv();
                Ok(())
            })
        });
        is_held.recv().unwrap();
        Held { release: Some(release), thread: Some(thread) }
    }

    /// A turn's submission, each with its own tool call.
    pub(crate) fn turn(&self, review: ReviewMode) -> Submission {
        let call = format!("call-{}", self.calls.fetch_add(1, Ordering::SeqCst));
        Submission { review: Some(review), ..Submission::under(Grant::full("Coding Agent"), called(&call)) }
    }

    /// A model asks, and its thread reviews each edit.
    pub(crate) async fn propose(&self, request: ActionRequest) -> ActionRecord {
        self.submit(request, self.turn(ReviewMode::ReviewEach)).await.record
    }

    /// A model asks for replacements as a table, which is submitted once.
    pub(crate) async fn propose_table(&self, pairs: &[(&str, &str)]) -> ActionId {
        let mut request = replace_all(pairs);
        request.args["table"] = true.into();
        self.propose(request).await.envelope.id
    }

    /// A person submits these rows of a table, or all that are open.
    pub(crate) async fn submit_rows(&self, id: &ActionId, parts: Option<&[u32]>) -> Result<ActionRecord, GateError> {
        let decision = Decision { parts: parts.map(<[u32]>::to_vec), ..self.yes(id) };
        self.gate.decide(id, decision, "ada").await
    }

    /// A model asks, and its thread applies edits at once.
    pub(crate) async fn auto(&self, request: ActionRequest) -> ActionRecord {
        self.submit(request, self.turn(ReviewMode::AutoApply)).await.record
    }

    /// A person asks.
    pub(crate) async fn order(&self, request: ActionRequest) -> ActionRecord {
        self.submit(request, Submission::person(person())).await.record
    }

    pub(crate) async fn submit(&self, request: ActionRequest, submission: Submission) -> Submitted {
        self.gate.submit(request, submission).await.unwrap()
    }

    /// The person says yes to what is shown now.
    pub(crate) async fn approve(&self, id: &ActionId) -> Result<ActionRecord, GateError> {
        self.gate.decide(id, self.yes(id), "ada").await
    }

    /// A yes to what is shown now.
    pub(crate) fn yes(&self, id: &ActionId) -> Decision {
        Decision::approve(self.gate.record(id).unwrap().approval_hash)
    }

    /// An action as it is before anybody has looked at it.
    pub(crate) fn draft(&self, request: ActionRequest, submission: Submission) -> StoredAction {
        let envelope =
            aside_core::Envelope { action_type: request.action_type, args: request.args, ..stored().record.envelope };
        StoredAction::new(envelope, &submission, None, Timestamp(0))
    }

    /// Every byte of the database.
    #[expect(clippy::disallowed_methods, reason = "looks at the store from outside")]
    pub(crate) fn stored_bytes(&self) -> Vec<u8> {
        let files = ["aside.db", "aside.db-wal", "aside.journal"].map(|name| self.folder.path().join(name));
        files.iter().filter_map(|file| std::fs::read(file).ok()).flatten().collect()
    }

    pub(crate) async fn undo(&self, record: &ActionRecord) -> ActionRecord {
        self.gate.undo(&record.envelope.id, Submission::person(person()), None).await.unwrap().record
    }

    pub(crate) fn now(&self, record: &ActionRecord) -> ActionRecord {
        self.gate.record(&record.envelope.id).unwrap()
    }

    pub(crate) fn runs(&self) -> usize {
        self.world.runs.load(Ordering::SeqCst)
    }

    /// The audit's entries as JSON.
    pub(crate) fn audit(&self) -> Vec<Value> {
        let entries = self.gate.audit_entries(0, usize::MAX).unwrap();
        entries.iter().map(|entry| serde_json::from_str(&entry.body).unwrap()).collect()
    }

    /// The kinds of the audit's entries, in order.
    pub(crate) fn audited(&self) -> Vec<String> {
        self.audit().iter().map(|entry| entry["kind"].as_str().unwrap().to_owned()).collect()
    }
}

/// See [`Bench::hold_the_database`].
pub(crate) struct Held {
    release: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.release.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}
