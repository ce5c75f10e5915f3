//! What was spent, in all and in a folder.

use std::collections::{BTreeMap, BTreeSet};

use aside_core::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::{Asking, Evidence, args::Arguments, dearest::dearest, sessions::slug, told};
use crate::{
    Filter, HistoryError, Index, Until,
    report::{Names, day_start, each_row, names},
};

const DAY: i64 = 86_400_000;

fn dollars(picodollars: u64) -> f64 {
    super::dollars(i64::try_from(picodollars).unwrap_or(i64::MAX))
}

#[derive(Serialize)]
struct Summary<'a> {
    period: &'a str,
    label: &'a str,
    since: Option<String>,
    until: String,
    total_cost_usd: f64,
    total_messages: u64,
    total_sessions: usize,
    unpriced_messages: u64,
    top_projects: Vec<Folder>,
    /// The answers that cost most.
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct Folder {
    slug: String,
    path: String,
    cost_usd: f64,
    messages: u64,
    sessions: usize,
}

#[derive(Serialize)]
struct Project {
    slug: String,
    provider: Option<String>,
    display_name: Option<String>,
    path: String,
    sessions: usize,
    messages: u64,
    cost_usd: f64,
    first_message_ts: Option<String>,
    last_message_ts: Option<String>,
    /// The answers that cost most.
    evidence: Vec<Evidence>,
}

#[derive(Default)]
struct Spent {
    picodollars: u64,
    responses: u64,
    unpriced: u64,
    sessions: BTreeSet<i64>,
}

/// Sums of a period, with the dearest folders.
pub fn summary(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let period = arguments.text("period").unwrap_or("month");
    let today = day_start(asking.now, &asking.zone);
    let (label, since) = match period {
        "today" => ("today", Some(today)),
        "7days" => ("last 7 days", Some(today.plus(-6 * DAY))),
        "30days" => ("last 30 days", Some(today.plus(-29 * DAY))),
        "month" => ("this month", Some(month_start(asking)?)),
        "all" => ("all time", None),
        other => {
            let known = "today, 7days, 30days, month or all";
            return Err(HistoryError::Asked(format!("Unknown period `{other}`: use {known}")));
        }
    };
    let filter = Filter { since, ..Filter::default() };
    let (all, folders) = spent(index, &filter)?;
    let mut top: Vec<(String, Spent)> = folders.into_iter().collect();
    top.sort_by(|one, two| two.1.picodollars.cmp(&one.1.picodollars).then_with(|| one.0.cmp(&two.0)));
    top.truncate(usize::try_from(arguments.limit(10, 25)).unwrap_or(1));
    let line = |(path, spent): (String, Spent)| Folder {
        slug: slug(&path),
        cost_usd: dollars(spent.picodollars),
        messages: spent.responses,
        sessions: spent.sessions.len(),
        path,
    };
    told(&Summary {
        period,
        label,
        since: since.map(|at| at.to_string()),
        until: asking.now.to_string(),
        total_cost_usd: dollars(all.picodollars),
        total_messages: all.responses,
        total_sessions: all.sessions.len(),
        unpriced_messages: all.unpriced,
        top_projects: top.into_iter().map(line).collect(),
        evidence: dearest(index, since, None)?,
    })
}

/// All that is known of one folder.
pub fn project(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let name = arguments.text("slug").or(asking.workspace.as_deref());
    let name = name.ok_or_else(|| HistoryError::Asked("slug is required".to_owned()))?;
    let (_, folders) = spent(index, &Filter::default())?;
    let found = folders.into_iter().find(|(path, _)| path == name || slug(path) == name);
    let Some((path, spent)) = found else {
        return Err(HistoryError::Asked(format!("no project `{name}`")));
    };
    let mut about = index.connection().prepare_cached(
        "SELECT MIN(first), MAX(last), GROUP_CONCAT(DISTINCT source) FROM session
         JOIN workspace ON workspace.id = session.workspace WHERE path = ?",
    )?;
    let (first, last, source) = about.query_row([&path], |row| {
        Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let at = |at: Option<i64>| at.map(|at| Timestamp(at).to_string());
    told(&Project {
        slug: slug(&path),
        provider: source,
        display_name: path.rsplit('/').next().map(str::to_owned),
        sessions: spent.sessions.len(),
        messages: spent.responses,
        cost_usd: dollars(spent.picodollars),
        first_message_ts: at(first),
        last_message_ts: at(last),
        evidence: dearest(index, None, Some(&path))?,
        path,
    })
}

fn month_start(asking: &Asking) -> Result<Timestamp, HistoryError> {
    let day = crate::report::day(asking.now, &asking.zone);
    let first = format!("{:04}-{:02}-01", day.year(), day.month());
    Filter::moment(&first, Until::Start, &asking.zone, asking.now)
}

/// What was spent in all, and by folder.
fn spent(index: &Index, filter: &Filter) -> Result<(Spent, BTreeMap<String, Spent>), HistoryError> {
    let paths = names(index, Names::Workspaces)?;
    let (mut all, mut folders) = (Spent::default(), BTreeMap::<i64, Spent>::new());
    each_row(index, filter, |row| {
        for sum in [&mut all, folders.entry(row.workspace).or_default()] {
            sum.picodollars = sum.picodollars.saturating_add(row.picodollars);
            sum.responses += 1;
            sum.unpriced += u64::from(row.kind == crate::CostKind::Unknown);
            sum.sessions.insert(row.session);
        }
    })?;
    let named = |(id, sum)| (paths.get(&id).map_or_else(|| "unknown".to_owned(), String::clone), sum);
    Ok((all, folders.into_iter().map(named).collect()))
}
