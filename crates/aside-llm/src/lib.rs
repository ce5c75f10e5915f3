//! Language models behind one trait: [`Provider`], with adapters for Ollama, OpenAI's chat completions and Responses,
//! Anthropic's Messages and Gemini, and one that plays a script.
//!
//! This crate turns a [`ModelRequest`] into a stream of [`ModelEvent`]s and knows nothing of threads, actions or
//! documents. Whatever a server answers is foreign data: bounded, parsed without panics, passed on as text or JSON.

mod anthropic;
#[doc(hidden)]
pub mod bytes;
mod chat;
mod conversation;
mod echo;
mod effort;
mod embeddings;
mod environment;
mod error;
mod event;
mod gemini;
mod guarded;
mod hosted;
mod http;
mod known;
mod limits;
mod listing;
mod models;
mod ollama;
mod own;
mod permits;
mod preset;
mod price_list;
mod provider;
mod request;
mod responses;
mod scripted;
mod secret;
mod speech;
mod think_tags;
mod toolless;
mod who;
mod wire;

pub use aside_prices::{Ability, Price, PriceTable, Prices, Rate, Rates};
pub use embeddings::ServiceEmbedder;
pub use environment::{Environment, Service, key_variables};
pub use error::ProviderError;
pub use event::ModelEvent;
pub use http::rest::{Rest, RestError, RestPage};
pub use limits::Limits;
pub use listing::ModelLists;
pub use models::{Models, ProviderStatus, first_usable};
pub use ollama::{PullStream, Pulled, is_ollama_installed};
pub use own::Own;
pub use permits::{Permits, Said};
pub use preset::{Affinity, Api, PRESETS, Preset, Quirks};
pub use price_list::{LITELLM, LONGEST_LIST, PriceListError, fetch_list, read_list};
pub use provider::{ModelInfo, ModelStream, Provider, ProviderInfo, TextVectors};
pub use request::{Image, Message, ModelRequest, ToolSpec};
pub use scripted::{Reply, Script, ScriptProblem, ScriptedCall, ScriptedProvider, Step};
pub use secret::Secret;
pub use speech::{Recording, Transcript};
