//! The thread that owns the index. Messages go before work of its own, which is done in small steps: a file or some at a time.
//!
//! ```text
//! start: open the file -> known states -> walk over all files -> queue of those in another state -> steps
//! news:  a place on the disk, a live text, a conversation -> waits for a moment -> step
//! ask:   waiting changes first -> search -> each found file is looked at -> once more if one had changed
//! ```

mod ask;
mod known;
mod pending;
mod refresh;

use std::{
    path::PathBuf,
    sync::{Arc, Weak, mpsc},
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;
use aside_search::{Index, SearchError};
use aside_workspace::{FileNews, Workspace};
use tokio::sync::oneshot;

use crate::{
    Conversations, IndexProgress,
    errand::Errand,
    index_file,
    pdf_queue::PdfQueue,
    source::Graphs,
    walk::{self, SeenFile, WalkEnd},
};
use known::KnownDocuments;
use pending::{Item, Pending};

/// A failed write is tried again after so long.
const RETRY: Duration = Duration::from_secs(20);
/// All files are looked at again, if somebody searches, after so long: not every change is noticed.
const WALK_AFTER: Duration = Duration::from_secs(120);
/// Changes at once after which all files are looked at instead.
const MANY: usize = 2_000;

/// The owner.
pub(crate) struct Owner {
    workspace: Weak<Workspace>,
    folder: PathBuf,
    errands: mpsc::Sender<Errand>,
    /// None if it can't be opened.
    index: Option<Index>,
    known: KnownDocuments,
    pending: Pending,
    conversations: Option<Arc<dyn Conversations>>,
    graphs: Graphs,
    pdfs: PdfQueue,
    /// Callers that wait until all files are read.
    waiting: Vec<oneshot::Sender<()>>,
    /// Walks under way.
    walks: usize,
    /// There are more files than are searched.
    has_more: bool,
    /// When the last walk over everything began; none before the first one has ended.
    walked: Option<Instant>,
    /// The sentence for people, and when to try again.
    problem: Option<(String, Instant)>,
}

impl Owner {
    /// Makes the owner of a workspace's index.
    pub fn new(workspace: Weak<Workspace>, folder: PathBuf, errands: mpsc::Sender<Errand>) -> Self {
        Self {
            workspace,
            folder,
            errands,
            index: None,
            known: KnownDocuments::default(),
            pending: Pending::default(),
            conversations: None,
            graphs: Graphs::new(),
            pdfs: PdfQueue::default(),
            waiting: Vec::new(),
            walks: 0,
            has_more: false,
            walked: None,
            problem: None,
        }
    }

    /// Works until the end.
    pub fn run(mut self, inbox: &mpsc::Receiver<Errand>) {
        self.open();
        self.walk(None);
        loop {
            let errand = match self.due() {
                Some(Duration::ZERO) => inbox.try_recv().map_err(|error| match error {
                    mpsc::TryRecvError::Empty => mpsc::RecvTimeoutError::Timeout,
                    mpsc::TryRecvError::Disconnected => mpsc::RecvTimeoutError::Disconnected,
                }),
                Some(wait) => inbox.recv_timeout(wait),
                None => inbox.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected),
            };
            match errand {
                Ok(Errand::Stop) | Err(mpsc::RecvTimeoutError::Disconnected) => return,
                Ok(errand) => self.take(errand),
                Err(mpsc::RecvTimeoutError::Timeout) => self.step(),
            }
            if !self.waiting.is_empty() && !self.is_reading() {
                // They may have gone.
                for sender in self.waiting.drain(..) {
                    let _ = sender.send(());
                }
            }
        }
    }

    /// The time until there is work.
    fn due(&self) -> Option<Duration> {
        let now = Instant::now();
        let work = self.pending.due(now)?;
        Some(self.problem.as_ref().map_or(work, |(_, retry)| work.max(retry.saturating_duration_since(now))))
    }

    fn take(&mut self, errand: Errand) {
        match errand {
            Errand::News(news) => self.news(news),
            Errand::Conversations(conversations) => {
                self.conversations = Some(conversations);
                self.list_conversations();
            }
            Errand::Said(path) => self.pending.soon(Item::Conversation(path)),
            Errand::Seen(files) => self.seen(files),
            Errand::Walked(end) => self.end_walk(&end),
            Errand::Pdf(read) => self.pdf(read),
            Errand::Ask(question, reply) => drop(reply.send(self.answer(&question))),
            Errand::Ready(sender) => self.waiting.push(sender),
            Errand::Use(work) => drop(self.index.as_mut().map(work)),
            Errand::Stop => {}
        }
    }

    fn open(&mut self) {
        let opened = index_file::open(&self.folder).and_then(|index| Ok((index.stamps()?, index)));
        match opened {
            Ok((stamps, index)) => {
                self.known = KnownDocuments::of(stamps);
                self.index = Some(index);
            }
            Err(error) => self.note_problem(&error),
        }
    }

    /// Throws the index away and makes it again.
    fn start_over(&mut self, error: &SearchError) {
        tracing::warn!(%error, "the search index is damaged; it is made again");
        self.index = None;
        index_file::throw_away(&self.folder);
        (self.known, self.pending) = (KnownDocuments::default(), Pending::default());
        self.open();
        self.walk(None);
        self.list_conversations();
    }

    fn note_problem(&mut self, error: &SearchError) {
        let words = if error.is_full() {
            "The disk is full, so recent changes are not searched. Free some space.".to_owned()
        } else {
            format!("Recent changes are not searched: {error}")
        };
        if self.problem.as_ref().is_none_or(|(known, _)| *known != words) {
            tracing::warn!(%error, "the search index can't be written");
        }
        self.problem = Some((words, Instant::now() + RETRY));
    }

    fn news(&mut self, news: FileNews) {
        match news {
            FileNews::Edited(path) => self.pending.soon(Item::File(path)),
            FileNews::Touched(places) if places.len() > MANY => self.walk(None),
            FileNews::Touched(places) => {
                let relative = |place: &PathBuf| WorkspacePath::of_disk(place.strip_prefix(&self.folder).ok()?).ok();
                let paths: Vec<_> = places.iter().filter_map(relative).collect();
                // Rules of git decide about whole folders.
                if paths.iter().any(|path| path.name() == ".gitignore") {
                    self.walk(None);
                }
                for path in paths {
                    if !path.as_str().split('/').any(|part| part.starts_with('.')) {
                        self.pending.now(Item::Place(path));
                    }
                }
            }
        }
    }

    /// Looks at the files of a folder, or at all.
    fn walk(&mut self, folder: Option<WorkspacePath>) {
        let Some(workspace) = self.workspace.upgrade() else { return };
        if folder.is_none() {
            self.known.begin_walk();
            self.graphs.clear();
        }
        self.walks += 1;
        walk::start(workspace, folder, self.errands.clone());
    }

    fn seen(&mut self, files: Vec<SeenFile>) {
        for SeenFile { path, size, modified } in files {
            if !self.known.is_current(path.as_str(), size, modified) {
                self.pending.later(Item::File(path));
            }
        }
    }

    fn end_walk(&mut self, end: &WalkEnd) {
        self.walks = self.walks.saturating_sub(1);
        if end.folder.is_some() {
            return;
        }
        self.walked = Some(Instant::now());
        self.has_more = end.has_more;
        if !end.has_more {
            let gone = self.known.not_seen();
            self.remove(gone);
        }
    }

    fn list_conversations(&mut self) {
        let Some(conversations) = self.conversations.clone() else { return };
        let listed = conversations.list();
        let gone = self.known.other_conversations(&listed);
        for (path, stamp) in listed {
            if !self.known.has_stamp(&path, &stamp) {
                self.pending.later(Item::Conversation(path));
            }
        }
        self.remove(gone);
    }

    fn is_reading(&self) -> bool {
        self.walked.is_none() || self.to_read() > 0
    }

    /// Files that wait.
    fn to_read(&self) -> usize {
        self.pending.queued() + self.pdfs.waiting()
    }

    fn progress(&self) -> IndexProgress {
        let waiting = self.to_read();
        // A PDF that waits is known by its name.
        let done = self.known.documents().saturating_sub(self.pdfs.waiting());
        IndexProgress {
            reading: self.is_reading(),
            done,
            of: done + waiting,
            problem: self.problem.as_ref().map(|(words, _)| words.clone()).or_else(|| {
                let most = walk::MOST_FILES;
                self.has_more.then(|| format!("The folder has more than {most} files, of which so many are searched."))
            }),
            left_out: self.known.left_out(),
            named: self.known.named(),
        }
    }
}
