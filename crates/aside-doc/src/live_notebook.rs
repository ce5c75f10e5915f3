//! A notebook's file that is live: its cells in a CRDT, the rest of it (outputs, what nobody changed) beside them.

use std::{cell::RefCell, collections::HashSet, sync::Arc};

use aside_core::Version;
use aside_notebook::{Cell, CellKey, Notebook, NotebookError, Raw, Upgraded};

use crate::{CellChange, CellChangeError, Change, Changed, NotebookCell, NotebookDocument, SyncError, cells_between};

/// Cells that were taken away and are kept with their outputs, in case they come back.
const MOST_KEPT: usize = 200;

/// A live notebook with its file.
pub struct LiveNotebook {
    document: NotebookDocument,
    /// The file as it was read, with the latest outputs. It has cells that are gone too.
    file: Notebook,
    /// Counts the changes of `file`.
    revision: u64,
    built: RefCell<Option<Built>>,
    written: RefCell<Option<Written>>,
}

/// What a cell has put out in its latest run.
#[derive(Clone, Debug, PartialEq)]
pub struct CellOutputs {
    /// Which cell.
    pub key: CellKey,
    /// The list of its outputs, as the format has them.
    pub outputs: Raw,
    /// The number of the run.
    pub count: Option<u64>,
}

/// Which changes of the cells and of the file there were.
type Revisions = (u64, u64);

/// The notebook as it was at one revision.
struct Built {
    revisions: Revisions,
    notebook: Arc<Notebook>,
}

/// The file as it would be written at one revision.
#[derive(Clone)]
struct Written {
    revisions: Revisions,
    text: Arc<str>,
    version: Option<Version>,
}

impl LiveNotebook {
    /// Starts a new history with what a file holds.
    ///
    /// # Errors
    /// If it is no notebook that can be read.
    pub fn from_text(text: &str) -> Result<Self, NotebookError> {
        let file = Notebook::read(text.as_bytes())?;
        Ok(Self::over(NotebookDocument::from_notebook(&file), file))
    }

    /// Continues a stored history of the cells, over the file it was last the same as.
    ///
    /// # Errors
    /// If the file is no notebook, or an update can't be read.
    pub fn from_updates<Bytes: AsRef<[u8]>>(
        updates: impl IntoIterator<Item = Bytes>,
        text: &str,
    ) -> Result<Self, LiveNotebookError> {
        let mut file = Notebook::read(text.as_bytes())?;
        let document = NotebookDocument::from_updates(updates)?;
        super::notebook_document::call_as(&mut file, &document.cells());
        Ok(Self::over(document, file))
    }

    fn over(document: NotebookDocument, file: Notebook) -> Self {
        Self { document, file, revision: 0, built: RefCell::new(None), written: RefCell::new(None) }
    }

    /// The cells.
    pub fn document(&self) -> &NotebookDocument {
        &self.document
    }

    /// The cells.
    pub fn document_mut(&mut self) -> &mut NotebookDocument {
        &mut self.document
    }

    /// Returns the notebook as it would be written: its cells as they are now, with their outputs.
    pub fn notebook(&self) -> Arc<Notebook> {
        let revisions = self.revisions();
        if let Some(built) = self.built.borrow().as_ref().filter(|built| built.revisions == revisions) {
            return Arc::clone(&built.notebook);
        }
        let mut notebook = self.file.clone();
        self.document.write_into(&mut notebook);
        let notebook = Arc::new(notebook);
        self.built.replace(Some(Built { revisions, notebook: Arc::clone(&notebook) }));
        notebook
    }

    /// What the file would hold.
    pub fn text(&self) -> Arc<str> {
        self.written().text
    }

    /// Returns the older format of the file.
    pub fn older_format(&self) -> Option<u64> {
        self.file.older_format()
    }

    /// Tells whether the file would be written in the newest format in place of an older one.
    pub fn would_be_upgraded(&self) -> bool {
        self.older_format().is_some()
            && Notebook::read(self.text().as_bytes()).is_ok_and(|now| now.older_format().is_none())
    }

    /// Has the file written in the newest format. Returns what [`Self::take_back_upgrade`] needs; none if its format is not older.
    pub fn upgrade(&mut self) -> Option<Upgraded> {
        let upgraded = self.file.upgrade();
        self.now_other();
        upgraded
    }

    /// Takes an upgrade back, after which the file was not written.
    pub fn take_back_upgrade(&mut self, upgraded: Upgraded) {
        self.file.take_back_upgrade(upgraded);
        self.now_other();
    }

    /// The version of what the file would hold.
    pub fn version(&self) -> Version {
        let mut written = self.written();
        let version = written.version.get_or_insert_with(|| Version::of(written.text.as_bytes())).clone();
        self.written.replace(Some(written));
        version
    }

    /// Makes changes of the cells as one, or none of them.
    ///
    /// # Errors
    /// If one can't be made.
    pub fn apply(&mut self, changes: &[CellChange], origin: &str) -> Result<Changed, CellChangeError> {
        self.document.apply(changes, origin)
    }

    /// Takes what cells have put out. A cell that is not there any more, or is of a kind that has no outputs, is passed over.
    pub fn set_outputs(&mut self, runs: &[CellOutputs]) {
        let live = self.document.cells();
        for run in runs {
            let Some(cell) = self.cell_in_file(&run.key, &live) else { continue };
            cell.set("outputs", run.outputs.clone());
            cell.set("execution_count", run.count.map_or_else(|| Raw::of(&().into()), |count| Raw::of(&count.into())));
        }
        self.now_other();
    }

    /// Reads a text as what the file would hold, and names its cells as they are named here.
    ///
    /// # Errors
    /// If it is no notebook that can be read.
    pub fn read(&self, text: &str) -> Result<Notebook, NotebookError> {
        let mut notebook = Notebook::read(text.as_bytes())?;
        super::notebook_document::call_as(&mut notebook, &self.document.cells());
        Ok(notebook)
    }

    /// Makes the cells into these, and takes all else from a file, which is to be named as [`Self::read`] does.
    ///
    /// # Errors
    /// If cells have names or values that can't be.
    pub fn become_file(
        &mut self,
        cells: &[NotebookCell],
        mut file: Notebook,
        origin: &str,
    ) -> Result<Vec<Change>, CellChangeError> {
        let changes = cells_between(&self.document.cells(), cells);
        let mut made: Vec<Change> = self.document.apply(&changes, origin)?.change.into_iter().collect();
        made.extend(self.document.take_metadata(&file, origin));
        let there: HashSet<CellKey> = file.cells.iter().map(|cell| cell.key().clone()).collect();
        let gone = self.file.cells.drain(..).filter(|cell| !there.contains(cell.key()) && !cell.outputs().is_empty());
        file.cells.extend(gone.take(MOST_KEPT));
        self.file = file;
        self.now_other();
        Ok(made)
    }

    /// Takes over how an earlier text spells what the notebook holds now; tells whether it holds just that.
    pub fn respell(&mut self, earlier: &str) -> bool {
        let Some(mut file) = self.read(earlier).ok().filter(|file| file.is_same_as(&self.notebook())) else {
            return false;
        };
        let there: HashSet<CellKey> = file.cells.iter().map(|cell| cell.key().clone()).collect();
        file.cells.extend(self.file.cells.drain(..).filter(|cell| !there.contains(cell.key())));
        self.file = file;
        self.now_other();
        true
    }

    /// The cell of the file that takes what a cell puts out.
    fn cell_in_file(&mut self, key: &CellKey, live: &[NotebookCell]) -> Option<&mut Cell> {
        let live = live.iter().find(|cell| cell.key == *key && cell.kind.has_outputs())?;
        if self.file.cell(key).is_none() {
            let has_ids = self.file.has_ids();
            self.file.cells.push(Cell::new(key.clone(), &live.kind, has_ids));
        }
        let cell = self.file.cells.iter_mut().find(|cell| cell.key() == key)?;
        // Text in the file still: else what it puts out would stay in it when it becomes text again.
        if !cell.kind().has_outputs() {
            cell.set_kind(&live.kind);
        }
        Some(cell)
    }

    /// The file has changed. What it was is not kept for its reader's sake: outputs may be long.
    fn now_other(&mut self) {
        self.revision += 1;
        self.built.take();
    }

    fn revisions(&self) -> Revisions {
        (self.document.replica().revision(), self.revision)
    }

    fn written(&self) -> Written {
        let revisions = self.revisions();
        if let Some(written) = self.written.borrow().as_ref().filter(|written| written.revisions == revisions) {
            return written.clone();
        }
        let written = Written { revisions, text: self.notebook().write().into(), version: None };
        self.written.replace(Some(written.clone()));
        written
    }
}

/// Why a stored notebook can't be continued.
#[derive(Debug, thiserror::Error)]
pub enum LiveNotebookError {
    /// Its file.
    #[error(transparent)]
    File(#[from] NotebookError),
    /// Its history.
    #[error(transparent)]
    History(#[from] SyncError),
}
