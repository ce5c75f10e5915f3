//! A small world to act on: a file of lines in memory, with versions and parts.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering},
    },
};

use aside_core::{
    ActionName, ActionRecord, ActionRequest, Assessment, Confidence, EffectScope, Failure, FileChange, FileDiff, Grant,
    Guard, Hunk, Id as _, ObjectRef, ObjectVersion, Observation, Origin, Place, Preview, PreviewBody, ReviewMode, Risk,
    Risks, Sha256, ThreadId, Timestamp, TurnId, UndoSupport, Warning, WorkspacePath,
};
use aside_store::{Store, StoreOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{Action, ActionContext, Catalog, Declaration, Gate, Policy, Run, Submission, Submitted, handler};

/// What the actions act on.
pub(crate) struct World {
    pub(crate) lines: Mutex<Vec<String>>,
    /// How many handlers have started to run.
    pub(crate) runs: AtomicUsize,
    /// Lets one run with the text `<wait>` go on.
    pub(crate) go: Semaphore,
    /// Says that such a run has begun.
    pub(crate) begun: Semaphore,
}

impl World {
    fn new(text: &str) -> Arc<Self> {
        Arc::new(Self {
            lines: Mutex::new(text.split_whitespace().map(str::to_owned).collect()),
            runs: AtomicUsize::new(0),
            go: Semaphore::new(0),
            begun: Semaphore::new(0),
        })
    }

    pub(crate) fn text(&self) -> String {
        self.lines.lock().unwrap().join(" ")
    }

    pub(crate) fn set(&self, text: &str) {
        *self.lines.lock().unwrap() = text.split_whitespace().map(str::to_owned).collect();
    }

    fn assessment(&self, path: &str, risks: Risks) -> Assessment {
        let file = ObjectRef::file(&WorkspacePath::new(path).unwrap());
        let version = ObjectVersion { object: file.clone(), version: Some(Sha256::of(self.text())) };
        Assessment { risks, targets: vec![file], versions: vec![version] }
    }
}

fn declared(name: &'static str, risks: Risks, example: Value) -> Declaration {
    Declaration {
        name,
        summary: "For tests",
        description: "",
        preconditions: &[],
        effect: EffectScope::Workspace,
        risks,
        place: Place::Workspace,
        undo: UndoSupport::Inverse,
        examples: vec![("an example", example)],
        phrases: &[],
        tags: &[],
        safety: &[],
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

struct Read(Arc<World>);

impl Action for Read {
    type Args = Nothing;

    fn declare(&self) -> Declaration {
        declared("text.read", [Risk::Read].into(), json!({}))
    }

    async fn assess(&self, _: &ActionContext, _: &Nothing) -> Result<Assessment, Failure> {
        Ok(self.0.assessment("text.txt", Risks::default()))
    }

    async fn preview(&self, _: &ActionContext, _: &Nothing) -> Result<Preview, Failure> {
        Ok(Preview::summary("Read text.txt"))
    }

    async fn run(&self, _: &ActionContext, _: &Nothing) -> Result<Run, Failure> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        Ok(Run::observed(Observation::text(self.0.text())))
    }
}

/// Replaces whole lines. Some texts of `to` misbehave: `<panic>`, `<hang>`, `<wait>`, `<fail>`, `<unseeable>`.
struct Replace(Arc<World>);

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pair {
    from: String,
    to: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReplaceArgs {
    from: String,
    to: String,
    #[serde(default)]
    also: Vec<Pair>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    network: bool,
}

impl ReplaceArgs {
    fn pairs(&self) -> impl DoubleEndedIterator<Item = Pair> {
        let first = Pair { from: self.from.clone(), to: self.to.clone() };
        std::iter::once(first).chain(self.also.clone())
    }

    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or("text.txt")
    }
}

fn pairs_args(mut pairs: impl Iterator<Item = Pair>) -> Value {
    let first = pairs.next().expect("at least one");
    json!({ "from": first.from, "to": first.to, "also": pairs.collect::<Vec<_>>() })
}

impl Replace {
    fn hunks(&self, args: &ReplaceArgs) -> Result<Vec<Hunk>, Failure> {
        let lines = self.0.lines.lock().unwrap();
        let hunk = |(part, pair): (u32, Pair)| {
            let at = lines.iter().position(|line| *line == pair.from);
            let at = at.ok_or_else(|| Failure::new("no_match", format!("there is no line `{}`", pair.from)))?;
            Ok(Hunk {
                part,
                start: u32::try_from(at).unwrap() + 1,
                old: vec![pair.from],
                new: vec![pair.to],
                before: Vec::new(),
                after: Vec::new(),
                confidence: Confidence::Exact,
                anchor: None,
            })
        };
        (0..).zip(args.pairs()).map(hunk).collect()
    }
}

impl Action for Replace {
    type Args = ReplaceArgs;

    fn declare(&self) -> Declaration {
        let example = json!({ "from": "a", "to": "b" });
        Declaration { phrases: &["swap words"], ..declared("text.replace", [Risk::Write].into(), example) }
    }

    async fn assess(&self, _: &ActionContext, args: &ReplaceArgs) -> Result<Assessment, Failure> {
        let risks = if args.network { [Risk::Network].into() } else { Risks::default() };
        Ok(self.0.assessment(args.path(), risks))
    }

    async fn preview(&self, _: &ActionContext, args: &ReplaceArgs) -> Result<Preview, Failure> {
        assert_ne!(args.to, "<unseeable>", "on purpose");
        let file = FileDiff {
            path: WorkspacePath::new(args.path()).unwrap(),
            change: FileChange::Edited,
            base: Some(Sha256::of(self.0.text())),
            hunks: self.hunks(args)?,
            note: None,
        };
        let empty = Warning { guard: Guard::Emptying, text: "A line would be empty.".to_owned() };
        let warnings = if args.to.is_empty() { vec![empty] } else { Vec::new() };
        Ok(Preview { body: PreviewBody::Diff { files: vec![file] }, warnings, ..Preview::summary("Edit text.txt") })
    }

    async fn run(&self, _: &ActionContext, args: &ReplaceArgs) -> Result<Run, Failure> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        match args.to.as_str() {
            "<panic>" => panic!("on purpose"),
            "<fail>" => return Err(Failure::new("io", "the disk is full")),
            "<hang>" => {
                self.0.begun.add_permits(1);
                std::future::pending().await
            }
            "<wait>" => {
                self.0.begun.add_permits(1);
                self.0.go.acquire().await.expect("it stays open").forget();
            }
            _ => {}
        }
        let hunks = self.hunks(args)?;
        let mut lines = self.0.lines.lock().unwrap();
        for hunk in hunks {
            lines[usize::try_from(hunk.start).unwrap() - 1].clone_from(&hunk.new[0]);
        }
        let back = args.pairs().rev().map(|pair| Pair { from: pair.to, to: pair.from });
        Ok(Run {
            observation: Observation::text("replaced"),
            inverse: Some(ActionRequest::new("text.replace".parse().unwrap(), pairs_args(back))),
            changed: vec![ObjectRef::file(&WorkspacePath::new(args.path()).unwrap())],
        })
    }

    fn part(&self, args: &ReplaceArgs, _: &Preview, part: u32) -> Result<Value, Failure> {
        let pair = args.pairs().nth(usize::try_from(part).unwrap());
        Ok(pairs_args(pair.into_iter()))
    }
}

/// Removes every line; what it leaves to undo it is a replacement of one line.
struct Clear(Arc<World>);

impl Action for Clear {
    type Args = Nothing;

    fn declare(&self) -> Declaration {
        Declaration { tags: &["destructive"], ..declared("text.clear", [Risk::Destructive].into(), json!({})) }
    }

    async fn assess(&self, _: &ActionContext, _: &Nothing) -> Result<Assessment, Failure> {
        Ok(self.0.assessment("text.txt", Risks::default()))
    }

    async fn preview(&self, _: &ActionContext, _: &Nothing) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Clear {} lines", self.0.lines.lock().unwrap().len())))
    }

    async fn run(&self, _: &ActionContext, _: &Nothing) -> Result<Run, Failure> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        let old = std::mem::take(&mut *self.0.lines.lock().unwrap());
        let inverse = ActionRequest::new("text.restore".parse().unwrap(), json!({ "lines": old }));
        Ok(Run { observation: Observation::text("cleared"), inverse: Some(inverse), changed: Vec::new() })
    }
}

struct Restore(Arc<World>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RestoreArgs {
    lines: Vec<String>,
}

impl Action for Restore {
    type Args = RestoreArgs;

    fn declare(&self) -> Declaration {
        declared("text.restore", [Risk::Write, Risk::Destructive].into(), json!({ "lines": [] }))
    }

    async fn assess(&self, _: &ActionContext, _: &RestoreArgs) -> Result<Assessment, Failure> {
        Ok(self.0.assessment("text.txt", Risks::default()))
    }

    async fn preview(&self, _: &ActionContext, args: &RestoreArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Restore {} lines", args.lines.len())))
    }

    async fn run(&self, _: &ActionContext, args: &RestoreArgs) -> Result<Run, Failure> {
        let old = std::mem::replace(&mut *self.0.lines.lock().unwrap(), args.lines.clone());
        let inverse = ActionRequest::new("text.restore".parse().unwrap(), json!({ "lines": old }));
        Ok(Run { observation: Observation::text("restored"), inverse: Some(inverse), changed: Vec::new() })
    }
}

/// An action that is only declared.
pub(crate) struct Declared {
    pub(crate) risks: Risks,
    pub(crate) example: Value,
}

impl Default for Declared {
    fn default() -> Self {
        Self { risks: [Risk::Read].into(), example: json!({}) }
    }
}

impl Action for Declared {
    type Args = Nothing;

    fn declare(&self) -> Declaration {
        declared("test.declared", self.risks.clone(), self.example.clone())
    }

    async fn assess(&self, _: &ActionContext, _: &Nothing) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _: &ActionContext, _: &Nothing) -> Result<Preview, Failure> {
        Ok(Preview::summary(""))
    }

    async fn run(&self, _: &ActionContext, _: &Nothing) -> Result<Run, Failure> {
        Ok(Run::observed(Observation::text("")))
    }
}

fn catalog_of(world: &Arc<World>) -> Catalog {
    let world = || world.clone();
    Catalog::new([
        handler(Read(world())),
        handler(Replace(world())),
        handler(Clear(world())),
        handler(Restore(world())),
    ])
    .unwrap()
}

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
    let bench = Bench::new("");
    let envelope = aside_core::Envelope {
        id: bench.store.new_id(),
        hash: Sha256::of(""),
        action_type: "text.read".parse().unwrap(),
        target: Default::default(),
        args: json!({}),
        risk_level: Risks::default(),
        requires_confirmation: false,
        idempotency_key: "key".to_owned(),
        audit_context: None,
    };
    bench.gate.new_action(envelope, &Submission::person(person()), None).record
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
        Self::over(World::new(text), Arc::new(tempfile::tempdir().unwrap()), Arc::new(AtomicI64::new(1_000)))
    }

    fn over(world: Arc<World>, folder: Arc<tempfile::TempDir>, clock: Arc<AtomicI64>) -> Self {
        let time = clock.clone();
        let clock_of_store = Arc::new(move || Timestamp(time.fetch_add(1, Ordering::SeqCst)));
        let options = StoreOptions { clock: clock_of_store, ..StoreOptions::for_tests() };
        let store = Store::open(folder.path(), options).unwrap();
        let gate = Gate::new(store.clone(), catalog_of(&world), Policy::builtin());
        Self { world, store, gate, clock, folder, calls: AtomicU32::new(0) }
    }

    /// The same world, database and time with another Gate, as after a restart.
    pub(crate) fn reopened(self) -> Self {
        let Self { world, folder, clock, calls, .. } = self;
        Self { calls, ..Self::over(world, folder, clock) }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A turn's submission, each with its own tool call.
    pub(crate) fn turn(&self, review: ReviewMode) -> Submission {
        let call = format!("call-{}", self.calls.fetch_add(1, Ordering::SeqCst));
        Submission { origin: called(&call), grant: Grant::full("Coding Agent"), review: Some(review) }
    }

    /// A model asks, and its thread reviews each edit.
    pub(crate) async fn propose(&self, request: ActionRequest) -> ActionRecord {
        self.submit(request, self.turn(ReviewMode::ReviewEach)).await.record
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
