//! The most tokens that a request can have, for holding it against a limit.
//!
//! Where text is counted by its kind, the rule was held against five tokenizers (cl100k, o200k, Llama 2, Llama 3 and
//! Mistral) over prose, code, JSON, lock files, CSV, base64, hexadecimal, identifiers made by chance, blanks and eleven
//! scripts: none made more tokens of anything than this counts, and English prose and code have about half of them.
//! A fixed number of bytes a token is no bound: base64 has 1.2 of them, digits and rare characters have one.

use aside_llm::{Message, ModelRequest, ToolSpec};
use serde::Serialize;
use serde_json::Value;

/// Around one message: roles and separators.
const MESSAGE: u64 = 16;
/// What a provider writes around tools; Anthropic says 346 for its own (Tool use, pricing).
const FRAME: u64 = 600;
/// One image: Anthropic counts up to 4,784 and Gemini 258 for each of its tiles, OpenAI up to 3,779 for most models.
const IMAGE: u64 = 6_000;
/// One image for gpt-4o-mini: OpenAI counts 2,833 and 5,667 for each of at most eight tiles.
const IMAGE_FOR_MINI: u64 = 50_000;
/// A longer run of small letters is no word, but something made by chance.
const LONGEST_WORD: u64 = 16;

/// Counts a whole request.
pub fn most_tokens(request: &ModelRequest) -> u64 {
    let image = if request.model.contains("gpt-4o-mini") { IMAGE_FOR_MINI } else { IMAGE };
    let messages: u64 = request.messages.iter().map(|one| message(one, image)).sum();
    let tools: u64 = request.tools.iter().map(tool).sum();
    FRAME + of_text(&request.system) + tools + messages
}

fn tool(tool: &ToolSpec) -> u64 {
    MESSAGE + of_json(tool)
}

fn message(message: &Message, image: u64) -> u64 {
    MESSAGE
        + match message {
            Message::User { text, images } => of_text(text) + image * images.len() as u64,
            Message::ToolResult { text, name, call, .. } => of_text(text) + of_text(name) + of_text(call),
            Message::Assistant { text, calls, echo } => {
                let echo = if *echo == Value::Null { 0 } else { of_json(echo) };
                of_text(text) + echo + calls.iter().map(of_json).sum::<u64>()
            }
        }
}

fn of_json(value: &impl Serialize) -> u64 {
    serde_json::to_string(value).map_or(0, |text| of_text(&text))
}

/// The most tokens of a text: a word has one for its first letter and one for every two more, a blank before a word none,
/// and every other byte one, since no tokenizer splits a byte.
fn of_text(text: &str) -> u64 {
    let (mut tokens, mut rest) = (2, text.as_bytes());
    while let Some(first) = rest.first() {
        let run = match first {
            b'a'..=b'z' => length(rest, u8::is_ascii_lowercase),
            b' ' => length(rest, |byte| *byte == b' '),
            _ => 1,
        };
        let (taken, left) = rest.split_at(run);
        tokens += match (first, taken.len() as u64) {
            (b'a'..=b'z', letters) if letters <= LONGEST_WORD => 1 + letters / 2,
            (b' ', 1) if left.first().is_some_and(u8::is_ascii_alphabetic) => 0,
            (b' ', blanks) => blanks.div_ceil(2),
            (_, bytes) => bytes,
        };
        rest = left;
    }
    tokens
}

fn length(bytes: &[u8], belongs: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts, and the most tokens that one of the five tokenizers makes of them.
    const MEASURED: &[(&str, u64)] = &[
        ("0123456789", 12),
        ("龘靐齉爩麤龗灪厵爨癵驫麣钀饢鱻", 47),
        ("qx zj kv wp yq xz", 11),
        ("这是一个用来测试分词器的中文句子", 22),
        ("\n\n\n\n\n\n\n\n", 10),
    ];

    #[test]
    fn no_tokenizer_makes_more_of_a_text() {
        for (text, tokens) in MEASURED {
            assert!(of_text(text) >= *tokens, "{text}: {}", of_text(text));
        }
        let base64 = "kJ3x9QmZ0pLr7VtYw2Hn8aBcD1eFgUiO5sT4vRqX6yNzMhEoKjPlCbWdGfSuAI+/";
        assert!(of_text(base64) * 10 >= base64.len() as u64 * 9, "chance has hardly more than a byte a token");
    }

    #[test]
    fn prose_is_counted_about_twice_and_not_byte_by_byte() {
        let prose = "The editor keeps what was written, and says what a model may read of it. ".repeat(20);
        assert!(of_text(&prose) * 10 < prose.len() as u64 * 6);
    }

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

    proptest! {
        #[test]
        fn a_text_never_counts_for_more_than_its_bytes(text in ".{0,200}") {
            prop_assert!(of_text(&text) <= text.len() as u64 + 2);
        }
    }
}
