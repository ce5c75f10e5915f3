//! The layout of the workspace: a small shared map that browsers write and the server keeps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aside_core::EpochId;
use aside_doc::{Access, PeerId, StateDocument, SyncError};
use aside_store::Store;

use crate::{
    WorkspaceError,
    room::{Frames, Live, Peer, Room},
};

const STREAM: &str = "layout";
const RECORD: (&str, &str) = ("layout", "epoch");

/// Pieces in the log after which it is written anew as one.
const MOST_PIECES: usize = 500;

/// The live layout.
pub struct Layout {
    epoch: EpochId,
    store: Arc<Store>,
    inner: Mutex<Inner>,
}

struct Inner {
    map: StateDocument,
    room: Room,
    pieces: usize,
}

impl Layout {
    /// Continues the stored layout, or starts an empty one.
    pub(crate) fn open(store: Arc<Store>) -> Result<Arc<Self>, WorkspaceError> {
        let updates = store.read_bytes(STREAM)?;
        let stored = store.get::<EpochId>(RECORD.0, RECORD.1)?.zip(StateDocument::from_updates(&updates).ok());
        let (epoch, map) = match stored {
            Some(stored) => stored,
            // A layout that can't be read is no loss worth stopping for.
            None => {
                let epoch: EpochId = store.new_id();
                store.delete_bytes(STREAM)?;
                store.put(RECORD.0, RECORD.1, None, &epoch)?;
                (epoch, StateDocument::default())
            }
        };
        let inner = Inner { map, room: Room::default(), pieces: updates.len() };
        Ok(Arc::new(Self { epoch, store, inner: Mutex::new(inner) }))
    }

    /// Names this history of the layout.
    pub fn epoch(&self) -> &EpochId {
        &self.epoch
    }

    /// Connects an editor of the layout; its first frames greet it.
    pub fn connect(self: &Arc<Self>) -> (Peer, Frames) {
        let mut inner = self.lock();
        let greeting = inner.map.replica().greet();
        let (id, frames) = inner.room.join(greeting);
        (Peer::new(Arc::clone(self) as Arc<dyn Live>, id), frames)
    }

    /// Connects somebody who sees the layout and changes nothing of it.
    pub fn connect_reading(self: &Arc<Self>) -> (Peer, Frames) {
        let mut inner = self.lock();
        let greeting = inner.map.replica().greet();
        let (id, frames) = inner.room.join(greeting);
        (Peer::new(Arc::new(Reading(Arc::clone(self))), id), frames)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, inner: &mut Inner, update: &[u8]) -> Result<(), WorkspaceError> {
        inner.pieces += 1;
        if inner.pieces > MOST_PIECES {
            self.store.replace_bytes(STREAM, &inner.map.replica().encode_state())?;
            inner.pieces = 1;
        } else {
            self.store.append_bytes(STREAM, update)?;
        }
        Ok(())
    }
}

impl Layout {
    fn receive_as(&self, access: Access, peer: PeerId, message: &[u8]) -> Result<(), WorkspaceError> {
        let mut inner = self.lock();
        let received = inner.map.replica_mut().receive(peer, access, message).map_err(|error| {
            if let SyncError::Unusable(_) = error
                && let Ok(updates) = self.store.read_bytes(STREAM)
                && let Err(error) = inner.map.restore(updates)
            {
                tracing::warn!("cannot restore the stored layout: {error}");
            }
            WorkspaceError::Sync { path: STREAM.to_owned(), reason: error.to_string() }
        })?;
        inner.room.send_to(peer, received.replies);
        if let Some(change) = received.change {
            self.keep(&mut inner, &change.update)?;
            inner.room.send_others(Some(peer), change.frame());
        }
        if let Some(presence) = received.presence {
            inner.room.send_others(Some(peer), presence);
        }
        Ok(())
    }
}

impl Live for Layout {
    fn receive(&self, peer: PeerId, message: &[u8]) -> Result<(), WorkspaceError> {
        self.receive_as(Access::Write, peer, message)
    }

    fn leave(&self, peer: PeerId) {
        let mut inner = self.lock();
        inner.room.leave(peer);
        if let Some(gone) = inner.map.replica_mut().leave(peer) {
            inner.room.send_others(None, gone);
        }
    }
}

/// The layout as somebody has it who only sees it.
struct Reading(Arc<Layout>);

impl Live for Reading {
    fn receive(&self, peer: PeerId, message: &[u8]) -> Result<(), WorkspaceError> {
        self.0.receive_as(Access::Read, peer, message)
    }

    fn leave(&self, peer: PeerId) {
        self.0.leave(peer);
    }
}

#[cfg(test)]
mod tests {
    use aside_doc::TextDocument;
    use aside_store::StoreOptions;

    use super::*;
    use crate::room::DocumentFrame;

    /// What is heard without waiting.
    fn heard(frames: &mut Frames) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| frames.try_recv().ok())
            .filter_map(|frame| match frame {
                DocumentFrame::Message(message) => Some(message.to_vec()),
                DocumentFrame::Edited { .. } => None,
            })
            .collect()
    }

    #[test]
    fn who_only_reads_changes_nothing_for_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::system()).unwrap();
        let layout = Layout::open(store.clone()).unwrap();
        let ((owner, _own), (guest, mut answers), (_other, mut others)) =
            (layout.connect(), layout.connect_reading(), layout.connect());
        let mut copy = TextDocument::from_updates::<&[u8]>([]).unwrap();
        let change = copy.replace_text("anything", "typing").unwrap().frame();
        heard(&mut answers);
        heard(&mut others);
        guest.receive(&change).unwrap();
        assert_eq!(heard(&mut others), Vec::<Vec<u8>>::new());
        assert_eq!(heard(&mut answers).len(), 1, "it is told so");
        assert!(store.read_bytes(STREAM).unwrap().is_empty());
        owner.receive(&change).unwrap();
        assert_eq!((heard(&mut others).len(), heard(&mut answers).len()), (1, 1), "what the owner changes is seen");
    }
}
