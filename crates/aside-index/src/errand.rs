//! Messages to the thread that owns the index.

use std::sync::Arc;

use aside_search::{Index, Query};
use aside_workspace::FileNews;
use tokio::sync::oneshot;

use crate::{
    Conversations, DocumentKind, FoundPlaces, IndexError,
    pdf_queue::ReadPdf,
    walk::{SeenFile, WalkEnd},
};

/// A message.
pub(crate) enum Errand {
    /// Files have changed.
    News(FileNews),
    /// Conversations are searched too.
    Conversations(Arc<dyn Conversations>),
    /// A conversation has changed.
    Said(String),
    /// A walk has come to files.
    Seen(Vec<SeenFile>),
    /// A walk has ended.
    Walked(WalkEnd),
    /// A PDF was read.
    Pdf(ReadPdf),
    /// Somebody searches.
    Ask(IndexQuestion, oneshot::Sender<Result<FoundPlaces, IndexError>>),
    /// Somebody waits until all files are read.
    Ready(oneshot::Sender<()>),
    /// Work with the index itself.
    Use(Box<dyn FnOnce(&mut Index) + Send>),
    /// The end.
    Stop,
}

/// Tells whether a document of a kind may be found by the asker.
pub type MayBeFound = Arc<dyn Fn(&str, DocumentKind) -> bool + Send + Sync>;

/// A question.
pub(crate) enum IndexQuestion {
    /// The best places for a query, of all documents or of those that may be found. A query has a meaning if there is a model.
    Search { query: Query, meaning: Option<Vec<f32>>, limit: usize, may: Option<MayBeFound> },
    /// Documents like one.
    Related { path: String, limit: usize },
}
