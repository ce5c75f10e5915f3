//! The responses that count, one by one.

use std::collections::HashMap;

use aside_core::Timestamp;
use aside_store::sql::{self, params};

use super::filter::{CostMode, Filter};
use crate::{CostKind, HistoryError, Index, Source, Tokens};

/// A response, as reports need it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub at: Option<Timestamp>,
    /// The number of its session.
    pub session: i64,
    /// The number of its model; 0 if none is named.
    pub model: i64,
    /// The number of the folder that it was asked in; 0 if none is named.
    pub workspace: i64,
    /// What it took.
    pub tokens: Tokens,
    /// What it cost, in 10⁻¹² dollars; 0 if that is unknown.
    pub picodollars: u64,
    /// How well that is known.
    pub kind: CostKind,
}

/// The names of models or folders, by number.
pub fn names(index: &Index, table: Names) -> Result<HashMap<i64, String>, HistoryError> {
    let sql = match table {
        Names::Models => "SELECT id, name FROM model",
        Names::Workspaces => "SELECT id, path FROM workspace",
    };
    let mut all = index.connection().prepare_cached(sql)?;
    let names = all.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// What is named.
#[derive(Clone, Copy, Debug)]
pub enum Names {
    /// Models.
    Models,
    /// Folders.
    Workspaces,
}

/// Calls `each` with every response that a filter leaves, in no order.
pub fn each_row(index: &Index, filter: &Filter, mut each: impl FnMut(Row)) -> Result<(), HistoryError> {
    let workspaces = names(index, Names::Workspaces)?;
    let wanted = |number: i64| filter.wants_workspace(workspaces.get(&number).map(String::as_str));
    let sources = sources(index, filter)?;
    let bounds = (filter.since.map(|at| at.0), filter.until.map(|at| at.0));
    // Without a bound the table is read as it lies.
    let sql = match bounds {
        (None, None) => format!("{COLUMNS} response WHERE counts = 1"),
        _ => format!(
            "{COLUMNS} timed CROSS JOIN response ON response.id = timed.id AND response.at = timed.at WHERE counts = 1
             AND timed.at >= COALESCE(?1, -9223372036854775808) AND timed.at < COALESCE(?2, 9223372036854775807)"
        ),
    };
    let mut all = index.connection().prepare_cached(&sql)?;
    let mut rows = match bounds {
        (None, None) => all.query(())?,
        (since, until) => all.query(params![since, until])?,
    };
    while let Some(row) = rows.next()? {
        let row = read(row, filter.mode)?;
        if (filter.workspace.is_none() || wanted(row.workspace))
            && sources.as_ref().is_none_or(|kept| kept.contains_key(&row.session))
        {
            each(row);
        }
    }
    Ok(())
}

const COLUMNS: &str =
    "SELECT response.at, session, model, workspace, input, output, cache_read, cache_write, cache_write_hour,
    recorded, priced, estimated FROM";

/// The sessions of the programs that are asked about; none if all are.
fn sources(index: &Index, filter: &Filter) -> Result<Option<HashMap<i64, ()>>, HistoryError> {
    if filter.sources.is_empty() {
        return Ok(None);
    }
    let mut all = index.connection().prepare_cached("SELECT id, source FROM session")?;
    let sessions = all.query_map((), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let mut kept = HashMap::new();
    for session in sessions {
        let (id, source) = session?;
        if source.parse::<Source>().is_ok_and(|source| filter.wants_source(source)) {
            kept.insert(id, ());
        }
    }
    Ok(Some(kept))
}

fn read(row: &sql::Row<'_>, mode: CostMode) -> Result<Row, sql::Error> {
    let count = |index: usize| row.get::<_, i64>(index).map(|number| u64::try_from(number).unwrap_or(0));
    let amount =
        |index: usize| row.get::<_, Option<i64>>(index).map(|amount| amount.and_then(|one| u64::try_from(one).ok()));
    let (recorded, priced) = (amount(9)?, amount(10)?);
    let worked_out = if row.get(11)? { CostKind::Estimated } else { CostKind::Priced };
    let recorded = recorded.map(|amount| (amount, CostKind::Exact));
    let priced = priced.map(|amount| (amount, worked_out));
    let cost = match mode {
        CostMode::Auto => recorded.or(priced),
        CostMode::Calculate => priced,
        CostMode::Display => recorded,
    };
    let (picodollars, kind) = cost.unwrap_or((0, CostKind::Unknown));
    Ok(Row {
        at: row.get::<_, Option<i64>>(0)?.map(Timestamp),
        session: row.get(1)?,
        model: row.get::<_, Option<i64>>(2)?.unwrap_or(0),
        workspace: row.get::<_, Option<i64>>(3)?.unwrap_or(0),
        tokens: Tokens {
            input: count(4)?,
            output: count(5)?,
            cache_read: count(6)?,
            cache_write: count(7)?,
            cache_write_hour: count(8)?,
        },
        picodollars,
        kind,
    })
}
