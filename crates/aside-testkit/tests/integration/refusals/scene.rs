//! A workspace with a thread beside it, and a server of chat completions that plays what a test says.

use std::{fs, sync::Arc};

use aside_agent::{Agents, Draft, LONGEST_SPENDING_FILE, Message, NewThread};
use aside_core::{Focus, ThreadEventBody, ThreadId, TurnEnd};
use aside_gate::{Gate, Grants, Policy};
use aside_llm::{Environment, Models, Permits, Said, Service};
use aside_store::{Store, StoreOptions, TextFile};
use aside_testkit::fake_models::{FakeModels, OfferedModel, Wire};
use aside_workspace::Workspace;

use crate::no_browser::NoBrowser;

/// Tokens that the model can read.
pub const CONTEXT: u32 = 32_768;

pub struct Scene {
    pub fake: FakeModels,
    pub models: Arc<Models>,
    pub agents: Arc<Agents>,
    folder: tempfile::TempDir,
    thread: ThreadId,
    _workspace: Arc<Workspace>,
}

impl Scene {
    /// With a server on this machine.
    pub async fn new(files: &[(&str, &str)]) -> Self {
        Self::with("vllm", |fake| fake.base_url(Wire::Chat), files).await
    }

    /// With one that counts as elsewhere, and costs money.
    pub async fn elsewhere(files: &[(&str, &str)]) -> Self {
        // Not loopback for Aside, and yet this machine.
        let mapped = |fake: &FakeModels| fake.base_url(Wire::Chat).replace("127.0.0.1", "[::ffff:127.0.0.1]");
        Self::with("openai", mapped, files).await
    }

    async fn with(id: &str, base: impl Fn(&FakeModels) -> String, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let fake = FakeModels::start().await;
        fake.offer([OfferedModel { name: "fake".to_owned(), context: Some(CONTEXT), ..OfferedModel::default() }]);
        let services = vec![Service::new(id, Some(base(&fake)), None)];
        let models = Models::discover(Environment { services, ..Environment::default() });
        let host = models.status().await.into_iter().find(|one| one.info.id == id).and_then(|one| one.info.host);
        let allowed = host.into_iter().map(|host| (id.to_owned(), host)).collect();
        let models = Arc::new(models.permitted_by(Permits::always(Said { local_only: false, allowed })));
        models.fetch(id).await.unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder.path(), store.clone()).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser)).unwrap();
        let gate = Gate::new(store.clone(), catalog, Policy::builtin());
        let agents = Agents::new(store, gate, models.clone());
        let new = NewThread {
            document: None,
            mode: None,
            model: Some(format!("{id}/fake").parse().unwrap()),
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
        Self { fake, models, agents, folder, thread, _workspace: workspace }
    }

    /// Sets what may be spent.
    pub fn limit(&self, rules: &str) {
        let file = TextFile::new(self.folder.path().join(".aside/spending.toml"), LONGEST_SPENDING_FILE);
        file.change(|_| Ok::<_, std::io::Error>(rules.to_owned())).unwrap();
        self.agents.spending().follow(file);
    }

    /// Says something while looking at a file, and returns how the turn ended.
    pub async fn turn(&self, text: &str, looking_at: Option<&str>) -> TurnEnd {
        let focus = looking_at.map(|path| Focus::file(path.parse().unwrap()));
        self.agents.start_turn(&self.thread, Message::new(text, focus), "ada", None).await.unwrap();
        while self.agents.is_busy(&self.thread) {
            tokio::task::yield_now().await;
        }
        let ends = self.events().into_iter().rev().find_map(|event| match event {
            ThreadEventBody::TurnEnded { end, .. } => Some(end),
            _ => None,
        });
        ends.expect("the turn has ended")
    }

    /// Tokens of the first request, as they are said before a message is sent.
    pub async fn estimate(&self, text: &str, looking_at: &str, files: &[(&str, &str)]) -> u64 {
        let files = files.iter().map(|(path, text)| (path.parse().unwrap(), (*text).to_owned())).collect();
        let focus = Some(Focus::file(looking_at.parse().unwrap()));
        let (thread, text) = (Some(self.thread.clone()), text.to_owned());
        let draft = Draft { thread, text, focus, files, ..Draft::default() };
        self.agents.estimate(draft, None).await.unwrap().input_tokens
    }

    pub fn events(&self) -> Vec<ThreadEventBody> {
        self.agents.events(&self.thread, 0).unwrap().into_iter().map(|event| event.body).collect()
    }
}
