//! A conversation that stands somewhere else than in a thread's log: in the notebook around an AI cell. The turn is the same,
//! with its log, its decisions and its costs; what is told to the model is read from the book each time, and what comes of
//! it is written there.

use std::sync::Arc;

use aside_core::{ActionRequest, Descriptor, Failure, LabelSource, Thread, ThreadEventBody, ToolCall};
use aside_llm::ToolSpec;
use futures_util::future::BoxFuture;

use crate::history::Said;

/// Knows which threads have a book.
pub trait Books: Send + Sync {
    /// The book of a thread.
    fn book(&self, thread: &Thread) -> Option<Arc<dyn Book>>;
}

/// The book of one thread.
pub trait Book: Send + Sync {
    /// The most model calls in a turn.
    fn step_limit(&self) -> u32;
    /// Reads the conversation, for a model that is able to so much.
    fn read(&self, able: Able) -> BoxFuture<'_, Result<Page, Failure>>;
    /// Writes what stands in the thread's log, before anything that it asks for is done.
    fn write<'a>(&'a self, log: &'a [ThreadEventBody]) -> BoxFuture<'a, ()>;
    /// Shows the beginning of an answer that still comes, after what stands in the log.
    fn saying(&self, log: &[ThreadEventBody], text: &str);
    /// What the model is offered in place of these actions.
    fn tools(&self, offered: &[Arc<Descriptor>]) -> Vec<ToolSpec>;
    /// The request that a call stands for, or what to tell the model.
    fn request(&self, call: &ToolCall) -> Result<ActionRequest, String>;
}

/// What a model is able to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Able {
    /// It takes images.
    pub sees: bool,
    /// It takes tools.
    pub calls: bool,
}

/// A conversation, as it is now.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What is added to the instructions.
    pub instructions: String,
    /// The messages, oldest first.
    pub said: Vec<Said>,
    /// Where it comes from, and the texts in it that are from outside.
    pub sources: Vec<(LabelSource, String)>,
}
