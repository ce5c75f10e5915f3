//! The outside contract: frames of the connection and bodies of the REST routes under `/api/v1`.
//!
//! The TypeScript in `web/src/wire/gen` is generated from here and from `aside-core`; a test fails when
//! it is out of date.

mod ask;
mod assistant;
mod chats;
mod connection;
mod decisions;
mod devices;
mod estimate;
mod find;
mod grants;
mod history;
mod live;
mod meta_agent;
mod notebooks;
mod notes;
mod providers;
mod pull;
mod rest;
mod scripts;
mod search;
mod settings;
mod speech;
mod spending;
mod statistics;
mod tables;
mod tasks;
mod terminals;
mod threads;

pub use ask::*;
pub use assistant::*;
pub use chats::*;
pub use connection::*;
pub use decisions::*;
pub use devices::*;
pub use estimate::*;
pub use find::*;
pub use grants::*;
pub use history::*;
pub use live::*;
pub use meta_agent::*;
pub use notebooks::*;
pub use notes::*;
pub use providers::*;
pub use pull::*;
pub use rest::*;
pub use scripts::*;
pub use search::*;
pub use settings::*;
pub use speech::*;
pub use spending::*;
pub use statistics::*;
pub use tables::*;
pub use tasks::*;
pub use terminals::*;
pub use threads::*;
