//! A wire format, as one adapter speaks it, and what is the same for all that speak it.

use aside_core::ThinkingEffort;
use serde_json::Value;

use crate::{
    ModelInfo, ModelRequest,
    echo::Echoes,
    effort,
    http::{ask::Question, decode::Decoder},
    preset::Quirks,
};

/// How one wire format asks, and how its answers are read. Knows no connection.
pub(crate) trait Wire: Send + Sync + 'static {
    /// What reads an answer.
    type Decoder: Decoder;

    /// The version in front of every path, where base URLs are given with and without it.
    const VERSION: Option<&'static str> = None;

    /// Whether a server that speaks it may write down spoken words, too.
    const TRANSCRIBES: bool = false;

    /// Whether a server that speaks it may make vectors of texts, too.
    const EMBEDS: bool = false;

    /// Asks a model.
    fn question(call: &Call<'_>) -> Question;

    /// Returns what reads the answer to that.
    fn decoder(call: &Call<'_>) -> Self::Decoder;

    /// Asks which models there are.
    fn list() -> Question {
        Question::get("/models")
    }

    /// Reads what that is answered with; an entry that is no model to talk with is left out.
    fn models(list: &Value) -> Vec<ModelInfo>;
}

/// One call of a model, with all that a translation may depend on.
pub(crate) struct Call<'a> {
    pub(crate) request: &'a ModelRequest,
    /// What is known of the model.
    pub(crate) model: ModelInfo,
    /// What this model wants back, told from what others wanted.
    pub(crate) echoes: Echoes,
    /// The habits of the server.
    pub(crate) quirks: &'a Quirks,
    /// The server is that of the service, not one that speaks like it.
    pub(crate) at_home: bool,
}

impl Call<'_> {
    /// How much the model is to be told to think, if anything is said of it.
    pub(crate) fn effort(&self) -> Option<ThinkingEffort> {
        effort::wanted(self.request.thinking, self.model.thinking)
    }
}

/// Reads the models below a field of a list.
pub(crate) fn entries(list: &Value, field: &str, read: fn(&Value) -> Option<ModelInfo>) -> Vec<ModelInfo> {
    list[field].as_array().into_iter().flatten().filter_map(read).collect()
}

/// Reads a number of tokens at a path.
pub(crate) fn tokens(entry: &Value, path: &str) -> Option<u32> {
    u32::try_from(entry.pointer(path)?.as_u64()?).ok()
}

#[cfg(test)]
pub(crate) mod trial {
    use super::*;
    use crate::preset::PRESETS;

    /// A decoder as a plain request gets it.
    pub(crate) fn decoder<W: Wire>() -> W::Decoder {
        let request = ModelRequest::default();
        let model = ModelInfo::default();
        W::decoder(&Call {
            request: &request,
            model,
            echoes: Echoes::default(),
            quirks: &PRESETS[0].quirks,
            at_home: true,
        })
    }
}
