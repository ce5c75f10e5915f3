//! `/api/meta-agent`: a model of this machine answers from the person's AI coding history, line by line.

use std::{convert::Infallible, sync::Arc};

use aside_core::Origin;
use aside_gate::Submission;
use aside_history::check_bounds;
use aside_protocol::MetaAgentAsked;
use axum::{
    Extension, Json, Router,
    body::Body as Stream,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

use crate::{
    access::Shown,
    app::App,
    meta_agent::{Answer, NEEDED, catalogue, grant},
    problem::{Body, Problem},
};

/// Lines that wait for a slow reader.
const WAITING: usize = 256;

/// What is below the address.
pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/chat", post(chat)).route("/tools", get(tools))
}

/// The questions that the model can ask now.
async fn tools(State(app): State<Arc<App>>) -> Json<Value> {
    Json(catalogue(app.gate.check_level(NEEDED).is_ok()))
}

/// Answers with the lines as they come. Who goes away ends it.
async fn chat(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(asked): Body<MetaAgentAsked>,
) -> Result<Response, Problem> {
    if asked.messages.is_empty() {
        return Err(Problem::bad_request("`messages` is empty"));
    }
    if asked.model.trim().is_empty() {
        return Err(Problem::bad_request("`model` is empty: pass the name of a model in Ollama"));
    }
    if let Some(bounds) = &asked.bounds {
        check_bounds(app.gate.now(), &json!(bounds)).map_err(|error| Problem::bad_request(error.to_string()))?;
    }
    app.gate.check_level(NEEDED)?;
    let grant = grant().narrowed(&app.submission(shown).grant);
    // What it asks is a model's choice, though a person asked the model.
    let submission = Submission::under(grant, Origin::Sidebar { user: app.user.clone() });
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(Answer { app, asked, submission, lines: sender }.run());
    let lines = ReceiverStream::new(receiver).map(|line| {
        let mut text = serde_json::to_vec(&line).expect("wire types serialise to JSON");
        text.push(b'\n');
        Ok::<Bytes, Infallible>(text.into())
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Stream::from_stream(lines)).into_response())
}
