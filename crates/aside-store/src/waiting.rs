//! What is in the journal and not yet in the database, so that a reader knows when to wait for it.

use std::{
    collections::{HashMap, HashSet, VecDeque},
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
    writes: VecDeque<(u64, Write)>,
    /// How many were before these, and wait no more. What is said below of such does no harm: it leads to the database.
    done: usize,
    /// The last write of each record, by kind and id: which one it is, of all that there were.
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
            self.writes.push_back((position, write));
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
                of_kind.insert(id.clone(), self.done + self.writes.len());
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
        let at = self.records.get(kind)?.get(id)?.checked_sub(self.done)?;
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

    /// The position to which about so many writes reach; `None` if there are no more.
    pub(crate) fn reach_of(&self, writes: usize) -> Option<u64> {
        let (position, _) = self.writes.get(writes)?;
        (self.writes.back()?.0 > *position).then_some(*position)
    }

    /// What is to be carried out, in order, of all after a position and up to another: of the writes of one record only the
    /// last.
    pub(crate) fn between(&self, after: u64, upto: u64) -> impl Iterator<Item = &Write> {
        let there = self.writes.iter().zip(self.done..).take_while(move |((of, _), _)| *of <= upto);
        there.filter(move |((of, write), at)| *of > after && self.counts(*at, write)).map(|((_, write), _)| write)
    }

    /// What is up to this position waits no more.
    pub(crate) fn reached(&mut self, upto: u64) {
        let done = self.writes.partition_point(|(of, _)| *of <= upto);
        self.writes.drain(..done);
        self.done += done;
        if self.writes.is_empty() {
            *self = Self::default();
        }
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
