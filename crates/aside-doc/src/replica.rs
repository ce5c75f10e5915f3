//! One copy of a CRDT document and its side of the Yjs sync protocol.
//!
//! Nothing is sent or stored here: every call returns what its caller has to send and to store.

use std::panic::{AssertUnwindSafe, catch_unwind};

use yrs::{
    Doc, OffsetKind, Options, ReadTxn as _, StateVector, Transact as _, TransactionMut, Update, WriteTxn as _,
    error::UpdateError,
    updates::{decoder::Decode as _, encoder::Encode as _},
};

use message::Message;
use presence::Presence;

mod message;
mod presence;

/// An update without content, as Yjs encodes it.
const NO_NEWS: [u8; 2] = [0, 0];

/// Names one connection to a document; chosen by whoever holds the connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u64);

/// What a peer may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// See the document and be seen.
    Read,
    /// Change it too.
    Write,
}

/// Why a frame or a stored update can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyncError {
    /// The bytes make no sense.
    #[error("cannot read the sync message: {0}")]
    Malformed(String),
    /// The update does not fit the document. The copy may hold a part of it, until it is restored.
    #[error("cannot apply the update: {0}")]
    Unusable(String),
}

/// A change of a document, to be stored and to be sent to all other peers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The encoded update (Yjs encoding, version 1), to be stored.
    pub update: Vec<u8>,
}

impl Change {
    /// The change as a frame for the other peers.
    pub fn frame(&self) -> Vec<u8> {
        Message::Update(self.update.clone()).encode()
    }
}

/// What came of a frame. Each frame in here holds one message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Frames for the sender.
    pub replies: Vec<Vec<u8>>,
    /// What changed: to be stored, and sent to all other peers.
    pub change: Option<Change>,
    /// News of who is here: a frame for all other peers.
    pub presence: Option<Vec<u8>>,
}

/// What came of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// What changed; none if the update held nothing new.
    pub change: Option<Change>,
    /// Unset if some of it builds on changes that are not here, and was left out.
    pub complete: bool,
}

/// One copy of a CRDT document.
pub struct Replica {
    doc: Doc,
    presence: Presence,
    revision: u64,
}

impl Default for Replica {
    fn default() -> Self {
        // The client id stays random: two copies with the same one would corrupt each other.
        let options = Options { offset_kind: OffsetKind::Utf16, ..Options::default() };
        Self { doc: Doc::with_options(options), presence: Presence::default(), revision: 0 }
    }
}

impl Replica {
    /// Builds a copy from stored updates, in any order.
    pub fn from_updates<Bytes: AsRef<[u8]>>(updates: impl IntoIterator<Item = Bytes>) -> Result<Self, SyncError> {
        let updates: Vec<Update> =
            updates.into_iter().map(|update| decoded(update.as_ref())).collect::<Result<_, _>>()?;
        let mut replica = Self::default();
        replica.integrate(updates)?;
        Ok(replica)
    }

    /// Counts the changes; the content is the same as long as this number is.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The whole state as one update.
    pub fn encode_state(&self) -> Vec<u8> {
        self.doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    /// The frames a new peer is sent first: sync step 1, then who is here.
    pub fn greet(&self) -> Vec<Vec<u8>> {
        let presence = self.presence.all().map(|states| Message::Awareness(states).encode());
        [self.question()].into_iter().chain(presence).collect()
    }

    /// Takes in one frame of a peer.
    pub fn receive(&mut self, peer: PeerId, access: Access, frame: &[u8]) -> Result<Received, SyncError> {
        match Message::decode(frame)? {
            Message::Step1(vector) => self.missing_for(&vector).map(Received::reply),
            // An answer that is not complete would not be so the next time: only changes are asked for again.
            Message::Step2(update) => self.receive_update(access, &update, false),
            Message::Update(update) => self.receive_update(access, &update, true),
            Message::Awareness(states) => self.receive_presence(peer, &states),
            Message::QueryAwareness => {
                Ok(self.presence.all().map(|states| Received::reply(Message::Awareness(states))).unwrap_or_default())
            }
            Message::Denied(_) => Ok(Received::default()),
        }
    }

    /// Forgets a peer; returns the frame that tells the others, if it was seen by them.
    pub fn leave(&mut self, peer: PeerId) -> Option<Vec<u8>> {
        self.presence.leave(peer).map(|states| Message::Awareness(states).encode())
    }

    /// Merges an update from a peer or from storage.
    pub fn merge(&mut self, update: &[u8]) -> Result<Merge, SyncError> {
        self.integrate(vec![decoded(update)?])
    }

    fn integrate(&mut self, updates: Vec<Update>) -> Result<Merge, SyncError> {
        let mut applied = Ok(Ok(true));
        // Caught inside too, so that the transaction does not end in the middle of a panic.
        let apply = |transaction: &mut TransactionMut| {
            applied = unbroken(|| {
                updates.into_iter().try_for_each(|update| transaction.apply_update(update))?;
                // What builds on changes that are not here is asked for again rather than kept unread.
                Ok::<_, UpdateError>(transaction.prune_pending().is_none())
            });
        };
        let change = unbroken(|| self.change("sync", apply)).map_err(SyncError::Unusable)?;
        let complete = applied.map_err(SyncError::Unusable)?.map_err(|error| SyncError::Unusable(error.to_string()))?;
        Ok(Merge { change, complete })
    }

    /// Makes a change in one transaction; none if it did nothing.
    pub(crate) fn change(&mut self, origin: &str, make: impl FnOnce(&mut TransactionMut)) -> Option<Change> {
        let mut transaction = self.doc.transact_mut_with(origin);
        make(&mut transaction);
        let update = transaction.encode_update_v1();
        drop(transaction);
        if update == NO_NEWS {
            return None;
        }
        self.revision += 1;
        Some(Change { update })
    }

    /// Begins anew with what is stored. Who is here stays.
    pub(crate) fn restore<Bytes: AsRef<[u8]>>(
        &mut self,
        updates: impl IntoIterator<Item = Bytes>,
    ) -> Result<(), SyncError> {
        self.doc = Self::from_updates(updates)?.doc;
        self.revision += 1;
        Ok(())
    }

    pub(crate) fn doc(&self) -> &Doc {
        &self.doc
    }

    /// Sync step 1 as a frame: "send me what I don't have".
    fn question(&self) -> Vec<u8> {
        Message::Step1(self.doc.transact().state_vector().encode_v1()).encode()
    }

    fn missing_for(&self, vector: &[u8]) -> Result<Message, SyncError> {
        let missing = || {
            let vector = StateVector::decode_v1(vector)?;
            Ok(self.doc.transact().encode_state_as_update_v1(&vector))
        };
        let missing: Result<_, yrs::encoding::read::Error> = unbroken(missing).map_err(SyncError::Malformed)?;
        missing.map(Message::Step2).map_err(|error| SyncError::Malformed(error.to_string()))
    }

    fn receive_update(&mut self, access: Access, update: &[u8], ask: bool) -> Result<Received, SyncError> {
        // A reader's answer to our step 1 is empty unless it typed something.
        if access == Access::Read && update != NO_NEWS {
            return Ok(Received::reply(Message::Denied("this document is read-only here".to_owned())));
        }
        let Merge { change, complete } = self.merge(update)?;
        let replies = if ask && !complete { vec![self.question()] } else { Vec::new() };
        Ok(Received { replies, change, presence: None })
    }

    fn receive_presence(&mut self, peer: PeerId, states: &[u8]) -> Result<Received, SyncError> {
        let news = self.presence.merge(peer, states).map_err(|error| SyncError::Malformed(error.to_string()))?;
        Ok(Received { presence: news.map(|states| Message::Awareness(states).encode()), ..Received::default() })
    }
}

fn decoded(update: &[u8]) -> Result<Update, SyncError> {
    let update = unbroken(|| Update::decode_v1(update)).map_err(SyncError::Malformed)?;
    update.map_err(|error| SyncError::Malformed(error.to_string()))
}

/// Runs what reads foreign bytes. Some rules of their format are assertions in yrs.
pub(crate) fn unbroken<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| "its format is invalid".to_owned())
}

impl Received {
    fn reply(message: Message) -> Self {
        Self { replies: vec![message.encode()], ..Self::default() }
    }
}
