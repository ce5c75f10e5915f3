//! Anthropic's Messages.

use serde_json::Value;

use crate::{
    ModelInfo,
    http::ask::Question,
    wire::{Call, Wire, entries, tokens},
};

mod decode;
mod encode;
mod piece;

/// Messages.
pub(crate) struct Messages;

impl Wire for Messages {
    type Decoder = decode::Decode;

    const VERSION: Option<&'static str> = Some("v1");

    fn question(call: &Call<'_>) -> Question {
        versioned(Question::post("/messages", &encode::body(call)))
    }

    fn decoder(call: &Call<'_>) -> Self::Decoder {
        decode::Decode::new(call)
    }

    fn list() -> Question {
        // Without a limit, only the twenty newest come.
        versioned(Question::get("/models")).query("limit=1000")
    }

    fn models(list: &Value) -> Vec<ModelInfo> {
        entries(list, "data", model)
    }
}

fn versioned(question: Question) -> Question {
    question.header("anthropic-version", "2023-06-01")
}

/// Every model behind this wire takes tools.
fn model(entry: &Value) -> Option<ModelInfo> {
    if entry["lifecycle"] == "retired" {
        return None;
    }
    let can = |what: &str| entry["capabilities"][what]["supported"].as_bool();
    Some(ModelInfo {
        tools: Some(true),
        vision: can("image_input"),
        thinking: can("thinking"),
        context: tokens(entry, "/max_input_tokens"),
        max_output: tokens(entry, "/max_tokens"),
        ..ModelInfo::named(entry["id"].as_str()?)
    })
}
