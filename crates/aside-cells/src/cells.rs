//! The AI cells of a workspace: which thread belongs to which cell, and how an answer is begun.
//!
//! ```text
//! ai_cell  THREAD -> { notebook: id of the thread's document, cell }
//! ```

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use aside_agent::{AgentError, Agents, Book, Books, Message, NewThread};
use aside_core::{ExecutionId, ExecutionState, Failure, Thread, ThreadId, WorkspacePath};
use aside_kernels::{Answers, Output, Session, Sessions};
use aside_macros::boxed;
use aside_notebook::{CellKey, CellKind, Raw};
use aside_store::{Store, StoreError};
use futures_util::{FutureExt as _, future::BoxFuture};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::book::{CellBook, step_limit};

const KIND: &str = "ai_cell";

/// The AI cells of a workspace.
pub struct AiCells {
    store: Arc<Store>,
    sessions: Arc<Sessions>,
    agents: Weak<Agents>,
    /// Those that were opened, by their threads.
    books: Mutex<HashMap<ThreadId, Arc<CellBook>>>,
}

#[derive(Serialize, Deserialize)]
struct OfThread {
    thread: ThreadId,
    cell: String,
    step_limit: u32,
}

impl AiCells {
    /// Makes them known to who runs cells and to who answers. To be called before turns are resumed.
    pub fn open(store: Arc<Store>, sessions: Arc<Sessions>, agents: &Arc<Agents>) -> Arc<Self> {
        let cells = Arc::new(Self {
            store,
            sessions: sessions.clone(),
            agents: Arc::downgrade(agents),
            books: Mutex::default(),
        });
        agents.keep_books(cells.clone());
        sessions.answered_by(cells.clone());
        cells
    }

    /// Ends what a server before this one left open: answers whose turn is over or never began. To be called after turns
    /// were resumed.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn recover(&self) -> Result<(), StoreError> {
        for session in self.sessions.all() {
            for open in session.open_answers() {
                let thread = self.thread_of(&session.path(), &open.cell)?;
                let agents = self.agents.upgrade();
                let is_busy = thread.as_ref().zip(agents).is_some_and(|(thread, agents)| agents.is_busy(&thread.id));
                if !is_busy {
                    let failure = Failure::new("Interrupted", "the server stopped before the answer was complete")
                        .hint("run the cell again");
                    fail(&session, &open.id, &failure);
                }
            }
        }
        Ok(())
    }

    /// The threads of a notebook's AI cells, by the keys of the cells.
    ///
    /// # Errors
    /// If the store can't be read.
    pub fn threads(&self, path: &WorkspacePath) -> Result<BTreeMap<String, Thread>, StoreError> {
        let Some(agents) = self.agents.upgrade() else { return Ok(BTreeMap::new()) };
        let all = self.store.list::<OfThread>(KIND)?.into_iter();
        let here = all.filter_map(|of| {
            let thread = agents.thread(&of.thread).ok()?;
            (thread.document.as_ref() == Some(path)).then_some((of.cell, thread))
        });
        Ok(here.collect())
    }

    /// The thread of an AI cell, which is made if the cell was never asked: what is said of the thread, such as its model, then
    /// holds for the first answer too.
    ///
    /// # Errors
    /// If there is no such AI cell, or the thread can't be made.
    #[boxed]
    pub async fn thread(&self, session: &Session, key: &CellKey) -> Result<Thread, Failure> {
        let notebook = session.notebook().await.map_err(|error| error.failure())?;
        if notebook.cell(key).is_none_or(|cell| cell.kind() != CellKind::Ai) {
            let message = format!("there is no AI cell `{key}` in {}", session.path());
            return Err(Failure::new("not_found", message));
        }
        self.own_thread(&session.path(), key, step_limit(&notebook))
    }

    fn own_thread(&self, path: &WorkspacePath, key: &CellKey, step_limit: u32) -> Result<Thread, Failure> {
        let agents = self.agents.upgrade().ok_or_else(|| Failure::new("ending", "the server is shutting down"))?;
        let thread = match self.thread_of(path, &key.0).map_err(|error| error.failure())? {
            Some(thread) => thread,
            None => {
                let title = Some(format!("AI cell {key} of {}", path.name()));
                let cell = Some(key.0.clone());
                let new = NewThread { document: Some(path.clone()), title, cell, ..NewThread::default() };
                agents.create_thread(new).map_err(|error| failure_of(&error))?
            }
        };
        let of = OfThread { thread: thread.id.clone(), cell: key.0.clone(), step_limit };
        self.store.put(KIND, thread.id.as_str(), None, &of).map_err(|error| error.failure())?;
        Ok(thread)
    }

    fn thread_of(&self, path: &WorkspacePath, cell: &str) -> Result<Option<Thread>, StoreError> {
        let Some(agents) = self.agents.upgrade() else { return Ok(None) };
        for of in self.store.list::<OfThread>(KIND)?.into_iter().filter(|of| of.cell == cell) {
            if let Ok(thread) = agents.thread(&of.thread)
                && thread.document.as_ref() == Some(path)
            {
                return Ok(Some(thread));
            }
        }
        Ok(None)
    }

    async fn begin(self: Arc<Self>, session: Arc<Session>, key: CellKey, user: String) -> Result<ExecutionId, Failure> {
        let notebook = session.notebook().await.map_err(|error| error.failure())?;
        let prompt = notebook.cell(&key).map(|cell| cell.source()).unwrap_or_default().trim().to_owned();
        let id = session.begin_answer(&key, prompt.clone()).map_err(|error| error.failure())?;
        if prompt.is_empty() {
            session.end_answer(&id, ExecutionState::Ok);
            return Ok(id);
        }
        let begun = self.start(&session, &key, prompt, step_limit(&notebook), &user).await;
        if let Err(failure) = begun {
            fail(&session, &id, &failure);
        }
        Ok(id)
    }

    async fn start(
        &self,
        session: &Arc<Session>,
        key: &CellKey,
        prompt: String,
        step_limit: u32,
        user: &str,
    ) -> Result<(), Failure> {
        let agents = self.agents.upgrade().ok_or_else(|| Failure::new("ending", "the server is shutting down"))?;
        let thread = self.own_thread(&session.path(), key, step_limit)?;
        let book = Arc::new(CellBook::new(self.store.clone(), session.clone(), key.clone(), step_limit));
        self.books.lock().unwrap_or_else(PoisonError::into_inner).insert(thread.id.clone(), book);
        let started = agents.start_turn(&thread.id, Message::new(prompt, None), user, None).await;
        started.map(drop).map_err(|error| failure_of(&error))
    }
}

impl Books for AiCells {
    fn book(&self, thread: &Thread) -> Option<Arc<dyn Book>> {
        if let Some(book) = self.books.lock().unwrap_or_else(PoisonError::into_inner).get(&thread.id) {
            return Some(book.clone());
        }
        let of = self.store.get::<OfThread>(KIND, thread.id.as_str()).ok().flatten()?;
        let session = self.sessions.session(thread.document.as_ref()?).ok()?;
        let book = Arc::new(CellBook::new(self.store.clone(), session, CellKey(of.cell), of.step_limit));
        self.books.lock().unwrap_or_else(PoisonError::into_inner).insert(thread.id.clone(), book.clone());
        Some(book)
    }
}

impl Answers for AiCells {
    fn ask(
        self: Arc<Self>,
        session: Arc<Session>,
        cell: CellKey,
        user: String,
    ) -> BoxFuture<'static, Result<ExecutionId, Failure>> {
        self.begin(session, cell, user).boxed()
    }

    fn stop(&self, session: &Session, cell: Option<&CellKey>) -> bool {
        let Some(agents) = self.agents.upgrade() else { return false };
        let mut open = session.open_answers();
        open.retain(|open| cell.is_none_or(|cell| cell.0 == open.cell));
        let threads = open.iter().filter_map(|open| self.thread_of(&session.path(), &open.cell).ok().flatten());
        threads.filter(|thread| agents.stop(&thread.id)).count() > 0
    }
}

fn fail(session: &Session, id: &ExecutionId, failure: &Failure) {
    let lines: Vec<&str> = [Some(failure.message.as_str()), failure.hint.as_deref()].into_iter().flatten().collect();
    let output = json!({
        "output_type": "error", "ename": failure.code, "evalue": failure.message, "traceback": lines,
    });
    session.show_answer(id, vec![Output::read(&Raw::of(&output))], true);
    session.end_answer(id, ExecutionState::Failed);
}

fn failure_of(error: &AgentError) -> Failure {
    error.failure()
}
