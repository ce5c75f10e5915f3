//! Reads PDFs, one after the other, on a thread of its own: one of them can take a minute.

use std::{
    collections::HashSet,
    sync::{Weak, mpsc},
    thread,
};

use aside_core::{Timestamp, WorkspacePath};
use aside_pdf::{PdfLimits, pages};
use aside_workspace::Workspace;

use crate::{errand::Errand, source};

/// Bytes of a PDF, with its pictures, above which only the name is searched.
const MOST_OF_PDF: u64 = 64 << 20;

/// A PDF that was read.
#[derive(Debug)]
pub(crate) struct ReadPdf {
    pub path: WorkspacePath,
    /// Size and time of the file before it was read; none if it is gone.
    pub state: Option<(u64, Timestamp)>,
    /// The texts of its pages, or the reason why there are none.
    pub pages: Result<Vec<String>, String>,
}

/// PDFs that wait.
#[derive(Debug, Default)]
pub(crate) struct PdfQueue {
    /// None before the first one.
    thread: Option<mpsc::Sender<WorkspacePath>>,
    waiting: HashSet<WorkspacePath>,
}

impl PdfQueue {
    /// Has a PDF read, unless it waits already.
    pub fn add(&mut self, path: &WorkspacePath, workspace: &Weak<Workspace>, errands: &mpsc::Sender<Errand>) {
        let thread = self.thread.get_or_insert_with(|| start(workspace.clone(), errands.clone()));
        // A thread that could not be started takes nothing.
        if !self.waiting.contains(path) && thread.send(path.clone()).is_ok() {
            self.waiting.insert(path.clone());
        }
    }

    /// Notes that a PDF was read.
    pub fn done(&mut self, path: &WorkspacePath) {
        self.waiting.remove(path);
    }

    /// Returns how many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

fn start(workspace: Weak<Workspace>, errands: mpsc::Sender<Errand>) -> mpsc::Sender<WorkspacePath> {
    let (sender, paths) = mpsc::channel::<WorkspacePath>();
    let work = move || {
        for path in paths {
            let Some(workspace) = workspace.upgrade() else { return };
            if errands.send(Errand::Pdf(read(&workspace, path))).is_err() {
                return;
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("aside-index-pdf".to_owned()).spawn(work) {
        tracing::warn!(%error, "PDFs are not read for the search index");
    }
    sender
}

fn read(workspace: &Workspace, path: WorkspacePath) -> ReadPdf {
    let state = source::state(workspace, &path).ok().flatten();
    let pages = match state {
        Some((size, _)) if size > MOST_OF_PDF => Err(format!("larger than {} MB", MOST_OF_PDF >> 20)),
        _ => workspace
            .read_file(&path, MOST_OF_PDF)
            .map_err(|error| error.to_string())
            .and_then(|bytes| pages(bytes, PdfLimits::default()).map_err(|error| error.to_string())),
    };
    ReadPdf { path, state, pages }
}
