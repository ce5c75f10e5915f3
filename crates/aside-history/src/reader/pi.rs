//! pi: a line a record; a fork begins with a copy of what it was forked from.

use serde_json::Value;

use super::{
    json,
    session::{Known, Used, apart, with_rest},
};
use crate::record::{Found, Place, Role};

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let when = (json::moment(line, "timestamp").or(json::moment(line, "message.timestamp")), place);
    found.sessions[0].saw(when.0);
    match json::text(line, "type") {
        Some("session") => known.begin(json::text(line, "id"), json::text(line, "cwd"), found),
        Some("model_change") => known.model = json::text(line, "modelId").map(str::to_owned).or(known.model.take()),
        Some("message") => message(known, line, when, found),
        _ => {}
    }
}

fn message(known: &Known, line: &Value, when: (Option<aside_core::Timestamp>, Place), found: &mut Found) {
    let role = match json::text(line, "message.role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("toolResult") => {
            let ok = json::at(line, "message.isError") != Some(&Value::Bool(true));
            let result = json::at(line, "message.content");
            return known.ended(json::text(line, "message.toolCallId"), ok, result, found);
        }
        _ => return,
    };
    // A copy in a fork has the same id and time; ids alone are short, and not the only ones of their kind.
    let id = json::text(line, "id").zip(when.0).map(|(id, at)| format!("{} {id}", at.0));
    known.message_with_id(id.clone(), (role, json::said(json::at(line, "message.content"))), when, found);
    for block in json::list(line, "message.content").filter(|block| json::text(block, "type") == Some("toolCall")) {
        known.call((json::text(block, "name"), json::text(block, "id"), block.get("arguments")), when, found);
    }
    let Some(usage) = json::at(line, "message.usage") else { return };
    let used = Used {
        tokens: with_rest(
            apart(usage, ["input", "output", "cacheRead", "cacheWrite"]),
            usage,
            ["output", "totalTokens"],
        ),
        model: json::text(line, "message.model"),
        provider: json::text(line, "message.provider"),
        key: id,
        recorded: json::dollars(usage, "cost.total"),
        ..Used::default()
    };
    known.response(used, when, found);
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_as};

    #[test]
    fn the_cost_that_the_log_says_is_taken() {
        let found = read_as(Source::Pi, br#"{"type":"session","id":"p","cwd":"/w","timestamp":"2026-06-30T10:00:00.000Z"}
{"type":"message","id":"a1","timestamp":"2026-06-30T10:00:01.000Z","message":{"role":"user","content":"go"}}
{"type":"message","id":"a2","timestamp":"2026-06-30T10:00:02.000Z","message":{"role":"assistant","provider":"anthropic","model":"claude-opus-4-5","content":[{"type":"text","text":"Well"},{"type":"toolCall","id":"t","name":"write","arguments":{"path":"a.rs"}}],"usage":{"input":5,"output":6,"cacheRead":7,"cacheWrite":8,"totalTokens":26,"cost":{"total":0.25}}}}
{"type":"message","id":"a3","timestamp":"2026-06-30T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"t","content":[],"isError":true}}
"#);
        let one = &found.responses[0];
        assert_eq!(
            (one.recorded, one.tokens.total(), one.workspace.as_deref()),
            (Some(250_000_000_000), 26, Some("/w"))
        );
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.calls[0].ok), ("/w/a.rs", Some(false)));
        assert_eq!(found.messages.len(), 2);
    }
}
