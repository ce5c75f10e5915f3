//! A model that costs money, in whole turns: what they cost is written down, and no limit is passed.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use aside_agent::{Agents, Draft, LONGEST_SPENDING_FILE, Message, NewThread, try_model};
use aside_core::{Attached, Cost, Focus, ModelRef, StepStop, ThreadEventBody, ThreadId, TurnEnd, Usage, WorkspacePath};
use aside_gate::{Catalog, Gate, Policy};
use aside_llm::{
    ModelEvent, ModelInfo, ModelRequest, ModelStream, Models, Permits, Provider, ProviderError, ProviderInfo, Said,
};
use aside_store::{Store, StoreOptions, TextFile};
use futures_util::{
    StreamExt as _,
    future::{BoxFuture, FutureExt as _, ready},
    stream,
};

/// Where it is said to be.
const HOST: &str = "api.openai.com";
/// $2.50 per million tokens in, $10 out, $1.25 from the cache.
const MODEL: &str = "openai/gpt-4o";
/// 1,000 tokens in, of them 400 from the cache, and 500 out.
const PICODOLLARS: u64 = 600 * 2_500_000 + 400 * 1_250_000 + 500 * 10_000_000;

/// Answers each call with a word, and counts them.
#[derive(Default)]
struct Paid {
    calls: AtomicU32,
    /// What the last call was allowed to answer with.
    longest: AtomicU32,
    habit: Habit,
}

/// What becomes of an answer.
#[derive(Clone, Copy, Default)]
enum Habit {
    #[default]
    Ends,
    /// It never goes on after the first word.
    Hangs,
    /// The connection is cut after the first word.
    Breaks,
    /// The service says that it has too much to do.
    Refuses,
}

impl Provider for Paid {
    fn info(&self) -> ProviderInfo {
        ProviderInfo {
            id: "openai".into(),
            name: "Paid".into(),
            local: false,
            endpoint: None,
            host: Some(HOST.into()),
            pulls: false,
        }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        ready(Ok(vec![ModelInfo::named("gpt-4o")])).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        ready(Ok(ModelInfo { tools: Some(false), ..ModelInfo::named(model) })).boxed()
    }

    fn stream(&self, request: ModelRequest) -> ModelStream {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.longest.store(request.max_output.unwrap_or(0), Ordering::SeqCst);
        let usage = Usage { input: Some(1000), output: Some(500), cache_read: Some(400), ..Usage::default() };
        let word = stream::iter([Ok(ModelEvent::Text("ready".into()))]);
        let endpoint = "https://api.example".to_owned();
        let (reason, detail) = ("HTTP 429".to_owned(), "reset".to_owned());
        match self.habit {
            Habit::Ends => {
                word.chain(stream::iter([ModelEvent::Usage(usage), ModelEvent::Stop(StepStop::End)].map(Ok))).boxed()
            }
            Habit::Hangs => word.chain(stream::pending()).boxed(),
            Habit::Breaks => word.chain(stream::iter([Err(ProviderError::CutOff { endpoint, detail })])).boxed(),
            Habit::Refuses => {
                stream::iter([Err(ProviderError::Busy { endpoint, reason, detail, retry_after: None })]).boxed()
            }
        }
    }
}

struct World {
    folder: tempfile::TempDir,
    paid: Arc<Paid>,
    models: Arc<Models>,
    agents: Arc<Agents>,
    thread: ThreadId,
}

impl World {
    fn new(rules: &str) -> Self {
        Self::with(Habit::Ends, rules)
    }

    fn with(habit: Habit, rules: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let gate = Gate::new(store.clone(), Catalog::new([]).unwrap(), Policy::builtin());
        let paid = Arc::new(Paid { habit, ..Paid::default() });
        let allowed = [("openai".to_owned(), HOST.to_owned())].into();
        let permits = Permits::always(Said { local_only: false, allowed });
        let models = Arc::new(Models::of([paid.clone() as Arc<dyn Provider>]).permitted_by(permits));
        let agents = Agents::new(store, gate, models.clone());
        let new = NewThread {
            document: None,
            mode: None,
            model: Some(model()),
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
        let thread = agents.create_thread(new).unwrap().id;
        let world = Self { folder, paid, models, agents, thread };
        world.write(rules);
        world.agents.spending().follow(world.file());
        world
    }

    fn file(&self) -> TextFile {
        TextFile::new(self.folder.path().join("spending.toml"), LONGEST_SPENDING_FILE)
    }

    fn write(&self, rules: &str) {
        self.file().change(|_| Ok::<_, std::io::Error>(rules.to_owned())).unwrap();
    }

    /// Says something, and returns when the first word of the answer has come.
    async fn begin(&self) {
        self.agents.start_turn(&self.thread, Message::new("go", None), "ada", None).await.unwrap();
        while self.agents.running_step(&self.thread).is_empty() {
            tokio::task::yield_now().await;
        }
    }

    /// Says something, and returns how the turn ended and what it cost.
    async fn turn(&self) -> (TurnEnd, Cost) {
        let turn = self.agents.start_turn(&self.thread, Message::new("go", None), "ada", None).await.unwrap();
        while self.agents.is_busy(&self.thread) {
            tokio::task::yield_now().await;
        }
        let events = self.agents.events(&self.thread, 0).unwrap();
        let ended = events.into_iter().rev().find_map(|event| match event.body {
            ThreadEventBody::TurnEnded { turn: ended, end, cost, .. } if ended == turn => Some((end, cost)),
            _ => None,
        });
        ended.expect("the turn has ended")
    }

    fn calls(&self) -> u32 {
        self.paid.calls.load(Ordering::SeqCst)
    }
}

fn model() -> ModelRef {
    MODEL.parse().unwrap()
}

#[tokio::test]
async fn what_a_turn_costs_is_said_and_written_down() {
    let world = World::new("");
    let (end, cost) = world.turn().await;
    assert_eq!((end, cost.picodollars, cost.unknown), (TurnEnd::Done, PICODOLLARS, 0));
    world.turn().await;
    let spending = world.agents.spending();
    assert_eq!(spending.today().unwrap().picodollars, 2 * PICODOLLARS);
    let calls = spending.calls().unwrap();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].call.thread.as_ref(), Some(&world.thread));
    assert!(calls[0].price_source.as_ref().is_some_and(|source| source.starts_with("LiteLLM ")));
}

#[tokio::test]
async fn a_call_that_could_pass_a_limit_is_not_made() {
    // The first call fits; what it costs leaves too little for another.
    let world = World::new("[limits]\nday = 0.02\n");
    assert_eq!(world.turn().await.0, TurnEnd::Done);
    let allowed = world.paid.longest.load(Ordering::SeqCst);
    assert!((500..2000).contains(&allowed), "{allowed} tokens");
    world.write("[limits]\nday = 0.01\n");
    let (TurnEnd::Failed { failure }, cost) = world.turn().await else { panic!("the limit was passed") };
    assert_eq!((failure.code.as_str(), cost.picodollars), ("spending_limit", 0));
    assert!(failure.message.contains("$0.0070 of the $0.0100 for this day"), "{}", failure.message);
    assert_eq!(world.calls(), 1);
    world.write("[limits]\nday = 1\n");
    assert_eq!(world.turn().await.0, TurnEnd::Done);
}

#[tokio::test]
async fn a_trial_counts_and_keeps_to_the_limit_too() {
    let world = World::new("[limits]\nday = 0.02\n");
    let trial = try_model(&world.models, world.agents.spending(), &model()).await.unwrap();
    assert_eq!((trial.text.as_str(), trial.called_tool, trial.cost.picodollars), ("ready", None, PICODOLLARS));
    assert_eq!(world.agents.spending().today().unwrap().picodollars, PICODOLLARS);
    world.write("[limits]\nday = 0.001\n");
    let refused = try_model(&world.models, world.agents.spending(), &model()).await.unwrap_err();
    assert_eq!((refused.code.as_str(), world.calls()), ("spending_limit", 1));
}

/// The input is estimated at less than 4,000 tokens, and the answer has at most 32,768: $0.328 to $0.338.
fn is_the_most(cost: &Cost) -> bool {
    cost.unknown == 1 && cost.picodollars == 0 && (328_000_000_000..338_000_000_000).contains(&cost.at_most)
}

#[tokio::test]
async fn a_stopped_call_counts_with_the_most_that_it_can_have_cost() {
    let world = World::with(Habit::Hangs, "[limits]\nday = 0.5\n");
    world.begin().await;
    world.agents.stop(&world.thread);
    while world.agents.is_busy(&world.thread) {
        tokio::task::yield_now().await;
    }
    let today = world.agents.spending().today().unwrap();
    assert!(is_the_most(&today), "{today:?}");
    world.write("[limits]\nday = 0.33\n");
    let (TurnEnd::Failed { failure }, _) = world.turn().await else { panic!("the limit was passed") };
    assert_eq!((failure.code.as_str(), world.calls()), ("spending_limit", 1));
}

#[tokio::test]
async fn a_broken_connection_may_be_billed_and_a_refusal_is_not() {
    let world = World::with(Habit::Breaks, "");
    let (end, cost) = world.turn().await;
    assert!(matches!(end, TurnEnd::Failed { .. }) && is_the_most(&cost), "{cost:?}");
    let world = World::with(Habit::Refuses, "");
    let (_, cost) = world.turn().await;
    assert_eq!(Cost { milliseconds: 0, ..cost }, Cost::default());
}

#[test]
fn what_was_being_asked_when_the_server_was_killed_counts_after_the_next_start() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = World::with(Habit::Hangs, "");
    runtime.block_on(world.begin());
    // All its tasks are gone in the middle, and nothing more is written.
    runtime.shutdown_background();
    let World { folder, agents, paid, thread, models } = world;
    drop((agents, paid));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _inside = runtime.enter();
    let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
    let gate = Gate::new(store.clone(), Catalog::new([]).unwrap(), Policy::builtin());
    let agents = Agents::new(store, gate, models);
    agents.resume().unwrap();
    while agents.is_busy(&thread) {
        std::thread::yield_now();
    }
    let today = agents.spending().today().unwrap();
    assert!(is_the_most(&today), "{today:?}");
    let ended = agents.events(&thread, 0).unwrap().into_iter().find_map(|event| match event.body {
        ThreadEventBody::TurnEnded { end, cost, .. } => Some((end, cost)),
        _ => None,
    });
    assert_eq!(ended, Some((TurnEnd::Interrupted, today)));
}

#[tokio::test]
async fn the_person_is_told_once_when_a_limit_comes_close() {
    let world = World::new("[limits]\nthread = 1\nwarn_at = 0.01\n");
    for _ in 0..3 {
        world.turn().await;
    }
    let events = world.agents.events(&world.thread, 0).unwrap();
    let notices: Vec<_> = events
        .into_iter()
        .filter_map(|event| match event.body {
            ThreadEventBody::Notice { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(notices, ["$0.0140 of the $1.00 for this thread are spent."]);
}

#[tokio::test]
async fn an_estimate_is_a_range_and_calls_nobody() {
    let world = World::new("[limits]\nthread = 0.03\n");
    let draft = |text: &str| Draft { thread: Some(world.thread.clone()), text: text.to_owned(), ..Draft::default() };
    let first = world.agents.estimate(draft("go"), None).await.unwrap();
    let cost = first.cost.clone().unwrap();
    assert!(!first.local && first.input_tokens > 100 && cost.start() < cost.end(), "{first:?}");
    assert_eq!((first.steps, first.cached_tokens, world.calls()), (1..=8, 0, 0));
    assert!(first.warning.is_some_and(|warning| warning.contains("$0.0300 of $0.0300 are left")));
    let longer = world.agents.estimate(draft(&"go ".repeat(1000)), None).await.unwrap();
    assert!(longer.input_tokens > first.input_tokens + 900 && longer.cost.unwrap().start() > cost.start());
    world.turn().await;
    let next = world.agents.estimate(draft("go"), None).await.unwrap();
    // What the last call sent is in the cache, and its answer tells how long answers are.
    assert!(next.cached_tokens > 100 && *next.output.start() == 500, "{next:?}");
    let unknown = Draft { model: Some("openai/nobody-knows".parse().unwrap()), ..draft("go") };
    let unknown = world.agents.estimate(unknown, None).await.unwrap();
    assert_eq!(unknown.cost, None);
    assert!(unknown.warning.is_some_and(|warning| warning.contains("is unknown")));
}

#[tokio::test]
async fn an_estimate_counts_the_file_that_is_looked_at() {
    let world = World::new("");
    let draft = |bytes: Option<usize>| {
        let path: WorkspacePath = "a.py".parse().unwrap();
        let focus = bytes.map(|_| Focus::file(path.clone()));
        let files = bytes.map(|bytes| (path, "a line of it\n".repeat(bytes / 13))).into_iter().collect();
        Draft { thread: Some(world.thread.clone()), text: "go".to_owned(), focus, files, ..Draft::default() }
    };
    let mut input = Vec::new();
    for bytes in [None, Some(30), Some(5_000), Some(1 << 20)] {
        input.push(world.agents.estimate(draft(bytes), None).await.unwrap().input_tokens);
    }
    assert!(input[..3].is_sorted() && input[1] < input[0] + 200, "{input:?}");
    // Of a long file only some lines go along.
    assert!(input[2] > input[1] + 1_600 && (input[0] + 500..input[2]).contains(&input[3]), "{input:?}");
    let unknown = Draft { files: BTreeMap::new(), ..draft(Some(30)) };
    assert!(world.agents.estimate(unknown, None).await.unwrap().input_tokens > input[0] + 5_000);
}

#[tokio::test]
async fn an_estimate_counts_all_that_goes_along() {
    let world = World::new("");
    let draft = |text: &str| Draft { thread: Some(world.thread.clone()), text: text.to_owned(), ..Draft::default() };
    let tokens = async |draft: Draft| world.agents.estimate(draft, None).await.unwrap().input_tokens;
    let alone = tokens(draft("go")).await;
    let path: WorkspacePath = "notes.md".parse().unwrap();
    let names = draft("go through @notes.md and @plot.png");
    assert_eq!(world.agents.files_along(&names).await, std::slice::from_ref(&path));
    let files = [(path, "a line of it\n".repeat(300))].into();
    assert!(tokens(Draft { files, ..names }).await > alone + 1_300 + 1_600, "a file and a picture");
    let said = Attached::Command { name: "review".to_owned(), text: "Look at all of it. ".repeat(200) };
    assert!(tokens(Draft { attached: vec![said], ..draft("/review") }).await > alone + 1_200);
    let data = Attached::Data { label: "Problem".to_owned(), from: "a build".to_owned(), text: "0 1 ".repeat(500) };
    assert!(tokens(Draft { attached: vec![data], ..draft("go") }).await > alone + 1_900);
    world.turn().await;
    let other = Attached::Thread { thread: world.thread.clone() };
    let new = Draft { thread: None, model: Some(model()), ..draft("go") };
    let without = tokens(new.clone()).await;
    assert!(tokens(Draft { attached: vec![other], ..new }).await > without + 20);
}
