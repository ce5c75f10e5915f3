//! Bodies of the routes about notes and todos. They only read: notes and todos are changed by actions.

use aside_core::{TS, WorkspacePath};
use serde::{Deserialize, Serialize};

/// `GET notes/of?path=…&mentions=true`: one note, and its place among the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteView {
    /// The note.
    pub path: WorkspacePath,
    /// From its front matter, its first heading or its name.
    pub title: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Its tags, of the front matter first, as first spelled.
    pub tags: Vec<String>,
    /// The day that it is for: `2026-11-27`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub daily: Option<String>,
    /// Its headings.
    pub headings: Vec<NoteHeading>,
    /// Its todos.
    pub todos: Vec<TodoItem>,
    /// Its links, in order.
    pub links: Vec<NoteLink>,
    /// Links of other notes to it, once a line.
    pub backlinks: Vec<LinkPlace>,
    /// Lines of other notes that name it without a link; empty unless they were asked for.
    pub mentions: Vec<LinkPlace>,
    /// Lapses in it.
    pub problems: Vec<NoteLapse>,
    /// Items that the lists above leave out.
    pub left_out: u32,
    /// All notes of the workspace are known; until then, links and backlinks may be missing.
    pub complete: bool,
}

/// A heading of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteHeading {
    /// Its words, without signs.
    pub text: String,
    /// Its words as an anchor of a Markdown link.
    pub slug: String,
    /// From 1 to 6.
    pub level: u8,
    /// Its line, from 1.
    pub line: u32,
}

/// A todo of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TodoItem {
    /// The note.
    pub path: WorkspacePath,
    /// The title of the note.
    pub note: String,
    /// Its line, from 1.
    pub line: u32,
    /// `open`, `doing`, `done`, `cancelled` or `moved`.
    pub state: String,
    /// The character in its brackets, or the word of Logseq.
    pub mark: String,
    /// Its words, without dates and other signs.
    pub text: String,
    /// The day by which it has to be done: `2026-12-01` or `2026-12-01T14:30`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub due: Option<String>,
    /// The day on which it is planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub scheduled: Option<String>,
    /// The day from which it can be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub start: Option<String>,
    /// The day on which it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub done: Option<String>,
    /// The day on which it was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cancelled: Option<String>,
    /// The day on which it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub created: Option<String>,
    /// The rule by which it comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub repeat: Option<String>,
    /// `highest`, `high`, `medium`, `low` or `lowest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub priority: Option<String>,
    /// Its id, for other todos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub id: Option<String>,
    /// The id of its block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub block: Option<String>,
    /// The line of the todo above that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<u32>,
    /// The tags in its words.
    pub tags: Vec<String>,
}

/// A link of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteLink {
    /// Its line, from 1.
    pub line: u32,
    /// `wiki`, `embed`, `markdown`, `image` or `reference`.
    pub kind: String,
    /// The link as it is written.
    pub raw: String,
    /// The file that it leads to; none if there is no such file in the workspace.
    pub to: Option<WorkspacePath>,
    /// The title of that note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// The words behind its `|`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub alias: Option<String>,
    /// Several files could be meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub ambiguous: bool,
    /// The part behind its `#`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub anchor: Option<String>,
    /// That heading or block is in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub anchor_found: Option<bool>,
    /// The line of that heading or block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub anchor_line: Option<u32>,
}

/// A line of another note that links to a note or names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LinkPlace {
    /// The other note.
    pub path: WorkspacePath,
    /// Its title.
    pub title: String,
    /// The line, from 1.
    pub line: u32,
    /// The line's text, cut around the place.
    pub text: String,
    /// The place in `text`: first character and the one behind the last, in UTF-16 units.
    pub place: [u32; 2],
}

/// A lapse in a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteLapse {
    /// The line, from 1.
    pub line: u32,
    /// `not UTF-8`, `broken front matter` or `duplicate key`.
    pub what: String,
}

/// The objects that `GET notes/complete` offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CompletionKind {
    /// Notes and other files, for `[[`.
    Note,
    /// Headings of `target`, for `[[note#`.
    Heading,
    /// Tags, for `#`.
    Tag,
    /// Files as relative paths, for `](`.
    File,
}

/// `GET notes/complete?kind=note&text=…&from=…&target=…&limit=…`: the best first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteCompletions {
    /// The offers.
    pub items: Vec<NoteCompletion>,
    /// There are more.
    pub more: bool,
}

/// One offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteCompletion {
    /// The text to put in: the shortest name that means the note, a heading, a tag without `#`, a path percent-encoded.
    pub insert: String,
    /// The words to show: a title, an alias, a heading, a tag.
    pub label: String,
    /// A second line: the path, or how many notes have the tag.
    pub detail: String,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<WorkspacePath>,
    /// The line of a heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line: Option<u32>,
}

/// `GET notes/resolve?from=…&target=…&kind=wiki`: where a link of a note leads. `target` is the part between the brackets,
/// anchor included; `kind` is `wiki` or `markdown`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResolvedLink {
    /// The file; none if there is no such file in the workspace.
    pub to: Option<WorkspacePath>,
    /// Its title, if it is a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// It is a note.
    pub is_note: bool,
    /// Several files could be meant.
    pub ambiguous: bool,
    /// The heading or block is in it; none without an anchor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub anchor_found: Option<bool>,
    /// The line to go to, from 1.
    pub line: u32,
    /// The first lines from there, as Markdown, for a preview; empty if it is no note.
    pub excerpt: String,
}

/// `GET notes/graph?path=…&depth=1`: the notes around one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteGraph {
    /// The note itself, then the others by their distance.
    pub nodes: Vec<GraphNode>,
    /// Links between them, each pair once a direction.
    pub edges: Vec<GraphEdge>,
    /// Some notes are left out.
    pub more: bool,
}

/// A note or another file in a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GraphNode {
    /// The file.
    pub path: WorkspacePath,
    /// The title of a note, the name of another file.
    pub title: String,
    /// Links between it and the first note.
    pub distance: u32,
    /// It is a note.
    pub is_note: bool,
}

/// A link between two files of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GraphEdge {
    /// The place in `nodes` of the linking note.
    pub from: u32,
    /// The place in `nodes` of the linked file.
    pub to: u32,
}

/// `GET todos?state=open&due_before=…&overdue=true&tag=…&path=…&limit=…`: the earliest due first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TodoList {
    /// The todos.
    pub todos: Vec<TodoItem>,
    /// All that fit, also those that are left out.
    pub total: u32,
    /// Today's date where the server runs, by which `overdue` goes.
    pub today: String,
    /// All notes of the workspace are known.
    pub complete: bool,
}

/// `GET notes/tags`: the tags of all notes, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagCount {
    /// As first spelled.
    pub tag: String,
    /// The notes that have it; those with a tag below it do not count.
    pub notes: u32,
}
