//! Chat completion chunks to events, with the habits of the many servers that speak them.

use aside_core::{ToolCall, Usage};
use serde_json::{Map, Value};

use super::{ID, stop};
use crate::{
    ModelEvent, ModelRequest,
    conversation::{CallIds, wrap_echo},
    http::decode::{Decoder, Frame, WireProblem, excerpt, reported},
};

/// What has come of an answer.
#[derive(Clone)]
pub(super) struct Decode {
    model: String,
    ids: CallIds,
    calls: Vec<Fragments>,
    reasoning: String,
    reasoning_details: Vec<Value>,
    usage: Option<Value>,
    reason: Option<String>,
    refused: bool,
    /// Something was understood.
    begun: bool,
}

/// A tool call as far as it came.
#[derive(Clone, Default)]
struct Fragments {
    index: Option<u64>,
    id: String,
    name: String,
    args: String,
}

impl Decode {
    pub(super) fn new(request: &ModelRequest) -> Self {
        Self {
            model: request.model.clone(),
            ids: CallIds::for_answer_to(request),
            calls: Vec::new(),
            reasoning: String::new(),
            reasoning_details: Vec::new(),
            usage: None,
            reason: None,
            refused: false,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    fn accept(&mut self, frame: &Frame) -> Result<Vec<ModelEvent>, WireProblem> {
        if frame.data.trim() == "[DONE]" {
            return Ok(self.finish());
        }
        if frame.data.trim().is_empty() {
            return Ok(Vec::new());
        }
        let chunk = frame.json()?;
        if chunk["error"].is_object() || chunk["error"].is_string() {
            return Err(reported(&chunk));
        }
        if frame.event == "error" {
            return Err(WireProblem::Failed(excerpt(&frame.data)));
        }
        Ok(self.chunk(&chunk))
    }

    fn end(&mut self) -> Result<Vec<ModelEvent>, WireProblem> {
        match (&self.reason, self.begun) {
            // Some servers forget `[DONE]`.
            (Some(_), _) => Ok(self.finish()),
            (None, true) => Err(WireProblem::CutOff("there was no finish_reason".to_owned())),
            (None, false) => Err(WireProblem::NotUnderstood("no chat completion chunk came".to_owned())),
        }
    }
}

impl Decode {
    fn chunk(&mut self, chunk: &Value) -> Vec<ModelEvent> {
        let usage = [&chunk["usage"], &chunk["x_groq"]["usage"]].into_iter().find(|usage| usage.is_object());
        self.usage = usage.cloned().or_else(|| self.usage.take());
        self.begun |= chunk["choices"].is_array();
        let choice = &chunk["choices"][0];
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.reason = Some(reason.to_owned());
        }
        self.delta(&choice["delta"])
    }

    fn delta(&mut self, delta: &Value) -> Vec<ModelEvent> {
        for fragment in delta["tool_calls"].as_array().into_iter().flatten() {
            self.fragment(fragment);
        }
        self.reasoning_details.extend(delta["reasoning_details"].as_array().into_iter().flatten().cloned());
        let words = |field: &str| delta[field].as_str().filter(|words| !words.is_empty());
        let mut events = Vec::new();
        if let Some(words) = words("reasoning_content").or_else(|| words("reasoning")) {
            self.reasoning.push_str(words);
            events.push(ModelEvent::Thinking(words.to_owned()));
        }
        content(&delta["content"], &mut events);
        if let Some(words) = words("refusal") {
            self.refused = true;
            events.push(ModelEvent::Text(words.to_owned()));
        }
        events
    }

    fn fragment(&mut self, fragment: &Value) {
        let index = fragment["index"].as_u64();
        let id = fragment["id"].as_str().unwrap_or_default();
        let name = fragment["function"]["name"].as_str().unwrap_or_default();
        let position = self.continued(index, id, name).unwrap_or_else(|| {
            self.calls.push(Fragments { index, ..Fragments::default() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[position];
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        match &fragment["function"]["arguments"] {
            Value::String(args) => call.args.push_str(args),
            Value::Null => {}
            // Not a string, against the protocol, but whole.
            args => call.args = args.to_string(),
        }
    }

    /// Returns the call that a fragment continues: by its index, else by its id, else the last one; but a fragment with
    /// a name and another id begins a call even under a used index.
    fn continued(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let by_index = |call: &Fragments| index.is_some() && call.index == index;
        let by_id = |call: &Fragments| !id.is_empty() && call.id == id;
        let position = match index {
            Some(_) => self.calls.iter().rposition(by_index),
            None if !id.is_empty() => self.calls.iter().rposition(by_id),
            None if !name.is_empty() => None,
            None => self.calls.len().checked_sub(1),
        }?;
        let begun = &self.calls[position].id;
        let another = !name.is_empty() && !id.is_empty() && !begun.is_empty() && begun != id;
        (!another).then_some(position)
    }

    fn finish(&mut self) -> Vec<ModelEvent> {
        let calls: Vec<ToolCall> = std::mem::take(&mut self.calls)
            .iter()
            .map(|call| self.ids.call(Some(&call.id), &call.name, &call.args))
            .collect();
        let stop = stop(self.reason.as_deref(), !calls.is_empty(), self.refused);
        let echo = self.echo(!calls.is_empty());
        let mut events: Vec<_> = calls.into_iter().map(ModelEvent::ToolCall).collect();
        events.extend(self.usage.take().map(|usage| ModelEvent::Usage(read_usage(&usage))));
        events.extend(echo.map(ModelEvent::Echo));
        events.push(ModelEvent::Stop(stop));
        events
    }

    /// Reasoning goes back where the same turn goes on after tool calls: DeepSeek and OpenRouter want it then.
    fn echo(&mut self, calls: bool) -> Option<Value> {
        let mut content = Map::new();
        if !self.reasoning_details.is_empty() {
            content.insert("reasoning_details".to_owned(), std::mem::take(&mut self.reasoning_details).into());
        } else if !self.reasoning.is_empty() {
            content.insert("reasoning_content".to_owned(), std::mem::take(&mut self.reasoning).into());
        }
        (calls && !content.is_empty()).then(|| wrap_echo(ID, &self.model, content.into()))
    }
}

/// Reads content: a text, or with Mistral a list of parts.
fn content(content: &Value, events: &mut Vec<ModelEvent>) {
    match content {
        Value::String(text) if !text.is_empty() => events.push(ModelEvent::Text(text.clone())),
        Value::Array(parts) => parts.iter().for_each(|part| self::part(part, events)),
        _ => {}
    }
}

fn part(part: &Value, events: &mut Vec<ModelEvent>) {
    if let Some(text) = part["text"].as_str() {
        events.push(ModelEvent::Text(text.to_owned()));
    }
    for thought in part["thinking"].as_array().into_iter().flatten() {
        events.extend(thought["text"].as_str().map(|text| ModelEvent::Thinking(text.to_owned())));
    }
}

fn read_usage(usage: &Value) -> Usage {
    let number = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    Usage {
        input: number("/prompt_tokens"),
        output: number("/completion_tokens"),
        cache_read: number("/prompt_tokens_details/cached_tokens"),
        reasoning: number("/completion_tokens_details/reasoning_tokens"),
        ..Usage::default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::http::decode::trial::{feed, frames};

    proptest! {
        #[test]
        fn foreign_frames_do_no_harm(frames in frames()) {
            feed(Decode::new(&ModelRequest::default()), &frames);
        }
    }
}
