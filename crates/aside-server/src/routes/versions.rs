//! `files/versions`: what is kept of a document after something else took its place.

use std::sync::Arc;

use aside_core::{KeptVersion, MadeBy, Origin, WorkspacePath};
use aside_gate::Gate;
use aside_macros::boxed;
use aside_protocol::DocumentVersion;
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// Which file.
#[derive(Debug, Deserialize)]
pub struct Of {
    path: WorkspacePath,
}

/// Lists the versions, the latest first.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Asked(of): Asked<Of>) -> Result<Json<Vec<DocumentVersion>>, Problem> {
    let found = blocking(move || {
        let versions = app.workspace.versions(&of.path)?;
        Ok::<_, Problem>(versions.into_iter().map(|version| told(&app.gate, version)).collect())
    });
    Ok(Json(found.await??))
}

fn told(gate: &Gate, KeptVersion { id, at, bytes, made_by, .. }: KeptVersion) -> DocumentVersion {
    let words: Vec<String> = made_by.iter().map(|by| words(gate, by)).collect();
    DocumentVersion { id, at, bytes, made_by: words.join(", ") }
}

fn words(gate: &Gate, by: &MadeBy) -> String {
    let (action, undoes) = match by {
        MadeBy::Found => return "the file as found".to_owned(),
        MadeBy::Typing => return "typing".to_owned(),
        MadeBy::Run => return "cell runs".to_owned(),
        MadeBy::Disk => return "another program".to_owned(),
        MadeBy::Action { action, undoes } => (action, undoes),
    };
    // An action that is in no record any more was one all the same.
    let Ok(record) = gate.record(undoes.as_ref().unwrap_or(action)) else { return "an action".to_owned() };
    let name = &record.envelope.action_type;
    match (undoes, &record.origin) {
        (Some(_), _) => format!("undo of {name}"),
        (None, Origin::User { .. } | Origin::Cli { .. }) => name.to_string(),
        (None, Origin::Turn { .. }) => format!("{name} by the assistant"),
        (None, _) => format!("{name} by a program"),
    }
}
