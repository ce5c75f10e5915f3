//! A conversation made fit for any wire, before it is translated to one.

use std::collections::HashSet;

use aside_core::ToolCall;
use serde_json::{Value, json};

use crate::{Message, ModelRequest, ToolSpec};

const NOT_CARRIED_OUT: &str = "Not carried out: the turn was interrupted before this call.";

/// Returns the conversation so that every call has one result, right after the message that made it and in its order.
///
/// Servers refuse anything else. A result that is missing says that nothing was done; one without a call becomes a
/// user's message.
pub(crate) fn paired(messages: &[Message]) -> Vec<Message> {
    let mut paired = Vec::with_capacity(messages.len());
    let starts_section = |message: &Message| matches!(message, Message::Assistant { .. });
    let mut rest = messages;
    while !rest.is_empty() {
        let end = rest.iter().skip(1).position(starts_section).map_or(rest.len(), |position| position + 1);
        let (section, later) = rest.split_at(end);
        pair_section(section, &mut paired);
        rest = later;
    }
    paired.iter_mut().for_each(rename_tools);
    paired
}

/// Gives the tools of a message names that servers take.
fn rename_tools(message: &mut Message) {
    match message {
        Message::Assistant { calls, .. } => calls.iter_mut().for_each(|call| call.name = wire_name(&call.name)),
        Message::ToolResult { name, .. } => *name = wire_name(name),
        Message::User { .. } => {}
    }
}

/// Returns the name of a called tool as every server takes it back, whatever the model wrote: one that breaks the rules
/// would have all later requests of its thread refused.
pub(crate) fn wire_name(name: &str) -> String {
    const LONGEST: usize = 64;
    let is_allowed = |char: &char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let name: String = name.chars().take(LONGEST).map(|char| if is_allowed(&char) { char } else { '_' }).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// Joins a user's message to the one before it: some servers refuse two in a row. Images stay between the words where they
/// stood, on a wire that has a place for them.
fn joined(mut messages: Vec<Value>, mut message: Value) -> Vec<Value> {
    match messages.last_mut().filter(|last| last["role"] == "user" && message["role"] == "user") {
        Some(last) => {
            last["content"] = match (last["content"].take(), message["content"].take()) {
                (Value::String(text), Value::String(more)) => format!("{text}\n\n{more}").into(),
                (parts, more) => [content_parts(parts), content_parts(more)].concat().into(),
            };
            if let Value::Array(others) = message["images"].take() {
                let images = last["images"].as_array().cloned().unwrap_or_default();
                last["images"] = [images, others].concat().into();
            }
        }
        None => messages.push(message),
    }
    messages
}

fn content_parts(content: Value) -> Vec<Value> {
    match content {
        Value::Array(parts) => parts,
        text => vec![json!({ "type": "text", "text": text })],
    }
}

/// One assistant message (except before the first) and what followed it.
fn pair_section(section: &[Message], paired: &mut Vec<Message>) {
    let mut answered = HashSet::new();
    if let Some(message @ Message::Assistant { calls, .. }) = section.first() {
        paired.push(message.clone());
        for call in calls {
            paired.push(result_of(call, section));
            answered.insert(call.id.as_str());
        }
    }
    for message in section {
        match message {
            Message::User { .. } => paired.push(message.clone()),
            Message::ToolResult { call, name, text, .. } if !answered.contains(call.as_str()) => {
                paired.push(Message::user(format!("Result of {name}: {text}")));
            }
            Message::Assistant { .. } | Message::ToolResult { .. } => {}
        }
    }
}

fn result_of(call: &ToolCall, section: &[Message]) -> Message {
    let answers = |message: &&Message| matches!(message, Message::ToolResult { call: id, .. } if *id == call.id);
    section.iter().find(answers).cloned().unwrap_or_else(|| Message::ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        text: NOT_CARRIED_OUT.to_owned(),
        failed: true,
    })
}

/// Returns a call's arguments as the object that servers want back, whatever the model wrote.
pub(crate) fn args_object(call: &ToolCall) -> Value {
    if call.args.is_object() { call.args.clone() } else { json!({ "unreadable": call.args }) }
}

/// Gives the calls of one answer their ids.
#[derive(Clone, Debug)]
pub(crate) struct CallIds {
    round: usize,
    given: HashSet<String>,
    /// The calls that came with an id, as they came.
    seen: HashSet<(String, String, String)>,
}

impl CallIds {
    /// Ids for the answer to a request; those we make up differ from those of earlier answers.
    pub(crate) fn for_answer_to(request: &ModelRequest) -> Self {
        let round = request.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
        Self { round, given: HashSet::new(), seen: HashSet::new() }
    }

    /// Builds a call from what a server sent; `raw` is the arguments as text. None for a copy: the same id with the same
    /// arguments is the same call, wherever in the answer it stands.
    pub(crate) fn call(&mut self, id: Option<&str>, name: &str, raw: &str) -> Option<ToolCall> {
        let (args, problem) = read_args(raw);
        let is_new = match id.filter(|id| !id.is_empty()) {
            Some(id) => self.seen.insert((id.to_owned(), name.to_owned(), args.to_string())),
            None => true,
        };
        is_new.then(|| ToolCall { id: self.next(id), name: name.to_owned(), args, problem, from_text: false })
    }

    fn next(&mut self, id: Option<&str>) -> String {
        let theirs = id.filter(|id| !id.is_empty() && id.len() <= 200 && !self.given.contains(*id));
        let id = theirs.map_or_else(|| self.made_up(), str::to_owned);
        self.given.insert(id.clone());
        id
    }

    fn made_up(&self) -> String {
        let ids = (self.given.len()..).map(|number| format!("call_{}_{number}", self.round));
        ids.into_iter().find(|id| !self.given.contains(id)).expect("there are more numbers than calls")
    }
}

/// Reads arguments: nothing at all means none, and what is not JSON is kept as text with the reason.
fn read_args(raw: &str) -> (Value, Option<String>) {
    if raw.trim().is_empty() {
        return (json!({}), None);
    }
    match serde_json::from_str(raw) {
        Ok(Value::Null) => (json!({}), None),
        // Some servers quote what is quoted already.
        Ok(Value::String(text)) => {
            let object = serde_json::from_str(&text).ok().filter(Value::is_object);
            (object.unwrap_or(Value::String(text)), None)
        }
        Ok(args) => (args, None),
        Err(error) => (Value::String(raw.to_owned()), Some(format!("the arguments are not JSON: {error}"))),
    }
}

/// Returns the messages of a wire whose instructions are the first of them.
pub(crate) fn with_system(request: &ModelRequest, translate: impl Fn(&Message) -> Option<Value>) -> Vec<Value> {
    let system = (!request.system.is_empty()).then(|| json!({ "role": "system", "content": request.system }));
    let messages = paired(&request.messages);
    let messages = messages.iter().filter_map(translate).fold(Vec::new(), joined);
    system.into_iter().chain(messages).collect()
}

/// Returns the messages of a wire where each is one side's blocks: neighbours of one role are merged, so that all
/// results of an answer's calls are in one message, before anything else said. What has no block is left out.
pub(crate) fn by_role(
    request: &ModelRequest,
    translate: impl Fn(&Message) -> (&'static str, Vec<Value>),
) -> Vec<(&'static str, Vec<Value>)> {
    let mut merged: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &paired(&request.messages) {
        let (role, blocks) = translate(message);
        match merged.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, content)) if *last == role => content.extend(blocks),
            _ => merged.push((role, blocks)),
        }
    }
    merged
}

/// Returns a tool as Ollama and chat completions want it.
pub(crate) fn function_tool(tool: &ToolSpec) -> Value {
    let function = json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema });
    json!({ "type": "function", "function": function })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> ToolCall {
        ToolCall { id: id.to_owned(), name: "doc_read".to_owned(), args: json!({}), problem: None, from_text: false }
    }

    fn assistant(calls: &[&str]) -> Message {
        let calls = calls.iter().map(|id| call(id)).collect();
        Message::Assistant { text: String::new(), calls, echo: Value::Null }
    }

    fn user(text: &str) -> Message {
        Message::user(text)
    }

    fn result(id: &str) -> Message {
        let [call, name, text] = [id, "doc_read", "text"].map(str::to_owned);
        Message::ToolResult { call, name, text, failed: false }
    }

    fn ids_of_round(round: usize) -> CallIds {
        CallIds { round, given: HashSet::new(), seen: HashSet::new() }
    }

    #[test]
    fn two_messages_of_a_person_in_a_row_become_one() {
        let joined = |messages: &[Value]| messages.iter().cloned().fold(Vec::new(), joined);
        let said = |role: &str, content: Value| json!({ "role": role, "content": content });
        let (text, image) = (json!({ "type": "text", "text": "one" }), json!({ "type": "image_url" }));
        assert_eq!(
            joined(&[said("user", "one".into()), said("user", "two".into())]),
            [said("user", "one\n\ntwo".into())]
        );
        let with_image = json!([image, text]);
        let parts = json!([text, image, text]);
        assert_eq!(joined(&[said("user", "one".into()), said("user", with_image)]), [said("user", parts)]);
        let mut shown = said("user", "two".into());
        shown["images"] = json!(["AAAA"]);
        let mut both = shown.clone();
        both["content"] = "one\n\ntwo".into();
        assert_eq!(joined(&[said("user", "one".into()), shown]), [both]);
        let apart = ["user", "assistant", "user"].map(|role| said(role, "one".into()));
        assert_eq!(joined(&apart), apart);
    }

    fn missing(id: &str) -> Message {
        let [call, name, text] = [id, "doc_read", NOT_CARRIED_OUT].map(str::to_owned);
        Message::ToolResult { call, name, text, failed: true }
    }

    #[test]
    fn leaves_a_whole_conversation_as_it_is() {
        let whole = [user("a"), assistant(&["1", "2"]), result("1"), result("2"), assistant(&[]), user("b")];
        assert_eq!(paired(&whole), whole);
    }

    #[test]
    fn every_call_gets_its_result_before_anything_else_is_said() {
        let torn = [user("a"), assistant(&["1", "2", "3"]), user("b"), result("2"), result("1"), result("9")];
        let orphan = user("Result of doc_read: text");
        let expected =
            [user("a"), assistant(&["1", "2", "3"]), result("1"), result("2"), missing("3"), user("b"), orphan];
        assert_eq!(paired(&torn), expected);
    }

    #[test]
    fn names_go_back_as_servers_take_them() {
        let written = ["doc_edit", "doc.edit", "", "größe ändern", "a/b:c"];
        assert_eq!(written.map(wire_name), ["doc_edit", "doc_edit", "unnamed", "gr__e__ndern", "a_b_c"]);
        assert_eq!(wire_name(&"x".repeat(200)).len(), 64);
    }

    #[test]
    fn ids_are_unique_whatever_the_server_sends() {
        let mut ids = ids_of_round(3);
        let sent = [(Some("a"), "1"), (Some("a"), "2"), (None, "2"), (Some(""), "2")];
        let ids: Vec<_> = sent.map(|(id, args)| ids.call(id, "x", args).unwrap().id).into_iter().collect();
        assert_eq!(ids, ["a", "call_3_1", "call_3_2", "call_3_3"]);
        let mut ids = ids_of_round(0);
        let ids = [Some("call_0_1"), None].map(|id| ids.call(id, "x", "").unwrap().id);
        assert_eq!(ids, ["call_0_1", "call_0_2"]);
    }

    #[test]
    fn copy_of_a_call_is_no_call() {
        let mut ids = ids_of_round(0);
        let mut is_call = |id, name, args| ids.call(id, name, args).is_some();
        assert!(is_call(Some("a"), "x", r#"{"n": 1}"#) && !is_call(Some("a"), "x", r#"{"n":1}"#));
        assert!(is_call(Some("b"), "x", r#"{"n": 1}"#) && is_call(Some("a"), "y", r#"{"n": 1}"#));
        assert!(is_call(None, "x", "{}") && is_call(None, "x", "{}") && is_call(Some(""), "x", "{}"));
    }

    #[test]
    fn reads_arguments_and_keeps_what_are_none() {
        let mut ids = ids_of_round(0);
        let mut call = |raw: &str| ids.call(None, "x", raw).unwrap();
        assert_eq!(call(" ").args, json!({}));
        assert_eq!(call(r#"{"a":1}"#).args, json!({"a": 1}));
        assert_eq!(call(r#""{\"a\":1}""#).args, json!({"a": 1}));
        assert_eq!(call(r#""a""#).args, json!("a"));
        let torn = call(r#"{"a":"#);
        assert_eq!(torn.args, json!(r#"{"a":"#));
        assert!(torn.problem.is_some());
        assert_eq!(args_object(&torn), json!({"unreadable": r#"{"a":"#}));
    }
}
