//! The wire formats of vectors: Ollama's and OpenAI's.

use serde_json::{Value, json};

use super::Wire;

/// Numbers of a vector.
const LENGTH: usize = 16;

/// Returns vectors of the texts of a request. Texts with the same words are near each other.
pub fn answer(wire: Wire, request: &Value) -> Value {
    let one = [request["input"].clone()];
    let texts = request["input"].as_array().map_or(one.as_slice(), Vec::as_slice);
    let vectors: Vec<_> = texts.iter().map(|text| vector(text.as_str().unwrap_or_default())).collect();
    if wire == Wire::Ollama {
        return json!({ "model": request["model"], "embeddings": vectors });
    }
    let entry = |(index, vector)| json!({ "object": "embedding", "index": index, "embedding": vector });
    json!({ "object": "list", "model": request["model"], "data": vectors.iter().enumerate().map(entry).collect::<Vec<_>>() })
}

/// Counts words by the sum of their letters.
fn vector(text: &str) -> [u32; LENGTH] {
    let mut counts = [0; LENGTH];
    counts[0] = 1;
    for word in text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let sum = word.to_lowercase().bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31) + usize::from(byte));
        counts[sum % LENGTH] += 1;
    }
    counts
}
