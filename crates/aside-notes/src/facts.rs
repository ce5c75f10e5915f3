//! A note as other programs read it: plain words and numbers, links with their files, backlinks.

use aside_core::WorkspacePath;
use serde::Serialize;

use crate::{Link, Note, SignKind, Todo, Vault};

/// Everything about one note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteFacts {
    /// The title.
    pub title: String,
    /// Other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The tags once each, as first spelled.
    pub tags: Vec<String>,
    /// The todos.
    pub todos: Vec<TodoFacts>,
    /// The day that the note is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub daily: Option<String>,
    /// The problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemFacts>,
    /// The links.
    pub links: Vec<LinkFacts>,
    /// Lines of other notes with a link to this one.
    pub backlinks: Vec<LineOf>,
}

/// One todo. Signs that it lacks are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields are the words of the conventions")]
pub struct TodoFacts {
    pub line: u32,
    pub state: &'static str,
    pub mark: String,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduled: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
}

impl TodoFacts {
    /// Returns the facts of a todo.
    pub fn of(todo: &Todo) -> Self {
        let date = |kind| todo.date(kind).map(|date| date.to_string());
        let words = |kind| todo.words(kind).map(str::to_owned);
        Self {
            line: todo.line,
            state: todo.state.name(),
            mark: todo.mark.clone(),
            text: todo.text.clone(),
            due: date(SignKind::Due),
            scheduled: date(SignKind::Scheduled),
            start: date(SignKind::Start),
            done: date(SignKind::Done),
            cancelled: date(SignKind::Cancelled),
            created: date(SignKind::Created),
            repeat: words(SignKind::Repeat),
            priority: todo.priority().map(crate::Priority::name),
            id: words(SignKind::Id),
            block: todo.block.as_ref().map(|block| block.id.clone()),
            parent: todo.parent,
        }
    }
}

/// One link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinkFacts {
    /// Its line, from 1.
    pub line: u32,
    /// `wiki`, `embed`, `markdown`, `image` or `reference`.
    pub kind: &'static str,
    /// The link as it is written.
    pub raw: String,
    /// The file; none if there is no such file.
    pub to: Option<WorkspacePath>,
    /// The words behind `|`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Several files could be meant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ambiguous: bool,
    /// The part behind `#`, if the file is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// That heading or block is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor_found: Option<bool>,
    /// Its line.
    #[serde(skip)]
    pub anchor_line: Option<u32>,
}

impl LinkFacts {
    /// Returns the facts of a link of a note. `text` is the text that the note was parsed from.
    pub fn of(vault: &Vault, note: &Note, text: &str, link: &Link) -> Self {
        let found = vault.resolve(&note.path, link);
        Self {
            line: link.line,
            kind: link.kind.name(),
            raw: text.get(link.range.clone()).unwrap_or_default().to_owned(),
            alias: link.alias.clone(),
            ambiguous: found.as_ref().is_some_and(|found| found.ambiguous),
            anchor: link.anchor.clone().filter(|_| found.is_some()),
            anchor_found: found.as_ref().and_then(|found| found.anchor_found),
            anchor_line: found.as_ref().and_then(|found| found.anchor_line),
            to: found.map(|found| found.path),
        }
    }
}

/// A problem of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemFacts {
    /// Its line, from 1.
    pub line: u32,
    /// Its kind.
    pub what: &'static str,
}

/// A line of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineOf {
    /// The note.
    pub path: WorkspacePath,
    /// The line, from 1.
    pub line: u32,
}

impl NoteFacts {
    /// Returns the facts of a note. `text` is the text that it was parsed from.
    pub fn of(vault: &Vault, note: &Note, text: &str) -> Self {
        let problem = |problem: &crate::NoteProblem| ProblemFacts { line: problem.line, what: problem.kind.words() };
        let backlinks = vault.backlinks(&note.path);
        Self {
            title: note.title.clone(),
            aliases: note.aliases.clone(),
            tags: note.tag_names().into_iter().map(str::to_owned).collect(),
            todos: note.todos.iter().map(TodoFacts::of).collect(),
            daily: note.daily.map(|day| day.to_string()),
            problems: note.problems.iter().map(problem).collect(),
            links: note.links.iter().map(|link| LinkFacts::of(vault, note, text, link)).collect(),
            backlinks: backlinks
                .iter()
                .map(|one| LineOf { path: one.note.path.clone(), line: one.link.line })
                .collect(),
        }
    }
}
