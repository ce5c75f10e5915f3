//! A line of Codex's logs, as far as it is looked at.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

use super::change::FileChange;
use crate::{
    lenient::{Amount, Content, Count, Fields, Flag, Moment, Object, Text},
    touch::Input,
};

/// A line.
#[derive(Debug, Default)]
pub struct Line<'a> {
    pub timestamp: Moment<'a>,
    /// Its number in its session, which newer versions write.
    pub ordinal: Numeral<'a>,
    pub payload: Object<Payload<'a>>,
    /// What else stands in the line itself: its type, and in very old logs all that is a payload in newer ones.
    pub bare: Payload<'a>,
}

/// What a line is about.
#[derive(Debug, Default)]
pub struct Payload<'a> {
    pub kind: Text<'a>,
    pub id: Text<'a>,
    pub cwd: Text<'a>,
    pub model: Text<'a>,
    pub git: Object<Git<'a>>,
    pub source: Object<Origin>,
    /// When the session or the turn began, as opposed to when its line was written.
    pub timestamp: Moment<'a>,
    pub started_at: Moment<'a>,
    pub turn_id: Text<'a>,
    pub forked_from_id: Text<'a>,
    pub parent_thread_id: Text<'a>,
    /// The number of the first line that is a started session's own.
    pub subagent_history_start_ordinal: Numeral<'a>,
    pub thread_settings: Object<Settings<'a>>,
    pub info: Object<Info>,
    pub usage: Object<Counts>,
    pub response_id: Text<'a>,
    pub role: Text<'a>,
    pub content: Content<'a, Object<Block<'a>>>,
    pub name: Text<'a>,
    pub call_id: Text<'a>,
    pub arguments: Text<'a>,
    pub input: Text<'a>,
    /// Text, or pieces of it.
    pub output: Content<'a, Object<Block<'a>>>,
    /// What a call of the shell itself is told in place of arguments.
    pub action: Object<Input<'a>>,
    /// A call that ended, as an event tells of it.
    pub command: Content<'a, Text<'a>>,
    pub changes: Fields<'a, Object<FileChange<'a>>>,
    pub exit_code: Amount,
    pub success: Option<Flag>,
    pub status: Text<'a>,
    pub item: Option<Box<Object<Payload<'a>>>>,
    /// A call of another program's tool: which one, in the event itself or in an object of its own, and what came of it.
    pub server: Text<'a>,
    pub tool: Text<'a>,
    pub invocation: Option<Box<Object<Invocation<'a>>>>,
    pub result: Option<Box<Object<ToolOutcome>>>,
}

/// Reads an object field by field. By hand: what serde makes of fields that two structs share copies all of a line first.
macro_rules! read_fields {
    ($kind:ident, $map:ident, $value:ident, $name:ident => $take:expr) => {
        impl<'de: 'a, 'a> Deserialize<'de> for $kind<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Wanted;
                impl<'de> Visitor<'de> for Wanted {
                    type Value = $kind<'de>;
                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str("an object")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut $map: A) -> Result<$kind<'de>, A::Error> {
                        let mut $value = $kind::default();
                        while let Some($name) = $map.next_key::<Text<'de>>()? {
                            $take
                        }
                        Ok($value)
                    }
                }
                deserializer.deserialize_map(Wanted)
            }
        }
    };
}

read_fields!(Line, map, line, name => match name.0.as_ref() {
    "timestamp" => line.timestamp = map.next_value()?,
    "ordinal" => line.ordinal = map.next_value()?,
    "payload" => line.payload = map.next_value()?,
    name => line.bare.take(name, &mut map)?,
});

read_fields!(Payload, map, payload, name => payload.take(&name.0, &mut map)?);

impl<'de> Payload<'de> {
    /// Takes the field with this name.
    fn take<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "type" => self.kind = map.next_value()?,
            "id" => self.id = map.next_value()?,
            "cwd" => self.cwd = map.next_value()?,
            "model" => self.model = map.next_value()?,
            "git" => self.git = map.next_value()?,
            "source" => self.source = map.next_value()?,
            "timestamp" => self.timestamp = map.next_value()?,
            "started_at" => self.started_at = map.next_value()?,
            "turn_id" => self.turn_id = map.next_value()?,
            "forked_from_id" => self.forked_from_id = map.next_value()?,
            "parent_thread_id" => self.parent_thread_id = map.next_value()?,
            "subagent_history_start_ordinal" => self.subagent_history_start_ordinal = map.next_value()?,
            "thread_settings" => self.thread_settings = map.next_value()?,
            "info" => self.info = map.next_value()?,
            "usage" => self.usage = map.next_value()?,
            "response_id" => self.response_id = map.next_value()?,
            "role" => self.role = map.next_value()?,
            "content" => self.content = map.next_value()?,
            "name" => self.name = map.next_value()?,
            "call_id" => self.call_id = map.next_value()?,
            "arguments" => self.arguments = map.next_value()?,
            "input" => self.input = map.next_value()?,
            "output" => self.output = map.next_value()?,
            "action" => self.action = map.next_value()?,
            "command" => self.command = map.next_value()?,
            "changes" => self.changes = map.next_value()?,
            "exit_code" | "exitCode" => self.exit_code = map.next_value()?,
            "server" => self.server = map.next_value()?,
            "tool" => self.tool = map.next_value()?,
            "invocation" => self.invocation = map.next_value()?,
            "result" => self.result = map.next_value()?,
            "success" => self.success = map.next_value()?,
            "status" => self.status = map.next_value()?,
            "item" => self.item = map.next_value()?,
            _ => _ = map.next_value::<IgnoredAny>()?,
        }
        Ok(())
    }
}

/// A number, which some versions write as text.
#[derive(Debug, Default)]
pub struct Numeral<'a>(Moment<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for Numeral<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Moment::deserialize(deserializer).map(Self)
    }
}

impl Numeral<'_> {
    /// The number, if it is one.
    pub fn get(&self) -> Option<f64> {
        self.0.number.or_else(|| self.0.text.trim().parse().ok()).filter(|number: &f64| number.is_finite())
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct Git<'a> {
    #[serde(borrow, default)]
    pub branch: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Origin {
    /// There is one, whatever it says: another session started this one.
    pub subagent: Option<Object<Subagent>>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Subagent {
    pub thread_spawn: Option<IgnoredAny>,
}

/// The tool that was called of which program.
#[derive(Debug, Default, Deserialize)]
pub struct Invocation<'a> {
    #[serde(borrow, default)]
    pub server: Text<'a>,
    #[serde(borrow, default)]
    pub tool: Text<'a>,
}

/// The result of such a call.
#[derive(Debug, Default, Deserialize)]
pub struct ToolOutcome {
    #[serde(default, rename = "Ok")]
    pub answer: Option<Object<ToolAnswer>>,
    #[serde(default, rename = "Err")]
    pub error: Option<IgnoredAny>,
}

/// The answer of a tool, which may tell of a failure.
#[derive(Debug, Default, Deserialize)]
pub struct ToolAnswer {
    #[serde(default, rename = "isError", alias = "is_error")]
    pub is_error: Flag,
}

/// The settings of a session that were changed.
#[derive(Debug, Default, Deserialize)]
pub struct Settings<'a> {
    #[serde(borrow, default)]
    pub model: Text<'a>,
    #[serde(borrow, default)]
    pub cwd: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Info {
    pub total_token_usage: Option<Object<Counts>>,
    pub last_token_usage: Option<Object<Counts>>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Counts {
    #[serde(default)]
    pub input_tokens: Count,
    #[serde(default)]
    pub cached_input_tokens: Count,
    #[serde(default)]
    pub cache_write_input_tokens: Count,
    #[serde(default)]
    pub output_tokens: Count,
    #[serde(default)]
    pub reasoning_output_tokens: Count,
    #[serde(default)]
    pub total_tokens: Count,
}

#[derive(Debug, Default, Deserialize)]
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
