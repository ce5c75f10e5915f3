//! LaTeX documents: which file is the main one, building it, what went wrong, and where a line is on a page.
//!
//! ```text
//! document ──> build: the plan's programs, apart, writing to a folder of their own outside the workspace
//!                └──> logs ──> problems, kept for the main file; only a build that succeeds puts its PDF beside the
//!                     main file, and keeps its SyncTeX file in Aside's own folder
//! ```

mod build;
mod document;
mod knitted;
mod logs;
mod moved;
mod output;
mod places;
mod record;
mod tectonic;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use aside_core::{ActionId, Version, WorkspacePath};
use aside_macros::boxed;

pub use aside_latex::Engine as LatexEngine;
pub use build::{LatexBuilt, LatexSaid};
pub use document::{LatexDocument, LatexError, LatexWishes};
pub use record::LatexFaults;

use crate::{Workspace, scratch::Scratch};

/// What a workspace holds for its builds.
#[derive(Debug, Default)]
pub(crate) struct Latex {
    /// Where the programs write; one folder a main file in it. Made by the first build, gone when the workspace is closed.
    output: Mutex<Option<Scratch>>,
    lanes: Mutex<BTreeMap<WorkspacePath, Arc<Lane>>>,
    running: Mutex<BTreeMap<WorkspacePath, ActionId>>,
    /// For each main file, the open texts that its last build took in; none of one that was stopped.
    taken_in: Mutex<BTreeMap<WorkspacePath, BTreeMap<WorkspacePath, Version>>>,
}

/// One main file's builds: one runs, one may wait.
#[derive(Debug, Default)]
struct Lane {
    busy: Arc<tokio::sync::Mutex<()>>,
    waiting: AtomicBool,
}

/// The right to build a main file; others wait until it is dropped.
#[derive(Debug)]
pub struct LatexTurn {
    _busy: tokio::sync::OwnedMutexGuard<()>,
}

struct Waits<'a>(&'a AtomicBool);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl Workspace {
    /// Takes away what builds have left outside the workspace.
    pub fn remove_latex_output(&self) {
        self.latex.output().take();
    }
}

impl Latex {
    fn output(&self) -> MutexGuard<'_, Option<Scratch>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other build of a main file runs. None, at once, if another one waits already: it will take in
    /// whatever is written by then.
    #[boxed]
    pub async fn turn(&self, main: &WorkspacePath) -> Option<LatexTurn> {
        let lane = self.lane(main);
        if let Ok(busy) = lane.busy.clone().try_lock_owned() {
            return Some(LatexTurn { _busy: busy });
        }
        if lane.waiting.swap(true, Ordering::SeqCst) {
            return None;
        }
        let _waits = Waits(&lane.waiting);
        Some(LatexTurn { _busy: lane.busy.clone().lock_owned().await })
    }

    fn lane(&self, main: &WorkspacePath) -> Arc<Lane> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).entry(main.clone()).or_default().clone()
    }

    fn taken_in(&self) -> MutexGuard<'_, BTreeMap<WorkspacePath, BTreeMap<WorkspacePath, Version>>> {
        self.taken_in.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> std::sync::MutexGuard<'_, BTreeMap<WorkspacePath, ActionId>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl crate::Workspace {
    /// Waits for the right to build a main file; see [`Latex::turn`].
    #[boxed]
    pub async fn latex_turn(&self, main: &WorkspacePath) -> Option<LatexTurn> {
        self.latex.turn(main).await
    }

    /// The open texts as they are now. What is typed later may or may not be in a build that begins after this.
    pub fn open_versions(&self) -> BTreeMap<WorkspacePath, Version> {
        self.open_documents().iter().map(|open| (open.path(), open.version())).collect()
    }

    /// Notes what a build of a main file that begins now takes in, or nothing if it did not get to its end.
    pub fn takes_in_latex(&self, main: &WorkspacePath, versions: BTreeMap<WorkspacePath, Version>) {
        self.latex.taken_in().insert(main.clone(), versions);
    }

    /// Tells whether the last build of a main file has taken in an open text as it is now.
    pub fn has_taken_in_latex(&self, main: &WorkspacePath, path: &WorkspacePath) -> bool {
        let open = self.real_path(path).ok().and_then(|real| self.open_document(&real));
        let taken_in = self.latex.taken_in();
        open.is_some_and(|open| taken_in.get(main).and_then(|all| all.get(&open.path())) == Some(&open.version()))
    }

    /// Returns the action that builds a main file now.
    pub fn latex_running(&self, main: &WorkspacePath) -> Option<ActionId> {
        self.latex.running().get(main).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_build_runs_one_waits_and_more_are_not_needed() {
        let latex = Latex::default();
        let (main, other) = (WorkspacePath::new("a.tex").unwrap(), WorkspacePath::new("b.tex").unwrap());
        let first = latex.turn(&main).await.unwrap();
        let (second, ()) = tokio::join!(latex.turn(&main), async {
            assert!(latex.turn(&main).await.is_none());
            assert!(latex.turn(&other).await.is_some());
            drop(first);
        });
        assert!(second.is_some());
        // Who gave up waiting keeps nobody from it.
        let mut gives_up = Box::pin(latex.turn(&main));
        assert!(futures_poll(&mut gives_up).await);
        drop(gives_up);
        let (third, ()) = tokio::join!(latex.turn(&main), async { drop(second) });
        assert!(third.is_some());
    }

    /// Polls once; true if it still waits.
    async fn futures_poll(future: &mut (impl Future + Unpin)) -> bool {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(context).is_pending())
        })
        .await
    }
}
