//! The thread that writes documents to their files a little after they change, and takes in what
//! other programs change. It only keeps time; what is done is the workspace's.

use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    sync::{Arc, Weak, mpsc},
    thread,
    time::{Duration, Instant},
};

use aside_core::EpochId;

use crate::{Document, FileNews, Word, Workspace, renamed::Renames, watch::DiskChange};

/// How long things may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// A document is written so long after its last change …
    pub save_after: Duration,
    /// … but at the latest so long after its first unwritten one.
    pub save_within: Duration,
    /// Changes on the disk are looked at when nothing more came for so long.
    pub disk_quiet: Duration,
    /// First wait after a failed write; doubled up to a minute.
    pub retry: Duration,
    /// Large texts that were shown are written so long after it: whoever asked for them goes first.
    pub keep_after: Duration,
    /// Documents nobody uses are put away after so long.
    pub unload_after: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            save_after: Duration::from_millis(500),
            save_within: Duration::from_secs(3),
            disk_quiet: Duration::from_millis(60),
            retry: Duration::from_secs(2),
            keep_after: Duration::from_millis(100),
            unload_after: Duration::from_secs(600),
        }
    }
}

/// What the keeper is told.
pub(crate) enum Errand {
    /// A document has changed.
    Changed(Weak<Document>),
    /// A large text of a document was shown and is to be kept.
    Shown(Arc<Document>),
    /// Something took the place of a document's text, which is to be kept.
    Replaced(Arc<Document>),
    /// Something has changed on the disk.
    Disk(Vec<DiskChange>),
    /// The workspace is closed.
    Stop,
}

/// Starts the thread. It ends when the workspace is dropped.
pub(crate) fn start(workspace: Weak<Workspace>, errands: mpsc::Receiver<Errand>, timing: Timing) {
    let keeper = Keeper {
        workspace,
        timing,
        unsaved: HashMap::new(),
        touched: BTreeSet::new(),
        listings: BTreeSet::new(),
        renames: Renames::new(),
        look_at: None,
        shown: Vec::new(),
        keep_at: None,
        tidy_at: Instant::now() + timing.unload_after,
    };
    let started = thread::Builder::new().name("aside-keeper".to_owned()).spawn(move || keeper.run(&errands));
    started.expect("the system can start a thread");
}

/// Without it an edit that refers to the text is refused, and nothing else.
fn keep(document: &Document) {
    if let Err(error) = document.keep_shown() {
        tracing::warn!(path = %document.path(), %error, "could not store a text that was shown");
    }
}

/// Without it the document lacks one version to go back to.
fn keep_replaced(document: &Document) {
    if let Err(error) = document.keep_replaced() {
        tracing::warn!(path = %document.path(), %error, "could not store a version");
    }
}

/// A document that waits to be written.
struct Unsaved {
    document: Weak<Document>,
    first: Instant,
    due: Instant,
    failures: u32,
}

struct Keeper {
    workspace: Weak<Workspace>,
    timing: Timing,
    unsaved: HashMap<EpochId, Unsaved>,
    /// What changed on the disk and was not looked at yet.
    touched: BTreeSet<PathBuf>,
    listings: BTreeSet<PathBuf>,
    renames: Renames,
    look_at: Option<Instant>,
    /// Documents whose text was shown and is not kept yet.
    shown: Vec<Arc<Document>>,
    keep_at: Option<Instant>,
    tidy_at: Instant,
}

impl Keeper {
    fn run(mut self, errands: &mpsc::Receiver<Errand>) {
        if let Some(workspace) = self.workspace.upgrade() {
            workspace.take_up();
        }
        loop {
            let wait = self.next().saturating_duration_since(Instant::now());
            match errands.recv_timeout(wait) {
                Ok(Errand::Changed(document)) => self.changed(document),
                Ok(Errand::Shown(document)) => self.shown(document),
                Ok(Errand::Replaced(document)) => keep_replaced(&document),
                Ok(Errand::Disk(changes)) => self.disk(changes),
                Ok(Errand::Stop) | Err(mpsc::RecvTimeoutError::Disconnected) => return self.keep_shown(),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            let Some(workspace) = self.workspace.upgrade() else { return self.keep_shown() };
            self.work(&workspace, Instant::now());
        }
    }

    /// When something is due next.
    fn next(&self) -> Instant {
        let saves = self.unsaved.values().map(|unsaved| unsaved.due);
        saves.chain(self.look_at).chain(self.keep_at).chain([self.tidy_at]).min().expect("tidying is always due")
    }

    fn changed(&mut self, document: Weak<Document>) {
        let Some(strong) = document.upgrade() else { return };
        if let Some(workspace) = self.workspace.upgrade() {
            workspace.tell_file_news(FileNews::Edited(strong.path()));
        }
        let now = Instant::now();
        let fresh = || Unsaved { document, first: now, due: now, failures: 0 };
        let unsaved = self.unsaved.entry(strong.epoch().clone()).or_insert_with(fresh);
        unsaved.due = (now + self.timing.save_after).min((unsaved.first + self.timing.save_within).max(now));
    }

    fn shown(&mut self, document: Arc<Document>) {
        self.shown.push(document);
        self.keep_at.get_or_insert_with(|| Instant::now() + self.timing.keep_after);
    }

    fn keep_shown(&mut self) {
        self.keep_at = None;
        self.shown.drain(..).for_each(|document| keep(&document));
    }

    fn disk(&mut self, changes: Vec<DiskChange>) {
        for change in changes {
            if change.structure {
                self.listings.extend(change.path.parent().map(PathBuf::from));
            }
            self.renames.extend(change.from.map(|from| (from, change.path.clone())));
            self.touched.insert(change.path);
            self.look_at = Some(Instant::now() + self.timing.disk_quiet);
        }
    }

    fn work(&mut self, workspace: &Arc<Workspace>, now: Instant) {
        if self.look_at.is_some_and(|at| at <= now) {
            self.look_at = None;
            workspace.take_along(std::mem::take(&mut self.renames));
            workspace.tell_file_news(FileNews::Touched(self.touched.iter().cloned().collect()));
            workspace.take_in(&std::mem::take(&mut self.touched), &std::mem::take(&mut self.listings));
        }
        let due: Vec<_> =
            self.unsaved.iter().filter(|(_, unsaved)| unsaved.due <= now).map(|(id, _)| id.clone()).collect();
        for epoch in due {
            self.save(workspace, epoch);
        }
        if self.keep_at.is_some_and(|at| at <= now) {
            self.keep_shown();
        }
        if self.tidy_at <= now {
            workspace.put_away_unused(self.timing.unload_after);
            self.tidy_at = now + self.timing.unload_after;
        }
    }

    fn save(&mut self, workspace: &Workspace, epoch: EpochId) {
        let Some(mut unsaved) = self.unsaved.remove(&epoch) else { return };
        let Some(document) = unsaved.document.upgrade() else { return };
        if workspace.save(&document, Word::NotGiven).is_err() && document.waits_for_disk() {
            unsaved.failures += 1;
            let backoff = self.timing.retry * 2_u32.pow(unsaved.failures.min(6) - 1);
            unsaved.due = Instant::now() + backoff.min(Duration::from_secs(60));
            self.unsaved.insert(epoch, unsaved);
        }
    }
}
