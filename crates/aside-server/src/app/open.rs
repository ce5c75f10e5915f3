//! How that is built: the store first, then what stands on it; last what was under way goes on.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use aside_actions::PersonsHistory;
use aside_agent::{AgentError, Agents, LONGEST_PRICES, LONGEST_SPENDING_FILE, Pulls, TaskError, Tasks};
use aside_cells::AiCells;
use aside_core::{ActionId, ActionState, AiLevel, Failure, Secrets};
use aside_gate::{Catalog, Gate, GateError, Grants, LivePolicy, PolicyFiles, handler};
use aside_index::WorkspaceIndex;
use aside_kernels::{SessionError, SessionOptions, Sessions};
use aside_llm::{Environment, ModelLists, Models, Script};
use aside_lsp::LanguageServers;
use aside_mcp::{ClientLimits, Servers, ServersError};
use aside_people::{Chats, People};
use aside_store::{DataFolder, Store, StoreError, StoreOptions};
use aside_table::Tables;
use aside_terminal::Terminals;
use aside_workspace::{Workspace, WorkspaceError};
use tokio::{
    sync::{broadcast::error::RecvError, watch},
    time::interval,
};

use super::{App, blocking};
use crate::{
    access::{Access, Devices, Hosts, Secret},
    assistant::{self, Restrict},
    conversations, guests,
    history::HistoryKeeper,
    instructions::InstructionFolders,
    keys::Keys,
    lock::FOLDER,
    meaning,
    model_lists::KeptModelLists,
    options::ServeOptions,
    outside::{self, Outside},
    own_actions,
    own_folder::{NotOurs, SAID_EVERY, Watched},
    presence::Presence,
    profile::Profile,
    settings::{self, Settings},
    windows::Windows,
};

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
    #[error("cannot create a key: {0}")]
    Random(#[from] getrandom::Error),
    /// The rehearsal of the sample workspace.
    #[error("cannot read .aside/rehearsal.json: {0}")]
    Rehearsal(String),
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
        let own = options.data_folder.clone();
        let (store, watched) = open_store(&folder, own.as_ref(), &ending)?;
        let rehearsal = rehearsal(&folder)?;
        let demo = rehearsal.is_some();
        let lists = own.as_ref().map(|own| Arc::new(KeptModelLists::new(own)) as Arc<dyn ModelLists>);
        let rehearsal = rehearsal.or(options.environment.rehearsal);
        let environment = Environment { rehearsal, lists, ..options.environment };
        let outside = Outside::new(own.as_ref(), options.local_only);
        let workspace = Workspace::open(&folder, store.clone())?;
        if let Some(own) = &own {
            workspace.set_own_data(own.path());
        }
        let index = WorkspaceIndex::start(&workspace);
        workspace.processes().look_ahead();
        workspace.processes().follow_local_only(outside.local_only_switch());
        let of_kernels = SessionOptions { most_output: options.cell_output, ..SessionOptions::of_process(&workspace) };
        let kernels = Sessions::open(workspace.clone(), store.clone(), of_kernels)?;
        let windows = Windows::default();
        let persons = PersonsHistory { folder: own.clone(), workspace: folder.display().to_string() };
        let profile = Profile::new(own.as_ref());
        let people = People::open(store.clone(), &options.user, profile.name().as_deref())?;
        let settings = Settings::open(own.as_ref(), &folder);
        tokio::spawn(Settings::follow(Arc::downgrade(&settings)));
        let catalog = catalog(&workspace, &store, &windows, &kernels, &outside, &persons, &people);
        let terminals = Arc::new(Terminals::default());
        let tables = Arc::new(Tables::new(folder.join(FOLDER)));
        let more = settings::actions(&settings).into_iter().chain(aside_actions::search_actions(&workspace, &index));
        let more = more.chain(aside_actions::terminal_actions(&workspace, &store, &terminals));
        let more = more.chain(aside_actions::table_actions(&workspace, &tables));
        let said = catalog.replace(|_| false, more);
        said.expect("these actions are declared well; every start of a server in a test shows it");
        let servers = Servers::open(catalog.clone(), &folder, own.as_ref(), ClientLimits::default())?;
        servers.follow_local_only(outside.local_only_switch());
        let language_servers = LanguageServers::open(workspace.clone(), own.as_ref());
        let variables = options.logs.clone().unwrap_or_default();
        let history = HistoryKeeper::start(own.clone(), options.logs);
        let keys = Keys::new(environment, own.as_ref(), &folder, options.keyring);
        let keys = ready(keys.with_variables(|name| variables.get(name).cloned()), &workspace).await?;
        let policy = LivePolicy::open(PolicyFiles {
            organisation: options.organisation_policy,
            data_folder: own.clone(),
            workspace: folder.clone(),
            assistant: options.assistant,
        });
        let gate = Gate::new(store.clone(), catalog, policy);
        gate.keep_out(options.secrets.clone());
        gate.keep_out(Secrets::new(keys.values()));
        let needs_you = begin(&gate, &workspace).await?;
        let asked = gate.clone();
        let off = move || Some(asked.assistant()).filter(|now| now.level == AiLevel::Off).map(|now| now.sentence());
        let models = Arc::new(Models::discover(keys.environment()).permitted_by(outside.permits().unless(off)));
        let own_path = own.as_ref().map(|own| own.path().to_owned());
        let own_commands = own_path.as_ref().map(|own| own.join("commands"));
        models.keep_out(options.secrets);
        let instructions = InstructionFolders::new(workspace.clone(), own_path, folder.join(FOLDER));
        let agents = Agents::new(store.clone(), gate.clone(), models.clone());
        if let Some(own) = &own {
            agents.spending().follow(own.file("spending.toml", LONGEST_SPENDING_FILE));
            agents.spending().follow_fetched(own.file("prices.json", LONGEST_PRICES));
        }
        let spending = agents.spending().clone();
        models.known_by(move || spending.prices());
        tokio::spawn(meaning::follow(settings.clone(), models.clone(), Arc::downgrade(&index)));
        if let Some(model) = options.model {
            agents.prefer(model);
        }
        agents.instruct(instructions.clone());
        let cells = AiCells::open(store.clone(), kernels.clone(), &agents);
        agents.resume()?;
        cells.recover()?;
        let any_window = {
            let windows = windows.clone();
            Box::new(move || windows.is_any_open())
        };
        let tasks = Tasks::new(store.clone(), gate.clone(), agents.clone(), any_window);
        tasks.recover().map_err(Box::new)?;
        let devices = Devices::new(own.as_ref(), folder.display().to_string(), options.token.as_deref());
        let grants = gate.grants().clone();
        let access = Arc::new(Access { hosts, secret, grants, people: people.clone(), devices });
        let parts = own_actions::Parts {
            people: people.clone(),
            profile: profile.clone(),
            store: store.clone(),
            access: access.clone(),
            models: models.clone(),
            agents: agents.clone(),
            tasks: tasks.clone(),
            user: options.user.clone(),
            language_servers: language_servers.clone(),
        };
        let said = gate.catalog().replace(|_| false, own_actions::actions(parts));
        said.expect("these actions are declared well; every start of a server in a test shows it");
        tasks.resume_waiting_scripts().map_err(Box::new)?;
        let chats = Arc::new(Chats::new(store.clone(), people.clone()));
        follow_moves(&workspace, &kernels, &agents, &chats);
        conversations::search(&index, &store, &agents, &chats, people);
        Ok(Arc::new(Self {
            chats,
            index,
            presence: Presence::default(),
            kernels,
            tables,
            terminals,
            cells,
            needs_you,
            mcp: aside_mcp::Server::new(gate.clone(), store.clone(), aside_mcp::Limits::default())?,
            agents,
            pulls: Pulls::new(&gate, models.clone()),
            tasks,
            servers,
            language_servers,
            models,
            keys,
            outside,
            settings,
            access,
            base_path: options.base_path,
            ui: options.ui,
            command_folders: std::iter::once(folder.join(FOLDER).join("commands")).chain(own_commands).collect(),
            instructions,
            history,
            grammar: OnceLock::new(),
            user: options.user,
            profile,
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
}

/// Opens what the workspace holds; where the person has a folder of their own, only if nobody else has changed it.
fn open_store(
    folder: &Path,
    own: Option<&DataFolder>,
    ending: &watch::Receiver<bool>,
) -> Result<(Arc<Store>, Option<Arc<Watched>>), OpenError> {
    let watched = own.map(|own| Watched::begin(&folder.join(FOLDER), own)).transpose()?;
    let store = Store::open(&folder.join(FOLDER), StoreOptions::system())?;
    watched.as_ref().map_or(Ok(()), |watched| watched.check(&store))?;
    let watched = watched.map(Arc::new);
    watched.clone().map(|watched| tokio::spawn(say_it_lives(watched, ending.clone())));
    Ok((store, watched))
}

/// Everything that can be asked for, but for what knows the Gate itself.
fn catalog(
    workspace: &Arc<Workspace>,
    store: &Arc<Store>,
    windows: &Windows,
    kernels: &Arc<Sessions>,
    outside: &Arc<Outside>,
    persons: &PersonsHistory,
    people: &People,
) -> Catalog {
    let catalog = aside_actions::catalog(workspace, Grants::new(store.clone()), Arc::new(windows.clone()))
        .expect("the built-in actions are declared well; their own tests build this catalog");
    let more = aside_actions::kernel_actions(workspace, kernels).into_iter();
    let more = more.chain(outside::actions(outside)).chain(guests::actions(people));
    let more = more.chain(aside_actions::history(persons));
    let more = more.chain(aside_actions::note_actions(workspace));
    let said = catalog.replace(|_| false, more);
    said.expect("these actions are declared well; every start of a server in a test shows it");
    catalog
}

/// Reads the keys, whose variables no process of the workspace has.
async fn ready(keys: Keys, workspace: &Workspace) -> Result<Arc<Keys>, OpenError> {
    let keys = Arc::new(keys);
    let (holding, reading) = (keys.clone(), keys.clone());
    workspace.processes().withhold(move || holding.names_of_variables());
    blocking(move || reading.refresh()).await.map_err(OpenError::Interrupted)?;
    Ok(keys)
}

/// Ends what a crash cut off, adds what restricts the assistant, and follows what changes. Returns how many actions wait.
async fn begin(gate: &Arc<Gate>, workspace: &Workspace) -> Result<watch::Receiver<u32>, GateError> {
    for record in gate.recover().await? {
        tracing::warn!("action {} was interrupted when the server stopped", record.envelope.id);
    }
    // Copies of commands that were cut off have become snapshots by now.
    workspace.tidy_snapshots();
    let restrict = handler(Restrict { gate: Arc::downgrade(gate) });
    let said = gate.catalog().replace(|name| name.as_str() == assistant::NAME, [restrict]);
    said.expect("this action is declared well; every start of a server in a test shows it");
    tokio::spawn(gate.watch_grants());
    tokio::spawn(gate.watch_assistant());
    count_waiting(gate)
}

/// Has what stands beside a file follow it to its other name.
fn follow_moves(workspace: &Workspace, kernels: &Arc<Sessions>, agents: &Arc<Agents>, chats: &Arc<Chats>) {
    let (kernels, agents, chats) = (kernels.clone(), agents.clone(), chats.clone());
    workspace.on_move(move |from, to| {
        kernels.moved(from, to);
        if let Err(error) = agents.moved(from, to) {
            tracing::warn!(%error, "cannot move the threads of {from} to {to}");
        }
        if let Err(error) = chats.moved(from, to) {
            tracing::warn!(%error, "cannot move the chats of {from} to {to}");
        }
    });
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

/// Counts what waits for a person, now and after every change. What changed says itself whether it waits: the store is not
/// asked each time, since every action changes twice.
fn count_waiting(gate: &Arc<Gate>) -> Result<watch::Receiver<u32>, GateError> {
    let all = |gate: &Gate| -> Result<BTreeSet<ActionId>, GateError> {
        Ok(gate.pending()?.into_iter().map(|record| record.envelope.id).collect())
    };
    let mut changes = gate.changes();
    let mut waiting = all(gate)?;
    let count = |waiting: &BTreeSet<ActionId>| u32::try_from(waiting.len()).unwrap_or(u32::MAX);
    let (sender, receiver) = watch::channel(count(&waiting));
    let gate = Arc::downgrade(gate);
    tokio::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(record) if record.state == ActionState::AwaitingConfirmation => {
                    waiting.insert(record.envelope.id.clone());
                }
                Ok(record) => _ = waiting.remove(&record.envelope.id),
                Err(RecvError::Lagged(_)) => {
                    let Some(gate) = gate.upgrade() else { return };
                    match all(&gate) {
                        Ok(now) => waiting = now,
                        Err(error) => tracing::warn!("cannot count waiting items: {error}"),
                    }
                }
                Err(RecvError::Closed) => return,
            }
            let now = count(&waiting);
            sender.send_if_modified(|known| std::mem::replace(known, now) != now);
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
