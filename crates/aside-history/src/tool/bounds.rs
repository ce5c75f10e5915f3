//! What a question may look at, whichever it is: a stretch of time, some programs, a folder, the days of a time zone.

use std::{collections::BTreeSet, path::Path};

use aside_core::Timestamp;
use aside_store::sql::Connection;

use super::{
    Asking, Kind, Parameter,
    args::Arguments,
    folders::{self, last},
};
use crate::{Filter, HistoryError, Index, Source, Until, zone};

/// What every question takes beside its own parameters.
pub const COMMON: &[Parameter] = &[
    common("since", "Start of the period: 24h, 7d, 1w, 1m for 30 days, or a date"),
    common("until", "End of the period; a date includes its whole day"),
    common("source", "Only these programs, such as claude,codex"),
    common(
        "workspace",
        "Only activity in this folder and below; a name without a slash matches any folder of that name",
    ),
    common("timezone", "The time zone of days, such as Europe/Berlin"),
    HANDLE,
];

/// What gives the rest of an answer.
pub const HANDLE: Parameter = common("handle", "The `_handle` of a truncated answer, to get the rest of it");

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

/// What a question may look at.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// From then on.
    pub since: Option<Timestamp>,
    /// Before then.
    pub until: Option<Timestamp>,
    sources: Vec<Source>,
    workspace: Option<String>,
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
        let (since, until) = (moment("since", Until::Start).transpose()?, moment("until", Until::End).transpose()?);
        if since.zip(until).is_some_and(|(since, until)| since >= until) {
            return Err(HistoryError::Asked("`since` is not before `until`: swap them".to_owned()));
        }
        Ok(Self {
            since,
            until,
            sources: sources.collect::<Result<_, _>>()?,
            workspace: arguments.text("workspace").map(|name| folders::asked(name, asking)),
        })
    }

    /// Lets nothing else of the index be seen.
    pub fn narrow<'i>(&self, index: &'i Index) -> Result<Narrowed<'i>, HistoryError> {
        if *self == Self::default() {
            return Ok(Narrowed(None));
        }
        let Self { since, until, sources, workspace } = self;
        let from = since.map_or(i64::MIN, |at| at.0);
        let to = until.map_or(i64::MAX, |at| at.0);
        let words: Vec<String> = sources.iter().map(|source| format!("'{}'", source.word())).collect();
        let of_source = if words.is_empty() { ALL.to_owned() } else { format!("source IN ({})", words.join(", ")) };
        let place = workspace.as_deref().map(|folder| Place::of(index, folder)).transpose()?.unwrap_or_default();
        let Place { before, of_session, of_response, of_repository } = place;
        let mut views = format!(
            "{before} CREATE TEMP VIEW session AS SELECT * FROM main.session
             WHERE COALESCE(last, 0) >= {from} AND COALESCE(first, 0) < {to} AND {of_source} AND {of_session};"
        );
        for (table, at) in TIMED {
            let of = match *table {
                "response" => format!("{} AND {of_response}", in_sessions(&[&of_source])),
                "message" | "call" => in_sessions(&[&of_source, &of_session]),
                _ => of_repository.clone(),
            };
            views += &format!(
                "CREATE TEMP VIEW {table} AS SELECT * FROM main.{table}
                 WHERE COALESCE({at}, 0) >= {from} AND COALESCE({at}, 0) < {to} AND {of};"
            );
        }
        let narrowed = Narrowed(Some(index.connection()));
        index.connection().execute_batch(&views)?;
        Ok(narrowed)
    }
}

/// What a row has to meet to be of sessions that meet some conditions.
fn in_sessions(conditions: &[&str]) -> String {
    let conditions: Vec<&str> = conditions.iter().copied().filter(|condition| *condition != ALL).collect();
    if conditions.is_empty() {
        return ALL.to_owned();
    }
    format!("session IN (SELECT id FROM main.session WHERE {})", conditions.join(" AND "))
}

/// The condition that everything meets.
const ALL: &str = "1";

/// What is of a folder, as conditions of SQL.
#[derive(Debug)]
struct Place {
    /// What has to be there for them.
    before: String,
    of_session: String,
    of_response: String,
    of_repository: String,
}

impl Default for Place {
    fn default() -> Self {
        let all = || ALL.to_owned();
        Self { before: String::new(), of_session: all(), of_response: all(), of_repository: all() }
    }
}

impl Place {
    /// Sessions that ran there or were answered there, answers that were asked for there, and repositories of which a clone is there, or a
    /// folder that is called as they are.
    fn of(index: &Index, folder: &str) -> Result<Self, HistoryError> {
        let (numbers, paths): (Vec<i64>, Vec<String>) = folders::named(index, folder)?.into_iter().unzip();
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let here = format!("workspace IN ({})", numbers.join(", "));
        let filter = Filter { workspace: Some(folder.to_owned()), ..Filter::default() };
        let is_here = |clone: &str| filter.wants_workspace(Some(clone)) || Path::new(folder).starts_with(clone);
        let clones = index.clones()?.into_iter().filter(|(path, _)| is_here(path)).map(|(_, name)| name);
        let called: BTreeSet<&str> = paths.iter().flat_map(|path| path.split(['/', '\\'])).collect();
        let named = index.repositories()?.into_iter().filter(|name| called.contains(last(name)));
        let repositories: Vec<String> =
            clones.chain(named).map(|name| format!("'{}'", name.replace('\'', "''"))).collect();
        Ok(Self {
            // Of all answers only once: they are many.
            before: format!(
                "CREATE TEMP TABLE session_here AS SELECT id FROM main.session WHERE {here}
                 UNION SELECT session FROM main.response WHERE {here};"
            ),
            of_session: "id IN (SELECT id FROM temp.session_here)".to_owned(),
            of_response: here,
            of_repository: format!("repo COLLATE NOCASE IN ({})", repositories.join(", ")),
        })
    }
}

impl Drop for Narrowed<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.0 else { return };
        let tables = TIMED.iter().map(|(table, _)| *table).chain(["session"]);
        let views: String = tables.map(|table| format!("DROP VIEW IF EXISTS temp.{table};")).collect();
        let drops = views + "DROP TABLE IF EXISTS temp.session_here;";
        // The connection can't be used any more if this fails; nothing does without its views.
        let _ = connection.execute_batch(&drops);
    }
}
