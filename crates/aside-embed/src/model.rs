//! A model folder, opened.

use std::{collections::HashMap, ops::Range, path::Path};

use ndarray::{Axis, s};
use serde::Deserialize;

use crate::{
    EmbedError, Embedder, ModelError, Prefixes,
    encoder::{Encoder, Sizes},
    tensors::Tensors,
    tokens::Tokens,
};

/// Tokens of a text that are read: small models learned on texts of this length.
const MOST_TOKENS: usize = 256;

/// A model that makes vectors.
#[derive(Debug)]
pub struct LocalModel {
    tokens: Tokens,
    encoder: Encoder,
    hidden: usize,
    most_tokens: usize,
    first_token: bool,
    prefixes: Prefixes,
    id: String,
}

#[derive(Deserialize)]
struct Config {
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    vocab_size: usize,
    #[serde(default = "two")]
    type_vocab_size: usize,
    #[serde(default)]
    hidden_act: Option<String>,
}

fn two() -> usize {
    2
}

#[derive(Default, Deserialize)]
struct Pooling {
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

/// The words in front of texts, as sentence-transformers keeps them.
#[derive(Default, Deserialize)]
struct Wording {
    #[serde(default)]
    prompts: HashMap<String, String>,
}

/// Texts in one matrix: more of them make it no faster.
const BATCH: usize = 16;

impl Embedder for LocalModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<_> = texts.iter().map(|text| format!("{}{text}", self.prefixes.passage)).collect();
        Ok(self.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let vector = self.embed(&[&format!("{}{text}", self.prefixes.query)]).pop();
        vector.ok_or_else(|| EmbedError::Answer("no vector".to_owned()))
    }
}

impl LocalModel {
    /// Opens a folder as sentence-transformers writes it.
    ///
    /// # Errors
    ///
    /// If a file is missing, damaged, or of another family of models.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let file = |name: &str| read(&folder.join(name));
        let (config, vocabulary) = (file("config.json")?, file("vocab.txt")?);
        let model = Self::of_bytes(&name_of(folder), &config, &vocabulary, file("model.safetensors")?);
        let model = model.map_err(|(name, detail)| ModelError::Unusable { path: folder.join(name), detail })?;
        let pooling: Pooling = json(&folder.join("1_Pooling/config.json")).unwrap_or_default();
        let wording: Wording = json(&folder.join("config_sentence_transformers.json")).unwrap_or_default();
        let prefixes = wording.prefixes(&name_of(folder));
        Ok(Self { first_token: pooling.pooling_mode_cls_token, prefixes, ..model })
    }

    /// The same out of the bytes of its files; the error names the file and its fault.
    #[doc(hidden)]
    pub fn of_bytes(
        name: &str,
        config: &[u8],
        vocabulary: &[u8],
        weights: Vec<u8>,
    ) -> Result<Self, (&'static str, String)> {
        let of = |name: &'static str| move |detail: String| (name, detail);
        let config: Config = serde_json::from_slice(config).map_err(|error| of("config.json")(error.to_string()))?;
        let sizes = sizes(&config).map_err(of("config.json"))?;
        let vocabulary = std::str::from_utf8(vocabulary).map_err(|error| error.to_string());
        let tokens = vocabulary.and_then(Tokens::parse).map_err(of("vocab.txt"))?;
        if tokens.len() > sizes.vocabulary {
            return Err(of("vocab.txt")(format!("it has more than the {} lines of the model", sizes.vocabulary)));
        }
        let id = format!("{name}-{}-{}x{}", weights.len(), sizes.layers, sizes.hidden);
        let tensors = Tensors::parse(weights).map_err(of("model.safetensors"))?;
        let encoder = Encoder::new(&tensors, sizes).map_err(of("model.safetensors"))?;
        let (hidden, most_tokens) = (sizes.hidden, MOST_TOKENS.min(sizes.positions));
        Ok(Self { tokens, encoder, hidden, most_tokens, first_token: false, prefixes: Prefixes::default(), id })
    }

    /// Tells models apart whose vectors don't mix.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Numbers of a vector.
    pub fn dimensions(&self) -> usize {
        self.hidden
    }

    /// Returns a vector of length 1 for each text. Of a long text the beginning counts.
    pub fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        if texts.is_empty() {
            return Vec::new();
        }
        let tokens: Vec<_> = texts.iter().map(|text| self.tokens.of(text, self.most_tokens)).collect();
        let (numbers, ranges) = self.encoder.encode(&tokens);
        let vector = |range: Range<usize>| {
            let counted = if self.first_token { range.start..range.start + 1 } else { range };
            let sum = numbers.slice(s![counted, ..]).sum_axis(Axis(0));
            let length = sum.dot(&sum).sqrt().max(f32::MIN_POSITIVE);
            (sum / length).to_vec()
        };
        ranges.into_iter().map(vector).collect()
    }
}

impl Wording {
    /// Returns the prefixes that the folder says; without any, those of models with its name.
    fn prefixes(mut self, name: &str) -> Prefixes {
        let mut take = |names: &[&str]| names.iter().find_map(|name| self.prompts.remove(*name)).unwrap_or_default();
        let said = Prefixes { query: take(&["query"]), passage: take(&["passage", "document"]) };
        if said == Prefixes::default() { Prefixes::of(name) } else { said }
    }
}

fn sizes(config: &Config) -> Result<Sizes, String> {
    if config.hidden_act.as_deref().is_some_and(|name| name != "gelu") {
        return Err("its activation is not gelu: it is not of the BERT family".to_owned());
    }
    let sizes = Sizes {
        vocabulary: config.vocab_size,
        positions: config.max_position_embeddings,
        hidden: config.hidden_size,
        layers: config.num_hidden_layers,
        heads: config.num_attention_heads,
        intermediate: config.intermediate_size,
        types: config.type_vocab_size,
    };
    let counts =
        [sizes.vocabulary, sizes.positions, sizes.hidden, sizes.layers, sizes.heads, sizes.intermediate, sizes.types];
    if counts.contains(&0) || sizes.positions < 2 || !sizes.hidden.is_multiple_of(sizes.heads) {
        return Err("its sizes don't fit together".to_owned());
    }
    Ok(sizes)
}

fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, ModelError> {
    serde_json::from_slice(&read(path)?)
        .map_err(|error| ModelError::Unusable { path: path.to_owned(), detail: error.to_string() })
}

#[expect(clippy::disallowed_methods, reason = "a model is no document")]
fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    std::fs::read(path).map_err(|source| ModelError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny::{CONFIG, VOCABULARY, weights};

    fn tiny() -> LocalModel {
        LocalModel::of_bytes("tiny", CONFIG.as_bytes(), VOCABULARY.as_bytes(), weights()).unwrap()
    }

    /// The expected numbers are those of the published rules, worked out in 64 bits by a program of its own.
    #[test]
    fn tokens_and_vectors_are_those_of_the_reference() {
        let model = tiny();
        let cases: [(&str, &[u32], [f32; 4]); 4] = [
            ("Été cafés, TIDAL", &[2, 4, 5, 6, 12, 10, 11, 3], [-0.341_51, -0.261_417, -0.609_855, -0.665_664]),
            ("数字❤\u{fe0f} 한", &[2, 7, 8, 13, 14, 15, 16, 3], [-0.016_186, -0.475_875, -0.679_814, -0.557_794]),
            ("a\u{200d}b\u{301}\u{a0}tide unknown", &[2, 17, 9, 1, 3], [0.038_753, -0.429_343, -0.722_147, -0.540_987]),
            ("数，字。", &[2, 7, 1, 8, 1, 3], [-0.019_319, -0.403_383, -0.735_937, -0.543_42]),
        ];
        let together = model.passages(&cases.map(|(text, ..)| text)).unwrap();
        for ((text, tokens, expected), batched) in cases.into_iter().zip(together) {
            assert_eq!(model.tokens.of(text, 20), tokens, "{text}");
            for (found, expected) in model.query(text).unwrap().iter().zip(expected) {
                assert!((found - expected).abs() < 2e-5, "{text}: {found} in place of {expected}");
            }
            assert_eq!(model.query(text).unwrap(), batched, "{text}");
        }
    }

    #[test]
    fn other_folders_are_refused_with_their_fault() {
        let refused = |config: &str, vocabulary: &str, weights: Vec<u8>| {
            let error = LocalModel::of_bytes("x", config.as_bytes(), vocabulary.as_bytes(), weights).err().unwrap();
            format!("{}: {}", error.0, error.1)
        };
        assert!(refused("{}", VOCABULARY, weights()).starts_with("config.json: missing field"));
        assert!(refused(&CONFIG.replace("gelu", "silu"), VOCABULARY, weights()).contains("BERT"));
        assert!(refused(&CONFIG.replace(":18", ":17"), VOCABULARY, weights()).starts_with("vocab.txt: it has more"));
        assert!(refused(CONFIG, "a\nb\n", weights()).contains("[CLS]"));
        assert!(refused(CONFIG, VOCABULARY, weights()[..900].to_vec()).starts_with("model.safetensors"));
        assert!(refused(&CONFIG.replace(":8,", ":9,"), VOCABULARY, weights()).contains("shape"));
        assert!(LocalModel::open(Path::new("/nowhere")).unwrap_err().to_string().contains("/nowhere/config.json"));
    }
}
