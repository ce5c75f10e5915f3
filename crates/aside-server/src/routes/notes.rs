//! `notes` and `todos`: the notes of the workspace, what links to what, and the todos in them. They only read.

mod around;
mod of;
mod rows;

use std::{sync::Arc, time::Duration};

use aside_core::{Failure, WorkspacePath};
use aside_macros::boxed;
use aside_notes::{Completion, Link, LinkKind, TodoFilter, TodoState, folded};
use aside_protocol::{
    CompletionKind, GraphEdge, GraphNode, NoteCompletion, NoteCompletions, NoteGraph, NoteView, ResolvedLink, TagCount,
    TodoList,
};
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// An answer does not wait longer for notes that are being read: it says that it is not complete.
const WAIT: Duration = Duration::from_millis(300);
/// Most todos, offers and nodes of an answer.
const MOST_TODOS: usize = 2_000;
const MOST_OFFERS: usize = 200;
const MOST_NODES: usize = 150;
const MOST_DEPTH: u32 = 4;

/// Which note.
#[derive(Debug, Deserialize)]
pub struct Of {
    path: WorkspacePath,
    #[serde(default)]
    mentions: bool,
}

/// Returns a note, and its place among the others.
#[boxed]
pub async fn of(State(app): State<Arc<App>>, Asked(asked): Asked<Of>) -> Result<Json<NoteView>, Problem> {
    let found = blocking(move || {
        let complete = app.workspace.notes().wait(WAIT);
        Ok::<_, Problem>(of::view(&app.workspace, &asked.path, asked.mentions, complete)?)
    });
    Ok(Json(found.await??))
}

/// The words at the cursor, and where it is.
#[derive(Debug, Deserialize)]
pub struct Completing {
    kind: CompletionKind,
    #[serde(default)]
    text: String,
    #[serde(default)]
    from: Option<WorkspacePath>,
    /// The note whose headings are wanted, as its link names it.
    #[serde(default)]
    target: String,
    #[serde(default)]
    limit: Option<usize>,
}

/// Offers notes, headings, tags or files for the words at the cursor.
#[boxed]
pub async fn complete(
    State(app): State<Arc<App>>,
    Asked(asked): Asked<Completing>,
) -> Result<Json<NoteCompletions>, Problem> {
    Ok(Json(blocking(move || completions(&app, &asked)).await?))
}

fn completions(app: &App, asked: &Completing) -> NoteCompletions {
    let notes = app.workspace.notes();
    notes.wait(WAIT);
    let (vault, most) = (notes.vault(), asked.limit.unwrap_or(50).min(MOST_OFFERS));
    let from = asked.from.clone().unwrap_or_else(nowhere);
    let (offers, more) = match asked.kind {
        CompletionKind::Note => vault.complete_names(&from, &asked.text, most),
        CompletionKind::Tag => vault.complete_tags(&asked.text, most),
        CompletionKind::File => {
            let (mut offers, more) = vault.complete_names(&from, &asked.text, most);
            for offer in &mut offers {
                offer.insert = offer.path.as_ref().map_or_else(String::new, |to| around::relative(&from, to));
            }
            (offers, more)
        }
        CompletionKind::Heading => {
            let note = vault.resolve_target(&from, LinkKind::Wiki, &asked.target).map(|found| found.path);
            note.map_or_else(Default::default, |note| vault.complete_headings(&note, &asked.text, most))
        }
    };
    let item = |Completion { insert, label, detail, path, line }| NoteCompletion { insert, label, detail, path, line };
    NoteCompletions { items: offers.into_iter().map(item).collect(), more }
}

/// A place in the top folder that is no file.
fn nowhere() -> WorkspacePath {
    WorkspacePath::new("-").expect("it is a path")
}

/// A link of a note.
#[derive(Debug, Deserialize)]
pub struct Resolving {
    #[serde(default)]
    from: Option<WorkspacePath>,
    target: String,
    /// `wiki` or `markdown`.
    #[serde(default)]
    kind: Option<String>,
}

/// Says where a link leads.
#[boxed]
pub async fn resolve(
    State(app): State<Arc<App>>,
    Asked(asked): Asked<Resolving>,
) -> Result<Json<ResolvedLink>, Problem> {
    let is_markdown = match asked.kind.as_deref() {
        None | Some("wiki") => false,
        Some("markdown") => true,
        Some(_) => return Err(Failure::new("invalid_args", "the kind of a link is `wiki` or `markdown`").into()),
    };
    Ok(Json(blocking(move || resolved(&app, &asked, is_markdown)).await?))
}

fn resolved(app: &App, asked: &Resolving, is_markdown: bool) -> ResolvedLink {
    let notes = app.workspace.notes();
    notes.wait(WAIT);
    let vault = notes.vault();
    let from = asked.from.clone().unwrap_or_else(nowhere);
    let found = Link::of_target(&asked.target, is_markdown).and_then(|link| vault.resolve(&from, &link));
    let Some(found) = found else {
        let excerpt = String::new();
        let (to, title, anchor_found) = (None, None, None);
        return ResolvedLink { to, title, is_note: false, ambiguous: false, anchor_found, line: 1, excerpt };
    };
    let note = vault.note(&found.path);
    let text = note.and_then(|note| app.workspace.note_text(&note.path).ok().flatten());
    let line = found.anchor_line.unwrap_or(1);
    let excerpt = match (note, &text) {
        (Some(note), Some(text)) => {
            around::excerpt(text, if found.anchor_line.is_some() { line } else { note.first_line(text) })
        }
        _ => String::new(),
    };
    ResolvedLink {
        title: note.map(|note| note.title.clone()),
        is_note: note.is_some(),
        ambiguous: found.ambiguous,
        anchor_found: found.anchor_found,
        line,
        excerpt,
        to: Some(found.path),
    }
}

/// Around which note, and how far.
#[derive(Debug, Deserialize)]
pub struct Around {
    path: WorkspacePath,
    #[serde(default)]
    depth: Option<u32>,
}

/// Returns the notes around one.
#[boxed]
pub async fn graph(State(app): State<Arc<App>>, Asked(asked): Asked<Around>) -> Result<Json<NoteGraph>, Problem> {
    let work = move || {
        let notes = app.workspace.notes();
        notes.wait(WAIT);
        let vault = notes.vault();
        let found = vault.neighbourhood(&asked.path, asked.depth.unwrap_or(1).min(MOST_DEPTH), MOST_NODES);
        let node = |(path, distance): (WorkspacePath, u32)| {
            let note = vault.note(&path);
            let title = note.map_or_else(|| path.name().to_owned(), |note| note.title.clone());
            GraphNode { is_note: note.is_some(), title, distance, path }
        };
        NoteGraph {
            nodes: found.nodes.into_iter().map(node).collect(),
            edges: found.edges.into_iter().map(|(from, to)| GraphEdge { from, to }).collect(),
            more: found.more,
        }
    };
    Ok(Json(blocking(work).await?))
}

/// Lists the tags of all notes.
#[boxed]
pub async fn tags(State(app): State<Arc<App>>) -> Result<Json<Vec<TagCount>>, Problem> {
    let work = move || {
        let notes = app.workspace.notes();
        notes.wait(WAIT);
        notes.vault().tags().into_iter().map(|tag| TagCount { tag: tag.name, notes: tag.notes }).collect()
    };
    Ok(Json(blocking(work).await?))
}

/// Which todos.
#[derive(Debug, Deserialize)]
pub struct Todos {
    /// States, with commas between them.
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    due_before: Option<String>,
    #[serde(default)]
    overdue: bool,
    #[serde(default)]
    tag: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
}

/// Lists the todos that fit.
#[boxed]
pub async fn todos(State(app): State<Arc<App>>, Asked(asked): Asked<Todos>) -> Result<Json<TodoList>, Problem> {
    let work = move || {
        let (notes, today) = (app.workspace.notes(), app.workspace.today());
        let complete = notes.wait(WAIT);
        // A change of a moment ago is seen.
        let vault = if complete { app.workspace.notes_now() } else { notes.vault() };
        let state = |name: &str| {
            let unknown = || Failure::new("invalid_args", format!("`{name}` is no state of a todo"));
            TodoState::of_name(name).ok_or_else(unknown)
        };
        let states = asked.state.iter().flat_map(|states| states.split(',')).map(state).collect::<Result<_, _>>()?;
        let day = |day: &str| {
            day.parse().map_err(|_| Failure::new("invalid_args", format!("`{day}` is no day: write it as 2026-12-01")))
        };
        let filter = TodoFilter {
            states,
            due_before: asked.due_before.as_deref().map(day).transpose()?,
            overdue: asked.overdue.then_some(today),
            tag: asked.tag.as_deref().map(folded),
            path: asked.path,
        };
        let found = vault.todos(&filter);
        let most = asked.limit.unwrap_or(MOST_TODOS).min(MOST_TODOS);
        Ok::<_, Problem>(TodoList {
            total: found.len() as u32,
            todos: found.into_iter().take(most).map(|(note, todo)| rows::todo(note, todo)).collect(),
            today: today.to_string(),
            complete,
        })
    };
    Ok(Json(blocking(work).await??))
}
