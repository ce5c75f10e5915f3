//! What a provider would have read from its cache, by its own published rules: the fake counts as they bill.
//!
//! A token is four bytes of the JSON of one block of the prompt, so that blocks begin with a token of their own. Nothing
//! expires: what is measured is whether a prompt begins as one before it did.

use std::{
    collections::{HashSet, hash_map::DefaultHasher},
    hash::{Hash as _, Hasher as _},
};

use serde_json::{Value, json};

use super::script::{Counts, Wire};

/// Bytes of a token.
const TOKEN: usize = 4;
/// Tokens that a prompt has to have for any of it to be cached: of Anthropic's and OpenAI's, of Gemini's larger models.
const LEAST: u64 = 1024;
const LEAST_GEMINI: u64 = 4096;
/// OpenAI hands out what it has in steps of so many tokens.
const STEP: u64 = 128;
/// How many breakpoints Anthropic takes, and how many blocks before each it looks for something cached.
const BREAKPOINTS: usize = 4;
const LOOKBACK: usize = 20;

/// What a provider has cached.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// Anthropic: the beginnings that end at a breakpoint. Others: all beginnings, by the place that serves a conversation.
    beginnings: HashSet<u64>,
    /// All that was asked, and of that what was cached.
    pub(super) input: u64,
    pub(super) read: u64,
}

/// A block of a prompt, as far as its bytes count.
struct Block {
    tokens: u64,
    /// Of everything up to its end.
    hash: u64,
    is_breakpoint: bool,
}

impl Cache {
    /// Counts a request, and keeps what can be read next time. The error is what the provider refuses it with.
    pub(super) fn count(&mut self, wire: Wire, body: &Value) -> Result<Counts, String> {
        let blocks = blocks(wire, body);
        let input = blocks.iter().map(|block| block.tokens).sum();
        let (cache_read, cache_write) = match wire {
            Wire::Anthropic => self.anthropic(&blocks)?,
            Wire::Gemini => (self.implicit(&blocks, LEAST_GEMINI, 1), 0),
            Wire::Chat | Wire::Responses | Wire::Ollama => (self.implicit(&blocks, LEAST, STEP), 0),
        };
        self.input += input;
        self.read += cache_read;
        Ok(Counts { input, output: 100, cache_read, cache_write, cache_write_hour: 0, reasoning: 0 })
    }

    /// Only what ends at a breakpoint is written; from each, something written is looked for a few blocks back.
    fn anthropic(&mut self, blocks: &[Block]) -> Result<(u64, u64), String> {
        let marked: Vec<usize> = (0..blocks.len()).filter(|place| blocks[*place].is_breakpoint).collect();
        if marked.len() > BREAKPOINTS {
            return Err(format!("A maximum of 4 blocks with cache_control may be provided. Found {}.", marked.len()));
        }
        let long_enough: Vec<usize> = marked.into_iter().filter(|place| until(blocks, *place) >= LEAST).collect();
        let known = |place: &usize| self.beginnings.contains(&blocks[*place].hash);
        let looked_at = long_enough.iter().flat_map(|place| place.saturating_sub(LOOKBACK - 1)..=*place);
        let read = looked_at.filter(known).map(|place| until(blocks, place)).max().unwrap_or_default();
        let written = long_enough.last().map_or(0, |place| until(blocks, *place).saturating_sub(read));
        self.beginnings.extend(long_enough.iter().map(|place| blocks[*place].hash));
        Ok((read, written))
    }

    /// Everything is written, and the longest beginning is read.
    fn implicit(&mut self, blocks: &[Block], least: u64, step: u64) -> u64 {
        let known = blocks.iter().take_while(|block| self.beginnings.contains(&block.hash)).count();
        let read: u64 = blocks[..known].iter().map(|block| block.tokens).sum();
        self.beginnings.extend(blocks.iter().map(|block| block.hash));
        if read >= least { read - read % step } else { 0 }
    }
}

fn until(blocks: &[Block], place: usize) -> u64 {
    blocks[..=place].iter().map(|block| block.tokens).sum()
}

/// The prompt in the order in which providers read it: tools, instructions, messages.
fn blocks(wire: Wire, body: &Value) -> Vec<Block> {
    let list = |field: &str| body[field].as_array().cloned().unwrap_or_default();
    let one = |field: &str| Some(body[field].clone()).filter(|value| !value.is_null());
    let messages =
        |field: &str, parts: &str| list(field).into_iter().flat_map(|message| split(message, parts)).collect();
    let (before, messages): (Vec<Value>, Vec<Value>) = match wire {
        Wire::Anthropic => ([list("tools"), list("system")].concat(), messages("messages", "content")),
        Wire::Gemini => {
            (list("tools").into_iter().chain(one("systemInstruction")).collect(), messages("contents", "parts"))
        }
        Wire::Responses => (list("tools").into_iter().chain(one("instructions")).collect(), list("input")),
        Wire::Chat | Wire::Ollama => (list("tools"), list("messages")),
    };
    // Servers are chosen by the conversation: what another one has is not found.
    let mut hasher = DefaultHasher::new();
    (&body["model"], &body["prompt_cache_key"]).hash(&mut hasher);
    let block = |mut value: Value| {
        let is_breakpoint = value.as_object_mut().is_some_and(|fields| fields.remove("cache_control").is_some());
        let text = value.to_string();
        text.hash(&mut hasher);
        Block { tokens: text.len().div_ceil(TOKEN) as u64, hash: hasher.finish(), is_breakpoint }
    };
    before.into_iter().chain(messages).map(block).collect()
}

/// The parts of a message, each with its role.
fn split(mut message: Value, field: &str) -> Vec<Value> {
    let role = message["role"].clone();
    let Value::Array(parts) = message[field].take() else { return vec![message] };
    let with_role = |part: Value| match part {
        Value::Object(mut fields) => {
            fields.insert("role".to_owned(), role.clone());
            Value::Object(fields)
        }
        other => json!({ "role": role, "text": other }),
    };
    parts.into_iter().map(with_role).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, tokens: usize) -> Value {
        json!({ "type": "text", "text": format!("{name}{}", "x".repeat(tokens * TOKEN)) })
    }

    fn marked(mut block: Value) -> Value {
        block["cache_control"] = json!({ "type": "ephemeral" });
        block
    }

    fn messages(blocks: &[Value]) -> Value {
        json!({ "model": "m", "messages": [{ "role": "user", "content": blocks }] })
    }

    #[test]
    fn anthropic_reads_what_it_was_told_to_write_and_no_more() {
        let mut cache = Cache::default();
        let mut count = |blocks: &[Value]| {
            let counts = cache.count(Wire::Anthropic, &messages(blocks)).unwrap();
            (counts.cache_read > 0, counts.cache_write > 0)
        };
        assert_eq!(count(&[text("a", 2000)]), (false, false), "no breakpoint");
        assert_eq!(count(&[marked(text("a", 100))]), (false, false), "too short");
        assert_eq!(count(&[marked(text("a", 2000))]), (false, true));
        assert_eq!(count(&[text("a", 2000), marked(text("b", 10))]), (true, true));
        assert_eq!(count(&[text("c", 2000), marked(text("b", 10))]), (false, true), "another beginning");
        let far = |count| (0..count).map(|number| text(&number.to_string(), 10));
        let long = |count| [text("a", 2000)].into_iter().chain(far(count)).chain([marked(text("end", 1))]);
        assert_eq!(count(&long(18).collect::<Vec<_>>()), (true, true));
        assert_eq!(count(&long(30).collect::<Vec<_>>()), (false, true), "too far back");
    }

    #[test]
    fn anthropic_refuses_a_fifth_breakpoint() {
        let blocks = vec![marked(text("a", 1)); 5];
        assert!(Cache::default().count(Wire::Anthropic, &messages(&blocks)).is_err());
    }

    #[test]
    fn openai_reads_from_1024_tokens_on_in_steps_of_128_for_the_same_conversation() {
        let mut cache = Cache::default();
        let mut read = |tokens: usize, key: &str| {
            let mut body = messages(&[]);
            body["messages"] = json!([text("a", tokens), text("b", 10)]);
            body["prompt_cache_key"] = key.into();
            cache.count(Wire::Chat, &body).unwrap().cache_read
        };
        assert_eq!([read(900, "1"), read(900, "1")], [0, 0]);
        assert_eq!([read(2000, "1"), read(2000, "2")], [0, 0]);
        assert_eq!(read(2000, "1") % 128, 0);
        assert!(read(2000, "1") > 1900);
    }

    #[test]
    fn gemini_reads_long_prompts_only() {
        let mut cache = Cache::default();
        let mut read = |tokens: usize| {
            let parts = json!([{ "text": "x".repeat(tokens * TOKEN) }, { "text": "y" }]);
            let body = json!({ "contents": [{ "role": "user", "parts": parts }] });
            cache.count(Wire::Gemini, &body).unwrap().cache_read
        };
        assert_eq!([read(3000), read(3000), read(5000)], [0, 0, 0]);
        assert!(read(5000) > 5000);
    }
}
