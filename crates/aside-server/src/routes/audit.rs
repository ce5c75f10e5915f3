//! `audit`: what was done, and whether the record of it is whole.

use std::sync::Arc;

use aside_core::ActionId;
use aside_gate::{Gate, GateError};
use aside_protocol::{AuditCheck, AuditEntry, VerifyAudit};
use aside_store::{ChainEntry, ChainProblem};
use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    app::{App, blocking},
    problem::{Asked, Body, Problem},
};

/// Entries of one answer, and the most that can be asked for.
const PAGE: usize = 1000;

/// Which entries.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    /// Those after this position.
    #[serde(default)]
    after: u64,
    /// At most so many.
    limit: Option<usize>,
    /// Those of one action.
    action: Option<ActionId>,
}

/// Lists entries, oldest first.
pub async fn list(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<Vec<AuditEntry>>, Problem> {
    let limit = wanted.limit.unwrap_or(PAGE).min(PAGE);
    let entries = match &wanted.action {
        None => app.gate.audit_entries(wanted.after, limit)?.into_iter().map(entry).collect(),
        Some(action) => of_action(&app.gate, wanted.after, limit, action)?,
    };
    Ok(Json(entries))
}

/// Checks the whole chain.
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

fn of_action(gate: &Gate, mut after: u64, limit: usize, action: &ActionId) -> Result<Vec<AuditEntry>, GateError> {
    let mut found = Vec::new();
    while found.len() < limit {
        let page = gate.audit_entries(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        found.extend(page.into_iter().map(entry).filter(|entry| entry.body["action"] == action.as_str()));
    }
    found.truncate(limit);
    Ok(found)
}

fn entry(entry: ChainEntry) -> AuditEntry {
    let body = serde_json::from_str(&entry.body).unwrap_or_else(|_| Value::String(entry.body.to_string()));
    AuditEntry { seq: entry.seq, body, hash: entry.hash }
}
