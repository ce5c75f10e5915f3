//! Spoken words to text, by OpenAI's `POST /audio/transcriptions`, which local servers speak too.

use std::time::Duration;

use aside_core::Usage;
use bytes::Bytes;
use serde_json::Value;

use crate::{
    ProviderError,
    http::{
        ask::{Question, ask},
        endpoint::Endpoint,
        not_understood,
    },
};

/// How long a server may take: one on this machine may have to load the model first.
const PATIENCE: Duration = Duration::from_secs(120);

/// Spoken words, as they were recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The sound.
    pub bytes: Bytes,
    /// Its media type, such as `audio/webm;codecs=opus`.
    pub media_type: String,
    /// The language of the words, as a code such as `en`, if it is known.
    pub language: Option<String>,
}

/// The words of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The words.
    pub text: String,
    /// The tokens that they used, where the service counts them.
    pub usage: Usage,
}

/// Asks a server for the words of a recording.
pub(crate) async fn transcribe(
    endpoint: &Endpoint,
    model: &str,
    recording: &Recording,
) -> Result<Transcript, ProviderError> {
    let mut endpoint = endpoint.clone();
    endpoint.limits.question = PATIENCE;
    let answer = ask(&endpoint, &question(model, recording)).await?;
    read(&answer).ok_or_else(|| not_understood(&endpoint, "no text in the transcription"))
}

/// Returns the form that is sent: the fields, then the file.
fn question(model: &str, recording: &Recording) -> Question {
    let boundary = boundary(&recording.bytes);
    let mut form = Vec::with_capacity(recording.bytes.len() + 600);
    let fields =
        [("model", Some(model)), ("response_format", Some("json")), ("language", recording.language.as_deref())];
    for (name, value) in fields {
        if let Some(value) = value {
            let part = format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            form.extend_from_slice(part.as_bytes());
        }
    }
    let media = recording.media_type.split(';').next().unwrap_or_default().trim();
    let head = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"speech.{}\"\r\n\
         content-type: {media}\r\n\r\n",
        ending(media)
    );
    form.extend_from_slice(head.as_bytes());
    form.extend_from_slice(&recording.bytes);
    form.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Question::form("/audio/transcriptions", &boundary, form)
}

/// Returns a line that does not occur in the sound.
fn boundary(sound: &[u8]) -> String {
    let mut number = sound.len();
    loop {
        let boundary = format!("aside-{number:016x}");
        if !sound.windows(boundary.len()).any(|window| window == boundary.as_bytes()) {
            return boundary;
        }
        number += 1;
    }
}

/// Returns the ending of a file's name, by which services tell its kind.
fn ending(media: &str) -> &'static str {
    match media {
        "audio/mp4" | "audio/m4a" | "audio/x-m4a" => "m4a",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
        "audio/flac" => "flac",
        _ => "webm",
    }
}

fn read(answer: &Value) -> Option<Transcript> {
    let text = answer["text"].as_str()?.trim().to_owned();
    let tokens = |name: &str| answer["usage"][name].as_u64();
    let usage = Usage { input: tokens("input_tokens"), output: tokens("output_tokens"), ..Usage::default() };
    Some(Transcript { text, usage })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn boundary_is_not_in_the_sound() {
        let sound = format!("x{}y", boundary(&[0; 24])).into_bytes();
        assert_eq!(sound.len(), 24);
        assert_ne!(boundary(&sound), boundary(&[0; 24]));
    }

    #[test]
    fn answer_has_text_and_perhaps_usage() {
        let whisper = json!({ "text": " open the plan\n", "usage": { "type": "duration", "seconds": 2 } });
        assert_eq!(read(&whisper), Some(Transcript { text: "open the plan".to_owned(), usage: Usage::default() }));
        let counted = json!({ "text": "a", "usage": { "input_tokens": 20, "output_tokens": 4 } });
        let usage = read(&counted).unwrap().usage;
        assert_eq!((usage.input, usage.output), (Some(20), Some(4)));
        assert_eq!(read(&json!({ "error": "no" })), None);
    }

    #[test]
    fn file_is_named_by_its_kind() {
        assert_eq!(["audio/webm", "audio/mp4", "audio/ogg", "audio/wav"].map(ending), ["webm", "m4a", "ogg", "wav"]);
    }
}
