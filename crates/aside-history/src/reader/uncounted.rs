//! Records of a kind that no reader knows, and that have tokens all the same: a newer version of a program may tell of usage in them. They are not
//! counted, and named.

use std::collections::HashSet;

use memchr::memmem;
use serde_json::Value;

use super::json;
use crate::{
    record::{Found, Place},
    source::Source,
};

/// Names of what was asked, in the words of all programs.
const ASKED: &[&str] = &[
    "input_tokens",
    "inputTokens",
    "prompt_tokens",
    "promptTokens",
    "promptTokenCount",
    "input_other",
    "inputOther",
    "tokensIn",
    "input",
];
/// Names of what was answered.
const ANSWERED: &[&str] = &[
    "output_tokens",
    "outputTokens",
    "completion_tokens",
    "completionTokens",
    "candidatesTokenCount",
    "tokensOut",
    "output",
];
/// How deep in a record usage is looked for.
const DEEPEST: usize = 6;

/// Kinds of records that tell of usage once more, or of none that a model took.
fn known(source: Source) -> &'static [&'static str] {
    match source {
        Source::Claude | Source::Cowork => {
            &["user", "assistant", "progress", "system", "summary", "attachment", "queue-operation"]
        }
        Source::Codex => &["event_msg", "response_item", "session_meta", "turn_context", "compacted"],
        Source::Copilot => {
            &["assistant.message", "session.shutdown", "tool.execution_complete", "session.compaction_complete"]
        }
        Source::Gemini => &["gemini", "user", "info"],
        Source::Qwen => &["assistant", "user", "tool_result", "system"],
        Source::Pi | Source::Openclaw => &["message", "session", "compaction", "branch_summary"],
        Source::Kimi => {
            &["usage.record", "context.append_loop_event", "StatusUpdate", "SubagentEvent", "ToolResult", "ToolCall"]
        }
        Source::Droid => &["message", "session_start"],
        Source::Grok => &["user", "assistant", "tool_result"],
        // These two are told apart from the messages where a ledger counts.
        Source::Amp | Source::Continue | Source::Opencode => &["user", "assistant"],
        Source::Codebuff => &["user", "ai", "agent", "assistant"],
        Source::Cline | Source::Roo | Source::Kilo => &["user", "assistant", "api_req_started", "api_req_finished"],
        _ => &[],
    }
}

/// Where the kind of a record stands, the surest first.
fn names(source: Source) -> &'static [&'static str] {
    match source {
        Source::Cline | Source::Roo | Source::Kilo => &["say", "ask", "role", "type"],
        Source::Codebuff => &["variant", "role"],
        _ => &["type", "message.type", "params.update.sessionUpdate", "role", "message.role"],
    }
}

/// Kinds of what stands in an envelope of Codex, where tokens are told once more.
const KNOWN_WITHIN: &[&str] = &["token_count", "task_complete", "turn_complete"];

/// The kind of a record from which nothing was counted, if it has tokens and no reader knows it.
pub fn kind(source: Source, record: &Value) -> Option<String> {
    let kind = names(source).iter().find_map(|name| json::text(record, name)).unwrap_or("unnamed");
    let within = Some(kind).filter(|kind| source == Source::Codex && matches!(*kind, "event_msg" | "response_item"));
    let within = within.and_then(|_| json::text(record, "payload.type")).filter(|kind| !KNOWN_WITHIN.contains(kind));
    let unknown = within.or((!known(source).contains(&kind)).then_some(kind))?;
    // Cline has its numbers as JSON in a text.
    let text = json::text(record, "text").filter(|text| text.starts_with('{'));
    let in_text = || text.is_some_and(|text| self::has_usage(text.as_bytes()));
    (counts(record, 0) || in_text()).then(|| unknown.chars().take(60).collect())
}

/// Takes note of those elements of a document of which nothing was counted, and that have tokens.
pub fn of_elements<'v>(source: Source, elements: impl Iterator<Item = (&'v Value, Place)>, found: &mut Found) {
    let counted: HashSet<u64> = found.responses.iter().map(|response| response.place.offset).collect();
    for (element, place) in elements.filter(|(_, place)| !counted.contains(&place.offset)) {
        if let Some(kind) = kind(source, element) {
            found.note_uncounted(kind, place.offset);
        }
    }
}

/// Tells whether a line of JSON has tokens.
pub fn has_usage(line: &[u8]) -> bool {
    serde_json::from_slice(line).is_ok_and(|record| counts(&record, 0))
}

/// The same of a line that is not parsed yet: most have no word of usage.
pub fn kind_of_line(source: Source, line: &[u8]) -> Option<String> {
    memmem::find(line, b"output_tokens\"").or_else(|| memmem::find(line, b"outputTokens\""))?;
    kind(source, &serde_json::from_slice(line).ok()?)
}

/// Tells whether somewhere in a value it is told what was asked and what was answered, and not that both were nothing.
fn counts(value: &Value, depth: usize) -> bool {
    let Some(fields) = value.as_object().filter(|_| depth <= DEEPEST) else { return false };
    let count = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_u64());
    let here = count(ASKED).zip(count(ANSWERED)).is_some_and(|(asked, answered)| asked + answered > 0);
    here || fields.values().any(|value| counts(value, depth + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_records_with_tokens_are_told() {
        let told = |source, record: &str| kind(source, &serde_json::from_str(record).unwrap());
        let usage = r#""data":{"usage":{"inputTokens":5,"outputTokens":2}}"#;
        assert_eq!(
            told(Source::Copilot, &format!(r#"{{"type":"assistant.usage",{usage}}}"#)).as_deref(),
            Some("assistant.usage")
        );
        assert_eq!(told(Source::Copilot, &format!(r#"{{"type":"session.shutdown",{usage}}}"#)), None);
        assert_eq!(told(Source::Pi, r#"{"type":"note","input":"a","output":"b"}"#), None);
        assert_eq!(told(Source::Pi, r#"{"type":"note","usage":{"input":0,"output":0}}"#), None);
        let inner = |kind: &str| {
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"{kind}","usage":{{"input_tokens":5,"output_tokens":2}}}}}}"#
            )
        };
        assert_eq!(told(Source::Codex, &inner("advice")).as_deref(), Some("advice"));
        assert_eq!(told(Source::Codex, &inner("token_count")), None);
        let line = br#"{"type":"advice","message":{"usage":{"input_tokens":1,"output_tokens":2}}}"#;
        assert_eq!(kind_of_line(Source::Claude, line).as_deref(), Some("advice"));
        assert_eq!(kind_of_line(Source::Claude, b"{\"type\":\"advice\"}"), None);
    }
}
