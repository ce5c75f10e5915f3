//! What is left after the end of the program, or of the power, at any point.
#![expect(clippy::disallowed_methods, reason = "looks at the store from outside")]

use std::{fs, path::Path, sync::Arc};

use proptest::prelude::*;
use rusqlite::{Connection, types::Value};
use serde_json::json;

use crate::{
    Batch, Durability, Store, StoreError, StoreOptions,
    write::{Write, encode, tests::any_write},
};

const DATABASE: [&str; 2] = ["aside.db", "aside.db-wal"];
const JOURNAL: [&str; 1] = ["aside.journal"];

fn open(folder: &Path, room: u64) -> Arc<Store> {
    Store::open(folder, StoreOptions { journal: room, ..StoreOptions::for_tests() }).unwrap()
}

/// Copies files as they are, over those that are there.
fn copy(from: &Path, to: &Path, names: &[&str]) {
    for name in names {
        match fs::read(from.join(name)) {
            Ok(bytes) => fs::write(to.join(name), bytes).unwrap(),
            Err(_) => _ = fs::remove_file(to.join(name)),
        }
    }
}

/// Every row, but for when it was written and how far the journal is.
fn rows(folder: &Path) -> Vec<Vec<Value>> {
    let connection = Connection::open(folder.join("aside.db")).unwrap();
    let tables = [
        "SELECT stream, seq, body FROM log ORDER BY 1, 2",
        "SELECT kind, id, owner, body FROM records ORDER BY 1, 2",
        "SELECT stream, seq, bytes FROM bytes ORDER BY 1, 2",
        "SELECT seq, body, hash FROM chain ORDER BY 1",
        "SELECT count, hash FROM chain_head",
        "SELECT hash, bytes FROM small_blobs ORDER BY 1",
    ];
    let mut all = Vec::new();
    for sql in tables {
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
        all.extend(rows.map(|row| row.unwrap()));
    }
    all
}

/// Opens what is left, closes it in good order, and returns the rows.
fn rows_after(folder: &Path) -> Vec<Vec<Value>> {
    drop(open(folder, 1 << 20));
    rows(folder)
}

#[derive(Clone, Debug)]
enum Step {
    Batch(Vec<Write>),
    Transaction(Vec<Write>),
    /// The database is brought up to date.
    Look,
    /// So many writes come to it.
    LookAtSome(usize),
    /// The program ends and starts again.
    Kill,
}

fn any_step() -> impl Strategy<Value = Step> {
    let writes = || prop::collection::vec(any_write(), 0..4);
    prop_oneof![
        4 => writes().prop_map(Step::Batch),
        2 => writes().prop_map(Step::Transaction),
        1 => Just(Step::Look),
        2 => (0_usize..6).prop_map(Step::LookAtSome),
        1 => Just(Step::Kill),
    ]
}

fn batch(writes: Vec<Write>) -> Batch {
    Batch(writes)
}

/// The files as they would be found.
fn killed(folder: &tempfile::TempDir, store: &Store) -> tempfile::TempDir {
    let left = tempfile::tempdir().unwrap();
    let _held = store.writer().hold();
    copy(folder.path(), left.path(), &DATABASE);
    copy(folder.path(), left.path(), &JOURNAL);
    left
}

/// Takes a step; a kill is a copy of what the files have, opened elsewhere.
fn take(step: Step, folder: tempfile::TempDir, store: Arc<Store>, room: u64) -> (tempfile::TempDir, Arc<Store>) {
    match step {
        Step::Batch(writes) => _ = store.write(Durability::Normal, batch(writes)).unwrap(),
        Step::Transaction(writes) => {
            store.transaction(Durability::Normal, |transaction| transaction.write(batch(writes))).unwrap();
        }
        Step::Look => _ = store.writer().tidy().unwrap(),
        Step::LookAtSome(writes) => _ = store.writer().tidy_some(writes).unwrap(),
        Step::Kill => {
            let next = killed(&folder, &store);
            let store = open(next.path(), room);
            return (next, store);
        }
    }
    (folder, store)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn kills_at_any_time_leave_what_there_would_be_without_a_journal(steps in prop::collection::vec(any_step(), 0..16), room in prop::sample::select(vec![0_u64, 300, 1 << 20])) {
        let plain = tempfile::tempdir().unwrap();
        let direct = open(plain.path(), 0);
        let mut folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path(), room);
        for step in steps {
            if let Step::Batch(writes) | Step::Transaction(writes) = &step {
                direct.transaction(Durability::Normal, |transaction| transaction.write(batch(writes.clone()))).unwrap();
            }
            (folder, store) = take(step, folder, store, room);
        }
        let left = killed(&folder, &store);
        let wanted = rows(plain.path());
        prop_assert_eq!(rows_after(left.path()), wanted.clone());
        prop_assert_eq!(rows_after(left.path()), wanted.clone(), "a second start changes nothing");
        drop(store);
        prop_assert_eq!(rows(folder.path()), wanted);
    }

    #[test]
    fn a_power_cut_leaves_what_there_was_after_one_of_the_steps(steps in prop::collection::vec(any_step(), 1..8), cut: prop::sample::Index) {
        let before = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path(), 1 << 20);
        // The least that is on the disk: the database as it was when the journal began.
        copy(folder.path(), before.path(), &DATABASE);
        let (mut ends, mut states) = (vec![0], vec![rows(folder.path())]);
        let plain = tempfile::tempdir().unwrap();
        let direct = open(plain.path(), 0);
        for step in steps {
            let (Step::Batch(writes) | Step::Transaction(writes)) = &step else { continue };
            direct.transaction(Durability::Normal, |transaction| transaction.write(batch(writes.clone()))).unwrap();
            ends.push(ends[ends.len() - 1] + 36 + encode(writes).len());
            states.push(rows(plain.path()));
            let writes = batch(writes.clone());
            match step {
                Step::Batch(_) => _ = store.write(Durability::Full, writes).unwrap(),
                _ => store.transaction(Durability::Full, |transaction| transaction.write(writes)).unwrap(),
            }
        }
        let length = ends[ends.len() - 1];
        let cut = cut.index(length + 1);
        let mut journal = fs::read(folder.path().join("aside.journal")).unwrap();
        journal.truncate(cut);
        fs::write(before.path().join("aside.journal"), journal).unwrap();
        let left = ends.iter().filter(|end| **end <= cut).count() - 1;
        prop_assert_eq!(rows_after(before.path()), states[left].clone());
    }
}

#[test]
fn a_change_without_a_single_write_has_its_position_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), 1 << 20);
    store.write(Durability::Normal, Batch::default()).unwrap();
    let folder = killed(&folder, &store);
    let store = open(folder.path(), 1 << 20);
    store.append("stream", &1).unwrap();
    let folder = killed(&folder, &store);
    assert_eq!(open(folder.path(), 1 << 20).read("stream", 0).unwrap().len(), 1);
}

#[test]
fn the_journal_of_a_database_that_was_moved_away_is_not_carried_out_on_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), 1 << 20);
    store.put("kind", "id", None, &"of the old one").unwrap();
    let moved = tempfile::tempdir().unwrap();
    copy(folder.path(), moved.path(), &JOURNAL);
    let store = open(moved.path(), 1 << 20);
    assert_eq!(store.get::<String>("kind", "id").unwrap(), None);
}

#[test]
fn what_waits_is_read_as_if_it_were_there() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), 1 << 20);
    store.put("kind", "old", None, &1).unwrap();
    store.writer().tidy().unwrap();
    let mut batch = Batch::default();
    batch.put("kind", "id", Some("ada"), &1).unwrap();
    batch.put("kind", "id", Some("ada"), &2).unwrap();
    batch.delete("kind", "old");
    batch.append("stream", store.now(), &"one").unwrap();
    batch.append("stream", store.now(), &"two").unwrap();
    batch.chain_append(&json!(1));
    assert_eq!(store.write(Durability::Normal, batch).unwrap(), [1, 2]);
    assert_eq!(store.get::<i32>("kind", "id").unwrap(), Some(2));
    assert_eq!(store.get::<i32>("kind", "old").unwrap(), None);
    assert_eq!(store.append("stream", &"three").unwrap(), 3);
    assert_eq!(store.read("stream", 0).unwrap().len(), 3);
    assert_eq!(store.list_owned::<i32>("kind", "ada").unwrap(), [2]);
    assert_eq!(store.append("stream", &"four").unwrap(), 4);
    assert_eq!(store.chain_verify(None).unwrap().count, 1);
}

#[test]
fn a_store_that_is_opened_beside_another_takes_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1 << 20);
    one.append("stream", &1).unwrap();
    let two = open(folder.path(), 1 << 20);
    assert_eq!(two.read("stream", 0).unwrap().len(), 1);
    assert_eq!(two.append("stream", &2).unwrap(), 2);
    one.writer().tidy().unwrap();
    assert_eq!(one.append("stream", &3).unwrap(), 3);
    assert_eq!(one.read("stream", 0).unwrap().len(), 3);
}

#[test]
fn at_rest_everything_is_in_one_file_which_nobody_changes_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), 1 << 20);
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    store.append("stream", &"entry").unwrap();
    store.chain_append(&"entry").unwrap();
    store.rest().unwrap();
    let (database, journal) = (bytes("aside.db"), bytes("aside.journal"));
    assert!(bytes("aside.db-wal").is_empty());
    assert!(matches!(store.append("stream", &"late"), Err(StoreError::AtRest)));
    assert!(matches!(store.chain_append(&"late"), Err(StoreError::AtRest)));
    assert!(matches!(store.write(Durability::Soon, Batch::default()), Err(StoreError::AtRest)));
    assert_eq!(store.read("stream", 0).unwrap().len(), 1, "it is still read");
    assert_eq!(store.chain_end().unwrap().map(|last| last.seq), Some(1));
    drop(store);
    assert!((bytes("aside.db"), bytes("aside.journal")) == (database, journal) && bytes("aside.db-wal").is_empty());
}
