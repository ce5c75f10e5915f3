//! A person who types into an open document, with a copy of their own as every editor has.

use std::sync::Arc;

use aside_doc::{Access, PeerId, Splice, TextDocument};
use aside_workspace::{Document, DocumentFrame, Frames, Peer};

/// An editor that is connected to one document.
pub struct Person {
    copy: TextDocument,
    peer: Peer,
    frames: Frames,
}

impl Person {
    /// Opens the document and gets its text.
    pub fn at(document: &Arc<Document>) -> Self {
        let (peer, frames) = document.connect();
        let copy = TextDocument::from_updates::<Vec<u8>>([]).unwrap();
        let mut person = Self { copy, peer, frames };
        for frame in person.copy.replica().greet() {
            person.peer.receive(&frame).unwrap();
        }
        person.listen();
        person
    }

    /// Replaces the first occurrence of a text by another.
    pub fn types(&mut self, old: &str, new: &str) {
        self.listen();
        let text = self.copy.text();
        let start = text.find(old).unwrap_or_else(|| panic!("`{old}` is not in {text:?}"));
        let splice = Splice { range: start..start + old.len(), insert: new.to_owned() };
        let change = self.copy.apply(&[splice], "typing").expect("it changes something");
        self.peer.receive(&change.frame()).unwrap();
    }

    fn listen(&mut self) {
        while let Ok(frame) = self.frames.try_recv() {
            if let DocumentFrame::Message(message) = frame {
                let received = self.copy.replica_mut().receive(PeerId(0), Access::Write, &message).unwrap();
                received.replies.iter().for_each(|reply| self.peer.receive(reply).unwrap());
            }
        }
    }
}
