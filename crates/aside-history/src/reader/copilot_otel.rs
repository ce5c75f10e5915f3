//! The file into which Copilot exports its OpenTelemetry: spans and log records, a line each. One answer may be told by up to four of them, so
//! that the file is read as a whole: the span of the chat counts before the record of the inference, that before a turn of the agent, and
//! that before the sum of the agent.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    escapes, json, not_utf8, object,
    session::{Known, Used},
    unreadable,
};
use crate::{
    lines::each_line,
    record::{Found, Place, Problem, ResponseKey, Session, Tokens},
};

/// Marks what this file tells of a response, beside the logs of the same sessions.
pub const REQUEST: &str = "copilot otel";

/// Kinds of records with the usage of an answer, the most exact first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Chat,
    Inference,
    Turn,
    Agent,
}

/// A record with tokens.
struct Told {
    kind: Kind,
    trace: Option<String>,
    answer: Option<String>,
    key: String,
    model: Option<String>,
    session: Option<String>,
    at: Option<Timestamp>,
    tokens: Tokens,
    place: Place,
}

/// Model and session of a trace, for records that name none.
#[derive(Default)]
struct Trace {
    model: Option<String>,
    session: Option<(Reverse<usize>, String)>,
}

/// Names of a session, the surest first.
const SESSIONS: [&str; 6] = [
    "gen_ai.conversation.id",
    "copilot_chat.session_id",
    "copilot_chat.chat_session_id",
    "session.id",
    "github.copilot.interaction_id",
    "gen_ai.response.id",
];
const MODELS: [&str; 2] = ["gen_ai.response.model", "gen_ai.request.model"];

/// Reads the whole file.
pub fn file(bytes: &[u8], base: usize, found: &mut Found) {
    let (mut all, mut traces) = (Vec::new(), HashMap::<String, Trace>::new());
    let mut whole = bytes.to_vec();
    if !whole.ends_with(b"\n") {
        whole.push(b'\n');
    }
    each_line(&whole, base as u64, |line, place| {
        if let Err(reason) = record(line, place, &mut all, &mut traces) {
            found.problems.push(Problem { offset: place.offset, reason });
        }
    });
    let better = Better::of(&all);
    let mut sessions: HashMap<String, usize> = HashMap::new();
    for told in all.into_iter().filter(|told| !better.has(told)) {
        let trace = told.trace.as_ref().and_then(|trace| traces.get(trace));
        let named = || trace.and_then(|trace| trace.session.as_ref().map(|(_, session)| session.clone()));
        let id = told.session.or_else(named).or(told.trace).unwrap_or_else(|| "unknown".to_owned());
        let session = *sessions.entry(id.clone()).or_insert_with(|| {
            found.sessions.push(Session::new(&*id));
            found.sessions.len() - 1
        });
        found.sessions[session].saw(told.at);
        let model = told.model.or_else(|| trace.and_then(|trace| trace.model.clone()));
        let before = found.responses.len();
        let used = Used { tokens: told.tokens, model: model.as_deref(), ..Used::default() };
        Known::default().response(used, (told.at, told.place), found);
        for response in &mut found.responses[before..] {
            response.session = session;
            response.key = Some(ResponseKey { message: told.key.clone(), request: Some(REQUEST.to_owned()) });
        }
    }
}

/// The traces and answers of which each kind of record tells.
#[derive(Default)]
struct Better {
    traces: HashSet<(Kind, String)>,
    answers: HashSet<(Kind, String)>,
}

impl Better {
    fn of(all: &[Told]) -> Self {
        let mut better = Self::default();
        for told in all {
            better.traces.extend(told.trace.clone().map(|trace| (told.kind, trace)));
            better.answers.extend(told.answer.clone().map(|answer| (told.kind, answer)));
        }
        better
    }

    /// Tells whether a better record tells of the same.
    fn has(&self, told: &Told) -> bool {
        let is_in = |known: &HashSet<(Kind, String)>, kind: Kind, id: &Option<String>| {
            id.as_ref().is_some_and(|id| known.contains(&(kind, id.clone())))
        };
        let kinds = [Kind::Chat, Kind::Inference, Kind::Turn];
        kinds
            .into_iter()
            .filter(|kind| *kind < told.kind)
            .any(|kind| is_in(&self.traces, kind, &told.trace) || is_in(&self.answers, kind, &told.answer))
    }
}

/// Takes a line.
fn record(line: &[u8], place: Place, all: &mut Vec<Told>, traces: &mut HashMap<String, Trace>) -> Result<(), String> {
    object(line)?;
    let value: Value = escapes::parse(&String::from_utf8_lossy(line)).map_err(|error| unreadable(&error))?;
    let Some(attributes) = value.get("attributes") else { return not_utf8(line) };
    // Their names have dots of their own.
    let text = |name: &str| attributes.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty());
    let trace = json::text(&value, "traceId").or(json::text(&value, "spanContext.traceId")).map(str::to_owned);
    let model = MODELS.iter().find_map(|name| text(name)).map(str::to_owned);
    let session = SESSIONS.iter().enumerate().find_map(|(rank, name)| Some((Reverse(rank), text(name)?.to_owned())));
    if let Some(trace) = &trace {
        let known = traces.entry(trace.clone()).or_default();
        known.model = known.model.take().or_else(|| model.clone());
        known.session = known.session.take().into_iter().chain(session.clone()).max_by_key(|(rank, _)| *rank);
    }
    let Some(kind) = kind(&value, attributes) else { return not_utf8(line) };
    let tokens = tokens(attributes);
    if tokens.total() > 0 {
        let answer = text("gen_ai.response.id").map(str::to_owned);
        let span = json::text(&value, "spanId").or(json::text(&value, "spanContext.spanId"));
        let turn = ["turn.index", "copilot_chat.turn.index"].iter().find_map(|name| number(attributes.get(name)?));
        let of_trace =
            || Some(format!("{} {}", trace.as_ref()?, span.map(str::to_owned).or(turn.map(|turn| turn.to_string()))?));
        let key = of_trace().or_else(|| answer.clone()).unwrap_or_else(|| place.offset.to_string());
        let sure = session.filter(|(Reverse(rank), _)| *rank + 1 < SESSIONS.len() || trace.is_none());
        let told = Told {
            kind,
            key: format!("copilot otel {key}"),
            at: at(&value),
            session: sure.map(|(_, session)| session),
            trace,
            answer,
            model,
            tokens,
            place,
        };
        all.push(told);
    }
    not_utf8(line)
}

/// Returns the kind of a record; none if it has no usage of an answer.
fn kind(record: &Value, attributes: &Value) -> Option<Kind> {
    let text = |name: &str| attributes.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = json::text(record, "name").unwrap_or_default();
    let body = json::text(record, "body").or(json::text(record, "_body")).unwrap_or_default();
    let ids = ["spanId", "traceId", "startTime", "endTime", "duration", "kind"];
    let is_span = match json::text(record, "type") {
        Some(kind) => kind == "span",
        None => !name.is_empty() && ids.iter().any(|id| record.get(id).is_some()),
    };
    let operation = text("gen_ai.operation.name");
    match is_span {
        true if operation == "chat" || name.starts_with("chat ") => Some(Kind::Chat),
        true if operation == "invoke_agent" || name.starts_with("invoke_agent") => Some(Kind::Agent),
        true => None,
        false if text("event.name") == "gen_ai.client.inference.operation.details" => Some(Kind::Inference),
        false if body.starts_with("GenAI inference") => Some(Kind::Inference),
        false if text("event.name") == "copilot_chat.agent.turn" => Some(Kind::Turn),
        false if body.starts_with("copilot_chat.agent.turn") => Some(Kind::Turn),
        false => None,
    }
}

/// A number, which some exporters write as a text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// The input is told with what was read from a cache; reasoning is a part of the output.
fn tokens(attributes: &Value) -> Tokens {
    let count = |name: &str| attributes.get(name).and_then(number).unwrap_or(0);
    let first = |names: &[&str]| names.iter().map(|name| count(name)).find(|count| *count > 0).unwrap_or(0);
    let all = count("gen_ai.usage.input_tokens");
    let cache_read = count("gen_ai.usage.cache_read.input_tokens");
    let told = Tokens {
        input: all.saturating_sub(cache_read),
        output: count("gen_ai.usage.output_tokens"),
        cache_read,
        cache_write: first(&["gen_ai.usage.cache_write.input_tokens", "gen_ai.usage.cache_creation.input_tokens"]),
        ..Tokens::default()
    };
    let sum = first(&["gen_ai.usage.total_tokens", "gen_ai.usage.total.token_count"]);
    let rest = if told.output == 0 { sum.saturating_sub(told.total()) } else { 0 };
    Tokens { output: told.output.saturating_add(rest), ..told }
}

/// When a span ended, or a record was written: seconds and nanoseconds in a list, or a number of any unit since 1970.
fn at(record: &Value) -> Option<Timestamp> {
    let pair = |name: &str| {
        let list = record.get(name)?.as_array()?;
        let (seconds, nanoseconds) = (number(list.first()?)?, number(list.get(1)?)?);
        i64::try_from(seconds.checked_mul(1000)?.checked_add(nanoseconds / 1_000_000)?).ok().map(Timestamp)
    };
    let single = |name: &str| {
        let value = record.get(name)?;
        let Some(number) = number(value) else { return json::moment(record, name) };
        let milliseconds = match number {
            100_000_000_000_000_000.. => number / 1_000_000,
            100_000_000_000_000.. => number / 1000,
            100_000_000_000.. => number,
            _ => number.checked_mul(1000)?,
        };
        i64::try_from(milliseconds).ok().map(Timestamp)
    };
    let pairs = ["endTime", "startTime", "hrTime", "_hrTime", "time"];
    let singles = ["endTime", "startTime", "timestamp", "observedTimestamp", "time", "timeUnixNano"];
    pairs.iter().find_map(|name| pair(name)).or_else(|| singles.iter().find_map(|name| single(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, reader::tests::read_whole};

    const CHAT: &str = r#"{"type":"span","name":"chat gpt-5","traceId":"t1","spanId":"s1","endTime":[1782813600,500000000],"attributes":{"gen_ai.operation.name":"chat","gen_ai.conversation.id":"c1","gen_ai.response.id":"r1","gen_ai.response.model":"gpt-5","gen_ai.usage.input_tokens":1000,"gen_ai.usage.cache_read.input_tokens":600,"gen_ai.usage.output_tokens":50,"gen_ai.usage.reasoning.output_tokens":20}}"#;
    const INFERENCE: &str = r#"{"hrTime":[1782813600,0],"spanContext":{"traceId":"t1","spanId":"s1"},"body":"GenAI inference: gpt-5","attributes":{"event.name":"gen_ai.client.inference.operation.details","gen_ai.response.id":"r1","gen_ai.usage.input_tokens":"1000","gen_ai.usage.output_tokens":"50"}}"#;
    const TURN: &str = r#"{"body":"copilot_chat.agent.turn","spanContext":{"traceId":"t1"},"attributes":{"turn.index":0,"gen_ai.usage.input_tokens":1000,"gen_ai.usage.output_tokens":50}}"#;
    const AGENT: &str = r#"{"type":"span","name":"invoke_agent","traceId":"t1","spanId":"s0","attributes":{"gen_ai.operation.name":"invoke_agent","gen_ai.usage.input_tokens":1000,"gen_ai.usage.output_tokens":50}}"#;

    #[test]
    fn one_answer_counts_once_whatever_tells_of_it() {
        let orders: [&[&str]; 5] = [
            &[CHAT, INFERENCE, TURN, AGENT],
            &[AGENT, TURN, INFERENCE, CHAT],
            &[INFERENCE, TURN],
            &[TURN, AGENT],
            &[AGENT],
        ];
        for (number, lines) in orders.into_iter().enumerate() {
            let found = read_whole(Source::Copilot, lines.join("\n").as_bytes());
            assert_eq!(found.responses.len(), 1, "{number}");
            let one = &found.responses[0];
            assert_eq!((one.tokens.input + one.tokens.cache_read, one.tokens.output), (1000, 50), "{number}");
        }
        let found = read_whole(Source::Copilot, format!("{CHAT}\n{AGENT}\n").as_bytes());
        let one = &found.responses[0];
        assert_eq!((one.tokens.cache_read, one.model.as_deref()), (600, Some("gpt-5")));
        assert_eq!((found.sessions[one.session].id.as_str(), one.at), ("c1", Some(Timestamp(1_782_813_600_500))));
    }

    #[test]
    fn trace_names_the_session_of_its_records() {
        let head = r#"{"type":"span","name":"execute_tool","traceId":"t1","attributes":{"gen_ai.conversation.id":"c9","gen_ai.request.model":"gpt-5"}}"#;
        let found = read_whole(Source::Copilot, format!("{TURN}\n{head}\n").as_bytes());
        let one = &found.responses[0];
        assert_eq!((found.sessions[one.session].id.as_str(), one.model.as_deref()), ("c9", Some("gpt-5")));
    }

    #[test]
    fn malformed_lines_are_reported_and_others_count() {
        let mut found = Found::default();
        file(format!("nonsense\n{CHAT}\n{{\"a\":").as_bytes(), 0, &mut found);
        assert_eq!((found.responses.len(), found.problems.len()), (1, 2));
    }
}
