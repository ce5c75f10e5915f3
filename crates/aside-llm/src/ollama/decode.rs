//! Lines of `/api/chat` to events.

use aside_core::{StepStop, Usage};
use serde_json::Value;

use super::piece;
use crate::{
    ModelEvent, ModelRequest,
    conversation::CallIds,
    echo::Echoes,
    http::decode::{Decoder, Frame, Framing, WireProblem, reported, words},
    think_tags::ThinkTags,
};

/// What has come of an answer.
#[derive(Clone)]
pub(crate) struct Decode {
    echoes: Echoes,
    ids: CallIds,
    tags: ThinkTags,
    thinking: String,
    called: bool,
    /// Something was understood.
    begun: bool,
}

impl Decode {
    pub(crate) fn new(request: &ModelRequest, echoes: Echoes) -> Self {
        Self {
            echoes,
            ids: CallIds::for_answer_to(request),
            tags: ThinkTags::default(),
            thinking: String::new(),
            called: false,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    const FRAMING: Framing = Framing::Lines;

    fn accept(&mut self, frame: &Frame<'_>, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        if let Some(piece) = piece::read(frame.data) {
            self.begun = true;
            let some = |text: Option<String>| text.filter(|text| !text.is_empty());
            self.said(some(piece.thinking), some(piece.content), events);
            return Ok(());
        }
        let mut line = frame.json()?;
        if !line["error"].is_null() {
            return Err(reported(&line));
        }
        if let Some(message) = line.get_mut("message").filter(|message| message.is_object()) {
            self.begun = true;
            self.message(message, events);
        }
        if line["done"] == true && self.begun {
            self.finish(&line, events);
        }
        Ok(())
    }

    fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        self.tags.end(events);
        Err(if self.begun {
            WireProblem::CutOff("the last line is missing".to_owned())
        } else {
            WireProblem::NotUnderstood("no message was received".to_owned())
        })
    }
}

impl Decode {
    fn message(&mut self, message: &mut Value, events: &mut Vec<ModelEvent>) {
        self.said(words(message, "thinking"), words(message, "content"), events);
        events.extend(message["tool_calls"].as_array().into_iter().flatten().filter_map(|call| self.call(call)));
    }

    fn said(&mut self, thinking: Option<String>, text: Option<String>, events: &mut Vec<ModelEvent>) {
        if let Some(thinking) = thinking {
            self.thinking.push_str(&thinking);
            events.push(ModelEvent::Thinking(thinking));
        }
        if let Some(text) = text {
            self.tags.push(text, events);
        }
    }

    fn call(&mut self, call: &Value) -> Option<ModelEvent> {
        self.called = true;
        let function = &call["function"];
        let raw = match &function["arguments"] {
            Value::String(text) => text.clone(),
            args => args.to_string(),
        };
        let name = function["name"].as_str().unwrap_or_default();
        self.ids.call(call["id"].as_str(), name, &raw).map(ModelEvent::ToolCall)
    }

    fn finish(&mut self, line: &Value, events: &mut Vec<ModelEvent>) {
        self.tags.end(events);
        let number = |field: &str| line[field].as_u64();
        let usage = Usage { input: number("prompt_eval_count"), output: number("eval_count"), ..Usage::default() };
        let thinking = std::mem::take(&mut self.thinking);
        let stop = match line["done_reason"].as_str() {
            Some("length") => StepStop::Length,
            _ if self.called => StepStop::ToolCalls,
            _ => StepStop::End,
        };
        if usage != Usage::default() {
            events.push(ModelEvent::Usage(usage));
        }
        if !thinking.is_empty() {
            events.push(ModelEvent::Echo(self.echoes.wrap(thinking.into())));
        }
        events.push(ModelEvent::Stop(stop));
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
            feed(Decode::new(&ModelRequest::default(), Echoes::default()), &frames);
        }
    }
}
