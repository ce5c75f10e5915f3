//! Programs that keep their sessions in a SQLite file: each file of code reads one of them, from a connection that the store opened.
//! What a column or a table is called differs from version to version: what is missing is none, and no error.

mod aside;
mod cursor;
mod goose;
mod grok;
mod hermes;
mod openclaw;
mod opencode;

use std::{collections::HashMap, path::Path};

use aside_store::sql::{Connection, Error, Row, Value};

use crate::{
    reader::{escapes, session::Known, uncounted},
    record::{Found, Session},
    source::Source,
};

/// Tells whether a log is such a file, by its name.
pub fn is_one(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ["db", "db3", "sqlite", "sqlite3", "vscdb"].iter().any(|known| ending == *known))
}

/// Reads a whole file. `path` is where it is: some programs name no folder but by it.
pub fn read(source: Source, connection: &Connection, path: &str, found: &mut Found) -> Result<(), Error> {
    // What is no database says so here, and not that it has no tables.
    connection.query_row("SELECT COUNT(*) FROM sqlite_master", (), |row| row.get::<_, i64>(0))?;
    let mut sessions = Sessions { found, known: HashMap::new() };
    match source {
        Source::Opencode | Source::Kilo => opencode::read(connection, &mut sessions),
        Source::Cursor => cursor::read(connection, &mut sessions),
        Source::Goose => goose::read(connection, &mut sessions),
        Source::Hermes => hermes::read(connection, &mut sessions),
        Source::Openclaw => openclaw::read(connection, &mut sessions),
        Source::Grok => grok::read(connection, &mut sessions),
        Source::Aside => aside::read(connection, path, &mut sessions),
        _ => Ok(()),
    }
}

/// What was said in one record of it.
pub fn text(source: Source, connection: &Connection, row: i64, number: i64) -> Option<String> {
    match source {
        Source::Opencode | Source::Kilo => opencode::text(connection, row, number),
        Source::Cursor => cursor::text(connection, row, number),
        Source::Goose => goose::text(connection, row),
        Source::Hermes => hermes::text(connection, row),
        Source::Openclaw => openclaw::text(connection, row),
        Source::Grok => grok::text(connection, row),
        Source::Aside => aside::text(connection, row),
        _ => None,
    }
}

/// The sessions of a file, each with what has to be remembered of it.
pub struct Sessions<'f> {
    found: &'f mut Found,
    known: HashMap<String, (usize, Known)>,
}

impl Sessions<'_> {
    /// Takes in what one record of a session says: `read` finds it alone, as readers of files do.
    pub fn of(&mut self, id: &str, read: impl FnOnce(&mut Known, &mut Found)) {
        let next = self.found.sessions.len();
        let new = || (next, Known { session: id.to_owned(), ..Known::default() });
        let (number, known) = self.known.entry(id.to_owned()).or_insert_with(new);
        let details = self.found.details.is_some().then(Default::default);
        let mut part = Found { sessions: vec![Session::new(id)], details, ..Found::default() };
        read(known, &mut part);
        let number = *number;
        part.messages.iter_mut().for_each(|one| one.session = number);
        part.responses.iter_mut().for_each(|one| one.session = number);
        part.calls.iter_mut().for_each(|one| one.session = number);
        let session = part.sessions.remove(0);
        match self.found.sessions.get_mut(number) {
            None => self.found.sessions.push(Session { id: id.to_owned(), ..session }),
            Some(all) => {
                all.workspace = all.workspace.take().or(session.workspace);
                all.branch = all.branch.take().or(session.branch);
                all.title = session.title.or(all.title.take());
                all.saw(session.first);
                all.saw(session.last);
            }
        }
        self.found.messages.append(&mut part.messages);
        self.found.responses.append(&mut part.responses);
        self.found.calls.append(&mut part.calls);
        self.found.endings.append(&mut part.endings);
        self.found.problems.append(&mut part.problems);
        for record in part.uncounted {
            (0..record.count).for_each(|_| self.found.note_uncounted(record.kind.clone(), record.offset));
        }
        if let (Some(all), Some(part)) = (&mut self.found.details, part.details) {
            all.results.extend(part.results);
        }
    }

    /// Takes note of a record that can't be read.
    pub fn problem(&mut self, row: i64, reason: impl std::fmt::Display) {
        let offset = u64::try_from(row).unwrap_or(0);
        self.found.problems.push(crate::record::Problem { offset, reason: reason.to_string() });
    }
}

/// Takes note of a record of which nothing was counted, and that has tokens.
fn note_uncounted(source: Source, record: &serde_json::Value, row: u64, found: &mut Found) {
    if found.responses.is_empty()
        && let Some(kind) = uncounted::kind(source, record)
    {
        found.note_uncounted(kind, row);
    }
}

/// A column of a table, or nothing where this version has none: for the list of a `SELECT`.
pub fn column(connection: &Connection, table: &str, name: &str) -> String {
    let sql = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    let has = connection.prepare_cached(sql).and_then(|mut find| find.exists([table, name])).unwrap_or(false);
    if has { format!("{table}.{name}") } else { "NULL".to_owned() }
}

/// Tells whether there is such a table.
pub fn has(connection: &Connection, table: &str) -> bool {
    let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1";
    connection.prepare_cached(sql).and_then(|mut find| find.exists([table])).unwrap_or(false)
}

/// A column that should be text; none if it is empty or a number. Bytes that are no UTF-8 lose no row.
pub fn text_of(row: &Row<'_>, at: usize) -> Option<String> {
    let bytes = row.get_ref(at).ok()?.as_bytes_or_null().ok()??;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// A column of any kind.
pub fn value_of(row: &Row<'_>, at: usize) -> Value {
    row.get(at).or_else(|_| text_of(row, at).map(Value::Text).ok_or(())).unwrap_or(Value::Null)
}

/// A value as JSON, be it text or bytes.
pub fn json(value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::Text(text) => escapes::parse(text).ok(),
        Value::Blob(bytes) => escapes::parse(&String::from_utf8_lossy(bytes)).ok(),
        _ => None,
    }
}

/// A time as databases have it: seconds or milliseconds since 1970, or words, which are UTC if they don't say.
pub fn moment(value: &Value) -> Option<aside_core::Timestamp> {
    use serde_json::json;
    let at = |value: serde_json::Value| crate::reader::json::moment(&json!({ "at": value }), "at");
    match value {
        Value::Integer(number) => at(json!(number)),
        Value::Real(number) => at(json!(number)),
        Value::Text(text) => at(json!(text)).or_else(|| at(json!(format!("{}Z", text.trim().replacen(' ', "T", 1))))),
        _ => None,
    }
}
