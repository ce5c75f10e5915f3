//! Chunks of `streamGenerateContent` to events.

use aside_core::{StepStop, Usage};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::piece::{self, Figures, Piece};
use crate::{
    ModelEvent,
    conversation::CallIds,
    echo::Echoes,
    http::decode::{Decoder, Frame, Framing, WireProblem, reported},
    wire::Call,
};

/// What has come of an answer.
#[derive(Clone)]
pub(crate) struct Decode {
    echoes: Echoes,
    ids: CallIds,
    /// As they go back with the next request.
    parts: Vec<Value>,
    signed: bool,
    called: bool,
    /// Each chunk's figures include those of all before it.
    usage: Option<Usage>,
    reason: Option<String>,
    /// Something was understood.
    begun: bool,
}

impl Decode {
    pub(super) fn new(call: &Call<'_>) -> Self {
        Self {
            echoes: call.echoes.clone(),
            ids: CallIds::for_answer_to(call.request),
            parts: Vec::new(),
            signed: false,
            called: false,
            usage: None,
            reason: None,
            begun: false,
        }
    }
}

impl Decoder for Decode {
    const FRAMING: Framing = Framing::Events;

    fn accept(&mut self, frame: &Frame<'_>, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        if matches!(frame.data.trim(), "" | "[DONE]") {
            return Ok(());
        }
        if let Some(piece) = piece::read(frame.data) {
            self.piece(piece, events);
            return Ok(());
        }
        let mut chunk = frame.json()?;
        if !chunk["error"].is_null() {
            return Err(reported(&chunk));
        }
        if let Ok(figures) = Figures::deserialize(&chunk["usageMetadata"]) {
            self.count(&figures, events);
        }
        self.begun |= chunk["candidates"].is_array() || chunk["usageMetadata"].is_object();
        if chunk["promptFeedback"]["blockReason"].is_string() {
            // Whatever it is blocked for.
            self.reason = Some("SAFETY".to_owned());
        }
        match chunk.pointer_mut("/candidates/0") {
            Some(candidate) => self.candidate(candidate, events),
            None => Ok(()),
        }
    }

    fn counted(&self) -> Option<Usage> {
        self.usage.clone().filter(|usage| usage.output.is_some_and(|output| output > 0))
    }

    /// Nothing on this wire says that it was the last chunk.
    fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        let Some(reason) = self.reason.take() else {
            return Err(if self.begun {
                WireProblem::CutOff("finishReason is missing".to_owned())
            } else {
                WireProblem::NotUnderstood("no candidate was received".to_owned())
            });
        };
        events.extend(self.usage.take().map(ModelEvent::Usage));
        // Signatures go back in their place; without any, text and calls are enough.
        let parts = std::mem::take(&mut self.parts);
        events.extend(self.signed.then(|| ModelEvent::Echo(self.echoes.wrap(parts.into()))));
        events.push(ModelEvent::Stop(stop(&reason, self.called)));
        Ok(())
    }
}

impl Decode {
    fn piece(&mut self, Piece { text, thought, figures }: Piece, events: &mut Vec<ModelEvent>) {
        self.begun = true;
        if let Some(figures) = figures {
            self.count(&figures, events);
        }
        if text.is_empty() {
            return;
        }
        if !thought {
            self.keep_text(&text);
        }
        events.push(if thought { ModelEvent::Thinking(text) } else { ModelEvent::Text(text) });
    }

    /// Takes the figures so far, which count even if the answer fails at once.
    fn count(&mut self, figures: &Figures, events: &mut Vec<ModelEvent>) {
        let usage = usage(figures);
        if self.usage.as_ref() != Some(&usage) && usage != Usage::default() {
            events.push(ModelEvent::UsageSoFar(usage.clone()));
            self.usage = Some(usage);
        }
    }

    fn candidate(&mut self, candidate: &mut Value, events: &mut Vec<ModelEvent>) -> Result<(), WireProblem> {
        let parts = candidate.pointer_mut("/content/parts").and_then(Value::as_array_mut).map(std::mem::take);
        for part in parts.unwrap_or_default() {
            self.part(part, events);
        }
        let Some(reason) = candidate["finishReason"].as_str() else { return Ok(()) };
        if is_failure(reason) {
            let words = candidate["finishMessage"].as_str().unwrap_or("the model made an unreadable call");
            events.extend(self.usage.take().map(ModelEvent::Usage));
            return Err(reported(&json!({ "error": format!("{words} ({reason})") })));
        }
        self.reason = Some(reason.to_owned());
        Ok(())
    }

    fn part(&mut self, mut part: Value, events: &mut Vec<ModelEvent>) {
        if part["functionCall"].is_object() {
            let made = &part["functionCall"];
            let raw = match &made["args"] {
                Value::Null => String::new(),
                // Against the protocol, and as with Ollama.
                Value::String(text) => text.clone(),
                args => args.to_string(),
            };
            let call = self.ids.call(made["id"].as_str(), made["name"].as_str().unwrap_or_default(), &raw);
            let Some(call) = call else { return };
            if made["id"].is_string() {
                part["functionCall"]["id"] = call.id.as_str().into();
            }
            self.called = true;
            events.push(ModelEvent::ToolCall(call));
        } else if let Some(text) = part["text"].as_str().filter(|text| !text.is_empty()) {
            let event = if part["thought"] == true { ModelEvent::Thinking } else { ModelEvent::Text };
            events.push(event(text.to_owned()));
        }
        self.keep(part);
    }

    /// Keeps a part to be sent back: texts, of which pieces are joined, calls, and whatever is signed.
    fn keep(&mut self, part: Value) {
        let signed = part["thoughtSignature"].is_string();
        self.signed |= signed;
        match part["text"].as_str() {
            // A summary of its thoughts, which is for people.
            _ if !signed && part["thought"] == true => {}
            Some(text) if !signed => self.keep_text(text),
            Some(_) => self.parts.push(part),
            None if signed || part["functionCall"].is_object() => self.parts.push(part),
            None => {}
        }
    }

    fn keep_text(&mut self, more: &str) {
        let last = self.parts.last_mut().filter(|last| last["thoughtSignature"].is_null());
        match last.and_then(|last| last.get_mut("text")) {
            Some(Value::String(text)) => text.push_str(more),
            _ if more.is_empty() => {}
            _ => self.parts.push(json!({ "text": more })),
        }
    }
}

fn is_failure(reason: &str) -> bool {
    matches!(
        reason,
        "MALFORMED_FUNCTION_CALL"
            | "UNEXPECTED_TOOL_CALL"
            | "TOO_MANY_TOOL_CALLS"
            | "MISSING_THOUGHT_SIGNATURE"
            | "MALFORMED_RESPONSE"
    )
}

/// It is `STOP` even with calls; what has no other meaning is one of many names for a refusal.
fn stop(reason: &str, called: bool) -> StepStop {
    const REFUSALS: [&str; 7] =
        ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"];
    match reason {
        "MAX_TOKENS" => StepStop::Length,
        _ if REFUSALS.contains(&reason) => StepStop::Refusal,
        _ if called => StepStop::ToolCalls,
        "STOP" | "FINISH_REASON_UNSPECIFIED" | "OTHER" => StepStop::End,
        _ => StepStop::Refusal,
    }
}

/// The output figure of this wire leaves out reasoning; ours does not. What hosted tools put into the prompt is input.
fn usage(figures: &Figures) -> Usage {
    let sum = |one: Option<u64>, two: Option<u64>| match (one, two) {
        (Some(one), Some(two)) => Some(one.saturating_add(two)),
        (one, two) => one.or(two),
    };
    Usage {
        input: sum(figures.prompt_token_count, figures.tool_use_prompt_token_count),
        output: sum(figures.candidates_token_count, figures.thoughts_token_count),
        cache_read: figures.cached_content_token_count,
        reasoning: figures.thoughts_token_count,
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
            feed(crate::wire::trial::decoder::<super::super::Gemini>(), &frames);
        }
    }
}
