//! What a server is made of. Built once at the start; every route and connection has it.

use std::{path::PathBuf, sync::Arc};

use aside_actions::PersonsHistory;
use aside_agent::{AgentError, Agents, LONGEST_PRICES, LONGEST_SPENDING_FILE, Pulls, TaskError, Tasks};
use aside_cells::AiCells;
use aside_core::{AiLevel, Author, Failure, Grant, Origin, Person, Risks, Secrets};
use aside_gate::{Gate, GateError, Grants, LivePolicy, PolicyFiles, Submission, handler};
use aside_kernels::{SessionError, Sessions};
use aside_llm::{Environment, ModelLists, Models, Script};
use aside_lsp::LanguageServers;
use aside_mcp::{ClientLimits, Servers, ServersError};
use aside_people::{Chats, People};
use aside_store::{Store, StoreError, StoreOptions};
use aside_workspace::{Workspace, WorkspaceError};
use tokio::{
    sync::{broadcast::error::RecvError, watch},
    time::interval,
};

use crate::{
    access::{Access, Hosts, Secret, Shown},
    assistant::{self, Restrict},
    base_path::BasePath,
    history::HistoryKeeper,
    instructions::InstructionFolders,
    keys::Keys,
    lock::FOLDER,
    model_lists::KeptModelLists,
    options::ServeOptions,
    outside::{self, Outside},
    own_folder::{NotOurs, SAID_EVERY, Watched},
    presence::Presence,
    windows::Windows,
};

/// Everything a request may need.
pub struct App {
    /// The state of the workspace.
    pub store: Arc<Store>,
    /// Its documents and files.
    pub workspace: Arc<Workspace>,
    /// The kernels of its notebooks.
    pub kernels: Arc<Sessions>,
    /// The threads of their AI cells.
    pub cells: Arc<AiCells>,
    /// The only door to side effects.
    pub gate: Arc<Gate>,
    /// The threads and what runs in them.
    pub agents: Arc<Agents>,
    /// What people say to each other beside documents.
    pub chats: Arc<Chats>,
    /// Who has a window open.
    pub presence: Presence,
    /// The models that are being got.
    pub pulls: Arc<Pulls>,
    /// The tasks, and what carries their steps out.
    pub tasks: Arc<Tasks>,
    /// The catalog for programs that speak MCP.
    pub mcp: aside_mcp::Server,
    /// Other programs whose tools are actions.
    pub servers: Arc<Servers>,
    /// Programs that say what is wrong in open documents.
    pub language_servers: Arc<LanguageServers>,
    /// Where answers come from.
    pub models: Arc<Models>,
    /// The keys of model services.
    pub keys: Arc<Keys>,
    /// What the person said of other machines.
    pub outside: Arc<Outside>,
    /// The person's open windows.
    pub windows: Windows,
    /// How many actions wait for a person.
    pub needs_you: watch::Receiver<u32>,
    /// Who may come in.
    pub access: Arc<Access>,
    /// The path below which everything is served.
    pub base_path: BasePath,
    /// Where words with a slash are kept, the nearest first.
    pub command_folders: Vec<PathBuf>,
    /// Where standing instructions are.
    pub instructions: Arc<InstructionFolders>,
    /// Who the person is.
    pub user: String,
    /// The sample workspace, with its rehearsal.
    pub demo: bool,
    /// Changes with every start.
    pub server: String,
    /// The person's AI coding history.
    pub history: HistoryKeeper,
    /// Notes what is in the workspace's own folder when it ends.
    watched: Option<Arc<Watched>>,
    ending: watch::Receiver<bool>,
}

/// Why the state of a workspace can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// What the store holds is not what it held.
    #[error(transparent)]
    NotOurs(#[from] NotOurs),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The kernels of notebooks.
    #[error(transparent)]
    Kernels(#[from] SessionError),
    /// What was under way when the server ended.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The turns that were under way.
    #[error(transparent)]
    Agents(#[from] AgentError),
    /// The tasks that were under way.
    #[error(transparent)]
    Tasks(#[from] Box<TaskError>),
    /// The servers of tools.
    #[error(transparent)]
    Servers(#[from] ServersError),
    /// The start was cut off.
    #[error("{}", .0.message)]
    Interrupted(Failure),
    /// A key that nobody can guess.
    #[error("cannot make a key: {0}")]
    Random(#[from] getrandom::Error),
    /// The rehearsal of the sample workspace.
    #[error("cannot read .aside/rehearsal.json: {0}")]
    Rehearsal(String),
}

impl std::fmt::Debug for App {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "App({:?})", self.workspace)
    }
}

impl App {
    /// Opens the state of a workspace. Contacts no model: that would delay the start.
    pub async fn open(
        folder: PathBuf,
        options: ServeOptions,
        hosts: Hosts,
        secret: Secret,
        ending: watch::Receiver<bool>,
    ) -> Result<Arc<Self>, OpenError> {
        let watched =
            options.data_folder.as_ref().map(|data| Watched::begin(&folder.join(FOLDER), data)).transpose()?;
        let store = Store::open(&folder.join(FOLDER), StoreOptions::system())?;
        watched.as_ref().map_or(Ok(()), |watched| watched.check(&store))?;
        let watched = watched.map(Arc::new);
        watched.clone().map(|watched| tokio::spawn(say_it_lives(watched, ending.clone())));
        let rehearsal = rehearsal(&folder)?;
        let demo = rehearsal.is_some();
        let environment = Environment { rehearsal: rehearsal.or(options.environment.rehearsal), ..options.environment };
        let workspace = Workspace::open(&folder, store.clone())?;
        if let Some(data) = &options.data_folder {
            workspace.set_own_data(data.path());
        }
        workspace.processes().look_ahead();
        let windows = Windows::default();
        let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(windows.clone()))
            .expect("the built-in actions are declared well; their own tests build this catalog");
        let kernels = Sessions::open(workspace.clone(), store.clone())?;
        let said = catalog.replace(|_| false, aside_actions::kernel_actions(&workspace, &kernels));
        said.expect("these actions are declared well; their own tests build them");
        let outside = Outside::new(options.data_folder.as_ref(), options.local_only);
        let said = catalog.replace(|_| false, outside::actions(&outside));
        said.expect("these actions are declared well; every start of a server in a test shows it");
        let persons = PersonsHistory { folder: options.data_folder.clone(), workspace: folder.display().to_string() };
        let said = catalog.replace(|_| false, aside_actions::history(&persons));
        said.expect("these actions are declared well; their own tests add them to a catalog");
        let servers = Servers::open(catalog.clone(), &folder, options.data_folder.as_ref(), ClientLimits::default())?;
        servers.follow_local_only(outside.local_only_switch());
        workspace.processes().follow_local_only(outside.local_only_switch());
        let language_servers = LanguageServers::open(workspace.clone(), options.data_folder.as_ref());
        let variables = options.logs.clone().unwrap_or_default();
        let history = HistoryKeeper::start(options.data_folder.clone(), options.logs);
        let lists = options.data_folder.as_ref().map(|own| Arc::new(KeptModelLists::new(own)) as Arc<dyn ModelLists>);
        let environment = Environment { lists, ..environment };
        let keys = Keys::new(environment, options.data_folder.as_ref(), &folder, options.keyring);
        let keys = Arc::new(keys.with_variables(|name| variables.get(name).cloned()));
        let holding = keys.clone();
        workspace.processes().withhold(move || holding.names_of_variables());
        let reading = keys.clone();
        blocking(move || reading.refresh()).await.map_err(OpenError::Interrupted)?;
        let spending = options.data_folder.as_ref().map(|own| own.file("spending.toml", LONGEST_SPENDING_FILE));
        let fetched = options.data_folder.as_ref().map(|own| own.file("prices.json", LONGEST_PRICES));
        let data = options.data_folder.as_ref().map(|own| own.path().to_owned());
        let instructions = InstructionFolders::new(workspace.clone(), data, folder.join(FOLDER));
        let own = options.data_folder.as_ref().map(|own| own.path().join("commands"));
        let command_folders = std::iter::once(folder.join(FOLDER).join("commands")).chain(own).collect();
        let policy = LivePolicy::open(PolicyFiles {
            organisation: options.organisation_policy,
            data_folder: options.data_folder,
            workspace: folder,
            assistant: options.assistant,
        });
        let gate = Gate::new(store.clone(), catalog, policy);
        gate.keep_out(options.secrets);
        gate.keep_out(Secrets::new(keys.values()));
        for record in gate.recover().await? {
            tracing::warn!("action {} was interrupted by the end of the server", record.envelope.id);
        }
        // Copies of commands that were cut off have become snapshots by now.
        workspace.tidy_snapshots();
        let restrict = handler(Restrict { gate: Arc::downgrade(&gate) });
        let said = gate.catalog().replace(|name| name.as_str() == assistant::NAME, [restrict]);
        said.expect("this action is declared well; every start of a server in a test shows it");
        tokio::spawn(gate.watch_grants());
        tokio::spawn(gate.watch_assistant());
        let asked = gate.clone();
        let off = move || Some(asked.assistant()).filter(|now| now.level == AiLevel::Off).map(|now| now.sentence());
        let models = Arc::new(Models::discover(keys.environment()).permitted_by(outside.permits().unless(off)));
        let agents = Agents::new(store.clone(), gate.clone(), models.clone());
        if let Some(file) = spending {
            agents.spending().follow(file);
        }
        if let Some(file) = fetched {
            agents.spending().follow_fetched(file);
        }
        let spending = agents.spending().clone();
        models.known_by(move || spending.prices());
        if let Some(model) = options.model {
            agents.prefer(model);
        }
        agents.instruct(instructions.clone());
        let pulls = Pulls::new(&gate, models.clone());
        let cells = AiCells::open(store.clone(), kernels.clone(), &agents);
        agents.resume()?;
        cells.recover()?;
        let tasks = Tasks::new(store.clone(), gate.clone(), agents.clone());
        tasks.recover().map_err(Box::new)?;
        let people = People::open(store.clone(), &options.user)?;
        let chats = Arc::new(Chats::new(store.clone(), people.clone()));
        let (moving, beside, running) = (chats.clone(), agents.clone(), kernels.clone());
        workspace.on_move(move |from, to| {
            running.moved(from, to);
            if let Err(error) = beside.moved(from, to) {
                tracing::warn!(%error, "the threads of {from} did not follow it to {to}");
            }
            if let Err(error) = moving.moved(from, to) {
                tracing::warn!(%error, "the chats of {from} did not follow it to {to}");
            }
        });
        Ok(Arc::new(Self {
            chats,
            presence: Presence::default(),
            kernels,
            cells,
            needs_you: count_waiting(&gate)?,
            mcp: aside_mcp::Server::new(gate.clone(), store.clone(), aside_mcp::Limits::default())?,
            agents,
            pulls,
            tasks,
            servers,
            language_servers,
            models,
            keys,
            outside,
            access: Arc::new(Access { hosts, secret, grants: gate.grants().clone(), people }),
            base_path: options.base_path,
            command_folders,
            instructions,
            history,
            user: options.user,
            server: store.new_id::<aside_core::EpochId>().to_string(),
            store,
            watched,
            workspace,
            gate,
            windows,
            demo,
            ending,
        }))
    }

    /// Who asks and what they may do, by what they showed.
    pub fn submission(&self, shown: Shown) -> Submission {
        let user = self.user.clone();
        match shown {
            Shown::Cookie => Submission::person(Origin::User { user }),
            Shown::Bearer | Shown::Nothing => Submission::person(Origin::Cli { user }),
            // No route takes them here; if one did, nothing would be allowed.
            Shown::Guest(person) => {
                let nothing = Grant { risks: Risks::default(), ..Grant::actions("a guest", []) };
                Submission::under(nothing, Origin::User { user: person.name.clone() })
            }
            Shown::Grant(record) => {
                let id = record.grant.id.clone().expect("a stored grant has an id");
                Submission::under(record.grant.clone(), Origin::Client { user: record.by.clone(), grant: id })
            }
        }
    }

    /// Who looks at a page, or whose program it is.
    pub fn person(&self, shown: &Shown) -> Person {
        match shown {
            Shown::Guest(person) => Person::clone(person),
            _ => self.access.people.owner().clone(),
        }
    }

    /// As whom they speak. Only a page speaks with a person's own voice.
    pub fn author(&self, shown: &Shown) -> Author {
        let Person { id, name, .. } = self.person(shown);
        Author { person: id, name, program: !matches!(shown, Shown::Cookie | Shown::Guest(_)) }
    }

    /// Reads the kept keys again if another of the person's servers, or the person, has changed them.
    pub async fn renew_keys(self: &Arc<Self>) -> Result<(), Failure> {
        let app = self.clone();
        blocking(move || {
            if app.keys.refresh() {
                app.gate.keep_out(Secrets::new(app.keys.values()));
                app.models.renew(&app.keys.environment());
            }
        })
        .await
    }

    /// Returns when the server ends.
    pub async fn ended(&self) {
        // An error means that the server is gone, which is the end too.
        let _ = self.ending.clone().wait_for(|ended| *ended).await;
    }

    /// Ends the servers of tools and writes what is not written. Nothing is stored after that.
    pub async fn close(&self) {
        self.servers.close().await;
        self.language_servers.close().await;
        let workspace = self.workspace.clone();
        let problems = tokio::task::spawn_blocking(move || {
            workspace.remove_latex_output();
            workspace.save_all()
        });
        let problems = problems.await.unwrap_or_default();
        for problem in problems {
            tracing::warn!("{problem}; the text is kept and written at the next start");
        }
        if let Some(Err(problem)) = self.watched.as_ref().map(|watched| watched.end(&self.store)) {
            tracing::warn!("{problem}");
        }
    }
}

/// Says every minute that the server lives, until it ends.
async fn say_it_lives(watched: Arc<Watched>, mut ending: watch::Receiver<bool>) {
    let mut tick = interval(SAID_EVERY);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = ending.wait_for(|ended| *ended) => return,
        }
        let watched = watched.clone();
        if let Ok(Err(problem)) = blocking(move || watched.says_it_lives()).await {
            tracing::warn!("{problem}");
        }
    }
}

/// Counts what waits for a person, now and after every change.
fn count_waiting(gate: &Arc<Gate>) -> Result<watch::Receiver<u32>, GateError> {
    let count = |gate: &Gate| gate.pending().map(|waiting| u32::try_from(waiting.len()).unwrap_or(u32::MAX));
    let mut changes = gate.changes();
    let (sender, receiver) = watch::channel(count(gate)?);
    let gate = Arc::downgrade(gate);
    tokio::spawn(async move {
        while !matches!(changes.recv().await, Err(RecvError::Closed)) {
            let Some(gate) = gate.upgrade() else { return };
            match count(&gate) {
                Ok(now) => drop(sender.send_if_modified(|known| std::mem::replace(known, now) != now)),
                Err(error) => tracing::warn!("cannot count what waits: {error}"),
            }
        }
    });
    Ok(receiver)
}

/// Reads the sample workspace's rehearsal, if this is one.
#[expect(clippy::disallowed_methods, reason = "Aside's own folder, read once at the start")]
fn rehearsal(folder: &std::path::Path) -> Result<Option<Script>, OpenError> {
    match std::fs::read_to_string(folder.join(FOLDER).join("rehearsal.json")) {
        Ok(text) => Script::parse(&text).map(Some).map_err(|error| OpenError::Rehearsal(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpenError::Rehearsal(error.to_string())),
    }
}

/// Runs work that blocks on the disk beside the tasks of the runtime.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.map_err(|_| Failure::new("interrupted", "the work was cut off by the end of the server"))
}
