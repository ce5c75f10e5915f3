//! What pages show of the history: sums for charts, lists of sessions, what happened in one, what became of changes. Larger than what models are told, and in pages.

mod changes;
mod dashboard;
mod list;
mod timeline;

pub use changes::{Changes, PullRequestRow, RunRow, pull_requests, runs};
pub use dashboard::{Dashboard, Group, Hour, dashboard};
pub use list::{Listing, list};
pub use timeline::{Entry, Said, Timeline, timeline};
