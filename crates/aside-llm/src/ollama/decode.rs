//! Lines of `/api/chat` to events.

use aside_core::{StepStop, Usage};
use serde_json::Value;

use super::ID;
use crate::{
    ModelEvent, ModelRequest,
    conversation::{CallIds, wrap_echo},
    http::decode::{Decoder, Frame, WireProblem, reported},
};

/// What has come of an answer.
#[derive(Clone)]
pub(super) struct Decode {
    model: String,
    ids: CallIds,
    thinking: String,
    called: bool,
    /// Something was understood.
    begun: bool,
}

impl Decode {
    pub(super) fn new(request: &ModelRequest) -> Self {
        Self {
            model: request.model.clone(),
            ids: CallIds::for_answer_to(request),
            thinking: String::new(),
            called: false,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    fn accept(&mut self, frame: &Frame) -> Result<Vec<ModelEvent>, WireProblem> {
        let line = frame.json()?;
        if !line["error"].is_null() {
            return Err(reported(&line));
        }
        self.begun |= line["message"].is_object();
        let mut events = self.message(&line["message"]);
        if line["done"] == true && self.begun {
            events.extend(self.finish(&line));
        }
        Ok(events)
    }

    fn end(&mut self) -> Result<Vec<ModelEvent>, WireProblem> {
        Err(if self.begun {
            WireProblem::CutOff("there was no last line".to_owned())
        } else {
            WireProblem::NotUnderstood("no message came".to_owned())
        })
    }
}

impl Decode {
    fn message(&mut self, message: &Value) -> Vec<ModelEvent> {
        let words = |field: &str| message[field].as_str().filter(|words| !words.is_empty()).map(str::to_owned);
        let mut events = Vec::new();
        if let Some(thinking) = words("thinking") {
            self.thinking.push_str(&thinking);
            events.push(ModelEvent::Thinking(thinking));
        }
        events.extend(words("content").map(ModelEvent::Text));
        events.extend(message["tool_calls"].as_array().into_iter().flatten().map(|call| self.call(call)));
        events
    }

    fn call(&mut self, call: &Value) -> ModelEvent {
        self.called = true;
        let function = &call["function"];
        let raw = match &function["arguments"] {
            Value::String(text) => text.clone(),
            args => args.to_string(),
        };
        ModelEvent::ToolCall(self.ids.call(call["id"].as_str(), function["name"].as_str().unwrap_or_default(), &raw))
    }

    fn finish(&mut self, line: &Value) -> Vec<ModelEvent> {
        let number = |field: &str| line[field].as_u64();
        let usage = Usage { input: number("prompt_eval_count"), output: number("eval_count"), ..Usage::default() };
        let thinking = std::mem::take(&mut self.thinking);
        let stop = match line["done_reason"].as_str() {
            Some("length") => StepStop::Length,
            _ if self.called => StepStop::ToolCalls,
            _ => StepStop::End,
        };
        let mut events = Vec::new();
        if usage != Usage::default() {
            events.push(ModelEvent::Usage(usage));
        }
        if !thinking.is_empty() {
            events.push(ModelEvent::Echo(wrap_echo(ID, &self.model, thinking.into())));
        }
        events.push(ModelEvent::Stop(stop));
        events
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
