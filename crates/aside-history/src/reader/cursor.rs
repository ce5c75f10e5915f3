//! Cursor's agent: a line a message, without times and without what it took. What its editor keeps is in a database (`database/cursor.rs`).

use serde_json::Value;

use super::{json, session::Known};
use crate::record::{Found, Place, Role};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp"), place);
    found.sessions[0].saw(when.0);
    let role = match json::text(line, "role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return,
    };
    let content = json::at(line, "message.content").or(line.get("content"));
    known.message(role, json::said(content), when, found);
    for block in content.and_then(Value::as_array).into_iter().flatten() {
        if json::text(block, "type") == Some("tool_use") {
            known.call((json::text(block, "name"), json::text(block, "id"), block.get("input")), when, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn what_was_said_and_done_is_read() {
        let found = read_as(Source::Cursor, br#"{"role":"user","message":{"content":[{"type":"text","text":"Fix it"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"Well"},{"type":"tool_use","name":"Write","input":{"path":"/w/a.rs"}}]}}
"#);
        assert_eq!((found.messages.len(), found.calls[0].touches[0].path.as_str()), (2, "/w/a.rs"));
    }
}
