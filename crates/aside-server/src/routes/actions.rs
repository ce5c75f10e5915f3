//! `actions`: requests, decisions and undo. Every effect of every client enters here or through a turn.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionName, ActionRecord, ActionRequest, ActionState, Decision, Failure, Outcome, RuleEdit, RuleOffer,
    Ruling,
};
use aside_gate::Submission;
use aside_macros::boxed;
use aside_protocol::{DecisionOn, DecisionTaken, Decisions, SubmitAction, SubmitState, Submitted};
use axum::{
    Extension, Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use serde_json::json;

use super::{
    live::{self, How},
    threads,
};
use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Body, Named, Problem},
};

/// Decisions in one message.
const MOST_DECISIONS: usize = 100;

/// Takes a request in.
#[boxed]
pub async fn submit(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(how): Asked<How>,
    Body(body): Body<SubmitAction>,
) -> Result<Response, Problem> {
    let action_type = match body.action_type.parse::<ActionName>() {
        Ok(name) => name,
        Err(error) => return Err(misnamed(&app, &body, error.to_string(), app.submission(shown)).await),
    };
    let named = shown.clone();
    let request = ActionRequest {
        action_type,
        target: body.target,
        args: body.args,
        idempotency_key: body.idempotency_key,
        audit_context: body.audit_context,
    };
    let mut submission = app.submission(shown);
    if let Some(thread) = &body.thread {
        let thread = threads::own(&app, &named, thread)?;
        submission.grant = submission.grant.without(&thread.off);
    }
    if body.dry_run {
        let record = app.gate.dry_run(request, submission).await?;
        check_known(&record)?;
        return Ok(Json(answer(record, false)).into_response());
    }
    let (gate, id) = (app.gate.clone(), app.gate.new_id());
    let action = id.clone();
    let work = async move {
        let submitted = gate.submit_as(action, request, submission).await?;
        Ok(answer(submitted.record, submitted.replayed))
    };
    if how.stream {
        // The head of the answer is sent before the Gate has looked.
        return Ok(live::respond(&app, id, work));
    }
    let submitted: Submitted = work.await?;
    check_known(&submitted.record)?;
    Ok(Json(submitted).into_response())
}

/// The name in the audit of requests whose own name is not one.
const MISNAMED: &str = "action.misnamed";

/// Refuses a request whose name can't be that of an action, on record like every other.
async fn misnamed(app: &App, body: &SubmitAction, error: String, submission: Submission) -> Problem {
    let hint = "`GET catalog` lists the actions; their names are like `doc.edit`";
    let failure = Failure::new("unknown_action", error).hint(hint);
    let name = MISNAMED.parse().expect("our names are well formed");
    let given: String = body.action_type.chars().take(100).collect();
    match app.gate.note_refused(name, json!({ "action_type": given }), failure.clone(), submission).await {
        Ok(()) => Problem { status: StatusCode::BAD_REQUEST, failure },
        Err(error) => error.into(),
    }
}

/// A request for an action that is not there is a mistake of whoever asks. The Gate has it on record.
fn check_known(record: &ActionRecord) -> Result<(), Problem> {
    match &record.outcome {
        Some(Outcome::Refused { failure, .. }) if failure.code == "unknown_action" => {
            Err(Problem { status: StatusCode::BAD_REQUEST, failure: failure.clone() })
        }
        _ => Ok(()),
    }
}

/// Which actions to list.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    state: ActionState,
}

/// Lists what waits for a person.
#[boxed]
pub async fn list(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Vec<ActionRecord>>, Problem> {
    match wanted.state {
        ActionState::AwaitingConfirmation => {
            let mut waiting = app.gate.pending()?;
            waiting.retain(|record| shown.check_action(record).is_ok());
            Ok(Json(waiting))
        }
        _ => Err(Problem::bad_request("only `state=awaiting_confirmation` can be listed").hint("see `audit`")),
    }
}

/// Returns one action.
#[boxed]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ActionId>,
) -> Result<Json<Submitted>, Problem> {
    let record = app.gate.record(&id)?;
    shown.check_action(&record)?;
    Ok(Json(answer(record, false)))
}

/// Shows the rule that an answer could leave behind.
#[boxed]
pub async fn rule(State(app): State<Arc<App>>, Named(id): Named<ActionId>) -> Result<Json<RuleOffer>, Problem> {
    let gate = app.gate.clone();
    offered(blocking(move || gate.rule_offer(&id, None)).await??)
}

/// Shows it as a person changes it.
#[boxed]
pub async fn edited_rule(
    State(app): State<Arc<App>>,
    Named(id): Named<ActionId>,
    Body(edit): Body<RuleEdit>,
) -> Result<Json<RuleOffer>, Problem> {
    let gate = app.gate.clone();
    offered(blocking(move || gate.rule_offer(&id, Some(&edit))).await??)
}

fn offered(offer: Option<RuleOffer>) -> Result<Json<RuleOffer>, Problem> {
    offer.map(Json).ok_or_else(|| {
        Problem::not_found("no rule could allow requests like this one").hint("decide it with the scope `once`")
    })
}

/// Takes a person's answer.
#[boxed]
pub async fn decide(
    State(app): State<Arc<App>>,
    Named(id): Named<ActionId>,
    Asked(how): Asked<How>,
    Body(decision): Body<Decision>,
) -> Result<Response, Problem> {
    let (deciding, action) = (app.clone(), id.clone());
    let work = async move { Ok(answer(deciding.gate.decide(&action, decision, &deciding.user).await?, false)) };
    if how.stream { Ok(live::respond(&app, id, work)) } else { Ok(Json(work.await?).into_response()) }
}

/// Takes several answers, in order and each on its own.
#[boxed]
pub async fn decide_several(
    State(app): State<Arc<App>>,
    Body(several): Body<Decisions>,
) -> Result<Json<Vec<DecisionTaken>>, Problem> {
    if several.decisions.len() > MOST_DECISIONS {
        return Err(Problem::bad_request(format!("a request may contain at most {MOST_DECISIONS} decisions")));
    }
    let mut taken = Vec::with_capacity(several.decisions.len());
    for DecisionOn { id, decision } in several.decisions {
        let decided = app.gate.decide(&id, decision, &app.user).await;
        taken.push(match decided {
            Ok(record) => DecisionTaken { id, submitted: Some(answer(record, false)), failure: None },
            Err(error) => DecisionTaken { id, submitted: None, failure: Some(error.failure()) },
        });
    }
    Ok(Json(taken))
}

/// Stops a running action. What it did so far stays, and can be taken back if it says how.
#[boxed]
pub async fn stop(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ActionId>,
) -> Result<Json<Submitted>, Problem> {
    shown.check_action(&app.gate.record(&id)?)?;
    Ok(Json(answer(app.gate.stop(&id, &app.user).await?, false)))
}

/// What may be said with an undo.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    #[serde(default)]
    idempotency_key: Option<String>,
}

/// Takes an action back.
#[boxed]
pub async fn undo(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<ActionId>,
    body: Option<Body<Undo>>,
) -> Result<Json<Submitted>, Problem> {
    shown.check_action(&app.gate.record(&id)?)?;
    let key = body.and_then(|Body(undo)| undo.idempotency_key);
    let submitted = app.gate.undo(&id, app.submission(shown), key).await?;
    Ok(Json(answer(submitted.record, submitted.replayed)))
}

/// Takes the latest action back; sent again under its key, the one that was the latest then.
#[boxed]
pub async fn undo_latest(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    body: Option<Body<Undo>>,
) -> Result<Json<Submitted>, Problem> {
    let key = body.and_then(|Body(undo)| undo.idempotency_key);
    let submission = app.submission(shown.clone());
    let meant = key.as_deref().map(|key| app.gate.undone_with(&submission, key)).transpose()?.flatten();
    let record = match meant {
        Some(id) => app.gate.record(&id)?,
        None => app.gate.latest_undoable()?.ok_or_else(|| Problem::not_found("there is nothing to undo"))?,
    };
    shown.check_action(&record)?;
    let submitted = app.gate.undo(&record.envelope.id, submission, key).await?;
    Ok(Json(answer(submitted.record, submitted.replayed)))
}

/// An action as it goes over the wire.
pub fn answer(record: ActionRecord, replayed: bool) -> Submitted {
    Submitted {
        id: record.envelope.id.clone(),
        state: state(&record),
        envelope: record.envelope.clone(),
        preview: record.preview.clone(),
        outcome: record.outcome.clone(),
        replayed,
        record: Box::new(record),
    }
}

fn state(record: &ActionRecord) -> SubmitState {
    match (&record.outcome, record.state) {
        (Some(Outcome::Done { .. }), _) => SubmitState::Done,
        (Some(Outcome::Refused { .. }), _) => SubmitState::Refused,
        (Some(Outcome::Failed { .. } | Outcome::Interrupted { .. }), _) => SubmitState::Failed,
        (None, ActionState::AwaitingConfirmation) => SubmitState::AwaitingConfirmation,
        // A dry run that would ask is not done, and one that would not is.
        (None, ActionState::Running) => SubmitState::Running,
        (None, _) if record.verdict.ruling == Ruling::Confirm => SubmitState::AwaitingConfirmation,
        (None, _) => SubmitState::Done,
    }
}

impl From<aside_gate::GateError> for Problem {
    fn from(error: aside_gate::GateError) -> Self {
        Failure::from(error).into()
    }
}
