//! Sums by day, model, folder and program, and by hour of the week.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use crate::{
    Filter, HistoryError, Index, Source, Sums,
    report::{Names, Row, each_row, names},
};

/// Sums in all and by each of the ways to look at them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dashboard {
    /// All of it.
    pub totals: Sums,
    /// Sessions in which a model answered.
    pub sessions: usize,
    /// By day, the earliest first.
    pub days: Vec<Group>,
    /// By model, the dearest first, as are the others.
    pub models: Vec<Group>,
    /// By folder.
    pub workspaces: Vec<Group>,
    /// By program.
    pub sources: Vec<Group>,
    /// How much was answered in each hour of the week that saw any.
    pub hours: Vec<Hour>,
}

/// Sums of what has a name in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The name.
    pub name: String,
    /// Sessions of it.
    pub sessions: usize,
    /// What it took and cost.
    pub sums: Sums,
}

/// An hour of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hour {
    /// From 0, Monday.
    pub weekday: i8,
    /// From 0.
    pub hour: i8,
    /// Answers in it.
    pub responses: u64,
    /// Dollars, in 10⁻¹².
    pub picodollars: u64,
}

#[derive(Default)]
struct Seen {
    sums: Sums,
    sessions: std::collections::HashSet<i64>,
}

impl Seen {
    fn add(&mut self, row: &Row) {
        self.sums.add(row);
        self.sessions.insert(row.session);
    }
}

/// Adds up all responses that a filter leaves.
pub fn dashboard(index: &Index, filter: &Filter, zone: &TimeZone) -> Result<Dashboard, HistoryError> {
    let programs = programs(index)?;
    let mut all = Seen::default();
    let (mut days, mut models) = (BTreeMap::<String, Seen>::new(), BTreeMap::<i64, Seen>::new());
    let (mut folders, mut sources) = (BTreeMap::<i64, Seen>::new(), BTreeMap::<Source, Seen>::new());
    let mut hours = BTreeMap::<(i8, i8), (u64, u64)>::new();
    let mut moment = Moment { zone, known: None };
    each_row(index, filter, |row| {
        all.add(&row);
        models.entry(row.model).or_default().add(&row);
        folders.entry(row.workspace).or_default().add(&row);
        if let Some(source) = programs.get(&row.session) {
            sources.entry(*source).or_default().add(&row);
        }
        if let Some((day, weekday, hour)) = row.at.map(|at| moment.of(at.0)) {
            days.entry(day).or_default().add(&row);
            let seen = hours.entry((weekday, hour)).or_default();
            seen.0 += 1;
            seen.1 = seen.1.saturating_add(row.picodollars);
        }
    })?;
    let (of_models, of_folders) = (names(index, Names::Models)?, names(index, Names::Workspaces)?);
    let name = |names: &std::collections::HashMap<i64, String>, id: i64| {
        names.get(&id).map_or_else(|| "unknown".to_owned(), String::clone)
    };
    Ok(Dashboard {
        sessions: all.sessions.len(),
        totals: all.sums,
        days: days.into_iter().map(|(name, seen)| group(name, seen)).collect(),
        models: dearest(models.into_iter().map(|(id, seen)| group(name(&of_models, id), seen))),
        workspaces: dearest(folders.into_iter().map(|(id, seen)| group(name(&of_folders, id), seen))),
        sources: dearest(sources.into_iter().map(|(source, seen)| group(source.name().to_owned(), seen))),
        hours: hours
            .into_iter()
            .map(|((weekday, hour), (responses, picodollars))| Hour { weekday, hour, responses, picodollars })
            .collect(),
    })
}

fn group(name: String, seen: Seen) -> Group {
    Group { name, sessions: seen.sessions.len(), sums: seen.sums }
}

fn dearest(groups: impl Iterator<Item = Group>) -> Vec<Group> {
    let mut groups: Vec<Group> = groups.collect();
    groups.sort_by(|one, two| {
        (two.sums.picodollars, two.sums.total_tokens, &one.name).cmp(&(
            one.sums.picodollars,
            one.sums.total_tokens,
            &two.name,
        ))
    });
    groups
}

/// The programs of all sessions.
fn programs(index: &Index) -> Result<std::collections::HashMap<i64, Source>, HistoryError> {
    let mut all = index.connection().prepare_cached("SELECT id, source FROM session")?;
    let rows = all.query_map((), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let rows = rows.collect::<Result<Vec<(i64, String)>, _>>()?;
    Ok(rows.into_iter().filter_map(|(id, source)| Some((id, source.parse().ok()?))).collect())
}

/// The day and hour of moments; those of one quarter of an hour share them.
struct Moment<'a> {
    zone: &'a TimeZone,
    known: Option<(i64, (String, i8, i8))>,
}

const QUARTER: i64 = 15 * 60 * 1000;

impl Moment<'_> {
    fn of(&mut self, at: i64) -> (String, i8, i8) {
        let quarter = at.div_euclid(QUARTER);
        if let Some((_, told)) = self.known.as_ref().filter(|(known, _)| *known == quarter) {
            return told.clone();
        }
        let at = jiff::Timestamp::from_millisecond(at).unwrap_or(jiff::Timestamp::MIN);
        let local = self.zone.to_datetime(at);
        let told = (local.date().to_string(), local.date().weekday().to_monday_zero_offset(), local.hour());
        self.known = Some((quarter, told.clone()));
        told
    }
}
