//! Bodies of the routes of search. They only read.

use aside_core::TS;
use serde::{Deserialize, Serialize};

/// `POST search`: words, `"phrases"` and filters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchQuery {
    /// `path:x`, `tag:x`, `kind:x`, `has:todo`, `before:2026-12-01` and `after:2026-12-01` filter; a `-` in front leaves out.
    pub query: String,
    /// Hits at most, up to 100. Default: 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit: Option<u32>,
    /// Only documents of these kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<SearchKind>>", optional)]
    pub kinds: Vec<SearchKind>,
    /// The last word may go on: the user is typing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub typing: bool,
}

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// A Markdown note.
    Note,
    /// A notebook.
    Notebook,
    /// A program, a script or a file of settings.
    Code,
    /// Another text.
    Text,
    /// A PDF.
    Pdf,
    /// A conversation with a model.
    Thread,
    /// Messages between people beside a document.
    Chat,
}

/// The reason for a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SearchWhy {
    /// Its words.
    Words,
    /// Its meaning.
    Meaning,
    /// Both.
    Both,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchHit {
    /// The path of a file, `thread/ID` or `chat/ID`.
    pub path: String,
    /// The document's kind.
    pub kind: SearchKind,
    /// The line, from 1; in a notebook the cell, in a PDF the page, in a conversation the message.
    pub line: u32,
    /// The document's title; of a chat, the path of the document beside it.
    pub title: String,
    /// The headings above the place, outermost first.
    pub headings: Vec<String>,
    /// An excerpt.
    pub text: String,
    /// The found parts of the excerpt, in UTF-16 units.
    pub marks: Vec<[u32; 2]>,
    /// The reason.
    pub why: SearchWhy,
    /// In a conversation what was said there: the turn of a thread, the message of a chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub said: Option<String>,
}

/// Tells whether all files are in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SearchIndexState {
    /// They are.
    Ready,
    /// Some are still being read.
    Reading,
}

/// The progress of the search by meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchMeaning {
    /// The model; none if there is no model, and only words count.
    pub model: Option<String>,
    /// Pieces of texts that have a vector.
    pub done: u32,
    /// All pieces.
    pub of: u32,
    /// The reason why it does not go on, such as a folder without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<String>,
}

/// A file of which only the name is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LeftOutFile {
    /// The file.
    pub path: String,
    /// The reason.
    pub reason: String,
}

/// The state of the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchIndex {
    /// Ready, or still reading.
    pub state: SearchIndexState,
    /// Documents that were read.
    pub done: u32,
    /// All documents.
    pub of: u32,
    /// The search by meaning.
    pub meaning: SearchMeaning,
    /// A problem that keeps recent changes from being searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub problem: Option<String>,
    /// Files of which only the name is searched.
    pub left_out: u32,
    /// Some of these.
    pub left_out_files: Vec<LeftOutFile>,
}

/// An answer of `search` and `search/related`: hits, the best place first, at most three of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchAnswer {
    /// The hits.
    pub hits: Vec<SearchHit>,
    /// The state of the index.
    pub index: SearchIndex,
}
