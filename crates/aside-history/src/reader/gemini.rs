//! Gemini CLI: one JSON object a session, or, from 0.39 on, a line a message; a message that is told again replaces the one before.

use serde_json::Value;

use super::{
    Elements, json,
    session::{Known, Used, with_cached_input, with_rest},
};
use crate::record::{Found, Place, Role};

/// Reads a whole session.
pub fn document(known: &mut Known, document: &Value, places: &Elements, found: &mut Found) {
    begin(known, document, found);
    for (number, message) in json::list(document, "messages").enumerate() {
        line(known, message, places.at(number), found);
    }
}

/// Reads a line, which is a message or the head of the session.
pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    begin(known, line, found);
    if let Some(title) = json::text(line, "$set.summary") {
        found.sessions[0].title = Some(title.to_owned());
    }
    let when = (json::moment(line, "timestamp"), place);
    found.sessions[0].saw(when.0);
    let id = || json::text(line, "id").map(str::to_owned);
    let said = || json::said(line.get("content"));
    match json::text(line, "type") {
        Some("user") => known.message_with_id(id(), (Role::User, said()), when, found),
        Some("gemini") => {
            known.message_with_id(id(), (Role::Assistant, said()), when, found);
            for call in json::list(line, "toolCalls") {
                known.call((json::text(call, "name"), json::text(call, "id"), call.get("args")), when, found);
                if let Some(status) = json::text(call, "status") {
                    known.ended(json::text(call, "id"), status == "success", result(call).as_ref(), found);
                }
            }
            let Some(tokens) = line.get("tokens") else { return };
            let mut counted = with_cached_input(tokens, ["input", "cached", "output", "thoughts"]);
            // What tools put into the prompt is told beside it.
            counted.input = counted.input.saturating_add(json::count(tokens, "tool"));
            let used = Used {
                tokens: with_rest(counted, tokens, ["output", "total"]),
                model: json::text(line, "model"),
                key: id(),
                ..Used::default()
            };
            known.response(used, when, found);
        }
        _ => {}
    }
}

/// Takes the head of a session. That of a session that another one started is told in the other's name, which its folder has.
fn begin(known: &mut Known, head: &Value, found: &mut Found) {
    known.side |= json::text(head, "kind") == Some("subagent");
    if !known.side {
        known.begin(json::text(head, "sessionId"), None, found);
        found.sessions[0].title = json::text(head, "summary").map(str::to_owned).or(found.sessions[0].title.take());
    }
}

/// What came of a call. What is shown of a change has the file before it; of what was read it only says how much, and the model was told all.
fn result(call: &Value) -> Option<Value> {
    let shown = call.get("resultDisplay").filter(|shown| shown.is_object()).cloned();
    shown.or_else(|| {
        let told = json::list(call, "result").filter_map(|part| json::text(part, "functionResponse.response.output"));
        Some(told.collect::<Vec<_>>().join("\n")).filter(|told| !told.is_empty()).map(Value::from)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{FileFacts, Reader};
    use crate::{
        Source,
        reader::tests::{read_as, read_whole},
        record::Found,
    };

    const ANSWER: &str = r#"{"id":"g","timestamp":"2026-06-30T10:00:00.000Z","type":"gemini","content":"Hi","model":"gemini-2.5-pro","tokens":{"input":100,"output":10,"cached":30,"thoughts":5,"tool":0,"total":115},"toolCalls":[{"id":"c","name":"replace","args":{"file_path":"/w/a"},"status":"error"}]}"#;

    #[test]
    fn a_session_is_read_from_one_object_or_from_lines() {
        let whole = read_whole(
            Source::Gemini,
            format!(r#"{{"sessionId":"s","messages":[{{"type":"user","content":[{{"text":"go"}}]}},{ANSWER}]}}"#)
                .as_bytes(),
        );
        let lines = read_as(
            Source::Gemini,
            format!("{{\"sessionId\":\"s\"}}\n{{\"type\":\"user\",\"content\":\"go\"}}\n{ANSWER}\n").as_bytes(),
        );
        for mut found in [whole, lines] {
            found.match_endings();
            assert_eq!(found.calls[0].ok, Some(false));
            let tokens = found.responses[0].tokens;
            assert_eq!((tokens.input, tokens.cache_read, tokens.output), (70, 30, 15));
            // Each message has its own place, so that it can be told what came after what.
            assert!(found.calls[0].place.offset > found.messages[0].place.offset);
            assert_eq!((found.messages.len(), found.calls.len(), found.sessions[0].id.as_str()), (2, 1, "s"));
        }
    }

    #[test]
    fn started_session_is_told_in_the_name_of_its_parent() {
        let mut found = Found::default();
        let facts = FileFacts { session: "parent".to_owned(), document: false };
        let log = format!(
            "{}\n{}\n",
            r#"{"sessionId":"child","kind":"subagent"}"#,
            ANSWER.replace(r#""tool":0"#, r#""tool":7"#)
        );
        Reader::new(Source::Gemini, &facts).read(log.as_bytes(), 0, &mut found);
        assert_eq!(
            (found.sessions[0].id.as_str(), found.responses[0].side, found.calls[0].side),
            ("parent", true, true)
        );
        assert_eq!(found.responses[0].tokens.input, 77);
        let main =
            read_as(Source::Gemini, b"{\"sessionId\":\"s\",\"kind\":\"main\"}\n{\"$set\":{\"summary\":\"corals\"}}\n");
        assert_eq!((main.sessions[0].id.as_str(), main.sessions[0].title.as_deref()), ("s", Some("corals")));
    }
}
