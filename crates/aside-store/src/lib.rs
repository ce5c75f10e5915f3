//! What a workspace keeps in `.aside`: one SQLite file, a journal before it, and a folder of blobs.
//!
//! Five shapes of state, none of which knows what it is used for: *logs* (JSON entries in a stream,
//! heard by everyone who listens), *records* (JSON values by kind and id), the *chain* (append-only and
//! hash-chained, for the audit), *bytes* (binary logs, for CRDT updates) and *blobs* (by SHA-256). And it opens SQLite files
//! for crates with tables of their own.

mod blobs;
mod bytes;
mod chain;
mod chain_index;
#[cfg(test)]
mod crash_tests;
mod data_folder;
mod database;
mod disk;
mod error;
mod flusher;
mod foreign;
mod journal;
mod log;
mod options;
mod own_tables;
mod records;
mod secret_file;
mod store;
mod text_file;
mod transaction;
mod turn;
mod waiting;
mod write;
mod writer;

pub use chain::{ChainEntry, ChainHead, ChainProblem};
pub use chain_index::{ChainQuery, Facets};
pub use data_folder::DataFolder;
pub use error::StoreError;
pub use foreign::{ForeignDatabase, open_foreign};
#[doc(hidden)]
pub use journal::read_any as read_any_journal;
pub use log::{LiveEntry, LogEntry, Tail};
pub use options::StoreOptions;
pub use own_tables::{open_shared, open_tables, open_tables_in_pages, read_tables, sql};
pub use secret_file::{SecretFile, SecretFileError};
pub use store::Store;
pub use text_file::{Stamp, TextFile};
pub use transaction::{Durability, Transaction};
pub use write::Batch;
