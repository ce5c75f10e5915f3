//! Aside's own threads: the log of each, in the file of its workspace. What they cost is known exactly, and what was taken back as well.

mod did;

use std::{collections::HashMap, path::Path};

use aside_store::sql::{Connection, Error, Value};
use serde_json::Value as Json;

use super::{Sessions, has, json as parsed, moment};
use crate::{
    outcome::TAKEN_BACK,
    reader::{
        json,
        session::{Known, Used},
    },
    record::{Found, Place, Role, Tokens},
};

/// Logs of threads are called as the threads are.
const THREADS: &str =
    "SELECT rowid, stream, at, body FROM log WHERE stream >= 'thr_' AND stream < 'thr`' ORDER BY rowid";

/// Reads all threads. `path` is that of the file, in `.aside` of the workspace.
pub fn read(connection: &Connection, path: &str, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    if !has(connection, "log") {
        return Ok(());
    }
    let folder = Path::new(path).parent().and_then(Path::parent).map(|folder| folder.display().to_string());
    // The newest state of an action replaces the older ones; what was done is told once.
    let mut told: HashMap<String, Json> = HashMap::new();
    let mut all = connection.prepare(THREADS)?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let (number, stream, at, body): (i64, String, Value, Value) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let Some(body) = parsed(&body) else {
            sessions.problem(number, "an entry that is not JSON");
            continue;
        };
        let when = (moment(&at), Place { offset: u64::try_from(number).unwrap_or(0), length: 0 });
        sessions.of(&stream, |known, found| {
            known.begin(None, folder.as_deref(), found);
            found.sessions[0].saw(when.0);
            entry(known, &body, when, &mut told, found);
        });
    }
    Ok(())
}

fn entry(
    known: &mut Known,
    body: &Json,
    when: (Option<aside_core::Timestamp>, Place),
    told: &mut HashMap<String, Json>,
    found: &mut Found,
) {
    match json::text(body, "type") {
        Some("turn_started") => {
            let text = json::text(body, "text").unwrap_or_default();
            known.message(Role::User, text.to_owned(), when, found);
            known.model = json::text(body, "model.name").map(str::to_owned);
            if found.sessions[0].title.is_none() {
                found.sessions[0].title = text.lines().next().map(|line| line.chars().take(80).collect());
            }
        }
        Some("step_ended") => {
            known.message(Role::Assistant, json::text(body, "text").unwrap_or_default().to_owned(), when, found);
            let step = body["step"].as_u64().unwrap_or(0);
            let key = json::text(body, "turn").map(|turn| format!("{turn} {step}"));
            known.response(used(body, key), when, found);
        }
        Some("action_changed") => action(known, &body["record"], when, told, found),
        _ => {}
    }
}

fn used(body: &Json, key: Option<String>) -> Used<'static> {
    let count = |name: &str| json::count(body, &format!("usage.{name}"));
    let (read, write, hour) = (count("cache_read"), count("cache_write"), count("cache_write_hour"));
    let tokens = Tokens {
        input: count("input").saturating_sub(read.saturating_add(write)),
        output: count("output"),
        cache_read: read,
        cache_write: write.saturating_sub(hour),
        cache_write_hour: hour.min(write),
    };
    let is_known = json::count(body, "cost.unknown") == 0 && body.get("cost").is_some();
    Used { tokens, key, recorded: is_known.then(|| json::count(body, "cost.picodollars")), ..Used::default() }
}

/// An action is told when it has ended, and once more when it was taken back, which the action that did so does not tell again. One that was
/// decided on part by part was done by those of its parts.
fn action(
    known: &Known,
    record: &Json,
    when: (Option<aside_core::Timestamp>, Place),
    told: &mut HashMap<String, Json>,
    found: &mut Found,
) {
    let (Some(id), Some(state)) = (json::text(record, "envelope.id"), json::text(record, "state")) else { return };
    let name = json::text(record, "envelope.action_type").unwrap_or_default();
    let (verb, ok) = match state {
        "done" => (verb(name), true),
        "failed" | "refused" => (verb(name), false),
        "undone" => (TAKEN_BACK, true),
        _ => return,
    };
    if json::text(record, "undoes").is_some() || json::list(record, "parts").next().is_some() {
        return;
    }
    if told.get(id).is_some_and(|known| known == state) {
        return;
    }
    told.insert(id.to_owned(), state.into());
    let is_back = verb == TAKEN_BACK;
    let arguments = did::arguments(name, record, is_back);
    known.call((Some(verb), Some(id), Some(&arguments)), when, found);
    let Some(call) = found.calls.last_mut() else { return };
    call.ok = Some(ok);
    if let Some(touches) = did::moved(name, &arguments, known.workspace.as_deref()) {
        call.touches = touches;
    }
    if is_back {
        // That the person took it back says more than that something did.
        call.edited = None;
    }
    if let (Some(details), Some(read)) = (&mut found.details, did::read(name, record)) {
        details.results.insert(id.to_owned(), read);
    }
}

/// What an action does to the file that it names, in the words that are known of all programs; else its own name.
fn verb(name: &str) -> &str {
    match name {
        "doc.read" | "file.read" | "notebook.read" => "read_file",
        "doc.edit" | "doc.restore" | "doc.format" | "cell.edit" | "cell.set" | "cell.insert" | "cell.delete" => {
            "edit_file"
        }
        "doc.create" | "file.create" => "create_file",
        "file.delete" => "delete_file",
        other => other,
    }
}

/// What was said in an entry.
pub fn text(connection: &Connection, row: i64) -> Option<String> {
    let mut find = connection.prepare_cached("SELECT body FROM log WHERE rowid = ?").ok()?;
    let body = parsed(&find.query_row([row], |row| row.get::<_, Value>(0)).ok()?)?;
    json::text(&body, "text").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn thread(entries: &[&str]) -> Found {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE log (stream TEXT, seq INTEGER, at INTEGER, body TEXT)").unwrap();
        for entry in entries {
            connection.execute("INSERT INTO log VALUES ('thr_1', 1, 1782813600000, ?)", [entry]).unwrap();
        }
        let mut found = Found::default();
        super::super::read(Source::Aside, &connection, "/w/shop/.aside/aside.db", &mut found).unwrap();
        found
    }

    #[test]
    fn entries_that_are_not_as_they_should_be_cost_their_neighbours_nothing() {
        let found = thread(&[
            "not json",
            "[]",
            "{}",
            r#"{"type":7}"#,
            r#"{"type":"of_tomorrow","text":"?"}"#,
            r#"{"type":"turn_started","turn":null,"text":7,"model":"x"}"#,
            r#"{"type":"step_ended","turn":"t","step":"one","text":null,"usage":{"input":-1,"output":"many","cache_read":18446744073709551615},"cost":7}"#,
            r#"{"type":"action_changed","record":{"envelope":{"id":"a"},"state":"done","undoes":null}}"#,
            r#"{"type":"action_changed","record":[]}"#,
            r#"{"type":"step_ended","turn":"t","step":2,"text":"Well","usage":{"input":5,"output":2},"cost":{"picodollars":9,"unknown":0}}"#,
        ]);
        assert_eq!((found.problems.len(), found.sessions.len()), (1, 1));
        let last = found.responses.last().unwrap();
        assert_eq!((last.tokens.total(), last.recorded), (7, Some(9)));
        assert_eq!(found.messages.last().map(|one| one.text.as_str()), Some("Well"));
    }

    #[test]
    fn what_nobody_knows_the_cost_of_is_not_recorded_as_free() {
        let ended = |cost: &str| {
            thread(&[&format!(
                r#"{{"type":"step_ended","turn":"t","step":1,"text":"","usage":{{"input":5,"output":2}}{cost}}}"#
            )])
            .responses[0]
                .recorded
        };
        assert_eq!(ended(r#","cost":{"picodollars":0,"unknown":1,"at_most":9}"#), None);
        assert_eq!(ended(""), None);
        assert_eq!(ended(r#","cost":{"picodollars":0,"unknown":0,"local":1}"#), Some(0), "a model of this machine");
    }

    #[test]
    fn a_thread_has_what_it_cost_and_what_was_taken_back() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                r#"CREATE TABLE log (stream TEXT, seq INTEGER, at INTEGER, body TEXT);
                INSERT INTO log VALUES ('thr_1', 1, 1782813600000, '{"type":"turn_started","turn":"t","text":"Fix the cart","model":{"provider":"anthropic","name":"claude-sonnet-4-5"}}');
                INSERT INTO log VALUES ('thr_1', 2, 1782813601000, '{"type":"step_ended","turn":"t","step":1,"text":"Well","usage":{"input":10,"output":2,"cache_read":3,"cache_write":4,"cache_write_hour":1},"cost":{"picodollars":500,"unknown":0,"local":0,"milliseconds":1}}');
                INSERT INTO log VALUES ('thr_1', 3, 1782813602000, '{"type":"action_changed","record":{"envelope":{"id":"act_1","action_type":"doc.edit","args":{"path":"src/cart.rs"}},"state":"running"}}');
                INSERT INTO log VALUES ('thr_1', 4, 1782813603000, '{"type":"action_changed","record":{"envelope":{"id":"act_1","action_type":"doc.edit","args":{"path":"src/cart.rs"}},"state":"done"}}');
                INSERT INTO log VALUES ('thr_1', 5, 1782813604000, '{"type":"action_changed","record":{"envelope":{"id":"act_1","action_type":"doc.edit","args":{"path":"src/cart.rs"}},"state":"undone"}}');
                INSERT INTO log VALUES ('cell_1', 1, 1, '{"type":"turn_started","text":"not a thread"}');"#,
            )
            .unwrap();
        let mut found = Found::default();
        super::super::read(Source::Aside, &connection, "/w/shop/.aside/aside.db", &mut found).unwrap();
        assert_eq!((found.sessions.len(), &*found.sessions[0].id), (1, "thr_1"));
        let one = &found.responses[0];
        assert_eq!((one.recorded, one.tokens.total(), one.tokens.input), (Some(500), 12, 3));
        assert_eq!((one.workspace.as_deref(), one.model.as_deref()), (Some("/w/shop"), Some("claude-sonnet-4-5")));
        let names: Vec<(&str, &str)> = found
            .calls
            .iter()
            .map(|call| (&*call.name, call.touches.first().map_or("", |touch| &touch.path)))
            .collect();
        assert_eq!(names, [("edit_file", "/w/shop/src/cart.rs"), (TAKEN_BACK, "/w/shop/src/cart.rs")]);
        assert_eq!((found.messages.len(), text(&connection, 2).as_deref()), (2, Some("Well")));
    }
}
