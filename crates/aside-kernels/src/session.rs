//! One notebook and its kernel: what anybody can see of it, and how it is told what to do.
//!
//! A task of its own, the [`Runner`], owns the kernel and the queue. What it shows lies in [`Shared`].

mod answers;
mod ask;
mod blame;
mod changed;
mod flood;
mod held;
mod interrupt;
mod left;
mod life;
mod recover;
mod runner;
mod runs;
mod state;
mod widgets;
mod write;

use std::sync::Arc;

use aside_core::{CellExecution, ExecutionId, ExecutionState, KernelState, NotebookKernel, WorkspacePath};
use aside_doc::CellOutputs;
use aside_macros::boxed;
use aside_notebook::{CellKey, CellKind, Notebook, Raw};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

pub use ask::Completions;
pub use flood::{MOST_OUTPUT, output_limit};
pub(crate) use runner::{Command, Runner};
pub(crate) use state::{Shared, State};
pub use widgets::WidgetSaid;

use crate::{Output, SessionError, SqlCell, choose::choose, file, record::ExecutionRecord, watch::NotebookWatch};

/// One notebook and its kernel.
pub struct Session {
    pub(crate) shared: Arc<Shared>,
    commands: mpsc::UnboundedSender<Command>,
}

/// A cell that is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellToRun {
    /// Which.
    pub key: CellKey,
    /// Its text as it was when it was asked for.
    pub code: String,
    /// It is a question to a database, asked so.
    pub sql: Option<SqlCell>,
}

/// What a cell had put out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptOutputs {
    /// Its key.
    pub cell: String,
    /// As the file has them.
    pub outputs: Vec<Box<RawValue>>,
    /// The number of its run.
    pub count: Option<u64>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The run.
    pub execution: CellExecution,
    /// All that it put out.
    pub outputs: Vec<Output>,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>, commands: mpsc::UnboundedSender<Command>) -> Self {
        Self { shared, commands }
    }

    /// The notebook.
    pub fn path(&self) -> WorkspacePath {
        self.shared.lock().path.clone()
    }

    /// How its kernel is.
    pub fn kernel(&self) -> NotebookKernel {
        self.shared.lock().kernel.clone()
    }

    /// Reads the notebook as it is now.
    ///
    /// # Errors
    /// If it is not there, or no notebook.
    #[boxed]
    pub async fn notebook(&self) -> Result<Arc<Notebook>, SessionError> {
        file::read(&self.shared.workspace, &self.path()).await
    }

    /// Starts a kernel if none runs, or another one than runs is named; waits until it answers.
    ///
    /// # Errors
    /// If there is none such, and then the one that runs goes on; or if it does not start.
    #[boxed]
    pub async fn start(&self, kernel: Option<String>) -> Result<(), SessionError> {
        if let Some(name) = kernel.clone() {
            let folder = self.shared.workspace.folder().to_owned();
            file::blocking(move || choose(&folder, Some(&name), &Notebook::new()).map(drop)).await?;
        }
        self.tell(|done| Command::Start { kernel, done }).await
    }

    /// Puts cells into the queue; a kernel is started if none runs. A cell that waits already, with the same text, keeps its
    /// place. Returns their runs.
    ///
    /// # Errors
    /// If it can't be kept.
    pub fn run(&self, cells: Vec<CellToRun>, stop_on_error: bool) -> Result<Vec<ExecutionId>, SessionError> {
        let ids: Vec<ExecutionId> =
            cells.into_iter().map(|cell| self.shared.enqueue(cell, stop_on_error)).collect::<Result<_, _>>()?;
        self.commands.send(Command::Run { executions: ids.clone() }).map_err(|_| SessionError::Ending)?;
        Ok(ids)
    }

    /// Waits for the end of a run.
    ///
    /// # Errors
    /// If another run of its cell has taken its place.
    #[boxed]
    pub async fn ended(&self, id: &ExecutionId) -> Result<Ended, SessionError> {
        let mut changes = self.shared.changes();
        let (cell, execution) = loop {
            changes.borrow_and_update();
            let found = self.shared.lock().executions.get(id).cloned();
            let record = found.ok_or(SessionError::Replaced)?;
            if record.is_over() {
                break (CellKey(record.execution.cell.clone()), record.execution);
            }
            changes.changed().await.map_err(|_| SessionError::Ending)?;
        };
        Ok(Ended { execution, outputs: self.outputs(&cell).await? })
    }

    /// Waits until a kernel answers.
    ///
    /// # Errors
    /// If the session ends before.
    #[boxed]
    pub async fn answers(&self) -> Result<(), SessionError> {
        let mut changes = self.shared.changes();
        loop {
            changes.borrow_and_update();
            if matches!(self.kernel().state, KernelState::Idle | KernelState::Busy) {
                return Ok(());
            }
            changes.changed().await.map_err(|_| SessionError::Ending)?;
        }
    }

    /// How a run is; none if another run of its cell has taken its place.
    pub fn execution(&self, id: &ExecutionId) -> Option<CellExecution> {
        self.shared.lock().executions.get(id).map(|record| record.execution.clone())
    }

    /// All that a cell has put out.
    ///
    /// # Errors
    /// If there is no such cell.
    #[boxed]
    pub async fn outputs(&self, cell: &CellKey) -> Result<Vec<Output>, SessionError> {
        if let Some(live) = self.shared.lock().live_outputs(cell) {
            return Ok(live);
        }
        let notebook = self.notebook().await?;
        let found = notebook.cell(cell).map(|cell| cell.outputs().iter().map(Output::read).collect());
        found.ok_or_else(|| SessionError::NoCell { path: self.path(), cell: cell.0.clone() })
    }

    /// Takes away what cells have put out, here and in the notebook.
    ///
    /// # Errors
    /// If one of them is run, or it can't be written.
    #[boxed]
    pub async fn clear(&self, cells: &[CellKey]) -> Result<(), SessionError> {
        self.shared.clear(cells)?;
        let empty = |key: &CellKey| CellOutputs { key: key.clone(), outputs: Raw::of_items([]), count: None };
        let outputs = cells.iter().map(empty).collect();
        file::set(&self.shared.workspace, &self.path(), outputs).await.map(drop)
    }

    /// All that cells have put out, to be put back later; nothing of those that have put out nothing.
    ///
    /// # Errors
    /// If the notebook can't be read.
    #[boxed]
    pub async fn kept(&self, cells: &[CellKey]) -> Result<Vec<KeptOutputs>, SessionError> {
        let notebook = self.notebook().await?;
        let mut kept = Vec::new();
        for cell in cells.iter().filter_map(|key| notebook.cell(key)) {
            let outputs = self.outputs(cell.key()).await?;
            let outputs: Vec<_> = outputs.iter().map(|output| raw_value(&output.write())).collect();
            let count = cell.execution_count();
            if !outputs.is_empty() || count.is_some() {
                kept.push(KeptOutputs { cell: cell.key().0.clone(), outputs, count });
            }
        }
        Ok(kept)
    }

    /// Puts back what cells had put out. Cells that are not there any more are passed over.
    ///
    /// # Errors
    /// If one of them is run, or it can't be written.
    #[boxed]
    pub async fn put_back(&self, kept: Vec<KeptOutputs>) -> Result<(), SessionError> {
        let keys: Vec<_> = kept.iter().map(|kept| CellKey(kept.cell.clone())).collect();
        self.shared.clear(&keys)?;
        let outputs = |kept: KeptOutputs| {
            let outputs: Vec<Raw> = kept.outputs.iter().filter_map(|output| Raw::parse(output.get()).ok()).collect();
            CellOutputs { key: CellKey(kept.cell), outputs: Raw::of_items(&outputs), count: kept.count }
        };
        file::set(&self.shared.workspace, &self.path(), kept.into_iter().map(outputs).collect()).await?;
        // Whoever watches reads them from the document.
        self.shared.clear(&keys)
    }

    /// Interrupts what runs; what waits is not begun.
    ///
    /// # Errors
    /// If no kernel runs.
    #[boxed]
    pub async fn interrupt(&self) -> Result<(), SessionError> {
        self.tell(|done| Command::Interrupt { only: None, done }).await
    }

    /// The same for these runs alone: if the kernel runs another one, it goes on, and others that wait keep their place.
    ///
    /// # Errors
    /// If no kernel runs.
    #[boxed]
    pub async fn interrupt_runs(&self, runs: Vec<ExecutionId>) -> Result<(), SessionError> {
        self.end_held(Some(&runs));
        self.tell(|done| Command::Interrupt { only: Some(runs), done }).await
    }

    /// The runs of a cell that are not over.
    pub fn open_runs(&self, cell: &CellKey) -> Vec<ExecutionId> {
        let state = self.shared.lock();
        let open = state.of_cell(cell).filter(|record| !record.is_over() && !record.is_answer);
        open.map(|record| record.execution.id.clone()).collect()
    }

    /// Ends the kernel and starts it anew; waits until it answers.
    ///
    /// # Errors
    /// If it does not start.
    #[boxed]
    pub async fn restart(&self) -> Result<(), SessionError> {
        self.tell(|done| Command::Restart { done }).await
    }

    /// Ends the kernel; waits until it is gone.
    ///
    /// # Errors
    /// If the server is ending.
    #[boxed]
    pub async fn shut_down(&self) -> Result<(), SessionError> {
        self.tell(|done| Command::ShutDown { done }).await
    }

    /// Listens to its kernel no more, which goes on: what it says is told to the next server. What it has said is written.
    ///
    /// # Errors
    /// If it has ended already.
    #[boxed]
    pub async fn close(&self) -> Result<(), SessionError> {
        self.tell(|done| Command::Close { done }).await
    }

    /// Gives the line that a run waits for by this question. What was asked for as a password is kept nowhere.
    ///
    /// # Errors
    /// If it does not wait for one, or asks something else by now.
    #[boxed]
    pub async fn answer(&self, execution: ExecutionId, question: u64, value: String) -> Result<(), SessionError> {
        self.tell(|done| Command::Answer { execution, question, value, done }).await
    }

    /// Takes as much again of a run that was held back.
    ///
    /// # Errors
    /// If it is not.
    #[boxed]
    pub async fn go_on(&self, execution: ExecutionId) -> Result<(), SessionError> {
        self.tell(|done| Command::GoOn { execution, done }).await
    }

    /// Tells the kernel what a person did to a control that a cell shows.
    ///
    /// # Errors
    /// If there is none such any more, or the kernel is dead.
    #[boxed]
    pub async fn tell_widget(&self, id: String, cell: CellKey, said: WidgetSaid) -> Result<(), SessionError> {
        self.tell(|done| Command::Widget { id, cell, said, done }).await
    }

    /// Watches what happens, from how it is now.
    pub fn watch(self: &Arc<Self>) -> NotebookWatch {
        NotebookWatch::new(self.clone())
    }

    async fn tell(
        &self,
        command: impl FnOnce(oneshot::Sender<Result<(), SessionError>>) -> Command,
    ) -> Result<(), SessionError> {
        let (done, answer) = oneshot::channel();
        self.commands.send(command(done)).map_err(|_| SessionError::Ending)?;
        answer.await.unwrap_or(Err(SessionError::Ending))
    }
}

/// Takes the code of cells out of a notebook, those that have any.
///
/// # Errors
/// If there is no such cell, or it is no code.
pub fn cells_to_run(
    notebook: &Notebook,
    path: &WorkspacePath,
    keys: &[CellKey],
) -> Result<Vec<CellToRun>, SessionError> {
    let cell = |key: &CellKey| {
        let missing = || SessionError::NoCell { path: path.clone(), cell: key.0.clone() };
        let cell = notebook.cell(key).ok_or_else(missing)?;
        match cell.kind() {
            CellKind::Code | CellKind::Sql => {
                Ok(CellToRun { key: key.clone(), code: cell.source(), sql: SqlCell::of(cell) })
            }
            kind => Err(SessionError::NotCode { cell: key.0.clone(), kind: kind.name().to_owned() }),
        }
    };
    keys.iter().map(cell).collect()
}

fn raw_value(raw: &Raw) -> Box<RawValue> {
    RawValue::from_string(raw.as_str().to_owned()).expect("it is JSON")
}

/// A run that was just asked for.
fn queued(id: ExecutionId, cell: CellToRun, stop_on_error: bool, now: aside_core::Timestamp) -> ExecutionRecord {
    let execution = CellExecution {
        id,
        cell: cell.key.0,
        state: ExecutionState::Queued,
        count: None,
        asked_at: now,
        began_at: None,
        ended_at: None,
        next_input: None,
        problem: None,
    };
    ExecutionRecord {
        execution,
        code: cell.code,
        sql: cell.sql,
        stop_on_error,
        request: None,
        in_file: false,
        names: Vec::new(),
        number: 0,
        is_answer: false,
        held: false,
    }
}
