//! Language models behind one trait: [`Provider`], with adapters for Ollama, OpenAI-compatible servers and
//! Anthropic, and one that plays a script.
//!
//! This crate turns a [`ModelRequest`] into a stream of [`ModelEvent`]s and knows nothing of threads, actions or
//! documents. Whatever a server answers is foreign data: bounded, parsed without panics, passed on as text or JSON.

mod anthropic;
mod conversation;
mod environment;
mod error;
mod event;
mod http;
mod limits;
mod models;
mod ollama;
mod openai;
mod prices;
mod provider;
mod request;
mod scripted;
mod secret;

pub use environment::Environment;
pub use error::ProviderError;
pub use event::ModelEvent;
pub use limits::Limits;
pub use models::{Models, ProviderStatus, first_usable};
pub use prices::{Price, PriceTable, Prices, Rate, Rates};
pub use provider::{ModelInfo, ModelStream, Provider, ProviderInfo};
pub use request::{Image, Message, ModelRequest, ToolSpec};
pub use scripted::{Reply, Script, ScriptProblem, ScriptedCall, ScriptedProvider, Step};
pub use secret::Secret;
