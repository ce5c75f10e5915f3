//! Goose: a row a session, with what all of it took, and a row a message. What one answer took is not told.

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
    if !has(connection, "messages") {
        return Ok(());
    }
    let of = |name: &str| column(connection, "messages", name);
    let list = [of("role"), of("content_json"), of("created_timestamp"), of("timestamp")].join(", ");
    let mut all =
        connection.prepare(&format!("SELECT rowid, session_id, {list} FROM messages ORDER BY session_id, rowid"))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let (number, role) = (row.get(0)?, text_of(row, 2));
        let Some(session) = text_of(row, 1) else {
            sessions.problem(number, "a message without a session");
            continue;
        };
        let (content, first, second) = (value_of(row, 3), value_of(row, 4), value_of(row, 5));
        let Some(content) = parsed(&content) else {
            sessions.problem(number, "a message that is not JSON");
            continue;
        };
        let place = Place { offset: u64::try_from(number).unwrap_or(0), length: 0 };
        let when = (moment(&first).or(moment(&second)), place);
        let role = if role.as_deref() == Some("user") { Role::User } else { Role::Assistant };
        sessions.of(&session, |known, found| said(known, role, &content, when, found));
    }
    Ok(())
}

/// The folder, the name and the sums of each session.
fn about(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let of = |name: &str| column(connection, "sessions", name);
    let names =
        ["working_dir", "description", "name", "created_at", "updated_at", "model_config_json", "provider_name"];
    let counts = [
        "accumulated_total_tokens",
        "accumulated_input_tokens",
        "accumulated_output_tokens",
        "total_tokens",
        "input_tokens",
        "output_tokens",
    ];
    let list: Vec<String> = names.iter().chain(&counts).map(|name| of(name)).collect();
    let mut all =
        connection.prepare(&format!("SELECT sessions.rowid, sessions.id, {} FROM sessions", list.join(", ")))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let Some(id) = text_of(row, 1) else {
            sessions.problem(number, "a session without an id");
            continue;
        };
        let text = |at: usize| text_of(row, at).filter(|text| !text.is_empty());
        let time = |at: usize| moment(&value_of(row, at));
        let count = |at: usize| match value_of(row, at) {
            Value::Integer(count) => u64::try_from(count).unwrap_or(0),
            // Some columns have no kind: what was written as a fraction or as text is one all the same.
            Value::Real(count) if count < 1e15 => json::count(&serde_json::json!({ "count": count }), "count"),
            Value::Text(count) => count.trim().parse().unwrap_or(0),
            _ => 0,
        };
        let (folder, title) = (text(2), text(3).or(text(4)));
        let (created, updated) = (time(5), time(6));
        let model = text(7).and_then(|text| serde_json::from_str::<Json>(&text).ok());
        let model = model.as_ref().and_then(|model| json::text(model, "model_name").map(str::to_owned));
        let provider = text(8);
        // What was used in all, or, where nobody added it up, in the last question.
        let all = [9, 10, 11].map(count);
        let [total, input, output] = if all == [0; 3] { [12, 13, 14].map(count) } else { all };
        // What is in neither is reasoning.
        let rest = total.saturating_sub(input.saturating_add(output));
        let tokens = Tokens { input, output: output.saturating_add(rest), ..Tokens::default() };
        sessions.of(&id, |known, found| {
            known.begin(None, folder.as_deref(), found);
            found.sessions[0].title = title;
            found.sessions[0].saw(created);
            found.sessions[0].saw(updated);
            known.model.clone_from(&model);
            let used = Used {
                tokens,
                provider: provider.as_deref(),
                key: Some(format!("session {id}")),
                // A session has many calls, of which nobody knows how long they were.
                longest: Some(0),
                assumed: true,
                ..Used::default()
            };
            let place = Place { offset: u64::try_from(number).unwrap_or(0), length: 0 };
            known.response(used, (created, place), found);
        });
    }
    Ok(())
}

/// What a message says and asks for; also of the older logs, which have a line a message.
pub fn said(
    known: &mut Known,
    role: Role,
    content: &Json,
    when: (Option<aside_core::Timestamp>, Place),
    found: &mut Found,
) {
    found.sessions[0].saw(when.0);
    let blocks = || content.as_array().into_iter().flatten();
    let words: Vec<&str> = blocks()
        .filter(|block| json::text(block, "type") == Some("text"))
        .filter_map(|block| json::text(block, "text"))
        .collect();
    known.message(role, words.join("\n"), when, found);
    for block in blocks() {
        let id = json::text(block, "id");
        match json::text(block, "type") {
            Some("toolRequest") => {
                let call = json::at(block, "toolCall.value").unwrap_or(&Json::Null);
                let (name, arguments) = meant(json::text(call, "name"), call.get("arguments"));
                known.call((name.as_deref(), id, Some(&arguments)), when, found);
            }
            Some("toolResponse") => {
                let ok = match json::text(block, "toolResult.status") {
                    Some("success") => json::at(block, "toolResult.value.isError") != Some(&Json::Bool(true)),
                    Some("error") => false,
                    _ => continue,
                };
                found.endings.extend(id.map(|id| crate::record::Ending { id: id.to_owned(), ok }));
            }
            _ => {}
        }
    }
}

/// Its editor is told by `command` what to do to a file, which is no line of a shell.
fn meant(name: Option<&str>, arguments: Option<&Json>) -> (Option<String>, Json) {
    let mut arguments = arguments.cloned().unwrap_or_default();
    let name = name.map(|name| name.rsplit("__").next().unwrap_or(name).to_owned());
    if name.as_deref() == Some("text_editor")
        && let Some(Json::String(command)) = arguments.as_object_mut().and_then(|all| all.remove("command"))
    {
        let reads = command == "view";
        return (Some(if reads { "view" } else { "text_editor" }.to_owned()), arguments);
    }
    (name, arguments)
}

/// What was said in a message.
pub fn text(connection: &Connection, row: i64) -> Option<String> {
    let mut find = connection.prepare_cached("SELECT content_json FROM messages WHERE rowid = ?").ok()?;
    let content = parsed(&find.query_row([row], |row| row.get::<_, Value>(0)).ok()?)?;
    let blocks = content.as_array()?.iter().filter(|block| json::text(block, "type") == Some("text"));
    Some(blocks.filter_map(|block| json::text(block, "text")).collect::<Vec<_>>().join("\n"))
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::Mode, source::Source};

    #[test]
    fn a_session_has_its_sums_its_messages_and_what_was_done() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                r#"CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT, created_at TIMESTAMP, total_tokens INTEGER,
                  input_tokens INTEGER, output_tokens INTEGER, accumulated_total_tokens INTEGER, accumulated_input_tokens INTEGER,
                  accumulated_output_tokens INTEGER, provider_name TEXT, model_config_json TEXT);
                CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
                INSERT INTO sessions VALUES ('g1', 'Cart', '/w', '2026-06-30 10:00:00', 9, 5, 4, 150, 100, 20, 'anthropic', '{"model_name":"claude-sonnet-4-5"}');
                INSERT INTO messages VALUES (1, 'g1', 'user', '[{"type":"text","text":"Fix the cart"}]', 1782813600);
                INSERT INTO messages VALUES (2, 'g1', 'assistant', '[{"type":"text","text":"Well"},
                  {"type":"toolRequest","id":"t1","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"view","path":"/w/a.rs"}}}},
                  {"type":"toolRequest","id":"t2","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"str_replace","path":"/w/a.rs"}}}},
                  {"type":"toolRequest","id":"t3","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"cargo test"}}}}]', 1782813601);
                INSERT INTO messages VALUES (3, 'g1', 'user', '[{"type":"toolResponse","id":"t3","toolResult":{"status":"error","error":"no"}}]', 1782813602);"#,
            )
            .unwrap();
        let mut found = Found::default();
        super::super::read(Source::Goose, &connection, "x", &mut found).unwrap();
        found.match_endings();
        let one = &found.responses[0];
        assert_eq!((one.tokens.input, one.tokens.output, one.assumed), (100, 50, true));
        assert_eq!((one.at, one.model.as_deref()), ("2026-06-30T10:00:00Z".parse().ok(), Some("claude-sonnet-4-5")));
        let modes: Vec<Option<Mode>> =
            found.calls.iter().map(|call| call.touches.first().map(|touch| touch.mode)).collect();
        assert_eq!(modes, [Some(Mode::Read), Some(Mode::Write), None]);
        assert_eq!((found.calls[2].command.as_deref(), found.calls[2].ok), (Some("cargo test"), Some(false)));
        assert_eq!((found.calls[0].command.as_deref(), found.messages.len()), (None, 2));
        assert_eq!(text(&connection, 2).as_deref(), Some("Well"));
    }

    #[test]
    fn what_a_session_took_is_read_however_it_was_written_down() {
        let tokens = |counts: &str| {
            let connection = Connection::open_in_memory().unwrap();
            let table = format!(
                "CREATE TABLE sessions (id, accumulated_total_tokens, accumulated_input_tokens, accumulated_output_tokens,
                   total_tokens, input_tokens, output_tokens, model_config_json);
                 INSERT INTO sessions VALUES ('s', {counts}, 'no json');"
            );
            connection.execute_batch(&table).unwrap();
            let mut found = Found::default();
            super::super::read(Source::Goose, &connection, "x", &mut found).unwrap();
            found.responses.first().map(|one| (one.tokens.input, one.tokens.output))
        };
        for (counts, expected) in [
            ("40, 20, 10, 9, 5, 4", Some((20, 20))),
            ("NULL, NULL, NULL, 9, 5, 4", Some((5, 4))),
            ("0, 0, 0, 9, 5, 4", Some((5, 4))),
            ("NULL, 20, 10, 9, 5, 4", Some((20, 10))),
            ("NULL, NULL, NULL, 500, NULL, NULL", Some((0, 500))),
            ("30.0, '20', x'00', 9, 5, 4", Some((20, 10))),
            ("3, 20, 10, 9, 5, 4", Some((20, 10))),
            ("-5, -5, -5, NULL, 'many', 1e300", None),
            ("NULL, NULL, NULL, NULL, NULL, NULL", None),
        ] {
            assert_eq!(tokens(counts), expected, "{counts}");
        }
    }
}
