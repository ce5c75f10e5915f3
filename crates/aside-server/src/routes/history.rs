//! `history`: the person's AI coding history as pages show it.

mod advice;
mod changes;
mod pull;
mod told;

use std::sync::Arc;

use aside_core::{Failure, Timestamp};
use aside_history::{
    Filter, HistoryError, Index, Listing, Plan, Playback, Settings, SettingsFile, Source, Step, TimeZone, Unread,
    Until, by_id, resumed_from, retired, risk_line, zone,
};
use aside_macros::boxed;
use aside_protocol::{
    HistoryDashboard, HistoryPage, HistoryPlayback, HistoryProblem, HistoryProblems, HistoryResumed, HistoryRisk,
    HistorySessions, HistorySettings, HistoryStanding, HistoryStep,
};
use aside_store::DataFolder;
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    hosts::clone_in,
    problem::{Asked, Body, Named, Problem},
};
pub use advice::advice;
pub use changes::{pulls, runs};
pub use pull::pull;
use told::{small, told_dashboard, told_entry, told_file, told_piece, told_plan, told_session, told_skip};

/// Rows of a page.
const PAGE: usize = 50;
/// Entries of a session in a page.
const ENTRIES: usize = 200;

/// How it stands.
#[boxed]
pub async fn standing(State(app): State<Arc<App>>) -> Result<Json<HistoryStanding>, Problem> {
    let (reading, trouble) = (app.history.is_reading(), app.history.trouble());
    let here = app.workspace.folder().to_owned();
    let standing = ask(&app, move |folder, index| {
        let (settings, problem) = match SettingsFile::of(folder).read() {
            Ok(settings) => (settings, None),
            Err(error) => (Settings { import: false, plan: None }, Some(error.to_string())),
        };
        let (files, problems) = index.map_or(Ok((0, 0)), Index::counts)?;
        let texts_left = index.map_or(Ok(0), Index::texts_left)?;
        let plan = settings.plan.map(|plan| told_plan(&plan));
        Ok(HistoryStanding {
            import: settings.import,
            reading,
            files: small(files),
            texts_left: small(texts_left),
            problems: small(problems),
            skipped: index.map_or(Ok(Vec::new()), Index::skipped)?.into_iter().map(told_skip).collect(),
            problem: problem.or(trouble),
            plan,
            repos: index.map_or(Ok(Vec::new()), Index::repositories)?,
            clone: clone_in(&here).map(|clone| clone.of),
        })
    });
    Ok(Json(standing.await?.unwrap_or_default()))
}

/// What could not be read, from a row on.
#[boxed]
pub async fn problems(
    State(app): State<Arc<App>>,
    Asked(From { from }): Asked<From>,
) -> Result<Json<HistoryProblems>, Problem> {
    let told = ask(&app, move |_, index| {
        let mut found = index.map_or(Ok(Vec::new()), |index| index.unread(from, PAGE + 1))?;
        let more = found.len() > PAGE;
        found.truncate(PAGE);
        let problem = |one: Unread| HistoryProblem { path: one.path, offset: one.offset, reason: one.reason };
        Ok(HistoryProblems { problems: found.into_iter().map(problem).collect(), more })
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

/// Keeps what the person says of their history.
#[boxed]
pub async fn set(
    State(app): State<Arc<App>>,
    Body(body): Body<HistorySettings>,
) -> Result<Json<HistoryStanding>, Problem> {
    let plan = body.plan.map(|plan| Plan { name: plan.name, monthly_usd: plan.monthly_usd, reset_day: plan.reset_day });
    if let Some(plan) = &plan
        && (plan.dollars().is_none() || !(1..=31).contains(&plan.reset_day))
    {
        let hint =
            "known plans are claude-pro, claude-max, cursor-pro and cursor-max; any other plan needs an amount above 0";
        return Err(Problem::bad_request("a plan has an amount per month, and a day from 1 to 31").hint(hint));
    }
    let folder = app
        .history
        .folder
        .clone()
        .ok_or_else(|| Failure::new("no_folder", "there is no data folder to store this in"))?;
    let settings = Settings { import: body.import, plan };
    blocking(move || SettingsFile::of(&folder).write(&settings)).await?.map_err(Failure::from)?;
    app.history.settings_changed();
    standing(State(app)).await
}

/// Which time, folder and program.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    since: Option<String>,
    until: Option<String>,
    workspace: Option<String>,
    program: Option<String>,
    /// The reader's own zone.
    timezone: Option<String>,
}

impl Which {
    fn zone(&self) -> Result<TimeZone, HistoryError> {
        zone(self.timezone.as_deref())
    }

    fn source(&self) -> Result<Option<Source>, HistoryError> {
        let parsed =
            self.program.as_deref().filter(|program| !program.is_empty()).map(str::parse::<Source>).transpose();
        parsed.map_err(|error| HistoryError::Asked(error.to_string()))
    }

    fn times(&self, now: Timestamp) -> Result<(Option<Timestamp>, Option<Timestamp>), HistoryError> {
        let zone = self.zone()?;
        let at = |text: &Option<String>, end| {
            text.as_deref()
                .filter(|text| !text.is_empty())
                .map(|text| Filter::moment(text, end, &zone, now))
                .transpose()
        };
        Ok((at(&self.since, Until::Start)?, at(&self.until, Until::End)?))
    }

    fn filter(&self, now: Timestamp) -> Result<Filter, HistoryError> {
        let (since, until) = self.times(now)?;
        let workspace = self.workspace.clone().filter(|path| !path.is_empty());
        Ok(Filter { since, until, workspace, sources: self.source()?.into_iter().collect(), ..Filter::default() })
    }
}

/// Sums for charts.
#[boxed]
pub async fn dashboard(
    State(app): State<Arc<App>>,
    Asked(which): Asked<Which>,
) -> Result<Json<HistoryDashboard>, Problem> {
    let now = app.gate.now();
    let told = ask(&app, move |folder, index| {
        let (filter, zone) = (which.filter(now)?, which.zone()?);
        let Some(index) = index else { return Ok(HistoryDashboard::default()) };
        let told = aside_history::dashboard(index, &filter, &zone)?;
        let retired = retired(folder, told.models.iter().map(|model| model.name.as_str()));
        let plan = SettingsFile::of(folder).read().ok().and_then(|settings| settings.plan);
        let course = plan.and_then(|plan| Some((plan.dollars()?, plan.course(index, now, &zone).ok()?)));
        Ok(told_dashboard(told, retired, course))
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

/// Which sessions, and from which on.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhichSessions {
    query: Option<String>,
    since: Option<String>,
    until: Option<String>,
    workspace: Option<String>,
    program: Option<String>,
    timezone: Option<String>,
    #[serde(default)]
    from: usize,
}

/// A page of sessions.
#[boxed]
pub async fn sessions(
    State(app): State<Arc<App>>,
    Asked(which): Asked<WhichSessions>,
) -> Result<Json<HistorySessions>, Problem> {
    let now = app.gate.now();
    let told = ask(&app, move |_, index| {
        let WhichSessions { query, since, until, workspace, program, timezone, from } = which;
        let which = Which { since, until, workspace, program, timezone };
        let filter = which.filter(now)?;
        let Some(index) = index else { return Ok(HistorySessions::default()) };
        let Filter { since, until, workspace, .. } = filter;
        let listing = Listing { query, source: which.source()?, workspace, since, until, from, most: PAGE };
        let (sessions, more) = aside_history::list(index, &listing)?;
        Ok(HistorySessions { sessions: sessions.into_iter().map(told_session).collect(), more })
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

/// Which file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhichFile {
    path: String,
    timezone: Option<String>,
}

/// What went wrong with changes to a file before, in a few words.
#[boxed]
pub async fn risk(
    State(app): State<Arc<App>>,
    Asked(WhichFile { path, timezone }): Asked<WhichFile>,
) -> Result<Json<HistoryRisk>, Problem> {
    let now = app.gate.now();
    let path = app.workspace.folder().join(path).display().to_string();
    let told = ask(&app, move |_, index| {
        let line = index.map(|index| risk_line(index, &path, now, &zone(timezone.as_deref())?)).transpose()?;
        Ok(HistoryRisk { line: line.flatten() })
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

/// Which part of a session.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From {
    #[serde(default)]
    from: usize,
}

/// A page of what happened in a session.
#[boxed]
pub async fn session(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(From { from }): Asked<From>,
) -> Result<Json<HistoryPage>, Problem> {
    let told = ask(&app, move |_, index| {
        let index = index.ok_or_else(no_session)?;
        let session = by_id(index, &id)?;
        let timeline = aside_history::timeline(index, &session, from, ENTRIES)?;
        let entries = timeline.entries.into_iter().map(told_entry).collect();
        let before = resumed_from(index, &session)?;
        let before = before.map(|place| {
            let session = told_session(by_id(index, &place.session_id)?);
            Ok::<_, HistoryError>(HistoryResumed { session, file: place.file, offset: place.offset })
        });
        let resumed_from = before.transpose()?;
        Ok(HistoryPage { session: told_session(session), resumed_from, entries, more: timeline.more })
    });
    told.await?.map(Json).ok_or_else(|| Problem::not_found("there is no such session"))
}

/// Which moment, and whose text.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// After so many steps; all if absent.
    step: Option<usize>,
    /// The file whose text is wanted.
    path: Option<String>,
}

/// The files of a session after a step.
#[boxed]
pub async fn playback(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(Moment { step, path }): Asked<Moment>,
) -> Result<Json<HistoryPlayback>, Problem> {
    let told = ask(&app, move |_, index| {
        let index = index.ok_or_else(no_session)?;
        let playback = Playback::of(index, &by_id(index, &id)?)?;
        let until = || playback.steps.iter().take(step.unwrap_or(usize::MAX));
        let played = playback.files(until());
        let is_wanted = |known: &str| path.as_deref() == Some(known);
        let known = played.files.iter().any(|file| is_wanted(&file.path) && file.complete);
        let mut pieces = until().filter(|step| !known && is_wanted(&step.path)).map(Step::pieces);
        let change = pieces.rfind(|pieces| !pieces.is_empty()).unwrap_or_default();
        let change = change.into_iter().map(told_piece).collect();
        let files = played.files.into_iter().map(|file| told_file(file, path.as_deref())).collect();
        let steps = playback.steps.iter();
        let steps = steps.map(|step| HistoryStep { at: step.at, path: step.path.clone(), name: step.name.clone() });
        Ok(HistoryPlayback { steps: steps.collect(), files, change, warnings: played.warnings })
    });
    told.await?.map(Json).ok_or_else(|| Problem::not_found("there is no such session"))
}

fn no_session() -> HistoryError {
    HistoryError::Asked("session not found".to_owned())
}

/// Asks the index, if there is one. None without a folder to keep one in.
async fn ask<T: Send + 'static>(
    app: &App,
    question: impl FnOnce(&DataFolder, Option<&Index>) -> Result<T, HistoryError> + Send + 'static,
) -> Result<Option<T>, Problem> {
    let Some(folder) = app.history.folder.clone() else { return Ok(None) };
    let asked = blocking(move || {
        let index = Index::open_to_read(&folder)?;
        question(&folder, index.as_ref())
    });
    match asked.await? {
        Ok(told) => Ok(Some(told)),
        Err(HistoryError::Asked(what)) if what == "session not found" => Ok(None),
        Err(error) => Err(error.failure().into()),
    }
}
