//! `audit`: what was done, and whether the record of it is whole.

use std::{convert::Infallible, fmt::Display, str::FromStr, sync::Arc};

use aside_core::{ActionState, Timestamp};
use aside_gate::{AuditQuery, Gate, logs_data};
use aside_macros::boxed;
use aside_protocol::{AuditCheck, AuditEntry, AuditFormat, FindAudit, VerifyAudit};
use aside_store::{ChainEntry, ChainProblem};
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

use crate::{
    app::{App, blocking},
    problem::{Asked, Body, Problem},
};

/// Entries of one answer if nothing is said, and the most that can be asked for.
const PAGE: usize = 100;
const MOST: usize = 1000;

/// Entries that are exported at once.
const BATCH: usize = 500;

/// Lists entries, newest first.
#[boxed]
pub async fn list(
    State(app): State<Arc<App>>,
    Asked(wanted): Asked<FindAudit>,
) -> Result<Json<Vec<AuditEntry>>, Problem> {
    let query = query(wanted)?;
    let gate = app.gate.clone();
    let found = blocking(move || gate.audit_find(&query)).await??;
    Ok(Json(found.into_iter().map(entry).collect()))
}

fn query(wanted: FindAudit) -> Result<AuditQuery, Problem> {
    let states = wanted.state.as_deref().unwrap_or_default().split(',').filter(|word| !word.is_empty());
    Ok(AuditQuery {
        by: wanted.by,
        origin: wanted.origin,
        object: wanted.object,
        action: wanted.action,
        states: states.map(state).collect::<Result<_, _>>()?,
        text: wanted.text.unwrap_or_default(),
        from: time(wanted.from.as_deref())?,
        to: time(wanted.to.as_deref())?,
        before: wanted.before,
        after: wanted.after,
        limit: wanted.limit.map_or(PAGE, |limit| usize::try_from(limit).unwrap_or(MOST)).min(MOST),
    })
}

fn state(word: &str) -> Result<ActionState, Problem> {
    serde_json::from_value(Value::String(word.to_owned())).map_err(|_| {
        Problem::bad_request(format!("`{word}` is not a state")).hint(
            "the states are proposed, awaiting_confirmation, running, done, failed, refused, interrupted and undone",
        )
    })
}

fn time(text: Option<&str>) -> Result<Option<Timestamp>, Problem> {
    text.map(parsed).transpose()
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|error: T::Err| Problem::bad_request(error.to_string()))
}

/// What is exported.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(default)]
    format: AuditFormat,
    from: Option<String>,
    to: Option<String>,
}

/// Sends all entries of a time, oldest first, as lines of JSON; as many at a time as the reader takes.
#[boxed]
pub async fn export(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Response, Problem> {
    let (from, to) = (time(wanted.from.as_deref())?, time(wanted.to.as_deref())?);
    let query = AuditQuery { from, to, after: Some(0), limit: BATCH, ..AuditQuery::default() };
    let (sender, receiver) = mpsc::channel(2);
    let gate = app.gate.clone();
    tokio::task::spawn_blocking(move || send(&gate, query, wanted.format, &sender));
    let body = axum::body::Body::from_stream(ReceiverStream::new(receiver).map(Ok::<Bytes, Infallible>));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

fn send(gate: &Gate, mut query: AuditQuery, format: AuditFormat, sender: &mpsc::Sender<Bytes>) {
    loop {
        let entries = match gate.audit_find(&query) {
            Ok(entries) => entries,
            // The reader sees it by the missing last line feed.
            Err(error) => {
                tracing::warn!("the export of the activity log failed: {error}");
                return drop(sender.blocking_send(Bytes::from_static(b"{\"error\":\"the export failed\"}")));
            }
        };
        let Some(last) = entries.last() else { return };
        query.after = Some(last.seq);
        if sender.blocking_send(lines(entries, format)).is_err() {
            return;
        }
    }
}

fn lines(entries: Vec<ChainEntry>, format: AuditFormat) -> Bytes {
    let mut text = String::new();
    match format {
        AuditFormat::Otlp => text = format!("{}\n", logs_data(&entries)),
        AuditFormat::Jsonl => entries.into_iter().map(entry).for_each(|entry| {
            text += &serde_json::to_string(&entry).expect("entries serialise to JSON");
            text.push('\n');
        }),
    }
    text.into()
}

/// Checks the whole chain.
#[boxed]
pub async fn verify(State(app): State<Arc<App>>, body: Option<Body<VerifyAudit>>) -> Result<Json<AuditCheck>, Problem> {
    let gate = app.gate.clone();
    let noted = body.and_then(|Body(wanted)| wanted.head);
    Ok(Json(match blocking(move || gate.audit_verify(noted.as_deref())).await? {
        Ok(head) => AuditCheck { entries: head.count, head: Some(head.hash), problem: None },
        Err(problem) => AuditCheck { entries: good(&problem), head: None, problem: Some(problem.to_string()) },
    }))
}

/// How many entries hold together before the problem.
fn good(problem: &ChainProblem) -> u64 {
    match problem {
        ChainProblem::Changed(seq) | ChainProblem::Missing(seq) => seq.saturating_sub(1),
        ChainProblem::Cut { found, .. } | ChainProblem::Head { found } | ChainProblem::Forked { found, .. } => *found,
        ChainProblem::Store(_) => 0,
    }
}

fn entry(entry: ChainEntry) -> AuditEntry {
    let body = serde_json::from_str(&entry.body).unwrap_or_else(|_| Value::String(entry.body.to_string()));
    AuditEntry { seq: entry.seq, body, hash: entry.hash }
}
