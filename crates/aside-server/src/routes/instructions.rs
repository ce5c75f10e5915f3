//! `instructions`: the standing instructions that go along with messages beside a document.

use std::sync::Arc;

use aside_agent::{Instruction, Instructions as _, LONGEST_INSTRUCTIONS};
use aside_core::{InstructionsAt, Label, ThreadId, WorkspacePath};
use aside_macros::boxed;
use aside_protocol::{InstructionFile, StandingInstructions};
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// Beside what, and in which thread.
#[derive(Debug, Deserialize)]
pub struct Beside {
    document: Option<WorkspacePath>,
    thread: Option<ThreadId>,
}

/// Lists them, those that are left out too.
#[boxed]
pub async fn list(
    State(app): State<Arc<App>>,
    Asked(beside): Asked<Beside>,
) -> Result<Json<StandingInstructions>, Problem> {
    let thread = beside.thread.map(|id| app.agents.thread(&id)).transpose()?;
    let document = beside.document.or_else(|| thread.as_ref()?.document.clone());
    let without = thread.map(|thread| thread.without).unwrap_or_default();
    let files = blocking(move || {
        let found = app.instructions.of(document.as_ref()).into_iter();
        let file = |found: Instruction| {
            let left_out = without.contains(&found.at);
            InstructionFile { left_out, ..described(&app, found) }
        };
        found.map(file).collect()
    })
    .await?;
    Ok(Json(StandingInstructions { files }))
}

fn described(app: &App, Instruction { at, text }: Instruction) -> InstructionFile {
    let (read, label, why) = match &at {
        InstructionsAt::File { path } => {
            let source = app.workspace.label_of(path);
            let text = app.workspace.document(path).map(|document| document.text().len());
            (text.map_err(|error| error.to_string()), source.label, source.why)
        }
        InstructionsAt::Person | InstructionsAt::Workspace => {
            let read = text.unwrap_or_else(|| Ok(String::new())).map(|text| text.len());
            (read, Label::User, "your own instructions".to_owned())
        }
    };
    let (bytes, problem) = match read {
        Ok(bytes) => (bytes, None),
        Err(problem) => (0, Some(problem)),
    };
    let (name, sent) = (at.to_string(), bytes.min(LONGEST_INSTRUCTIONS) as u64);
    InstructionFile { at, name, bytes: bytes as u64, sent, label, why, left_out: false, problem }
}
