//! What a question may look at, whichever it is: a stretch of time, some programs, the days of a time zone.

use aside_core::Timestamp;
use aside_store::sql::Connection;

use super::{Asking, Kind, Parameter, args::Arguments};
use crate::{Filter, HistoryError, Index, Source, Until, zone};

/// What every question takes beside its own parameters.
pub const COMMON: &[Parameter] = &[
    common("since", "Only what was from then on: 24h, 7d, 1w, 1m for 30 days, or a date"),
    common("until", "Only what was before then; of a date its whole day"),
    common("source", "Only these programs, such as claude,codex"),
    common("timezone", "Days of this time zone, such as Europe/Berlin"),
    HANDLE,
];

/// What gives the rest of an answer.
pub const HANDLE: Parameter = common("handle", "The `_handle` of an answer that was cut, to get the rest of it");

const fn common(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Text, required: false, about }
}

/// The tables in which something has its time, and what that is.
const TIMED: &[(&str, &str)] = &[
    ("response", "at"),
    ("message", "at"),
    ("call", "at"),
    ("pull_request", "COALESCE(merged, updated, created)"),
    ("ci_run", "COALESCE(started, completed)"),
];
/// Those whose rows are of a session, and so of a program.
const OF_SESSIONS: &[&str] = &["response", "message", "call"];

/// What a question may look at.
#[derive(Debug, Default)]
pub struct Bounds {
    /// From then on.
    pub since: Option<Timestamp>,
    /// Before then.
    pub until: Option<Timestamp>,
    sources: Vec<Source>,
}

/// An index of which only a part can be seen: while this lives, views stand before its tables.
#[derive(Debug)]
pub struct Narrowed<'i>(Option<&'i Connection>);

impl Bounds {
    /// What the arguments say; days are those of the time zone that they name, else of UTC.
    pub fn of(arguments: &Arguments, asking: &Asking) -> Result<Self, HistoryError> {
        let days = zone(Some(arguments.text("timezone").unwrap_or("UTC")))?;
        let moment = |name: &str, end| {
            let text = arguments.text(name)?;
            let wrong = || HistoryError::Asked(format!("invalid {name} `{text}`: use 24h, 7d, 1w, 1m or a date"));
            Some(Filter::moment(text, end, &days, asking.now).map_err(|_| wrong()))
        };
        let named = arguments.text("source").unwrap_or_default().split(',').map(str::trim);
        let sources = named
            .filter(|name| !name.is_empty())
            .map(|name| name.parse().map_err(|unknown: crate::UnknownSource| HistoryError::Asked(unknown.to_string())));
        Ok(Self {
            since: moment("since", Until::Start).transpose()?,
            until: moment("until", Until::End).transpose()?,
            sources: sources.collect::<Result<_, _>>()?,
        })
    }

    /// Lets nothing else of the index be seen.
    pub fn narrow<'i>(&self, index: &'i Index) -> Result<Narrowed<'i>, HistoryError> {
        let Self { since, until, sources } = self;
        if since.is_none() && until.is_none() && sources.is_empty() {
            return Ok(Narrowed(None));
        }
        let from = since.map_or(i64::MIN, |at| at.0);
        let to = until.map_or(i64::MAX, |at| at.0);
        let words: Vec<String> = sources.iter().map(|source| format!("'{}'", source.word())).collect();
        let of_source = if words.is_empty() { "1".to_owned() } else { format!("source IN ({})", words.join(", ")) };
        let mut views = format!(
            "CREATE TEMP VIEW session AS SELECT * FROM main.session
             WHERE COALESCE(last, 0) >= {from} AND COALESCE(first, 0) < {to} AND {of_source};"
        );
        for (table, at) in TIMED {
            let of_session = if OF_SESSIONS.contains(table) && !words.is_empty() {
                format!("session IN (SELECT id FROM main.session WHERE {of_source})")
            } else {
                "1".to_owned()
            };
            views += &format!(
                "CREATE TEMP VIEW {table} AS SELECT * FROM main.{table}
                 WHERE COALESCE({at}, 0) >= {from} AND COALESCE({at}, 0) < {to} AND {of_session};"
            );
        }
        let narrowed = Narrowed(Some(index.connection()));
        index.connection().execute_batch(&views)?;
        Ok(narrowed)
    }
}

impl Drop for Narrowed<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.0 else { return };
        let tables = TIMED.iter().map(|(table, _)| *table).chain(["session"]);
        let drops: String = tables.map(|table| format!("DROP VIEW IF EXISTS temp.{table};")).collect();
        // The connection can't be used any more if this fails; nothing does without its views.
        let _ = connection.execute_batch(&drops);
    }
}
