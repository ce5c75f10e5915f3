//! OpenClaw since its sessions are in a database: a row an event, each as a line of its older logs had it.

use aside_store::sql::{Connection, Error, Value};

use super::{Sessions, column, has, json, moment, note_uncounted, text_of, value_of};
use crate::{
    reader::openclaw,
    record::{Found, Place, Session},
    source::Source,
};

/// Reads all sessions.
pub fn read(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    if !has(connection, "transcript_events") {
        return Ok(());
    }
    let of = |name: &str| column(connection, "transcript_events", name);
    let list = [of("event_json"), of("created_at"), of("event_zstd")].join(", ");
    let mut all = connection
        .prepare(&format!("SELECT rowid, session_id, {list} FROM transcript_events ORDER BY session_id, seq"))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let Some(session) = text_of(row, 1) else {
            sessions.problem(number, "an event without a session");
            continue;
        };
        let Some(event) = json(&value_of(row, 2)) else {
            let is_compressed = matches!(value_of(row, 4), Value::Blob(bytes) if !bytes.is_empty());
            let reason = if is_compressed { "a compressed event is not read" } else { "an event that is not JSON" };
            sessions.problem(number, reason);
            continue;
        };
        let (place, at) = (place(number), moment(&value_of(row, 3)));
        sessions.of(&session, |known, found| {
            found.sessions[0].saw(at);
            openclaw::line(known, &event, place, found);
            note_uncounted(Source::Openclaw, &event, place.offset, found);
            // The name in the row is the one that its other tables have.
            known.session.clone_from(&session);
        });
    }
    Ok(())
}

fn place(row: i64) -> Place {
    Place { offset: u64::try_from(row).unwrap_or(0), length: 0 }
}

/// The text of an event.
pub fn text(connection: &Connection, row: i64) -> Option<String> {
    let mut find = connection.prepare_cached("SELECT event_json FROM transcript_events WHERE rowid = ?").ok()?;
    let event = json(&find.query_row([row], |row| row.get::<_, Value>(0)).ok()?)?;
    let mut found = Found { sessions: vec![Session::default()], ..Found::default() };
    openclaw::line(&mut crate::reader::session::Known::default(), &event, place(row), &mut found);
    found.messages.into_iter().next().map(|message| message.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_in_their_order() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                r#"CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL, created_at INTEGER NOT NULL,
                  PRIMARY KEY (session_id, seq)) STRICT;
                INSERT INTO transcript_events VALUES ('o1', 3, '{"type":"message","id":"a2","timestamp":"2026-06-30T10:00:02.000Z","message":{"role":"assistant",
                  "model":"claude-opus-4-5","content":[{"type":"text","text":"Well"}],"usage":{"input":5,"output":6}}}', 1782813602000);
                INSERT INTO transcript_events VALUES ('o1', 1, '{"type":"session","id":"o1","cwd":"/w"}', 1782813600000);
                INSERT INTO transcript_events VALUES ('o1', 2, '{"type":"message","id":"a1","message":{"role":"user","content":"Fix it"}}', 1782813601000);
                INSERT INTO transcript_events VALUES ('o1', 4, 'nonsense', 1782813603000);"#,
            )
            .unwrap();
        let mut found = Found::default();
        super::super::read(Source::Openclaw, &connection, "", &mut found).unwrap();
        let one = &found.responses[0];
        assert_eq!((one.tokens.total(), one.workspace.as_deref()), (11, Some("/w")));
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["Fix it", "Well"]);
        assert_eq!((text(&connection, 1).as_deref(), found.problems.len()), (Some("Well"), 1));
        assert_eq!((found.sessions.len(), found.sessions[0].id.as_str()), (1, "o1"));
    }
}
