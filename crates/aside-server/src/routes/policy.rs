//! `policy`: the rules that hold, and what they say of a request.

use std::sync::Arc;

use aside_core::{ActionRequest, Explanation, PolicyView};
use aside_gate::Submission;
use aside_macros::boxed;
use aside_protocol::CheckPolicy;
use axum::{Extension, Json, extract::State};
use serde_json::json;

use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Body, Problem},
};

/// Shows all rules that hold now, layer by layer, and what is wrong with their files.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<PolicyView>, Problem> {
    let gate = app.gate.clone();
    Ok(Json(blocking(move || gate.policy()).await?))
}

/// Says what would become of a request, rule by rule. Nothing runs.
#[boxed]
pub async fn check(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<CheckPolicy>,
) -> Result<Json<Explanation>, Problem> {
    // The audit has a line about each look; it must not say that somebody else looked.
    let audit_context = Some(json!({ "policy_check_by": app.user }));
    let request = ActionRequest { audit_context, ..ActionRequest::new(body.action_type, body.args) };
    let submission = match body.asked_as {
        Some(kind) => Submission::as_if(kind, &app.user, body.review),
        None => Submission { review: body.review, ..app.submission(shown) },
    };
    let submission = match body.label {
        Some(label) => submission.as_if_led_by(label),
        None => submission,
    };
    Ok(Json(app.gate.explain(request, submission).await?))
}
