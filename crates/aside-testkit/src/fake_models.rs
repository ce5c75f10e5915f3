//! A model server that plays a script, in the wire formats of Ollama, OpenAI (chat completions and Responses), Anthropic
//! and Gemini at once.
//!
//! Each request takes the next [`Reply`], whichever path it asks. The same [`Answer`] is rendered for the wire of that
//! path, with the [`Quirk`]s that real servers have, cut and delayed as the [`Delivery`] says. Loopback only.

mod anthropic;
mod cache;
mod chat;
mod embeddings;
mod gemini;
mod ollama;
mod responses;
mod script;
mod server;
mod speech;
mod transport;

pub use script::{Answer, Call, Counts, Delivery, Ending, Part, Quirk, Reply, Stop, Wire};
pub use server::{FakeModels, OfferedModel, Recorded};
pub use transport::rendered;
