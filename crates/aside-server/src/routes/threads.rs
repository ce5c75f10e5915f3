//! `threads`: conversations, the messages that start turns, and the log as NDJSON.

use std::sync::Arc;

use aside_agent::{AgentError, FoundThread, Message, ThreadChange, as_markdown};
use aside_core::{Attached, Failure, Grant, ReviewMode, RunMode, Thread, ThreadCard, ThreadId, WorkspacePath};
use aside_macros::boxed;
use aside_protocol::{
    ChangeThread, NewThread, StartTurn, ThreadEdit, ThreadEdits, ThreadFound, ThreadWithEvents, TurnStarted,
};
use aside_workspace::Left;
use axum::{
    Extension, Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    slash,
    stream::{self, Until},
};
use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Body, Named, Problem},
    situation::situation,
};

/// Which threads.
#[derive(Debug, Deserialize)]
pub struct Beside {
    document: Option<WorkspacePath>,
    /// Those of AI cells too, whose conversations stand in their notebooks.
    #[serde(default)]
    cells: bool,
}

/// Lists threads, the latest first.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Asked(beside): Asked<Beside>) -> Result<Json<Vec<Thread>>, Problem> {
    let mut threads = app.agents.threads(beside.document.as_ref())?;
    threads.retain(|thread| beside.cells || thread.cell.is_none());
    Ok(Json(threads))
}

/// The words that are looked for.
#[derive(Debug, Deserialize)]
pub struct Words {
    q: String,
}

/// Finds threads by what was said in them.
#[boxed]
pub async fn search(
    State(app): State<Arc<App>>,
    Asked(words): Asked<Words>,
) -> Result<Json<Vec<ThreadFound>>, Problem> {
    let found = blocking(move || app.agents.search(&words.q)).await??;
    let on_the_wire = |FoundThread { thread, turn, excerpt }| ThreadFound { thread, turn, excerpt };
    Ok(Json(found.into_iter().map(on_the_wire).collect()))
}

/// Which file.
#[derive(Debug, Deserialize)]
pub struct Of {
    path: WorkspacePath,
}

/// Says what edits made in threads have left of a file's lines.
#[boxed]
pub async fn edits(State(app): State<Arc<App>>, Asked(of): Asked<Of>) -> Result<Json<ThreadEdits>, Problem> {
    Ok(Json(blocking(move || edits_of(&app, &of.path)).await??))
}

fn edits_of(app: &App, path: &WorkspacePath) -> Result<ThreadEdits, Problem> {
    let path = app.workspace.document(path)?.path();
    let edits = app.agents.edits(&path)?;
    let versions: Vec<_> = edits.iter().map(|edit| (edit.before.clone(), edit.after.clone())).collect();
    let Left { version, lines } = app.workspace.left(&path, &versions)?;
    let shown = |(edit, lines): (aside_agent::ThreadEdit, _)| ThreadEdit {
        thread: edit.thread.id,
        title: edit.thread.title,
        turn: edit.turn,
        action: edit.action,
        parent: edit.parent,
        at: edit.at,
        summary: edit.summary,
        lines,
    };
    Ok(ThreadEdits { version, edits: edits.into_iter().zip(lines).map(shown).collect() })
}

/// Starts a thread.
#[boxed]
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(new): Body<NewThread>,
) -> Result<Json<Thread>, Problem> {
    check_asking(&shown, new.mode, new.runs, new.runs.unwrap_or_default(), new.runs_after_outputs.as_ref())?;
    let limits = new.grant.map(|limits| Grant::limited("this thread's limits", limits));
    let grant = match (limits, shown.grant()) {
        (Some(limits), Some(own)) => Some(limits.narrowed(own)),
        (limits, own) => limits.or_else(|| own.cloned()),
    };
    let NewThread {
        document,
        title,
        mode,
        runs,
        runs_after_outputs,
        model,
        hint,
        navigator,
        thinking,
        without,
        off,
        key,
        ..
    } = new;
    let new = aside_agent::NewThread {
        document,
        title,
        mode,
        runs,
        runs_after_outputs,
        model,
        grant,
        hint,
        navigator,
        thinking: thinking.unwrap_or_default(),
        without,
        off,
        cell: None,
        key,
    };
    let thread = app.agents.create_thread(new)?;
    note_asking(&app, shown, None, &thread).await?;
    Ok(Json(thread))
}

/// Whether a thread may ask no more than this. `runs` is what was said, `then` what holds with it.
fn check_asking(
    shown: &Shown,
    mode: Option<ReviewMode>,
    runs: Option<RunMode>,
    then: RunMode,
    after_outputs: Option<&WorkspacePath>,
) -> Result<(), Problem> {
    shown.check_asking(mode, runs, after_outputs)?;
    let Some(notebook) = after_outputs else { return Ok(()) };
    if !notebook.name().to_lowercase().ends_with(".ipynb") {
        return Err(Failure::new("bad_request", format!("{notebook} is not a notebook"))
            .hint("name the notebook whose cells may run after outputs without approval")
            .into());
    }
    if then == RunMode::Ask {
        let message =
            format!("the thread asks before each run, so cells of {notebook} can’t run after outputs without approval");
        return Err(Failure::new("bad_request", message).hint("also set `runs` to `auto` or `after_review`").into());
    }
    Ok(())
}

/// A thread that asks less than before, or than others do when they begin, is in the audit.
async fn note_asking(app: &App, shown: Shown, before: Option<&Thread>, thread: &Thread) -> Result<(), Problem> {
    let (mode, runs) = before.map_or_else(Default::default, |before| (before.mode, before.runs));
    let after_outputs = before.and_then(|before| before.runs_after_outputs.as_ref());
    let loosened = [
        (thread.mode == ReviewMode::AutoApply && mode != thread.mode, "edits are applied without approval"),
        (thread.runs != RunMode::Ask && runs != thread.runs, "cells run without approval"),
        (
            thread.runs_after_outputs.is_some() && after_outputs != thread.runs_after_outputs.as_ref(),
            "cells run after outputs without approval",
        ),
    ];
    let said: Vec<_> = loosened.into_iter().filter_map(|(is_so, words)| is_so.then_some(words)).collect();
    if said.is_empty() {
        return Ok(());
    }
    let mut args = json!({ "thread": thread.id, "mode": thread.mode, "runs": thread.runs });
    if let Some(notebook) = &thread.runs_after_outputs {
        args["runs_after_outputs"] = json!(notebook);
    }
    Ok(app.note_set("thread.set_asking", args, &format!("{} in a thread", said.join(" and ")), shown).await?)
}

/// Returns a thread with its log.
#[boxed]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
) -> Result<Json<ThreadWithEvents>, Problem> {
    let thread = own(&app, &shown, &id)?;
    Ok(Json(ThreadWithEvents { thread, events: app.agents.events(&id, 0)? }))
}

/// Returns a thread as Markdown, to be kept or sent.
#[boxed]
pub async fn markdown(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
) -> Result<Response, Problem> {
    let thread = own(&app, &shown, &id)?;
    let text = as_markdown(&thread, &app.agents.events(&id, 0)?);
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response())
}

/// Returns the tool calls of a thread with the words of their lives, such as `waitingForUserInput`.
#[boxed]
pub async fn cards(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
) -> Result<Json<Vec<ThreadCard>>, Problem> {
    own(&app, &shown, &id)?;
    Ok(Json(blocking(move || app.agents.cards(&id)).await??))
}

/// Changes a thread.
#[boxed]
pub async fn change(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
    Body(change): Body<ChangeThread>,
) -> Result<Json<Thread>, Problem> {
    let before = own(&app, &shown, &id)?;
    let ChangeThread { title, mode, runs, runs_after_outputs, model, thinking, archived, without, off } = change;
    let then = runs.unwrap_or(before.runs);
    check_asking(&shown, mode, runs, then, runs_after_outputs.as_ref().and_then(Option::as_ref))?;
    let model = model.map(Some);
    let change = ThreadChange { title, mode, runs, runs_after_outputs, model, thinking, archived, without, off };
    let thread = app.agents.change_thread(&id, change)?;
    note_asking(&app, shown, Some(&before), &thread).await?;
    Ok(Json(thread))
}

/// How the answer to a message comes.
#[derive(Debug, Deserialize)]
pub struct HowTurn {
    #[serde(default)]
    stream: bool,
    #[serde(default)]
    deltas: bool,
}

/// Sends a message.
#[boxed]
pub async fn start_turn(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
    Asked(how): Asked<HowTurn>,
    Body(body): Body<StartTurn>,
) -> Result<Response, Problem> {
    let thread = own(&app, &shown, &id)?;
    shown.check_turn()?;
    app.renew_keys().await?;
    let tail = app.store.tail();
    let under = shown.grant().cloned();
    for attached in &body.attached {
        if let Attached::Thread { thread } = attached {
            own(&app, &shown, thread)?;
        }
    }
    let mut attached = body.attached;
    attached.extend(slash::expanded(&app, &shown, Some(&id), &body.text).await?);
    let situation = match thread.navigator {
        Some(_) => Some(situation(&app, shown, body.window, body.focus.clone(), thread.grant).await?),
        None => None,
    };
    let message = Message { text: body.text, focus: body.focus, attached, seed: body.seed, situation, key: body.key };
    let turn = app.agents.start_turn(&id, message, &app.user, under).await?;
    if !how.stream {
        return Ok(Json(TurnStarted { turn }).into_response());
    }
    stream::respond(&app, tail, id, 0, how.deltas, Until::TurnEndsOrWaits(turn))
}

/// Stops the running turn.
#[boxed]
pub async fn stop(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
) -> Result<Json<Value>, Problem> {
    own(&app, &shown, &id)?;
    Ok(Json(json!({ "stopped": app.agents.stop(&id) })))
}

/// From where, and how far.
#[derive(Debug, Deserialize)]
pub struct HowEvents {
    #[serde(default)]
    after: u64,
    #[serde(default)]
    follow: bool,
    #[serde(default)]
    deltas: bool,
}

/// Streams the log.
#[boxed]
pub async fn events(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ThreadId>,
    Asked(how): Asked<HowEvents>,
) -> Result<Response, Problem> {
    own(&app, &shown, &id)?;
    let until = if how.follow { Until::Closed } else { Until::CaughtUp };
    stream::respond(&app, app.store.tail(), id, how.after, how.deltas, until)
}

/// A thread that whoever asks may use.
pub(super) fn own(app: &App, shown: &Shown, id: &ThreadId) -> Result<Thread, Problem> {
    let thread = app.agents.thread(id)?;
    shown.check_thread(&thread)?;
    Ok(thread)
}

impl From<AgentError> for Problem {
    fn from(error: AgentError) -> Self {
        Failure::from(error).into()
    }
}
