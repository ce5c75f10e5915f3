//! Hermes Agent: a row a session with what all of it took, a row for each model that it asked, and a row a message. What one answer took is
//! not told.

use aside_store::sql::{Connection, Error, Row, Value};
use serde_json::Value as Json;

use super::{Sessions, column, has, json as parsed, moment, text_of, value_of};
use crate::{
    reader::{
        escapes, json,
        session::{Known, Used},
    },
    record::{Found, Place, Role, Tokens},
};

/// How tokens are called in both tables; reasoning is a part of what was answered.
const COUNTS: [&str; 4] = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"];

/// Reads all sessions.
pub fn read(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    if !has(connection, "sessions") {
        return Ok(());
    }
    about(connection, sessions)?;
    if has(connection, "messages") { messages(connection, sessions) } else { Ok(()) }
}

/// The folder, the name and the sums of each session.
fn about(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let names =
        ["cwd", "git_branch", "title", "started_at", "ended_at", "model", "billing_provider", "actual_cost_usd"];
    let of = |name: &&str| column(connection, "sessions", name);
    let list: Vec<String> = names.iter().chain(&COUNTS).map(of).collect();
    let sql = format!("SELECT sessions.rowid, sessions.id, {} FROM sessions", list.join(", "));
    let mut all = connection.prepare(&sql)?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let Some(id) = text_of(row, 1).filter(|id| !id.is_empty()) else {
            sessions.problem(number, "a session without an id");
            continue;
        };
        let text = |at: usize| text_of(row, at).filter(|text| !text.is_empty());
        let when = (moment(&value_of(row, 5)), place(number));
        let ended = moment(&value_of(row, 6));
        let (folder, branch, title) = (text(2), text(3), text(4));
        let whole = Spent { tokens: tokens(row, 10), cost: cost(&value_of(row, 9)), model: text(7), provider: text(8) };
        let parts = by_model(connection, &id)?;
        sessions.of(&id, |known, found| {
            known.begin(None, folder.as_deref(), found);
            let session = &mut found.sessions[0];
            (session.branch, session.title) = (branch, title);
            session.saw(when.0);
            session.saw(ended);
            known.model.clone_from(&whole.model);
            // What no row of a model tells of.
            let rest =
                parts.iter().filter(|part| !part.aside).fold(whole.tokens, |rest, part| less(rest, part.spent.tokens));
            let cost = if parts.is_empty() { whole.cost } else { None };
            for part in parts {
                let at = part.last.or(when.0);
                part.spent.take(known, &format!("hermes {id} {}", part.name), (at, when.1), found);
            }
            Spent { tokens: rest, cost, ..whole }.take(known, &format!("hermes {id}"), when, found);
        });
    }
    Ok(())
}

/// Tokens and cost of a session or of a part of it, by model and provider.
struct Spent {
    tokens: Tokens,
    cost: Option<u64>,
    model: Option<String>,
    provider: Option<String>,
}

impl Spent {
    fn take(self, known: &Known, key: &str, when: (Option<aside_core::Timestamp>, Place), found: &mut Found) {
        let Self { tokens, cost, model, provider } = self;
        let provider = provider.filter(|provider| !matches!(provider.as_str(), "auto" | "custom"));
        let used = Used {
            tokens,
            model: model.as_deref(),
            provider: provider.as_deref(),
            key: Some(key.to_owned()),
            recorded: cost,
            ..Used::default()
        };
        known.response(used, when, found);
    }
}

/// The usage of one model by a session, for one kind of task.
struct Part {
    name: String,
    /// It was taken beside the session, by a task of its own, and is in none of its sums.
    aside: bool,
    last: Option<aside_core::Timestamp>,
    spent: Spent,
}

/// The rows of models of a session; none in older versions.
fn by_model(connection: &Connection, session: &str) -> Result<Vec<Part>, Error> {
    const TABLE: &str = "session_model_usage";
    if !has(connection, TABLE) {
        return Ok(Vec::new());
    }
    let names = ["model", "billing_provider", "task", "actual_cost_usd", "last_seen"];
    let list: Vec<String> = names.iter().chain(&COUNTS).map(|name| column(connection, TABLE, name)).collect();
    let sql = format!("SELECT rowid, {} FROM {TABLE} WHERE session_id = ? ORDER BY rowid", list.join(", "));
    let mut all = connection.prepare_cached(&sql)?;
    let rows = all.query_map([session], |row| {
        let text = |at: usize| text_of(row, at).filter(|text| !text.is_empty());
        Ok(Part {
            name: row.get::<_, i64>(0)?.to_string(),
            aside: text(3).is_some(),
            last: moment(&value_of(row, 5)),
            spent: Spent { tokens: tokens(row, 6), cost: cost(&value_of(row, 4)), model: text(1), provider: text(2) },
        })
    })?;
    rows.collect()
}

/// Subtracts a part from a sum; no count goes below zero.
fn less(sum: Tokens, part: Tokens) -> Tokens {
    Tokens {
        input: sum.input.saturating_sub(part.input),
        output: sum.output.saturating_sub(part.output),
        cache_read: sum.cache_read.saturating_sub(part.cache_read),
        cache_write: sum.cache_write.saturating_sub(part.cache_write),
        ..Tokens::default()
    }
}

fn tokens(row: &Row<'_>, from: usize) -> Tokens {
    let count = |at: usize| match value_of(row, from + at) {
        Value::Integer(count) => u64::try_from(count).unwrap_or(0),
        Value::Real(count) if count < 1e15 => json::count(&serde_json::json!({ "count": count }), "count"),
        Value::Text(count) => count.trim().parse().unwrap_or(0),
        _ => 0,
    };
    Tokens { input: count(0), output: count(1), cache_read: count(2), cache_write: count(3), ..Tokens::default() }
}

/// The cost that a service charged. Costs that the program guesses are left out: it knows no better prices than a list has.
fn cost(value: &Value) -> Option<u64> {
    #[expect(clippy::cast_precision_loss, reason = "dollars")]
    let dollars = match value {
        Value::Real(dollars) => *dollars,
        Value::Integer(dollars) => *dollars as f64,
        _ => return None,
    };
    json::dollars(&serde_json::json!({ "cost": dollars }), "cost")
}

fn place(row: i64) -> Place {
    Place { offset: u64::try_from(row).unwrap_or(0), length: 0 }
}

fn messages(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    let of = |name: &str| column(connection, "messages", name);
    let list = ["role", "content", "tool_calls", "tool_call_id", "timestamp", "effect_disposition"].map(of).join(", ");
    let mut all =
        connection.prepare(&format!("SELECT rowid, session_id, {list} FROM messages ORDER BY session_id, rowid"))?;
    let mut rows = all.query(())?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let Some(session) = text_of(row, 1) else {
            sessions.problem(number, "a message without a session");
            continue;
        };
        let (role, content, calls) = (text_of(row, 2).unwrap_or_default(), text_of(row, 3), value_of(row, 4));
        let (call, when) = (text_of(row, 5), (moment(&value_of(row, 6)), place(number)));
        let denied = text_of(row, 7).as_deref() == Some("denied");
        sessions.of(&session, |known, found| {
            found.sessions[0].saw(when.0);
            let said = || said(content.as_deref().unwrap_or_default());
            match role.as_str() {
                "user" => known.message(Role::User, said(), when, found),
                "assistant" => {
                    known.message(Role::Assistant, said(), when, found);
                    for call in parsed(&calls).as_ref().and_then(Json::as_array).into_iter().flatten() {
                        let name = json::text(call, "function.name").or(json::text(call, "name"));
                        let arguments = ["function.arguments", "arguments", "input"];
                        let arguments = arguments.iter().find_map(|name| json::at(call, name));
                        known.call((name, json::text(call, "id"), arguments), when, found);
                    }
                }
                "tool" => {
                    let content = content.unwrap_or_default();
                    let ok = !denied && worked(&content);
                    known.ended(call.as_deref(), ok, Some(&Json::String(content)), found);
                }
                _ => {}
            }
        });
    }
    Ok(())
}

/// Tells whether a tool succeeded. Its answer is a text, or JSON with the outcome.
fn worked(content: &str) -> bool {
    let Ok(told) = escapes::parse::<Json>(content) else { return true };
    let failed = told.get("success") == Some(&Json::Bool(false))
        || told.get("error").is_some_and(|error| !error.is_null() && error.as_str() != Some(""))
        || told.get("exit_code").and_then(Json::as_i64).is_some_and(|code| code != 0);
    !failed
}

/// The words of a content: a plain text, or parts, which are marked as JSON.
fn said(content: &str) -> String {
    match content.strip_prefix("\0json:") {
        Some(parts) => json::said(escapes::parse::<Json>(parts).ok().as_ref()),
        None => content.to_owned(),
    }
}

/// The text of a message.
pub fn text(connection: &Connection, row: i64) -> Option<String> {
    let mut find = connection.prepare_cached("SELECT content FROM messages WHERE rowid = ?").ok()?;
    let content: String = find.query_row([row], |row| Ok(text_of(row, 0))).ok()??;
    Some(said(&content)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::Mode, source::Source};

    fn read_from(statements: &str) -> (Connection, Found) {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(statements).unwrap();
        let mut found = Found::default();
        super::super::read(Source::Hermes, &connection, "", &mut found).unwrap();
        found.match_endings();
        (connection, found)
    }

    const SESSIONS: &str = r#"CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, started_at REAL, ended_at REAL, message_count INTEGER,
          input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER,
          billing_provider TEXT, estimated_cost_usd REAL, actual_cost_usd REAL, title TEXT, cwd TEXT, git_branch TEXT);
        INSERT INTO sessions VALUES ('h1', 'cli', 'claude-opus-4-5', 1782813600.5, 1782813700, 3, 100, 20, 30, 4, 9, 'anthropic', 0.9, NULL, 'Cart', '/w', 'main');"#;

    #[test]
    fn a_session_has_its_sums_messages_and_calls() {
        let (connection, found) = read_from(&format!(
            r#"{SESSIONS}
            CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, timestamp REAL);
            INSERT INTO messages VALUES (1, 'h1', 'user', 'Fix the cart', NULL, NULL, 1782813601);
            INSERT INTO messages VALUES (2, 'h1', 'assistant', 'Well', NULL, '[{{"id":"t1","function":{{"name":"write_file","arguments":"{{\"path\":\"a.rs\",\"content\":\"x\"}}"}}}}]', 1782813602);
            INSERT INTO messages VALUES (3, 'h1', 'tool', '{{"success":false}}', 't1', NULL, 1782813603);
            INSERT INTO messages VALUES (4, 'h1', 'session_meta', '{{}}', NULL, NULL, 1782813603);"#
        ));
        let one = &found.responses[0];
        assert_eq!((found.responses.len(), one.tokens.total(), one.recorded), (1, 154, None));
        assert_eq!((one.model.as_deref(), one.provider.as_deref()), (Some("claude-opus-4-5"), Some("anthropic")));
        let session = &found.sessions[0];
        assert_eq!((session.title.as_deref(), session.branch.as_deref()), (Some("Cart"), Some("main")));
        let call = &found.calls[0];
        assert_eq!(
            (call.touches[0].path.as_str(), call.touches[0].mode, call.ok),
            ("/w/a.rs", Mode::Write, Some(false))
        );
        assert_eq!((found.messages.len(), text(&connection, 1).as_deref()), (2, Some("Fix the cart")));
    }

    #[test]
    fn models_of_a_session_are_told_apart() {
        let (_, found) = read_from(&format!(
            r"{SESSIONS}
            CREATE TABLE session_model_usage (session_id TEXT, model TEXT, billing_provider TEXT, task TEXT, input_tokens INTEGER, output_tokens INTEGER,
              cache_read_tokens INTEGER, cache_write_tokens INTEGER, actual_cost_usd REAL, last_seen REAL);
            INSERT INTO session_model_usage VALUES ('h1', 'claude-opus-4-5', 'anthropic', '', 60, 15, 30, 4, 0.25, 1782813650);
            INSERT INTO session_model_usage VALUES ('h1', 'gpt-5', 'openai', '', 40, 5, 0, 0, 0, 1782813660);"
        ));
        let told: Vec<_> = found
            .responses
            .iter()
            .map(|one| (one.model.as_deref().unwrap(), one.tokens.total(), one.recorded))
            .collect();
        assert_eq!(told, [("claude-opus-4-5", 109, Some(250_000_000_000)), ("gpt-5", 45, None)]);
    }
}
