//! What one window hears of a notebook that it watches: how it is, then what changes, a few times a second.

use std::{sync::Arc, time::Duration};

use aside_core::{CellExecution, CellOutput, NotebookKernel, WidgetModel};
use aside_notebook::{CellKey, Notebook};
use tokio::{sync::watch, time::Instant};

use crate::{Output, Session, SessionError, bounded::shown, session::State};

/// How long at least between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Bytes a second that go to one window, when more is put out than can be read anyway.
const BYTES_A_SECOND: usize = 1 << 20;

/// One who watches a notebook.
pub struct NotebookWatch {
    session: Arc<Session>,
    changes: watch::Receiver<u64>,
    /// The count of changes that was told.
    seen: u64,
    next: Instant,
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
    /// All that there was has been told.
    CaughtUp,
}

impl NotebookWatch {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        let changes = session.shared.changes();
        Self { session, changes, seen: 0, next: Instant::now() }
    }

    /// The notebook, where it is now.
    pub fn path(&self) -> aside_core::WorkspacePath {
        self.session.path()
    }

    /// Returns what is new, as soon as something is: at first all that there is.
    ///
    /// # Errors
    /// If the notebook can't be read.
    pub async fn next(&mut self) -> Result<Vec<NotebookNews>, SessionError> {
        loop {
            let now = *self.changes.borrow_and_update();
            if self.seen < now {
                tokio::time::sleep_until(self.next).await;
                let news = self.look().await?;
                let pause = PAUSE.max(
                    Duration::from_secs(1) * u32::try_from(size(&news)).unwrap_or(u32::MAX) / BYTES_A_SECOND as u32,
                );
                self.next = Instant::now() + pause.min(Duration::from_secs(2));
                return Ok(news);
            }
            // The session is held, and what sends with it.
            self.changes.changed().await.map_err(|_| SessionError::Ending)?;
        }
    }

    async fn look(&mut self) -> Result<Vec<NotebookNews>, SessionError> {
        let is_first = self.seen == 0;
        // What is over may be in the file alone.
        let needs_file = is_first || {
            let state = self.session.shared.lock();
            state.cells.iter().any(|(cell, changed)| *changed > self.seen && !state.outputs.has(cell))
        };
        let notebook = if needs_file { self.session.notebook().await.map(Some) } else { Ok(None) };
        let notebook = if is_first { notebook? } else { notebook.unwrap_or_default() };
        let state = self.session.shared.lock();
        let mut news = Vec::new();
        if state.kernel_changed > self.seen {
            news.push(NotebookNews::Kernel(Box::new(state.kernel.clone())));
        }
        let (models, gone) = (state.widgets.changed_since(self.seen), state.widgets.gone_since(self.seen));
        if is_first || !models.is_empty() || !gone.is_empty() {
            news.push(NotebookNews::Widgets { whole: is_first, models, gone });
        }
        for (cell, changed) in &state.cells {
            if *changed > self.seen {
                news.push(of_cell(&state, cell, notebook.as_ref(), self.seen));
            }
        }
        if is_first {
            let others = notebook.iter().flat_map(|notebook| &notebook.cells);
            let others = others.filter(|cell| !state.cells.contains_key(cell.key()) && !cell.outputs().is_empty());
            news.extend(others.map(|cell| of_cell(&state, cell.key(), notebook.as_ref(), 0)));
            news.push(NotebookNews::CaughtUp);
        }
        self.seen = state.now;
        Ok(news)
    }
}

fn of_cell(state: &State, cell: &CellKey, notebook: Option<&Notebook>, seen: u64) -> NotebookNews {
    let execution = state.shown_of(cell).map(|record| record.execution.clone());
    let cell_key = cell.clone();
    if state.outputs.has(cell) {
        let from = state.outputs.unchanged_since(cell, seen);
        let outputs = shown(state.outputs.of_cell(cell)).split_off(from);
        return NotebookNews::Outputs { cell: cell_key, execution, from, outputs };
    }
    let outputs: Vec<Output> = notebook
        .and_then(|notebook| notebook.cell(cell))
        .map(|cell| cell.outputs().iter().map(Output::read).collect())
        .unwrap_or_default();
    NotebookNews::Outputs { cell: cell_key, execution, from: 0, outputs: shown(&outputs) }
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
