//! Events of a Messages stream to our events.

use std::collections::HashMap;

use aside_core::{StepStop, Usage};
use serde_json::{Map, Value, json};

use super::piece::{self, Piece};
use crate::{
    ModelEvent,
    conversation::{CallIds, args_object},
    echo::Echoes,
    http::decode::{Decoder, Frame, Framing, WireProblem, reported, taken, words},
    wire::Call,
};

/// What has come of an answer.
#[derive(Clone)]
pub(crate) struct Decode {
    echoes: Echoes,
    ids: CallIds,
    /// In the order in which they began.
    blocks: Vec<Block>,
    /// The latest block at each index.
    places: HashMap<u64, usize>,
    usage: Map<String, Value>,
    /// The figures are those of all that was written.
    counted: bool,
    reason: Option<String>,
    called: bool,
    /// Something was understood.
    begun: bool,
}

/// A content block as far as it came.
#[derive(Clone)]
struct Block {
    /// As it goes back with the next request.
    content: Value,
    /// The fragments of a tool call's input.
    input: String,
    open: bool,
}

impl Decode {
    pub(super) fn new(call: &Call<'_>) -> Self {
        Self {
            echoes: call.echoes.clone(),
            ids: CallIds::for_answer_to(call.request),
            blocks: Vec::new(),
            places: HashMap::new(),
            usage: Map::new(),
            counted: false,
            reason: None,
            called: false,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    const FRAMING: Framing = Framing::Events;

    fn accept(&mut self, frame: &Frame<'_>, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        if let Some((index, piece)) = piece::read(frame.data) {
            self.piece(index, piece, events);
            return Ok(());
        }
        let mut event = frame.json()?;
        let index = event["index"].as_u64().unwrap_or_default();
        // The data names the event too; proxies lose the event line.
        match event["type"].as_str().unwrap_or(frame.event) {
            "message_start" => {
                self.begun = true;
                self.count(&event["message"]["usage"], events);
            }
            "content_block_start" => self.start(index, taken(&mut event, "content_block"), events),
            "content_block_delta" => self.delta(index, &mut taken(&mut event, "delta"), events),
            "content_block_stop" => {
                let place = self.places.get(&index).copied();
                events.extend(place.and_then(|place| self.stop(place)));
            }
            "message_delta" => {
                self.count(&event["usage"], events);
                self.counted |= event["usage"]["output_tokens"].is_u64();
                self.reason = event["delta"]["stop_reason"].as_str().map(str::to_owned).or(self.reason.take());
            }
            "message_stop" => self.finish(events),
            "error" => return Err(reported(&event)),
            _ => {}
        }
        Ok(())
    }

    fn counted(&self) -> Option<Usage> {
        self.counted.then(|| read_usage(&self.usage))
    }

    fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        match (&self.reason, self.begun) {
            (Some(_), _) => {
                self.finish(events);
                Ok(())
            }
            (None, true) => Err(WireProblem::CutOff("message_stop is missing".to_owned())),
            (None, false) => Err(WireProblem::NotUnderstood("message_start is missing".to_owned())),
        }
    }
}

impl Decode {
    fn start(&mut self, index: u64, content: Value, events: &mut Vec<ModelEvent>) {
        if let Some(place) = self.places.get(&index).copied() {
            let before = &self.blocks[place];
            let is_again = before.open && content["id"].is_string() && before.content["id"] == content["id"];
            if is_again {
                return;
            }
            // A server that has one index for all blocks does not say that the block before has ended.
            events.extend(self.stop(place));
        }
        let said = |field: &str| content[field].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        events.extend(said("text").map(ModelEvent::Text));
        events.extend(said("thinking").map(ModelEvent::Thinking));
        self.begin(index, content);
    }

    fn begin(&mut self, index: u64, content: Value) -> usize {
        self.blocks.push(Block { content, input: String::new(), open: true });
        let place = self.blocks.len() - 1;
        self.places.insert(index, place);
        place
    }

    /// The block that a piece is of: the one at its index; else input is of the call that is being streamed, and words
    /// are of a block that nobody has announced.
    fn block(&mut self, index: u64, piece: &Piece) -> Option<&mut Block> {
        let place = match (self.places.get(&index).copied(), piece) {
            (Some(place), _) => place,
            (None, Piece::Input(_)) => {
                let streamed = self.blocks.len().checked_sub(1)?;
                (self.blocks[streamed].content["type"] == "tool_use").then_some(streamed)?
            }
            (None, Piece::Text(_)) => self.begin(index, json!({ "type": "text", "text": "" })),
            (None, Piece::Thinking(_)) => self.begin(index, json!({ "type": "thinking", "thinking": "" })),
        };
        self.blocks.get_mut(place)
    }

    fn delta(&mut self, index: u64, delta: &mut Value, events: &mut Vec<ModelEvent>) {
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => self.piece(index, Piece::Text(words(delta, "text").unwrap_or_default()), events),
            "thinking_delta" => {
                self.piece(index, Piece::Thinking(words(delta, "thinking").unwrap_or_default()), events)
            }
            "input_json_delta" => {
                self.piece(index, Piece::Input(words(delta, "partial_json").unwrap_or_default()), events)
            }
            "signature_delta" => {
                if let Some(place) = self.places.get(&index) {
                    extend(
                        &mut self.blocks[*place].content,
                        "signature",
                        delta["signature"].as_str().unwrap_or_default(),
                    );
                }
            }
            _ => {}
        }
    }

    fn piece(&mut self, index: u64, piece: Piece, events: &mut Vec<ModelEvent>) {
        let Some(block) = self.block(index, &piece) else { return };
        match piece {
            Piece::Text(more) if !more.is_empty() => {
                extend(&mut block.content, "text", &more);
                events.push(ModelEvent::Text(more));
            }
            Piece::Thinking(more) if !more.is_empty() => {
                extend(&mut block.content, "thinking", &more);
                events.push(ModelEvent::Thinking(more));
            }
            Piece::Text(_) | Piece::Thinking(_) => {}
            Piece::Input(more) => block.input.push_str(&more),
        }
    }

    /// Ends a block; returns the call that it is, if it is one and no copy of another.
    fn stop(&mut self, place: usize) -> Option<ModelEvent> {
        let block = self.blocks.get_mut(place).filter(|block| block.open)?;
        block.open = false;
        if block.content["type"] != "tool_use" {
            return None;
        }
        if block.input.is_empty() && block.content["input"].is_object() {
            block.input = block.content["input"].to_string();
        }
        let name = block.content["name"].as_str().unwrap_or_default();
        let Some(call) = self.ids.call(block.content["id"].as_str(), name, &block.input) else {
            // It must not go back either.
            block.content = Value::Null;
            return None;
        };
        block.content["id"] = call.id.as_str().into();
        block.content["input"] = args_object(&call);
        self.called = true;
        Some(ModelEvent::ToolCall(call))
    }

    /// Takes the last value of each figure: those of the start grow with hosted tools.
    fn count(&mut self, usage: &Value, events: &mut Vec<ModelEvent>) {
        let fields = usage.as_object().into_iter().flatten();
        self.usage
            .extend(fields.filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.clone(), value.clone())));
        if !self.usage.is_empty() {
            events.push(ModelEvent::UsageSoFar(read_usage(&self.usage)));
        }
    }

    fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        // Cut off by the limit, a call may have no end of its own.
        events.extend((0..self.blocks.len()).filter_map(|place| self.stop(place)));
        if !self.usage.is_empty() {
            events.push(ModelEvent::Usage(read_usage(&std::mem::take(&mut self.usage))));
        }
        events.extend(self.echo().map(ModelEvent::Echo));
        events.push(ModelEvent::Stop(stop(self.reason.as_deref(), self.called)));
    }

    /// Thinking goes back as it came, and in its place among the other blocks; without any, the text is enough.
    fn echo(&mut self) -> Option<Value> {
        let blocks = std::mem::take(&mut self.blocks).into_iter().map(|block| block.content);
        let blocks: Vec<Value> = blocks.filter(goes_back).collect();
        let thought = |block: &Value| matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"));
        blocks.iter().any(thought).then(|| self.echoes.wrap(blocks.into()))
    }
}

/// Tells whether a block may be sent back: its kind is one that was followed to its end, and it is not an empty text,
/// which the server would refuse.
fn goes_back(block: &Value) -> bool {
    match block["type"].as_str() {
        Some("text") => block["text"].as_str().is_some_and(|text| !text.trim().is_empty()),
        // A thought that was cut off is not signed, and would be refused.
        Some("thinking") => block["signature"].as_str().is_some_and(|signature| !signature.is_empty()),
        Some("redacted_thinking" | "tool_use") => true,
        _ => false,
    }
}

fn extend(content: &mut Value, field: &str, more: &str) {
    let Some(content) = content.as_object_mut() else { return };
    match content.get_mut(field) {
        Some(Value::String(text)) => text.push_str(more),
        _ => drop(content.insert(field.to_owned(), more.into())),
    }
}

fn stop(reason: Option<&str>, called: bool) -> StepStop {
    match reason {
        Some("max_tokens" | "model_context_window_exceeded") => StepStop::Length,
        Some("refusal") => StepStop::Refusal,
        _ if called => StepStop::ToolCalls,
        _ => StepStop::End,
    }
}

/// The input figure of this wire leaves out what went through the cache; ours does not. Where the server ran the model
/// several times, the sum of the runs is what was used.
fn read_usage(usage: &Map<String, Value>) -> Usage {
    match usage.get("iterations").and_then(Value::as_array).filter(|runs| !runs.is_empty()) {
        Some(runs) => {
            let runs = runs.iter().filter_map(Value::as_object).map(one_run);
            let sum = runs.fold(Usage::default(), |sum, run| sum.plus(&run));
            // Thinking stands beside the runs, not in them.
            Usage { reasoning: sum.reasoning.or(thinking(usage)), ..sum }
        }
        None => one_run(usage),
    }
}

fn thinking(usage: &Map<String, Value>) -> Option<u64> {
    let detailed = usage.get("output_tokens_details").and_then(|details| details["thinking_tokens"].as_u64());
    detailed.or_else(|| usage.get("thinking_tokens")?.as_u64())
}

fn one_run(usage: &Map<String, Value>) -> Usage {
    let number = |field: &str| usage.get(field).and_then(Value::as_u64);
    let cache_read = number("cache_read_input_tokens");
    let cache_write = number("cache_creation_input_tokens");
    let cached = cache_read.unwrap_or_default().saturating_add(cache_write.unwrap_or_default());
    Usage {
        input: number("input_tokens").map(|input| input.saturating_add(cached)),
        output: number("output_tokens"),
        cache_read,
        cache_write,
        cache_write_hour: usage.get("cache_creation").and_then(|kinds| kinds["ephemeral_1h_input_tokens"].as_u64()),
        reasoning: thinking(usage),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::http::decode::trial::{feed, frames};

    proptest! {
        #[test]
        fn foreign_frames_do_no_harm(frames in frames()) {
            feed(crate::wire::trial::decoder::<super::super::Messages>(), &frames);
        }
    }
}
