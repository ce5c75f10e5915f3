//! A line of Codex's logs, as far as it is looked at.

use serde::Deserialize;

use crate::{
    lenient::{Content, Count, Moment, Object, Text},
    touch::Input,
};

/// A line.
#[derive(Deserialize)]
pub struct Line<'a> {
    #[serde(borrow, default)]
    pub timestamp: Moment<'a>,
    #[serde(borrow, default, rename = "type")]
    pub kind: Text<'a>,
    #[serde(borrow, default)]
    pub payload: Object<Payload<'a>>,
    /// Of the first line of very old logs, which has no type.
    #[serde(borrow, default)]
    pub id: Text<'a>,
    /// What else stands in the line itself, as all does in very old logs.
    #[serde(borrow, flatten)]
    pub bare: Payload<'a>,
}

#[derive(Default, Deserialize)]
pub struct Payload<'a> {
    #[serde(borrow, default, rename = "type")]
    pub kind: Text<'a>,
    #[serde(borrow, default)]
    pub id: Text<'a>,
    #[serde(borrow, default)]
    pub cwd: Text<'a>,
    #[serde(borrow, default)]
    pub originator: Text<'a>,
    #[serde(borrow, default)]
    pub model: Text<'a>,
    #[serde(borrow, default)]
    pub git: Object<Git<'a>>,
    #[serde(default)]
    pub source: Object<Origin>,
    #[serde(default)]
    pub info: Object<Info>,
    #[serde(borrow, default)]
    pub role: Text<'a>,
    #[serde(borrow, default)]
    pub content: Content<'a, Object<Block<'a>>>,
    #[serde(borrow, default)]
    pub name: Text<'a>,
    #[serde(borrow, default)]
    pub call_id: Text<'a>,
    #[serde(borrow, default)]
    pub arguments: Text<'a>,
    #[serde(borrow, default)]
    pub input: Text<'a>,
    /// Text, or pieces of it.
    #[serde(borrow, default)]
    pub output: Content<'a, Object<Block<'a>>>,
    /// What a call of the shell itself is told in place of arguments.
    #[serde(borrow, default)]
    pub action: Object<Input<'a>>,
}

#[derive(Default, Deserialize)]
pub struct Git<'a> {
    #[serde(borrow, default)]
    pub branch: Text<'a>,
}

#[derive(Default, Deserialize)]
pub struct Origin {
    #[serde(default)]
    pub subagent: Object<Subagent>,
}

#[derive(Default, Deserialize)]
pub struct Subagent {
    pub thread_spawn: Option<serde::de::IgnoredAny>,
}

#[derive(Default, Deserialize)]
pub struct Info {
    pub total_token_usage: Option<Object<Counts>>,
    pub last_token_usage: Option<Object<Counts>>,
}

#[derive(Default, Deserialize)]
pub struct Counts {
    #[serde(default)]
    pub input_tokens: Count,
    #[serde(default)]
    pub cached_input_tokens: Count,
    #[serde(default)]
    pub output_tokens: Count,
    #[serde(default)]
    pub reasoning_output_tokens: Count,
    #[serde(default)]
    pub total_tokens: Count,
}

#[derive(Default, Deserialize)]
pub struct Block<'a> {
    #[serde(borrow, default)]
    pub text: Text<'a>,
}

impl Payload<'_> {
    /// The texts of what was said.
    pub fn said(&self) -> impl Iterator<Item = &str> {
        texts(&self.content)
    }

    /// The texts of what the program that was called put out.
    pub fn put_out(&self) -> impl Iterator<Item = &str> {
        texts(&self.output)
    }
}

fn texts<'c>(content: &'c Content<'_, Object<Block<'_>>>) -> impl Iterator<Item = &'c str> {
    let (text, blocks) = match content {
        Content::Text(text) => (Some(&**text), &[][..]),
        Content::Blocks(blocks) => (None, &blocks[..]),
    };
    text.into_iter().chain(blocks.iter().filter_map(|block| block.0.text.get()))
}
