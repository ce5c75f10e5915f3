//! The most tokens that a request can have, for holding it against a limit.

use aside_core::ToolCall;
use aside_llm::{Message, ModelRequest, ToolSpec};
use aside_tokens::at_most;
use serde_json::Value;

use crate::budget::as_json;

/// Around one message: roles and separators.
const MESSAGE: u64 = 16;
/// What a provider writes around tools; Anthropic says 346 for its own (Tool use, pricing).
const FRAME: u64 = 600;
/// One image: Anthropic counts up to 4,784 and Gemini 258 for each of its tiles, OpenAI up to 3,779 for most models.
const IMAGE: u64 = 6_000;
/// One image for gpt-4o-mini: OpenAI counts 2,833 and 5,667 for each of at most eight tiles.
const IMAGE_FOR_MINI: u64 = 50_000;

/// Counts a whole request.
pub fn most_tokens(request: &ModelRequest) -> u64 {
    let image = if request.model.contains("gpt-4o-mini") { IMAGE_FOR_MINI } else { IMAGE };
    let messages: u64 = request.messages.iter().map(|one| message(one, image)).sum();
    let tools: u64 = request.tools.iter().map(tool).sum();
    FRAME + at_most(&request.system) + tools + messages
}

fn tool(tool: &ToolSpec) -> u64 {
    MESSAGE + at_most(&as_json(tool))
}

fn message(message: &Message, image: u64) -> u64 {
    MESSAGE
        + match message {
            Message::User { text, images } => at_most(text) + image * images.len() as u64,
            Message::ToolResult { text, name, call, .. } => at_most(text) + at_most(name) + at_most(call),
            Message::Assistant { text, calls, echo } => {
                let echo = if *echo == Value::Null { 0 } else { at_most(&echo.to_string()) };
                at_most(text) + echo + calls.iter().map(call).sum::<u64>()
            }
        }
}

fn call(call: &ToolCall) -> u64 {
    serde_json::to_string(call).map_or(0, |text| at_most(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_sent_counts() {
        let empty = most_tokens(&ModelRequest::default());
        let image = aside_llm::Image { kind: "image/png".into(), base64: "AAAA".into() };
        let with = |message: Message| {
            most_tokens(&ModelRequest { messages: vec![message], ..ModelRequest::default() }) - empty
        };
        assert!(with(Message::User { text: "a".into(), images: vec![image] }) > IMAGE);
        let echo = serde_json::json!({ "signature": "1".repeat(500) });
        assert!(with(Message::Assistant { text: String::new(), calls: Vec::new(), echo }) > 500);
    }
}
