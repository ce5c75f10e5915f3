//! `scripts`: programs that call actions. A run is a task; its start and each of its calls go through the Gate.

use std::sync::Arc;

use aside_core::{ActionRequest, Failure, Outcome, ScriptFinding, TaskId};
use aside_gate::Submission;
use aside_macros::boxed;
use aside_protocol::{CheckScript, NewScript, ScriptFindings, TaskDetail};
use axum::{Extension, Json, extract::State};
use serde_json::json;

use super::tasks::answer;
use crate::{
    access::Shown,
    app::App,
    problem::{Body, Problem},
};

/// Starts a script and returns its task at once.
#[boxed]
pub async fn start(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(new): Body<NewScript>,
) -> Result<Json<TaskDetail>, Problem> {
    let NewScript { source, path, args, dry_run, place, limits, idempotency_key } = new;
    let mut wanted = json!({ "wait": false });
    let given = [
        ("source", json!(source)),
        ("path", json!(path)),
        ("args", json!(args)),
        ("dry_run", json!(dry_run.then_some(true))),
        ("place", json!(place)),
        ("limits", json!(limits)),
    ];
    for (name, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        wanted[name] = value;
    }
    let run = ActionRequest::new("script.run".parse().expect("it is `noun.verb`"), wanted);
    let request = ActionRequest { idempotency_key, ..run };
    started(&app, request, able_to_start(app.submission(shown))).await
}

/// A script does nothing by itself, and its calls are held against the grant one by one: a grant for some actions is enough to start one.
fn able_to_start(mut submission: Submission) -> Submission {
    if let Some(actions) = &mut submission.grant.actions {
        actions.push("script.run".parse().expect("the name of an action is a pattern"));
    }
    submission
}

/// Starts a script by its action and returns its task.
#[boxed]
pub async fn started(
    app: &Arc<App>,
    request: ActionRequest,
    submission: Submission,
) -> Result<Json<TaskDetail>, Problem> {
    let record = app.gate.submit(request, submission).await?.record;
    let started = match record.outcome {
        Some(Outcome::Done { observation }) => observation.data["task"].clone(),
        Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => return Err(failure.into()),
        Some(Outcome::Interrupted { reason }) => return Err(Failure::new("interrupted", reason).into()),
        None => {
            let hint = format!("decide action {} first, then start the script again", record.envelope.id);
            return Err(Failure::new("conflict", "the start of a script needs approval here").hint(hint).into());
        }
    };
    let id: TaskId = serde_json::from_value(started).map_err(|_| Failure::new("internal", "the run has no task"))?;
    Ok(Json(answer(app.tasks.detail(&id)?)))
}

/// Finds mistakes in a script before it runs.
#[boxed]
pub async fn check(State(app): State<Arc<App>>, Body(script): Body<CheckScript>) -> Json<ScriptFindings> {
    let mut findings: Vec<ScriptFinding> = app.tasks.check_script(&script.source);
    findings.sort_by_key(|finding| (finding.line, finding.column));
    Json(ScriptFindings { findings })
}

/// Returns the text of `aside.d.ts`: the actions that the asker may call.
#[boxed]
pub async fn types(State(app): State<Arc<App>>, Extension(shown): Extension<Shown>) -> String {
    app.tasks.script_types(shown.grant())
}
