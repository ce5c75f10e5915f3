//! opencode, and Kilo's command line, which is made from it: rows of sessions, messages and their parts, each with JSON. Version 2 keeps a message
//! with its parts in one row of another table; for a time there are both, and a message may be in both.
//!
//! A fork copies messages under new ids: it is known by what is the same in both.

mod copies;

use aside_store::sql::{Connection, Error, Value};
use serde_json::json;

use super::{Sessions, column, has, json as parsed, moment, note_uncounted, text_of, value_of};
use crate::{
    reader::{json, opencode},
    record::Place,
    source::Source,
};
use copies::Copies;

/// Stands in the place of a row for the table of version 2; rows of the first table have none.
const SECOND: u32 = 2;

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
    for table in ["session", "session_v2"] {
        if has(connection, table) {
            about(connection, table, sessions)?;
        }
    }
    let copies = Copies::of(connection)?;
    if has(connection, "message") {
        first(connection, &copies, sessions)?;
    }
    if has(connection, "session_message") {
        second(connection, &copies, sessions)?;
    }
    Ok(())
}

/// The messages of the first table, each with its parts.
fn first(connection: &Connection, copies: &Copies, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let created = column(connection, "message", "time_created");
    let parts = if has(connection, "part") { "part.data, part.id" } else { "NULL, NULL" };
    let join = if has(connection, "part") { "LEFT JOIN part ON part.message_id = message.id" } else { "" };
    let order = if has(connection, "part") { ", part.id" } else { "" };
    let mut all = connection.prepare(&format!(
        "SELECT message.rowid, message.id, message.session_id, message.data, {created}, {parts} FROM message {join}
         ORDER BY message.session_id, {created}, message.id{order}"
    ))?;
    let mut rows = all.query(())?;
    let (mut last, mut number): (Option<i64>, usize) = (None, 0);
    while let Some(row) = rows.next()? {
        let place: i64 = row.get(0)?;
        let Some((id, session)) = text_of(row, 1).zip(text_of(row, 2)) else {
            if last.replace(place) != Some(place) {
                sessions.problem(place, "a message without an id or a session");
            }
            continue;
        };
        let (data, created, part, part_id) = (value_of(row, 3), value_of(row, 4), value_of(row, 5), text_of(row, 6));
        let row = Row { row: place, id, session, data, created, part, part_id };
        let begins = last.replace(row.row) != Some(row.row);
        number = if begins { 0 } else { number + 1 };
        let Some(mut message) = parsed(&row.data).filter(serde_json::Value::is_object) else {
            if begins {
                sessions.problem(row.row, "a message that is not a JSON object");
            }
            continue;
        };
        let original = copies.original(&row.id);
        message["id"] = json!(original.map_or(&row.id, |original| &original.id));
        message["sessionID"] = json!(row.session);
        let place = Place { offset: u64::try_from(row.row).unwrap_or(0), length: 0 };
        let at = json::moment(&message, "time.created").or(moment(&row.created));
        sessions.of(&row.session, |known, found| {
            if begins {
                opencode::document(known, &message, place, found);
                note_uncounted(Source::Opencode, &message, place.offset, found);
                found.responses.iter_mut().for_each(|response| response.at = response.at.or(at));
            }
            let Some(part) = parsed(&row.part) else { return };
            let id = original.and_then(|original| original.parts.get(number)).or(row.part_id.as_ref());
            opencode::part(known, (&message, id.map(String::as_str), &part), (at, place), found);
        });
    }
    Ok(())
}

/// The messages of version 2, but for those that the first table has, too.
fn second(connection: &Connection, copies: &Copies, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let of = |name: &str| column(connection, "session_message", name);
    let known = if has(connection, "message") { "WHERE id NOT IN (SELECT id FROM message)" } else { "" };
    let mut all = connection.prepare(&format!(
        "SELECT rowid, id, session_id, {}, data, {created} FROM session_message {known} ORDER BY session_id, {}, {created}, id",
        of("type"),
        of("seq"),
        created = of("time_created")
    ))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let place: i64 = row.get(0)?;
        let Some((id, session)) = text_of(row, 1).zip(text_of(row, 2)) else {
            sessions.problem(place, "a message without an id or a session");
            continue;
        };
        let Some(mut message) = parsed(&value_of(row, 4)).filter(serde_json::Value::is_object) else {
            sessions.problem(place, "a message that is not a JSON object");
            continue;
        };
        if let Some(kind) = text_of(row, 3) {
            message["type"] = json!(kind);
        }
        let original = copies.original(&id);
        if original.is_some_and(|original| original.session == session) {
            continue;
        }
        message["id"] = json!(original.map_or(&id, |original| &original.id));
        message["sessionID"] = json!(session);
        let at = json::moment(&message, "time.created").or(moment(&value_of(row, 5)));
        let place = Place { offset: u64::try_from(place).unwrap_or(0), length: SECOND };
        sessions.of(&session, |known, found| {
            opencode::second(known, &message, (at, place), found);
            note_uncounted(Source::Opencode, &message, place.offset, found);
        });
    }
    Ok(())
}

/// The folder and the name of each session.
fn about(connection: &Connection, table: &str, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let of = |name: &str| column(connection, table, name);
    let list = [of("directory"), of("title"), of("time_created"), of("time_updated")].join(", ");
    let mut all = connection.prepare(&format!("SELECT {table}.id, {list} FROM {table}"))?;
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
pub fn text(connection: &Connection, row: i64, table: i64) -> Option<String> {
    if table == i64::from(SECOND) {
        let sql = "SELECT data FROM session_message WHERE rowid = ?";
        let data: Value = connection.prepare_cached(sql).ok()?.query_row([row], |row| row.get(0)).ok()?;
        return Some(opencode::said(&parsed(&data)?)).filter(|text| !text.is_empty());
    }
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
    use crate::record::Found;

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
        assert_eq!(text(&connection, row, 0).as_deref(), Some("Well"));
        assert_eq!(found.problems.len(), 1);
    }

    /// The responses of a database, each with its tokens and its key, and what was said in it.
    fn read_all(tables: &str) -> (Vec<(u64, String)>, Vec<String>, Found) {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(tables).unwrap();
        let mut found = Found::default();
        super::super::read(Source::Opencode, &connection, "x.db", &mut found).unwrap();
        let told = |one: &crate::Response| (one.tokens.total(), one.key.clone().unwrap().message);
        let said: Vec<String> = found
            .messages
            .iter()
            .map(|one| {
                let row = i64::try_from(one.place.offset).unwrap();
                assert!(text(&connection, row, one.place.length.into()).unwrap().contains(&one.text));
                format!("{} {}", one.id.as_deref().unwrap_or("-"), one.text)
            })
            .collect();
        (found.responses.iter().map(told).collect(), said, found)
    }

    #[test]
    fn forked_messages_have_the_names_of_their_originals() {
        let answer = |created: u64| {
            format!(
                r#"{{"role":"assistant","time":{{"created":{created},"completed":{}}},"parentID":"msg_{created}","modelID":"m","providerID":"p","tokens":{{"input":1,"output":{created},"cache":{{}}}}}}"#,
                created + 5
            )
        };
        let user = r#"{"role":"user","time":{"created":100}}"#;
        let tables = format!(
            r#"CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER);
            CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT, time_created INTEGER);
            CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
            INSERT INTO session VALUES ('a', '/w', 'A', 1), ('b', '/w', 'A (fork #1)', 9), ('c', '/w', 'C', 9);
            INSERT INTO message VALUES ('m0', 'a', '{user}', 100), ('m1', 'a', '{}', 110),
              ('m2', 'b', '{user}', 100), ('m3', 'b', '{}', 110), ('m4', 'b', '{}', 120), ('m5', 'c', '{user}', 100);
            INSERT INTO part VALUES ('p0', 'm0', 'a', '{{"type":"text","text":"go"}}'), ('p1', 'm1', 'a', '{{"type":"text","text":"well"}}'),
              ('p2', 'm2', 'b', '{{"type":"text","text":"go"}}'), ('p3', 'm3', 'b', '{{"type":"text","text":"well"}}'),
              ('p4', 'm4', 'b', '{{"type":"text","text":"more"}}'), ('p5', 'm5', 'c', '{{"type":"text","text":"another"}}');"#,
            answer(110),
            answer(110).replace("msg_110", "other"),
            answer(120)
        );
        let (used, said, _) = read_all(&tables);
        assert_eq!(used, [(111, "m1".to_owned()), (111, "m1".to_owned()), (121, "m4".to_owned())]);
        assert_eq!(said, ["p0 go", "p1 well", "p0 go", "p1 well", "p4 more", "p5 another"]);
    }

    #[test]
    fn messages_in_both_tables_are_read_once() {
        let tables = r#"CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER);
            CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT, time_created INTEGER);
            CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT);
            INSERT INTO session VALUES ('a', '/w', 'A', 1782813600000);
            INSERT INTO message VALUES ('m1', 'a', '{"role":"assistant","time":{"created":1782813600000},"modelID":"m","providerID":"p","tokens":{"input":1,"output":1}}', 1782813600000);
            INSERT INTO session_message VALUES ('m0', 'a', 'user', 1, 1782813600000, 0, '{"text":"go","time":{"created":1782813600000}}'),
              ('m1', 'a', 'assistant', 2, 1782813600000, 0, '{"content":[],"model":{"id":"m","providerID":"p"},"tokens":{"input":1,"output":1}}'),
              ('m2', 'a', 'assistant', 3, 1782813601000, 0, '{"agent":"build","model":{"id":"claude-sonnet-4-5","providerID":"anthropic"},"time":{"created":1782813601000},
                "content":[{"type":"text","text":"well"},{"type":"tool","id":"c","name":"edit","state":{"status":"completed","input":{"filePath":"src/a.rs"}}}],
                "cost":0.5,"tokens":{"input":1,"output":2,"reasoning":3,"cache":{"read":4,"write":5}}}'),
              ('m3', 'a', 'compaction', 4, 1782813602000, 0, '{"summary":"so far","tokens":{"input":7,"output":1}}'),
              ('m4', 'a', 'idle', 5, 1782813603000, 0, '{"outcome":"succeeded"}'), ('m5', 'a', 'user', 6, 1, 0, 'no json');"#;
        let (used, said, found) = read_all(tables);
        assert_eq!(used, [(2, "m1".to_owned()), (15, "m2".to_owned()), (8, "m3".to_owned())]);
        assert_eq!(said, ["m0 0 go", "m2 0 well"]);
        let one = &found.responses[1];
        assert_eq!(
            (one.model.as_deref(), one.recorded, one.workspace.as_deref()),
            (Some("claude-sonnet-4-5"), Some(500_000_000_000), Some("/w"))
        );
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.calls[0].ok), ("/w/src/a.rs", Some(true)));
        assert_eq!(found.problems.len(), 1);
    }
}
