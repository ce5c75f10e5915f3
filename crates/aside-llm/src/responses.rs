//! OpenAI's Responses, without state at the server: what it wants back is sent back.

use serde_json::Value;

use crate::{
    ModelInfo, chat,
    http::ask::Question,
    wire::{Call, Wire, entries},
};

mod decode;
mod encode;
mod piece;

/// Responses.
pub(crate) struct Responses;

impl Wire for Responses {
    type Decoder = decode::Decode;

    const TRANSCRIBES: bool = true;
    const EMBEDS: bool = true;

    fn question(call: &Call<'_>) -> Question {
        Question::post("/responses", &encode::body(call))
    }

    fn decoder(call: &Call<'_>) -> Self::Decoder {
        decode::Decode::new(call)
    }

    fn models(list: &Value) -> Vec<ModelInfo> {
        entries(list, "data", chat::model)
    }
}
