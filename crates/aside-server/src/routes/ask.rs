//! `ask`: sentences to actions by rules.

use std::sync::Arc;

use aside_macros::boxed;
use aside_protocol::{RouteSentence, RoutedSentence};
use aside_route::Situation;
use axum::{Extension, Json, extract::State};

use crate::{
    access::Shown,
    app::App,
    ask::{routed, situation},
    problem::{Body, Problem},
};

/// Returns the actions that a sentence means. Nothing is done.
#[boxed]
pub async fn route(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<RouteSentence>,
) -> Result<Json<RoutedSentence>, Problem> {
    let situation: Situation = match body.context {
        Some(context) => serde_json::from_value(context)
            .map_err(|error| Problem::bad_request(format!("`context` does not describe a situation: {error}")))?,
        None => situation(&app, shown, body.window).await?,
    };
    Ok(Json(routed(&app, &body.text, &situation)))
}
