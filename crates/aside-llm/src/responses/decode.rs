//! Events of a Responses stream to ours.

use std::{borrow::Cow, collections::HashMap};

use aside_core::{StepStop, ToolCall, Usage};
use serde_json::Value;

use super::piece::{self, Piece};
use crate::{
    ModelEvent,
    conversation::CallIds,
    echo::Echoes,
    http::decode::{Decoder, Frame, Framing, WireProblem, excerpt, reported, taken, words},
    wire::Call,
};

/// What has come of an answer.
#[derive(Clone)]
pub(crate) struct Decode {
    echoes: Echoes,
    ids: CallIds,
    /// In the order in which they began.
    items: Vec<Item>,
    /// Where they are by their own id, and the latest by its index in the output.
    by_id: HashMap<String, usize>,
    by_index: HashMap<u64, usize>,
    called: bool,
    refused: bool,
    /// Something was understood.
    begun: bool,
}

/// An item of the output as far as it came.
#[derive(Clone, Default)]
struct Item {
    /// As it goes back with the next request; null until it is announced.
    content: Value,
    /// The fragments of a call's arguments.
    arguments: String,
    /// Pieces of its text were handed out.
    spoken: bool,
    /// It was handed out whole.
    done: bool,
}

/// Which item an event is of, as far as it says.
struct At {
    id: Option<String>,
    index: Option<u64>,
}

impl Decode {
    pub(super) fn new(call: &Call<'_>) -> Self {
        Self {
            echoes: call.echoes.clone(),
            ids: CallIds::for_answer_to(call.request),
            items: Vec::new(),
            by_id: HashMap::new(),
            by_index: HashMap::new(),
            called: false,
            refused: false,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    const FRAMING: Framing = Framing::Events;

    fn accept(&mut self, frame: &Frame<'_>, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        // The end of OpenRouter's stream, after that of the answer.
        if matches!(frame.data.trim(), "" | "[DONE]") {
            return Ok(());
        }
        if let Some(piece) = piece::read(frame.data)
            && self.piece(piece, events)
        {
            return Ok(());
        }
        let mut event = frame.json()?;
        let at = At::of(&event);
        // The data names the event too; OpenRouter has no event lines.
        match event["type"].as_str().unwrap_or(frame.event) {
            "response.created" | "response.in_progress" | "response.queued" => self.begun = true,
            "response.output_item.added" => {
                let place = self.begin(&at);
                self.items[place].content = taken(&mut event, "item");
            }
            "response.output_item.done" => {
                let place = self.ended(&at);
                self.done(place, taken(&mut event, "item"), events);
            }
            "response.output_text.delta" => self.spoken(&at, words(&mut event, "delta").map(ModelEvent::Text), events),
            "response.refusal.delta" => {
                self.refused = true;
                self.spoken(&at, words(&mut event, "delta").map(ModelEvent::Text), events);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.spoken(&at, words(&mut event, "delta").map(ModelEvent::Thinking), events);
            }
            "response.function_call_arguments.delta" => {
                self.called_item(&at).arguments.push_str(event["delta"].as_str().unwrap_or_default());
            }
            "response.completed" | "response.incomplete" => self.finish(taken(&mut event, "response"), events),
            "response.failed" => {
                let response = &event["response"];
                if response["usage"].is_object() {
                    events.push(ModelEvent::Usage(read_usage(&response["usage"])));
                }
                return Err(reported(response));
            }
            "error" => return Err(failed(&event)),
            _ if event["error"].is_object() || event["error"].is_string() => return Err(reported(&event)),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        Err(if self.begun || !self.items.is_empty() {
            WireProblem::CutOff("response.completed is missing".to_owned())
        } else {
            WireProblem::NotUnderstood("no response was received".to_owned())
        })
    }
}

impl Decode {
    /// Takes more of something; tells whether it was understood.
    fn piece(&mut self, piece: Piece<'_>, events: &mut Vec<ModelEvent>) -> bool {
        let at = At { id: piece.item_id.map(Cow::into_owned), index: piece.index };
        let more = Some(piece.delta).filter(|more| !more.is_empty());
        match piece.kind {
            "response.output_text.delta" => self.spoken(&at, more.map(ModelEvent::Text), events),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.spoken(&at, more.map(ModelEvent::Thinking), events);
            }
            "response.function_call_arguments.delta" => {
                self.called_item(&at).arguments.push_str(more.as_deref().unwrap_or_default());
            }
            _ => return false,
        }
        true
    }

    /// The item that an event is of: the one with its id, else the one at its index, else the one that is being streamed.
    fn known(&self, at: &At) -> Option<usize> {
        let by_id = at.id.as_ref().and_then(|id| self.by_id.get(id));
        match (by_id.or_else(|| self.by_index.get(&at.index?)), at.index) {
            (Some(place), _) => Some(*place),
            (None, None) => self.items.len().checked_sub(1),
            (None, Some(_)) => None,
        }
    }

    fn item(&mut self, at: &At) -> &mut Item {
        let place = self.known(at).unwrap_or_else(|| self.begin(at));
        &mut self.items[place]
    }

    /// The same for arguments, which belong to the call that is being streamed if nobody knows their item.
    fn called_item(&mut self, at: &At) -> &mut Item {
        let is_streamed = |item: &Item| !item.done && item.content["type"] == "function_call";
        let streamed = self.items.len().checked_sub(1).filter(|place| is_streamed(&self.items[*place]));
        match (self.known(at), streamed) {
            (None, Some(place)) => &mut self.items[place],
            _ => self.item(at),
        }
    }

    /// The place of an item that begins, or is announced again.
    fn begin(&mut self, at: &At) -> usize {
        let by_id = at.id.as_ref().and_then(|id| self.by_id.get(id).copied());
        let begun = by_id.filter(|place| !self.items[*place].done);
        // More of it came before it was announced.
        let unnamed = || at.index.and_then(|index| self.by_index.get(&index)).copied();
        let place = begun.or_else(|| unnamed().filter(|place| self.items[*place].content.is_null()));
        let place = place.unwrap_or_else(|| {
            self.items.push(Item::default());
            self.items.len() - 1
        });
        self.by_id.extend(at.id.clone().map(|id| (id, place)));
        self.by_index.extend(at.index.map(|index| (index, place)));
        place
    }

    /// The place of an item that is over: the one that is known, unless that one was over before.
    fn ended(&mut self, at: &At) -> usize {
        let is_same = |item: &Item| match &at.id {
            Some(id) => item.content["id"] == id.as_str(),
            None => at.index.is_some(),
        };
        match self.known(at) {
            Some(place) if !self.items[place].done || is_same(&self.items[place]) => place,
            _ => self.begin(at),
        }
    }

    fn spoken(&mut self, at: &At, event: Option<ModelEvent>, events: &mut Vec<ModelEvent>) {
        if let Some(event) = event {
            self.item(at).spoken = true;
            events.push(event);
        }
    }

    /// Takes a whole item; of one that was not followed piece by piece, all is handed out now.
    fn done(&mut self, place: usize, content: Value, events: &mut Vec<ModelEvent>) {
        let item = &mut self.items[place];
        if std::mem::replace(&mut item.done, true) {
            return;
        }
        if content.is_object() {
            item.content = content;
        }
        match item.content["type"].as_str() {
            Some("function_call") => {
                let call = item.call(&mut self.ids);
                self.called |= call.is_some();
                events.extend(call.map(ModelEvent::ToolCall));
            }
            Some("message") => {
                self.refused |= item.parts("content").any(|part| part["type"] == "refusal");
                if !item.spoken {
                    events.extend(item.parts("content").filter_map(said).map(ModelEvent::Text));
                }
            }
            Some("reasoning") if !item.spoken => {
                let thought = item.parts("summary").chain(item.parts("content"));
                events.extend(thought.filter_map(said).map(ModelEvent::Thinking));
            }
            _ => {}
        }
    }

    fn finish(&mut self, mut response: Value, events: &mut Vec<ModelEvent>) {
        if let (true, Value::Array(output)) = (self.items.is_empty(), taken(&mut response, "output")) {
            for item in output {
                self.items.push(Item::default());
                self.done(self.items.len() - 1, item, events);
            }
        }
        // Cut off by the limit, a call may have no end of its own.
        for place in 0..self.items.len() {
            self.done(place, Value::Null, events);
        }
        if response["usage"].is_object() {
            events.push(ModelEvent::Usage(read_usage(&response["usage"])));
        }
        events.extend(self.echo().map(ModelEvent::Echo));
        events.push(ModelEvent::Stop(self.stop(&response)));
    }

    fn stop(&self, response: &Value) -> StepStop {
        match response["incomplete_details"]["reason"].as_str() {
            Some("max_output_tokens" | "max_tokens") => StepStop::Length,
            Some("content_filter") => StepStop::Refusal,
            _ if self.called => StepStop::ToolCalls,
            _ if self.refused => StepStop::Refusal,
            _ => StepStop::End,
        }
    }

    /// Everything goes back as it came and in its order, where there is reasoning to go back or a message says which
    /// phase it belongs to. Reasoning that the server alone could look up is left out: it keeps nothing of ours.
    fn echo(&mut self) -> Option<Value> {
        let items = std::mem::take(&mut self.items).into_iter().map(|item| item.content);
        let mut items: Vec<Value> = items.filter(goes_back).collect();
        // Reasoning that led to nothing, because the answer was cut, is refused.
        while items.last().is_some_and(|item| item["type"] == "reasoning") {
            items.pop();
        }
        let worth = |item: &Value| item["type"] == "reasoning" || item["phase"].is_string();
        items.iter().any(worth).then(|| self.echoes.wrap(items.into()))
    }
}

impl At {
    fn of(event: &Value) -> Self {
        let id = event["item_id"].as_str().or_else(|| event["item"]["id"].as_str());
        Self { id: id.filter(|id| !id.is_empty()).map(str::to_owned), index: event["output_index"].as_u64() }
    }
}

impl Item {
    fn parts(&self, field: &str) -> impl Iterator<Item = &Value> {
        self.content[field].as_array().into_iter().flatten()
    }

    /// Returns the call that it is, unless it is a copy of another, which does not go back either.
    fn call(&mut self, ids: &mut CallIds) -> Option<ToolCall> {
        let text = |field: &str| self.content[field].as_str().filter(|text| !text.is_empty());
        let arguments = text("arguments").unwrap_or(&self.arguments).to_owned();
        let call = ids.call(text("call_id"), text("name").unwrap_or_default(), &arguments);
        match &call {
            Some(call) => {
                // Of one that was cut off, only the fragments came.
                self.content["arguments"] = arguments.into();
                self.content["call_id"] = call.id.as_str().into();
            }
            None => self.content = Value::Null,
        }
        call
    }
}

/// The text of a part.
fn said(part: &Value) -> Option<String> {
    let text = part["text"].as_str().or_else(|| part["refusal"].as_str())?;
    (!text.is_empty()).then(|| text.to_owned())
}

fn goes_back(item: &Value) -> bool {
    match item["type"].as_str() {
        Some("reasoning") => item["encrypted_content"].is_string(),
        Some("message" | "function_call") => true,
        _ => false,
    }
}

/// An error event has its words beside its type, or in an object of its own.
fn failed(event: &Value) -> WireProblem {
    if event["error"].is_object() {
        return reported(event);
    }
    let code = event["code"].as_str().unwrap_or_default();
    let detail = event["message"].as_str().map_or_else(|| excerpt(&event.to_string()), excerpt);
    reported(&serde_json::json!({ "error": { "code": code, "message": detail } }))
}

fn read_usage(usage: &Value) -> Usage {
    let number = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    Usage {
        input: number("/input_tokens"),
        output: number("/output_tokens"),
        cache_read: number("/input_tokens_details/cached_tokens"),
        cache_write: number("/input_tokens_details/cache_write_tokens"),
        reasoning: number("/output_tokens_details/reasoning_tokens"),
        ..Usage::default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::http::decode::trial::{feed, frames};

    proptest! {
        #[test]
        fn foreign_frames_do_no_harm(frames in frames()) {
            feed(crate::wire::trial::decoder::<super::super::Responses>(), &frames);
        }
    }
}
