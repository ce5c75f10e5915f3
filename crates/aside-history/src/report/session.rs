//! Sums by session.

use std::collections::HashMap;

use aside_core::Timestamp;
use serde::Serialize;

use super::{
    filter::Filter,
    rows::{Names, each_row, names},
    sums::{ByModel, ModelSums, Sums},
};
use crate::{HistoryError, Index, Source};

/// A line of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// The program's own id of it.
    pub session_id: String,
    /// The program.
    pub source: Source,
    /// The folder that it ran in.
    pub workspace: Option<String>,
    /// Its name, where the program gives it one.
    pub title: Option<String>,
    /// When a model answered first, of what is asked about.
    pub first_activity: Option<String>,
    /// When a model answered last.
    pub last_activity: Option<String>,
    /// What it took and cost.
    #[serde(flatten)]
    pub sums: Sums,
    /// The names of the models, the dearest first.
    pub models_used: Vec<String>,
    /// The sums of each model.
    pub model_breakdowns: Vec<ModelSums>,
}

/// Sums by session, the dearest first, and in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionReport {
    /// A line for each session in which a model answered.
    pub rows: Vec<SessionRow>,
    /// All of it.
    pub totals: Sums,
}

impl SessionReport {
    /// Leaves only the session with an id, whatever program it is of.
    pub fn only(&mut self, id: &str) {
        self.rows.retain(|row| row.session_id == id);
        self.totals = Sums::default();
        self.rows.iter().for_each(|row| self.totals.join(&row.sums));
    }
}

#[derive(Default)]
struct Seen {
    sums: ByModel,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

/// Adds up by session.
pub fn sessions(index: &Index, filter: &Filter) -> Result<SessionReport, HistoryError> {
    let mut found: HashMap<i64, Seen> = HashMap::new();
    let mut totals = Sums::default();
    each_row(index, filter, |row| {
        totals.add(&row);
        let seen = found.entry(row.session).or_default();
        seen.first = [seen.first, row.at].into_iter().flatten().min();
        seen.last = seen.last.max(row.at);
        seen.sums.add(&row);
    })?;
    let models = names(index, Names::Models)?;
    let mut describe = index.connection().prepare_cached(
        "SELECT source, name, path, title FROM session LEFT JOIN workspace ON workspace.id = session.workspace WHERE session.id = ?",
    )?;
    let mut rows = Vec::new();
    for (id, seen) in found {
        let (source, session_id, workspace, title) =
            describe.query_row([id], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        // Sessions of programs that only a newer version knows.
        let Ok(source) = source.parse() else { continue };
        let sums = seen.sums.all.clone();
        let breakdowns =
            seen.sums.models(|model| models.get(&model).map_or_else(|| "unknown".to_owned(), String::clone));
        rows.push(SessionRow {
            session_id,
            source,
            workspace,
            title,
            first_activity: seen.first.map(|at| at.to_string()),
            last_activity: seen.last.map(|at| at.to_string()),
            sums,
            models_used: breakdowns.iter().map(|one| one.model_name.clone()).collect(),
            model_breakdowns: breakdowns,
        });
    }
    rows.sort_by(|one, two| {
        two.sums.picodollars.cmp(&one.sums.picodollars).then_with(|| one.session_id.cmp(&two.session_id))
    });
    Ok(SessionReport { rows, totals })
}
