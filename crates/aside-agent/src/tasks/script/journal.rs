//! The journal of a run in the store. It holds no answers of the Gate: those are read from the Gate's records again.

use std::collections::BTreeMap;

use aside_core::{ActionId, ActionRecord, Outcome, TaskId};
use aside_gate::Gate;
use aside_script::{AsideError, CallNumber, JournalEntry, Observation};
use aside_store::{Batch, Durability, Store, StoreError};
use serde::{Deserialize, Serialize};

use super::super::error::TaskError;

/// One entry as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    entry: StoredEntry,
    /// The action of a call that begins; a sleep has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<ActionId>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum StoredEntry {
    /// As the engine wrote it.
    Whole(JournalEntry),
    /// The end of a call whose answer is in the Gate's record.
    Recorded { number: CallNumber, at: i64 },
}

/// A journal that was read back.
#[derive(Debug, Default)]
pub(super) struct ReadJournal {
    /// The entries for the engine.
    pub entries: Vec<JournalEntry>,
    /// The actions of its calls.
    pub actions: BTreeMap<u32, ActionId>,
    /// The records of the calls that have ended, in the order of their ends.
    pub ended: Vec<(u32, ActionRecord)>,
    /// Calls that have an end, sleeps included.
    pub ends: u32,
}

fn stream(task: &TaskId) -> String {
    format!("script:{task}")
}

/// The first entry of a journal.
pub(super) fn start(seed: u64, at: i64) -> Row {
    Row { entry: StoredEntry::Whole(JournalEntry::Start { seed, at }), action: None }
}

/// An entry as the engine gives it. `is_recorded` says that the Gate's record has the answer.
pub(super) fn row(entry: &JournalEntry, action: Option<ActionId>, is_recorded: bool) -> Row {
    let entry = match entry {
        JournalEntry::Ended { number, at, .. } if is_recorded => StoredEntry::Recorded { number: *number, at: *at },
        other => StoredEntry::Whole(other.clone()),
    };
    Row { entry, action }
}

/// Adds entries, all or none.
pub(super) fn append(store: &Store, task: &TaskId, rows: &[Row]) -> Result<(), StoreError> {
    let (mut batch, stream, now) = (Batch::default(), stream(task), store.now());
    rows.iter().try_for_each(|row| batch.append(&stream, now, row))?;
    store.write(Durability::Normal, batch).map(drop)
}

/// How many calls have ended.
pub(super) fn ends(entries: &[JournalEntry]) -> u32 {
    let ends = entries.iter().filter(|entry| matches!(entry, JournalEntry::Ended { .. })).count();
    u32::try_from(ends).unwrap_or(u32::MAX)
}

/// Reads a journal with the answers of its calls.
pub(super) fn read(store: &Store, gate: &Gate, task: &TaskId) -> Result<ReadJournal, TaskError> {
    let mut journal = ReadJournal::default();
    for stored in store.read(&stream(task), 0)? {
        let row: Row = stored.parse()?;
        let entry = match row.entry {
            StoredEntry::Whole(entry) => entry,
            StoredEntry::Recorded { number, at } => {
                let Some(id) = journal.actions.get(&number.0) else { continue };
                let record = gate.record(id)?;
                let result = answer(&record);
                journal.ended.push((number.0, record));
                JournalEntry::Ended { number, at, result }
            }
        };
        match (&entry, row.action) {
            (JournalEntry::Begun { number, .. }, Some(action)) => _ = journal.actions.insert(number.0, action),
            (JournalEntry::Ended { .. }, _) => journal.ends += 1,
            _ => {}
        }
        journal.entries.push(entry);
    }
    Ok(journal)
}

/// The answer that a script gets from an action that has ended.
pub(super) fn answer(record: &ActionRecord) -> Result<Observation, AsideError> {
    match &record.outcome {
        Some(Outcome::Done { observation }) => {
            Ok(Observation { data: observation.data.clone(), text: observation.text.clone() })
        }
        Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => {
            let hint = failure.hint.clone();
            Err(AsideError { hint, ..AsideError::new(&failure.code, &failure.message) })
        }
        Some(Outcome::Interrupted { reason }) => Err(interrupted(reason)),
        None => Err(interrupted("nobody knows how it ended")),
    }
}

fn interrupted(reason: &str) -> AsideError {
    let hint = Some("Look at the result of the call before you do it again.".to_owned());
    AsideError { hint, ..AsideError::new("interrupted", format!("The call was interrupted: {reason}")) }
}
