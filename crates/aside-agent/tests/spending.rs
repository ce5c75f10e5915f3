//! A model that costs money, in whole turns: what they cost is written down, and no limit is passed.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use aside_agent::{Agents, LONGEST_SPENDING_FILE, NewThread, try_model};
use aside_core::{Cost, ModelRef, StepStop, ThreadEventBody, ThreadId, TurnEnd, Usage};
use aside_gate::{Catalog, Gate, Policy};
use aside_llm::{ModelEvent, ModelInfo, ModelRequest, ModelStream, Models, Provider, ProviderError, ProviderInfo};
use aside_store::{Store, StoreOptions, TextFile};
use futures_util::{
    StreamExt as _,
    future::{BoxFuture, FutureExt as _, ready},
    stream,
};

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
}

impl Provider for Paid {
    fn info(&self) -> ProviderInfo {
        ProviderInfo { id: "openai".into(), name: "Paid".into(), local: false, endpoint: None, host: None }
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
        let said = [ModelEvent::Text("ready".into()), ModelEvent::Usage(usage), ModelEvent::Stop(StepStop::End)];
        stream::iter(said.map(Ok)).boxed()
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
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let gate = Gate::new(store.clone(), Catalog::new([]).unwrap(), Policy::builtin());
        let paid = Arc::new(Paid::default());
        let models = Arc::new(Models::of([paid.clone() as Arc<dyn Provider>]));
        let agents = Agents::new(store, gate, models.clone());
        let new = NewThread { document: None, mode: None, model: Some(model()), title: None, grant: None };
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

    /// Says something, and returns how the turn ended and what it cost.
    async fn turn(&self) -> (TurnEnd, Cost) {
        let turn = self.agents.start_turn(&self.thread, "go".into(), None, "ada", None).await.unwrap();
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
    assert_eq!(calls[0].thread.as_ref(), Some(&world.thread));
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
