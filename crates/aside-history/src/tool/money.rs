//! What was spent, in all and in a folder.

use std::collections::{BTreeMap, BTreeSet};

use aside_core::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::Value;

use super::{Asking, Evidence, args::Arguments, dearest::dearest, sessions::slug, told};
use crate::{
    Filter, HistoryError, Index, Until,
    report::{Names, day, each_row, names},
};

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
    let today = day(asking.now, &asking.zone);
    // By the calendar: a day on which clocks change has other than 24 hours.
    let days_ago = |days: i32| start(today.saturating_sub(jiff::Span::new().days(days)), asking);
    let (label, since) = match period {
        "today" => ("today", Some(days_ago(0)?)),
        "7days" => ("last 7 days", Some(days_ago(6)?)),
        "30days" => ("last 30 days", Some(days_ago(29)?)),
        "month" => ("this month", Some(start(today.first_of_month(), asking)?)),
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
    let path = names(index, Names::Workspaces)?.into_values().filter(|path| path == name || slug(path) == name).min();
    let Some(path) = path else {
        return Err(HistoryError::Asked(format!("no project `{name}`")));
    };
    let mut spent = spent(index, &Filter::default())?.1.remove(&path).unwrap_or_default();
    let mut about = index.connection().prepare_cached(
        "SELECT first, last, source, session.id FROM session
         JOIN workspace ON workspace.id = session.workspace WHERE path = ?",
    )?;
    let (mut first, mut last, mut sources) = (None::<i64>, None::<i64>, BTreeSet::new());
    let mut rows = about.query([&path])?;
    while let Some(row) = rows.next()? {
        let (began, ended): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(1)?);
        first = [first, began].into_iter().flatten().min();
        last = last.max(ended);
        sources.insert(row.get::<_, String>(2)?);
        // One in which no model answered is one, too.
        spent.sessions.insert(row.get(3)?);
    }
    let source = (!sources.is_empty()).then(|| sources.into_iter().collect::<Vec<_>>().join(","));
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

/// When a day begins.
fn start(day: Date, asking: &Asking) -> Result<Timestamp, HistoryError> {
    Filter::moment(&day.to_string(), Until::Start, &asking.zone, asking.now)
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
