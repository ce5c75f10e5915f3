//! A workspace with all that tasks need, in as many lives as a test wants.

use std::{fs, path::Path, sync::Arc, time::Duration};

use aside_agent::{Agents, Message, NewTask, NewThread, TaskDetail, TaskError, TaskQuery, Tasks};
use aside_core::{
    ActionRequest, Choice, Origin, ReviewMode, StepState, Task, TaskDecision, TaskId, TaskSource, TaskState, ThreadId,
};
use aside_gate::{Gate, Grants, Policy, Submission};
use aside_llm::Models;
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use serde_json::Value;
use tokio::{runtime::Runtime, time::timeout};

use crate::{
    no_browser::NoBrowser,
    tasks::wait::Waiting,
    transcripts::{
        model::{Answer, Asked, Listening},
        person::Person,
    },
};

/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(20);

/// A workspace. Times and ids are the same in every run.
pub struct Bench {
    pub life: Life,
    pub waiting: Waiting,
    folder: tempfile::TempDir,
    answers: Vec<Answer>,
    asked: Asked,
}

/// One life of the server.
pub struct Life {
    pub runtime: Runtime,
    pub store: Arc<Store>,
    pub workspace: Arc<Workspace>,
    pub gate: Arc<Gate>,
    pub agents: Arc<Agents>,
    pub tasks: Arc<Tasks>,
}

impl Bench {
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::with_model(files, Vec::new())
    }

    /// With a model that answers so.
    pub fn with_model(files: &[(&str, &str)], answers: Vec<Answer>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        let (waiting, asked) = (Waiting::default(), Asked::default());
        let life = Life::begin(folder.path(), &answers, &asked, &waiting);
        Self { life, waiting, folder, answers, asked }
    }

    /// As after `kill -9`: nobody was asked.
    pub fn restarted(self) -> Self {
        self.restarted_after(|_| {})
    }

    /// The same, with something done to what was stored.
    pub fn restarted_after(self, between: impl FnOnce(&Store)) -> Self {
        let Self { life, waiting, folder, answers, asked } = self;
        life.runtime.shutdown_timeout(PATIENCE);
        drop((life.tasks, life.agents, life.gate, life.workspace));
        between(&life.store);
        drop(life.store);
        let life = Life::begin(folder.path(), &answers, &asked, &waiting);
        Self { life, waiting, folder, answers, asked }
    }

    pub fn tasks(&self) -> &Arc<Tasks> {
        &self.life.tasks
    }

    /// Runs to its end, in time.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.life.runtime.block_on(async { timeout(PATIENCE, future).await }).expect("it ends in time")
    }

    /// Plans a task and waits for a yes.
    pub fn plan(&self, steps: &[(&str, Value)]) -> TaskDetail {
        let requests = steps.iter().map(|(name, args)| request(name, args.clone())).collect();
        let new = NewTask::of("tidy up".to_owned(), requests, TaskSource::Plan);
        self.wait(self.tasks().create(new, person())).unwrap()
    }

    /// Says yes to what is shown, and waits until it needs a person or is over.
    pub fn approve(&self, shown: &TaskDetail) -> TaskDetail {
        self.decide(shown, yes(shown)).unwrap();
        self.settled(&shown.task.id)
    }

    pub fn decide(&self, shown: &TaskDetail, decision: TaskDecision) -> Result<TaskDetail, TaskError> {
        self.wait(self.tasks().decide(&shown.task.id, &decision, "ada"))
    }

    pub fn settled(&self, id: &TaskId) -> TaskDetail {
        self.wait(self.tasks().settled(id)).unwrap()
    }

    pub fn resume(&self, id: &TaskId) -> TaskDetail {
        self.wait(self.tasks().resume(id, "ada")).unwrap();
        self.settled(id)
    }

    /// Waits until a task is as wanted.
    pub fn until(&self, id: &TaskId, what: &str, holds: impl Fn(&Task) -> bool) -> TaskDetail {
        let mut tail = self.life.store.tail();
        self.wait(async {
            loop {
                let detail = self.tasks().detail(id).unwrap();
                if holds(&detail.task) {
                    return detail;
                }
                // Falling behind is no news: look again.
                timeout(PATIENCE, tail.recv()).await.unwrap_or_else(|_| panic!("waited for {what}")).ok();
            }
        })
    }

    pub fn list(&self, query: &TaskQuery) -> Vec<Task> {
        self.tasks().list(query, 100).unwrap()
    }

    /// A thread with this way of reviewing.
    pub fn thread(&self, mode: ReviewMode) -> ThreadId {
        let model = Some("rehearsal/demo".parse().unwrap());
        let new = NewThread {
            document: None,
            mode: Some(mode),
            model,
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
        self.life.agents.create_thread(new).unwrap().id
    }

    /// Sends a message.
    pub fn say(&self, thread: &ThreadId, text: &str) {
        self.wait(self.life.agents.start_turn(thread, Message::new(text, None), "ada", None)).unwrap();
    }

    /// Somebody types into an open document.
    pub fn type_in(&self, file: &str, old: &str, new: &str) {
        Person::at(&self.life.workspace.document(&file.parse().unwrap()).unwrap()).types(old, new);
    }

    /// Another program writes a file.
    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    /// The files and what is in them.
    pub fn files(&self) -> Vec<(String, String)> {
        // A document whose file is gone can't be written; the files show it.
        let _ = self.life.workspace.save_all();
        let mut found = Vec::new();
        collect(self.folder.path(), self.folder.path(), &mut found);
        found.sort();
        found
    }

    pub fn text(&self, file: &str) -> String {
        let found = self.files().into_iter().find(|(name, _)| name == file);
        found.unwrap_or_else(|| panic!("{file} is there")).1
    }

    /// What was new to the model in its last call.
    pub fn told(&self) -> Vec<String> {
        crate::transcripts::model::news(self.asked.lock().unwrap().last().unwrap())
    }

    pub fn runs(&self) -> Vec<String> {
        self.waiting.runs.lock().unwrap().clone()
    }

    /// The kinds of entries in the audit, and that they hang together.
    pub fn audited(&self) -> Vec<String> {
        self.life.gate.audit_verify(None).unwrap();
        let entries = self.life.gate.audit_entries(0, 10_000).unwrap();
        let kind =
            |entry: &aside_store::ChainEntry| serde_json::from_str::<Value>(&entry.body).unwrap()["kind"].clone();
        entries.iter().map(|entry| kind(entry).as_str().unwrap().to_owned()).collect()
    }
}

impl Life {
    fn begin(folder: &Path, answers: &[Answer], asked: &Asked, waiting: &Waiting) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let _inside = runtime.enter();
        let store = Store::open(&folder.join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder, store.clone()).unwrap();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoBrowser)).unwrap();
        catalog.replace(|_| false, [waiting.action()]).unwrap();
        let gate = Gate::new(store.clone(), catalog, Policy::builtin());
        runtime.block_on(gate.recover()).unwrap();
        let provider = Arc::new(Listening::new(answers, true, asked.clone()));
        let agents = Agents::new(store.clone(), gate.clone(), Arc::new(Models::of([provider as _])));
        agents.resume().unwrap();
        let tasks = Tasks::new(store.clone(), gate.clone(), agents.clone(), Box::new(|| false));
        tasks.recover().unwrap();
        Self { runtime, store, workspace, gate, agents, tasks }
    }
}

fn collect(top: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && name != ".aside" {
            collect(top, &path, found);
        } else if path.is_file() {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

pub fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse().unwrap(), args)
}

pub fn person() -> Submission {
    Submission::person(Origin::User { user: "ada".to_owned() })
}

/// A yes to all that is shown.
pub fn yes(shown: &TaskDetail) -> TaskDecision {
    let hash = shown.plan.as_ref().map(|plan| plan.hash.clone());
    TaskDecision { decision: Choice::Approve, hash, action_type: None, steps: None, parts: None, reason: None }
}

pub fn no(shown: &TaskDetail) -> TaskDecision {
    TaskDecision { decision: Choice::Reject, ..yes(shown) }
}

pub fn steps(detail: &TaskDetail) -> Vec<StepState> {
    detail.plan.as_ref().unwrap().steps.iter().map(|step| step.state).collect()
}

/// State and summary.
pub fn stands(detail: &TaskDetail) -> (TaskState, &str) {
    (detail.task.state, detail.task.summary.as_deref().unwrap_or_default())
}
