//! All servers of a workspace: what is kept of them, their connections, and their tools in the catalog.

mod calls;
mod changes;
mod offer;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use aside_core::{Failure, McpServer, McpServerName, Switch};
use aside_gate::{Catalog, CatalogError};
use aside_macros::boxed;
use aside_store::DataFolder;
use tokio::sync::watch;

use super::{
    actions,
    kept::{AllKept, Files, Kept},
    link::Link,
};

pub(crate) use calls::Call;

/// Servers of one workspace, at most.
const MOST_SERVERS: usize = 50;

/// How long a server may take, and how much it may say at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLimits {
    /// To start and to say who it is; the first start may fetch a program.
    pub start: Duration,
    /// To tell its tools.
    pub list: Duration,
    /// To answer a call.
    pub call: Duration,
    /// The first rest of a server that keeps failing; each one after it is twice as long, up to 60 of these.
    pub rest: Duration,
    /// Bytes of one message.
    pub message: usize,
}

impl Default for ClientLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { start: seconds(90), list: seconds(15), call: seconds(300), rest: seconds(1), message: 8 << 20 }
    }
}

/// Why the servers of a workspace can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum ServersError {
    /// The file.
    #[error("cannot read the stored MCP servers: {0}")]
    File(#[from] io::Error),
    /// The actions.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// The servers of one workspace.
pub struct Servers {
    catalog: Catalog,
    workspace: PathBuf,
    files: Option<Files>,
    limits: ClientLimits,
    local_only: OnceLock<Switch>,
    kept: Mutex<AllKept>,
    links: Mutex<BTreeMap<McpServerName, Arc<Link>>>,
    /// What is kept has changed.
    changes: watch::Sender<()>,
}

impl Servers {
    /// Reads what is kept and puts the actions into the catalog. Starts nothing. Without a folder of the person nothing
    /// can be added.
    pub fn open(
        catalog: Catalog,
        workspace: &Path,
        data: Option<&DataFolder>,
        limits: ClientLimits,
    ) -> Result<Arc<Self>, ServersError> {
        let files = data.map(|data| Files::new(data, workspace));
        let kept = files.as_ref().map(Files::read).transpose()?.unwrap_or_default();
        let (workspace, kept) = (workspace.to_owned(), Mutex::new(kept));
        let servers = Arc::new(Self {
            catalog,
            workspace,
            files,
            limits,
            local_only: OnceLock::new(),
            kept,
            links: Mutex::default(),
            changes: watch::Sender::new(()),
        });
        servers.catalog.replace(|_| false, actions::all(&servers))?;
        let names: Vec<_> = servers.kept().keys().cloned().collect();
        names.iter().for_each(|name| servers.offer(name));
        Ok(servers)
    }

    /// Says which switch keeps this from reaching other machines; counts the first time.
    pub fn follow_local_only(&self, switch: Switch) {
        let _ = self.local_only.set(switch);
    }

    /// All servers, by name.
    pub fn list(&self) -> Vec<McpServer> {
        let kept = self.kept().clone();
        kept.iter().map(|(name, kept)| self.view(name, kept)).collect()
    }

    /// Says when a list of tools, or what a person said of it, changes.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Ends all that runs.
    #[boxed]
    pub async fn close(&self) {
        let links = std::mem::take(&mut *self.links());
        for link in links.values() {
            link.close().await;
        }
    }

    pub(crate) fn workspace(&self) -> &Path {
        &self.workspace
    }

    pub(crate) fn files(&self) -> Result<&Files, Failure> {
        self.files.as_ref().ok_or_else(|| {
            Failure::new("no_folder", "there is no data folder to store MCP servers in").hint("set ASIDE_DATA_DIR")
        })
    }

    pub(crate) fn get(&self, name: &McpServerName) -> Result<Kept, Failure> {
        let found = self.kept().get(name).cloned();
        found.ok_or_else(|| {
            let known: Vec<_> = self.kept().keys().map(ToString::to_string).collect();
            let hint = if known.is_empty() {
                "there are no servers".to_owned()
            } else {
                format!("the servers are: {}", known.join(", "))
            };
            Failure::new("not_found", format!("there is no MCP server `{name}`")).hint(hint)
        })
    }

    pub(crate) fn one(&self, name: &McpServerName) -> Result<McpServer, Failure> {
        Ok(self.view(name, &self.get(name)?))
    }

    /// The connection of a server, which may not be there yet.
    fn link(&self, name: &McpServerName) -> Arc<Link> {
        self.links().entry(name.clone()).or_default().clone()
    }

    fn links(&self) -> MutexGuard<'_, BTreeMap<McpServerName, Arc<Link>>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, AllKept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn another_list(name: &McpServerName) -> Failure {
    let message = format!("the tools of {name} changed since they were trusted, so none can be used");
    Failure::new("tools_changed", message).hint("the user must review the new list with mcp.trust; mcp.list shows it")
}
