//! The handle of the index, for all who ask it something.

use std::{
    sync::{Arc, Mutex, PoisonError, Weak, mpsc},
    thread,
    time::Duration,
};

use aside_search::{Index, Query};
use aside_workspace::{FileNews, Workspace};
use tokio::{sync::oneshot, time::timeout};

use crate::{
    Conversations, DocumentKind, FoundPlaces, IndexError, IndexProgress,
    errand::{Errand, IndexQuestion, MayBeFound},
    expression::LineQuery,
    learning::{Learning, LearningProgress, OpenModel},
    owner::Owner,
    typing::Typing,
};

/// A request for places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Words, `"phrases"` and filters.
    pub text: String,
    /// Kinds of documents that are searched; all if empty.
    pub kinds: Vec<DocumentKind>,
    /// The last word may go on: somebody types.
    pub typing: bool,
    /// Places at most.
    pub limit: usize,
    /// Places of a document at most; three if absent.
    pub per_document: Option<usize>,
}

/// The search index of a workspace.
#[derive(Debug)]
pub struct WorkspaceIndex {
    errands: mpsc::Sender<Errand>,
    thread: Mutex<Option<thread::JoinHandle<()>>>,
    learning: Learning,
    workspace: Weak<Workspace>,
}

impl WorkspaceIndex {
    /// Opens the index of a workspace, and keeps it fresh from now on. Returns at once: a thread does the work.
    pub fn start(workspace: &Arc<Workspace>) -> Arc<Self> {
        let (errands, inbox) = mpsc::channel();
        let (news, typing) = (errands.clone(), Arc::<Typing>::default());
        let noted = typing.clone();
        // The thread ends before the workspace or with it.
        workspace.on_file_news(move |some: FileNews| {
            if matches!(some, FileNews::Edited(_)) {
                noted.note();
            }
            drop(news.send(Errand::News(some)));
        });
        let (weak, own, folder) = (Arc::downgrade(workspace), errands.clone(), workspace.folder().to_owned());
        let work = move || Owner::new(weak, folder, own).run(&inbox);
        let started = thread::Builder::new().name("aside-index".to_owned()).spawn(work);
        let thread = Mutex::new(Some(started.expect("the system can start a thread")));
        let learning = Learning::start(Arc::downgrade(workspace), errands.clone(), typing);
        Arc::new(Self { errands, thread, learning, workspace: Arc::downgrade(workspace) })
    }

    /// Searches conversations too.
    pub fn add_conversations(&self, conversations: Arc<dyn Conversations>) {
        self.send(Errand::Conversations(conversations));
    }

    /// Says that a conversation has changed, come or gone.
    pub fn said(&self, path: String) {
        self.send(Errand::Said(path));
    }

    /// Finds the best places for a request, at most three of a document. `meaning` is the vector of its text; without it, the model gives
    /// one, unless somebody types.
    ///
    /// # Errors
    ///
    /// If a filter has no sensible value, or the index can't be read.
    pub async fn search(&self, request: &SearchRequest, meaning: Option<Vec<f32>>) -> Result<FoundPlaces, IndexError> {
        self.find(request, meaning, None).await
    }

    /// The same, ranked among the documents that may be found. `may` is called on the thread of the index.
    ///
    /// # Errors
    ///
    /// As for [`Self::search`].
    pub async fn search_among(&self, request: &SearchRequest, may: MayBeFound) -> Result<FoundPlaces, IndexError> {
        self.find(request, None, Some(may)).await
    }

    async fn find(
        &self,
        request: &SearchRequest,
        meaning: Option<Vec<f32>>,
        may: Option<MayBeFound>,
    ) -> Result<FoundPlaces, IndexError> {
        let mut query = Query::parse(&request.text)?;
        query.typing = request.typing;
        query.per_document = request.per_document;
        query.kinds = request.kinds.iter().map(|kind| kind.name().to_owned()).collect();
        if let Some(lines) = LineQuery::of(&query)? {
            return self.lines(lines, query, request.limit, may).await;
        }
        let meaning = match meaning {
            None if !request.typing => self.learning.vector(&request.text).await,
            meaning => meaning,
        };
        self.ask(IndexQuestion::Search { query, meaning, limit: request.limit, may }).await
    }

    /// Finds lines by a regular expression, in the files as they are.
    async fn lines(
        &self,
        lines: LineQuery,
        query: Query,
        limit: usize,
        may: Option<MayBeFound>,
    ) -> Result<FoundPlaces, IndexError> {
        let admitted = match lines.needs_index() {
            true => Some(self.with_index(move |index| index.admitted(&query)).await??),
            false => None,
        };
        let workspace = self.workspace.upgrade().ok_or(IndexError::Ended)?;
        let admits = move |path: &str, kind| {
            admitted.as_ref().is_none_or(|all| all.contains(path)) && may.as_ref().is_none_or(|may| may(path, kind))
        };
        let work = move || lines.places(&workspace, &admits, limit);
        let places = tokio::task::spawn_blocking(work).await.map_err(|_| IndexError::Ended)??;
        Ok(FoundPlaces { places, progress: self.progress().await? })
    }

    /// Finds documents like one, a place of each.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub async fn related(&self, path: &str, limit: usize) -> Result<FoundPlaces, IndexError> {
        self.ask(IndexQuestion::Related { path: path.to_owned(), limit }).await
    }

    /// Waits until all files are read, at most for a time; returns whether they are.
    pub async fn ready(&self, most: Duration) -> bool {
        let (sender, ready) = oneshot::channel();
        self.send(Errand::Ready(sender));
        matches!(timeout(most, ready).await, Ok(Ok(())))
    }

    /// Returns how far the index is.
    ///
    /// # Errors
    ///
    /// If the workspace is being closed.
    pub async fn progress(&self) -> Result<IndexProgress, IndexError> {
        let nothing = IndexQuestion::Search { query: Query::default(), meaning: None, limit: 0, may: None };
        Ok(self.ask(nothing).await?.progress)
    }

    /// Works with the index itself, between other work. Must be short.
    ///
    /// # Errors
    ///
    /// If the index is not open.
    pub async fn with_index<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Index) -> T + Send + 'static,
    ) -> Result<T, IndexError> {
        let (sender, done) = oneshot::channel();
        self.send(Errand::Use(Box::new(move |index| drop(sender.send(work(index))))));
        done.await.map_err(|_| IndexError::Ended)
    }

    /// Changes the model of the search by meaning. Returns at once: a thread opens it, and gives it all texts.
    pub fn choose_model(&self, open: OpenModel) {
        self.learning.choose(open);
    }

    /// Returns how far the search by meaning is.
    pub async fn learning(&self) -> LearningProgress {
        self.learning.progress().await
    }

    /// Ends the thread and waits for it: nothing of the index is written after that.
    pub fn close(&self) {
        self.send(Errand::Stop);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It has ended if it failed.
        let _ = thread.map(thread::JoinHandle::join);
    }

    async fn ask(&self, question: IndexQuestion) -> Result<FoundPlaces, IndexError> {
        let (sender, answer) = oneshot::channel();
        self.send(Errand::Ask(question, sender));
        answer.await.map_err(|_| IndexError::Ended)?
    }

    fn send(&self, errand: Errand) {
        // Nobody takes it if the workspace is closed.
        let _ = self.errands.send(errand);
    }
}

impl Drop for WorkspaceIndex {
    fn drop(&mut self) {
        self.send(Errand::Stop);
    }
}
