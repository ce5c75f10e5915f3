//! `chats`: what people say to each other beside documents. Under a grant nothing of it is read or said, and what a
//! program of the owner's says is marked as a program's.

use std::sync::Arc;

use aside_core::{ChatMessage, ChatStanding, MessageId, WorkspacePath};
use aside_macros::boxed;
use aside_people::{ChatError, NewMessage, Page};
use aside_protocol::{ChatFound, ChatPage, Chats, EditMessage, ReadUpTo, SendMessage};
use aside_workspace::{EntryKind, Workspace};
use axum::{Extension, Json, extract::State};
use serde::Deserialize;

use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Body, Named, Problem},
};

/// Messages of one answer.
const MOST: usize = 200;

/// Lists all chats.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Extension(shown): Extension<Shown>) -> Result<Json<Chats>, Problem> {
    let person = app.person(&shown);
    Ok(Json(Chats { chats: app.chats.standings(&person)?, me: person.id }))
}

/// Which messages.
#[derive(Debug, Deserialize)]
pub struct Which {
    document: WorkspacePath,
    before: Option<MessageId>,
    since: Option<u64>,
    limit: Option<usize>,
}

/// Returns some messages of a chat.
#[boxed]
pub async fn page(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(which): Asked<Which>,
) -> Result<Json<ChatPage>, Problem> {
    let person = app.person(&shown);
    if let Some(since) = which.since
        && let Some(page) = app.chats.since(&which.document, &person, since)?
    {
        return Ok(Json(on_the_wire(page)));
    }
    let limit = which.limit.unwrap_or(50).clamp(1, MOST);
    Ok(Json(on_the_wire(app.chats.page(&which.document, &person, which.before.as_ref(), limit)?)))
}

/// Says something.
#[boxed]
pub async fn say(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<SendMessage>,
) -> Result<Json<ChatMessage>, Problem> {
    let SendMessage { document, text, key } = body;
    if app.chats.of(&document)?.is_none() {
        let (workspace, path) = (app.workspace.clone(), document.clone());
        blocking(move || check_file(&workspace, &path)).await??;
    }
    Ok(Json(app.chats.say(&document, app.author(&shown), NewMessage { text, key })?))
}

/// Changes what one has said.
#[boxed]
pub async fn edit(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<MessageId>,
    Body(body): Body<EditMessage>,
) -> Result<Json<ChatMessage>, Problem> {
    Ok(Json(app.chats.edit(&id, &app.author(&shown), &body.text)?))
}

/// Takes back what one has said.
#[boxed]
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<MessageId>,
) -> Result<Json<ChatMessage>, Problem> {
    Ok(Json(app.chats.delete(&id, &app.author(&shown))?))
}

/// Remembers how far one has read.
#[boxed]
pub async fn read(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<ReadUpTo>,
) -> Result<Json<ChatStanding>, Problem> {
    Ok(Json(app.chats.read(&body.document, &app.person(&shown), &body.message)?))
}

/// What is looked for.
#[derive(Debug, Deserialize)]
pub struct Query {
    q: String,
    document: Option<WorkspacePath>,
}

/// Finds messages.
#[boxed]
pub async fn search(State(app): State<Arc<App>>, Asked(query): Asked<Query>) -> Result<Json<Vec<ChatFound>>, Problem> {
    let found = app.chats.search(&query.q, query.document.as_ref())?;
    Ok(Json(found.into_iter().map(|found| ChatFound { chat: found.chat, message: found.message }).collect()))
}

/// Beside what is no file, nothing is said.
fn check_file(workspace: &Workspace, path: &WorkspacePath) -> Result<(), Problem> {
    match workspace.confine(path).and_then(|place| place.entry()) {
        Ok(Some(entry)) if entry.kind == EntryKind::File => Ok(()),
        Ok(_) => Err(Problem::not_found(format!("there is no file {path}"))),
        Err(error) => Err(error.failure().into()),
    }
}

fn on_the_wire(page: Page) -> ChatPage {
    let Page { standing, messages, more, seq } = page;
    ChatPage { standing, messages, more, seq }
}

impl From<ChatError> for Problem {
    fn from(error: ChatError) -> Self {
        error.failure().into()
    }
}
