//! Signed thoughts over a whole turn, with a restart while its call waits for a person: they go back to the model that thought
//! them as they came, and to no other.
#![allow(clippy::disallowed_methods, reason = "the test prepares the workspace as another program would")]

use std::{fs, path::Path, sync::Arc, time::Duration};

use aside_agent::{Agents, Message, NewThread};
use aside_core::{Decision, ReviewMode, ThreadId};
use aside_gate::{Gate, Grants, Policy};
use aside_llm::{Api, Environment, Models, Service};
use aside_store::{Store, StoreOptions};
use aside_testkit::fake_models::{Answer, Call, FakeModels, OfferedModel, Part, Reply, Wire};
use aside_workspace::Workspace;
use serde_json::{Value, json};
use tokio::{runtime::Runtime, time::timeout};

use crate::no_browser::NoBrowser;

/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(20);
const SIGNATURE: &str = "c2lnbmF0dXJlIG9mIHRoZSB0aG91Z2h0";

fn provider(wire: Wire) -> &'static str {
    match wire {
        Wire::Anthropic => "anthropic",
        Wire::Gemini => "gemini",
        _ => "openai",
    }
}

fn models(wire: Wire, fake: &FakeModels) -> Arc<Models> {
    let api = (wire == Wire::Responses).then_some(Api::Responses);
    let service = Service { api, ..Service::new(provider(wire), Some(fake.base_url(wire)), None) };
    Arc::new(Models::discover(Environment { services: vec![service], ..Environment::default() }))
}

/// One life of the server.
struct Life {
    store: Arc<Store>,
    gate: Arc<Gate>,
    agents: Arc<Agents>,
    _workspace: Arc<Workspace>,
}

impl Life {
    fn begin(folder: &Path, wire: Wire, fake: &FakeModels) -> Self {
        let store = Store::open(&folder.join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder, store.clone()).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser)).unwrap();
        let gate = Gate::new(store.clone(), catalog, Policy::builtin());
        let agents = Agents::new(store.clone(), gate.clone(), models(wire, fake));
        agents.resume().unwrap();
        Self { store, gate, agents, _workspace: workspace }
    }

    fn until(&self, runtime: &Runtime, holds: impl Fn() -> bool) {
        let mut tail = self.store.tail();
        let waiting = async {
            while !holds() {
                // Falling behind is no news: look again.
                let _ = tail.recv().await;
            }
        };
        runtime.block_on(async { timeout(PATIENCE, waiting).await }).expect("it goes on in time");
    }

    fn say(&self, runtime: &Runtime, thread: &ThreadId, text: &str) {
        runtime.block_on(self.agents.start_turn(thread, Message::new(text.to_owned(), None), "ada", None)).unwrap();
    }

    fn approve(&self, runtime: &Runtime) {
        let waiting = self.gate.pending().unwrap().remove(0);
        let decision = Decision::approve(waiting.approval_hash);
        runtime.block_on(self.gate.decide(&waiting.envelope.id, decision, "ada")).unwrap();
    }
}

/// The parts of a request with a signature.
fn signed(body: &Value) -> Vec<Value> {
    let lists = ["messages", "contents", "input"].into_iter().filter_map(|field| body[field].as_array());
    let messages = lists.flatten().flat_map(|message| {
        let parts = message["content"].as_array().or_else(|| message["parts"].as_array());
        parts.cloned().unwrap_or_else(|| vec![message.clone()])
    });
    messages.filter(|part| part.to_string().contains(SIGNATURE)).collect()
}

fn expected(wire: Wire) -> Value {
    match wire {
        Wire::Anthropic => json!({ "type": "thinking", "thinking": "It is one line.", "signature": SIGNATURE }),
        Wire::Responses => json!({
            "type": "reasoning", "id": "rs_0", "encrypted_content": SIGNATURE,
            "summary": [{ "type": "summary_text", "text": "It is one line." }],
        }),
        _ => Value::Null,
    }
}

#[test]
fn signed_thoughts_survive_a_restart_of_the_turn() {
    for wire in [Wire::Anthropic, Wire::Responses, Wire::Gemini] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.py"), "one\n").unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let fake = runtime.block_on(FakeModels::start());
        let offered = ["fake", "other"].map(|name| OfferedModel { name: name.to_owned(), ..OfferedModel::default() });
        fake.offer(offered);
        let edit = json!({ "path": "a.py", "edits": [{ "old": "one", "new": "two" }] }).to_string();
        let thought = Part::Thinking { text: "It is one line.".to_owned(), signature: SIGNATURE.to_owned() };
        fake.play(Reply::answer(Answer::default().with(thought).with(Part::Call(Call::new("c", "doc_edit", &edit)))));
        let inside = runtime.enter();
        let life = Life::begin(folder.path(), wire, &fake);
        let model = |name: &str| Some(format!("{}/{name}", provider(wire)).parse().unwrap());
        let new = NewThread { mode: Some(ReviewMode::ReviewEach), model: model("fake"), ..NewThread::default() };
        let thread = life.agents.create_thread(new).unwrap().id;
        life.say(&runtime, &thread, "change it");
        life.until(&runtime, || !life.gate.pending().unwrap().is_empty());

        drop(inside);
        runtime.shutdown_timeout(PATIENCE);
        drop(life);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let inside = runtime.enter();
        let fake = runtime.block_on(FakeModels::start());
        fake.offer(["fake", "other"].map(|name| OfferedModel { name: name.to_owned(), ..OfferedModel::default() }));
        fake.otherwise(Reply::answer(Answer::text("Done.")));
        let life = Life::begin(folder.path(), wire, &fake);
        life.approve(&runtime);
        life.until(&runtime, || !life.agents.is_busy(&thread));
        let body = fake.requests().pop().expect("the turn went on").body;
        let parts = signed(&body);
        assert_eq!(parts.len(), 1, "{wire:?} {body:#}");
        assert!(wire == Wire::Gemini || parts[0] == expected(wire), "{wire:?} {parts:#?}");

        let change = aside_agent::ThreadChange { model: Some(model("other")), ..Default::default() };
        life.agents.change_thread(&thread, change).unwrap();
        life.say(&runtime, &thread, "and again");
        life.until(&runtime, || !life.agents.is_busy(&thread));
        let body = fake.requests().pop().unwrap().body;
        assert!(signed(&body).is_empty() && body.to_string().contains("and again"), "{wire:?} {body:#}");
        drop(inside);
    }
}
