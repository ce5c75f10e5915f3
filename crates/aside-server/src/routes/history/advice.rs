//! `history/advice`: what past sessions speak for.

use std::sync::Arc;

use aside_history::{Asking, Cheaper, Evidence, TimeZone};
use aside_macros::boxed;
use aside_protocol::{HistoryAdvice, HistoryCheaper, HistoryPlace, HistorySkill};
use axum::{Json, extract::State};
use serde_json::Value;

use super::{ask, told::small};
use crate::{app::App, problem::Problem};

/// Cheaper models, and habits of the workspace that are worth writing down.
#[boxed]
pub async fn advice(State(app): State<Arc<App>>) -> Result<Json<HistoryAdvice>, Problem> {
    let (now, workspace) = (app.gate.now(), app.workspace.folder().display().to_string());
    let told = ask(&app, move |_, index| {
        let Some(index) = index else { return Ok(HistoryAdvice::default()) };
        let asking = Asking { now, zone: TimeZone::system(), workspace: Some(workspace), plan: None };
        let (models, skills) = aside_history::advice(index, &asking)?;
        Ok(HistoryAdvice { models: models.into_iter().map(cheaper).collect(), skills: told_skills(&skills) })
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

fn cheaper(one: Cheaper) -> HistoryCheaper {
    HistoryCheaper {
        task: one.task,
        current: one.current,
        cheaper: one.cheaper,
        current_dollars: one.current_dollars,
        cheaper_dollars: one.cheaper_dollars,
        sessions: small(one.sessions),
        evidence: one.evidence.into_iter().map(place).collect(),
    }
}

fn place(Evidence { session_id: session, file, offset }: Evidence) -> HistoryPlace {
    HistoryPlace { session, file, offset }
}

/// The answer to `recommend_skills`; its evidence is in the order of what is recommended.
fn told_skills(answer: &Value) -> Vec<HistorySkill> {
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let places = answer["evidence"].as_array().into_iter().flatten();
    let mut places = places.map(|one| HistoryPlace {
        session: text(one, "session_id"),
        file: text(one, "file"),
        offset: one["offset"].as_i64().unwrap_or(0),
    });
    let all = answer["recommendations"].as_array().into_iter().flatten();
    all.map(|one| HistorySkill {
        description: text(one, "description"),
        name: text(one, "suggested_skill_name"),
        command: text(one, "accept_command"),
        sessions: one["sessions"].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0),
        evidence: places.next().into_iter().collect(),
    })
    .collect()
}
