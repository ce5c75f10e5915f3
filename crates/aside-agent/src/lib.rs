//! The turn loop: what goes to a model, what comes back, and how it becomes action requests.
//!
//! Knows no file, document or kernel: those are behind the Gate. The turn itself (`turn`) is a pure
//! state machine over the thread log; only `drive` talks to providers and the Gate.

mod agents;
mod answer;
mod attached;
mod book;
#[doc(hidden)]
pub mod budget;
mod cards;
mod commands;
mod context;
mod drive;
mod error;
mod estimate;
#[doc(hidden)]
pub mod fence;
mod grammar;
mod hand_off;
#[doc(hidden)]
pub mod history;
pub mod images;
mod instructions;
mod known_actions;
mod live;
mod marked;
mod mentions;
mod message;
mod numbered;
#[doc(hidden)]
pub mod observation;
mod profile;
mod prompt;
mod provenance;
mod pull;
mod recover;
mod request;
mod seed;
mod sent;
mod shown;
mod situation;
mod speech;
mod spending;
mod tasks;
#[cfg(test)]
mod testing;
mod text_calls;
mod thread_log;
mod threads;
mod title;
mod tools;
mod transcript;
mod trial;
mod turn;

pub use agents::Agents;
pub use book::{Able, Book, Books, Page};
pub use commands::{
    SlashCommand, built_in as built_in_commands, expanded as expanded_command, from_file as command_from_file,
};
pub use error::AgentError;
pub use estimate::{Draft, Estimate};
pub use instructions::{Instruction, Instructions, LONGEST as LONGEST_INSTRUCTIONS};
pub use message::Message;
pub use profile::{AI_CELL, ActionAccess, AgentProfile, CODING_AGENT, NAVIGATOR, NOTEBOOK_AGENT, Part};
pub use pull::{NAME as PULL, Pulls, UnderWay};
pub use speech::{Spoken, transcribe};
pub use spending::{
    Call, CallRecord, LONGEST_FILE as LONGEST_SPENDING_FILE, LONGEST_PRICES, Limits as SpendingLimits, LimitsError,
    Spending,
};
pub use tasks::{AnyWindow, NEWS, NewTask, Partly, TaskDetail, TaskError, TaskQuery, Tasks};
pub use threads::{DELETED_NEWS, FoundThread, NewThread, ThreadChange, ThreadEdit};
pub use transcript::as_markdown;
pub use trial::{Trial, try_model};
