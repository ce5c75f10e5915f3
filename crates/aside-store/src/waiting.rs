//! What is in the journal and not yet in the database, so that a reader knows when to wait for it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::{LogEntry, write::Write};

/// Where something is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    Records(&'a str),
    Log(&'a str),
    Chain,
    Bytes(&'a str),
    Blobs,
}

/// Writes in the order in which they were made, each with the position of its record in the journal.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    writes: Vec<(u64, Write)>,
    /// The last write of each record, by kind and id.
    records: HashMap<String, HashMap<String, usize>>,
    /// The last position in each stream.
    streams: HashMap<Arc<str>, Option<u64>>,
    bytes: HashSet<String>,
    chain: bool,
    blobs: bool,
}

impl Waiting {
    /// Takes in a record of the journal, with its entries as far as they were numbered.
    pub(crate) fn add(&mut self, position: u64, writes: Vec<Write>, entries: &[LogEntry]) {
        for write in writes {
            self.note(&write);
            self.writes.push((position, write));
        }
        for entry in entries {
            self.streams.insert(entry.stream.clone(), Some(entry.seq));
        }
    }

    fn note(&mut self, write: &Write) {
        match write {
            Write::Put { kind, id, .. } | Write::Delete { kind, id } => {
                let of_kind = match self.records.get_mut(kind) {
                    Some(of_kind) => of_kind,
                    None => self.records.entry(kind.clone()).or_default(),
                };
                of_kind.insert(id.clone(), self.writes.len());
            }
            Write::Append { stream, .. } => _ = self.streams.entry(stream.clone()).or_default(),
            Write::Chain { .. } => self.chain = true,
            Write::AppendBytes { stream, .. } | Write::DeleteBytes { stream } => {
                if !self.bytes.contains(stream) {
                    self.bytes.insert(stream.clone());
                }
            }
            Write::SmallBlob { .. } => self.blobs = true,
        }
    }

    /// The last position in a stream, if an entry of it waits and was numbered.
    pub(crate) fn last(&self, stream: &str) -> Option<u64> {
        self.streams.get(stream).copied().flatten()
    }

    /// The text of a record if it waits, or none if what waits is its end.
    pub(crate) fn record(&self, kind: &str, id: &str) -> Option<Option<&str>> {
        let at = *self.records.get(kind)?.get(id)?;
        Some(match &self.writes.get(at)?.1 {
            Write::Put { body, .. } => Some(body),
            _ => None,
        })
    }

    /// Tells whether something waits for this place.
    pub(crate) fn is_at(&self, place: Place<'_>) -> bool {
        match place {
            Place::Records(kind) => self.records.contains_key(kind),
            Place::Log(stream) => self.streams.contains_key(stream),
            Place::Chain => self.chain,
            Place::Bytes(stream) => self.bytes.contains(stream),
            Place::Blobs => self.blobs,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// What is to be carried out, in order, of all after this position: of the writes of one record only the last.
    pub(crate) fn after(&self, position: u64) -> impl Iterator<Item = &Write> {
        self.writes
            .iter()
            .enumerate()
            .filter(move |(at, (of, write))| *of > position && self.counts(*at, write))
            .map(|(_, (_, write))| write)
    }

    fn counts(&self, at: usize, write: &Write) -> bool {
        match write {
            Write::Put { kind, id, .. } | Write::Delete { kind, id } => {
                self.records.get(kind).and_then(|of_kind| of_kind.get(id)) == Some(&at)
            }
            _ => true,
        }
    }
}
