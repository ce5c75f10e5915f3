//! `aside report daily|weekly|monthly|session|blocks`.

mod blocks;
pub mod table;
mod width;

use std::collections::{BTreeMap, BTreeSet};

use aside_core::{Failure, harmless};
use aside_history::{
    CostMode, Filter, History, ModelSums, Period, PeriodReport, PeriodRow, SessionReport, Sums, TimeZone, day, zone,
};
use serde_json::{Value, json};

use crate::{
    arguments::{Last, Mode, Order, Report, ReportBy, Which},
    commands::{
        history::{nothing as no_logs, told, up_to_date},
        statusline::times,
    },
    ended::Ended,
    output::{Output, on_one_line},
};
use table::{Look, Table};

/// Reads what is new, adds up, prints.
pub fn report(what: &Report, output: &Output) -> anyhow::Result<Ended> {
    if let Some(filter) = &what.which.understood.jq {
        let failure = Failure::new("bad_request", "reports can't filter their JSON");
        return Err(failure.hint(format!("Pipe it to jq: aside report --json | jq '{filter}'")).into());
    }
    let zone = zone(what.which.timezone.as_deref()).map_err(told)?;
    let filter = filter(&what.which, &zone)?;
    let (mut history, _) = up_to_date(output)?;
    let (logs, _) = history.index().counts().map_err(told)?;
    let (value, words) = match what.by.as_ref().unwrap_or(&ReportBy::Daily) {
        ReportBy::Session { id } => by_session(&history, &filter, &zone, id.as_deref(), &what.which)?,
        ReportBy::Blocks { active, recent, session_length, token_limit } => {
            let chosen =
                blocks::Chosen { active: *active, recent: *recent, hours: *session_length, limit: *token_limit };
            blocks::by_block(&history, &filter, &zone, &chosen, &what.which)?
        }
        by => {
            let found = aside_history::periods(history.index(), period(by), &filter, &zone).map_err(told)?;
            by_period(&history, found, by, &what.which)
        }
    };
    let value = if what.which.no_cost { without_cost(value) } else { value };
    output.result(&value, || match words {
        Some(words) => words,
        None if logs == 0 => no_logs(),
        None => nothing(what.by.as_ref()),
    });
    // A program may delete a log before anybody searches, so its words are read now. It does not matter to the report if that fails.
    let _ = history.read_texts();
    Ok(Ended::Done)
}

/// What is said where logs have nothing of what was asked about.
fn nothing(by: Option<&ReportBy>) -> String {
    let answered = match by {
        Some(ReportBy::Session { id: Some(id) }) => format!("no answers in a session `{}`", harmless(id)),
        _ => "no answers".to_owned(),
    };
    format!("{answered} for that time, folder and program")
}

/// Leaves out what is money, wherever it is.
fn without_cost(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let is_kept = |name: &str| !matches!(name, "cost" | "totalCost" | "costUSD" | "costPerHour");
            let kept = fields.into_iter().filter(|(name, _)| is_kept(name));
            kept.map(|(name, value)| (name, without_cost(value))).collect()
        }
        Value::Array(values) => values.into_iter().map(without_cost).collect(),
        other => other,
    }
}

fn filter(which: &Which, zone: &TimeZone) -> anyhow::Result<Filter> {
    let last = match &which.last {
        Some(Last::Since(ago)) => Some(ago.clone()),
        Some(Last::Lines(_)) | None => None,
    };
    let (since, until) = times(last.as_deref().or(which.since.as_deref()), which.until.as_deref(), zone)?;
    Ok(Filter {
        since,
        until,
        workspace: which.workspace.as_deref().map(asked_folder),
        sources: which.source.clone(),
        mode: match which.mode {
            Mode::Auto => CostMode::Auto,
            Mode::Calculate => CostMode::Calculate,
            Mode::Display => CostMode::Display,
        },
    })
}

/// A folder as filters take it: its path, or the name of one that may be anywhere.
pub fn asked_folder(text: &str) -> String {
    let is_path = matches!(text, "" | "." | "..") || text.contains(std::path::is_separator);
    if is_path { folder(text) } else { text.to_owned() }
}

/// A folder as the index has it: from the root.
pub fn folder(path: &str) -> String {
    match std::path::absolute(path) {
        Ok(path) => path.components().collect::<std::path::PathBuf>().display().to_string(),
        Err(_) => path.to_owned(),
    }
}

fn look(which: &Which) -> Look {
    Look { compact: which.compact, without_cost: which.no_cost, columns: width::columns() }
}

/// Leaves only the latest lines, if so many are asked for; they are in order of time.
fn latest<T>(rows: &mut Vec<T>, which: &Which) -> bool {
    match which.last {
        Some(Last::Lines(lines)) if lines < rows.len() => {
            rows.drain(..rows.len() - lines);
            true
        }
        _ => false,
    }
}

fn sum<'a>(sums: impl Iterator<Item = &'a Sums>) -> Sums {
    sums.fold(Sums::default(), |mut all, one| {
        all.join(one);
        all
    })
}

fn period(by: &ReportBy) -> Period {
    match by {
        ReportBy::Weekly { start_of_week } => Period::Week(*start_of_week),
        ReportBy::Monthly => Period::Month,
        _ => Period::Day,
    }
}

/// The words for a report's list and the name of its lines, as programs know them, and the head of its column.
fn named(by: &ReportBy) -> (&'static str, &'static str, &'static str) {
    match by {
        ReportBy::Weekly { .. } => ("weekly", "week", "Week"),
        ReportBy::Monthly => ("monthly", "month", "Month"),
        _ => ("daily", "date", "Date"),
    }
}

fn by_period(history: &History, mut found: PeriodReport, by: &ReportBy, which: &Which) -> (Value, Option<String>) {
    let (list, name, head) = named(by);
    if latest(&mut found.rows, which) {
        found.totals = sum(found.rows.iter().map(|row| &row.sums));
        let kept: Vec<&str> = found.rows.iter().map(|row| row.period.as_str()).collect();
        found.workspaces.values_mut().for_each(|rows| rows.retain(|row| kept.contains(&row.period.as_str())));
        found.workspaces.retain(|_, rows| !rows.is_empty());
    }
    if which.order == Some(Order::Desc) {
        found.rows.reverse();
        found.workspaces.values_mut().for_each(|rows| rows.reverse());
    }
    let line = |row: &PeriodRow| {
        let mut value = json!(row);
        value[name] = row.period.clone().into();
        value
    };
    let lines = |rows: &[PeriodRow]| rows.iter().map(line).collect::<Vec<_>>();
    let value = if which.instances {
        let folders: BTreeMap<_, _> = found.workspaces.iter().map(|(folder, rows)| (folder, lines(rows))).collect();
        json!({ "projects": folders, "totals": found.totals })
    } else {
        json!({ list: lines(&found.rows), "totals": found.totals })
    };
    let value = with_retired(value, history, names(found.rows.iter().flat_map(|row| &row.model_breakdowns)));
    if found.rows.is_empty() {
        return (value, None);
    }
    let mut table = Table::new(head, look(which));
    if which.instances {
        for (folder, rows) in &found.workspaces {
            table.heading(&on_one_line(folder));
            rows.iter().for_each(|row| period_lines(&mut table, row, which));
        }
    } else {
        found.rows.iter().for_each(|row| period_lines(&mut table, row, which));
    }
    table.total(&found.totals);
    let words = table.text()
        + &unpriced(history, found.rows.iter().flat_map(|row| &row.model_breakdowns), &found.totals, which);
    (value, Some(words))
}

fn period_lines(table: &mut Table, row: &PeriodRow, which: &Which) {
    table.line(&row.period, &row.models_used, &row.sums, None);
    if which.breakdown {
        row.model_breakdowns.iter().for_each(|model| table.model(model));
    }
}

/// All sessions, or the one with an id.
fn by_session(
    history: &History,
    filter: &Filter,
    zone: &TimeZone,
    id: Option<&str>,
    which: &Which,
) -> anyhow::Result<(Value, Option<String>)> {
    let mut found = aside_history::sessions(history.index(), filter).map_err(told)?;
    if let Some(Last::Lines(lines)) = which.last {
        let mut latest: Vec<Option<String>> = found.rows.iter().map(|row| row.last_activity.clone()).collect();
        latest.sort_unstable_by(|one, two| two.cmp(one));
        if let Some(oldest) = latest.get(lines - 1) {
            found.rows.retain(|row| row.last_activity >= *oldest);
            found.rows.truncate(lines);
            found.totals = sum(found.rows.iter().map(|row| &row.sums));
        }
    }
    if let Some(id) = id {
        found.only(id);
    }
    if which.order == Some(Order::Asc) {
        found.rows.reverse();
    }
    let value = json!({ "sessions": found.rows, "totals": found.totals });
    let value = with_retired(value, history, names(found.rows.iter().flat_map(|row| &row.model_breakdowns)));
    if found.rows.is_empty() {
        return Ok((value, None));
    }
    let SessionReport { rows, totals } = found;
    let mut table = Table::new("Session", look(which)).with_last("Last Activity");
    for row in &rows {
        let last = row.last_activity.as_deref().and_then(|at| at.parse().ok());
        let day = last.map_or_else(|| "unknown".to_owned(), |at| day(at, zone).to_string());
        let name = row.title.as_deref().map_or_else(|| row.session_id.clone(), harmless_line);
        table.line(&name, &row.models_used, &row.sums, Some(&day));
        if which.breakdown {
            row.model_breakdowns.iter().for_each(|model| table.model(model));
        }
    }
    table.total(&totals);
    let words = table.text() + &unpriced(history, rows.iter().flat_map(|row| &row.model_breakdowns), &totals, which);
    Ok((value, Some(words)))
}

/// The beginning of a text as one line.
fn harmless_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ").chars().take(40).collect()
}

/// Names the models that are served no more, whose price is the last that their makers published, where there are any.
fn with_retired<'a>(mut value: Value, history: &History, models: impl Iterator<Item = &'a str>) -> Value {
    let retired: BTreeSet<&str> = models.filter(|name| history.prices().is_retired(name)).collect();
    if !retired.is_empty() {
        value["retiredModels"] = json!(retired);
    }
    value
}

fn names<'a>(models: impl Iterator<Item = &'a ModelSums>) -> impl Iterator<Item = &'a str> {
    models.map(|model| model.model_name.as_str())
}

/// What is not in the sums of money, and what is in them without being known exactly.
fn unpriced<'a>(
    history: &History,
    models: impl Iterator<Item = &'a ModelSums>,
    totals: &Sums,
    which: &Which,
) -> String {
    if which.no_cost {
        return String::new();
    }
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for model in models {
        *by_name.entry(&model.model_name).or_default() += model.sums.unpriced;
    }
    let mut text = String::new();
    for (name, count) in by_name {
        if count > 0 {
            let are = if count == 1 { "response" } else { "responses" };
            text += &format!("\n? {count} {are} of {} without a known price, not in the cost", on_one_line(name));
        }
        if history.prices().is_retired(name) {
            text += &format!("\n{} is retired: its last published price applies", on_one_line(name));
        }
    }
    if totals.estimated > 0 {
        let (are, their) = if totals.estimated == 1 { ("response is", "its") } else { ("responses are", "their") };
        text +=
            &format!("\n~ {} {are} estimated: the log lacks details that {their} price depends on", totals.estimated);
    }
    if totals.exact > 0 {
        text += &format!("\n{} of {} responses have the cost given in their log", totals.exact, totals.responses);
    }
    text
}
