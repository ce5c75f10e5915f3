//! `tasks`: goals with a plan and a state. Only a person decides about them; what their steps do goes through the Gate.

use std::sync::Arc;

use aside_agent::{Partly, TaskError, TaskQuery};
use aside_core::{
    ActionRecord, ActionRequest, Envelope, Failure, Observation, Outcome, TaskDecision, TaskId, TaskSource, TaskState,
    TaskStatus, ThreadId, Timestamp,
};
use aside_gate::Submission;
use aside_macros::boxed;
use aside_protocol::{ListedTasks, NewTask, RunAgain, TaskAction, TaskActions, TaskDetail, UndoTask};
use axum::{Extension, Json, extract::State};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Body, Named, Problem},
};

/// Tasks in one answer.
const MOST: u32 = 1_000;

/// Which tasks; see [`TaskQuery`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    text: Option<String>,
    by: Option<String>,
    object: Option<String>,
    action: Option<String>,
    state: Option<TaskState>,
    thread: Option<ThreadId>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    open: Option<bool>,
    before: Option<TaskId>,
    limit: Option<u32>,
}

/// Lists tasks, the newest first; the page after one begins `before` its last.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<ListedTasks>, Problem> {
    let Wanted { text, by, object, action, state, thread, since, until, open, before, limit } = wanted;
    let query = TaskQuery { text, by, object, action, state, thread, since, until, open, before };
    let limit = limit.unwrap_or(200).min(MOST) as usize;
    let tasks = blocking(move || app.tasks.list(&query, limit)).await??;
    Ok(Json(ListedTasks { tasks }))
}

/// Plans some requests.
#[boxed]
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(new): Body<NewTask>,
) -> Result<Json<TaskDetail>, Problem> {
    let task = aside_agent::NewTask::of(new.goal, new.steps, TaskSource::Plan);
    let task = aside_agent::NewTask { key: new.idempotency_key, ..task };
    plan(&app, task, app.submission(shown), new.dry_run).await
}

/// Makes a task, or only shows what it would do.
#[boxed]
pub async fn plan(
    app: &App,
    task: aside_agent::NewTask,
    submission: Submission,
    dry_run: bool,
) -> Result<Json<TaskDetail>, Problem> {
    let made = match dry_run {
        true => app.tasks.dry_run(task, submission).await?,
        false => app.tasks.create(task, submission).await?,
    };
    Ok(Json(answer(made)))
}

/// How the answer comes.
#[derive(Debug, Deserialize)]
pub struct How {
    /// Not before nothing more happens without a person.
    #[serde(default)]
    settled: bool,
}

/// Returns one task.
#[boxed]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<TaskId>,
    Asked(how): Asked<How>,
) -> Result<Json<TaskDetail>, Problem> {
    check_own(&app, &shown, &id)?;
    if !how.settled {
        return Ok(Json(answer(app.tasks.detail(&id)?)));
    }
    tokio::select! {
        settled = app.tasks.settled(&id) => Ok(Json(answer(settled?))),
        () = app.ended() => Err(Failure::new("shutting_down", "the server is shutting down").into()),
    }
}

/// Lists what a task has asked the Gate for, as far as that has ended.
#[boxed]
pub async fn actions(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<TaskId>,
) -> Result<Json<TaskActions>, Problem> {
    check_own(&app, &shown, &id)?;
    let records = blocking(move || app.tasks.actions_of(&id)).await??;
    Ok(Json(TaskActions { actions: records.into_iter().map(action).collect() }))
}

fn action(record: ActionRecord) -> TaskAction {
    let outcome = record.outcome.map(|outcome| match outcome {
        Outcome::Done { observation } => {
            Outcome::Done { observation: Observation { data: Value::Null, ..observation } }
        }
        other => other,
    });
    let Envelope { id, action_type, args, .. } = record.envelope;
    TaskAction { id, action_type, args, state: record.state, outcome }
}

/// A program sees the tasks of its own grant.
fn check_own(app: &App, shown: &Shown, id: &TaskId) -> Result<(), Problem> {
    match shown.grant() {
        Some(own) if !app.tasks.is_under(id, own)? => Err(Problem::not_found(format!("you started no task {id}"))),
        _ => Ok(()),
    }
}

/// Takes a person's answer to a plan.
#[boxed]
pub async fn decide(
    State(app): State<Arc<App>>,
    Named(id): Named<TaskId>,
    Body(decision): Body<TaskDecision>,
) -> Result<Json<TaskDetail>, Problem> {
    Ok(Json(answer(app.tasks.decide(&id, &decision, &app.user).await?)))
}

/// Lets a task wait after its running step.
#[boxed]
pub async fn pause(State(app): State<Arc<App>>, Named(id): Named<TaskId>) -> Result<Json<TaskDetail>, Problem> {
    Ok(Json(answer(app.tasks.pause(&id, &app.user)?)))
}

/// Lets a paused task go on.
#[boxed]
pub async fn resume(State(app): State<Arc<App>>, Named(id): Named<TaskId>) -> Result<Json<TaskDetail>, Problem> {
    Ok(Json(answer(app.tasks.resume(&id, &app.user).await?)))
}

/// Ends a task.
#[boxed]
pub async fn cancel(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<TaskId>,
) -> Result<Json<TaskDetail>, Problem> {
    check_own(&app, &shown, &id)?;
    Ok(Json(answer(app.tasks.cancel(&id, &app.user).await?)))
}

/// Plans to take a task back.
#[boxed]
pub async fn undo(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<TaskId>,
    Body(undo): Body<UndoTask>,
) -> Result<Json<TaskDetail>, Problem> {
    let submission = app.submission(shown);
    let partly = if undo.partly { Partly::Yes } else { Partly::No };
    if undo.dry_run {
        return Ok(Json(answer(app.tasks.undo_dry_run(&id, submission, partly).await?)));
    }
    Ok(Json(answer(app.tasks.undo(&id, submission, partly, undo.idempotency_key).await?)))
}

/// Returns the requests that a task is run again with, for a person who wants to edit them first.
#[boxed]
pub async fn to_run_again(
    State(app): State<Arc<App>>,
    Named(id): Named<TaskId>,
) -> Result<Json<Vec<ActionRequest>>, Problem> {
    Ok(Json(blocking(move || app.tasks.to_run_again(&id)).await??))
}

/// Plans a task anew, perhaps with edits.
#[boxed]
pub async fn run_again(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<TaskId>,
    Body(again): Body<RunAgain>,
) -> Result<Json<TaskDetail>, Problem> {
    let RunAgain { steps, goal, idempotency_key: key, dry_run } = again;
    let (task, submission) = app.tasks.again(&id, steps, goal, app.submission(shown))?;
    plan(&app, aside_agent::NewTask { key, ..task }, submission, dry_run).await
}

/// A task as it goes over the wire.
pub fn answer(detail: aside_agent::TaskDetail) -> TaskDetail {
    let aside_agent::TaskDetail { task, plan, provenance, timeline, actions, cost, steps, script, pending } = detail;
    let (id, state, hash) = (task.id.clone(), TaskStatus::of(&task), plan.as_ref().map(|plan| plan.hash.clone()));
    TaskDetail { id, state, hash, steps, task, plan, provenance, timeline, actions, cost, script, pending }
}

impl From<TaskError> for Problem {
    fn from(error: TaskError) -> Self {
        Failure::from(error).into()
    }
}
