//! The Grok CLI of the community: a row a session, a row a message, and a row for each answer with what it took.

use aside_store::sql::{Connection, Error, Value};
use serde_json::Value as Json;

use super::{Sessions, column, has, json as parsed, moment, text_of, value_of};
use crate::{
    reader::{
        json,
        session::{Known, Used},
    },
    record::{Found, Place, Role, Tokens},
};

/// Reads all sessions.
pub fn read(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    if !has(connection, "sessions") {
        return Ok(());
    }
    about(connection, sessions)?;
    if has(connection, "messages") {
        messages(connection, sessions)?;
    }
    if has(connection, "usage_events") { usage(connection, sessions) } else { Ok(()) }
}

fn about(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let list = ["cwd_at_start", "title", "model", "created_at", "updated_at"];
    let list = list.map(|name| column(connection, "sessions", name)).join(", ");
    let mut all = connection.prepare(&format!("SELECT sessions.rowid, sessions.id, {list} FROM sessions"))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let Some(id) = text_of(row, 1).filter(|id| !id.is_empty()) else {
            sessions.problem(row.get(0)?, "a session without an id");
            continue;
        };
        let text = |at: usize| text_of(row, at).filter(|text| !text.is_empty());
        let times = [moment(&value_of(row, 5)), moment(&value_of(row, 6))];
        sessions.of(&id, |known, found| {
            known.begin(None, text(2).as_deref(), found);
            found.sessions[0].title = text(3);
            known.model = text(4);
            times.into_iter().for_each(|at| found.sessions[0].saw(at));
        });
    }
    Ok(())
}

fn messages(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let list = ["message_json", "created_at"].map(|name| column(connection, "messages", name)).join(", ");
    let sql = format!("SELECT rowid, session_id, {list} FROM messages ORDER BY session_id, seq");
    let mut all = connection.prepare(&sql)?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let (Some(session), Some(message)) = (text_of(row, 1), parsed(&value_of(row, 2))) else {
            sessions.problem(number, "a message that is not JSON, or of no session");
            continue;
        };
        let when = (moment(&value_of(row, 3)), place(number));
        sessions.of(&session, |known, found| said(known, &message, when, found));
    }
    Ok(())
}

fn said(known: &Known, message: &Json, when: (Option<aside_core::Timestamp>, Place), found: &mut Found) {
    found.sessions[0].saw(when.0);
    let content = message.get("content");
    match json::text(message, "role") {
        Some("user") => known.message(Role::User, json::said(content), when, found),
        Some("assistant") => known.message(Role::Assistant, json::said(content), when, found),
        _ => {}
    }
    for part in json::list(message, "content") {
        let id = json::text(part, "toolCallId");
        match json::text(part, "type") {
            Some("tool-call") => known.call((json::text(part, "toolName"), id, part.get("input")), when, found),
            Some("tool-result") => {
                let kind = json::text(part, "output.type").unwrap_or_default();
                let refused = [json::at(part, "output.success"), json::at(part, "output.value.success")];
                let ok = !kind.starts_with("error") && !refused.contains(&Some(&Json::Bool(false)));
                known.ended(id, ok, json::at(part, "output.value").or(part.get("output")), found);
            }
            _ => {}
        }
    }
}

/// Adds the usage events. Tokens of neither the input nor the output are reasoning. Recorded costs are left out: Grok guesses them by the
/// prices that it came with.
fn usage(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let list = ["model", "input_tokens", "output_tokens", "total_tokens", "created_at"];
    let list = list.map(|name| column(connection, "usage_events", name)).join(", ");
    let mut all = connection.prepare(&format!("SELECT rowid, session_id, {list} FROM usage_events ORDER BY rowid"))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let Some(session) = text_of(row, 1) else {
            sessions.problem(number, "an answer of no session");
            continue;
        };
        let count = |at: usize| match value_of(row, at) {
            Value::Integer(count) => u64::try_from(count).unwrap_or(0),
            _ => 0,
        };
        let (input, output) = (count(3), count(4));
        let rest = count(5).saturating_sub(input.saturating_add(output));
        let tokens = Tokens { input, output: output.saturating_add(rest), ..Tokens::default() };
        let (model, when) = (text_of(row, 2), (moment(&value_of(row, 6)), place(number)));
        sessions.of(&session, |known, found| {
            found.sessions[0].saw(when.0);
            let key = Some(format!("grok {session} {number}"));
            known.response(Used { tokens, model: model.as_deref(), key, ..Used::default() }, when, found);
        });
    }
    Ok(())
}

fn place(row: i64) -> Place {
    Place { offset: u64::try_from(row).unwrap_or(0), length: 0 }
}

/// The text of a message.
pub fn text(connection: &Connection, row: i64) -> Option<String> {
    let mut find = connection.prepare_cached("SELECT message_json FROM messages WHERE rowid = ?").ok()?;
    let message = parsed(&find.query_row([row], |row| row.get::<_, Value>(0)).ok()?)?;
    Some(json::said(message.get("content"))).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn sessions_have_words_calls_and_usage() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                r#"CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, model TEXT, cwd_at_start TEXT, created_at TEXT, updated_at TEXT);
                CREATE TABLE messages (session_id TEXT, seq INTEGER, role TEXT, message_json TEXT, created_at TEXT, PRIMARY KEY (session_id, seq));
                CREATE TABLE usage_events (id INTEGER PRIMARY KEY, session_id TEXT, source TEXT, model TEXT, input_tokens INTEGER, output_tokens INTEGER,
                  total_tokens INTEGER, cost_micros INTEGER, created_at TEXT);
                INSERT INTO sessions VALUES ('g1', 'Cart', 'grok-4.5', '/w', '2026-06-30T10:00:00.000Z', '2026-06-30T10:05:00.000Z');
                INSERT INTO messages VALUES ('g1', 1, 'user', '{"role":"user","content":"Fix it"}', '2026-06-30T10:00:01.000Z');
                INSERT INTO messages VALUES ('g1', 2, 'assistant', '{"role":"assistant","content":[{"type":"text","text":"Well"},
                  {"type":"tool-call","toolCallId":"t1","toolName":"write_file","input":{"path":"a.rs","content":"x"}}]}', '2026-06-30T10:00:02.000Z');
                INSERT INTO messages VALUES ('g1', 3, 'tool', '{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","output":{"type":"json","value":{"success":false}}}]}', '');
                INSERT INTO usage_events VALUES (1, 'g1', 'message', 'grok-4.5', 100, 20, 130, 9, '2026-06-30T10:00:03.000Z');"#,
            )
            .unwrap();
        let mut found = Found::default();
        super::super::read(Source::Grok, &connection, "", &mut found).unwrap();
        found.match_endings();
        let one = &found.responses[0];
        assert_eq!((one.tokens.input, one.tokens.output, one.workspace.as_deref()), (100, 30, Some("/w")));
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.calls[0].ok), ("/w/a.rs", Some(false)));
        assert_eq!((found.messages.len(), text(&connection, 1).as_deref()), (2, Some("Fix it")));
        assert_eq!(found.sessions[0].title.as_deref(), Some("Cart"));
    }
}
