//! A long audit: checked as a whole, and searched.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use aside_core::{ActionId, AuditRecord};
use aside_gate::{AuditQuery, Catalog, Gate, Policy};
use aside_store::{Durability, Store, StoreOptions};

use crate::{figure, median, milliseconds, timed};

const RECORDS: usize = 1_000_000;
/// Indexed at once when a question comes.
const INDEXED: usize = 20_000;
const GROUP: usize = 5_000;
/// So many of them are a file for the peer, whose speed does not depend on how long it is.
const LISTED: usize = 100_000;

/// Fills an audit with the records that the edits before have left, again and again under other ids.
pub(crate) fn measure(folder: &Path) {
    let kinds = records(&folder.join("workspace"));
    let store = Store::open(&folder.join("audit"), StoreOptions::system()).expect("a store");
    let gate = Gate::new(Arc::clone(&store), Catalog::default(), Policy::builtin());
    let listed = BufWriter::new(File::create(folder.join("audit.jsonl")).expect("a file"));
    let mut audit = Audit { store, kinds, listed, count: 0, bytes: 0 };
    audit.fill(INDEXED);
    index(&gate);
    audit.fill(RECORDS - INDEXED);
    audit.listed.flush().expect("the lines are written");
    verify(&gate, audit.bytes, &folder.join("audit.jsonl"));
}

struct Audit {
    store: Arc<Store>,
    kinds: Vec<AuditRecord>,
    /// The same as lines, for the peer.
    listed: BufWriter<File>,
    count: usize,
    bytes: u64,
}

impl Audit {
    fn fill(&mut self, count: usize) {
        let Self { store, kinds, listed, count: done, bytes } = self;
        let mut next = kinds.iter().cycle();
        for _ in 0..count / GROUP {
            let written = store.transaction(Durability::Normal, |transaction| {
                for record in next.by_ref().take(GROUP) {
                    let action: ActionId = transaction.new_id();
                    let record = AuditRecord { action, at: transaction.now(), ..record.clone() };
                    let entry = transaction.chain_append(&serde_json::to_value(record).expect("JSON"))?;
                    *bytes += entry.body.len() as u64;
                    *done += 1;
                    if *done <= LISTED {
                        writeln!(listed, "{}", entry.body).expect("the line is written");
                    }
                }
                Ok(())
            });
            written.expect("they are written");
        }
    }
}

fn records(workspace: &Path) -> Vec<AuditRecord> {
    let store = Store::open(&workspace.join(".aside"), StoreOptions::system()).expect("the store of the edits");
    let entries = store.chain_read(0, 200).expect("its audit");
    entries.iter().map(|entry| serde_json::from_str(&entry.body).expect("a record")).collect()
}

/// The first question after many new records, and the next.
fn index(gate: &Gate) {
    let query = AuditQuery { object: Some("0.txt".to_owned()), limit: 50, ..AuditQuery::default() };
    let find = || assert_eq!(gate.audit_find(&query).expect("it is searched").len(), 50);
    let (first, ()) = timed(find);
    let (next, ()) = timed(find);
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let rate = INDEXED as f64 / first.as_secs_f64();
    figure("records indexed (1/s)", rate, "", None);
    figure("50 records of one file found (ms)", milliseconds(next), "", None);
}

fn verify(gate: &Gate, bytes: u64, lines: &Path) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let of_peer = lines.metadata().expect("the file is there").len();
    for _ in 0..3 {
        let (time, head) = timed(|| gate.audit_verify(None).expect("it holds"));
        assert_eq!(head.count, RECORDS as u64);
        ours.push(speed(bytes, time));
        theirs.extend(sha256sum(lines).map(|time| speed(of_peer, time)));
    }
    let peer = (!theirs.is_empty()).then(|| (median(theirs), "sha256sum over a part of it"));
    figure(&format!("audit of {RECORDS} records verified (MB/s)"), median(ours), ">=100", peer);
}

#[expect(clippy::cast_precision_loss, reason = "less than 2^52")]
fn speed(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

/// How long the system's own tool takes, if there is one.
fn sha256sum(file: &Path) -> Option<Duration> {
    let (time, status) = timed(|| Command::new("sha256sum").arg(file).stdout(Stdio::null()).status());
    status.is_ok_and(|status| status.success()).then_some(time)
}
