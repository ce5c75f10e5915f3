//! Which edits of a file were made in threads, and not taken back.

use std::collections::BTreeMap;

use aside_core::{
    ActionId, ActionRecord, ActionState, Origin, Outcome, Thread, ThreadEventBody, Timestamp, TurnId, Version,
    WorkspacePath,
};
use aside_store::{LogEntry, Store, StoreError};

use super::{list, moved::Names};

/// Edits that are returned at most.
const MOST: usize = 100;
/// Entries of logs that are looked at; what is older is not found.
const MOST_LOOKED_AT: usize = 50_000;

/// An edit that an agent made in a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadEdit {
    /// The thread.
    pub thread: Thread,
    /// The message that led to it.
    pub turn: TurnId,
    /// The action.
    pub action: ActionId,
    /// The action of which it carried out a part or a step.
    pub parent: Option<ActionId>,
    /// When it was made.
    pub at: Timestamp,
    /// What it was shown as.
    pub summary: String,
    /// The version of the text before it; none if it made the file.
    pub before: Option<Version>,
    /// The version that it led to.
    pub after: Version,
}

/// Returns the edits of a file in all threads, the latest first; also those that were made when it had another name.
pub(crate) fn edits(store: &Store, path: &WorkspacePath) -> Result<Vec<ThreadEdit>, StoreError> {
    let (mut found, mut looked_at, names) = (BTreeMap::new(), 0, Names::of(store, path)?);
    for thread in list(store, None)? {
        let log = store.read(thread.id.as_str(), 0)?;
        looked_at += log.len();
        for entry in log.iter().filter(|entry| names.all().any(|name| may_tell_of(entry, name))) {
            let ThreadEventBody::ActionChanged { record } = entry.parse()? else { continue };
            match edit(&thread, &record, &names) {
                Some(edit) => _ = found.insert(edit.action.clone(), edit),
                // It was taken back.
                None => _ = found.remove(&record.envelope.id),
            }
        }
        if looked_at >= MOST_LOOKED_AT {
            break;
        }
    }
    Ok(found.into_values().rev().take(MOST).collect())
}

/// Most entries are told apart without being read.
fn may_tell_of(entry: &LogEntry, path: &WorkspacePath) -> bool {
    let name = path.name();
    entry.body.contains("\"action_changed\"")
        && (!name.is_ascii() || name.contains(['"', '\\']) || entry.body.contains(name))
}

fn edit(thread: &Thread, record: &ActionRecord, names: &Names) -> Option<ThreadEdit> {
    let (Origin::Turn { turn, .. }, Some(Outcome::Done { observation })) = (&record.origin, &record.outcome) else {
        return None;
    };
    let (data, at) = (&observation.data, record.ended.unwrap_or(record.created));
    if record.state != ActionState::Done || !data["path"].as_str().is_some_and(|name| names.had(name, at)) {
        return None;
    }
    let version = |value: &serde_json::Value| value.as_str().and_then(Version::parse);
    let (before, after) = match record.envelope.action_type.as_str() {
        "doc.edit" => (Some(version(&data["report"]["hash_before"])?), version(&data["report"]["hash_after"])?),
        "doc.create" => (None, version(&data["version"])?),
        _ => return None,
    };
    Some(ThreadEdit {
        thread: thread.clone(),
        turn: turn.clone(),
        action: record.envelope.id.clone(),
        parent: record.parent.clone(),
        at,
        summary: record.preview.as_ref().map(|preview| preview.summary.clone()).unwrap_or_default(),
        before,
        after,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use aside_core::{Observation, Sha256};
    use aside_store::StoreOptions;
    use serde_json::json;

    use super::*;
    use crate::{
        testing::record,
        threads::{NewThread, create},
    };

    fn edited(call: &str, state: ActionState, path: &str) -> ThreadEventBody {
        let mut record = record(1, call, state);
        let report = json!({"hash_before": Sha256::of("a"), "hash_after": Sha256::of("b")});
        record.outcome =
            Some(Outcome::Done { observation: Observation::with("", json!({"path": path, "report": report})) });
        ThreadEventBody::ActionChanged { record: Box::new(record) }
    }

    #[test]
    fn what_was_taken_back_or_is_of_another_file_is_no_edit_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let thread = create(&store, NewThread::default(), &HashSet::new()).unwrap();
        let log = [
            edited("a", ActionState::Done, "src/a.py"),
            edited("b", ActionState::Done, "src/b.py"),
            edited("c", ActionState::Done, "src/a.py"),
            edited("c", ActionState::Undone, "src/a.py"),
            edited("d", ActionState::Refused, "src/a.py"),
            edited("e", ActionState::Done, "src/a.py"),
        ];
        for event in &log {
            store.append(thread.id.as_str(), event).unwrap();
        }
        let found = edits(&store, &"src/a.py".parse().unwrap()).unwrap();
        let ids = ["e", "a"].map(|call| record(1, call, ActionState::Done).envelope.id);
        assert_eq!(found.iter().map(|edit| edit.action.clone()).collect::<Vec<_>>(), ids);
        assert_eq!((&found[0].before, &found[0].after), (&Some(Sha256::of("a")), &Sha256::of("b")));
        assert_eq!(found[0].thread.id, thread.id);
    }
}
