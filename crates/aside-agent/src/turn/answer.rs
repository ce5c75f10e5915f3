//! One answer of the model, as it was heard.

use aside_core::{Cost, Failure, LeftOut, StepStop, ToolCall, Usage};
use serde_json::Value;

/// One answer of the model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The whole text.
    pub text: String,
    /// The whole of what it thought aloud.
    pub thinking: String,
    /// What it called, whichever way.
    pub calls: Vec<ToolCall>,
    /// What it wrote that can't be used, one sentence each.
    pub problems: Vec<String>,
    /// What the call used.
    pub usage: Usage,
    /// What it cost.
    pub cost: Cost,
    /// What the person is to know beside it, one sentence each.
    pub notices: Vec<String>,
    /// Why it ended.
    pub stop: StepStop,
    /// What of the conversation it was not given whole.
    pub left_out: Option<LeftOut>,
    /// What the provider wants to have back.
    pub echo: Value,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
}

impl Answer {
    /// An answer that was cut off.
    pub fn cut_off(text: String, thinking: String, stop: StepStop) -> Self {
        Self {
            text,
            thinking,
            calls: Vec::new(),
            problems: Vec::new(),
            usage: Usage::default(),
            cost: Cost::default(),
            notices: Vec::new(),
            stop,
            left_out: None,
            echo: Value::Null,
            failure: None,
        }
    }
}
