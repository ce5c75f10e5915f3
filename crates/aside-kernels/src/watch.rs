//! What one window hears of a notebook that it watches: how it is, then what changes, the end of a run at once.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash as _, Hasher as _},
    sync::Arc,
    time::Duration,
};

use aside_core::{CellExecution, CellOutput, KernelState, NotebookKernel, OddCell, WidgetModel};
use aside_macros::boxed;
use aside_notebook::{Cell, CellKey, CellProblem, Notebook, Raw};
use aside_workspace::DocumentState;
use tokio::{sync::watch, time::Instant};

use crate::{
    Output, Session, SessionError,
    bounded::{shown, shown_from},
    file,
    record::ExecutionRecord,
    session::State,
};

/// How long what is new waits for more, unless a run has ended: a frame, of which a window draws one. Much output waits
/// longer by its bytes.
const PAUSE: Duration = Duration::from_millis(16);
/// Bytes a second that go to one window, when more is put out than can be read anyway.
const BYTES_A_SECOND: usize = 1 << 20;

/// One who watches a notebook.
pub struct NotebookWatch {
    session: Arc<Session>,
    changes: watch::Receiver<u64>,
    /// The count of changes that was told.
    seen: u64,
    /// When it is looked again, and when it is if a run has ended: as soon as the window has had time for what it was told.
    next: Instant,
    room: Instant,
    /// How the notebook's file is, once it was looked at.
    file: Option<watch::Receiver<DocumentState>>,
    /// The outputs of cells that were told as the file has them.
    told: BTreeMap<CellKey, u64>,
    /// The cells that were told to be odd.
    odd: Vec<OddCell>,
}

/// What is new.
#[derive(Clone, Debug, PartialEq)]
pub enum NotebookNews {
    /// How the kernel is.
    Kernel(Box<NotebookKernel>),
    /// What a cell has put out: the outputs from `from` on are these, and no more.
    Outputs {
        /// Which.
        cell: CellKey,
        /// Its run.
        execution: Option<CellExecution>,
        /// The count that the file has of it, if it was not run here.
        count: Option<u64>,
        /// How many outputs stay as they are.
        from: usize,
        /// The others.
        outputs: Vec<CellOutput>,
    },
    /// How controls are that code has made.
    Widgets {
        /// These are all that there are.
        whole: bool,
        /// Those that are new or changed.
        models: Vec<WidgetModel>,
        /// Those that are gone.
        gone: Vec<String>,
    },
    /// Whether the outputs that came with the file may run scripts is another answer now, maybe.
    Trust,
    /// What is odd about cells of the file: these, and no others.
    OddCells(Vec<OddCell>),
    /// All that there was has been told.
    CaughtUp,
}

impl NotebookWatch {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        let changes = session.shared.changes();
        let now = Instant::now();
        Self { session, changes, seen: 0, next: now, room: now, file: None, told: BTreeMap::new(), odd: Vec::new() }
    }

    /// The notebook, where it is now.
    pub fn path(&self) -> aside_core::WorkspacePath {
        self.session.path()
    }

    /// Returns what is new, as soon as something is: at first all that there is.
    ///
    /// # Errors
    /// If the notebook can't be read.
    #[boxed]
    pub async fn next(&mut self) -> Result<Vec<NotebookNews>, SessionError> {
        loop {
            let now = *self.changes.borrow_and_update();
            if self.seen < now {
                let until = if self.has_ended() { self.room } else { self.next };
                // A timer that is up already may fire a millisecond later.
                if Instant::now() < until {
                    tokio::select! {
                        biased;
                        () = tokio::time::sleep_until(until) => (),
                        changed = self.changes.changed() => {
                            changed.map_err(|_| SessionError::Ending)?;
                            continue;
                        }
                    }
                }
                let news = self.look().await?;
                let pause =
                    Duration::from_secs(1) * u32::try_from(size(&news)).unwrap_or(u32::MAX) / BYTES_A_SECOND as u32;
                self.room = Instant::now() + pause.min(Duration::from_secs(2));
                self.next = self.room.max(Instant::now() + PAUSE);
                return Ok(news);
            }
            // The session is held, and what sends with it.
            tokio::select! {
                changed = self.changes.changed() => {
                    changed.map_err(|_| SessionError::Ending)?;
                    // What begins now may have ended by then: it is told once.
                    self.next = self.next.max(Instant::now() + PAUSE);
                }
                () = changed(&mut self.file) => {
                    let odd: Vec<_> = self.look_at_file().await.into_iter().collect();
                    if !odd.is_empty() {
                        return Ok(odd);
                    }
                }
            }
        }
    }

    /// Tells whether it is news that the kernel does nothing any more: who waits for a run is told at once.
    fn has_ended(&self) -> bool {
        let state = self.session.shared.lock();
        state.kernel_changed > self.seen && state.kernel.state == KernelState::Idle
    }

    /// Another program may have changed outputs in the file: then they are no more what was run here, and are told anew.
    /// Returns which cells are odd now, if they are others.
    async fn look_at_file(&mut self) -> Option<NotebookNews> {
        if self.file.as_ref().is_some_and(|file| file.borrow().saved) {
            let session = self.session.clone();
            tokio::spawn(async move { session.sign_again().await });
        }
        // A file that is no notebook any more is told of elsewhere.
        let notebook = self.session.notebook().await.ok()?;
        let mut others = Vec::new();
        {
            let state = self.session.shared.lock();
            for cell in &notebook.cells {
                let key = cell.key();
                let changed = state.cells.get(key);
                // What happened here is told as such.
                if state.outputs.has(key) || changed.is_some_and(|changed| changed > self.seen) {
                    continue;
                }
                let mark = mark(cell);
                let is_other = match self.told.insert(key.clone(), mark) {
                    Some(before) => before != mark,
                    None => changed.is_none() && !cell.outputs().is_empty(),
                };
                if is_other {
                    others.push(key.clone());
                }
            }
        }
        // One that is run meanwhile is told by its run.
        let _ = self.session.shared.clear(&others);
        if !others.is_empty() {
            self.session.shared.tell_trust();
        }
        self.odd_cells(&notebook)
    }

    fn odd_cells(&mut self, notebook: &Notebook) -> Option<NotebookNews> {
        let is_there = |problem: &&CellProblem| notebook.cell(&problem.key).is_some();
        let odd = notebook.problems().iter().filter(is_there);
        let odd: Vec<_> =
            odd.map(|problem| OddCell { cell: problem.key.0.clone(), message: problem.message.clone() }).collect();
        (self.odd != odd).then(|| {
            self.odd.clone_from(&odd);
            NotebookNews::OddCells(odd)
        })
    }

    async fn look(&mut self) -> Result<Vec<NotebookNews>, SessionError> {
        let is_first = self.seen == 0;
        // What is over may be in the file alone.
        let needs_file = is_first || {
            let state = self.session.shared.lock();
            state.cells.since(self.seen).into_iter().any(|cell| !state.outputs.has(cell))
        };
        if self.file.is_none() {
            self.file = Some(file::state(&self.session.shared.workspace, &self.session.path()).await?);
        }
        let notebook = if needs_file { self.session.notebook().await.map(Some) } else { Ok(None) };
        let notebook = if is_first { notebook? } else { notebook.unwrap_or_default() };
        let odd = notebook.as_ref().filter(|_| is_first).and_then(|notebook| self.odd_cells(notebook));
        let state = self.session.shared.lock();
        let changed = state.cells.since(self.seen);
        for cell in notebook.iter().flat_map(|notebook| &notebook.cells) {
            if is_first || changed.contains(cell.key()) {
                self.told.insert(cell.key().clone(), mark(cell));
            }
        }
        for cell in changed.iter().filter(|cell| state.outputs.has(cell)) {
            self.told.remove(*cell);
        }
        let mut news = Vec::new();
        let (models, gone) = (state.widgets.changed_since(self.seen), state.widgets.gone_since(self.seen));
        if is_first || !models.is_empty() || !gone.is_empty() {
            news.push(NotebookNews::Widgets { whole: is_first, models, gone });
        }
        news.extend(changed.iter().map(|cell| of_cell(&state, cell, notebook.as_deref(), self.seen)));
        // After the cells: who waits for the end of a run waits for its cell.
        if state.kernel_changed > self.seen {
            news.push(NotebookNews::Kernel(Box::new(state.kernel.clone())));
        }
        if state.trust_changed > self.seen {
            news.push(NotebookNews::Trust);
        }
        if is_first {
            let others = notebook.iter().flat_map(|notebook| &notebook.cells);
            let was_run = |cell: &&Cell| !cell.outputs().is_empty() || cell.execution_count().is_some();
            let others = others.filter(|cell| state.cells.get(cell.key()).is_none()).filter(was_run);
            news.extend(others.map(|cell| of_cell(&state, cell.key(), notebook.as_deref(), 0)));
            news.extend(odd);
            news.push(NotebookNews::CaughtUp);
        }
        self.seen = state.now;
        Ok(news)
    }
}

async fn changed(file: &mut Option<watch::Receiver<DocumentState>>) {
    match file {
        Some(file) => match file.changed().await {
            Ok(()) => (),
            Err(_) => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

/// Tells outputs from others without reading all of those that are long.
fn mark(cell: &Cell) -> u64 {
    const END: usize = 4096;
    let mut hasher = DefaultHasher::new();
    for output in cell.outputs() {
        let bytes = output.as_str().as_bytes();
        (bytes.len(), &bytes[..bytes.len().min(END)], &bytes[bytes.len().saturating_sub(END)..]).hash(&mut hasher);
    }
    hasher.finish()
}

fn of_cell(state: &State, cell: &CellKey, notebook: Option<&Notebook>, seen: u64) -> NotebookNews {
    let mut execution = state.shown_of(cell).map(|record| record.execution.clone());
    let cell_key = cell.clone();
    if state.outputs.has(cell) {
        let from = state.outputs.unchanged_since(cell, seen);
        let outputs = shown_from(state.outputs.of_cell(cell), from);
        return NotebookNews::Outputs { cell: cell_key, execution, count: None, from, outputs };
    }
    let in_file = notebook.and_then(|notebook| notebook.cell(cell));
    // Another program may have put something else in its place since.
    let is_own = |outputs: &Raw| outputs.items().is_some_and(|all| all.is_empty()) || state.trusted.knows(outputs);
    let is_over = state.shown_of(cell).is_some_and(ExecutionRecord::is_over);
    if is_over && in_file.and_then(|cell| cell.get("outputs")).is_some_and(|outputs| !is_own(outputs)) {
        execution = None;
    }
    let outputs: Vec<Output> =
        in_file.map(|cell| cell.outputs().iter().map(Output::read).collect()).unwrap_or_default();
    let count = in_file.filter(|_| execution.is_none()).and_then(Cell::execution_count);
    NotebookNews::Outputs { cell: cell_key, execution, count, from: 0, outputs: shown(&outputs) }
}

/// About how many bytes there are to be sent.
fn size(news: &[NotebookNews]) -> usize {
    let bytes = |output: &CellOutput| match output {
        CellOutput::Stream { text, tail, .. } => text.len() + tail.len(),
        CellOutput::Display { data, .. } => data.values().map(|value| value.as_str().map_or(1000, str::len)).sum(),
        CellOutput::Error { traceback, .. } => traceback.len(),
    };
    let of_model = |model: &WidgetModel| {
        let binary: usize = model.buffers.iter().map(|buffer| buffer.base64.len()).sum();
        binary + model.outputs.iter().map(bytes).sum::<usize>()
    };
    let of_one = |news: &NotebookNews| match news {
        NotebookNews::Outputs { outputs, .. } => outputs.iter().map(bytes).sum(),
        NotebookNews::Widgets { models, .. } => models.iter().map(of_model).sum(),
        _ => 0,
    };
    news.iter().map(of_one).sum()
}
