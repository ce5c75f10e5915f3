//! What a message would cost, before it is sent.

use aside_core::TS;
use aside_core::{Attached, Focus, ModelRef, ThreadId};
use serde::{Deserialize, Serialize};

/// The body of `POST models/estimate`: a message that is not sent. Nothing outside this machine is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct EstimateTurn {
    /// The thread it would go to; a new one if absent.
    #[serde(default)]
    #[ts(optional)]
    pub thread: Option<ThreadId>,
    /// The model that would answer; else that of the thread or the workspace.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<ModelRef>,
    /// The message.
    pub text: String,
    /// Where the person is looking.
    #[serde(default)]
    #[ts(optional)]
    pub focus: Option<Focus>,
    /// What goes along beside that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Attached>>", optional)]
    pub attached: Vec<Attached>,
}

/// What a turn would use and cost, from what is likely to what is hardly ever passed. An estimate, no promise: that is what
/// limits are for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TurnEstimate {
    /// Who would answer.
    pub model: ModelRef,
    /// It runs on this machine, so that it costs time rather than money.
    pub local: bool,
    /// Tokens of the first call's input, rather too many than too few.
    #[ts(type = "number")]
    pub input_tokens: u64,
    /// Of these, how many its provider probably still has in its cache.
    #[ts(type = "number")]
    pub cached_tokens: u64,
    /// How many calls it probably takes.
    pub steps: Span,
    /// Input of all calls together, in tokens.
    pub input: Span,
    /// Output of all calls together, in tokens.
    pub output: Span,
    /// What it would cost, in 10⁻¹² US dollars; absent if the price is not known, and for a model on this machine.
    pub cost: Option<Span>,
    /// How long it would take, in milliseconds; absent unless the model's latest calls tell how fast it is.
    pub milliseconds: Option<Span>,
    /// The list that the price is from, with its day.
    pub price_source: Option<String>,
    /// A limit that the turn could pass, or why it would not be asked at all, in words.
    pub warning: Option<String>,
}

/// From what is likely to what is hardly ever passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Span {
    /// Likely.
    #[ts(type = "number")]
    pub low: u64,
    /// Hardly ever passed.
    #[ts(type = "number")]
    pub high: u64,
}
