//! Prints what it takes from a message to the request of a model, beside a file of 10 MB that somebody types into:
//! `prompt_bench FOLDER`, on whose disk it writes. For `cargo xtask bench assistant`.
//!
//! The path is the real one: agent, Gate, actions, workspace, store; the model notes when it is asked. The peer puts the
//! whole file into the prompt, with numbers, as many programs do; both are measured in turn.
#![allow(clippy::disallowed_methods, reason = "measures the disk")]

#[path = "../tests/integration/no_browser.rs"]
mod no_browser;
#[path = "../tests/integration/transcripts/person.rs"]
mod person;

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use aside_agent::{Agents, Message, NewThread};
use aside_core::{Focus, LineRange, StepStop, ThreadId};
use aside_gate::{Gate, Grants, Policy};
use aside_llm::{ModelEvent, ModelInfo, ModelRequest, ModelStream, Models, Provider, ProviderError, ProviderInfo};
use aside_store::{Store, StoreOptions};
use aside_workspace::{Document, Workspace};
use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, ready},
    stream,
};
use no_browser::NoBrowser;
use person::Person;

const NAME: &str = "big.py";
const BYTES: usize = 10_000_000;
const ROUNDS: usize = 21;
/// Long enough for the document to be written, as when somebody goes on to write a message.
const PAUSE: Duration = Duration::from_millis(900);

fn main() {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).expect("a folder on the disk to measure");
    let folder = folder.join("prompt");
    let mut scene = Scene::new(&folder);
    let (mut at_once, mut later, mut naive) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        scene.types(round);
        at_once.push(scene.asked(round));
        scene.types(round + ROUNDS);
        naive.push(scene.naive());
        scene.types(round + 2 * ROUNDS);
        std::thread::sleep(PAUSE);
        later.push(scene.asked(round));
    }
    let peer = median(naive);
    figure("from a message to the model's request beside 10 MB, median (ms)", median(later), "<=10", peer);
    figure("the same within a moment of typing, median (ms)", median(at_once), "", peer);
}

fn figure(name: &str, value: f64, limit: &str, peer: f64) {
    println!("{name}\t{value:.2}\t{limit}\t{peer:.2}\tthe whole file");
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// A workspace with a large file that a person has open.
struct Scene {
    runtime: tokio::runtime::Runtime,
    agents: Arc<Agents>,
    document: Arc<Document>,
    person: Person,
    thread: ThreadId,
    asked: mpsc::Receiver<Instant>,
    _workspace: Arc<Workspace>,
}

impl Scene {
    fn new(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("a folder can be made");
        let line = |number| format!("value_{number:06} = measure({number}, 'tide')\n");
        let text: String = (0..)
            .map(line)
            .scan(0, |bytes, line| {
                *bytes += line.len();
                (*bytes < BYTES).then_some(line)
            })
            .collect();
        std::fs::write(folder.join(NAME), text).expect("the file is written");
        let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
        let inside = runtime.enter();
        let store = Store::open(&folder.join(".aside"), StoreOptions::system()).expect("a store");
        let workspace = Workspace::open(folder, store.clone()).expect("a workspace");
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser))
            .expect("it is declared well");
        let gate = Gate::new(store.clone(), catalog, Policy::builtin());
        let (tell, asked) = mpsc::channel();
        let agents = Agents::new(store, gate, Arc::new(Models::of([Arc::new(Clock { tell }) as _])));
        let new = NewThread { model: Some("rehearsal/clock".parse().expect("a model")), ..NewThread::default() };
        let thread = agents.create_thread(new).expect("a thread").id;
        let document = workspace.document(&NAME.parse().expect("a path")).expect("a document");
        let person = Person::at(&document);
        drop(inside);
        Self { runtime, agents, document, person, thread, asked, _workspace: workspace }
    }

    fn types(&mut self, number: usize) {
        let old = format!("value_{:06}", 1000 + number * 300);
        self.person.types(&old, &format!("{old}_x"));
    }

    /// Milliseconds from a message to the request.
    fn asked(&self, round: usize) -> f64 {
        let line = u32::try_from(100 + round * 5000).expect("few lines");
        let focus = Focus {
            cursor: Some(line),
            viewport: Some(LineRange { start: line.saturating_sub(20), end: line + 20 }),
            ..Focus::file(NAME.parse().expect("a path"))
        };
        let started = Instant::now();
        let message = Message::new("What is this?", Some(focus));
        self.runtime.block_on(self.agents.start_turn(&self.thread, message, "ada", None)).expect("it is sent");
        let asked = self.asked.recv().expect("the model is asked");
        while self.agents.is_busy(&self.thread) {
            std::thread::yield_now();
        }
        (asked - started).as_secs_f64() * 1e3
    }

    /// The same for the whole file in the prompt.
    fn naive(&self) -> f64 {
        let started = Instant::now();
        let text = self.document.text();
        let mut prompt = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            writeln!(prompt, "{number}\t{line}").expect("writing to a string does not fail");
        }
        let body =
            serde_json::json!({ "model": "clock", "messages": [{ "role": "user", "content": prompt }] }).to_string();
        let took = started.elapsed().as_secs_f64() * 1e3;
        assert!(body.len() > BYTES);
        took
    }
}

/// A model that notes when it is asked.
struct Clock {
    tell: mpsc::Sender<Instant>,
}

impl Provider for Clock {
    fn info(&self) -> ProviderInfo {
        let (id, name) = ("rehearsal".to_owned(), "Clock".to_owned());
        ProviderInfo { id, name, local: true, endpoint: None, host: None, pulls: false }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        ready(Ok(vec![ModelInfo::named("clock")])).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        ready(Ok(ModelInfo { tools: Some(true), ..ModelInfo::named(model) })).boxed()
    }

    fn stream(&self, _request: ModelRequest) -> ModelStream {
        // Nobody listens any more when the program ends.
        let _ = self.tell.send(Instant::now());
        stream::iter([Ok(ModelEvent::Text("A tide.".to_owned())), Ok(ModelEvent::Stop(StepStop::End))]).boxed()
    }
}
