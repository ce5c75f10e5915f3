//! `speech`: spoken words to text, where the browser can't do it. Nothing is done with the words.

use std::sync::Arc;

use aside_core::Failure;
use aside_llm::Recording;
use aside_macros::boxed;
use aside_protocol::{SpeechIn, SpokenWords};
use axum::{
    Extension, Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
};
use serde_json::json;

use crate::{
    access::Shown,
    app::App,
    problem::{Asked, Problem},
};

/// Bytes of a recording: ten minutes of speech as browsers record it, two as plain samples.
pub const MOST_BYTES: usize = 4 << 20;

/// Sends a recording to the service that writes down speech, and returns the words.
#[boxed]
pub async fn transcribe(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(SpeechIn { media_type, language }): Asked<SpeechIn>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<SpokenWords>, Problem> {
    let bytes = body.map_err(|_| {
        let words = format!("the recording is larger than {} MB", MOST_BYTES >> 20);
        Failure::new("too_large", words).hint("Say it in shorter pieces.")
    })?;
    let recording = Recording { media_type: sound(media_type)?, language: language.map(known).transpose()?, bytes };
    if recording.bytes.is_empty() {
        return Err(Problem::bad_request("the recording is empty"));
    }
    app.renew_keys().await?;
    let size = recording.bytes.len();
    let spoken = aside_agent::transcribe(&app.models, app.agents.spending(), recording).await?;
    // The words are not kept: they are the person's until they do something with them.
    let args = json!({ "model": spoken.model, "bytes": size });
    app.note_set("speech.transcribe", args, "a recording was written down by a model", shown).await?;
    Ok(Json(SpokenWords { text: spoken.text, model: spoken.model, cost: spoken.cost }))
}

/// Takes a type of sound. It becomes part of a form, so that it has no line ends and quotes.
fn sound(media_type: String) -> Result<String, Problem> {
    let is_plain = media_type.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-+.;=, ".contains(&byte));
    // Some browsers call a recording of sound alone a video.
    let is_sound = media_type.starts_with("audio/") || media_type.starts_with("video/webm");
    match is_plain && is_sound {
        true => Ok(media_type),
        false => Err(Problem::bad_request("the type of a recording begins with `audio/`")),
    }
}

/// Takes `en` of `en-GB`: services know languages, not countries.
fn known(language: String) -> Result<String, Problem> {
    let code = language.split('-').next().unwrap_or_default().to_lowercase();
    let is_code = (2..=3).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_code { Ok(code) } else { Err(Problem::bad_request("`language` is a code such as `en`")) }
}
