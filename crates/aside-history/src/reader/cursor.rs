//! Cursor's agent: a line a message, without times and without what it took. What its editor keeps is in a database (`database/cursor.rs`).

mod transcript;

use serde_json::Value;

use super::{json, session::Known};
use crate::record::{Found, Place, Role};

pub use transcript::transcript;

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp"), place);
    found.sessions[0].saw(when.0);
    let role = match json::text(line, "role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return,
    };
    let content = json::at(line, "message.content").or(line.get("content"));
    let said = json::said(content);
    known.message(role, asked(role, &said).to_owned(), when, found);
    for block in content.and_then(Value::as_array).into_iter().flatten() {
        if json::text(block, "type") == Some("tool_use") {
            known.call((json::text(block, "name"), json::text(block, "id"), block.get("input")), when, found);
        }
    }
}

/// What a person asked, without what the program puts around it.
fn asked(role: Role, text: &str) -> &str {
    let within = || {
        let (_, after) = text.split_once("<user_query>")?;
        Some(after.rsplit_once("</user_query>").map_or(after, |(asked, _)| asked))
    };
    if role == Role::User { within().map_or(text, str::trim) } else { text }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn what_was_said_and_done_is_read() {
        let found = read_as(Source::Cursor, br#"{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>today</timestamp>\n<user_query>\nFix it\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"Well"},{"type":"tool_use","name":"Write","input":{"path":"/w/a.rs"}}]}}
"#);
        assert_eq!((found.messages.len(), found.calls[0].touches[0].path.as_str()), (2, "/w/a.rs"));
        assert_eq!(found.messages[0].text, "Fix it");
    }
}
