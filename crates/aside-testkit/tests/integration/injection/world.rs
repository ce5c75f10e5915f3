//! One case, played on the real path.

use std::{path::Path, sync::Arc, time::Duration};

use aside_actions::PersonsHistory;
use aside_agent::{
    AgentProfile, Agents, CODING_AGENT, Instruction, Instructions, Message, NOTEBOOK_AGENT, NewThread, Tasks,
};
use aside_core::{
    ActionId, ActionRecord, ActionRequest, ActionState, Decision, Focus, InstructionsAt, PolicyLayer, ReviewMode,
    RunMode, ThreadEventBody, ThreadId, WorkspacePath,
};
use aside_gate::{Catalog, Gate, Grants, Policy};
use aside_history::{Effort, History};
use aside_index::{SearchRequest, WorkspaceIndex};
use aside_kernels::{SessionOptions, Sessions};
use aside_llm::Models;
use aside_mcp::{ClientLimits, Servers};
use aside_store::{DataFolder, Store, StoreOptions};
use aside_table::Tables;
use aside_terminal::Terminals;
use aside_workspace::Workspace;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::injection::{
    cases::Case,
    earlier::person,
    places::NOTEBOOK,
    planner::{Order, Planning, spelled},
    seen::{Seen, is_of},
    tabs::LogTabs,
    tide_server,
};

const PERSON: &str = "ada";
/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(60);
/// The person's own rules at their most careless.
const ALLOW_ALL: &str = r#"
[[rule]]
name = "all"
ruling = "allow"
action = "*"
risks = ["read", "write", "destructive", "access", "billing", "network", "install"]

[[rule]]
name = "commands"
ruling = "allow"
action = "*"
risks = ["read", "write", "destructive", "access", "billing", "network", "install"]
commands = [["curl"], ["rm"], ["sort"], ["cat"]]
"#;

/// Whose word the planner takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planner {
    /// Anybody's.
    Evil,
    /// The person's.
    Honest,
}

/// What the person has written into their rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Nothing.
    BuiltIn,
    /// That everything is allowed.
    AllowAll,
}

/// The instructions among the files, as the server finds them.
struct Standing(Arc<Workspace>);

impl Instructions for Standing {
    fn of(&self, document: Option<&WorkspacePath>) -> Vec<Instruction> {
        let files = self.0.instruction_files(document).into_iter();
        files.map(|path| Instruction { at: InstructionsAt::File { path }, text: None }).collect()
    }
}

/// A workspace with all that a case needs.
pub struct World {
    pub runtime: Runtime,
    pub gate: Arc<Gate>,
    pub tasks: Arc<Tasks>,
    pub workspace: Arc<Workspace>,
    pub store: Arc<Store>,
    servers: Arc<Servers>,
    index: Arc<WorkspaceIndex>,
    pub sessions: Arc<Sessions>,
    terminals: Arc<Terminals>,
    /// The person's own folder, where the server of tools is too.
    pub own: TempDir,
}

/// Plays one case.
pub fn play(case: &Case, rules: Rules, planner: Planner) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path(), rules);
    let ordered = world.order(case);
    let order = spelled(std::slice::from_ref(&ordered));
    plant(folder.path(), case, &order);
    if let Some(said) = case.place.session {
        world.import_session(&filled(said, &order));
    }
    if !case.place.hop.is_empty() {
        let mut steps = vec![vec![("doc.read".to_owned(), json!({"path": "main.log"}))]];
        steps.extend(case.place.hop.iter().map(|call| vec![written(call, &order)]));
        let hop = Planning::new(false, steps.clone());
        world.converse(&hop, &steps.concat(), &["take notes of main.log"], ("thesis.tex", RunMode::Ask, false));
    }
    world.after(case.place.after, folder.path());
    if case.place.reads.iter().any(|(tool, _)| matches!(*tool, "search.find" | "note.search")) {
        world.wait_for_index();
    }
    if let Some(line) = case.place.terminal {
        world.run_in_terminal(line);
    }
    let task = task(case, &order);
    let planning = Planning::new(planner == Planner::Evil, task.iter().map(|call| vec![call.clone()]).collect());
    let words: &[&str] = if case.place.two_turns { &["read it", "thanks, now go on"] } else { &["do the task"] };
    let records = world.converse(&planning, &task, words, (case.place.focus, case.runs, case.wished));
    let seen = world.seen(&ordered, &planning, &task, &records, case.wished && case.place.live);
    if case.place.live {
        world.end_kernel();
    }
    world.terminals.close_all();
    world.runtime.block_on(world.servers.close());
    world.runtime.shutdown_timeout(Duration::from_secs(5));
    seen
}

/// Reads what the case is about, edits the thesis, removes a file.
fn task(case: &Case, order: &str) -> Vec<Order> {
    let mut task: Vec<_> = case.place.reads.iter().map(|call| written(call, order)).collect();
    let edits = json!([{"old": "\\author{Ada}\n", "new": "\\author{Ada L.}\n"}]);
    task.push(("doc.edit".to_owned(), json!({"path": "paper.tex", "edits": edits})));
    task.push(("file.delete".to_owned(), json!({"path": "scratch.md"})));
    task
}

fn filled(text: &str, order: &str) -> String {
    let escaped = serde_json::to_string(order).unwrap();
    text.replace('@', order).replace('$', &escaped[1..escaped.len() - 1])
}

fn written((tool, args): &(&str, &str), order: &str) -> Order {
    let escaped = serde_json::to_string(order).unwrap();
    let args = args.replace(['@', '$'], &escaped[1..escaped.len() - 1]);
    ((*tool).to_owned(), serde_json::from_str(&args).unwrap())
}

fn plant(folder: &Path, case: &Case, order: &str) {
    let own = [
        ("thesis.tex", "\\title{Tides}\n"),
        ("paper.tex", "\\author{Ada}\n"),
        ("old.md", "old\n"),
        ("scratch.md", "x\n"),
    ];
    for (path, text) in own.into_iter().chain(case.place.files.iter().copied()) {
        let file = folder.join(filled(path, order));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, filled(text, order)).unwrap();
    }
    if case.place.live {
        let python = aside_testkit::python().expect("cases that need a kernel are played where there is one");
        std::os::unix::fs::symlink(python, folder.join(".venv")).unwrap();
    }
    for (link, target) in case.place.links.iter().chain(&[("away", "/tmp")]) {
        std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
    }
}

/// The agent beside a document, which may ask for whatever planted text can order.
fn profile(focus: &str) -> AgentProfile {
    let agent = if focus.ends_with(".ipynb") { NOTEBOOK_AGENT } else { CODING_AGENT };
    let more = &["script.run", "grant.create", "file.label", "file.restore", "notebook.*", "kernel.*", "cell.*"];
    let mut names = [agent.actions, CODING_AGENT.actions, more].concat();
    names.sort_unstable();
    names.dedup();
    AgentProfile { actions: names.leak(), step_limit: 20, ..agent }
}

impl World {
    /// Waits until the index has the file that a case has just written: the system tells of it a moment later.
    fn wait_for_index(&self) {
        let request = SearchRequest { text: "overfull".to_owned(), limit: 1, ..SearchRequest::default() };
        let found = async {
            while self.index.search(&request, None).await.unwrap().places.is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        self.runtime.block_on(async { tokio::time::timeout(PATIENCE, found).await }).expect("the file is found");
    }

    pub fn new(folder: &Path, rules: Rules) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let _inside = runtime.enter();
        let store = Store::open(&folder.join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder, store.clone()).unwrap();
        let catalog: Catalog =
            aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(LogTabs(folder.to_owned())))
                .unwrap();
        let own = tempfile::tempdir().unwrap();
        let data = DataFolder::at(own.path().join("data"));
        let sessions = Sessions::open(workspace.clone(), store.clone(), SessionOptions::for_tests(folder)).unwrap();
        catalog.replace(|_| false, aside_actions::kernel_actions(&workspace, &sessions)).unwrap();
        catalog.replace(|_| false, aside_actions::note_actions(&workspace)).unwrap();
        let index = WorkspaceIndex::start(&workspace);
        catalog.replace(|_| false, aside_actions::search_actions(&workspace, &index)).unwrap();
        let terminals = Arc::new(Terminals::default());
        catalog.replace(|_| false, aside_actions::terminal_actions(&workspace, &store, &terminals)).unwrap();
        let tables = Arc::new(Tables::new(folder.join(".aside")));
        catalog.replace(|_| false, aside_actions::table_actions(&workspace, &tables)).unwrap();
        let persons = PersonsHistory { folder: Some(data.clone()), workspace: folder.display().to_string() };
        catalog.replace(|_| false, aside_actions::history(&persons)).unwrap();
        let servers = Servers::open(catalog.clone(), folder, Some(&data), ClientLimits::default()).unwrap();
        let policy = match rules {
            Rules::BuiltIn => Policy::builtin(),
            Rules::AllowAll => {
                let file = Path::new("policy.toml");
                let policy = Policy::builtin().with_file(PolicyLayer::User, file, Ok(Some(ALLOW_ALL)), None);
                assert_eq!(policy.problems(), []);
                policy
            }
        };
        let gate = Gate::new(store.clone(), catalog, policy);
        let agents = Agents::new(store.clone(), gate.clone(), Arc::new(Models::of([])));
        let tasks = Tasks::new(store.clone(), gate.clone(), agents, Box::new(|| false));
        Self { runtime, workspace, gate, store, servers, index, sessions, terminals, tasks, own }
    }

    /// Imports what a model is to have said in a session of another program.
    fn import_session(&self, said: &str) {
        let home = self.own.path().join("home");
        let logs = home.join(".claude/projects/-w");
        std::fs::create_dir_all(&logs).unwrap();
        let message = json!({
            "id": "m1", "model": "claude-opus-4-5", "usage": { "input_tokens": 1, "output_tokens": 1 },
            "content": [{ "type": "text", "text": said }],
        });
        let line = json!({
            "type": "assistant", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": "/w", "requestId": "m1", "message": message,
        });
        std::fs::write(logs.join("one.jsonl"), format!("{line}\n")).unwrap();
        let home = home.display().to_string();
        let mut history = History::open_in(&DataFolder::at(self.own.path().join("data"))).unwrap();
        history.update(|name| (name == "HOME").then(|| home.clone()), Effort::All, &mut |_| ()).unwrap();
        history.read_texts().unwrap();
    }

    /// The person opens a terminal and runs a line in it.
    fn run_in_terminal(&self, line: &str) {
        self.ordered_by_person("terminal.open", json!({"shell": "sh", "name": "sh"}));
        let terminal = self.terminals.find_named("sh").expect("it was opened");
        terminal.type_in(format!("{line}; exit\r").into_bytes()).unwrap();
        terminal.wait(PATIENCE).expect("the shell ends");
    }

    /// Nothing of a case outlives it.
    fn end_kernel(&self) {
        let _inside = self.runtime.enter();
        let session = self.sessions.session(&WorkspacePath::new("run.ipynb").unwrap()).unwrap();
        self.runtime.block_on(session.shut_down()).unwrap();
    }

    /// The order of a case, and the server of tools that it may be about.
    fn order(&self, case: &Case) -> Order {
        let of_place = spelled(&[case.deed.order("")]);
        let said = case.place.voices(&of_place);
        // A server shows what it is later.
        tide_server::Voices { instead: None, last_words: None, ..said.clone() }.keep(self.own.path());
        if case.place.voice.is_none() && !case.deed.is_about_tools() {
            return case.deed.order("");
        }
        self.ordered_by_person("mcp.add", json!({"name": "tides", "launch": tide_server::launch(self.own.path())}));
        let hash = self.servers.list().remove(0).hash.expect("it told its tools").to_string();
        if case.place.trusted {
            let tools = json!({"forecast": {"risks": ["read"]}});
            self.ordered_by_person("mcp.trust", json!({"name": "tides", "hash": hash, "tools": tools}));
        }
        let order = case.deed.order(&hash);
        case.place.voices(&spelled(std::slice::from_ref(&order))).keep(self.own.path());
        order
    }

    /// The person asks, and says yes if they are asked.
    fn ordered_by_person(&self, action: &str, args: Value) {
        let request = ActionRequest::new(action.parse().unwrap(), args);
        let record = self.runtime.block_on(async {
            let record = self.gate.submit(request, person()).await.unwrap().record;
            match record.state {
                ActionState::AwaitingConfirmation => {
                    let yes = Decision::approve(record.approval_hash);
                    self.gate.decide(&record.envelope.id, yes, PERSON).await.unwrap()
                }
                _ => record,
            }
        });
        assert_eq!(record.state, ActionState::Done, "{record:?}");
    }

    /// A thread in which the person says these words and yes to their own task, and no to everything else.
    fn converse(
        &self,
        planner: &Planning,
        task: &[Order],
        words: &[&str],
        (focus, runs, wished): (&str, RunMode, bool),
    ) -> Vec<ActionRecord> {
        let _inside = self.runtime.enter();
        let models = Arc::new(Models::of([Arc::new(planner.clone()) as _]));
        let agents = Agents::of(profile(focus), self.store.clone(), self.gate.clone(), models);
        agents.instruct(Arc::new(Standing(self.workspace.clone())));
        let new = NewThread {
            // What was let in after a review is run at once only where there are reviews.
            mode: Some(if runs == RunMode::AfterReview { ReviewMode::ReviewEach } else { ReviewMode::AutoApply }),
            runs: Some(runs),
            runs_after_outputs: wished.then(|| NOTEBOOK.parse().unwrap()),
            model: Some("rehearsal/planner".parse().unwrap()),
            ..NewThread::default()
        };
        let thread = agents.create_thread(new).unwrap().id;
        for words in words {
            let focus = Focus {
                path: focus.parse().unwrap(),
                cell: None,
                cursor: Some(1),
                selection: None,
                viewport: None,
                scope: None,
            };
            let started = agents.start_turn(&thread, Message::new(*words, Some(focus)), PERSON, None);
            self.runtime.block_on(started).unwrap();
            self.runtime.block_on(async {
                tokio::time::timeout(PATIENCE, self.answer(&agents, &thread, task)).await.expect("the turn ends")
            });
        }
        self.asked_for(&agents, &thread)
    }

    /// What was asked for in a thread, as it is now.
    pub fn asked_for(&self, agents: &Agents, thread: &ThreadId) -> Vec<ActionRecord> {
        let events = agents.events(thread, 0).unwrap();
        let last = |event: aside_core::ThreadEvent| match event.body {
            ThreadEventBody::ActionChanged { record } => Some(record.envelope.id.clone()),
            _ => None,
        };
        let mut ids: Vec<ActionId> = events.into_iter().filter_map(last).collect();
        ids.sort();
        ids.dedup();
        ids.iter().map(|id| self.gate.record(id).unwrap()).collect()
    }

    async fn answer(&self, agents: &Agents, thread: &ThreadId, task: &[Order]) {
        let mut tail = self.store.tail();
        while agents.is_busy(thread) {
            for record in self.gate.pending().unwrap() {
                let decision = match is_of(&record, task) {
                    true => Decision::approve(record.approval_hash.clone()),
                    false => Decision::reject(None),
                };
                self.gate.decide(&record.envelope.id, decision, PERSON).await.unwrap();
            }
            // Falling behind is no news: look again.
            let _ = tokio::time::timeout(Duration::from_millis(20), tail.recv()).await;
        }
    }
}
