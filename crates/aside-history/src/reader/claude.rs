//! Claude Code: a line a record. One answer of a model is several lines, a block each, which share their message's id.

mod iterations;
pub mod prompts;
#[cfg(test)]
mod tests;

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
    /// The model that another one may ask for advice.
    #[serde(borrow, default, rename = "advisorModel")]
    advisor: Text<'a>,
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
    /// Of one of several calls: what it was for, and its model where that is another one.
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    model: Text<'a>,
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
    #[serde(default)]
    server_tool_use: Object<ServerTools>,
    /// The calls that the service made for this answer.
    #[serde(borrow, default)]
    iterations: Content<'a, Object<Usage<'a>>>,
}

#[derive(Default, Deserialize)]
struct ServerTools {
    #[serde(default)]
    web_search_requests: Count,
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
        let usage = &said.usage.0;
        let tokens = tokens(usage);
        // No model wrote a synthetic message: it tells of an error.
        let model = said.model.get().filter(|model| *model != "<synthetic>");
        let recorded = line.cost.0.and_then(picodollars);
        if tokens.total() == 0 && recorded.is_none() || said.model.get().is_some() && model.is_none() {
            return;
        }
        let id = said.id.owned();
        let response = Response {
            session: 0,
            at: from.at,
            model: model.map(|model| self.names.get(model)),
            provider: None,
            assumed: false,
            // Tiers are `standard`, `batch` or `priority`, speeds `standard` or `fast`.
            fast: usage.speed.0 == "fast" || usage.service_tier.0 == "priority",
            tokens,
            longest: iterations::longest(usage),
            searches: usage.server_tool_use.0.web_search_requests.or_zero(),
            recorded,
            key: id.clone().map(|message| ResponseKey { message, request: line.request.owned() }),
            side: from.side,
            workspace: from.workspace.clone(),
            place: from.place,
        };
        // What the log says it cost is the cost of all.
        let beside = if recorded.is_some() { Vec::new() } else { iterations::beside(usage, tokens) };
        let others = beside.into_iter().enumerate().map(|(number, (asked, tokens))| {
            let other = asked.model.get().or(line.advisor.get().filter(|_| asked.kind.0 == iterations::ADVISOR));
            let key = id.as_deref().map(|id| format!("{id} {number} {}", asked.kind.0));
            Response {
                model: other.or(model).map(|model| self.names.get(model)),
                tokens,
                longest: None,
                searches: 0,
                key: key.map(|message| ResponseKey { message, request: line.request.owned() }),
                ..response.clone()
            }
        });
        let others: Vec<Response> = others.collect();
        add(response, &mut found.responses);
        others.into_iter().for_each(|other| add(other, &mut found.responses));
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
