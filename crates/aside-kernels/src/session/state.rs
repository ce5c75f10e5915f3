//! What is known of a notebook's kernel and runs now: changed by one task, looked at by all.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use aside_core::{
    CellExecution, ExecutionId, ExecutionState, Failure, KernelState, NotebookKernel, Timestamp, WorkspacePath,
};
use aside_jupyter::{Kernel, KernelRecord};
use aside_notebook::CellKey;
use aside_store::{Store, StoreError};
use aside_workspace::Workspace;
use tokio::sync::watch;

use super::{CellToRun, changed::Changed, queued};
use crate::{
    Output, Outputs, SessionError, SessionOptions,
    record::{ExecutionRecord, SessionRecord},
    trust::{Hashed, Trusted},
    widgets::Widgets,
};

pub(crate) struct Shared {
    pub workspace: Arc<Workspace>,
    pub store: Arc<Store>,
    pub id: String,
    pub options: Arc<SessionOptions>,
    /// What was signed for Jupyter after the latest save; held while it is signed.
    pub signed: tokio::sync::Mutex<Option<String>>,
    /// The names of outputs, for those who ask again.
    pub hashed: Mutex<Hashed>,
    state: Mutex<State>,
    /// The latest [`State::now`].
    changed: watch::Sender<u64>,
}

/// Everything has the count of changes at which it was changed last, so that each who watches hears what is new to them.
pub(crate) struct State {
    pub path: WorkspacePath,
    pub kernel: NotebookKernel,
    pub kernel_changed: u64,
    /// The kernel, when it can be spoken to.
    pub handle: Option<Kernel>,
    /// What ran before the server was started, until it is found again or given up; or what is being started.
    pub sought: Option<KernelRecord>,
    /// Those that the file may not have yet.
    pub outputs: Outputs,
    /// Controls that code has made.
    pub widgets: Widgets,
    /// When each cell was run, or put something out.
    pub cells: Changed,
    /// The latest of each cell, and those that are not over.
    pub executions: BTreeMap<ExecutionId, ExecutionRecord>,
    /// Which outputs may run scripts, and when somebody had to hear of that.
    pub trusted: Trusted,
    pub trust_changed: u64,
    /// Counts changes.
    pub now: u64,
    /// When something was last begun or ended.
    pub used: Timestamp,
    /// The store did not take something.
    pub is_unkept: bool,
}

impl Shared {
    pub fn new(
        workspace: Arc<Workspace>,
        store: Arc<Store>,
        record: &SessionRecord,
        options: Arc<SessionOptions>,
    ) -> Arc<Self> {
        let kernel = NotebookKernel {
            kernel: record.kernel.clone(),
            state: KernelState::Absent,
            has_run: false,
            problem: None,
            queue: Vec::new(),
            asks: None,
            holds: None,
        };
        let state = State {
            path: record.path.clone(),
            kernel,
            kernel_changed: 1,
            handle: None,
            sought: record.running.clone(),
            outputs: Outputs::default(),
            widgets: Widgets::default(),
            cells: Changed::default(),
            executions: BTreeMap::new(),
            trusted: Trusted::of(&store, &record.path),
            trust_changed: 0,
            now: 1,
            used: store.now(),
            is_unkept: false,
        };
        let (id, changed) = (record.id.clone(), watch::Sender::new(1));
        let signed = tokio::sync::Mutex::default();
        let hashed = Mutex::default();
        Arc::new(Self { workspace, store, id, options, signed, hashed, state: Mutex::new(state), changed })
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Changes what is known, and tells all who watch.
    pub fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        state.now += 1;
        let (result, now) = (change(&mut state), state.now);
        drop(state);
        self.changed.send_replace(now);
        result
    }

    /// Changes how the kernel is.
    pub fn change_kernel(&self, change: impl FnOnce(&mut NotebookKernel)) {
        self.change(|state| {
            change(&mut state.kernel);
            state.kernel_changed = state.now;
        });
    }

    /// Takes away what is said to be wrong with the kernel, if it is this.
    pub fn settle(&self, is_it: impl FnOnce(&Failure) -> bool) {
        if self.lock().kernel.problem.as_ref().is_some_and(is_it) {
            self.change_kernel(|kernel| kernel.problem = None);
        }
    }

    /// Has every window hear anew whether the notebook is trusted.
    pub fn tell_trust(&self) {
        self.change(|state| state.trust_changed = state.now);
    }

    /// Changes a run, here and in the store.
    pub fn change_execution(&self, id: &ExecutionId, change: impl FnOnce(&mut ExecutionRecord)) {
        if let Some(record) = self.show_execution(id, change) {
            self.noted(record.put(&self.store, &self.id));
        }
    }

    /// Changes a run here: the store has it with what is kept of the run next.
    pub fn show_execution(
        &self,
        id: &ExecutionId,
        change: impl FnOnce(&mut ExecutionRecord),
    ) -> Option<ExecutionRecord> {
        self.change(|state| {
            let now = state.now;
            let record = state.executions.get_mut(id)?;
            change(record);
            state.cells.insert(CellKey(record.execution.cell.clone()), now);
            Some(record.clone())
        })
    }

    /// Keeps which kernel it is.
    pub fn keep(&self) {
        let record = {
            let state = self.lock();
            let running = state.handle.as_ref().map(|kernel| kernel.record().clone()).or_else(|| state.sought.clone());
            let (path, kernel) = (state.path.clone(), state.kernel.kernel.clone());
            SessionRecord { id: self.id.clone(), path, kernel, running }
        };
        self.noted(record.put(&self.store));
    }

    /// Puts a cell into the queue.
    pub fn enqueue(&self, cell: CellToRun, stop_on_error: bool) -> Result<ExecutionId, SessionError> {
        if let Some(id) = self.lock().waiting(&cell) {
            return Ok(id);
        }
        self.put_in_queue(queued(self.store.new_id(), cell, stop_on_error, self.store.now()))
    }

    /// Keeps a run that waits, and shows it in the queue.
    pub fn put_in_queue(&self, record: ExecutionRecord) -> Result<ExecutionId, SessionError> {
        if self.lock().handle.is_none() {
            // A notebook whose kernel is yet to start is to be found again too.
            self.keep();
        }
        record.put(&self.store, &self.id)?;
        let id = record.execution.id.clone();
        self.change(|state| {
            let (cell, now) = (CellKey(record.execution.cell.clone()), state.now);
            state.cells.insert(cell, now);
            state.kernel.queue.push(id.clone());
            state.kernel_changed = now;
            state.executions.insert(id.clone(), record);
        });
        Ok(id)
    }

    /// Begins a run that waits, as this request: what its cell has put out before is gone. None if it waits no more.
    pub fn begin(&self, id: &ExecutionId, request: String) -> Option<ExecutionRecord> {
        let at = self.store.now();
        let (record, older) = self.change(|state| {
            let record =
                state.executions.get_mut(id).filter(|record| record.execution.state == ExecutionState::Queued)?;
            (record.execution.state, record.execution.began_at) = (ExecutionState::Running, Some(at));
            record.request = Some(request);
            let record = record.clone();
            let cell = CellKey(record.execution.cell.clone());
            let older = state.of_cell(&cell).filter(|record| record.is_over());
            let older: Vec<_> = older.map(|record| record.execution.id.clone()).collect();
            older.iter().for_each(|id| drop(state.executions.remove(id)));
            state.outputs.begin(cell.clone());
            state.cells.insert(cell, state.now);
            (state.kernel.state, state.kernel.has_run) = (KernelState::Busy, true);
            (state.kernel_changed, state.used) = (state.now, at);
            Some((record, older))
        })?;
        self.noted(record.put_in_place_of(&older, &self.store, &self.id));
        Some(record)
    }

    /// Ends a run. Tells whether what waits behind it is not to be begun if it failed.
    pub fn end(&self, id: &ExecutionId, how: ExecutionState) -> bool {
        let at = self.store.now();
        let record = self.change(|state| {
            let now = state.now;
            let record = state.executions.get_mut(id)?;
            (record.execution.state, record.execution.ended_at) = (how, Some(at));
            let record = record.clone();
            state.cells.insert(CellKey(record.execution.cell.clone()), now);
            let kernel = &mut state.kernel;
            kernel.queue.retain(|waiting| waiting != id);
            kernel.asks.take_if(|asked| asked.execution == *id);
            kernel.holds.take_if(|held| held.execution == *id);
            if how != ExecutionState::Aborted && !record.is_answer && kernel.state == KernelState::Busy {
                kernel.state = KernelState::Idle;
            }
            (state.kernel_changed, state.used) = (now, at);
            Some(record)
        });
        let Some(record) = record else { return false };
        self.noted(record.put(&self.store, &self.id));
        record.stop_on_error
    }

    /// Notes why runs that are not over come to no end. Those that the kernel has ended by itself keep what it said.
    pub fn blame_open(&self, failure: &Failure) {
        for CellExecution { id, .. } in self.open() {
            let failure = Box::new(failure.clone());
            self.change_execution(&id, |record| record.execution.problem = Some(failure));
        }
    }

    /// The runs of the kernel that are not over, the oldest first.
    pub fn open(&self) -> Vec<CellExecution> {
        let state = self.lock();
        let open = state.executions.values().filter(|record| !record.is_over() && !record.is_answer);
        open.map(|record| record.execution.clone()).collect()
    }

    /// Forgets what cells have put out and their runs.
    pub fn clear(&self, cells: &[CellKey]) -> Result<(), SessionError> {
        let dropped = self.change(|state| {
            let runs = |cell: &&CellKey| state.of_cell(cell).any(|record| !record.is_over());
            if let Some(cell) = cells.iter().find(runs) {
                return Err(SessionError::Runs(cell.0.clone()));
            }
            let mut dropped = Vec::new();
            for cell in cells {
                state.outputs.remove(cell);
                state.cells.insert(cell.clone(), state.now);
                dropped.extend(state.of_cell(cell).map(|record| record.execution.id.clone()));
            }
            dropped.iter().for_each(|id| drop(state.executions.remove(id)));
            Ok(dropped)
        })?;
        ExecutionRecord::delete(&dropped, &self.store).map_err(SessionError::from)
    }

    /// What can't be kept is told of: it is still shown.
    pub fn noted(&self, kept: Result<(), StoreError>) {
        if let Err(error) = kept {
            tracing::warn!(%error, "the activity of a notebook's kernel could not be stored");
            self.lock().is_unkept = true;
            self.change_kernel(|kernel| kernel.problem = Some(error.failure()));
        }
    }
}

impl State {
    /// The runs of a cell that are known, the oldest first.
    pub fn of_cell<'a>(&'a self, cell: &CellKey) -> impl Iterator<Item = &'a ExecutionRecord> + use<'a> {
        let cell = cell.0.clone();
        self.executions.values().filter(move |record| record.execution.cell == cell)
    }

    /// The run of a cell that is shown: the one that is under way, else the latest.
    pub fn shown_of(&self, cell: &CellKey) -> Option<&ExecutionRecord> {
        let running = self.of_cell(cell).find(|record| record.execution.state == ExecutionState::Running);
        running.or_else(|| self.of_cell(cell).last())
    }

    /// What a cell put out, if the file may not have all of it.
    pub fn live_outputs(&self, cell: &CellKey) -> Option<Vec<Output>> {
        self.outputs.has(cell).then(|| self.outputs.of_cell(cell).cloned().collect())
    }

    /// The run of a cell that waits behind an answer.
    pub fn held(&self, cell: &CellKey) -> Option<ExecutionId> {
        self.of_cell(cell).find(|record| record.is_held()).map(|record| record.execution.id.clone())
    }

    /// One that is the kernel's.
    fn waiting(&self, cell: &CellToRun) -> Option<ExecutionId> {
        let same = |record: &&ExecutionRecord| {
            record.execution.state == ExecutionState::Queued
                && !record.held
                && (&record.code, &record.sql) == (&cell.code, &cell.sql)
        };
        self.of_cell(&cell.key).find(same).map(|record| record.execution.id.clone())
    }
}
