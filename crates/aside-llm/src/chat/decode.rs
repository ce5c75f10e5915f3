//! Chat completion chunks to events, with the habits of the many servers that speak them.

use aside_core::{ToolCall, Usage};
use serde_json::{Map, Value};

use super::{
    OF_CALLS,
    calls::{Calls, Fragments},
    piece::{self, Piece},
    reasoning::ReasoningDetails,
    stop,
};
use crate::{
    ModelEvent,
    conversation::CallIds,
    echo::Echoes,
    http::decode::{Decoder, Frame, Framing, WireProblem, excerpt, reported, words},
    think_tags::ThinkTags,
    wire::Call,
};

/// What has come of an answer.
#[derive(Clone)]
pub(crate) struct Decode {
    echoes: Echoes,
    ids: CallIds,
    calls: Calls,
    tags: ThinkTags,
    reasoning: String,
    reasoning_details: ReasoningDetails,
    usage: Option<Usage>,
    reason: Option<String>,
    refused: bool,
    /// Something was understood.
    begun: bool,
}

impl Decode {
    pub(super) fn new(call: &Call<'_>) -> Self {
        Self {
            echoes: call.echoes.clone(),
            ids: CallIds::for_answer_to(call.request),
            calls: Calls::default(),
            tags: ThinkTags::default(),
            reasoning: String::new(),
            reasoning_details: ReasoningDetails::default(),
            usage: None,
            reason: None,
            refused: false,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    const FRAMING: Framing = Framing::Events;

    fn accept(&mut self, frame: &Frame<'_>, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        match frame.data.trim() {
            "" => return Ok(()),
            "[DONE]" => {
                self.finish(events);
                return Ok(());
            }
            _ => {}
        }
        if frame.event != "error"
            && let Some(piece) = piece::read(frame.data)
            && self.piece(piece, events)
        {
            return Ok(());
        }
        let mut chunk = frame.json()?;
        if chunk["error"].is_object() || chunk["error"].is_string() {
            return Err(reported(&chunk));
        }
        if frame.event == "error" {
            return Err(WireProblem::Failed(excerpt(frame.data)));
        }
        self.chunk(&mut chunk, events);
        Ok(())
    }

    fn counted(&self) -> Option<Usage> {
        self.usage.clone()
    }

    fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        match (&self.reason, self.begun) {
            // Some servers forget `[DONE]`.
            (Some(_), _) => {
                self.finish(events);
                Ok(())
            }
            (None, true) => {
                self.tags.end(events);
                events.extend(self.usage.take().map(ModelEvent::Usage));
                Err(WireProblem::CutOff("finish_reason is missing".to_owned()))
            }
            (None, false) => Err(WireProblem::NotUnderstood("no chat completion chunk was received".to_owned())),
        }
    }
}

impl Decode {
    /// Takes more of something; not if it is of a call that nobody has begun.
    fn piece(&mut self, piece: Piece, events: &mut Vec<ModelEvent>) -> bool {
        self.begun = true;
        match piece {
            Piece::Text(text) if !text.is_empty() => self.tags.push(text, events),
            Piece::Thinking(text) if !text.is_empty() => {
                self.reasoning.push_str(&text);
                events.push(ModelEvent::Thinking(text));
            }
            Piece::Text(_) | Piece::Thinking(_) => {}
            Piece::Arguments(index, more) => return self.calls.arguments(index, &more),
        }
        true
    }

    fn chunk(&mut self, chunk: &mut Value, events: &mut Vec<ModelEvent>) {
        let usage = [&chunk["usage"], &chunk["x_groq"]["usage"]].into_iter().find(|usage| usage.is_object());
        if let Some(usage) = usage.map(read_usage) {
            // It counts even if the answer fails at once.
            events.push(ModelEvent::UsageSoFar(usage.clone()));
            self.usage = Some(usage);
        }
        self.begun |= chunk["choices"].is_array();
        let Some(choice) = chunk.pointer_mut("/choices/0") else { return };
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.reason = Some(reason.to_owned());
        }
        if let Some(delta) = choice.get_mut("delta") {
            self.delta(delta, events);
        }
    }

    fn delta(&mut self, delta: &mut Value, events: &mut Vec<ModelEvent>) {
        for fragment in delta["tool_calls"].as_array().into_iter().flatten() {
            self.calls.fragment(fragment);
        }
        let thought =
            words(delta, "reasoning_content").or_else(|| words(delta, "reasoning")).or_else(|| detailed(delta));
        for piece in delta["reasoning_details"].as_array().into_iter().flatten() {
            self.reasoning_details.take(piece);
        }
        if let Some(thought) = thought {
            self.reasoning.push_str(&thought);
            events.push(ModelEvent::Thinking(thought));
        }
        if let Some(said) = words(delta, "content") {
            self.tags.push(said, events);
        }
        // Mistral's list.
        delta["content"].as_array().into_iter().flatten().for_each(|part| self::part(part, events));
        if let Some(said) = words(delta, "refusal") {
            self.refused = true;
            events.push(ModelEvent::Text(said));
        }
    }

    fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        self.tags.end(events);
        let calls = self.calls.take();
        let called = |fragments: &Fragments| {
            let call = self.ids.call(Some(&fragments.id), &fragments.name, &fragments.args)?;
            Some((call, fragments.extra.clone()))
        };
        let calls: Vec<(ToolCall, Value)> = calls.iter().filter_map(called).collect();
        let stop = stop(self.reason.as_deref(), !calls.is_empty(), self.refused);
        let echo = self.echo(&calls);
        events.extend(calls.into_iter().map(|(call, _)| ModelEvent::ToolCall(call)));
        events.extend(self.usage.take().map(ModelEvent::Usage));
        events.extend(echo.map(ModelEvent::Echo));
        events.push(ModelEvent::Stop(stop));
    }

    /// Reasoning goes back where the same turn goes on after tool calls: DeepSeek and OpenRouter want it then. So does what
    /// came with a call: Gemini signs its calls there.
    fn echo(&mut self, calls: &[(ToolCall, Value)]) -> Option<Value> {
        let mut content = Map::new();
        let signed = calls.iter().filter(|(_, extra)| extra.is_object());
        let signed: Map<String, Value> = signed.map(|(call, extra)| (call.id.clone(), extra.clone())).collect();
        if !signed.is_empty() {
            content.insert(OF_CALLS.to_owned(), signed.into());
        }
        if let Some(details) = self.reasoning_details.end() {
            content.insert("reasoning_details".to_owned(), details);
        } else if !self.reasoning.is_empty() {
            content.insert("reasoning_content".to_owned(), std::mem::take(&mut self.reasoning).into());
        }
        (!calls.is_empty() && !content.is_empty()).then(|| self.echoes.wrap(content.into()))
    }
}

/// The thoughts that stand only in the details of the reasoning, as texts or as summaries.
fn detailed(delta: &Value) -> Option<String> {
    let reasoning = &delta["reasoning"];
    let details = delta["reasoning_details"].as_array().into_iter().flatten();
    let details = details.chain(reasoning.is_object().then_some(reasoning));
    let thought: String =
        details.flat_map(|detail| [&detail["text"], &detail["summary"]]).filter_map(Value::as_str).collect();
    (!thought.is_empty()).then_some(thought)
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
    let [input, output, total] = ["/prompt_tokens", "/completion_tokens", "/total_tokens"].map(number);
    let reasoning = number("/completion_tokens_details/reasoning_tokens");
    Usage {
        input,
        output: whole_output(input, output, reasoning, total).or(output),
        cache_read: number("/prompt_tokens_details/cached_tokens"),
        cache_write: number("/prompt_tokens_details/cache_write_tokens"),
        reasoning,
        ..Usage::default()
    }
}

/// All tokens of an answer where reasoning is counted beside them (xAI), which only the sum of all can tell.
fn whole_output(input: Option<u64>, output: Option<u64>, reasoning: Option<u64>, total: Option<u64>) -> Option<u64> {
    let whole = output?.checked_add(reasoning?)?;
    (input?.checked_add(whole)? == total?).then_some(whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::http::decode::trial::{feed, frames};

    proptest! {
        #[test]
        fn foreign_frames_do_no_harm(frames in frames()) {
            feed(crate::wire::trial::decoder::<super::super::Chat>(), &frames);
        }
    }
}
