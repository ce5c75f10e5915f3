//! The search index of the opened workspace: notes, notebooks, code, texts, and the conversations that its owner gives it.
//!
//! One thread owns the index file and everything that is done with it. Changes of files and of live documents reach it as
//! messages, and so do questions, which go before all other work. The ranking is `aside-search`'s.

mod answer;
mod conversations;
mod errand;
mod error;
mod expression;
mod file_state;
mod index_file;
mod kind;
mod learning;
mod owner;
mod pdf_queue;
mod progress;
mod source;
mod typing;
mod walk;
mod workspace_index;

pub use answer::{FoundPlace, FoundPlaces};
pub use aside_pdf::enter_if_reader as enter_if_pdf_reader;
pub use aside_search::{Document, Why, cells};
pub use conversations::Conversations;
pub use errand::MayBeFound;
pub use error::IndexError;
pub use kind::DocumentKind;
pub use learning::{LearningProgress, OpenModel};
pub use progress::{IndexProgress, LeftOut};
pub use workspace_index::{SearchRequest, WorkspaceIndex};
