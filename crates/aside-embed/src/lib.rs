//! Vectors of meaning: the trait [`Embedder`], and the model in a folder with a small model of the BERT family: `config.json`, `vocab.txt`,
//! `model.safetensors`. Nothing of it leaves the machine.
//!
//! The encoder is the one of sentence-transformers: WordPiece tokens, layers of attention, the mean over the tokens (or the first token), length 1.

mod choice;
mod embedder;
mod encoder;
mod error;
mod model;
mod prefixes;
mod tensors;
#[cfg(test)]
mod tiny;
mod tokens;
mod unicode;

pub use choice::ModelChoice;
pub use embedder::{Embedder, checked};
pub use error::{EmbedError, ModelError};
pub use model::LocalModel;
pub use prefixes::Prefixes;
