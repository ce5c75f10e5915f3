//! What was spent, in all and in a folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aside_core::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::Value;

use super::{
    Asking, Evidence,
    args::Arguments,
    bounds::Bounds,
    dearest::{dearest, dearest_in},
    folders, is_nothing, told,
};
use crate::{
    CostKind, Filter, HistoryError, Index, Until,
    report::{Names, Row, day, each_row, names, slug},
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
    /// Answers that are dated after the end of the period: the clock of some log was wrong.
    #[serde(skip_serializing_if = "is_nothing")]
    later_messages: u64,
    #[serde(flatten)]
    known: Known,
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
    #[serde(skip_serializing_if = "is_nothing")]
    unpriced_messages: u64,
    #[serde(skip_serializing_if = "is_nothing")]
    estimated_cost_usd: f64,
}

/// How well a sum is known.
#[derive(Serialize)]
struct Known {
    /// Answers whose cost is in no sum: nobody knows the price of their model.
    unpriced_messages: u64,
    /// Those models, with how many answers of each.
    unpriced_models: BTreeMap<String, u64>,
    /// What of the sum is a guess.
    estimated_cost_usd: f64,
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
    #[serde(flatten)]
    known: Known,
    first_message_ts: Option<String>,
    last_message_ts: Option<String>,
    /// The answers that cost most.
    evidence: Vec<Evidence>,
}

/// What was spent in a session with one model.
struct OfSession {
    responses: u64,
    picodollars: u64,
    estimated: u64,
    unpriced: u64,
}

#[derive(Default)]
struct Spent {
    picodollars: u64,
    estimated: u64,
    responses: u64,
    /// By the number of their model.
    unpriced: BTreeMap<i64, u64>,
    sessions: BTreeSet<i64>,
}

impl Spent {
    fn add(&mut self, row: &Row) {
        self.picodollars = self.picodollars.saturating_add(row.picodollars);
        self.responses += 1;
        self.sessions.insert(row.session);
        match row.kind {
            CostKind::Estimated => self.estimated = self.estimated.saturating_add(row.picodollars),
            CostKind::Unknown => *self.unpriced.entry(row.model).or_default() += 1,
            CostKind::Exact | CostKind::Priced => {}
        }
    }

    /// Adds the sums of a session and a model.
    fn add_session(&mut self, session: i64, model: i64, sums: &OfSession) {
        self.picodollars = self.picodollars.saturating_add(sums.picodollars);
        self.estimated = self.estimated.saturating_add(sums.estimated);
        self.responses += sums.responses;
        self.sessions.insert(session);
        if sums.unpriced > 0 {
            *self.unpriced.entry(model).or_default() += sums.unpriced;
        }
    }

    fn known(&self, models: &HashMap<i64, String>) -> Known {
        let named = |(model, count): (&i64, &u64)| {
            (models.get(model).map_or_else(|| "no model named".to_owned(), String::clone), *count)
        };
        Known {
            unpriced_messages: self.unpriced.values().sum(),
            unpriced_models: self.unpriced.iter().map(named).collect(),
            estimated_cost_usd: dollars(self.estimated),
        }
    }
}

/// Sums of a period, with the dearest folders.
pub fn summary(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let bounds = Bounds::of(arguments, asking)?;
    let is_bound = bounds.since.is_some() || bounds.until.is_some();
    let period = arguments.text("period").unwrap_or(if is_bound { "all" } else { "month" });
    let today = day(asking.now, &asking.zone);
    // By the calendar: a day on which clocks change has other than 24 hours.
    let days_ago = |days: i32| start(today.saturating_sub(jiff::Span::new().days(days)), asking);
    let (label, since) = match period {
        "today" => ("today", Some(days_ago(0)?)),
        "7days" => ("last 7 days", Some(days_ago(6)?)),
        "30days" => ("last 30 days", Some(days_ago(29)?)),
        "month" => ("this month", Some(start(today.first_of_month(), asking)?)),
        "all" if is_bound => ("from since to until", None),
        "all" => ("all time", None),
        other => {
            let known = "today, 7days, 30days, month or all";
            return Err(HistoryError::Asked(format!("Unknown period `{other}`: use {known}")));
        }
    };
    // What is told is what was looked at: the period, as far as the bounds leave it.
    let (since, until) = (since.max(bounds.since), bounds.until.unwrap_or(asking.now));
    if is_bound && since.is_some_and(|since| since >= until) {
        return Err(HistoryError::Asked(format!(
            "the period `{period}` has no day between since and until: omit `period` to include all days between them"
        )));
    }
    let filter = Filter { since, ..Filter::default() };
    let (all, folders, later_messages) = spent(index, &filter, until)?;
    let mut top: Vec<(String, Spent)> = folders.into_iter().collect();
    top.sort_by(|one, two| two.1.picodollars.cmp(&one.1.picodollars).then_with(|| one.0.cmp(&two.0)));
    top.truncate(usize::try_from(arguments.limit(10, 25)).unwrap_or(1));
    let line = |(path, spent): (String, Spent)| Folder {
        slug: slug(&path),
        cost_usd: dollars(spent.picodollars),
        messages: spent.responses,
        sessions: spent.sessions.len(),
        unpriced_messages: spent.unpriced.values().sum(),
        estimated_cost_usd: dollars(spent.estimated),
        path,
    };
    told(&Summary {
        period,
        label,
        since: since.map(|at| at.to_string()),
        until: until.to_string(),
        total_cost_usd: dollars(all.picodollars),
        total_messages: all.responses,
        total_sessions: all.sessions.len(),
        later_messages,
        known: all.known(&names(index, Names::Models)?),
        top_projects: top.into_iter().map(line).collect(),
        evidence: dearest(index, (since, Some(until)), None)?,
    })
}

/// All that is known of one folder.
pub fn project(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let name = arguments.text("slug").or(asking.workspace.as_deref());
    let name = name.ok_or_else(|| HistoryError::Asked("slug is required".to_owned()))?;
    let path = folders::one(index, &folders::asked(name, asking))?;
    let bounds = Bounds::of(arguments, asking)?;
    let is_whole = bounds == Bounds::default();
    let mut spent = if is_whole {
        spent_in(index, &path)?
    } else {
        let filter = Filter { since: bounds.since, until: bounds.until, ..Filter::default() };
        spent(index, &filter, Timestamp(i64::MAX))?.1.remove(&path).unwrap_or_default()
    };
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
        known: spent.known(&names(index, Names::Models)?),
        first_message_ts: at(first),
        last_message_ts: at(last),
        evidence: if is_whole { dearest_in(index, &path)? } else { dearest(index, (None, None), Some(&path))? },
        path,
    })
}

/// When a day begins.
fn start(day: Date, asking: &Asking) -> Result<Timestamp, HistoryError> {
    Filter::moment(&day.to_string(), Until::Start, &asking.zone, asking.now)
}

/// All that was spent in a folder, by the sums that are kept of each session.
fn spent_in(index: &Index, folder: &str) -> Result<Spent, HistoryError> {
    let mut all = index.connection().prepare_cached(
        "SELECT session, model, responses, picodollars, estimated, unpriced FROM spent
         WHERE workspace = (SELECT id FROM workspace WHERE path = ?)",
    )?;
    let mut rows = all.query([folder])?;
    let mut spent = Spent::default();
    while let Some(row) = rows.next()? {
        let sum = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
        let sums = OfSession { responses: sum(2)?, picodollars: sum(3)?, estimated: sum(4)?, unpriced: sum(5)? };
        spent.add_session(row.get(0)?, row.get(1)?, &sums);
    }
    Ok(spent)
}

/// What was spent before a time in all, and by folder; and how many answers are dated later.
fn spent(
    index: &Index,
    filter: &Filter,
    until: Timestamp,
) -> Result<(Spent, BTreeMap<String, Spent>, u64), HistoryError> {
    let paths = names(index, Names::Workspaces)?;
    let (mut all, mut folders, mut later) = (Spent::default(), BTreeMap::<i64, Spent>::new(), 0);
    each_row(index, filter, |row| {
        if row.at.is_some_and(|at| at >= until) {
            later += 1;
            return;
        }
        for sum in [&mut all, folders.entry(row.workspace).or_default()] {
            sum.add(&row);
        }
    })?;
    let named = |(id, sum)| (paths.get(&id).map_or_else(|| "unknown".to_owned(), String::clone), sum);
    Ok((all, folders.into_iter().map(named).collect(), later))
}
