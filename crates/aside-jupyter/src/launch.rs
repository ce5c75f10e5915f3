//! Starts a kernel, and finds one again that a program before this one has started.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use aside_macros::boxed;
use rustix::process::{Pid, Signal};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
    time::{Instant, timeout},
};

use crate::{
    Execution, InterruptMode, Kernel, KernelError, KernelSpec, News,
    backlog::{Backlog, IN_MEMORY},
    channels::Channels,
    connection::{Connection, Transport},
    kernel::{Inner, Way, look_for_missed, random},
    message::Key,
    process::{Group, Identity, Log, Watched, remove, spawn, watch as watch_process},
    relay::{Relay, remove_messages, socket},
    requests::{Requests, distribute},
};

/// How long a kernel that runs already is waited for.
const FIND_AGAIN: Duration = Duration::from_secs(5);

/// How a kernel is to be started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What it is called.
    pub name: String,
    /// What is started.
    pub spec: KernelSpec,
    /// The folder it runs in; absolute.
    pub folder: PathBuf,
    /// Where its connection file goes; absolute. Made, for its owner alone, if it is not there.
    pub runtime: PathBuf,
    /// All variables that it gets, but for those that its description sets.
    pub environment: BTreeMap<String, String>,
    /// How long it may take until it answers.
    pub patience: Duration,
    /// It is to go on when this program ends. If not, kernels that heed it (ipykernel does) end with this program.
    pub outlives: bool,
}

/// What has to be kept of a kernel so that it can be found again. It holds no secret; the connection file does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelRecord {
    /// What it is called.
    pub name: String,
    /// Where its connection file is; other programs can use it to join.
    pub connection_file: PathBuf,
    pub(crate) process: Identity,
    by_message: bool,
    /// It goes on when the server ends, and is listened to meanwhile. Records from before there was a relay don't say it.
    #[serde(default)]
    outlives: bool,
}

/// What a kernel was running when the server before this one ended.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished<'a> {
    /// The request, as [`Execution::id`] names it.
    pub request: &'a str,
    /// It is known that the kernel began it.
    pub is_begun: bool,
}

/// The word that a kernel goes on to start though nobody waits for it.
#[derive(Clone, Debug, Default)]
pub struct GoesOn(Arc<AtomicBool>);

impl GoesOn {
    /// Says it.
    pub fn say(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Kernel {
    /// Starts one, and waits until it answers.
    ///
    /// # Errors
    /// If it can't be started, dies, or does not answer in time; then it is ended, and nothing of it is left.
    #[boxed]
    pub async fn start(launch: Launch) -> Result<(Self, News), KernelError> {
        Self::start_noting(launch, |_| (), &GoesOn::default()).await
    }

    /// The same. As soon as there is a process it is told what has to be kept of it, so that it is found again if this program
    /// ends before the kernel answers. A start that nobody waits for any more leaves nothing, unless it was said to go on.
    ///
    /// # Errors
    /// As of [`Kernel::start`].
    pub async fn start_noting(
        launch: Launch,
        note: impl FnOnce(&KernelRecord),
        goes_on: &GoesOn,
    ) -> Result<(Self, News), KernelError> {
        let file = launch.runtime.join(format!("kernel-{}.json", random(8)));
        let transport = transport(&launch.spec.language);
        let connection = Connection::new(&file, transport, random(32), &launch.name);
        let connection = connection.map_err(|error| KernelError::io("listen for", &file, &error))?;
        connection.write(&file)?;
        let started = start(&launch, &file, &connection, note, goes_on).await;
        if started.is_err() {
            remove_files(&file, &connection);
        }
        started
    }

    /// Finds one again, and listens on to what it runs, if that is not at its end. What was said and not kept comes again.
    ///
    /// # Errors
    /// [`KernelError::Gone`] if it has ended meanwhile: what it said is [`crate::LeftBehind`]; else if it can't be spoken to.
    /// It is left as it is.
    #[boxed]
    pub async fn find_again(
        record: KernelRecord,
        unfinished: Option<Unfinished<'_>>,
    ) -> Result<(Self, News, Option<Execution>), KernelError> {
        let connection = Connection::read(&record.connection_file)?;
        if !record.process.is_alive() {
            return Err(KernelError::Gone);
        }
        let group = record.process.group().ok_or(KernelError::Gone)?;
        // It may have been stopped, for being too far ahead of a listener who is gone.
        Group(group).signal(Signal::CONT);
        let watched = Watched::Adopted(record.process);
        let joining = join(record, group, connection, watched, unfinished);
        let deaf = KernelError::Deaf { what: "connection", waited: FIND_AGAIN };
        timeout(FIND_AGAIN, joining).await.map_err(|_| deaf)
    }
}

async fn start(
    launch: &Launch,
    file: &Path,
    connection: &Connection,
    note: impl FnOnce(&KernelRecord),
    goes_on: &GoesOn,
) -> Result<(Kernel, News), KernelError> {
    let log = log_of(file);
    let (child, process) = spawn(&launch.spec.command(file), &launch.folder, &environment(launch), &log)?;
    let group = process.group().ok_or(KernelError::Gone)?;
    let by_message = launch.spec.interrupt_mode == InterruptMode::Message;
    let (name, connection_file, outlives) = (launch.name.clone(), file.to_owned(), launch.outlives);
    let record = KernelRecord { name, connection_file, process, by_message, outlives };
    // Ends it if it is not to be: also when nobody waits for this any more.
    let unwanted = Unwanted(Some(Group(group)), goes_on.clone());
    note(&record);
    let died = watch::Sender::new(None);
    let ended = died.subscribe();
    let deadline = Instant::now() + launch.patience;
    let watching = tokio::spawn(watch_process(Watched::Child(child), log.clone(), died));
    let never = || KernelError::NeverReady { waited: launch.patience, last_words: log.last_words() };
    let ready = async {
        let joined = timeout(launch.patience, connect(record, group, connection.clone(), ended.clone(), None));
        let (kernel, news, _) = joined.await.map_err(|_| never())?;
        kernel.ready(deadline).await.map_err(|error| error.unwrap_or_else(never))?;
        Ok((kernel, news))
    };
    let mut heard = ended.clone();
    let result = tokio::select! {
        biased;
        ready = ready => ready,
        end = heard.wait_for(Option::is_some) => {
            Err(KernelError::Died(end.ok().and_then(|end| end.clone()).unwrap_or_default()))
        }
    };
    match result {
        Ok((kernel, news)) => {
            unwanted.keep();
            kernel.keep(watching);
            Ok((kernel, news))
        }
        Err(error) => {
            drop(unwanted);
            let _ = watching.await;
            Err(error)
        }
    }
}

async fn join(
    record: KernelRecord,
    group: Pid,
    connection: Connection,
    watched: Watched,
    unfinished: Option<Unfinished<'_>>,
) -> (Kernel, News, Option<Execution>) {
    let died = watch::Sender::new(None);
    let ended = died.subscribe();
    let log = log_of(&record.connection_file);
    let watching = tokio::spawn(watch_process(watched, log, died));
    let connected = connect(record, group, connection, ended, unfinished).await;
    connected.0.keep(watching);
    connected
}

/// Connects, and begins to hand on what comes.
async fn connect(
    record: KernelRecord,
    group: Pid,
    connection: Connection,
    ended: watch::Receiver<Option<crate::KernelEnd>>,
    unfinished: Option<Unfinished<'_>>,
) -> (Kernel, News, Option<Execution>) {
    let group = Group(group);
    let (inbox, received) = mpsc::unbounded_channel();
    let (session, key) = (random(16), Key::new(&connection.key));
    let relay = match record.outlives {
        true => Relay::open(&record.connection_file, record.process).await,
        false => None,
    };
    // A relay keeps what is not taken, so that the kernel has not to wait.
    let backlog = Backlog::new(Some(group).filter(|_| relay.is_none()), IN_MEMORY);
    let (requests, news) = Requests::new(Arc::new(backlog));
    let is_relayed = relay.is_some();
    let is_found = relay.as_ref().is_some_and(|(relay, _)| relay.is_found);
    let execution = unfinished.and_then(|unfinished| requests.listen_again(unfinished.request, is_relayed));
    let (missed, doubts) = mpsc::unbounded_channel();
    if unfinished.is_some_and(|unfinished| !is_found || !unfinished.is_begun) {
        let _ = missed.send(());
    }
    let (way, mut tasks) = match relay {
        Some((relay, link)) => {
            let (mut tasks, backlog) = (JoinSet::new(), requests.unread.backlog.clone());
            let missed = move || missed.send(()).unwrap_or_default();
            tasks.spawn(relay.tend(inbox, backlog, missed));
            (Way::Relayed(link), tasks)
        }
        None => {
            let (channels, tasks) = Channels::open(&connection, &session, &inbox).await;
            (Way::Direct(channels), tasks)
        }
    };
    let way = Arc::new(way);
    tasks.spawn(look(doubts, requests.clone(), key.clone(), way.clone(), session.clone()));
    tasks.spawn(distribute(requests.clone(), key.clone(), received, ended.clone()));
    let kernel = Kernel::new(Inner::new(record, group, connection, key, session, way, requests, ended, tasks));
    (kernel, news, execution)
}

/// Finds out what was not heard, whenever nobody listened for a moment.
async fn look(
    mut doubts: mpsc::UnboundedReceiver<()>,
    requests: Arc<Requests>,
    key: Key,
    way: Arc<Way>,
    session: String,
) {
    let mut count = 0;
    let mut is_in_doubt = doubts.recv().await.is_some();
    while is_in_doubt {
        count += 1;
        let question = format!("{session}_missed{count}");
        is_in_doubt = tokio::select! {
            () = look_for_missed(&requests, &key, &way, &question) => doubts.recv().await.is_some(),
            // The question itself may not have been heard.
            Some(()) = doubts.recv() => true,
        };
    }
}

/// A process group that is ended unless it is kept.
struct Unwanted(Option<Group>, GoesOn);

impl Unwanted {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Unwanted {
    fn drop(&mut self) {
        if let Some(group) = self.0.filter(|_| !self.1.0.load(Ordering::Relaxed)) {
            group.signal(Signal::KILL);
        }
    }
}

/// Kernels of these languages are known to speak over sockets in a folder; others are spoken to over TCP.
fn transport(language: &str) -> Transport {
    match language.to_ascii_lowercase().as_str() {
        "python" | "r" | "julia" | "c++" => Transport::Ipc,
        _ => Transport::Tcp,
    }
}

/// The kernel gets all but what is Aside's own; programs of its environment are found first.
fn environment(launch: &Launch) -> BTreeMap<String, String> {
    let mut all = launch.environment.clone();
    all.retain(|name, _| !name.starts_with("ASIDE_"));
    if let Some(prefix) = &launch.spec.prefix {
        let path = all.get("PATH").map(|path| format!(":{path}")).unwrap_or_default();
        all.insert("PATH".to_owned(), format!("{}{path}", prefix.join("bin").display()));
    }
    all.extend(launch.spec.environment(&launch.environment));
    match launch.outlives {
        true => drop(all.remove("JPY_PARENT_PID")),
        false => drop(all.insert("JPY_PARENT_PID".to_owned(), std::process::id().to_string())),
    }
    all
}

fn log_of(connection_file: &Path) -> Log {
    Log::new(connection_file.with_extension("log"))
}

/// Removes all that lies on the disk of a kernel that has ended.
pub(crate) fn remove_files(connection_file: &Path, connection: &Connection) {
    use crate::connection::Channel::{Control, Heartbeat, Input, Output, Shell};
    let sockets = [Shell, Output, Input, Control, Heartbeat].map(|channel| connection.socket(channel));
    sockets.iter().flatten().for_each(remove);
    remove(&connection_file.to_owned());
    remove(&log_of(connection_file).path().to_owned());
    remove(&socket(connection_file));
    remove_messages(connection_file);
}

impl KernelRecord {
    pub(crate) fn is_interrupted_by_message(&self) -> bool {
        self.by_message
    }
}
