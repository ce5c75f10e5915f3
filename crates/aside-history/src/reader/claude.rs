//! Claude Code: a line a record. One answer of a model is several lines, a block each, which share their message's id.

pub mod prompts;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{BorrowingReader, FileFacts, Names, json, moment, picodollars, typed::is_typed};
use crate::{
    lenient::{Amount, Content, Count, Flag, Moment, Object, Text},
    record::{Call, Details, Ending, Found, Message, Place, Response, ResponseKey, Role, Tokens},
    touch::Input,
};

/// What has to be remembered between lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The session that the file belongs to.
    pub session: String,
    #[serde(skip)]
    names: Names,
}

/// A line, as far as it is looked at.
#[derive(Deserialize)]
pub struct Line<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    uuid: Text<'a>,
    #[serde(borrow, default)]
    timestamp: Moment<'a>,
    #[serde(borrow, default)]
    cwd: Text<'a>,
    #[serde(borrow, default, rename = "gitBranch")]
    branch: Text<'a>,
    #[serde(borrow, default, rename = "requestId")]
    request: Text<'a>,
    #[serde(borrow, default)]
    summary: Text<'a>,
    #[serde(borrow, default)]
    display: Text<'a>,
    #[serde(borrow, default)]
    project: Text<'a>,
    #[serde(borrow, default, rename = "sessionId")]
    session: Text<'a>,
    #[serde(default, rename = "isSidechain")]
    side: Flag,
    #[serde(default, rename = "isMeta")]
    meta: Flag,
    /// What a model wrote down of a conversation that had become too long.
    #[serde(default, rename = "isCompactSummary")]
    compacted: Flag,
    #[serde(default, rename = "costUSD")]
    cost: Amount,
    #[serde(borrow, default)]
    message: Object<Said<'a>>,
}

#[derive(Default, Deserialize)]
struct Said<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    model: Text<'a>,
    #[serde(borrow, default)]
    usage: Object<Usage<'a>>,
    #[serde(borrow, default)]
    content: Content<'a, Object<Block<'a>>>,
}

#[derive(Default, Deserialize)]
struct Usage<'a> {
    #[serde(default)]
    input_tokens: Count,
    #[serde(default)]
    output_tokens: Count,
    #[serde(default)]
    cache_creation_input_tokens: Count,
    #[serde(default)]
    cache_read_input_tokens: Count,
    #[serde(default)]
    cache_creation: Object<Written>,
    #[serde(borrow, default)]
    service_tier: Text<'a>,
    #[serde(borrow, default)]
    speed: Text<'a>,
}

#[derive(Default, Deserialize)]
struct Written {
    #[serde(default)]
    ephemeral_5m_input_tokens: Count,
    #[serde(default)]
    ephemeral_1h_input_tokens: Count,
}

#[derive(Default, Deserialize)]
struct Block<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    name: Text<'a>,
    #[serde(borrow, default)]
    input: Object<Input<'a>>,
    #[serde(borrow, default)]
    tool_use_id: Text<'a>,
    #[serde(default)]
    is_error: Flag,
}

impl State {
    pub fn new(facts: &FileFacts) -> Self {
        Self { session: facts.session.clone(), names: Names::default() }
    }

    fn assistant(&mut self, line: &Line<'_>, from: &From, found: &mut Found) {
        let said = &line.message.0;
        if let Content::Blocks(blocks) = &said.content {
            blocks.iter().filter(|block| block.0.kind.0 == "tool_use").for_each(|block| {
                found.calls.push(self.call(&block.0, from));
            });
        }
        message(Role::Assistant, line, from, found);
        let tokens = tokens(&said.usage.0);
        // No model wrote a synthetic message: it tells of an error.
        let model = said.model.get().filter(|model| *model != "<synthetic>");
        let recorded = line.cost.0.and_then(picodollars);
        if tokens.total() == 0 && recorded.is_none() || said.model.get().is_some() && model.is_none() {
            return;
        }
        let response = Response {
            session: 0,
            at: from.at,
            model: model.map(|model| self.names.get(model)),
            provider: None,
            assumed: false,
            // Tiers are `standard`, `batch` or `priority`, speeds `standard` or `fast`.
            fast: said.usage.0.speed.0 == "fast" || said.usage.0.service_tier.0 == "priority",
            tokens,
            recorded,
            key: said.id.owned().map(|message| ResponseKey { message, request: line.request.owned() }),
            side: from.side,
            workspace: from.workspace.clone(),
            place: from.place,
        };
        add(response, &mut found.responses);
    }

    fn call(&mut self, block: &Block<'_>, from: &From) -> Call {
        let input = &block.input.0;
        Call {
            session: 0,
            at: from.at,
            name: self.names.get(&block.name.0),
            id: block.id.owned(),
            command: input.command(&block.name.0),
            touches: input.touches(&block.name.0, from.workspace.as_deref()),
            edited: input.edited(),
            arguments: None,
            ok: None,
            side: from.side,
            place: from.place,
        }
    }
}

impl BorrowingReader for State {
    type Line<'a> = Line<'a>;

    fn take(&mut self, line: &Line<'_>, place: Place, found: &mut Found) {
        if line.kind.0.is_empty() && prompts::take(line, place, found) {
            return;
        }
        let at = time_of(line);
        let session = &mut found.sessions[0];
        session.saw(at);
        if session.branch.is_none() {
            session.branch = line.branch.owned();
        }
        let workspace = line.cwd.get().map(|cwd| self.names.get(cwd));
        if session.workspace.is_none() {
            session.workspace.clone_from(&workspace);
        }
        let from = From { at, workspace, side: line.side.0, place };
        match line.kind.0.as_ref() {
            "user" => user(line, &from, found),
            "assistant" => self.assistant(line, &from, found),
            "summary" => found.sessions[0].title = line.summary.owned(),
            _ => {}
        }
    }

    fn take_details(line: &Value, details: &mut Details) -> Vec<(Option<String>, Value)> {
        let blocks = || json::list(line, "message.content");
        let of = |kind: &'static str| move |block: &&Value| json::text(block, "type") == Some(kind);
        match json::text(line, "type") {
            Some("assistant") => {
                let told = |block: &Value| {
                    (json::text(block, "id").map(str::to_owned), block.get("input").cloned().unwrap_or_default())
                };
                return blocks().filter(of("tool_use")).map(told).collect();
            }
            Some("user") => {
                // The file as it was is told once a line, for its only result.
                let whole = line.get("toolUseResult");
                for block in blocks().filter(of("tool_result")) {
                    let Some(id) = json::text(block, "tool_use_id") else { continue };
                    let told = whole.filter(|whole| whole.is_object()).or(block.get("content"));
                    details.results.insert(id.to_owned(), told.cloned().unwrap_or_default());
                }
            }
            _ => {}
        }
        Vec::new()
    }
}

fn time_of(line: &Line<'_>) -> Option<aside_core::Timestamp> {
    moment(&line.timestamp)
}

/// What the records of one line share.
struct From {
    at: Option<aside_core::Timestamp>,
    workspace: Option<Arc<str>>,
    side: bool,
    place: Place,
}

/// The lines of one response follow each other: the one with the most tokens stands for all.
fn add(response: Response, responses: &mut Vec<Response>) {
    let same = |last: &&mut Response| last.key.is_some() && last.key == response.key && last.side == response.side;
    match responses.last_mut().filter(same) {
        Some(last) if (response.tokens.total(), response.fast) > (last.tokens.total(), last.fast) => *last = response,
        Some(_) => {}
        None => responses.push(response),
    }
}

fn user(line: &Line<'_>, from: &From, found: &mut Found) {
    if let Content::Blocks(blocks) = &line.message.0.content {
        let results = blocks.iter().filter(|block| block.0.kind.0 == "tool_result");
        found.endings.extend(
            results.filter_map(|block| Some(Ending { id: block.0.tool_use_id.owned()?, ok: !block.0.is_error.0 })),
        );
    }
    if !line.meta.0 && !line.compacted.0 {
        message(Role::User, line, from, found);
    }
}

fn message(role: Role, line: &Line<'_>, from: &From, found: &mut Found) {
    let is_said = |text: &&str| role == Role::Assistant || is_typed(text);
    let text = match &line.message.0.content {
        Content::Text(text) if is_said(&&**text) => text.clone().into_owned(),
        Content::Text(_) => return,
        Content::Blocks(blocks) => {
            let texts = blocks.iter().filter(|block| block.0.kind.0 == "text").filter_map(|block| block.0.text.get());
            texts.filter(is_said).collect::<Vec<_>>().join("\n")
        }
    };
    if !text.trim().is_empty() {
        let (at, side, place) = (from.at, from.side, from.place);
        found.messages.push(Message { session: 0, role, at, id: line.uuid.owned(), side, text, place });
    }
}

/// The parts of what was written to a cache count before the sum, which is taken for the short-lived cache.
fn tokens(usage: &Usage<'_>) -> Tokens {
    let written = &usage.cache_creation.0;
    let parts = (written.ephemeral_5m_input_tokens.0, written.ephemeral_1h_input_tokens.0);
    let (cache_write, cache_write_hour) = match parts {
        (None, None) => (usage.cache_creation_input_tokens.or_zero(), 0),
        (short, hour) => (short.unwrap_or(0), hour.unwrap_or(0)),
    };
    Tokens {
        input: usage.input_tokens.or_zero(),
        output: usage.output_tokens.or_zero(),
        cache_read: usage.cache_read_input_tokens.or_zero(),
        cache_write,
        cache_write_hour,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Reader, Source};

    fn read(log: &[u8]) -> Found {
        let mut found = Found::default();
        Reader::new(Source::Claude, &FileFacts { session: "s".to_owned(), document: false }).read(log, 0, &mut found);
        found.match_endings();
        found
    }

    fn answer(id: &str, output: u64) -> String {
        format!(
            r#"{{"type" : "assistant","timestamp":"2026-06-30T10:00:00.000Z","cwd":"/w","requestId":"r","message":{{"id":"{id}","model":"claude-x","content":[{{"type":"text","text":"Well"}}],"usage":{{"input_tokens":5,"output_tokens":{output},"cache_creation_input_tokens":9,"cache_creation":{{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5}},"cache_read_input_tokens":7}}}}}}"#
        )
    }

    #[test]
    fn what_nobody_typed_is_no_message_of_the_person() {
        let user = |more: &str| format!("{{\"type\":\"user\",{more}}}\n");
        let log = [
            user(r#""isCompactSummary":true,"message":{"content":"1. Primary request: revert it"}"#),
            user(r#""isMeta":true,"message":{"content":"Caveat"}"#),
            user(r#""message":{"content":"<local-command-stdout>wrong</local-command-stdout>"}"#),
            user(
                r#""message":{"content":[{"type":"text","text":"<system-reminder>no</system-reminder>"},{"type":"text","text":"go on"}]}"#,
            ),
        ];
        let said: Vec<String> = read(log.concat().as_bytes()).messages.into_iter().map(|one| one.text).collect();
        assert_eq!(said, ["go on"]);
    }

    #[test]
    fn the_fullest_line_of_a_response_stands_for_it() {
        let log = [answer("m", 1), answer("m", 90), answer("m", 3), answer("n", 2)].join("\n") + "\n";
        let found = read(log.as_bytes());
        let tokens: Vec<u64> = found.responses.iter().map(|response| response.tokens.output).collect();
        assert_eq!(tokens, [90, 2]);
        let Tokens { input, cache_read, cache_write, cache_write_hour, .. } = found.responses[0].tokens;
        assert_eq!((input, cache_read, cache_write, cache_write_hour), (5, 7, 4, 5));
        assert_eq!(found.sessions[0].workspace.as_deref(), Some("/w"));
        assert_eq!(found.messages.len(), 4);
    }

    #[test]
    fn haste_is_the_priority_tier_or_the_fast_speed_and_no_other_word() {
        let is_fast = |words: &str| {
            let line = answer("m", 5).replace(r#""input_tokens":5"#, &format!(r#""input_tokens":5,{words}"#)) + "\n";
            read(line.as_bytes()).responses[0].fast
        };
        assert!(is_fast(r#""service_tier":"priority""#) && is_fast(r#""service_tier":null,"speed" : "fast""#));
        for usual in [
            r#""service_tier":"standard""#,
            r#""service_tier":"batch","speed":"standard""#,
            r#""service_tier":"fast""#,
            r#""speed":"priority""#,
            r#""service_tier":7,"speed":null"#,
        ] {
            assert!(!is_fast(usual), "{usual}");
        }
    }

    #[test]
    fn a_null_anywhere_loses_nothing() {
        for field in
            ["id", "cwd", "model", "speed", "costUSD", "version", "sessionId", "requestId", "isApiErrorMessage"]
        {
            let block = format!(r#"{{"type":"tool_use","id":"t","name":"q","input":{{"{field}" : null}}}}"#);
            let line = answer("m", 50).replace(r#"{"type":"text","text":"Well"}"#, &block) + "\n";
            assert_eq!(read(line.as_bytes()).responses.len(), 1, "{field}");
        }
        let flat =
            answer("m", 50).replace(r#"{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5}"#, "null") + "\n";
        assert_eq!(read(flat.as_bytes()).responses[0].tokens.cache_write, 9);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place_and_its_neighbours_stay() {
        let (one, two) = (answer("m", 5), answer("n", 6));
        let bad = [&b"{\"type\":"[..], b"\0\0\0", b"[1]", b"7", b"nonsense"];
        for bad in bad {
            let log = [one.as_bytes(), bad, two.as_bytes(), b"{\"half"].join(&b'\n');
            let found = read(&log);
            assert_eq!(found.responses.len(), 2, "{bad:?}");
            assert_eq!(found.problems.len(), 1);
            assert_eq!(found.problems[0].offset, one.len() as u64 + 1);
        }
        let latin = [one.replace("Well", "caf\u{e9}").as_bytes(), b"\n"].concat();
        let latin: Vec<u8> = latin.into_iter().filter(|byte| *byte != 0xC3).collect();
        let found = read(&latin);
        assert_eq!((found.responses.len(), found.problems.len()), (1, 1));
        let twice = one.replacen('{', r#"{"type":"user","#, 1) + "\n";
        let found = read(twice.as_bytes());
        assert_eq!((found.responses.len(), found.problems.len()), (1, 0));
    }

    #[test]
    fn calls_have_their_files_commands_and_endings() {
        let call = r#"{"type":"assistant","cwd":"/w","message":{"content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"a.rs","old_string":"x"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}}]}}"#;
        let ending = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"no"}],"is_error":true},{"type":"tool_result","tool_use_id":"t2","content":"a"}]}}"#;
        let found = read(format!("{call}\n{ending}\n").as_bytes());
        assert_eq!(found.calls[0].touches[0], crate::Touch { path: "/w/a.rs".to_owned(), mode: Mode::Write });
        assert_eq!(found.calls[1].command.as_deref(), Some("ls"));
        assert_eq!((found.calls[0].ok, found.calls[1].ok), (Some(false), Some(true)));
        assert!(found.messages.is_empty() && found.responses.is_empty() && found.endings.is_empty());
    }

    #[test]
    fn an_error_that_no_model_wrote_costs_nothing_and_its_text_stays() {
        let line = answer("m", 50).replace("claude-x", "<synthetic>") + "\n";
        let found = read(line.as_bytes());
        assert_eq!((found.responses.len(), found.messages.len()), (0, 1));
    }
}
