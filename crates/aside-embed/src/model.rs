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
        let config: Config = json(&folder.join("config.json"))?;
        let unusable = |name: &str| {
            let path = folder.join(name);
            move |detail| ModelError::Unusable { path, detail }
        };
        let sizes = sizes(&config).map_err(unusable("config.json"))?;
        let vocabulary = String::from_utf8(read(&folder.join("vocab.txt"))?).map_err(|error| error.to_string());
        let tokens = vocabulary.and_then(|text| Tokens::parse(&text)).map_err(unusable("vocab.txt"))?;
        if tokens.len() > sizes.vocabulary {
            return Err(unusable("vocab.txt")(format!("it has more than the {} lines of the model", sizes.vocabulary)));
        }
        let bytes = read(&folder.join("model.safetensors"))?;
        let id = format!("{}-{}-{}x{}", name_of(folder), bytes.len(), sizes.layers, sizes.hidden);
        let tensors = Tensors::parse(bytes).map_err(unusable("model.safetensors"))?;
        let encoder = Encoder::new(&tensors, sizes).map_err(unusable("model.safetensors"))?;
        let pooling: Pooling = json(&folder.join("1_Pooling/config.json")).unwrap_or_default();
        let wording: Wording = json(&folder.join("config_sentence_transformers.json")).unwrap_or_default();
        let most_tokens = MOST_TOKENS.min(sizes.positions);
        let (hidden, first_token) = (sizes.hidden, pooling.pooling_mode_cls_token);
        Ok(Self { tokens, encoder, hidden, most_tokens, first_token, prefixes: wording.prefixes(&name_of(folder)), id })
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
    /// Those that the folder says, else those that its name is known for.
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
