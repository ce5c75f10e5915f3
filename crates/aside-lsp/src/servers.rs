//! The servers that the person wants, and who needs them now.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use aside_core::{FileKind, LanguageServer, LanguageServerState};
use aside_macros::boxed;
use aside_store::{DataFolder, Stamp, TextFile};
use aside_workspace::{Document, Workspace};
use tokio::{sync::mpsc, task::AbortHandle};

use crate::{
    configuration::{Configured, parse},
    follower,
    keeper::{self, Keeper, Order, Patience},
};

/// The file in the person's data folder.
const FILE: &str = "language-servers.toml";
/// Bytes of it.
const LONGEST: u64 = 256 << 10;

/// The language servers of one workspace.
#[derive(Debug)]
pub struct LanguageServers {
    workspace: Arc<Workspace>,
    file: Option<TextFile>,
    patience: Patience,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    stamp: Option<Stamp>,
    problem: Option<String>,
    servers: BTreeMap<String, Arc<Keeper>>,
    /// How many follow each document, and what ends that; by the document's epoch.
    followed: BTreeMap<String, (usize, Vec<Arc<Keeper>>, AbortHandle)>,
    closed: bool,
}

/// What is to be known of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// The file in which they are named; none where the person has no data folder.
    pub file: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
    /// Each of them.
    pub servers: Vec<LanguageServer>,
}

/// Somebody has a document open. What is found in it is shown until the last of these is dropped.
#[derive(Debug)]
pub struct Following {
    servers: Arc<LanguageServers>,
    epoch: String,
}

impl LanguageServers {
    /// Those of a workspace. None is started before somebody opens a document that it knows.
    pub fn open(workspace: Arc<Workspace>, data: Option<&DataFolder>) -> Arc<Self> {
        Self::with(workspace, data, Patience::default())
    }

    pub(crate) fn with(workspace: Arc<Workspace>, data: Option<&DataFolder>, patience: Patience) -> Arc<Self> {
        let file = data.map(|data| data.file(FILE, LONGEST));
        Arc::new(Self { workspace, file, patience, inner: Mutex::default() })
    }

    /// Follows a document for as long as what is returned lives; none if no server knows its language. To be called on a
    /// runtime, for the person who has it open before them: their configuration starts programs.
    pub fn follow(self: &Arc<Self>, document: &Arc<Document>, kind: FileKind) -> Option<Following> {
        let epoch = document.epoch().to_string();
        let mut inner = self.read();
        if inner.closed {
            return None;
        }
        if let Some((count, ..)) = inner.followed.get_mut(&epoch) {
            *count += 1;
            return Some(Following { servers: self.clone(), epoch });
        }
        let knows = |keeper: &&Arc<Keeper>| keeper.server.languages.contains(&kind);
        let keepers: Vec<_> = inner.servers.values().filter(knows).cloned().collect();
        if keepers.is_empty() {
            return None;
        }
        let orders: Vec<_> = keepers.iter().map(|keeper| keeper.orders.clone()).collect();
        let following = tokio::spawn(follower::follow(
            document.clone(),
            kind,
            orders,
            self.workspace.events(),
            self.patience.typing,
        ));
        inner.followed.insert(epoch.clone(), (1, keepers, following.abort_handle()));
        Some(Following { servers: self.clone(), epoch })
    }

    /// Says how they stand. Blocks on the disk for a moment.
    pub fn overview(&self) -> Overview {
        let inner = self.read();
        Overview {
            file: self.file.as_ref().map(|file| file.path().display().to_string()),
            problem: inner.problem.clone(),
            servers: inner.servers.values().map(|keeper| self.view(keeper)).collect(),
        }
    }

    /// Starts one anew, however it stands; tells whether there is one of this name. One that no document needs goes on
    /// resting.
    pub fn restart(&self, name: &str) -> bool {
        self.read().servers.get(name).is_some_and(|keeper| keeper.orders.send(Order::Again).is_ok())
    }

    /// Ends them all; none is started after that.
    #[boxed]
    pub async fn close(&self) {
        let keepers: Vec<_> = {
            let mut inner = self.lock();
            inner.closed = true;
            inner.followed.values().for_each(|(.., following)| following.abort());
            std::mem::take(&mut inner.servers).into_values().collect()
        };
        for keeper in keepers {
            keeper.end().await;
        }
    }

    fn view(&self, keeper: &Keeper) -> LanguageServer {
        let standing = keeper.standing();
        let program = keeper::find(&self.workspace, &keeper.server.command[0]);
        let missing = standing.state == LanguageServerState::Resting && program.is_none();
        let (state, said, todo) = match missing {
            true => {
                let (said, todo) = keeper::not_found(&keeper.server.command[0]);
                (LanguageServerState::Missing, Some(said), Some(todo))
            }
            false => (standing.state, standing.said, standing.todo),
        };
        LanguageServer {
            name: keeper.server.name.clone(),
            languages: keeper.server.languages.clone(),
            command: keeper.server.command.clone(),
            program: program.map(|path| path.display().to_string()),
            state,
            said,
            todo,
        }
    }

    /// The servers as the file has them now. One that is named otherwise than before is another one.
    fn read(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.lock();
        let Some(file) = self.file.as_ref().filter(|_| !inner.closed) else { return inner };
        let stamp = file.stamp();
        if inner.stamp == Some(stamp) && stamp != Stamp::Unknown {
            return inner;
        }
        let text = file.read().map_err(|error| error.to_string());
        match text.and_then(|text| parse(&text.unwrap_or_default())) {
            Ok(servers) => {
                inner.problem = None;
                self.take(&mut inner, servers);
            }
            // What was understood before goes on.
            Err(problem) => {
                let problem = format!("{}, {problem}", file.path().display());
                tracing::warn!("{problem}");
                inner.problem = Some(problem);
            }
        }
        inner.stamp = Some(stamp);
        inner
    }

    fn take(&self, inner: &mut Inner, servers: Vec<Configured>) {
        let mut before = std::mem::take(&mut inner.servers);
        for server in servers {
            let same = before.remove(&server.name).filter(|keeper| keeper.server == server);
            let keeper = same.unwrap_or_else(|| Keeper::new(server.clone(), self.workspace.clone(), self.patience));
            inner.servers.insert(server.name, keeper);
        }
        // Documents that are open keep the servers they have until they are opened anew; those that nobody has go.
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let mut inner = self.servers.lock();
        let Some((count, ..)) = inner.followed.get_mut(&self.epoch) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        if let Some((_, keepers, following)) = inner.followed.remove(&self.epoch) {
            following.abort();
            drop(inner);
            for keeper in keepers {
                let _ = keeper.orders.send(Order::Close { epoch: self.epoch.clone() });
            }
        }
    }
}

/// Where orders for a server go.
pub(crate) type Orders = mpsc::UnboundedSender<Order>;
