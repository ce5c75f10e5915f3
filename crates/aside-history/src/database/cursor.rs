//! Cursor: one table of keys and JSON; a row a conversation, a row a bubble of it. It names no folder: the one that most of the files are in
//! that a conversation names. Its counts of tokens are its own and may be zero: amounts are estimates.

use std::collections::HashMap;

use aside_store::sql::{Connection, Error, Value};
use serde_json::Value as Json;

use super::{Sessions, has, json as parsed, text_of, value_of};
use crate::{
    reader::{
        json,
        session::{Known, Used, apart},
    },
    record::{Found, Place, Role},
    touch::absolute,
};

/// Characters of paths that are looked at for one conversation.
const MOST_PATHS: usize = 2_000;

/// Reads all conversations.
pub fn read(connection: &Connection, sessions: &mut Sessions<'_>) -> Result<(), Error> {
    if !has(connection, "cursorDiskKV") {
        return Ok(());
    }
    let mut paths: HashMap<String, Vec<String>> = HashMap::new();
    each(connection, "composerData", |row, key, value| {
        let Some(value) = value else { return sessions.problem(row, "a conversation that is not JSON") };
        let id = json::text(&value, "composerId").unwrap_or(key).to_owned();
        let named = paths.entry(id.clone()).or_default();
        collect(&value["context"], named);
        collect(&value["attachedFoldersNew"], named);
        sessions.of(&id, |known, found| {
            let model = json::text(&value, "modelConfig.modelName").filter(|name| *name != "default");
            known.model = model.map(str::to_owned);
            found.sessions[0].title = json::text(&value, "name").map(str::to_owned);
            found.sessions[0].saw(json::moment(&value, "createdAt"));
            found.sessions[0].saw(json::moment(&value, "lastUpdatedAt"));
            // Older versions keep the bubbles in the conversation.
            for (number, one) in (0..).zip(json::list(&value, "conversation")) {
                collect_all(one, named);
                bubble(known, &id, one, place(row, number), found);
            }
        });
    })?;
    each(connection, "bubbleId", |row, key, value| {
        let Some(value) = value else { return sessions.problem(row, "a bubble that is not JSON") };
        let id = key.split(':').next().unwrap_or(key).to_owned();
        collect_all(&value, paths.entry(id.clone()).or_default());
        sessions.of(&id, |known, found| bubble(known, &id, &value, place(row, 0), found));
    })?;
    for (id, paths) in paths {
        if let Some(folder) = folder_of(&paths) {
            sessions.of(&id, |known, found| known.begin(None, Some(&folder), found));
            sessions.settle(&id, &folder);
        }
    }
    Ok(())
}

impl Sessions<'_> {
    /// Gives what was read before the folder of its session was known that folder.
    fn settle(&mut self, id: &str, folder: &str) {
        let Some((number, _)) = self.known.get(id) else { return };
        for call in self.found.calls.iter_mut().filter(|call| call.session == *number) {
            call.touches.iter_mut().for_each(|touch| touch.path = absolute(&touch.path, Some(folder)));
        }
        for response in self.found.responses.iter_mut().filter(|response| response.session == *number) {
            response.workspace.get_or_insert_with(|| folder.into());
        }
    }
}

/// Rows of one kind, in the order in which they were written, each with what follows its kind in its key.
fn each(connection: &Connection, kind: &str, mut read: impl FnMut(i64, &str, Option<Json>)) -> Result<(), Error> {
    let sql = "SELECT rowid, key, value FROM cursorDiskKV WHERE key >= ?1 || ':' AND key < ?1 || ';' ORDER BY rowid";
    let mut all = connection.prepare(sql)?;
    let mut rows = all.query([kind])?;
    while let Some(row) = rows.next()? {
        let number = row.get(0)?;
        let Some(key) = text_of(row, 1) else { continue };
        let value = value_of(row, 2);
        // A bubble that was deleted leaves its key.
        if !matches!(value, Value::Null) {
            read(number, key.get(kind.len() + 1..).unwrap_or_default(), parsed(&value).filter(Json::is_object));
        }
    }
    Ok(())
}

/// `number` is that of a bubble in its conversation, where that has them; a bubble of its own has none.
fn place(row: i64, number: u32) -> Place {
    Place { offset: u64::try_from(row).unwrap_or(0), length: number }
}

fn bubble(known: &Known, id: &str, bubble: &Json, place: Place, found: &mut Found) {
    let when = (json::moment(bubble, "createdAt"), place);
    found.sessions[0].saw(when.0);
    let role = match bubble.get("type").and_then(Json::as_i64) {
        Some(1) => Role::User,
        Some(2) => Role::Assistant,
        _ => return,
    };
    known.message(role, json::text(bubble, "text").unwrap_or_default().to_owned(), when, found);
    let tool = &bubble["toolFormerData"];
    // What was half-written when the call was stopped is none.
    let is_whole = |value: &&Json| match value {
        Json::String(text) => serde_json::from_str::<Json>(text).is_ok_and(|value| value.is_object()),
        other => other.is_object(),
    };
    let arguments = ["rawArgs", "params"].into_iter().find_map(|name| tool.get(name).filter(is_whole));
    known.call((json::text(tool, "name"), json::text(tool, "toolCallId"), arguments), when, found);
    if let (Some(call), Some(_)) = (found.calls.last_mut(), json::text(tool, "name")) {
        call.ok = match json::text(tool, "status") {
            Some("completed") => Some(true),
            Some("error" | "cancelled" | "rejected") => Some(false),
            _ => None,
        };
    }
    let model = json::text(bubble, "modelInfo.modelName").filter(|name| *name != "default");
    let key = json::text(bubble, "bubbleId").map(|bubble| format!("{id} {bubble}"));
    let tokens = apart(bubble, ["tokenCount.inputTokens", "tokenCount.outputTokens", "none", "none"]);
    known.response(Used { tokens, model, key, assumed: true, ..Used::default() }, when, found);
}

fn collect_all(bubble: &Json, paths: &mut Vec<String>) {
    collect(&bubble["context"], paths);
    collect(&bubble["attachedFoldersNew"], paths);
    for name in ["params", "rawArgs"] {
        match &bubble["toolFormerData"][name] {
            Json::String(text) => collect(&serde_json::from_str(text).unwrap_or_default(), paths),
            other => collect(other, paths),
        }
    }
}

/// Absolute paths that a value names, wherever in it.
fn collect(value: &Json, paths: &mut Vec<String>) {
    match value {
        _ if paths.len() >= MOST_PATHS => {}
        Json::String(text) if is_path(text) => paths.push(text.clone()),
        Json::Array(all) => all.iter().for_each(|one| collect(one, paths)),
        Json::Object(all) => all.values().for_each(|one| collect(one, paths)),
        _ => {}
    }
}

fn is_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    let absolute = text.starts_with('/') && !text.starts_with("//")
        || (bytes.get(1) == Some(&b':') && bytes.get(2) == Some(&b'\\'));
    absolute && text.len() < 4096 && !text.contains('\n')
}

/// The deepest folder that at least half of the paths are in.
fn folder_of(paths: &[String]) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for path in paths {
        let path = path.replace('\\', "/");
        let ends = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        for end in ends {
            *counts.entry(path[..end].to_owned()).or_default() += 1;
        }
    }
    let half = |(_, count): &(String, usize)| count * 2 >= paths.len();
    let deepest = |(folder, count): &(String, usize)| (folder.matches('/').count(), *count, folder.clone());
    counts.into_iter().filter(half).max_by_key(deepest).map(|(folder, _)| folder)
}

/// What was said in a bubble.
pub fn text(connection: &Connection, row: i64, number: i64) -> Option<String> {
    let mut find = connection.prepare_cached("SELECT value FROM cursorDiskKV WHERE rowid = ?").ok()?;
    let value = parsed(&find.query_row([row], |row| row.get::<_, Value>(0)).ok()?)?;
    let bubble = match value.get("conversation").and_then(Json::as_array) {
        Some(bubbles) => bubbles.get(usize::try_from(number).ok()?)?,
        None => &value,
    };
    json::text(bubble, "text").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn world(rows: &[(&str, &str)]) -> (Connection, Found) {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
            .unwrap();
        for (key, value) in rows {
            connection.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", [key, value]).unwrap();
        }
        let mut found = Found::default();
        super::super::read(Source::Cursor, &connection, "x", &mut found).unwrap();
        (connection, found)
    }

    #[test]
    fn a_conversation_has_its_bubbles_and_the_folder_of_its_files() {
        let (connection, found) = world(&[
            (
                "composerData:c1",
                r#"{"composerId":"c1","name":"Cart","createdAt":1782813600000,"modelConfig":{"modelName":"claude-sonnet-4-5"}}"#,
            ),
            (
                "bubbleId:c1:b1",
                r#"{"type":1,"bubbleId":"b1","text":"Fix the cart","context":{"fileSelections":[{"uri":{"fsPath":"/home/me/shop/src/cart.rs"}}]}}"#,
            ),
            (
                "bubbleId:c1:b2",
                r#"{"type":2,"bubbleId":"b2","text":"Well","createdAt":"2026-06-30T10:00:01.000Z","tokenCount":{"inputTokens":100,"outputTokens":20},
              "toolFormerData":{"name":"edit_file_v2","status":"completed","rawArgs":"{\"target_file\":\"src/cart.rs\"}","params":"{\"relativeWorkspacePath\":\"/home/me/shop/src/lib.rs\"}"}}"#,
            ),
            ("bubbleId:c1:b3", "{"),
            ("ofSomethingElse", "{}"),
        ]);
        let one = &found.responses[0];
        assert_eq!((found.responses.len(), one.tokens.total(), one.assumed), (1, 120, true));
        assert_eq!(
            (one.model.as_deref(), one.workspace.as_deref()),
            (Some("claude-sonnet-4-5"), Some("/home/me/shop/src"))
        );
        assert_eq!(found.sessions[0].title.as_deref(), Some("Cart"));
        assert_eq!((found.messages.len(), found.calls[0].ok, found.problems.len()), (2, Some(true), 1));
        let row = i64::try_from(found.messages[0].place.offset).unwrap();
        assert_eq!(text(&connection, row, 0).as_deref(), Some("Fix the cart"));
    }

    #[test]
    fn a_call_is_told_by_whichever_of_its_arguments_can_be_read() {
        for raw in [r#""""#, r#""{\"target_file\":""#, "null", "[]", "7"] {
            let bubble = format!(
                r#"{{"type":2,"bubbleId":"b","text":"Well","toolFormerData":{{"name":"edit_file","status":7,"rawArgs":{raw},"params":"{{\"target_file\":\"/w/x.rs\"}}"}}}}"#
            );
            let (_, found) = world(&[("bubbleId:c:b", &bubble)]);
            let touched = found.calls[0].touches.first().map(|touch| touch.path.as_str());
            assert_eq!((touched, found.calls[0].ok, found.problems.len()), (Some("/w/x.rs"), None, 0), "{raw}");
        }
    }

    #[test]
    fn fields_of_another_kind_than_expected_cost_their_neighbours_nothing() {
        let (_, found) = world(&[
            ("composerData:c3", r#"{"composerId":7,"name":9,"conversation":{"a":1}}"#),
            ("composerData:c4", "[]"),
            ("bubbleId:c:1", r#"{"type":"2","text":["no"],"createdAt":"never"}"#),
            ("bubbleId:c:2", r#"{"type":2,"text":null,"tokenCount":null,"toolFormerData":{"name":7,"params":[]}}"#),
            (
                "bubbleId:c:3",
                r#"{"type":2,"text":"ok","createdAt":1e300,"tokenCount":{"inputTokens":-1,"outputTokens":5}}"#,
            ),
            ("bubbleId::", r#"{"type":9}"#),
        ]);
        assert_eq!((found.messages.len(), found.calls.len(), found.problems.len()), (1, 0, 1));
        let one = &found.responses[0];
        assert_eq!((found.responses.len(), one.tokens.total(), one.at, &one.model), (1, 5, None, &None));
    }

    #[test]
    fn bubbles_in_their_conversation_are_read_too() {
        let (connection, found) = world(&[(
            "composerData:old",
            r#"{"composerId":"old","conversation":[{"type":1,"text":"One"},{"type":2,"text":"Two","tokenCount":{"inputTokens":0,"outputTokens":0}}]}"#,
        )]);
        assert_eq!((found.messages.len(), found.responses.len()), (2, 0));
        let place = found.messages[1].place;
        assert_eq!(
            text(&connection, i64::try_from(place.offset).unwrap(), place.length.into()).as_deref(),
            Some("Two")
        );
    }

    #[test]
    fn the_folder_is_the_deepest_that_half_of_the_files_are_in() {
        let folder = |paths: &[&str]| folder_of(&paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(folder(&["/w/shop/a/x.rs", "/w/shop/b/y.rs", "/w/shop/c/z.rs"]), some("/w/shop"));
        assert_eq!(folder(&["/w/a/x.rs", "/w/a/y.rs", "/tmp/z"]), some("/w/a"));
        assert_eq!(folder(&["C:\\w\\a\\x.rs"]), some("C:/w/a"));
        assert_eq!(folder(&[]), None);
    }
}
