//! What a server is made of. Built once at the start; every route and connection has it.

mod open;

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use aside_agent::{Agents, Pulls, Tasks};
use aside_cells::AiCells;
use aside_core::{Author, Failure, Grant, Origin, Person, Risks, Secrets};
use aside_gate::{Gate, GateError, Submission};
use aside_index::WorkspaceIndex;
use aside_kernels::Sessions;
use aside_llm::Models;
use aside_lsp::LanguageServers;
use aside_mcp::Servers;
use aside_people::Chats;
use aside_route::Grammar;
use aside_store::Store;
use aside_table::Tables;
use aside_terminal::Terminals;
use aside_workspace::Workspace;
use serde_json::Value;
use tokio::sync::{oneshot, watch};

pub use open::OpenError;

use crate::{
    access::{Access, Shown},
    base_path::BasePath,
    history::HistoryKeeper,
    instructions::InstructionFolders,
    keys::Keys,
    outside::Outside,
    own_folder::Watched,
    presence::Presence,
    profile::Profile,
    settings::Settings,
    ui::Ui,
    windows::Windows,
};

/// Everything a request may need.
pub struct App {
    /// The state of the workspace.
    pub store: Arc<Store>,
    /// Its documents and files.
    pub workspace: Arc<Workspace>,
    /// The search index of these, and of threads and chats.
    pub index: Arc<WorkspaceIndex>,
    /// The kernels of its notebooks.
    pub kernels: Arc<Sessions>,
    /// The open tables.
    pub tables: Arc<Tables>,
    /// The person's terminals.
    pub terminals: Arc<Terminals>,
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
    /// The person's settings.
    pub settings: Arc<Settings>,
    /// The person's open windows.
    pub windows: Windows,
    /// How many actions wait for a person.
    pub needs_you: watch::Receiver<u32>,
    /// Who may come in.
    pub access: Arc<Access>,
    /// The path below which everything is served.
    pub base_path: BasePath,
    /// The files of the user interface.
    pub ui: Ui,
    /// Where words with a slash are kept, the nearest first.
    pub command_folders: Vec<PathBuf>,
    /// Where standing instructions are.
    pub instructions: Arc<InstructionFolders>,
    /// The person's account on this computer, as logs and the audit name them.
    pub user: String,
    /// The name that they chose for themselves.
    pub profile: Profile,
    /// The sample workspace, with its rehearsal.
    pub demo: bool,
    /// Changes with every start.
    pub server: String,
    /// The person's AI coding history.
    pub history: HistoryKeeper,
    /// The phrases of the catalog, made by the first sentence.
    pub grammar: OnceLock<Grammar>,
    /// Notes what is in the workspace's own folder when it ends.
    watched: Option<Arc<Watched>>,
    ending: watch::Receiver<bool>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "App({:?})", self.workspace)
    }
}

impl App {
    /// Who asks and what they may do, by what they showed.
    pub fn submission(&self, shown: Shown) -> Submission {
        let user = self.user.clone();
        match shown {
            Shown::Cookie(_) => Submission::person(Origin::User { user }),
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

    /// Writes down a change that is no action; see `routes/writes.rs`.
    pub async fn note_set(&self, name: &str, args: Value, words: &str, shown: Shown) -> Result<(), GateError> {
        let name = name.parse().expect("our names are well formed");
        self.gate.note_set(name, args, words, self.submission(shown)).await
    }

    /// Who looks at a page, or whose program it is.
    pub fn person(&self, shown: &Shown) -> Person {
        match shown {
            Shown::Guest(person) => Person::clone(person),
            _ => self.access.people.owner(),
        }
    }

    /// As whom they speak. Only a page speaks with a person's own voice.
    pub fn author(&self, shown: &Shown) -> Author {
        let Person { id, name, .. } = self.person(shown);
        Author { person: id, name, program: !matches!(shown, Shown::Cookie(_) | Shown::Guest(_)) }
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
        self.kernels.close().await;
        let (workspace, index, terminals) = (self.workspace.clone(), self.index.clone(), self.terminals.clone());
        let problems = tokio::task::spawn_blocking(move || {
            terminals.close_all();
            index.close();
            workspace.remove_latex_output();
            workspace.save_all()
        });
        let problems = problems.await.unwrap_or_default();
        for problem in problems {
            tracing::warn!("{problem}; the text is stored and will be written at the next start");
        }
        if let Some(Err(problem)) = self.watched.as_ref().map(|watched| watched.end(&self.store)) {
            tracing::warn!("{problem}");
        }
    }
}

/// Runs work that blocks on the disk beside the tasks of the runtime.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let (sender, result) = oneshot::channel();
    // A task is compiled once, and not for each kind of work.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || drop(sender.send(work())));
    tokio::task::spawn_blocking(work);
    result.await.map_err(|_| Failure::new("interrupted", "the server stopped before the work was finished"))
}
