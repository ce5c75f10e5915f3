//! By what entries of the chain are found. An index beside the chain, made from it and never trusted: what
//! is found is read from the chain itself.
//!
//! Entries are indexed after they were written, before the next question or when many have come: writing
//! one doesn't wait for it.

use aside_core::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{ChainEntry, StoreError, chain};

/// By what one entry is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// When it was written. One that seems to be older than the entry before it counts as written at the same time.
    pub at: Timestamp,
    /// Names and values.
    pub values: Vec<(&'static str, String)>,
    /// Words of it.
    pub words: String,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainQuery {
    /// All of these facets: each has a name and one or several values, of which an entry needs one.
    pub facets: Vec<(&'static str, Vec<String>)>,
    /// All of these words; others than letters and digits separate them. Case doesn't matter.
    pub words: String,
    /// Not before this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// Before this position.
    pub before: Option<u64>,
    /// After this position; if it is set the oldest come first, else the newest.
    pub after: Option<u64>,
    /// At most so many.
    pub limit: usize,
}

/// How many entries are indexed in one transaction: few enough that nobody notices having to wait for it.
pub(crate) const CHUNK: usize = 250;

/// Entries that are not indexed, with what they are found by.
pub(crate) struct Unindexed {
    /// The last position that was indexed when they were read.
    done: u64,
    entries: Vec<(u64, Facets)>,
}

/// Reads the next entries that are not indexed. No writer waits while their facets are worked out.
pub(crate) fn unindexed(connection: &Connection, facets: impl Fn(&str) -> Facets) -> Result<Unindexed, StoreError> {
    let (_, done) = indexed(connection)?;
    let entries = chain::read(connection, done, CHUNK)?;
    Ok(Unindexed { done, entries: entries.iter().map(|entry| (entry.seq, facets(&entry.body))).collect() })
}

impl Unindexed {
    /// Tells whether all is indexed.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Indexes them, unless another has done so meanwhile.
    pub(crate) fn index(self, connection: &Connection) -> Result<(), StoreError> {
        let (mut last, done) = indexed(connection)?;
        if done != self.done {
            return Ok(());
        }
        for (seq, found) in self.entries {
            last = last.max(found.at);
            insert(connection, seq, last, found)?;
        }
        Ok(())
    }
}

fn indexed(connection: &Connection) -> Result<(Timestamp, u64), StoreError> {
    let last = connection
        .prepare_cached("SELECT at, seq FROM chain_times ORDER BY at DESC, seq DESC LIMIT 1")?
        .query_row([], |row| Ok((Timestamp(row.get(0)?), row.get::<_, i64>(1)?.unsigned_abs())))
        .optional()?;
    Ok(last.unwrap_or((Timestamp(i64::MIN), 0)))
}

fn insert(connection: &Connection, seq: u64, at: Timestamp, facets: Facets) -> Result<(), StoreError> {
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    connection.prepare_cached("INSERT INTO chain_times (at, seq) VALUES (?1, ?2)")?.execute([at.0, seq])?;
    let mut statement =
        connection.prepare_cached("INSERT OR IGNORE INTO chain_facets (facet, value, seq) VALUES (?1, ?2, ?3)")?;
    for (facet, value) in facets.values {
        statement.execute(params![facet, value, seq])?;
    }
    connection
        .prepare_cached("INSERT INTO chain_words (rowid, words) VALUES (?1, ?2)")?
        .execute(params![seq, facets.words])?;
    Ok(())
}

/// Returns the entries that are wanted, as far as they are indexed.
pub(crate) fn find(connection: &Connection, query: &ChainQuery) -> Result<Vec<ChainEntry>, StoreError> {
    let Some((least, most)) = bounds(connection, query)? else { return Ok(Vec::new()) };
    let postings = postings(query);
    let way = if query.after.is_some() { Way::Up } else { Way::Down };
    let mut next = if way == Way::Up { least } else { most };
    let mut found = Vec::new();
    while found.len() < query.limit && (least..=most).contains(&next) {
        let Some(seq) = meet(connection, &postings, next, way)? else { break };
        if !(least..=most).contains(&seq) {
            break;
        }
        found.extend(chain::entry(connection, seq)?);
        next = way.onwards(seq);
    }
    Ok(found)
}

/// The first and the last position that can be meant.
fn bounds(connection: &Connection, query: &ChainQuery) -> Result<Option<(i64, i64)>, StoreError> {
    let bound =
        |sql: &str, at: i64| connection.prepare_cached(sql)?.query_row([at], |row| row.get::<_, i64>(0)).optional();
    let (_, indexed) = indexed(connection)?;
    let signed = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
    let (mut least, mut most) = (1, signed(indexed));
    if let Some(from) = query.from {
        let sql = "SELECT seq FROM chain_times WHERE at >= ?1 ORDER BY at, seq LIMIT 1";
        let Some(first) = bound(sql, from.0)? else { return Ok(None) };
        least = first;
    }
    if let Some(to) = query.to {
        let sql = "SELECT seq FROM chain_times WHERE at < ?1 ORDER BY at DESC, seq DESC LIMIT 1";
        let Some(last) = bound(sql, to.0)? else { return Ok(None) };
        most = last;
    }
    if let Some(after) = query.after {
        least = least.max(signed(after).saturating_add(1));
    }
    if let Some(before) = query.before {
        most = most.min(signed(before) - 1);
    }
    Ok((least <= most).then_some((least, most)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Down,
    Up,
}

impl Way {
    fn onwards(self, seq: i64) -> i64 {
        if self == Self::Down { seq - 1 } else { seq.saturating_add(1) }
    }

    /// Of two positions the one that comes first.
    fn first(self, one: i64, other: i64) -> i64 {
        if self == Self::Down { one.max(other) } else { one.min(other) }
    }
}

/// The positions that one condition allows.
enum Posting<'a> {
    Facet(&'a str, &'a [String]),
    Words(String),
}

fn postings(query: &ChainQuery) -> Vec<Posting<'_>> {
    let facets = query.facets.iter().map(|(name, values)| Posting::Facet(name, values));
    let words: Vec<_> = query
        .words
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{word}\""))
        .collect();
    let words = (!query.words.trim().is_empty()).then(|| Posting::Words(words.join(" ")));
    facets.chain(words).collect()
}

/// Returns the first position, this one included, that all conditions allow. Each says where it could go on,
/// so that a rare one leads a frequent one.
fn meet(connection: &Connection, postings: &[Posting<'_>], mut next: i64, way: Way) -> Result<Option<i64>, StoreError> {
    let mut agreed = 0;
    for posting in postings.iter().cycle() {
        if agreed >= postings.len() {
            break;
        }
        let Some(seq) = seek(connection, posting, next, way)? else { return Ok(None) };
        agreed = if seq == next { agreed + 1 } else { 1 };
        next = seq;
    }
    Ok(Some(next))
}

fn seek(connection: &Connection, posting: &Posting<'_>, next: i64, way: Way) -> Result<Option<i64>, StoreError> {
    match posting {
        Posting::Facet(name, values) => {
            let sql = match way {
                Way::Down => {
                    "SELECT seq FROM chain_facets WHERE facet = ?1 AND value = ?2 AND seq <= ?3 ORDER BY seq DESC LIMIT 1"
                }
                Way::Up => {
                    "SELECT seq FROM chain_facets WHERE facet = ?1 AND value = ?2 AND seq >= ?3 ORDER BY seq LIMIT 1"
                }
            };
            let mut statement = connection.prepare_cached(sql)?;
            let mut first = None;
            for value in *values {
                let found: Option<i64> =
                    statement.query_row(params![name, value, next], |row| row.get(0)).optional()?;
                first = match (first, found) {
                    (Some(one), Some(other)) => Some(way.first(one, other)),
                    (one, other) => one.or(other),
                };
            }
            Ok(first)
        }
        // Signs without a single word are in no entry.
        Posting::Words(words) if words.is_empty() => Ok(None),
        Posting::Words(words) => {
            let sql = match way {
                Way::Down => {
                    "SELECT rowid FROM chain_words WHERE chain_words MATCH ?1 AND rowid <= ?2 ORDER BY rowid DESC LIMIT 1"
                }
                Way::Up => {
                    "SELECT rowid FROM chain_words WHERE chain_words MATCH ?1 AND rowid >= ?2 ORDER BY rowid LIMIT 1"
                }
            };
            Ok(connection.prepare_cached(sql)?.query_row(params![words, next], |row| row.get(0)).optional()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Store, StoreOptions};

    fn facets(body: &str) -> Facets {
        let value: Value = serde_json::from_str(body).unwrap();
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let values = vec![("by", text("by")), ("state", text("state"))];
        Facets { at: Timestamp(value["at"].as_i64().unwrap()), values, words: text("words") }
    }

    fn filled(entries: &[Value]) -> (tempfile::TempDir, Arc<Store>) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        entries.iter().for_each(|entry| _ = store.chain_append(entry).unwrap());
        (folder, store)
    }

    fn found(store: &Store, query: ChainQuery) -> Vec<u64> {
        store.chain_find(&query, facets).unwrap().iter().map(|entry| entry.seq).collect()
    }

    fn three() -> (tempfile::TempDir, Arc<Store>) {
        filled(&[
            json!({ "at": 10, "by": "ada", "state": "done", "words": "Edited src/report.md" }),
            json!({ "at": 20, "by": "bob", "state": "failed", "words": "report has no such line" }),
            json!({ "at": 15, "by": "ada", "state": "failed", "words": "élan" }),
        ])
    }

    fn all() -> ChainQuery {
        ChainQuery { limit: 10, ..ChainQuery::default() }
    }

    #[test]
    fn every_condition_has_to_hold() {
        let (_folder, store) = three();
        let by = |name: &str| ("by", vec![name.to_owned()]);
        assert_eq!(found(&store, all()), [3, 2, 1]);
        assert_eq!(found(&store, ChainQuery { facets: vec![by("ada")], ..all() }), [3, 1]);
        let either = ("state", vec!["done".to_owned(), "failed".to_owned()]);
        assert_eq!(found(&store, ChainQuery { facets: vec![either, by("bob")], ..all() }), [2]);
        assert_eq!(found(&store, ChainQuery { words: "REPORT".to_owned(), ..all() }), [2, 1]);
        assert_eq!(found(&store, ChainQuery { words: "src/report".to_owned(), ..all() }), [1]);
        assert_eq!(found(&store, ChainQuery { words: "\"*(".to_owned(), ..all() }), [0; 0]);
        assert_eq!(found(&store, ChainQuery { facets: vec![by("ada")], words: "elan".to_owned(), ..all() }), [3]);
        assert_eq!(found(&store, ChainQuery { facets: vec![by("eve")], ..all() }), [0; 0]);
    }

    #[test]
    fn pages_go_both_ways_and_later_entries_are_found() {
        let (_folder, store) = three();
        assert_eq!(found(&store, ChainQuery { limit: 2, ..all() }), [3, 2]);
        assert_eq!(found(&store, ChainQuery { before: Some(2), ..all() }), [1]);
        assert_eq!(found(&store, ChainQuery { after: Some(1), ..all() }), [2, 3]);
        store.chain_append(&json!({ "at": 30, "by": "ada" })).unwrap();
        assert_eq!(found(&store, ChainQuery { limit: 1, ..all() }), [4]);
        assert_eq!(found(&store, ChainQuery { before: Some(0), ..all() }), [0; 0]);
        assert_eq!(found(&store, ChainQuery { after: Some(u64::MAX), ..all() }), [0; 0]);
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_hide_an_entry() {
        let (_folder, store) = three();
        let between = |from, to| ChainQuery { from: Some(Timestamp(from)), to: Some(Timestamp(to)), ..all() };
        assert_eq!(found(&store, between(10, 20)), [1]);
        assert_eq!(found(&store, between(20, 21)), [3, 2]);
        assert_eq!(found(&store, between(21, 99)), [0; 0]);
        assert_eq!(found(&store, between(0, 10)), [0; 0]);
    }

    #[test]
    fn more_than_one_chunk_is_indexed() {
        let (_folder, store) = filled(&[]);
        store
            .transaction(crate::Durability::Normal, |transaction| {
                (0..=CHUNK).try_for_each(|at| transaction.chain_append(&json!({ "at": at, "by": "ada" })).map(drop))
            })
            .unwrap();
        assert_eq!(found(&store, ChainQuery { limit: 1, ..all() }), [CHUNK as u64 + 1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn finds_what_looking_at_each_finds(entries in prop::collection::vec((0_u8..3, 0_u8..3, 0_i64..5), 0..40), by in 0_u8..3, state in 0_u8..3, from in 0_i64..5, up: bool) {
            let entries: Vec<_> = entries.iter().map(|(by, state, at)| json!({ "at": at, "by": by.to_string(), "state": state.to_string(), "words": format!("w{by}") })).collect();
            let (_folder, store) = filled(&entries);
            let (words, state) = (format!("w{by}"), state.to_string());
            let query = ChainQuery {
                facets: vec![("by", vec![by.to_string()]), ("state", vec![state.clone()])],
                words: words.clone(), from: Some(Timestamp(from)), after: up.then_some(0), ..all()
            };
            let mut latest = i64::MIN;
            let mut wanted: Vec<u64> = Vec::new();
            for (seq, entry) in (1..).zip(&entries) {
                latest = latest.max(entry["at"].as_i64().unwrap());
                if latest >= from && entry["words"] == words.as_str() && entry["state"] == state.as_str() {
                    wanted.push(seq);
                }
            }
            if !up { wanted.reverse(); }
            wanted.truncate(10);
            prop_assert_eq!(found(&store, query), wanted);
        }
    }
}
