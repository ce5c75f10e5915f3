//! Vectors of meaning from a folder with a small model of the BERT family: `config.json`, `vocab.txt`, `model.safetensors`. Nothing leaves the machine.
//!
//! The encoder is the one of sentence-transformers: WordPiece tokens, layers of attention, the mean over the tokens (or the first token), length 1.

mod encoder;
mod error;
mod model;
mod tensors;
mod tokens;

pub use error::ModelError;
pub use model::LocalModel;
