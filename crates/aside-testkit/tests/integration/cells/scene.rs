//! A workspace with a notebook whose AI cells a fake model answers, and persons who decide.

use std::{fs, os::unix::fs::symlink, sync::Arc, time::Duration};

use aside_agent::Agents;
use aside_cells::AiCells;
use aside_core::{ActionRecord, ActionRequest, ActionState, Decision, ExecutionState, Origin, Outcome, WorkspacePath};
use aside_gate::{Gate, Grants, LivePolicy, PolicyFiles, Submission};
use aside_kernels::{Session, SessionOptions, Sessions};
use aside_llm::{Api, Environment, Models, Service};
use aside_store::{Store, StoreOptions};
use aside_testkit::fake_models::{Answer, Call, FakeModels, OfferedModel, Part, Recorded, Reply, Wire};
use aside_workspace::Workspace;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{runtime::Runtime, task::JoinHandle, time::timeout};

use crate::no_browser::NoBrowser;

/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(60);
pub const FILE: &str = "a.ipynb";

/// The folder and the model, which outlive servers.
pub struct World {
    pub folder: TempDir,
    pub fake: FakeModels,
    wire: Wire,
    _runtime: Runtime,
}

/// What a server is made of, from its start to its end.
pub struct Scene {
    pub gate: Arc<Gate>,
    pub sessions: Arc<Sessions>,
    pub agents: Arc<Agents>,
    workspace: Arc<Workspace>,
    runtime: Runtime,
    _cells: Arc<AiCells>,
}

pub fn code(id: &str, source: &str, outputs: Value) -> Value {
    json!({"cell_type": "code", "id": id, "metadata": {}, "execution_count": null, "source": source, "outputs": outputs})
}

pub fn ai(id: &str, source: &str) -> Value {
    let mut cell = code(id, source, json!([]));
    cell["metadata"] = json!({"aside": {"cell": "ai"}});
    cell
}

pub fn call(id: &str, name: &str, args: Value) -> Part {
    Part::Call(Call::new(id, name, &args.to_string()))
}

impl World {
    pub fn new(cells: &[Value], metadata: Value) -> Self {
        Self::over(Wire::Chat, cells, metadata)
    }

    /// The same with a model that is spoken to so.
    pub fn over(wire: Wire, cells: &[Value], metadata: Value) -> Self {
        let runtime = runtime();
        let fake = runtime.block_on(FakeModels::start());
        let able = ["vision", "tools"].map(str::to_owned).to_vec();
        fake.offer([OfferedModel { name: "fake".into(), capabilities: Some(able), ..OfferedModel::default() }]);
        let folder = tempfile::tempdir().unwrap();
        let file = json!({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5});
        fs::write(folder.path().join(FILE), serde_json::to_string_pretty(&file).unwrap()).unwrap();
        Self { folder, fake, wire, _runtime: runtime }
    }

    /// The same with a Python that has a kernel, if there is one here.
    pub fn with_python(cells: &[Value]) -> Option<Self> {
        let prefix = aside_testkit::python()?;
        let world = Self::new(cells, json!({}));
        symlink(prefix, world.folder.path().join(".venv")).unwrap();
        Some(world)
    }

    pub fn play(&self, answers: impl IntoIterator<Item = Answer>) {
        answers.into_iter().for_each(|answer| self.fake.play(Reply::answer(answer)));
    }

    pub fn open(&self) -> Scene {
        self.open_at("full")
    }

    /// A server in which models may do so much.
    pub fn open_at(&self, level: &str) -> Scene {
        let folder = self.folder.path();
        let runtime = runtime();
        let inside = runtime.enter();
        let store = Store::open(&folder.join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder, store.clone()).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser)).unwrap();
        let sessions = Sessions::open(workspace.clone(), store.clone(), SessionOptions::for_tests(folder)).unwrap();
        catalog.replace(|_| false, aside_actions::kernel_actions(&workspace, &sessions)).unwrap();
        let policy = LivePolicy::open(PolicyFiles {
            organisation: folder.join("none.toml"),
            data_folder: None,
            workspace: folder.to_owned(),
            assistant: level.parse().ok(),
        });
        let gate = Gate::new(store.clone(), catalog, policy);
        let agents = Agents::new(store.clone(), gate.clone(), Arc::new(Models::discover(self.models())));
        agents.prefer(format!("{}/fake", self.provider()).parse().unwrap());
        let cells = AiCells::open(store, sessions.clone(), &agents);
        runtime.block_on(gate.recover()).unwrap();
        agents.resume().unwrap();
        cells.recover().unwrap();
        drop(inside);
        Scene { gate, sessions, agents, workspace, runtime, _cells: cells }
    }

    fn provider(&self) -> &'static str {
        match self.wire {
            Wire::Ollama => "ollama",
            Wire::Chat | Wire::Responses => "openai",
            Wire::Anthropic => "anthropic",
            Wire::Gemini => "gemini",
        }
    }

    fn models(&self) -> Environment {
        let base = Some(self.fake.base_url(self.wire));
        if self.wire == Wire::Ollama {
            return Environment { ollama_host: base, ..Environment::default() };
        }
        let api = match self.wire {
            Wire::Chat => Some(Api::Chat),
            Wire::Responses => Some(Api::Responses),
            _ => None,
        };
        let service = Service { api, ..Service::new(self.provider(), base, None) };
        Environment { services: vec![service], ..Environment::default() }
    }

    /// The requests that asked the model.
    pub fn asked(&self) -> Vec<Recorded> {
        let asks = |request: &Recorded| request.body["stream"] == true || request.path.contains(":stream");
        self.fake.requests().into_iter().filter(asks).collect()
    }

    /// The messages of all requests to the model, each as bytes, the instructions left out.
    pub fn told(&self) -> Vec<String> {
        let list = match self.wire {
            Wire::Responses => "input",
            Wire::Gemini => "contents",
            Wire::Chat | Wire::Ollama | Wire::Anthropic => "messages",
        };
        let told = |request: Recorded| {
            let said = request.body[list].as_array().unwrap().clone();
            let said = said.into_iter().filter(|message| message["role"] != "system");
            said.map(|message| without_marks(message).to_string()).collect()
        };
        self.asked().into_iter().map(told).collect()
    }

    /// The instructions of the last request.
    pub fn system(&self) -> String {
        self.asked().last().unwrap().body["messages"][0].to_string()
    }

    /// The names of the tools in the last request.
    pub fn offered(&self) -> Vec<String> {
        let requests = self.asked();
        let tools = requests.last().unwrap().body["tools"].as_array().into_iter().flatten();
        tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
    }
}

impl Scene {
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(async { timeout(PATIENCE, work).await }).expect("it goes on in time")
    }

    /// A person runs cells, and waits for them elsewhere.
    pub fn run(&self, args: Value) -> JoinHandle<ActionRecord> {
        self.submit("cell.run", args, person())
    }

    pub fn submit(&self, action: &str, mut args: Value, who: Submission) -> JoinHandle<ActionRecord> {
        args["path"] = json!(FILE);
        let (gate, request) = (self.gate.clone(), ActionRequest::new(action.parse().unwrap(), args));
        self.runtime.spawn(async move { gate.submit(request, who).await.unwrap().record })
    }

    pub fn done(&self, running: JoinHandle<ActionRecord>) -> Value {
        let record = self.wait(running).unwrap();
        match record.outcome {
            Some(Outcome::Done { observation }) => observation.data,
            other => panic!("not done: {other:#?}"),
        }
    }

    /// Asks in an AI cell, to the end.
    pub fn ask(&self, cell: &str) -> Value {
        self.done(self.run(json!({"cells": [cell], "wait": true})))
    }

    /// Says yes to the next thing that waits for a person, which is to be this.
    pub fn approve(&self, action: &str) {
        self.wait(self.approving(action)).unwrap();
    }

    /// The same for what goes on for long: it is waited for elsewhere.
    pub fn approving(&self, action: &str) -> JoinHandle<ActionRecord> {
        let (waiting, gate) = (self.next(), self.gate.clone());
        assert_eq!(waiting.envelope.action_type.as_str(), action);
        let decision = Decision::approve(waiting.approval_hash.clone());
        self.runtime.spawn(async move { gate.decide(&waiting.envelope.id, decision, "ada").await.unwrap() })
    }

    pub fn reject(&self, reason: &str) {
        let waiting = self.next();
        self.wait(self.gate.decide(&waiting.envelope.id, Decision::reject(Some(reason.to_owned())), "ada")).unwrap();
    }

    /// What waits for a person next.
    pub fn next(&self) -> ActionRecord {
        let mut changes = self.gate.changes();
        self.wait(async {
            loop {
                if let Some(waiting) = self.gate.pending().unwrap().into_iter().next() {
                    assert_eq!(waiting.state, ActionState::AwaitingConfirmation);
                    return waiting;
                }
                // Falling behind is no news: look again.
                let _ = changes.recv().await;
            }
        })
    }

    pub fn session(&self) -> Arc<Session> {
        // One that is new works in the background.
        let _inside = self.runtime.enter();
        self.sessions.session(&WorkspacePath::new(FILE).unwrap()).unwrap()
    }

    /// Waits until something holds of the session.
    pub fn until(&self, holds: impl Fn(&Session) -> bool) {
        let session = self.session();
        let mut watch = session.watch();
        self.wait(async {
            while !holds(&session) {
                watch.next().await.unwrap();
            }
        });
    }

    /// The outputs of a cell, as its file has them.
    pub fn outputs(&self, cell: &str) -> Vec<Value> {
        let notebook = self.wait(self.session().notebook_now()).unwrap();
        let cell = notebook.cells.iter().find(|one| one.key().0 == cell).unwrap();
        cell.outputs().iter().map(|output| serde_json::from_str(output.as_str()).unwrap()).collect()
    }

    pub fn sources(&self) -> Vec<(String, String)> {
        let notebook = self.wait(self.session().notebook()).unwrap();
        notebook.cells.iter().map(|cell| (cell.key().0.clone(), cell.source())).collect()
    }

    /// Ends as a server does, with everything in the file.
    pub fn end(self) {
        self.until(|session| session.open_answers().is_empty());
        let path = WorkspacePath::new(FILE).unwrap();
        let mut watch = self.session().watch();
        self.wait(async {
            // The document has what was put out a moment after it was put out.
            while self.session().notebook().await.unwrap().write()
                != self.session().notebook_now().await.unwrap().write()
            {
                let _ = timeout(Duration::from_millis(20), watch.next()).await;
            }
        });
        assert!(self.workspace.save_all().is_empty(), "{path} is saved");
        let Self { gate, sessions, agents, workspace, runtime, _cells } = self;
        drop((watch, gate, sessions, agents, workspace, _cells));
        runtime.shutdown_timeout(PATIENCE);
    }
}

/// A message without the marks of what is to be cached, which are at the end of each request.
fn without_marks(mut message: Value) -> Value {
    for block in message["content"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        block.remove("cache_control");
    }
    message
}

pub fn person() -> Submission {
    Submission::person(Origin::User { user: "ada".to_owned() })
}

pub fn states(told: &Value) -> Vec<ExecutionState> {
    let cells = told["cells"].as_array().unwrap();
    cells.iter().map(|cell| serde_json::from_value(cell["state"].clone()).unwrap()).collect()
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}
