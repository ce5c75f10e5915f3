//! `grants`: what other programs may do here. They are made and ended through the Gate; the token is shown once.

use std::sync::Arc;

use aside_core::{
    ActionRecord, ActionRequest, ActionState, Decision, Failure, GrantId, GrantRecord, Observation, Outcome,
    TOKEN_PREFIX,
};
use aside_gate::GrantError;
use aside_macros::boxed;
use aside_protocol::{GrantMade, NewGrant};
use axum::{Extension, Json, extract::State};
use serde_json::{Value, json};

use crate::{
    access::{Secret, Shown},
    app::App,
    problem::{Body, Named, Problem},
};

/// Lists them all, those that have ended too; the oldest first.
#[boxed]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<GrantRecord>>, Problem> {
    Ok(Json(app.gate.grants().list()?))
}

/// Returns one.
#[boxed]
pub async fn get(State(app): State<Arc<App>>, Named(id): Named<GrantId>) -> Result<Json<GrantRecord>, Problem> {
    Ok(Json(app.gate.grants().get(&id)?))
}

/// Makes one and its token. To send the whole of it is the person's word: it is not asked for a second time.
#[boxed]
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(new): Body<NewGrant>,
) -> Result<Json<GrantMade>, Problem> {
    let made = ordered(&app, shown, "grant.create", json!({ "name": new.name, "limits": new.limits })).await?;
    let id: Option<GrantId> = serde_json::from_value(made.data["id"].clone()).ok();
    let id = id.ok_or_else(|| Failure::new("internal", "the new grant has no id"))?;
    token(&app, &id)
}

/// Makes the token of a grant that was made by an action, for the person who made it.
#[boxed]
pub async fn hand_out(State(app): State<Arc<App>>, Named(id): Named<GrantId>) -> Result<Json<GrantMade>, Problem> {
    token(&app, &id)
}

/// Ends one.
#[boxed]
pub async fn revoke(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<GrantId>,
) -> Result<Json<GrantRecord>, Problem> {
    app.gate.grants().get(&id)?;
    ordered(&app, shown, "grant.revoke", json!({ "grant": id })).await?;
    Ok(Json(app.gate.grants().get(&id)?))
}

fn token(app: &App, id: &GrantId) -> Result<Json<GrantMade>, Problem> {
    let random =
        Secret::random_token().map_err(|error| Failure::new("io", format!("cannot create a token: {error}")))?;
    let token = format!("{TOKEN_PREFIX}{random}");
    let record = app.gate.grants().hand_out(id, &app.user, &token)?;
    Ok(Json(GrantMade { record, token }))
}

/// Carries out what a person asked for in so many words, and says yes in their name if the Gate asks.
pub(super) async fn ordered(app: &App, shown: Shown, action: &str, args: Value) -> Result<Observation, Problem> {
    let request = ActionRequest::new(action.parse().expect("our action names are well formed"), args);
    let record = app.gate.submit(request, app.submission(shown)).await?.record;
    let record = match record.state {
        ActionState::AwaitingConfirmation => {
            let yes = Decision::approve(record.approval_hash.clone());
            app.gate.decide(&record.envelope.id, yes, &app.user).await?
        }
        _ => record,
    };
    done(record)
}

fn done(record: ActionRecord) -> Result<Observation, Problem> {
    match record.outcome {
        Some(Outcome::Done { observation }) => Ok(observation),
        Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => Err(failure.into()),
        Some(Outcome::Interrupted { reason }) => Err(Failure::new("interrupted", reason).into()),
        None => Err(Failure::new("conflict", "it is still waiting for a decision").into()),
    }
}

impl From<GrantError> for Problem {
    fn from(error: GrantError) -> Self {
        error.failure().into()
    }
}
