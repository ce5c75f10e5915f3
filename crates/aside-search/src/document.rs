//! The searched documents, in pieces.

/// A document as the index takes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its path, or another name that is its own: `thread/ID`.
    pub path: String,
    /// Its kind, for filters: `note`, `notebook`, `code`, `text`, `pdf`, `thread`, `chat`.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Its tags, folded, without `#`.
    pub tags: Vec<String>,
    /// Its day, `YYYYMMDD`, for filters and for the order of what only filters ask for.
    pub day: u32,
    /// It has a todo.
    pub has_todo: bool,
    /// The state of its source when it was read, in the words of the caller: by it a start knows which documents to read again.
    pub stamp: String,
    /// Its pieces in order.
    pub chunks: Vec<Chunk>,
}

/// A piece of a document: what one hit shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Its first line, from 1; in a notebook the cell.
    pub line: u32,
    /// Its last line.
    pub end: u32,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// Its text.
    pub text: String,
    /// The line on which the text begins: not the heading's. In a notebook the cell.
    pub text_line: u32,
}
