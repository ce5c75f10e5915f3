//! Plays a scene on the real path.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use aside_agent::{Agents, Message, NewThread, Partly, TaskDetail, TaskQuery, Tasks, ThreadChange};
use aside_core::{
    ActionId, ActionRecord, ActionState, Choice, Decision, DecisionScope, Focus, LineRange, Origin, PreviewBody,
    ReviewMode, TaskDecision, TaskState, ThreadEventBody, ThreadId, Timestamp, WorkspacePath,
};
use aside_gate::{Gate, Grants, Policy, Submission};
use aside_llm::Models;
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use serde_json::Value;
use tokio::{runtime::Runtime, time::timeout};

use crate::no_browser::NoBrowser;
use crate::transcripts::{
    model::{Answer, Asked, Listening},
    person::Person,
    render::{Render, render},
};

/// The person of all scenes.
const PERSON: &str = "ada";
/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is played.
pub struct Scene<'a> {
    /// The files at the start; the first is the one the person looks at.
    pub files: &'a [(&'a str, &'a str)],
    /// How the thread reviews.
    pub mode: ReviewMode,
    /// The cell of a notebook that the person looks at.
    pub cell: Option<&'a str>,
    /// Hints and no solutions.
    pub hint: bool,
    /// The Navigator answers.
    pub navigator: bool,
    /// The model takes tools.
    pub tools: bool,
    /// What it answers, in order.
    pub answers: Vec<Answer>,
    /// What the person does.
    pub acts: &'a [Act<'a>],
}

/// What the person does, or waits for.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// Sends a message and waits until the turn ends or asks.
    Say(&'a str),
    /// Sends a message and waits for the first words of the answer.
    SayAndHear(&'a str),
    /// Says yes to what waits, and waits until the turn ends or asks again.
    Approve,
    /// Says yes to the call of a script that waits, and to all others of its class in the run.
    ApproveClass,
    /// Says yes to what was asked last, and waits in the same way.
    ApproveLast,
    /// Says no to what waits.
    Reject(&'a str),
    /// Says yes to one part of what waits.
    Accept(u32),
    /// Says no to one part.
    Refuse(u32, &'a str),
    /// Presses Stop.
    Stop,
    /// Takes back the last thing that was done.
    Undo,
    /// Takes the last taking back back.
    UndoTheUndo,
    /// Says yes to the plan that waits, and waits until it is carried out.
    Confirm,
    /// Leaves a step of the plan that waits out of it.
    LeaveOut(u32),
    /// Says yes to one part of a step of the plan that waits.
    AcceptOf(u32, u32),
    /// Says no to one part of a step.
    RefuseOf(u32, u32, &'a str),
    /// Takes the last plan back as a whole.
    UndoPlan,
    /// Takes the last script back as a whole.
    UndoTask,
    /// Types into the file: the first text becomes the second.
    Type(&'a str, &'a str, &'a str),
    /// Says that the thread reviews in another way from now on.
    Review(ReviewMode),
    /// Waits until the words so far are kept for a crash.
    KeepWords,
    /// The server is killed and started again.
    Restart,
}

/// Plays a scene and returns all that there was to see.
pub fn play(scene: Scene<'_>) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in scene.files {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let asked = Asked::default();
    let mut life = Life::begin(folder.path(), &scene, asked.clone(), 0);
    let thread = life.thread(&scene);
    for (number, act) in scene.acts.iter().enumerate() {
        if let Act::Restart = act {
            life.end();
            life = Life::begin(folder.path(), &scene, asked.clone(), number + 1);
            life.settled(&thread);
        } else {
            life.act(&thread, &scene, *act);
        }
    }
    let events = life.agents.events(&thread, 0).unwrap();
    let (plans, scripts) = (life.plans(), life.scripts());
    let audit = life.gate.audit_entries(0, 1000).unwrap();
    life.gate.audit_verify(None).unwrap();
    // A document whose file is gone can't be written; the files below show it.
    let _ = life.workspace.save_all();
    life.end();
    let files: Vec<(&str, String)> = scene
        .files
        .iter()
        .map(|(path, _)| {
            (*path, std::fs::read_to_string(folder.path().join(path)).unwrap_or_else(|_| "(gone)\n".into()))
        })
        .collect();
    let asked = asked.lock().unwrap();
    render(&Render {
        events: &events,
        asked: &asked,
        plans: &plans,
        scripts: &scripts,
        audit: &audit,
        files: &files,
        before: scene.files,
    })
}

/// One life of the server.
struct Life {
    runtime: Runtime,
    store: Arc<Store>,
    workspace: Arc<Workspace>,
    gate: Arc<Gate>,
    agents: Arc<Agents>,
    tasks: Arc<Tasks>,
}

impl Life {
    fn begin(folder: &Path, scene: &Scene<'_>, asked: Asked, number: usize) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let _inside = runtime.enter();
        let store = Store::open(&folder.join(".aside"), options(number)).unwrap();
        let workspace = Workspace::open(folder, store.clone()).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser)).unwrap();
        let gate = Gate::new(store.clone(), catalog, Policy::builtin());
        runtime.block_on(gate.recover()).unwrap();
        let provider = Arc::new(Listening::new(&scene.answers, scene.tools, asked));
        let agents = Agents::new(store.clone(), gate.clone(), Arc::new(Models::of([provider as _])));
        agents.resume().unwrap();
        let tasks = Tasks::new(store.clone(), gate.clone(), agents.clone(), Box::new(|| false));
        tasks.recover().unwrap();
        Self { runtime, store, workspace, gate, agents, tasks }
    }

    /// As `kill -9` would: nobody is asked.
    fn end(self) {
        self.runtime.shutdown_timeout(Duration::from_secs(5));
    }

    fn thread(&self, scene: &Scene<'_>) -> ThreadId {
        let document = scene.files.first().map(|(path, _)| path.parse().unwrap());
        let new = NewThread {
            document,
            mode: Some(scene.mode),
            model: Some("rehearsal/demo".parse().unwrap()),
            runs: None,
            runs_after_outputs: None,
            cell: None,
            title: None,
            grant: None,
            hint: scene.hint,
            thinking: Default::default(),
            navigator: scene.navigator.then(Default::default),
            without: vec![],
            off: vec![],
            key: None,
        };
        self.agents.create_thread(new).unwrap().id
    }

    fn act(&self, thread: &ThreadId, scene: &Scene<'_>, act: Act<'_>) {
        match act {
            Act::Say(text) => {
                self.say(thread, scene, text);
                self.settled(thread);
            }
            Act::SayAndHear(text) => {
                self.say(thread, scene, text);
                self.until("the first words", || !self.agents.running_step(thread).is_empty());
            }
            Act::Approve => self.decide(thread, self.waiting().remove(0), yes()),
            Act::ApproveClass => {
                self.decide(thread, self.waiting().remove(0), Decision { scope: DecisionScope::Class, ..yes() });
            }
            Act::ApproveLast => self.decide(thread, self.waiting().pop().expect("something waits"), yes()),
            Act::Reject(reason) => self.decide(thread, self.waiting().remove(0), no(None, reason)),
            Act::Accept(part) => {
                self.decide(thread, self.waiting().remove(0), Decision { parts: Some(vec![part]), ..yes() });
            }
            Act::Refuse(part, reason) => self.decide(thread, self.waiting().remove(0), no(Some(part), reason)),
            Act::Stop => {
                assert!(self.agents.stop(thread));
                self.until("the end", || !self.agents.is_busy(thread));
            }
            Act::Undo => {
                let latest = self.gate.latest_undoable().unwrap().expect("something can be taken back");
                self.undo(&latest.envelope.id);
            }
            Act::UndoTheUndo => {
                let undone = self.actions(thread).into_iter().rev().find_map(|record| record.undone_by);
                self.undo(&undone.expect("something was taken back"));
            }
            Act::Confirm => self.decide_plan(plan_yes()),
            Act::LeaveOut(step) => {
                self.decide_plan(TaskDecision { decision: Choice::Reject, steps: Some(vec![step]), ..plan_yes() });
            }
            Act::AcceptOf(step, part) => {
                self.decide_plan(TaskDecision { steps: Some(vec![step]), parts: Some(vec![part]), ..plan_yes() });
            }
            Act::RefuseOf(step, part, reason) => self.decide_plan(TaskDecision {
                decision: Choice::Reject,
                steps: Some(vec![step]),
                parts: Some(vec![part]),
                reason: Some(reason.to_owned()),
                ..plan_yes()
            }),
            Act::UndoPlan => self.undo_task(self.plans().pop()),
            Act::UndoTask => self.undo_task(self.scripts().pop()),
            Act::Type(path, old, new) => {
                let path: WorkspacePath = path.parse().unwrap();
                Person::at(&self.workspace.document(&path).unwrap()).types(old, new);
            }
            Act::Review(mode) => {
                let change = ThreadChange { mode: Some(mode), ..ThreadChange::default() };
                self.agents.change_thread(thread, change).unwrap();
            }
            Act::KeepWords => {
                let kept = || self.store.get::<Value>("partial", thread.as_str()).unwrap().is_some();
                self.until("the kept words", kept);
            }
            Act::Restart => unreachable!("`play` does it"),
        }
    }

    fn say(&self, thread: &ThreadId, scene: &Scene<'_>, text: &str) {
        let focus = scene.files.first().map(|(path, _)| Focus {
            path: path.parse().unwrap(),
            cell: scene.cell.map(str::to_owned),
            cursor: Some(1),
            selection: None,
            viewport: Some(LineRange { start: 1, end: 40 }),
            scope: None,
        });
        self.runtime.block_on(self.agents.start_turn(thread, Message::new(text, focus), PERSON, None)).unwrap();
    }

    /// What waits for the person, the oldest first.
    fn waiting(&self) -> Vec<ActionRecord> {
        let waiting = self.gate.pending().unwrap();
        assert!(!waiting.is_empty(), "something waits");
        waiting
    }

    fn decide(&self, thread: &ThreadId, record: ActionRecord, decision: Decision) {
        let decision = Decision { hash: record.approval_hash.clone(), ..decision };
        self.runtime.block_on(self.gate.decide(&record.envelope.id, decision, PERSON)).unwrap();
        self.settled(thread);
    }

    /// The plans that there are, the oldest first.
    fn plans(&self) -> Vec<TaskDetail> {
        self.details().filter(|detail| detail.plan.is_some()).collect()
    }

    /// The runs of scripts, the oldest first.
    fn scripts(&self) -> Vec<TaskDetail> {
        self.details().filter(|detail| detail.script.is_some()).collect()
    }

    fn details(&self) -> impl Iterator<Item = TaskDetail> {
        let listed = self.tasks.list(&TaskQuery::default(), 100).unwrap();
        listed.into_iter().rev().map(|task| self.tasks.detail(&task.id).unwrap())
    }

    fn decide_plan(&self, decision: TaskDecision) {
        let waits = |detail: &TaskDetail| detail.task.state == TaskState::AwaitingConfirmation;
        let detail = self.plans().into_iter().rev().find(waits).expect("a plan waits");
        let hash = detail.plan.map(|plan| plan.hash);
        let decision = TaskDecision { hash, ..decision };
        self.runtime.block_on(self.tasks.decide(&detail.task.id, &decision, PERSON)).unwrap();
        self.runtime.block_on(self.tasks.settled(&detail.task.id)).unwrap();
    }

    fn undo_task(&self, last: Option<TaskDetail>) {
        let last = last.expect("there is one");
        let submission = Submission::person(Origin::User { user: PERSON.to_owned() });
        self.runtime.block_on(self.tasks.undo(&last.task.id, submission, Partly::No, None)).unwrap();
        self.decide_plan(plan_yes());
    }

    fn undo(&self, id: &ActionId) {
        let submission = Submission::person(Origin::User { user: PERSON.to_owned() });
        let undone = self.runtime.block_on(self.gate.undo(id, submission, None)).unwrap();
        assert_eq!(undone.record.state, ActionState::Done, "{:?}", undone.record.outcome);
    }

    /// Waits until the turn is over or waits for the person.
    fn settled(&self, thread: &ThreadId) {
        let is_settled = || !self.agents.is_busy(thread) || self.is_parked(thread) || self.script_asks();
        self.until("the end or a question", is_settled);
    }

    /// A call of a script waits.
    fn script_asks(&self) -> bool {
        self.scripts().iter().any(|detail| detail.pending.is_some())
    }

    /// The last action of the thread waits, and nothing was said after it but how it reviews.
    fn is_parked(&self, thread: &ThreadId) -> bool {
        let events = self.agents.events(thread, 0).unwrap();
        let is_change = |record: &ActionRecord| {
            matches!(record.preview.as_ref().map(|preview| &preview.body), Some(PreviewBody::Diff { .. }))
        };
        let each = self.agents.thread(thread).unwrap().mode != ReviewMode::ReviewAtEnd;
        let said = events.iter().rfind(|event| !matches!(event.body, ThreadEventBody::ThreadChanged { .. }));
        said.is_some_and(|event| match &event.body {
            ThreadEventBody::ActionChanged { record } => {
                record.state == ActionState::AwaitingConfirmation && (each || !is_change(record))
            }
            _ => false,
        })
    }

    fn actions(&self, thread: &ThreadId) -> Vec<aside_core::ActionRecord> {
        let events = self.agents.events(thread, 0).unwrap();
        let record = |event: aside_core::ThreadEvent| match event.body {
            ThreadEventBody::ActionChanged { record } => Some(*record),
            _ => None,
        };
        events.into_iter().filter_map(record).collect()
    }

    fn until(&self, what: &str, holds: impl Fn() -> bool) {
        let mut tail = self.store.tail();
        let waiting = async {
            while !holds() {
                // Falling behind is no news: look again.
                let _ = tail.recv().await;
            }
        };
        self.runtime
            .block_on(async { timeout(PATIENCE, waiting).await })
            .unwrap_or_else(|_| panic!("waited for {what}"));
    }
}

fn yes() -> Decision {
    Decision::approve(None)
}

/// To all of a plan; it names what was shown when it is given.
fn plan_yes() -> TaskDecision {
    TaskDecision { decision: Choice::Approve, hash: None, action_type: None, steps: None, parts: None, reason: None }
}

fn no(part: Option<u32>, reason: &str) -> Decision {
    Decision { parts: part.map(|part| vec![part]), ..Decision::reject(Some(reason.to_owned())) }
}

/// The same ids and times in every run, later ones in every life.
fn options(life: usize) -> StoreOptions {
    let start = i64::try_from(life).unwrap() * 1_000_000 + 1_700_000_000_000;
    let (time, count) = (AtomicI64::new(start), AtomicU64::new(1));
    StoreOptions {
        clock: Arc::new(move || Timestamp(time.fetch_add(1, Ordering::Relaxed))),
        ids: Arc::new(move || u128::from(count.fetch_add(1, Ordering::Relaxed))),
        ..StoreOptions::system()
    }
}
