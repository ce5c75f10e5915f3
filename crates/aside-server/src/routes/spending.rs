//! `spending`: what models have cost here, and what may be spent.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use aside_agent::{CallRecord, LimitsError, SpendingLimits as Limits, TaskQuery};
use aside_core::{Cost, Failure, TaskId, ThreadId, TurnId, Usage};
use aside_macros::boxed;
use aside_protocol::{DaySpending, ModelSpending, SpendingLimits, SpendingSum, SpendingView, SumsBy};
use axum::{Extension, Json, extract::State};
use serde::Deserialize;
use serde_json::json;

use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Body, Problem},
    routes::prices,
};

/// Days that are shown.
const DAYS: usize = 31;

/// The account of this workspace.
#[boxed]
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<SpendingView>, Problem> {
    let spending = app.agents.spending();
    let (today, calls) = (spending.today()?, spending.calls()?);
    let (limits, problem) = match spending.limits() {
        Ok(limits) => (limits, None),
        Err(mistake) => (Limits::default(), Some(mistake)),
    };
    Ok(Json(SpendingView {
        today,
        total: calls.iter().fold(Cost::default(), |sum, call| sum.plus(&call.cost)),
        days: days(&calls),
        models: models(&calls),
        limits: shown(&limits),
        problem,
        warning: spending.warning(&today),
        file: spending.file().map(|path| path.display().to_string()),
        prices: spending.prices().lists().map(prices::list).collect(),
    }))
}

fn shown(limits: &Limits) -> SpendingLimits {
    let Limits { turn, task, thread, day, workspace, .. } = *limits;
    SpendingLimits { turn, task, thread, day, workspace }
}

/// Changes what may be spent, in the person's file.
#[boxed]
pub async fn set_limits(
    State(app): State<Arc<App>>,
    Extension(asker): Extension<Shown>,
    Body(wanted): Body<SpendingLimits>,
) -> Result<Json<SpendingView>, Problem> {
    let changing = app.clone();
    let before = app.agents.spending().limits().map(|limits| shown(&limits)).unwrap_or_default();
    let more = is_more(&before, &wanted);
    let args = json!({ "before": before, "limits": wanted });
    let SpendingLimits { turn, task, thread, day, workspace } = wanted;
    let limits = Limits { turn, task, thread, day, workspace, ..Limits::default() };
    let changed = blocking(move || changing.agents.spending().set_limits(&limits)).await?;
    changed.map_err(|error| {
        let code = match error {
            LimitsError::NoFolder => "no_folder",
            LimitsError::Mistake(_) => "bad_request",
            LimitsError::Io(_) => "io",
        };
        Failure::new(code, error.to_string())
    })?;
    let words = if more { "a spending limit was raised" } else { "the spending limits were changed" };
    app.note_set("spending.set_limits", args, words, asker).await?;
    get(State(app)).await
}

/// A limit is gone or higher.
fn is_more(before: &SpendingLimits, wanted: &SpendingLimits) -> bool {
    let of = |limits: &SpendingLimits, name| limits.set().find_map(|(of, limit)| (of == name).then_some(limit));
    before.set().any(|(name, limit)| of(wanted, name).is_none_or(|now| now > limit))
}

/// What to add up by.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    by: SumsBy,
}

/// Adds the calls up.
#[boxed]
pub async fn sums(
    State(app): State<Arc<App>>,
    Asked(Wanted { by }): Asked<Wanted>,
) -> Result<Json<Vec<SpendingSum>>, Problem> {
    let calls = app.agents.spending().calls()?;
    let names = names(&app, by)?;
    Ok(Json(added_up(&calls, by, &names)))
}

/// What people call each turn, thread or task, and which task a turn belongs to.
#[derive(Default)]
struct Names {
    threads: HashMap<ThreadId, String>,
    tasks: HashMap<TurnId, (TaskId, String)>,
}

fn names(app: &App, by: SumsBy) -> Result<Names, Problem> {
    let mut names = Names::default();
    if by == SumsBy::Task {
        for task in app.tasks.list(&TaskQuery::default(), usize::MAX)? {
            names.tasks.extend(task.turns.into_iter().map(|turn| (turn, (task.id.clone(), task.goal.clone()))));
        }
    }
    if matches!(by, SumsBy::Thread | SumsBy::Turn) {
        names.threads = app.agents.threads(None)?.into_iter().map(|thread| (thread.id, thread.title)).collect();
    }
    Ok(names)
}

fn added_up(calls: &[CallRecord], by: SumsBy, names: &Names) -> Vec<SpendingSum> {
    let mut sums: BTreeMap<String, SpendingSum> = BTreeMap::new();
    for record in calls {
        let Some((of, name)) = of(record, by, names) else { continue };
        let (calls, usage, cost) = (0, Usage::default(), Cost::default());
        let sum = sums.entry(of.clone()).or_insert(SpendingSum { of, name, calls, usage, cost });
        sum.calls += 1;
        sum.usage = sum.usage.plus(&record.usage);
        sum.cost = sum.cost.plus(&record.cost);
    }
    // Ids and days grow with time.
    let mut sums: Vec<_> = sums.into_values().rev().collect();
    if by == SumsBy::Model {
        sums.sort_by_key(|sum| std::cmp::Reverse((sum.cost.counted(), sum.calls)));
    }
    sums
}

/// What a call counts for, and its name.
fn of(record: &CallRecord, by: SumsBy, names: &Names) -> Option<(String, String)> {
    let thread = record.call.thread.as_ref();
    let title = || thread.map_or(Some("test of a model"), |id| names.threads.get(id).map(String::as_str));
    let named = |of: String| (of, title().unwrap_or_default().to_owned());
    Some(match by {
        SumsBy::Turn => named(record.call.turn.to_string()),
        SumsBy::Thread => named(thread?.to_string()),
        SumsBy::Task => {
            let (id, goal) = names.tasks.get(&record.call.turn)?;
            (id.to_string(), goal.clone())
        }
        SumsBy::Day => (record.at.day(), record.at.day()),
        SumsBy::Model => (record.model.to_string(), record.model.to_string()),
        SumsBy::Workspace => ("all".to_owned(), "this workspace".to_owned()),
    })
}

fn days(calls: &[CallRecord]) -> Vec<DaySpending> {
    let mut days: BTreeMap<String, Cost> = BTreeMap::new();
    for call in calls {
        let cost = days.entry(call.at.day()).or_default();
        *cost = cost.plus(&call.cost);
    }
    days.into_iter().rev().take(DAYS).map(|(day, cost)| DaySpending { day, cost }).collect()
}

fn models(calls: &[CallRecord]) -> Vec<ModelSpending> {
    let mut models = BTreeMap::new();
    for CallRecord { model, usage, cost, .. } in calls {
        let entry = models.entry(model.clone()).or_insert_with(|| ModelSpending {
            model: model.clone(),
            calls: 0,
            usage: Usage::default(),
            cost: Cost::default(),
        });
        entry.calls += 1;
        entry.usage = entry.usage.plus(usage);
        entry.cost = entry.cost.plus(cost);
    }
    let mut models: Vec<_> = models.into_values().collect();
    models.sort_by_key(|model| std::cmp::Reverse((model.cost.picodollars, model.calls)));
    models
}

#[cfg(test)]
mod tests {
    use aside_agent::Call;
    use aside_core::{Id as _, Timestamp};

    use super::*;

    #[test]
    fn calls_are_added_up_by_what_they_belong_to() {
        let thread = ThreadId::from_parts(Timestamp(1), 1);
        let turn = |number| TurnId::from_parts(Timestamp(number), 1);
        let record = |number, thread: Option<&ThreadId>, step, picodollars| CallRecord {
            at: Timestamp(number * 86_400_000),
            call: Call { thread: thread.cloned(), turn: turn(number), step },
            model: "openai/gpt-4o".parse().unwrap(),
            usage: Usage { input: Some(10), ..Usage::default() },
            cost: Cost { picodollars, ..Cost::default() },
            price_source: None,
        };
        let calls = [record(1, Some(&thread), 1, 5), record(1, Some(&thread), 2, 6), record(2, None, 1, 7)];
        let task = TaskId::from_parts(Timestamp(1), 1);
        let names = Names {
            threads: [(thread.clone(), "Tides".to_owned())].into(),
            tasks: [(turn(1), (task.clone(), "Plot".to_owned()))].into(),
        };
        let sums = |by| -> Vec<_> {
            let sums = added_up(&calls, by, &names).into_iter();
            sums.map(|sum| (sum.of, sum.name, sum.calls, sum.cost.picodollars)).collect()
        };
        let row = |of: &str, name: &str, calls, cost| (of.to_owned(), name.to_owned(), calls, cost);
        let test = row(turn(2).as_str(), "test of a model", 1, 7);
        assert_eq!(sums(SumsBy::Turn), [test, row(turn(1).as_str(), "Tides", 2, 11)]);
        assert_eq!(sums(SumsBy::Thread), [row(thread.as_str(), "Tides", 2, 11)]);
        assert_eq!(sums(SumsBy::Task), [row(task.as_str(), "Plot", 2, 11)]);
        assert_eq!(sums(SumsBy::Day), [row("1970-01-03", "1970-01-03", 1, 7), row("1970-01-02", "1970-01-02", 2, 11)]);
        assert_eq!(sums(SumsBy::Workspace), [row("all", "this workspace", 3, 18)]);
    }
}
