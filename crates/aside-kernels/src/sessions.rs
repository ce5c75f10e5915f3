//! The sessions of a workspace, by notebook.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use aside_core::{EpochId, ExecutionId, Failure, KernelState, RunningKernel, WorkspacePath};
use aside_jupyter::Surroundings;
use aside_macros::boxed;
use aside_notebook::CellKey;
use aside_store::Store;
use aside_workspace::Workspace;
use futures_util::future::{BoxFuture, join_all};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    SessionError,
    record::{ExecutionRecord, SessionRecord},
    session::{MOST_OUTPUT, Runner, Session, Shared},
    trust,
};

/// How long the end of the server waits for files.
const MOMENT: Duration = Duration::from_secs(3);

/// The sessions of a workspace.
pub struct Sessions {
    workspace: Arc<Workspace>,
    store: Arc<Store>,
    /// By the notebook's path, links resolved.
    all: Mutex<BTreeMap<WorkspacePath, Arc<Session>>>,
    answers: OnceLock<Arc<dyn Answers>>,
    options: Arc<SessionOptions>,
}

/// What sessions go by.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// Bytes that a run may put out before it is held back.
    pub most_output: usize,
    /// Where the person's signatures of Jupyter are looked for.
    pub around: Surroundings,
}

impl SessionOptions {
    /// Those of this process.
    pub fn of_process(workspace: &Workspace) -> Self {
        Self { most_output: MOST_OUTPUT, around: Surroundings::of_process(workspace.folder()) }
    }

    /// Those of a person who uses Jupyter once there is a folder `jupyter` in this one, whoever runs the tests.
    pub fn for_tests(folder: &Path) -> Self {
        let data = ("JUPYTER_DATA_DIR".to_owned(), folder.join("jupyter").display().to_string());
        let around = Surroundings { variables: BTreeMap::from([data]), workspace: folder.to_owned() };
        Self { most_output: MOST_OUTPUT, around }
    }
}

/// Who answers in AI cells.
pub trait Answers: Send + Sync {
    /// Begins the answer in a cell for a person; empty cells are answered at once.
    fn ask(
        self: Arc<Self>,
        session: Arc<Session>,
        cell: CellKey,
        user: String,
    ) -> BoxFuture<'static, Result<ExecutionId, Failure>>;
    /// Stops the answer in a cell, or without one all answers in a notebook. Tells whether there was one.
    fn stop(&self, session: &Session, cell: Option<&CellKey>) -> bool;
}

impl Sessions {
    /// Takes up what was kept: kernels that still run are found again. To be called within a runtime.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn open(
        workspace: Arc<Workspace>,
        store: Arc<Store>,
        options: SessionOptions,
    ) -> Result<Arc<Self>, SessionError> {
        let (mut all, options) = (BTreeMap::new(), Arc::new(options));
        for record in SessionRecord::all(&store)? {
            let executions = ExecutionRecord::of_session(&store, &record.id)?;
            all.insert(record.path.clone(), begin(&workspace, &store, record, executions, &options)?);
        }
        let (all, answers) = (Mutex::new(all), OnceLock::new());
        let sessions = Arc::new(Self { workspace, store, all, answers, options });
        let known = Arc::downgrade(&sessions);
        sessions.workspace.outputs_are_known_by(move |path, notebook| {
            let session = known.upgrade().and_then(|sessions| sessions.lock().get(path).cloned());
            session.is_some_and(|session| session.ran_all(notebook))
        });
        Ok(sessions)
    }

    /// Names who answers in AI cells; without it nobody does.
    pub fn answered_by(&self, answers: Arc<dyn Answers>) {
        // Said once at the start; a second word changes nothing.
        let _ = self.answers.set(answers);
    }

    /// Who answers in AI cells.
    pub fn answers(&self) -> Option<Arc<dyn Answers>> {
        self.answers.get().cloned()
    }

    /// All sessions.
    pub fn all(&self) -> Vec<Arc<Session>> {
        self.lock().values().cloned().collect()
    }

    /// Returns the session of a notebook; one that nothing was run in is made. Looks at the disk.
    ///
    /// # Errors
    /// If the path leads out of the workspace.
    pub fn session(&self, path: &WorkspacePath) -> Result<Arc<Session>, SessionError> {
        let path = self.workspace.real_path(path)?;
        let mut all = self.lock();
        if let Some(session) = all.get(&path) {
            return Ok(session.clone());
        }
        let id = self.store.new_id::<EpochId>().to_string();
        let record = SessionRecord { id, path: path.clone(), kernel: None, running: None };
        let session = begin(&self.workspace, &self.store, record, Vec::new(), &self.options)?;
        all.insert(path, session.clone());
        Ok(session)
    }

    /// The kernels that run or are being started, by notebook.
    pub fn running(&self) -> Vec<RunningKernel> {
        let running = |(path, session): (&WorkspacePath, &Arc<Session>)| {
            let state = session.shared.lock();
            let runs = !matches!(state.kernel.state, KernelState::Absent | KernelState::Dead);
            let kernel = state.kernel.kernel.clone().filter(|_| runs)?;
            let (path, used) = (path.clone(), state.used);
            Some(RunningKernel { path, kernel, state: state.kernel.state, has_run: state.kernel.has_run, used })
        };
        self.lock().iter().filter_map(running).collect()
    }

    /// Listens to kernels no more, before the store is closed: the kernels go on. Waits a moment for what is not written.
    #[boxed]
    pub async fn close(&self) {
        let all = self.all();
        let closed = join_all(all.iter().map(|session| session.close()));
        if timeout(MOMENT, closed).await.is_err() {
            tracing::warn!("the last cell outputs could not be saved in time; they are kept");
        }
    }

    /// A file or folder has another path.
    pub fn moved(&self, from: &WorkspacePath, to: &WorkspacePath) {
        let mut all = self.lock();
        let paths: Vec<_> = all.keys().filter(|path| path.is_within(from)).cloned().collect();
        for path in paths {
            let below = path.as_str().strip_prefix(from.as_str()).unwrap_or_default();
            let Ok(target) = WorkspacePath::new(&format!("{to}{below}")) else { continue };
            let Some(session) = all.remove(&path) else { continue };
            session.shared.change(|state| state.path = target.clone());
            session.shared.keep();
            session.shared.noted(trust::moved(&self.store, &path, &target));
            all.insert(target, session);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<WorkspacePath, Arc<Session>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn begin(
    workspace: &Arc<Workspace>,
    store: &Arc<Store>,
    record: SessionRecord,
    executions: Vec<ExecutionRecord>,
    options: &Arc<SessionOptions>,
) -> Result<Arc<Session>, SessionError> {
    let shared = Shared::new(workspace.clone(), store.clone(), &record, options.clone());
    let (commands, inbox) = mpsc::unbounded_channel();
    let runner = Runner::new(shared.clone(), inbox).resume(record, executions)?;
    tokio::spawn(runner.work());
    Ok(Arc::new(Session::new(shared, commands)))
}
