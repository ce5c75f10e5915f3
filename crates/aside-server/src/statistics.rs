//! How well Aside serves: counts from the activity log, the tasks and the sentences of a workspace. Nothing is sent anywhere.

mod sentences;
mod tally;

use aside_agent::{TaskQuery, Tasks};
use aside_core::{AuditRecord, TaskState, Timestamp};
use aside_gate::{AuditQuery, Gate};
use aside_protocol::{Statistics, TaskCounts};
use aside_store::Store;

use crate::problem::Problem;
use tally::Tally;

pub use sentences::{count, forget};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Entries of the activity log that are read at once.
const BATCH: usize = 500;

/// Counts the last days. Blocks on the disk.
pub fn statistics(store: &Store, gate: &Gate, tasks: &Tasks, days: u32) -> Result<Statistics, Problem> {
    let now = store.now();
    let from = now.plus(-i64::from(days) * DAY);
    let mut tally = Tally::default();
    each_record(gate, Some(from), |record| {
        tally.add(record);
        true
    })?;
    Ok(Statistics {
        days,
        from,
        first_success: first_success(gate)?,
        sentences: sentences::since(store, from)?,
        tasks: task_counts(tasks, from)?,
        ..tally.finish()
    })
}

/// Returns the time from the first entry of the activity log to the first success that was asked for in words.
fn first_success(gate: &Gate) -> Result<Option<i64>, Problem> {
    let (mut first, mut success) = (None, None);
    each_record(gate, None, |record| {
        let begun = *first.get_or_insert(record.at);
        if tally::is_asked_success(record) {
            success = Some(record.at.0.saturating_sub(begun.0));
        }
        success.is_none()
    })?;
    Ok(success)
}

/// Gives each record of the activity log, oldest first, until `take` returns false.
fn each_record(
    gate: &Gate,
    from: Option<Timestamp>,
    mut take: impl FnMut(&AuditRecord) -> bool,
) -> Result<(), Problem> {
    let mut query = AuditQuery { from, after: Some(0), limit: BATCH, ..AuditQuery::default() };
    loop {
        let entries = gate.audit_find(&query)?;
        let Some(last) = entries.last() else { return Ok(()) };
        query.after = Some(last.seq);
        // An entry of another version is not counted.
        let records = entries.iter().filter_map(|entry| serde_json::from_str::<AuditRecord>(&entry.body).ok());
        for record in records {
            if !take(&record) {
                return Ok(());
            }
        }
    }
}

fn task_counts(tasks: &Tasks, since: Timestamp) -> Result<TaskCounts, Problem> {
    let query = TaskQuery { since: Some(since), open: Some(false), ..TaskQuery::default() };
    let ended = tasks.list(&query, usize::MAX)?;
    let count = |state| u32::try_from(ended.iter().filter(|task| task.state == state).count()).unwrap_or(u32::MAX);
    Ok(TaskCounts {
        completed: count(TaskState::Completed),
        failed: count(TaskState::Failed),
        cancelled: count(TaskState::Cancelled),
    })
}
