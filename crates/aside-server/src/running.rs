//! Starting and ending.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aside_core::RunningKernel;
use aside_protocol::Serving;
use aside_store::DataFolder;
use axum::serve::ListenerExt as _;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use crate::{
    access::{Hosts, Secret, literal},
    app::{App, OpenError},
    listen::{DEFAULT_PORT, Listening, listen},
    lock::{Asked, FOLDER, Lock},
    options::ServeOptions,
    own_folder::{self, NotOurs},
    routes,
};

/// How long answers under way may take when the server ends.
const GRACE: Duration = Duration::from_secs(3);

/// The shortest token that others on a network may try to guess.
const LEAST_TOKEN: usize = 16;

/// How long a server that has the lock may take to say where it is.
const STARTING: Duration = Duration::from_secs(5);

/// What came of a start.
#[derive(Debug)]
pub enum Started {
    /// This process serves the workspace.
    Serving(Running),
    /// Another server has the workspace open; this is where.
    Joined(Serving),
}

/// Why a workspace can't be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folder is not there, or is no folder.
    #[error("cannot open {}: {source}", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Everybody on the network could act here.
    #[error(
        "refusing to listen on {0} without a token of your own; set ASIDE_TOKEN to a secret of at least {LEAST_TOKEN} characters first"
    )]
    Open(std::net::IpAddr),
    /// The lock is held and its holder does not say where it listens.
    #[error("another process has {} open but does not answer", .0.display())]
    Silent(PathBuf),
    /// The state that is there is not from here.
    #[error(transparent)]
    NotOurs(#[from] NotOurs),
    /// No port, no lock file, no randomness.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was attempted.
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The workspace's state can't be opened.
    #[error(transparent)]
    App(#[from] OpenError),
}

impl ServeError {
    /// Returns what to try, if there is something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::App(OpenError::Store(error)) => error.hint(),
            _ => None,
        }
    }
}

/// A server of this process. Clones are the same server.
#[derive(Clone, Debug)]
pub struct Running {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    serving: Serving,
    port_taken: Option<u16>,
    app: Arc<App>,
    ending: watch::Sender<bool>,
    held: Mutex<Option<(JoinSet<()>, Lock)>>,
}

/// Opens the workspace and answers until [`Running::stop`].
pub async fn serve(options: ServeOptions) -> Result<Started, ServeError> {
    let folder = open_folder(&options.workspace)?;
    if !options.host.is_loopback() && options.token.as_ref().is_none_or(|token| token.len() < LEAST_TOKEN) {
        return Err(ServeError::Open(options.host));
    }
    let lock = match take_lock(&folder, options.data_folder.as_ref()).await? {
        Ok(lock) => lock,
        Err(serving) => return Ok(Started::Joined(serving)),
    };
    let wanted = options.port.or_else(|| lock.last_port()).unwrap_or(DEFAULT_PORT);
    let listening =
        listen(options.host, wanted).await.map_err(|source| ServeError::Io { doing: "listen on any port", source })?;
    let token = match &options.token {
        Some(token) => token.clone(),
        None => Secret::random_token()
            .map_err(|error| ServeError::Io { doing: "create a token", source: io::Error::other(error) })?,
    };
    let serving = Serving {
        url: url(&options, listening.port),
        token: token.clone(),
        pid: std::process::id(),
        workspace: folder.display().to_string(),
    };
    let hosts = Hosts::of(options.host, listening.port).and(options.allow_hosts.clone());
    let secret = Secret::new(token, listening.port);
    let (ending, ended) = watch::channel(false);
    let app = App::open(folder, options, hosts, secret, ended).await?;
    lock.announce(&serving, listening.port)
        .map_err(|source| ServeError::Io { doing: "write .aside/server.json", source })?;
    Ok(Started::Serving(start(app, serving, listening, ending, lock)))
}

/// Makes a workspace's own folder, or makes sure that it is the person's; returns it.
pub fn prepare(options: &ServeOptions) -> Result<PathBuf, ServeError> {
    let own = open_folder(&options.workspace)?.join(FOLDER);
    own_folder::prepare(&own, options.data_folder.as_ref())?;
    Ok(own)
}

/// Takes a workspace's own folder as the person's, at their word: it was moved, copied or restored. Returns the folder,
/// and whether it was known to be theirs.
pub fn trust(options: &ServeOptions) -> Result<(PathBuf, bool), ServeError> {
    let own = open_folder(&options.workspace)?.join(FOLDER);
    let known = own_folder::trust(&own, options.data_folder.as_ref())?;
    Ok((own, known))
}

fn start(app: Arc<App>, serving: Serving, listening: Listening, ending: watch::Sender<bool>, lock: Lock) -> Running {
    let router = routes::router(&app);
    let mut tasks = JoinSet::new();
    for listener in listening.listeners {
        tasks.spawn(answer(listener, router.clone(), ending.subscribe()));
    }
    let held = Mutex::new(Some((tasks, lock)));
    Running { inner: Arc::new(Inner { serving, port_taken: listening.taken, app, ending, held }) }
}

async fn answer(listener: TcpListener, router: axum::Router, mut ended: watch::Receiver<bool>) {
    // Tokens of a stream and keys of a typist go out one by one, at once.
    let listener = listener.tap_io(|socket| {
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!("cannot turn off delays of a socket: {error}");
        }
    });
    let ended = async move {
        // An error means that the server is gone, which is the end too.
        let _ = ended.wait_for(|ended| *ended).await;
    };
    if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(ended).await {
        tracing::error!("the server failed: {error}");
    }
}

impl Running {
    /// The kernels of notebooks, which go on when this ends.
    pub fn kernels(&self) -> Vec<RunningKernel> {
        self.inner.app.kernels.running()
    }

    /// Where it listens.
    pub fn serving(&self) -> &Serving {
        &self.inner.serving
    }

    /// The port that was wanted, if another program has it.
    pub fn port_taken(&self) -> Option<u16> {
        self.inner.port_taken
    }

    /// Ends it: answers under way get a moment, documents are written, the lock is let go.
    pub async fn stop(self) {
        self.inner.ending.send_replace(true);
        let held = self.inner.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((mut tasks, lock)) = held else { return };
        let all = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, all).await.is_err() {
            tracing::warn!("some connections did not close in time");
            tasks.abort_all();
        }
        self.inner.app.close().await;
        drop(lock);
    }
}

fn open_folder(path: &Path) -> Result<PathBuf, ServeError> {
    let failed = |source| ServeError::Folder { path: path.to_owned(), source };
    let folder = path.canonicalize().map_err(failed)?;
    if folder.is_dir() { Ok(folder) } else { Err(failed(io::ErrorKind::NotADirectory.into())) }
}

/// Waits for a server that is just starting to say where it is.
async fn take_lock(folder: &Path, data: Option<&DataFolder>) -> Result<Result<Lock, Serving>, ServeError> {
    own_folder::prepare(&folder.join(FOLDER), data)?;
    let deadline = tokio::time::Instant::now() + STARTING;
    loop {
        match Lock::take(folder).map_err(|source| ServeError::Io { doing: "lock the workspace", source })? {
            Asked::Held(lock) => return Ok(Ok(lock)),
            Asked::Taken(Some(serving)) => return Ok(Err(serving)),
            Asked::Taken(None) if tokio::time::Instant::now() > deadline => {
                return Err(ServeError::Silent(folder.to_owned()));
            }
            Asked::Taken(None) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

fn url(options: &ServeOptions, port: u16) -> String {
    let host = if options.host.is_unspecified() { "127.0.0.1".to_owned() } else { literal(options.host) };
    format!("http://{host}:{port}{}", options.base_path.folder())
}
