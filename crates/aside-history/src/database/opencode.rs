//! opencode, and Kilo's command line, which is made from it: rows of sessions, messages and their parts, each with JSON.

use aside_store::sql::{Connection, Error, Value};
use serde_json::json;

use super::{Sessions, column, has, json as parsed, moment, text_of, value_of};
use crate::{
    reader::{json, opencode},
    record::Place,
};

/// A message, with one of its parts.
struct Row {
    row: i64,
    id: String,
    session: String,
    data: Value,
    created: Value,
    part: Value,
    part_id: Option<String>,
}

/// Reads all sessions.
pub fn read(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    if !has(connection, "message") || !has(connection, "session") {
        return Ok(());
    }
    about(connection, sessions)?;
    let created = column(connection, "message", "time_created");
    let parts = if has(connection, "part") { "part.data, part.id" } else { "NULL, NULL" };
    let join = if has(connection, "part") { "LEFT JOIN part ON part.message_id = message.id" } else { "" };
    let order = if has(connection, "part") { ", part.id" } else { "" };
    let mut all = connection.prepare(&format!(
        "SELECT message.rowid, message.id, message.session_id, message.data, {created}, {parts} FROM message {join}
         ORDER BY message.session_id, {created}, message.id{order}"
    ))?;
    let mut rows = all.query(())?;
    let mut last: Option<i64> = None;
    while let Some(row) = rows.next()? {
        let number = row.get(0)?;
        let Some((id, session)) = text_of(row, 1).zip(text_of(row, 2)) else {
            if last.replace(number) != Some(number) {
                sessions.problem(number, "a message without an id or a session");
            }
            continue;
        };
        let row = Row {
            row: number,
            id,
            session,
            data: value_of(row, 3),
            created: value_of(row, 4),
            part: value_of(row, 5),
            part_id: text_of(row, 6),
        };
        let Some(mut message) = parsed(&row.data).filter(serde_json::Value::is_object) else {
            if last != Some(row.row) {
                sessions.problem(row.row, "a message that is not a JSON object");
            }
            last = Some(row.row);
            continue;
        };
        let begins = last.replace(row.row) != Some(row.row);
        message["id"] = json!(row.id);
        message["sessionID"] = json!(row.session);
        let place = Place { offset: u64::try_from(row.row).unwrap_or(0), length: 0 };
        let at = json::moment(&message, "time.created").or(moment(&row.created));
        sessions.of(&row.session, |known, found| {
            if begins {
                opencode::document(known, &message, place, found);
                found.responses.iter_mut().for_each(|response| response.at = response.at.or(at));
            }
            let Some(part) = parsed(&row.part) else { return };
            opencode::part(known, (&message, row.part_id.as_deref(), &part), (at, place), found);
        });
    }
    Ok(())
}

/// The folder and the name of each session.
fn about(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let of = |name: &str| column(connection, "session", name);
    let list = [of("directory"), of("title"), of("time_created"), of("time_updated")].join(", ");
    let mut all = connection.prepare(&format!("SELECT session.id, {list} FROM session"))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        // What has no id nothing can belong to.
        let Some(id) = text_of(row, 0) else { continue };
        let (folder, title) = (text_of(row, 1), text_of(row, 2));
        let (created, updated) = (value_of(row, 3), value_of(row, 4));
        sessions.of(&id, |known, found| {
            known.begin(None, folder.as_deref().filter(|folder| !folder.is_empty()), found);
            found.sessions[0].title = title;
            found.sessions[0].saw(moment(&created));
            found.sessions[0].saw(moment(&updated));
        });
    }
    Ok(())
}

/// What was said in a message.
pub fn text(connection: &Connection, row: i64) -> Option<String> {
    let sql = "SELECT part.data FROM part JOIN message ON message.id = part.message_id WHERE message.rowid = ? ORDER BY part.id";
    let mut parts = connection.prepare_cached(sql).ok()?;
    let values = parts.query_map([row], |row| row.get::<_, Value>(0)).ok()?.flatten();
    let said = values.filter_map(|value| {
        let part = parsed(&value)?;
        (json::text(&part, "type") == Some("text")).then(|| json::text(&part, "text").map(str::to_owned))?
    });
    Some(said.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::Found, source::Source};

    #[test]
    fn messages_have_their_parts_their_cost_and_their_session() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                r#"CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER);
                CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT, time_created INTEGER);
                CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
                INSERT INTO session VALUES ('ses_1', '/w', 'Cart', 1782813600000);
                INSERT INTO message VALUES ('msg_1', 'ses_1', '{"role":"user","time":{"created":1782813600000}}', 1782813600000);
                INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"Fix the cart"}');
                INSERT INTO message VALUES ('msg_2', 'ses_1', '{"role":"assistant","modelID":"claude-sonnet-4-5","providerID":"anthropic","cost":0.5,
                  "tokens":{"input":1,"output":2,"reasoning":3,"cache":{"read":4,"write":5}}}', 1782813601000);
                INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', '{"type":"text","text":"Well"}');
                INSERT INTO part VALUES ('prt_3', 'msg_2', 'ses_1', '{"type":"tool","tool":"edit","callID":"c","state":{"status":"completed","input":{"filePath":"src/cart.rs"}}}');
                INSERT INTO message VALUES ('msg_3', 'ses_1', 'not json', 1);"#,
            )
            .unwrap();
        let mut found = Found::default();
        super::super::read(Source::Opencode, &connection, "x.db", &mut found).unwrap();
        assert_eq!((found.sessions.len(), found.sessions[0].title.as_deref()), (1, Some("Cart")));
        let one = &found.responses[0];
        assert_eq!((found.responses.len(), one.recorded, one.tokens.total()), (1, Some(500_000_000_000), 15));
        assert_eq!((one.at, one.workspace.as_deref()), (Some(aside_core::Timestamp(1_782_813_601_000)), Some("/w")));
        assert_eq!((found.calls.len(), found.calls[0].ok), (1, Some(true)));
        assert_eq!(found.calls[0].touches[0].path, "/w/src/cart.rs");
        let said: Vec<&str> = found.messages.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(said, ["Fix the cart", "Well"]);
        let row = i64::try_from(found.messages[1].place.offset).unwrap();
        assert_eq!(text(&connection, row).as_deref(), Some("Well"));
        assert_eq!(found.problems.len(), 1);
    }
}
