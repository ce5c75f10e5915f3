//! Keeps one server: starts it when a document needs it, speaks with it, starts it again when it dies, and lets it go
//! when nobody needs it.
//!
//! ```text
//! Resting ── a document ──> Starting ── it answered ──> Ready ── no document for a while ──> Resting
//!    │                         └── it died ── 1, 2, 4, 8 s ──> Starting … five times: Failed
//!    └── its program is not there: Missing                     (a document opened then, or a person, tries again)
//! ```
//!
//! One task owns all of it. What a server does not read in time is not piled up: of a text only the latest goes out.

mod program;
mod talk;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aside_core::{LanguageServerState, WorkspacePath};
use aside_macros::boxed;
use aside_workspace::{Workspace, process::CommandLine};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep_until},
};

pub(crate) use program::{find, not_found};
use talk::Ended;

use crate::{configuration::Configured, servers::Orders};

/// Deaths after which a server is left alone.
const MOST_DEATHS: u32 = 5;

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
    /// It is to be started anew, whatever came of it before.
    Again,
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
    #[boxed]
    pub async fn end(&self) {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (over, heard) = oneshot::channel();
        if end.is_some_and(|end| end.send(over).is_ok()) {
            let _ = heard.await;
        }
    }
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
                Ended::Again => {
                    self.workspace.forget_problems(&self.server.name);
                    self.deaths = 0;
                }
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
            let todo = "fix its command or its settings in language-servers.toml, then open the file again".to_owned();
            self.stand(LanguageServerState::Failed, Some(said.to_owned()), Some(todo));
            self.deaths = 0;
            return self.wait_for_another().await;
        }
        let todo = format!("restarting soon (attempt {} of {MOST_DEATHS})", self.deaths);
        self.stand(LanguageServerState::Starting, Some(said.to_owned()), Some(todo));
        let rested = Instant::now() + self.patience.rest * 2_u32.pow(self.deaths - 1);
        loop {
            tokio::select! {
                () = sleep_until(rested) => return true,
                order = self.inbox.recv() => match order {
                    Some(Order::Again) => {
                        self.deaths = 0;
                        return true;
                    }
                    Some(order) => drop(self.note(order)),
                    None => return false,
                },
            }
        }
    }

    /// Waits until a document is opened or a person asks; tells whether somebody is still there.
    async fn wait_for_another(&mut self) -> bool {
        while let Some(order) = self.inbox.recv().await {
            let wanted = matches!(order, Order::Open { .. } | Order::Again);
            self.note(order);
            if wanted {
                return true;
            }
        }
        false
    }

    /// What is started, or why nothing is.
    async fn line(&self) -> Result<CommandLine, Standing> {
        let (workspace, server) = (self.workspace.clone(), self.server.clone());
        let planned = tokio::task::spawn_blocking(move || program::line(&workspace, &server)).await;
        planned.unwrap_or_else(|error| {
            Err(Standing { state: LanguageServerState::Failed, said: Some(error.to_string()), todo: None })
        })
    }

    /// Takes an order in.
    fn note(&mut self, order: Order) -> Done {
        match order {
            Order::Again => Done::Nothing,
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

/// What an order has changed.
enum Done {
    Nothing,
    Opened { epoch: String, before: Option<WorkspacePath> },
    Changed { epoch: String },
    Saved { epoch: String },
    Closed { path: WorkspacePath },
}

#[cfg(test)]
mod tests;
