//! What pages show of the history: sums for charts, lists of sessions, what happened in one. Larger than what models are told, and in pages.

mod dashboard;
mod list;
mod timeline;

pub use dashboard::{Dashboard, Group, Hour, dashboard};
pub use list::{Listing, list};
pub use timeline::{Entry, Said, Timeline, timeline};
