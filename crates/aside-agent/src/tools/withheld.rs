//! What of a conversation is not said again where nothing is left but reading: a thread may be restricted after it has
//! written, and must not go on teaching how.

use std::borrow::Cow;

use aside_core::{ActionName, ToolCall};
use aside_llm::{Message, ToolSpec};
use serde_json::Value;

use super::{Tools, by_name, wire_name};
use crate::{grammar, history::Said};

impl Tools {
    /// Tells whether a call of before is told in plain words: of something that may not be asked for now, or about it.
    pub fn withholds(&self, call: &ToolCall) -> bool {
        let by_name = wire_name(&call.name) == by_name::RUN && !self.runs_by_name();
        self.only_reads() && (by_name || self.is_other(&call.name) || self.mentions_other(&call.args.to_string()))
    }

    /// The same of an action.
    pub fn withholds_action(&self, name: &ActionName) -> bool {
        self.only_reads() && self.is_other(name.as_str())
    }

    /// What a model said before.
    pub fn said<'text>(&self, text: &'text str) -> Cow<'text, str> {
        if self.only_reads() { grammar::without_changes(text) } else { Cow::Borrowed(text) }
    }

    /// Tells whether a notice of before may be said again.
    pub fn lets_say(&self, notice: &str) -> bool {
        let teaches = grammar::CHANGES.iter().any(|marker| notice.contains(marker));
        !self.only_reads() || !(teaches || self.mentions_other(notice))
    }

    /// The page of a book without the calls of tools that are not offered for it, and without what came of them.
    pub fn page(&self, said: Vec<Said>, offered: &[ToolSpec]) -> Vec<Said> {
        if !self.only_reads() {
            return said;
        }
        let mut withheld: Vec<String> = Vec::new();
        let mut kept = Vec::with_capacity(said.len());
        for Said { message, part } in said {
            let message = match message {
                Message::ToolResult { call, .. } if withheld.contains(&call) => continue,
                Message::Assistant { text, calls, echo } => {
                    let is_offered = |call: &ToolCall| offered.iter().any(|tool| tool.name == call.name);
                    let (calls, others): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_offered);
                    let echo = if others.is_empty() { echo } else { Value::Null };
                    let nothing = text.is_empty() && calls.is_empty() && !others.is_empty();
                    withheld = others.into_iter().map(|call| call.id).collect();
                    let text = if nothing { grammar::LEFT_OUT.to_owned() } else { text };
                    Message::Assistant { text, calls, echo }
                }
                other => other,
            };
            kept.push(Said { message, part });
        }
        kept
    }

    /// Nothing may be asked for that changes or runs something, and there is something that does.
    fn only_reads(&self) -> bool {
        !self.others.is_empty() && self.descriptors.iter().all(|descriptor| descriptor.risks.is_read_only())
    }

    fn is_other(&self, name: &str) -> bool {
        self.others.has(name)
    }
}
