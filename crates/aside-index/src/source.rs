//! Reads files as documents of the index: the live text of an open document, else the file. One bad file never stops the rest.

mod note;
mod notebook;
pub(crate) mod pdf;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use aside_core::{FileKind, Timestamp, WorkspacePath};
use aside_doc::decode;
use aside_notebook::Notebook;
use aside_search::{Chunk, Document, markdown, plain};
use aside_workspace::{EntryKind, Workspace, WorkspaceError};
use jiff::tz::TimeZone;

use crate::{file_state::FileState, kind::DocumentKind};

pub(crate) use note::Graphs;

/// Bytes of a text, and of a notebook with its pictures, above which only the name is searched.
const MOST_OF_TEXT: u64 = 2 << 20;
const MOST_OF_NOTEBOOK: u64 = 64 << 20;

/// A file as the index finds it.
#[derive(Debug)]
pub(crate) enum IndexedFile {
    /// Its document, and its state.
    Document(Document, FileState),
    /// It takes long to read. Until it is read, it is found by its name.
    Slow(Document, FileState),
    /// Its text is as it was; its state on the disk may be another.
    Same(FileState),
    /// It is gone, empty or not searched.
    Gone,
}

/// The content of a file.
enum Content {
    Text(Arc<str>),
    Notebook(Arc<Notebook>),
    /// Only its name is searched, for this reason.
    LeftOut(String),
}

/// Reads a file, whose text had a hash when it was read last.
pub(crate) fn read(
    workspace: &Workspace,
    graphs: &mut Graphs,
    path: &WorkspacePath,
    known: Option<&FileState>,
) -> IndexedFile {
    let Some(kind) = DocumentKind::of_file(path) else { return IndexedFile::Gone };
    let Ok(Some((size, modified))) = state(workspace, path) else { return IndexedFile::Gone };
    if kind == DocumentKind::Pdf {
        return match known.filter(|known| known.is_of(size, modified)) {
            Some(known) => IndexedFile::Same(known.clone()),
            None => {
                let (document, state) = pdf::unread(path, size, modified);
                IndexedFile::Slow(document, state)
            }
        };
    }
    let (content, is_live) = content(workspace, path, kind, size);
    let mut stamp = FileState { size, modified, ..FileState::default() };
    if is_live {
        // The file does not have this text yet: the next start reads it again.
        stamp.modified = Timestamp(0);
    }
    let day = day_of(modified);
    let document = empty(path, kind, day);
    let text = match &content {
        Content::Text(text) if text.trim().is_empty() => return IndexedFile::Gone,
        Content::Text(text) => Arc::clone(text),
        Content::Notebook(notebook) => notebook::text(notebook).into(),
        Content::LeftOut(reason) => {
            stamp.left_out = Some(reason.clone());
            return if known == Some(&stamp) { IndexedFile::Same(stamp) } else { made(named(document, stamp)) };
        }
    };
    stamp.hash = FileState::hash(&text);
    if known.is_some_and(|known| known.hash == stamp.hash) {
        return IndexedFile::Same(stamp);
    }
    // Parsers do not panic; if one did, the other files are searched still.
    let filled = catch_unwind(AssertUnwindSafe(|| filled(workspace, graphs, path, kind, &content, document.clone())));
    match filled {
        Ok(document) => made(finished(document, stamp)),
        Err(_) => {
            tracing::warn!(%path, "a file can't be indexed: its parser failed");
            stamp.left_out = Some("its parser failed".to_owned());
            made(named(document, stamp))
        }
    }
}

fn made((document, state): (Document, FileState)) -> IndexedFile {
    IndexedFile::Document(document, state)
}

/// A document without pieces.
fn empty(path: &WorkspacePath, kind: DocumentKind, day: u32) -> Document {
    Document {
        path: path.as_str().to_owned(),
        kind: kind.name().to_owned(),
        title: path.name().to_owned(),
        day,
        ..Document::default()
    }
}

/// Returns the size and the time of a file with something in it.
pub(crate) fn state(workspace: &Workspace, path: &WorkspacePath) -> Result<Option<(u64, Timestamp)>, WorkspaceError> {
    let place = workspace.confine(path)?;
    let entry = place.entry()?.filter(|entry| entry.kind == EntryKind::File);
    let is_open = || workspace.open_document(path).is_some();
    match (entry, place.modified()?) {
        (Some(entry), Some(modified)) if entry.size > 0 || is_open() => Ok(Some((entry.size, modified))),
        _ => Ok(None),
    }
}

/// The live content if the document is open, which is told, else that of the file.
fn content(workspace: &Workspace, path: &WorkspacePath, kind: DocumentKind, size: u64) -> (Content, bool) {
    if let Some(document) = workspace.open_document(path) {
        let content = match document.notebook() {
            Some(notebook) => Content::Notebook(notebook),
            None => bounded(document.text()),
        };
        return (content, true);
    }
    let most = if kind == DocumentKind::Notebook { MOST_OF_NOTEBOOK } else { MOST_OF_TEXT };
    if size > most {
        return (Content::LeftOut(format!("larger than {} MB", most >> 20)), false);
    }
    let content = match workspace.read_file(path, most) {
        Err(error) => Content::LeftOut(error.to_string()),
        Ok(bytes) if kind == DocumentKind::Notebook => match Notebook::read(&bytes) {
            Ok(notebook) => Content::Notebook(Arc::new(notebook)),
            Err(error) => Content::LeftOut(format!("no notebook: {error}")),
        },
        Ok(bytes) => match decode(&bytes) {
            Ok((text, _)) => Content::Text(text.into()),
            Err(_) => Content::LeftOut("no text in UTF-8".to_owned()),
        },
    };
    (content, false)
}

fn bounded(text: Arc<str>) -> Content {
    if text.len() as u64 <= MOST_OF_TEXT {
        return Content::Text(text);
    }
    Content::LeftOut(format!("larger than {} MB", MOST_OF_TEXT >> 20))
}

/// A document that is found by its name.
fn named(mut document: Document, stamp: FileState) -> (Document, FileState) {
    document.chunks = vec![Chunk { line: 1, end: 1, text_line: 1, ..Chunk::default() }];
    finished(document, stamp)
}

fn finished(mut document: Document, stamp: FileState) -> (Document, FileState) {
    document.stamp = stamp.to_string();
    (document, stamp)
}

fn filled(
    workspace: &Workspace,
    graphs: &mut Graphs,
    path: &WorkspacePath,
    kind: DocumentKind,
    content: &Content,
    document: Document,
) -> Document {
    match content {
        Content::Text(text) if kind == DocumentKind::Note => note::filled(workspace, graphs, path, text, document),
        Content::Text(text) if FileKind::of_name(path.name()) == Some(FileKind::Markdown) => {
            Document { chunks: markdown(text), ..document }
        }
        Content::Text(text) => Document { chunks: plain(text), ..document },
        Content::Notebook(notebook) => Document { chunks: notebook::chunks(notebook), ..document },
        Content::LeftOut(_) => document,
    }
}

/// The day of a time where the server runs, `YYYYMMDD`.
fn day_of(time: Timestamp) -> u32 {
    let time = jiff::Timestamp::from_millisecond(time.0).unwrap_or_default();
    number(time.to_zoned(TimeZone::system()).date())
}

/// A day as filters compare it.
fn number(day: jiff::civil::Date) -> u32 {
    let part = |part: i8| u32::from(part.unsigned_abs());
    u32::from(day.year().unsigned_abs()) * 10_000 + part(day.month()) * 100 + part(day.day())
}
