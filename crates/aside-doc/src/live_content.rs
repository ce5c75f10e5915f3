//! What is live of a file: a text, or the cells of a notebook. Either way it has a text: what its file would hold.

use std::{borrow::Cow, ops::Range, sync::Arc};

use aside_core::{HunkAnchor, Version};
use aside_notebook::{Notebook, NotebookError};

use crate::{
    CellChangeError, Change, LiveNotebook, LiveNotebookError, NotebookCell, Replica, Splice, SyncError, TextDocument,
    apply_splices, cells_of,
};

/// What is live of a file.
pub enum LiveContent {
    /// Its text.
    Text(TextDocument),
    /// Its cells.
    Notebook(Box<LiveNotebook>),
}

/// Why a text can't come in place of another one. Never of a text document: any text will do there.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It is no notebook, and this is one.
    #[error("it would not be a valid notebook: {0}")]
    NotANotebook(#[from] NotebookError),
    /// Its cells can't be.
    #[error(transparent)]
    Cells(#[from] CellChangeError),
}

impl LiveContent {
    /// Starts a new history: of cells if it is to be a notebook and can be read as one, else of a text.
    pub fn new(text: &str, notebook: bool) -> Self {
        match notebook.then(|| LiveNotebook::from_text(text)) {
            Some(Ok(notebook)) => Self::Notebook(Box::new(notebook)),
            _ => Self::Text(TextDocument::from_text(text)),
        }
    }

    /// Continues a stored history, which is of cells if it is a notebook's; `text` is what the file had last.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn from_updates<Bytes: AsRef<[u8]>>(
        updates: impl IntoIterator<Item = Bytes>,
        text: &str,
        notebook: bool,
    ) -> Result<Self, LiveNotebookError> {
        Ok(if notebook {
            Self::Notebook(Box::new(LiveNotebook::from_updates(updates, text)?))
        } else {
            Self::Text(TextDocument::from_updates(updates)?)
        })
    }

    /// Begins anew with what is stored, after an update that was [`SyncError::Unusable`].
    ///
    /// # Errors
    /// If an update can't be read.
    pub fn restore<Bytes: AsRef<[u8]>>(&mut self, updates: impl IntoIterator<Item = Bytes>) -> Result<(), SyncError> {
        match self {
            Self::Text(text) => text.restore(updates),
            Self::Notebook(notebook) => notebook.document_mut().restore(updates),
        }
    }

    /// The side that speaks with peers.
    pub fn replica(&self) -> &Replica {
        match self {
            Self::Text(text) => text.replica(),
            Self::Notebook(notebook) => notebook.document().replica(),
        }
    }

    /// The side that speaks with peers.
    pub fn replica_mut(&mut self) -> &mut Replica {
        match self {
            Self::Text(text) => text.replica_mut(),
            Self::Notebook(notebook) => notebook.document_mut().replica_mut(),
        }
    }

    /// The notebook, if it is one.
    pub fn as_notebook(&self) -> Option<&LiveNotebook> {
        match self {
            Self::Text(_) => None,
            Self::Notebook(notebook) => Some(notebook),
        }
    }

    /// The notebook, if it is one.
    pub fn as_notebook_mut(&mut self) -> Option<&mut LiveNotebook> {
        match self {
            Self::Text(_) => None,
            Self::Notebook(notebook) => Some(notebook),
        }
    }

    /// What the file would hold, with LF endings.
    pub fn text(&self) -> Arc<str> {
        match self {
            Self::Text(text) => text.text(),
            Self::Notebook(notebook) => notebook.text(),
        }
    }

    /// The version of [`Self::text`].
    pub fn version(&self) -> Version {
        match self {
            Self::Text(text) => text.version(),
            Self::Notebook(notebook) => notebook.version(),
        }
    }

    /// Makes splices of the text, in order and without overlap, as one change.
    ///
    /// # Errors
    /// If a notebook would be none any more; then nothing has changed.
    ///
    /// # Panics
    /// If a splice does not lie within the text, between characters.
    pub fn apply(&mut self, splices: &[Splice], origin: &str) -> Result<Vec<Change>, Unfit> {
        match self {
            Self::Text(text) => Ok(text.apply(splices, origin).into_iter().collect()),
            Self::Notebook(notebook) => become_text(notebook, &apply_splices(&notebook.text(), splices), origin),
        }
    }

    /// Makes the text into another one, changing as little as possible.
    ///
    /// # Errors
    /// If a notebook would be none any more; then nothing has changed.
    pub fn replace_text(&mut self, new: &str, origin: &str) -> Result<Vec<Change>, Unfit> {
        match self {
            Self::Text(text) => Ok(text.replace_text(new, origin).into_iter().collect()),
            Self::Notebook(notebook) => become_text(notebook, new, origin),
        }
    }

    /// Ties a range of bytes of a text to the characters at its ends; of a notebook nothing is tied.
    pub fn anchor(&self, range: Range<usize>) -> Option<HunkAnchor> {
        match self {
            Self::Text(text) => text.anchor(range),
            Self::Notebook(_) => None,
        }
    }

    /// Returns what a person wrote of it: of a notebook the cells, without what they put out.
    pub fn own_words(&self) -> Arc<str> {
        match self {
            Self::Notebook(notebook) => written_in(&notebook.notebook()).into(),
            Self::Text(text) => text.text(),
        }
    }

    /// The same of another text that its file holds or held.
    pub fn own_words_in<'text>(&self, text: &'text str) -> Cow<'text, str> {
        match self {
            Self::Notebook(_) => match Notebook::read(text.as_bytes()) {
                Ok(notebook) => written_in(&notebook).into(),
                Err(_) => text.into(),
            },
            Self::Text(_) => text.into(),
        }
    }
}

fn written_in(notebook: &Notebook) -> String {
    notebook.cells.iter().map(|cell| cell.source() + "\n").collect()
}

fn become_text(notebook: &mut LiveNotebook, text: &str, origin: &str) -> Result<Vec<Change>, Unfit> {
    let file = notebook.read(text)?;
    let cells: Vec<NotebookCell> = cells_of(&file);
    Ok(notebook.become_file(&cells, file, origin)?)
}
