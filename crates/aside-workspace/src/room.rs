//! Who is connected to a live document, and what each of them still has to be sent.

use std::{collections::HashMap, fmt, sync::Arc};

use aside_core::ActionId;
use aside_doc::PeerId;
use tokio::sync::mpsc;

use crate::WorkspaceError;

/// How many frames a connection may fall behind; then it is cut, and syncs anew when it comes back.
const MOST_BEHIND: usize = 4096;

/// One thing to send to a connected editor, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentFrame {
    /// One message of the y-protocols.
    Message(Arc<[u8]>),
    /// The change sent just before was an action's.
    Edited {
        /// The action.
        action: ActionId,
        /// The action that this one took back, if it was an undo.
        undoes: Option<ActionId>,
    },
}

impl From<Vec<u8>> for DocumentFrame {
    fn from(message: Vec<u8>) -> Self {
        Self::Message(message.into())
    }
}

/// What a connection is to: a text or the layout.
pub(crate) trait Live: Send + Sync {
    /// Takes in one message.
    fn receive(&self, peer: PeerId, message: &[u8]) -> Result<(), WorkspaceError>;

    /// Forgets one who has gone.
    fn leave(&self, peer: PeerId);
}

/// The sending side of one connection to a document; it leaves when this is dropped.
pub struct Peer {
    on: Arc<dyn Live>,
    id: PeerId,
}

impl Peer {
    pub(crate) fn new(on: Arc<dyn Live>, id: PeerId) -> Self {
        Self { on, id }
    }

    /// Takes in one message of the y-protocols. What follows from it arrives in the frames of all.
    pub fn receive(&self, message: &[u8]) -> Result<(), WorkspaceError> {
        self.on.receive(self.id, message)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.on.leave(self.id);
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Peer({})", self.id.0)
    }
}

/// What a connected editor is to be sent; ends when it fell too far behind or the document is no more.
pub type Frames = mpsc::Receiver<DocumentFrame>;

/// The connections of one document.
#[derive(Debug, Default)]
pub(crate) struct Room {
    peers: HashMap<PeerId, mpsc::Sender<DocumentFrame>>,
    last: u64,
}

impl Room {
    /// Lets one in.
    pub fn join(&mut self, greeting: Vec<Vec<u8>>) -> (PeerId, Frames) {
        let (sender, receiver) = mpsc::channel(MOST_BEHIND);
        self.last += 1;
        let peer = PeerId(self.last);
        self.peers.insert(peer, sender);
        self.send_to(peer, greeting);
        (peer, receiver)
    }

    pub fn leave(&mut self, peer: PeerId) {
        self.peers.remove(&peer);
    }

    /// Cuts everybody off: the document they knew is no more.
    pub fn close(&mut self) {
        self.peers.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.peers.is_empty()
    }

    /// Sends to one.
    pub fn send_to(&mut self, peer: PeerId, messages: Vec<Vec<u8>>) {
        let Some(sender) = self.peers.get(&peer) else { return };
        if messages.into_iter().any(|message| sender.try_send(message.into()).is_err()) {
            self.peers.remove(&peer);
        }
    }

    /// Sends to all but one.
    pub fn send_others(&mut self, except: Option<PeerId>, frame: impl Into<DocumentFrame>) {
        let frame = frame.into();
        self.peers.retain(|peer, sender| Some(*peer) == except || sender.try_send(frame.clone()).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_who_does_not_listen_is_cut_off_and_the_others_go_on() {
        let mut room = Room::default();
        let (_deaf, mut unread) = room.join(Vec::new());
        let (_other, mut read) = room.join(Vec::new());
        for _ in 0..=MOST_BEHIND {
            room.send_others(None, vec![1]);
            assert!(read.try_recv().is_ok());
        }
        let received = std::iter::from_fn(|| unread.try_recv().ok()).count();
        assert_eq!(received, MOST_BEHIND);
        assert_eq!(unread.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
    }
}
