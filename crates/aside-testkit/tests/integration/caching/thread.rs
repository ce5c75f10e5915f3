//! A thread of twenty turns beside three files: reads, edits that are accepted or rejected, a focus that wanders.

use std::{fs, path::Path, sync::Arc, time::Duration};

use aside_agent::{Agents, Instruction, Instructions, Message, NewThread};
use aside_core::{
    Choice, Decision, Focus, InstructionsAt, LineRange, ReviewMode, ThreadEventBody, ThreadId, TurnEnd, WorkspacePath,
};
use aside_gate::{Gate, Grants, Policy};
use aside_llm::{Api, Environment, Models, Service};
use aside_store::{Store, StoreOptions};
use aside_testkit::fake_models::{Answer, Call, FakeModels, OfferedModel, Part, Reply, Wire};
use aside_workspace::Workspace;
use serde_json::json;
use tokio::{runtime::Runtime, time::timeout};

use crate::no_browser::NoBrowser;

const TURNS: usize = 20;
const FILES: [&str; 3] = ["model.py", "report.py", "tables.py"];
/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(20);

/// What came of it.
#[derive(Debug, Default)]
pub struct Played {
    /// Calls of the model.
    pub calls: u64,
    /// Tokens of all requests, and of these those from the cache, as the fake counted.
    pub input: u64,
    pub read: u64,
    /// The same as the thread says it.
    pub told_input: u64,
    pub told_read: u64,
    /// Steps that were not given everything.
    pub left_out: u64,
}

/// Plays the thread over a wire, with a model that reads so many tokens.
pub fn play(wire: Wire, context: u32) -> Played {
    let folder = tempfile::tempdir().unwrap();
    for (number, name) in FILES.iter().enumerate() {
        fs::write(folder.path().join(name), source(number)).unwrap();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let _inside = runtime.enter();
    let fake = runtime.block_on(FakeModels::start());
    fake.cache();
    fake.offer([OfferedModel { name: "fake".to_owned(), context: Some(context), ..OfferedModel::default() }]);
    let scene = Scene::begin(&runtime, folder.path(), models(wire, &fake));
    let thread = scene.thread(wire);
    for turn in 0..TURNS {
        answers(turn).into_iter().for_each(|answer| fake.play(Reply::answer(answer)));
        scene.say(&thread, turn);
        scene.decide(&thread, turn);
    }
    let (input, read) = fake.cached();
    scene.told(&thread, Played { input, read, ..Played::default() })
}

/// A file of functions, each of which can be found by its name.
fn source(file: usize) -> String {
    let function = |number| {
        format!(
            "def f{file}_{number}(hours):\n    \"\"\"Returns part {number} of the table.\"\"\"\n    return hours * {number}\n\n\n"
        )
    };
    (0..60).map(function).collect()
}

fn models(wire: Wire, fake: &FakeModels) -> Models {
    let api = match wire {
        Wire::Responses => Some(Api::Responses),
        Wire::Chat => Some(Api::Chat),
        _ => None,
    };
    let service = Service { api, ..Service::new(provider(wire), Some(fake.base_url(wire)), None) };
    Models::discover(Environment { services: vec![service], ..Environment::default() })
}

fn provider(wire: Wire) -> &'static str {
    match wire {
        Wire::Anthropic => "anthropic",
        Wire::Gemini => "gemini",
        _ => "openai",
    }
}

/// Three or four steps: it reads elsewhere, changes what is in front of the person, and says so.
fn answers(turn: usize) -> Vec<Answer> {
    let (file, other) = (FILES[turn % 3], FILES[(turn + 1) % 3]);
    let call = |step: usize, name: &str, args: serde_json::Value| {
        Part::Call(Call::new(&format!("call_{turn}_{step}_{name}"), name, &args.to_string()))
    };
    let thought = |text: &str| Part::Thinking { text: text.to_owned(), signature: format!("c2ln{turn}") };
    let start = 1 + turn * 10;
    let mut look = Answer::text("I look at where it is used first.").with(call(
        1,
        "doc_read",
        json!({ "path": other, "start": start, "end": start + 40 }),
    ));
    if turn.is_multiple_of(5) {
        look = look.with(call(1, "file_list", json!({})));
    }
    let (number, file_number) = (turn * 2 + 1, turn % 3);
    let edit = json!({ "path": file, "edits": [{
        "old": format!("    return hours * {number}\n"), "new": format!("    # Rounded.\n    return round(hours * {number})\n"),
    }] });
    let change = Answer::default().with(thought("It is one line.")).with(call(2, "doc_edit", edit));
    let check = Answer::text("I check the result.").with(call(
        3,
        "doc_read",
        json!({ "path": file, "start": number * 5, "end": number * 5 + 6 }),
    ));
    let done = Answer::text(&format!(
        "f{file_number}_{number} rounds its result now, as you asked; the callers in {other} stay as they are, because they round later."
    ));
    if turn % 2 == 1 { vec![look, change, check, done] } else { vec![look, change, done] }
}

/// Standing instructions: the person's, and some that hold beside one of the files only.
struct Standing;

impl Instructions for Standing {
    fn of(&self, document: Option<&WorkspacePath>) -> Vec<Instruction> {
        let says = |at, text: &str| Instruction { at, text: Some(Ok(text.repeat(40))) };
        let own = says(InstructionsAt::Person, "Answer briefly. ");
        let near = document.filter(|path| path.as_str() == FILES[1]);
        let near = near.map(|_| says(InstructionsAt::Workspace, "Round half to even. "));
        [own].into_iter().chain(near).collect()
    }
}

/// A workspace with all that a thread needs.
struct Scene<'a> {
    runtime: &'a Runtime,
    store: Arc<Store>,
    gate: Arc<Gate>,
    agents: Arc<Agents>,
    _workspace: Arc<Workspace>,
}

impl<'a> Scene<'a> {
    fn begin(runtime: &'a Runtime, folder: &Path, models: Models) -> Self {
        let store = Store::open(&folder.join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder, store.clone()).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser)).unwrap();
        let gate = Gate::new(store.clone(), catalog, Policy::builtin());
        let agents = Agents::new(store.clone(), gate.clone(), Arc::new(models));
        agents.instruct(Arc::new(Standing));
        Self { runtime, store, gate, agents, _workspace: workspace }
    }

    fn thread(&self, wire: Wire) -> ThreadId {
        let model = format!("{}/fake", provider(wire)).parse().unwrap();
        let mode = Some(ReviewMode::ReviewEach);
        let new = NewThread {
            document: None,
            mode,
            model: Some(model),
            runs: None,
            runs_after_outputs: None,
            cell: None,
            title: None,
            grant: None,
            hint: false,
            thinking: Default::default(),
            navigator: None,
            without: vec![],
            off: vec![],
            key: None,
        };
        self.agents.create_thread(new).unwrap().id
    }

    fn say(&self, thread: &ThreadId, turn: usize) {
        let line = u32::try_from(5 * (turn * 2 + 1) + 1).unwrap();
        let focus = Focus {
            path: FILES[turn % 3].parse().unwrap(),
            cell: None,
            cursor: Some(line),
            selection: (turn % 4 == 2).then_some(LineRange { start: line, end: line + 2 }),
            viewport: Some(LineRange { start: line.saturating_sub(15).max(1), end: line + 25 }),
            scope: None,
        };
        let text = format!("Please round what this one returns ({turn}).");
        self.runtime.block_on(self.agents.start_turn(thread, Message::new(text, Some(focus)), "ada", None)).unwrap();
    }

    /// Says yes to the edit of a turn, or every fourth time no, and waits for the end.
    fn decide(&self, thread: &ThreadId, turn: usize) {
        self.until(|| !self.gate.pending().unwrap().is_empty());
        let waiting = self.gate.pending().unwrap().remove(0);
        let decision = match turn % 4 {
            3 => Decision { decision: Choice::Reject, ..Decision::reject(Some("not this one".to_owned())) },
            _ => Decision::approve(waiting.approval_hash),
        };
        self.runtime.block_on(self.gate.decide(&waiting.envelope.id, decision, "ada")).unwrap();
        self.until(|| !self.agents.is_busy(thread));
    }

    /// Adds up what the thread says of its calls.
    fn told(&self, thread: &ThreadId, mut played: Played) -> Played {
        for event in self.agents.events(thread, 0).unwrap() {
            match event.body {
                ThreadEventBody::StepEnded { usage, left_out, .. } => {
                    played.calls += 1;
                    played.told_input += usage.input.unwrap_or_default();
                    played.told_read += usage.cache_read.unwrap_or_default();
                    played.left_out += u64::from(left_out.is_some());
                }
                ThreadEventBody::TurnEnded { end, .. } => assert_eq!(end, TurnEnd::Done),
                _ => {}
            }
        }
        played
    }

    fn until(&self, holds: impl Fn() -> bool) {
        let mut tail = self.store.tail();
        let waiting = async {
            while !holds() {
                // Falling behind is no news: look again.
                let _ = tail.recv().await;
            }
        };
        self.runtime.block_on(async { timeout(PATIENCE, waiting).await }).expect("it goes on in time");
    }
}
