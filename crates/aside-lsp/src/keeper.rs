//! Keeps one server: starts it when a document needs it, speaks with it, starts it again when it dies, and lets it go
//! when nobody needs it.
//!
//! ```text
//! Resting ── a document ──> Starting ── it answered ──> Ready ── no document for a while ──> Resting
//!    │                         └── it died ── 1, 2, 4, 8 s ──> Starting … five times: Failed
//!    └── its program is not there: Missing                     (a document opened then tries again)
//! ```
//!
//! One task owns all of it. What a server does not read in time is not piled up: of a text only the latest goes out.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aside_core::{LanguageServerState, SandboxLevel, WorkspacePath, harmless};
use aside_workspace::{
    Workspace,
    process::{Apart, CommandLine, Limits, find_program},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::{mpsc, oneshot},
    time::{Instant, sleep_until, timeout},
};

use crate::{
    configuration::Configured,
    framing::{Incoming, encoded},
    servers::Orders,
    session::{Effect, Session},
};

/// Deaths after which a server is left alone.
const MOST_DEATHS: u32 = 5;
/// Bytes that wait to be read by a server before it counts as stuck.
const MOST_WAITING: usize = 64 << 20;
/// Bytes of its last words that are kept, and characters that are told.
const MOST_SAID: usize = 16 << 10;
const MOST_TOLD: usize = 1_000;
/// What it may use; it stays for hours.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(30 * 24 * 3600),
    memory: 4 << 30,
    processes: 256,
    file: 1 << 30,
    disk: 4 << 30,
    look_every: Duration::from_secs(2),
};

/// How long it is waited for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// After a key, until the text is told.
    pub typing: Duration,
    /// For the answer to the greeting.
    pub greeting: Duration,
    /// After the first death; twice as long after each other.
    pub rest: Duration,
    /// A server that was ready for so long has no deaths behind it.
    pub healthy: Duration,
    /// After the last document, until it is let go.
    pub unused: Duration,
    /// For the end of one that was let go.
    pub goodbye: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            typing: Duration::from_millis(300),
            greeting: Duration::from_secs(60),
            rest: Duration::from_secs(1),
            healthy: Duration::from_secs(60),
            unused: Duration::from_secs(60),
            goodbye: Duration::from_secs(2),
        }
    }
}

/// What a keeper is told of a document.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// Somebody has it open, at this path from now on.
    Open { epoch: String, path: WorkspacePath, language: String, text: Arc<str> },
    /// Its text is this.
    Change { epoch: String, text: Arc<str> },
    /// Its file holds its text.
    Saved { epoch: String },
    /// Nobody has it open.
    Close { epoch: String },
}

/// How a server stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub state: LanguageServerState,
    pub said: Option<String>,
    pub todo: Option<String>,
}

/// One server, from outside.
#[derive(Debug)]
pub(crate) struct Keeper {
    pub server: Configured,
    pub orders: Orders,
    standing: Arc<Mutex<Standing>>,
    end: Mutex<Option<oneshot::Sender<oneshot::Sender<()>>>>,
}

impl Keeper {
    /// One that rests. Its task ends when nobody can give it orders any more.
    pub fn new(server: Configured, workspace: Arc<Workspace>, patience: Patience) -> Arc<Self> {
        let (orders, inbox) = mpsc::unbounded_channel();
        let (end, ending) = oneshot::channel();
        let resting = Standing { state: LanguageServerState::Resting, said: None, todo: None };
        let standing = Arc::new(Mutex::new(resting));
        let task = Task {
            server: server.clone(),
            workspace,
            patience,
            standing: standing.clone(),
            inbox,
            documents: BTreeMap::new(),
            deaths: 0,
        };
        tokio::spawn(task.run(ending));
        Arc::new(Self { server, orders, standing, end: Mutex::new(Some(end)) })
    }

    /// How it stands now.
    pub fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends it, and returns when it has ended.
    pub async fn end(&self) {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (over, heard) = oneshot::channel();
        if end.is_some_and(|end| end.send(over).is_ok()) {
            let _ = heard.await;
        }
    }
}

/// Returns the program that a name means: one of the workspace's own goes before one of the machine.
pub(crate) fn find(workspace: &Workspace, name: &str) -> Option<PathBuf> {
    workspace.find_own_program(None, name).or_else(|| find_program(name))
}

/// What is said of a program that is not there, and what to do.
pub(crate) fn not_found(name: &str) -> (String, String) {
    let said = format!("there is no program `{name}`");
    (
        said,
        "install it, or name its whole path under `command` in language-servers.toml; then open the file anew"
            .to_owned(),
    )
}

/// A document that somebody has open.
#[derive(Debug)]
struct Held {
    path: WorkspacePath,
    language: String,
    text: Arc<str>,
}

struct Task {
    server: Configured,
    workspace: Arc<Workspace>,
    patience: Patience,
    standing: Arc<Mutex<Standing>>,
    inbox: mpsc::UnboundedReceiver<Order>,
    documents: BTreeMap<String, Held>,
    deaths: u32,
}

/// Why a conversation is over.
enum Ended {
    /// Nobody needs it, for now.
    Unused,
    /// Nobody will need it any more.
    Closed,
    /// It died, or has to.
    Died(String),
}

impl Task {
    async fn run(mut self, mut ending: oneshot::Receiver<oneshot::Sender<()>>) {
        let over = tokio::select! {
            over = &mut ending => over.ok(),
            () = self.keep() => None,
        };
        self.workspace.forget_problems(&self.server.name);
        if let Some(over) = over {
            let _ = over.send(());
        }
    }

    /// Until nobody can give orders.
    async fn keep(&mut self) {
        loop {
            if self.documents.is_empty() {
                let Some(order) = self.inbox.recv().await else { return };
                self.note(order);
                continue;
            }
            let line = match self.line().await {
                Ok(line) => line,
                Err(standing) => {
                    self.stand(standing.state, standing.said, standing.todo);
                    if !self.wait_for_another().await {
                        return;
                    }
                    continue;
                }
            };
            self.stand(LanguageServerState::Starting, None, None);
            match self.talk(&line).await {
                Ended::Closed => return,
                Ended::Unused => self.stand(LanguageServerState::Resting, None, None),
                Ended::Died(said) => {
                    if !self.mourn(&said).await {
                        return;
                    }
                }
            }
        }
    }

    /// Waits before the next start; tells whether somebody is still there.
    async fn mourn(&mut self, said: &str) -> bool {
        self.workspace.forget_problems(&self.server.name);
        self.deaths += 1;
        if self.deaths >= MOST_DEATHS {
            let todo = "mend its command or its settings in language-servers.toml, then open the file anew".to_owned();
            self.stand(LanguageServerState::Failed, Some(said.to_owned()), Some(todo));
            self.deaths = 0;
            return self.wait_for_another().await;
        }
        let todo = format!("it is started again in a moment ({} of {MOST_DEATHS} times)", self.deaths);
        self.stand(LanguageServerState::Starting, Some(said.to_owned()), Some(todo));
        let rested = Instant::now() + self.patience.rest * 2_u32.pow(self.deaths - 1);
        loop {
            tokio::select! {
                () = sleep_until(rested) => return true,
                order = self.inbox.recv() => match order {
                    Some(order) => drop(self.note(order)),
                    None => return false,
                },
            }
        }
    }

    /// Waits until a document is opened; tells whether somebody is still there.
    async fn wait_for_another(&mut self) -> bool {
        while let Some(order) = self.inbox.recv().await {
            let opened = matches!(order, Order::Open { .. });
            self.note(order);
            if opened {
                return true;
            }
        }
        false
    }

    /// What is started, or why nothing is.
    async fn line(&self) -> Result<CommandLine, Standing> {
        let (workspace, server) = (self.workspace.clone(), self.server.clone());
        let planned = tokio::task::spawn_blocking(move || line(&workspace, &server)).await;
        planned.unwrap_or_else(|error| {
            Err(Standing { state: LanguageServerState::Failed, said: Some(error.to_string()), todo: None })
        })
    }

    /// Speaks with it until one of the two has enough.
    async fn talk(&mut self, line: &CommandLine) -> Ended {
        let apart = match self.workspace.processes().start(line).await {
            Ok(apart) => apart,
            Err(error) => return Ended::Died(format!("it can't be started: {error}")),
        };
        let (session, effects) = Session::begin(&self.server, self.workspace.folder());
        let mut talk = Talk { session, outbox: Vec::new(), ready: None, failed: None, over: false };
        talk.take(&self.workspace, &self.server.name, effects);
        for held in self.documents.values() {
            let effects = talk.session.open(&held.path, held.language.clone(), held.text.clone());
            talk.take(&self.workspace, &self.server.name, effects);
        }
        let (ended, mut said, apart) = self.go_on(&mut talk, apart).await;
        if talk.ready.is_some_and(|ready| ready.elapsed() >= self.patience.healthy) {
            self.deaths = 0;
        }
        let Apart { input, mut output, mut errors, own } = apart;
        drop(input);
        // Its last words, and its end, after which its folders can go.
        let mut rest = Vec::new();
        let _ = timeout(self.patience.goodbye, errors.read_to_end(&mut rest)).await;
        keep_last(&mut said, &rest);
        let _ = timeout(self.patience.goodbye, tokio::io::copy(&mut output, &mut tokio::io::sink())).await;
        drop(own);
        match ended {
            Ended::Died(why) => Ended::Died(with_last_words(&why, &said)),
            ended => ended,
        }
    }

    async fn go_on(&mut self, talk: &mut Talk, mut apart: Apart) -> (Ended, Vec<u8>, Apart) {
        let greeted_by = Instant::now() + self.patience.greeting;
        let mut unused_since: Option<Instant> = None;
        let mut leaving_by: Option<Instant> = None;
        let mut changed: BTreeSet<String> = BTreeSet::new();
        let mut incoming = Incoming::default();
        let (mut said, mut piece, mut complaint) = (Vec::new(), vec![0; 64 << 10], vec![0; 4 << 10]);
        let mut silent = false;
        let ended = loop {
            if let Some(why) = talk.failed.take() {
                break Ended::Died(why);
            }
            if talk.over && talk.outbox.is_empty() {
                break Ended::Unused;
            }
            if talk.outbox.len() > MOST_WAITING {
                break Ended::Died("it does not read what it is told".to_owned());
            }
            if talk.outbox.is_empty() && !changed.is_empty() {
                for epoch in std::mem::take(&mut changed) {
                    let Some(held) = self.documents.get(&epoch) else { continue };
                    let effects = talk.session.change(&held.path, held.text.clone());
                    talk.take(&self.workspace, &self.server.name, effects);
                }
                continue;
            }
            unused_since = self.documents.is_empty().then(|| unused_since.unwrap_or_else(Instant::now));
            let unused_at = unused_since.map(|since| since + self.patience.unused);
            tokio::select! {
                order = self.inbox.recv() => {
                    let Some(order) = order else { break Ended::Closed };
                    let done = self.note(order);
                    self.pass_on(talk, &mut changed, done);
                }
                read = apart.output.read(&mut piece) => match read {
                    Ok(0) | Err(_) => break ended(leaving_by),
                    Ok(count) => {
                        incoming.push(&piece[..count]);
                        if let Err(why) = self.hear(talk, &mut incoming) {
                            break Ended::Died(why);
                        }
                        if talk.ready.is_some_and(|_| self.is_starting()) {
                            self.stand(LanguageServerState::Ready, None, None);
                        }
                    }
                },
                read = apart.errors.read(&mut complaint), if !silent => match read {
                    Ok(0) | Err(_) => silent = true,
                    Ok(count) => keep_last(&mut said, &complaint[..count]),
                },
                written = apart.input.write(&talk.outbox), if !talk.outbox.is_empty() => match written {
                    Ok(count) => drop(talk.outbox.drain(..count)),
                    Err(_) => break ended(leaving_by),
                },
                () = sleep_until(greeted_by), if talk.ready.is_none() => {
                    break Ended::Died("it did not answer to its greeting".to_owned());
                }
                () = until(leaving_by), if leaving_by.is_some() => break Ended::Unused,
                () = until(unused_at), if unused_at.is_some() && leaving_by.is_none() => {
                    let effects = talk.session.leave();
                    talk.take(&self.workspace, &self.server.name, effects);
                    leaving_by = Some(Instant::now() + self.patience.goodbye);
                }
            }
        };
        (ended, said, apart)
    }

    fn hear(&self, talk: &mut Talk, incoming: &mut Incoming) -> Result<(), String> {
        while let Some(message) = incoming.next().map_err(|broken| broken.words())? {
            let effects = talk.session.hear(&message);
            talk.take(&self.workspace, &self.server.name, effects);
        }
        Ok(())
    }

    /// Says to the server what has happened to a document. Of changes only the latest is told, once it reads.
    fn pass_on(&self, talk: &mut Talk, changed: &mut BTreeSet<String>, done: Done) {
        let effects = match done {
            Done::Nothing => Vec::new(),
            Done::Opened { epoch, before } => {
                let mut effects = before.map(|path| talk.session.close(&path)).unwrap_or_default();
                if let Some(held) = self.documents.get(&epoch) {
                    effects.extend(talk.session.open(&held.path, held.language.clone(), held.text.clone()));
                }
                effects
            }
            Done::Changed { epoch } => {
                changed.insert(epoch);
                Vec::new()
            }
            Done::Saved { epoch } => match self.documents.get(&epoch) {
                Some(held) => {
                    changed.remove(&epoch);
                    let mut effects = talk.session.change(&held.path, held.text.clone());
                    effects.extend(talk.session.saved(&held.path));
                    effects
                }
                None => Vec::new(),
            },
            Done::Closed { path } => talk.session.close(&path),
        };
        talk.take(&self.workspace, &self.server.name, effects);
    }

    /// Takes an order in.
    fn note(&mut self, order: Order) -> Done {
        match order {
            Order::Open { epoch, path, language, text } => {
                let before = self.documents.insert(epoch.clone(), Held { path, language, text });
                Done::Opened { epoch, before: before.map(|held| held.path) }
            }
            Order::Change { epoch, text } => match self.documents.get_mut(&epoch) {
                Some(held) if !Arc::ptr_eq(&held.text, &text) => {
                    held.text = text;
                    Done::Changed { epoch }
                }
                _ => Done::Nothing,
            },
            Order::Saved { epoch } => Done::Saved { epoch },
            Order::Close { epoch } => match self.documents.remove(&epoch) {
                // Another document may have its path by now.
                Some(gone) if self.documents.values().all(|held| held.path != gone.path) => {
                    Done::Closed { path: gone.path }
                }
                _ => Done::Nothing,
            },
        }
    }

    fn is_starting(&self) -> bool {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).state == LanguageServerState::Starting
    }

    fn stand(&self, state: LanguageServerState, said: Option<String>, todo: Option<String>) {
        let standing = Standing { state, said, todo };
        let before =
            std::mem::replace(&mut *self.standing.lock().unwrap_or_else(PoisonError::into_inner), standing.clone());
        if before != standing {
            self.workspace.problems_changed();
        }
    }
}

fn line(workspace: &Workspace, server: &Configured) -> Result<CommandLine, Standing> {
    let name = &server.command[0];
    let Some(program) = find(workspace, name) else {
        let (said, todo) = not_found(name);
        return Err(Standing { state: LanguageServerState::Missing, said: Some(said), todo: Some(todo) });
    };
    let own = program.starts_with(workspace.folder());
    if own && workspace.processes().found().level == SandboxLevel::None {
        let said = format!("`{name}` came with the files, and nothing keeps programs apart on this machine");
        let todo = Some("install bubblewrap, or name a program outside the workspace".to_owned());
        return Err(Standing { state: LanguageServerState::Failed, said: Some(said), todo });
    }
    let mut argv = server.command.clone();
    argv[0] = program.to_string_lossy().into_owned();
    let mut read = server.read.clone();
    if !own {
        read.extend(places_of(&program));
    }
    Ok(CommandLine { limits: LIMITS, read_only: true, read, ..CommandLine::new(argv, workspace.folder()) })
}

/// What an order has changed.
enum Done {
    Nothing,
    Opened { epoch: String, before: Option<WorkspacePath> },
    Changed { epoch: String },
    Saved { epoch: String },
    Closed { path: WorkspacePath },
}

/// A conversation, and what waits to go out.
struct Talk {
    session: Session,
    outbox: Vec<u8>,
    ready: Option<Instant>,
    failed: Option<String>,
    over: bool,
}

impl Talk {
    fn take(&mut self, workspace: &Workspace, server: &str, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(message) => self.outbox.extend(encoded(&message)),
                Effect::Ready => self.ready = Some(Instant::now()),
                Effect::Failed(why) => self.failed = Some(format!("it does not want to work: {}", harmless(&why))),
                Effect::Problems(path, problems) => workspace.show_problems(server, &path, problems),
                Effect::Over => self.over = true,
            }
        }
    }
}

/// It ended by itself, which is a death unless it was let go.
fn ended(leaving: Option<Instant>) -> Ended {
    leaving.map_or_else(|| Ended::Died("it ended".to_owned()), |_| Ended::Unused)
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

fn keep_last(said: &mut Vec<u8>, piece: &[u8]) {
    said.extend_from_slice(piece);
    let over = said.len().saturating_sub(MOST_SAID);
    said.drain(..over);
}

fn with_last_words(why: &str, said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let text = harmless(text.trim());
    let skipped = text.chars().count().saturating_sub(MOST_TOLD);
    let text: String = text.chars().skip(skipped).collect();
    match text.is_empty() {
        true => why.to_owned(),
        false => format!("{why}: {text}"),
    }
}

/// Where the files of a program are, by its name and by what that is a link to: the folder around its `bin`. Never a home
/// or one that is everybody's.
fn places_of(program: &Path) -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let around = |program: &Path| {
        let folder = program.parent()?;
        let whole = if folder.ends_with("bin") || folder.ends_with(".bin") { folder.parent()? } else { folder };
        let shared = ["/tmp", "/var/tmp", "/usr", "/home", "/root", "/opt", "/"];
        let is_open = |folder: &Path| {
            shared.iter().any(|shared| Path::new(shared) == folder)
                || home.as_ref().is_some_and(|home| home.starts_with(folder))
        };
        Some(if is_open(whole) { program.to_owned() } else { whole.to_owned() })
    };
    let real = program.canonicalize().ok();
    [Some(program.to_owned()), real].into_iter().flatten().filter_map(|path| around(&path)).collect()
}

#[cfg(test)]
mod tests;
