//! Kimi CLI and Kimi Code: a line an event. The first wraps each event in `message`; the second has flat records, and tells what a step took
//! twice: at its end and in a record of its own.

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    json,
    session::{Known, Used, apart},
};
use crate::record::{Found, Place, Role, Tokens};

type When = (Option<Timestamp>, Place);

pub fn line(known: &mut Known, line: &Value, place: Place, found: &mut Found) {
    let at = ["timestamp", "time", "created_at"].iter().find_map(|name| json::moment(line, name));
    found.sessions[0].saw(at);
    match line.get("message") {
        Some(message) => event(known, message, (at, place), found),
        None => record(known, line, (at, place), found),
    }
}

/// An event of Kimi CLI.
fn event(known: &mut Known, event: &Value, when: When, found: &mut Found) {
    let Some(payload) = event.get("payload") else { return };
    match json::text(event, "type") {
        Some("TurnBegin" | "SteerInput") => {
            known.message(Role::User, json::said(payload.get("user_input")), when, found);
        }
        Some("BtwBegin") => known.message(Role::User, json::said(payload.get("question")), when, found),
        Some("BtwEnd") => known.message(Role::Assistant, json::said(payload.get("response")), when, found),
        Some("ContentPart") if json::text(payload, "type") == Some("text") => {
            known.message(Role::Assistant, json::said(payload.get("text")), when, found);
        }
        Some("ToolCall") => {
            let arguments = json::at(payload, "function.arguments");
            call(known, (json::text(payload, "function.name"), json::text(payload, "id"), arguments), when, found);
        }
        Some("ToolResult") => {
            let Some(result) = payload.get("return_value") else { return };
            let ok = result.get("is_error") != Some(&Value::Bool(true));
            known.ended(json::text(payload, "tool_call_id"), ok, result.get("output"), found);
        }
        Some("StatusUpdate") => {
            let Some(usage) = payload.get("token_usage") else { return };
            let tokens = apart(usage, ["input_other", "output", "input_cache_read", "input_cache_creation"]);
            response(known, (tokens, json::text(payload, "message_id"), None), when, found);
        }
        Some("SubagentEvent") => subagent(known, payload, when, found),
        _ => {}
    }
}

/// An event of a model that this one started. Newer versions write a log for it, too: what it took is counted once by its id, and the rest
/// is left to that log.
fn subagent(known: &mut Known, payload: &Value, when: When, found: &mut Found) {
    let Some(inner) = payload.get("event") else { return };
    if json::text(payload, "agent_id").is_some() && json::text(inner, "type") != Some("StatusUpdate") {
        return;
    }
    let before = (found.messages.len(), found.calls.len(), found.responses.len());
    event(known, inner, when, found);
    found.messages[before.0..].iter_mut().for_each(|one| one.side = true);
    found.calls[before.1..].iter_mut().for_each(|one| one.side = true);
    found.responses[before.2..].iter_mut().for_each(|one| one.side = true);
}

/// A record of Kimi Code.
fn record(known: &mut Known, record: &Value, when: When, found: &mut Found) {
    match json::text(record, "type") {
        Some("config.update") => {
            known.begin(None, json::text(record, "cwd"), found);
            known.model = json::text(record, "modelAlias").map(str::to_owned).or(known.model.take());
        }
        Some("turn.prompt" | "turn.steer") => {
            known.message(Role::User, json::said(record.get("input")), when, found);
        }
        Some("context.append_loop_event") => {
            if let Some(event) = record.get("event") {
                step(known, event, when, found);
            }
        }
        Some("usage.record") => usage(known, record, Told::Apart, when, found),
        _ => {}
    }
}

/// An event of the loop in which Kimi Code asks a model.
fn step(known: &mut Known, event: &Value, when: When, found: &mut Found) {
    let id = json::text(event, "toolCallId");
    match json::text(event, "type") {
        Some("content.part") if json::text(event, "part.type") == Some("text") => {
            known.message(Role::Assistant, json::said(json::at(event, "part.text")), when, found);
        }
        Some("tool.call") => call(known, (json::text(event, "name"), id, event.get("args")), when, found),
        Some("tool.result") => {
            let ok = json::at(event, "result.isError") != Some(&Value::Bool(true));
            known.ended(id, ok, json::at(event, "result.output"), found);
        }
        Some("step.end") => usage(known, event, Told::AtEnd, when, found),
        _ => {}
    }
}

/// Where Kimi Code tells what a step took.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    AtEnd,
    Apart,
}

impl Told {
    fn word(self) -> &'static str {
        if self == Self::AtEnd { "step" } else { "record" }
    }
}

/// Takes what a step took, unless the other place told the same just before.
fn usage(known: &mut Known, record: &Value, told: Told, when: When, found: &mut Found) {
    let Some(usage) = record.get("usage") else { return };
    let tokens = apart(usage, ["inputOther", "output", "inputCacheRead", "inputCacheCreation"]);
    let counts = [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write];
    let other = known.counted.take();
    let model = json::text(record, "model");
    if other.is_some_and(|(place, known)| place != told.word() && known == counts) {
        return;
    }
    known.counted = Some((told.word().to_owned(), counts));
    response(known, (tokens, None, model), when, found);
}

/// Adds a response. One without an id is identified by its time and its counts, which a fork copies.
fn response(known: &Known, (tokens, id, model): (Tokens, Option<&str>, Option<&str>), when: When, found: &mut Found) {
    let Tokens { input, output, cache_read, cache_write, .. } = tokens;
    let at = when.0.map_or(0, |at| at.0);
    let counts = || format!("{} {at} {input} {output} {cache_read} {cache_write}", known.session);
    let key = Some(format!("kimi {}", id.map_or_else(counts, str::to_owned)));
    known.response(Used { tokens, model, key, ..Used::default() }, when, found);
}

/// Takes a call. Its editor is told of one change in `edit`, or of several.
fn call(
    known: &Known,
    (name, id, arguments): (Option<&str>, Option<&str>, Option<&Value>),
    when: When,
    found: &mut Found,
) {
    let mut arguments = match arguments {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
        other => other.cloned().unwrap_or_default(),
    };
    if let Some(all) = arguments.as_object_mut()
        && let Some(edit) = all.remove("edit")
    {
        all.insert("edits".to_owned(), json::edits(edit));
    }
    // What is put at the end of a file is not the whole of it.
    if json::text(&arguments, "mode") == Some("append")
        && let Some(all) = arguments.as_object_mut()
        && let Some(content) = all.remove("content")
    {
        all.insert("appended".to_owned(), content);
    }
    known.call((name, id, Some(&arguments)), when, found);
}

#[cfg(test)]
mod tests {
    use crate::{
        Source,
        reader::tests::read_as,
        record::{Mode, Role},
    };

    #[test]
    fn events_of_a_turn_are_read() {
        let found = read_as(Source::Kimi, br#"{"type":"metadata","protocol_version":"1.5"}
{"timestamp":1782813600.5,"message":{"type":"TurnBegin","payload":{"user_input":[{"type":"text","text":"Fix the cart"}]}}}
{"timestamp":1782813601,"message":{"type":"ContentPart","payload":{"type":"think","think":"hm"}}}
{"timestamp":1782813601,"message":{"type":"ContentPart","payload":{"type":"text","text":"Done"}}}
{"timestamp":1782813602,"message":{"type":"ToolCall","payload":{"type":"function","id":"t1","function":{"name":"StrReplaceFile","arguments":"{\"path\":\"/w/a.rs\",\"edit\":{\"old\":\"x\",\"new\":\"y\"}}"}}}}
{"timestamp":1782813603,"message":{"type":"ToolResult","payload":{"tool_call_id":"t1","return_value":{"is_error":true,"output":"no"}}}}
{"timestamp":1782813604,"message":{"type":"StatusUpdate","payload":{"token_usage":{"input_other":100,"output":20,"input_cache_read":300,"input_cache_creation":4},"message_id":"m1"}}}
{"timestamp":1782813604,"message":{"type":"StatusUpdate","payload":{"token_usage":null,"context_usage":0.5}}}
"#);
        let tokens = found.responses[0].tokens;
        assert_eq!((tokens.input, tokens.output, tokens.cache_read, tokens.cache_write), (100, 20, 300, 4));
        assert_eq!(found.responses.len(), 1);
        let said: Vec<_> = found.messages.iter().map(|one| (one.role, one.text.as_str())).collect();
        assert_eq!(said, [(Role::User, "Fix the cart"), (Role::Assistant, "Done")]);
        let call = &found.calls[0];
        assert_eq!(
            (call.touches[0].path.as_str(), call.touches[0].mode, call.ok),
            ("/w/a.rs", Mode::Write, Some(false))
        );
        assert!(call.edited.is_some());
        assert_eq!(found.sessions[0].first, Some(aside_core::Timestamp(1_782_813_600_500)));
    }

    #[test]
    fn subagent_usage_is_counted_by_its_id() {
        let status =
            r#"{"type":"StatusUpdate","payload":{"token_usage":{"input_other":1,"output":2},"message_id":"m2"}}"#;
        let log = format!(
            r#"{{"timestamp":1,"message":{{"type":"SubagentEvent","payload":{{"agent_id":"a","event":{status}}}}}}}
{{"timestamp":1,"message":{{"type":"SubagentEvent","payload":{{"agent_id":"a","event":{{"type":"ContentPart","payload":{{"type":"text","text":"x"}}}}}}}}}}
{{"timestamp":1,"message":{{"type":"SubagentEvent","payload":{{"task_tool_call_id":"t","event":{{"type":"ContentPart","payload":{{"type":"text","text":"y"}}}}}}}}}}
"#
        );
        let found = read_as(Source::Kimi, log.as_bytes());
        assert_eq!(found.responses[0].key.as_ref().unwrap().message, "kimi m2");
        assert!(found.responses[0].side);
        assert_eq!(found.messages.iter().map(|one| (one.text.as_str(), one.side)).collect::<Vec<_>>(), [("y", true)]);
    }

    #[test]
    fn kimi_code_usage_told_twice_counts_once() {
        let usage = r#"{"inputOther":10,"output":2,"inputCacheRead":3,"inputCacheCreation":0}"#;
        let end = |time: u32| {
            format!(
                r#"{{"type":"context.append_loop_event","time":{time},"event":{{"type":"step.end","usage":{usage}}}}}"#
            )
        };
        let apart =
            |time: u32| format!(r#"{{"type":"usage.record","time":{time},"model":"kimi-k2.6","usage":{usage}}}"#);
        let count = |lines: &[String]| read_as(Source::Kimi, (lines.join("\n") + "\n").as_bytes()).responses.len();
        assert_eq!(count(&[end(1), apart(2), end(3), apart(4)]), 2);
        assert_eq!(count(&[end(1), end(3)]), 2);
        assert_eq!(count(&[apart(1), apart(3)]), 2);
        let found = read_as(Source::Kimi, format!(r#"{{"type":"config.update","cwd":"/w","modelAlias":"kimi-code/k2"}}
{{"type":"turn.prompt","time":1782813600000,"input":[{{"type":"text","text":"go"}}]}}
{{"type":"context.append_loop_event","event":{{"type":"tool.call","toolCallId":"t","name":"WriteFile","args":{{"path":"a.rs","content":"x"}}}}}}
{}
"#, apart(5)).as_bytes());
        assert_eq!(
            (found.responses[0].workspace.as_deref(), found.responses[0].model.as_deref()),
            (Some("/w"), Some("kimi-k2.6"))
        );
        assert_eq!((found.calls[0].touches[0].path.as_str(), found.messages.len()), ("/w/a.rs", 1));
    }
}
