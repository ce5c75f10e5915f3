//! The notebooks whose kernels and outputs one connection watches.

use std::{collections::HashMap, sync::Arc};

use aside_core::{Failure, NotebookKernel, WorkspacePath};
use aside_kernels::{NotebookNews, NotebookWatch, SessionError, Sessions};
use aside_protocol::ServerFrame;
use aside_workspace::Workspace;
use tokio::task::JoinSet;

use super::{
    documents::for_guests,
    outbox::{Gone, Outbox},
};

/// Notebooks that may be watched at once on one connection.
const MOST: usize = 100;

/// What is watched.
pub struct Notebooks {
    sessions: Arc<Sessions>,
    outbox: Outbox,
    /// None for the owner. A guest sees what cells put out, and nothing of what the owner is asked.
    guest: Option<Arc<Workspace>>,
    /// Each ends when it is dropped.
    watched: HashMap<WorkspacePath, JoinSet<()>>,
}

impl Notebooks {
    /// Nothing yet.
    pub fn new(sessions: Arc<Sessions>, outbox: Outbox, guest: Option<Arc<Workspace>>) -> Self {
        Self { sessions, outbox, guest, watched: HashMap::new() }
    }

    /// Sends how a notebook's kernel and outputs are, and goes on with what changes.
    pub fn watch(&mut self, path: WorkspacePath) -> Result<(), Gone> {
        if self.watched.len() >= MOST && !self.watched.contains_key(&path) {
            let failure =
                Failure::new("too_many", format!("this connection already watches {MOST} notebooks, the maximum"));
            return self.outbox.say(&ServerFrame::Problem { failure });
        }
        let (sessions, outbox, named) = (self.sessions.clone(), self.outbox.clone(), path.clone());
        let guest = self.guest.clone();
        let mut forwarding = JoinSet::new();
        forwarding.spawn(async move {
            if let Err(failure) = forward(sessions, named, &outbox, guest).await {
                // The connection knows itself when it is gone.
                let _ = outbox.say(&ServerFrame::Problem { failure });
            }
        });
        self.watched.insert(path, forwarding);
        Ok(())
    }

    /// Stops watching.
    pub fn unwatch(&mut self, path: &WorkspacePath) {
        self.watched.remove(path);
    }
}

async fn forward(
    sessions: Arc<Sessions>,
    path: WorkspacePath,
    outbox: &Outbox,
    guest: Option<Arc<Workspace>>,
) -> Result<(), Failure> {
    let (named, is_guest) = (path.clone(), guest.is_some());
    let session = crate::app::blocking(move || {
        guest.map_or(Ok(()), |workspace| for_guests(&workspace, &named))?;
        sessions.session(&named).map_err(|error| error.failure())
    });
    let mut watch = session.await??.watch();
    match send(&mut watch, &path, outbox, is_guest).await {
        Ok(Gone) => Ok(()),
        Err(error) => Err(error.failure()),
    }
}

/// Sends what is new, one frame after the other, no faster than they are taken. The notebook keeps the name it is watched by.
async fn send(
    watch: &mut NotebookWatch,
    path: &WorkspacePath,
    outbox: &Outbox,
    is_guest: bool,
) -> Result<Gone, SessionError> {
    loop {
        for news in watch.next().await? {
            let Some(news) = (if is_guest { of_guest(news) } else { Some(news) }) else { continue };
            outbox.room().await;
            if let Err(gone) = outbox.say(&frame(path.clone(), news)) {
                return Ok(gone);
            }
        }
    }
}

/// What a guest hears of it: all that cells put out, and whether something runs. Not which program runs it, what its code asks
/// for, nor what the owner trusts.
fn of_guest(news: NotebookNews) -> Option<NotebookNews> {
    match news {
        NotebookNews::Kernel(kernel) => {
            let NotebookKernel { state, queue, .. } = *kernel;
            let kernel =
                NotebookKernel { kernel: None, state, has_run: false, problem: None, queue, asks: None, holds: None };
            Some(NotebookNews::Kernel(Box::new(kernel)))
        }
        NotebookNews::Trust => None,
        news => Some(news),
    }
}

fn frame(path: WorkspacePath, news: NotebookNews) -> ServerFrame {
    match news {
        NotebookNews::Kernel(kernel) => ServerFrame::NotebookKernel { path, kernel },
        NotebookNews::Outputs { cell, execution, count, from, outputs } => {
            let from = u32::try_from(from).unwrap_or(u32::MAX);
            ServerFrame::CellOutputs { path, cell: cell.0, execution, count, from, outputs }
        }
        NotebookNews::Widgets { whole, models, gone } => ServerFrame::NotebookWidgets { path, whole, models, gone },
        NotebookNews::Trust => ServerFrame::NotebookTrustChanged { path },
        NotebookNews::OddCells(cells) => ServerFrame::NotebookOddCells { path, cells },
        NotebookNews::CaughtUp => ServerFrame::NotebookCaughtUp { path },
    }
}
