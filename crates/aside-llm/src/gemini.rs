//! Gemini's `streamGenerateContent`.

use serde_json::Value;

use crate::{
    ModelInfo,
    http::ask::Question,
    wire::{Call, Wire, entries, tokens},
};

mod decode;
mod encode;
mod piece;

/// `generateContent`, as a stream.
pub(crate) struct Gemini;

impl Wire for Gemini {
    type Decoder = decode::Decode;

    const VERSION: Option<&'static str> = Some("v1beta");

    fn question(call: &Call<'_>) -> Question {
        let path = format!("/models/{}:streamGenerateContent", call.request.model);
        // Without this it would be one JSON array.
        Question::post(&path, &encode::body(call)).query("alt=sse")
    }

    fn decoder(call: &Call<'_>) -> Self::Decoder {
        decode::Decode::new(call)
    }

    fn list() -> Question {
        // Without a size, only fifty come.
        Question::get("/models").query("pageSize=1000")
    }

    fn models(list: &Value) -> Vec<ModelInfo> {
        entries(list, "models", model)
    }
}

/// Every model behind this wire that answers takes images; which take tools is not said.
fn model(entry: &Value) -> Option<ModelInfo> {
    let methods = entry["supportedGenerationMethods"].as_array();
    let talks = methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"));
    let name = entry["name"].as_str()?;
    talks.then(|| ModelInfo {
        thinking: entry["thinking"].as_bool(),
        context: tokens(entry, "/inputTokenLimit"),
        max_output: tokens(entry, "/outputTokenLimit"),
        ..ModelInfo::named(name.strip_prefix("models/").unwrap_or(name))
    })
}
