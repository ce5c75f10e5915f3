//! Finding records of the audit again: by person, origin, object, action, state, time and words.

use std::sync::atomic::{AtomicUsize, Ordering};

use aside_core::{ActionState, AuditKind, AuditRecord, ObjectRef, Origin, Timestamp};
use aside_store::{ChainEntry, ChainQuery, Facets, StoreError};
use serde_json::Value;

use crate::{Gate, GateError};

/// Words of one record are searched up to this many bytes.
const WORDS: usize = 4096;

/// Which records are wanted; what is empty or none is not asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// The person who asked or decided.
    pub by: Option<String>,
    /// The kind of origin, as on the wire: `user`, `cli`, `turn` …
    pub origin: Option<String>,
    /// A path or id of what it touches or changed; a folder with a `/` at its end stands for all below it.
    pub object: Option<String>,
    /// An action's id, with what undid it or carried out a part of it, or an action's name.
    pub action: Option<String>,
    /// One of these states.
    pub states: Vec<ActionState>,
    /// Words that all occur.
    pub text: String,
    /// Not before this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// Before this position.
    pub before: Option<u64>,
    /// After this position; if set the oldest come first, else the newest.
    pub after: Option<u64>,
    /// At most so many.
    pub limit: usize,
}

/// After so many records they are indexed, so that a question need not wait until all are.
const INDEX_EVERY: usize = 500;

/// How many records may have come since they were last indexed.
pub(crate) struct Unindexed(AtomicUsize);

impl Default for Unindexed {
    /// Nobody knows how many the last run of the program left.
    fn default() -> Self {
        Self(AtomicUsize::new(INDEX_EVERY))
    }
}

impl Unindexed {
    /// Takes note of new records; tells whether it is time to index them.
    fn are_many(&self, new: usize) -> bool {
        let many = new > 0 && self.0.fetch_add(new, Ordering::Relaxed) + new >= INDEX_EVERY;
        if many {
            self.0.store(0, Ordering::Relaxed);
        }
        many
    }
}

impl Gate {
    /// Indexes records beside other work, when many have come.
    pub(crate) fn index_if_many(&self, new: usize) {
        if !self.unindexed.are_many(new) {
            return;
        }
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || {
            // The next question does it then.
            match store.chain_index(facets) {
                Ok(()) | Err(StoreError::AtRest) => {}
                Err(error) => tracing::warn!(%error, "could not index the activity log"),
            }
        });
    }

    /// Returns the records of the audit that are wanted.
    pub fn audit_find(&self, query: &AuditQuery) -> Result<Vec<ChainEntry>, GateError> {
        Ok(self.store.chain_find(&chain_query(query), facets)?)
    }
}

fn chain_query(query: &AuditQuery) -> ChainQuery {
    let one = |name, value: &Option<String>| value.clone().map(|value| (name, vec![value]));
    let states = (!query.states.is_empty()).then(|| ("state", query.states.iter().copied().map(word).collect()));
    let facets = [
        one("by", &query.by),
        one("origin", &query.origin),
        one("object", &query.object),
        one("action", &query.action),
        states,
    ];
    ChainQuery {
        facets: facets.into_iter().flatten().collect(),
        words: query.text.clone(),
        from: query.from,
        to: query.to,
        before: query.before,
        after: query.after,
        limit: query.limit,
    }
}

/// By what an entry is found. One that is no record of ours is found by its position alone.
pub(crate) fn facets(body: &str) -> Facets {
    let Ok(record) = serde_json::from_str::<AuditRecord>(body) else { return Facets::default() };
    let mut values = vec![
        ("by", record.origin.user().to_owned()),
        ("origin", origin(&record.origin)),
        ("action", record.action.to_string()),
        ("action", record.action_type.to_string()),
        ("state", word(state(&record))),
    ];
    let related = [&record.parent, &record.undoes];
    values.extend(related.into_iter().flatten().map(|id| ("action", id.to_string())));
    let people = [record.decided_by.as_ref(), record.answer.as_ref().map(|answer| &answer.by)];
    values.extend(people.into_iter().flatten().map(|name| ("by", name.clone())));
    for object in record.targets.iter().chain(&record.changed) {
        values.extend(places(object).map(|place| ("object", place.to_owned())));
    }
    Facets { at: record.at, values, words: words(&record) }
}

fn word(state: ActionState) -> String {
    text_of(serde_json::to_value(state).ok())
}

fn origin(origin: &Origin) -> String {
    text_of(serde_json::to_value(origin).ok().map(|mut value| value["kind"].take()))
}

fn text_of(value: Option<Value>) -> String {
    value.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Records of version 0.1 don't say where the action was; it follows from what they are about.
fn state(record: &AuditRecord) -> ActionState {
    record.state.unwrap_or(match record.kind {
        AuditKind::Submitted | AuditKind::Stale | AuditKind::Decision | AuditKind::Remembered => {
            ActionState::AwaitingConfirmation
        }
        AuditKind::DryRun => ActionState::Proposed,
        AuditKind::Intent => ActionState::Running,
        AuditKind::Refused => ActionState::Refused,
        AuditKind::Failed => ActionState::Failed,
        AuditKind::Interrupted => ActionState::Interrupted,
        AuditKind::Outcome | AuditKind::Replayed => ActionState::Done,
    })
}

/// The object itself, and the folders it is in.
fn places(object: &ObjectRef) -> impl Iterator<Item = &str> {
    let folders = object.id.match_indices('/').map(|(at, _)| &object.id[..=at]);
    folders.chain([object.id.as_str()])
}

fn words(record: &AuditRecord) -> String {
    let mut words = format!("{} {}", record.action_type, record.rule);
    let texts = [
        record.outcome.as_ref().map(|outcome| &outcome.text),
        record.answer.as_ref().and_then(|answer| answer.reason.as_ref()),
        record.decided_by.as_ref(),
    ];
    let objects = record.targets.iter().chain(&record.changed).map(|object| &object.id);
    for text in texts.into_iter().flatten().chain(objects) {
        add(&mut words, text);
    }
    for value in [&record.args, &record.audit_context].into_iter().flatten() {
        add_all(&mut words, value);
    }
    words
}

fn add(words: &mut String, text: &str) {
    let room = WORDS.saturating_sub(words.len());
    words.push(' ');
    words.push_str(&text[..text.floor_char_boundary(room)]);
}

fn add_all(words: &mut String, value: &Value) {
    match value {
        _ if words.len() >= WORDS => {}
        Value::String(text) => add(words, text),
        Value::Array(items) => items.iter().for_each(|item| add_all(words, item)),
        Value::Object(map) => map.values().for_each(|item| add_all(words, item)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Decision;

    use super::*;
    use crate::testing::{Bench, replace};

    fn found(bench: &Bench, query: AuditQuery) -> Vec<String> {
        let entries = bench.gate.audit_find(&AuditQuery { limit: 20, ..query }).unwrap();
        let kind = |entry: &ChainEntry| serde_json::from_str::<Value>(&entry.body).unwrap()["kind"].clone();
        entries.iter().map(|entry| kind(entry).as_str().unwrap().to_owned()).collect()
    }

    #[tokio::test]
    async fn records_are_found_by_all_that_is_asked_for() {
        let bench = Bench::new("one two");
        let edit = bench.order(replace("one", "1")).await;
        let asked = bench.propose(replace("two", "2")).await;
        bench.gate.decide(&asked.envelope.id, Decision::reject(Some("not now".to_owned())), "grace").await.unwrap();
        bench.undo(&edit).await;
        let query = AuditQuery::default;
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(found(&bench, query()).len(), 6);
        assert_eq!(found(&bench, AuditQuery { by: some("grace"), ..query() }), ["decision"]);
        assert_eq!(found(&bench, AuditQuery { origin: some("turn"), ..query() }), ["decision", "submitted"]);
        let states = vec![ActionState::Done, ActionState::Refused];
        assert_eq!(found(&bench, AuditQuery { states, ..query() }), ["outcome", "decision", "outcome"]);
        assert_eq!(found(&bench, AuditQuery { action: some(edit.envelope.id.as_str()), ..query() }).len(), 4);
        assert_eq!(found(&bench, AuditQuery { action: some("text.replace"), ..query() }).len(), 6);
        assert_eq!(
            found(&bench, AuditQuery { object: some("text.txt"), after: Some(4), ..query() }),
            ["intent", "outcome"]
        );
        assert_eq!(found(&bench, AuditQuery { text: "Not, now".to_owned(), ..query() }), ["decision"]);
        assert_eq!(found(&bench, AuditQuery { object: some("elsewhere/"), ..query() }).len(), 0);
    }

    #[test]
    fn records_are_indexed_when_many_have_come_and_once_after_a_start() {
        let unindexed = Unindexed::default();
        assert!(!unindexed.are_many(0), "a commit without a record is no reason");
        assert!(unindexed.are_many(1));
        let times = (0..2 * INDEX_EVERY).filter(|_| unindexed.are_many(1)).count();
        assert_eq!(times, 2);
    }

    #[test]
    fn a_file_is_found_by_its_folders() {
        let object = ObjectRef { kind: "file".to_owned(), id: "src/a/b.rs".to_owned() };
        assert_eq!(places(&object).collect::<Vec<_>>(), ["src/", "src/a/", "src/a/b.rs"]);
    }

    #[test]
    fn what_is_no_record_has_no_facets() {
        for body in ["", "{}", "[1]", "\u{0}"] {
            assert_eq!(facets(body), Facets::default(), "{body:?}");
        }
    }
}
