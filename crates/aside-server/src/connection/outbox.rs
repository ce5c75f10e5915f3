//! What waits to be sent on one socket, bounded in bytes: a reader that is too slow is let go and comes
//! back with what it has, rather than growing our memory.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use aside_protocol::ServerFrame;
use axum::extract::ws::Message;
use tokio::sync::{Notify, mpsc};

/// Bytes that may wait. One message more is always taken, however large, so that a large document opens.
const MOST: usize = 8 << 20;
/// Bytes that may wait while whoever can wait too sends on.
const ROOM: usize = 1 << 20;

/// The socket is closed, or too slow and to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection is closed or too slow")]
pub struct Gone;

/// The writing end.
#[derive(Clone, Debug)]
pub struct Outbox {
    sender: mpsc::UnboundedSender<Message>,
    waiting: Arc<AtomicUsize>,
    sent: Arc<Notify>,
}

/// The end that feeds the socket.
#[derive(Debug)]
pub struct Outgoing {
    receiver: mpsc::UnboundedReceiver<Message>,
    waiting: Arc<AtomicUsize>,
    sent: Arc<Notify>,
}

/// Makes both ends.
pub fn outbox() -> (Outbox, Outgoing) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let (waiting, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    (Outbox { sender, waiting: waiting.clone(), sent: sent.clone() }, Outgoing { receiver, waiting, sent })
}

impl Outbox {
    /// Queues a frame of words.
    pub fn say(&self, frame: &ServerFrame) -> Result<(), Gone> {
        let text = serde_json::to_string(frame).expect("wire types serialise to JSON");
        self.send(Message::Text(text.into()))
    }

    /// Queues a message.
    pub fn send(&self, message: Message) -> Result<(), Gone> {
        let size = size(&message);
        if self.waiting.fetch_add(size, Ordering::Relaxed) > MOST {
            return Err(Gone);
        }
        self.sender.send(message).map_err(|_| Gone)
    }

    /// Waits until little waits to be sent: for those who have more to say than a slow reader can take.
    pub async fn room(&self) {
        loop {
            let sent = self.sent.notified();
            if self.waiting.load(Ordering::Relaxed) <= ROOM || self.sender.is_closed() {
                return;
            }
            sent.await;
        }
    }
}

impl Outgoing {
    /// Returns the next message; none when nobody can send any more.
    pub async fn next(&mut self) -> Option<Message> {
        let message = self.receiver.recv().await?;
        Some(self.taken(message))
    }

    /// Returns the next message if there is one now.
    pub fn next_now(&mut self) -> Option<Message> {
        let message = self.receiver.try_recv().ok()?;
        Some(self.taken(message))
    }

    fn taken(&self, message: Message) -> Message {
        self.waiting.fetch_sub(size(&message), Ordering::Relaxed);
        self.sent.notify_waiters();
        message
    }
}

/// Returns the bytes of a message's content.
pub fn size(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_is_too_slow_is_let_go() {
        let (outbox, mut outgoing) = outbox();
        let piece = Message::Binary(vec![0; 1 << 20].into());
        let queued = (0..100).take_while(|_| outbox.send(piece.clone()).is_ok()).count();
        assert_eq!(queued, 9);
        while outgoing.next_now().is_some() {}
    }

    #[tokio::test]
    async fn one_large_message_goes_out() {
        let (outbox, mut outgoing) = outbox();
        outbox.send(Message::Binary(vec![0; 50 << 20].into())).unwrap();
        assert_eq!(outbox.say(&ServerFrame::NeedsYou { count: 1 }), Err(Gone));
        assert!(outgoing.next().await.is_some());
    }
}
