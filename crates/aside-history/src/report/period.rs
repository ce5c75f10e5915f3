//! Sums by day, week or month of a time zone.

use std::collections::{BTreeMap, HashMap};

use aside_core::Timestamp;
use jiff::{civil::Weekday, tz::TimeZone};
use serde::Serialize;

use super::{
    filter::{Filter, day, week},
    rows::{Names, each_row, names},
    sums::{ByModel, ModelSums, Sums},
};
use crate::{HistoryError, Index};

/// How long a line of the report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// A day.
    Day,
    /// A week, which begins on this day.
    Week(Weekday),
    /// A month.
    Month,
}

/// A line of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PeriodRow {
    /// The day, the first day of the week, or the month. `unknown` if the log does not say when.
    #[serde(skip)]
    pub period: String,
    /// What it took and cost.
    #[serde(flatten)]
    pub sums: Sums,
    /// The names of the models, the dearest first.
    pub models_used: Vec<String>,
    /// The sums of each model.
    pub model_breakdowns: Vec<ModelSums>,
}

/// Sums by period, the earliest first, and in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeriodReport {
    /// A line for each period in which a model answered, and by folder if that is asked for.
    pub rows: Vec<PeriodRow>,
    /// The same by the folder in which it was asked.
    pub workspaces: BTreeMap<String, Vec<PeriodRow>>,
    /// All of it.
    pub totals: Sums,
}

/// Adds up by period.
pub fn periods(index: &Index, period: Period, filter: &Filter, zone: &TimeZone) -> Result<PeriodReport, HistoryError> {
    let mut label = Label::new(period, zone);
    // There are few of these, and many rows.
    let mut all: HashMap<(usize, i64, i64), Sums> = HashMap::new();
    each_row(index, filter, |row| {
        all.entry((label.of(row.at), row.workspace, row.model)).or_default().add(&row);
    })?;
    let mut found: BTreeMap<String, ByModel> = BTreeMap::new();
    let mut by_workspace: BTreeMap<(i64, String), ByModel> = BTreeMap::new();
    let mut totals = Sums::default();
    for ((name, workspace, model), sums) in all {
        let name = &label.names[name];
        totals.join(&sums);
        by_workspace.entry((workspace, name.clone())).or_default().join(model, &sums);
        found.entry(name.clone()).or_default().join(model, &sums);
    }
    let (models, folders) = (names(index, Names::Models)?, names(index, Names::Workspaces)?);
    let line = |period: String, sums: ByModel| {
        let all = sums.all.clone();
        let breakdowns = sums.models(|model| models.get(&model).map_or_else(|| "unknown".to_owned(), String::clone));
        let models_used = breakdowns.iter().map(|one| one.model_name.clone()).collect();
        PeriodRow { period, sums: all, models_used, model_breakdowns: breakdowns }
    };
    let mut workspaces: BTreeMap<String, Vec<PeriodRow>> = BTreeMap::new();
    for ((folder, period), sums) in by_workspace {
        let folder = folders.get(&folder).map_or_else(|| "unknown".to_owned(), String::clone);
        workspaces.entry(folder).or_default().push(line(period, sums));
    }
    Ok(PeriodReport { rows: found.into_iter().map(|(period, sums)| line(period, sums)).collect(), workspaces, totals })
}

/// Says in which period a moment is, by the place of its name; quarters of an hour share their answer, as no zone's day begins within one.
struct Label<'a> {
    period: Period,
    zone: &'a TimeZone,
    names: Vec<String>,
    places: HashMap<String, usize>,
    quarters: HashMap<Option<i64>, usize>,
}

const QUARTER: i64 = 15 * 60 * 1000;

impl<'a> Label<'a> {
    fn new(period: Period, zone: &'a TimeZone) -> Self {
        Self { period, zone, names: Vec::new(), places: HashMap::new(), quarters: HashMap::new() }
    }

    fn of(&mut self, at: Option<Timestamp>) -> usize {
        let quarter = at.map(|at| at.0.div_euclid(QUARTER));
        if let Some(place) = self.quarters.get(&quarter) {
            return *place;
        }
        let name = at.map_or_else(|| "unknown".to_owned(), |at| self.name(at));
        let names = &mut self.names;
        let place = *self.places.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            names.len() - 1
        });
        self.quarters.insert(quarter, place);
        place
    }

    fn name(&self, at: Timestamp) -> String {
        let day = day(at, self.zone);
        match self.period {
            Period::Day => day.to_string(),
            Period::Week(first) => week(day, first).to_string(),
            Period::Month => day.strftime("%Y-%m").to_string(),
        }
    }
}
