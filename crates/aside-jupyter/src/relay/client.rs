//! The server's end: starts the relay of a kernel, or finds it, and starts it again if it was killed.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::{Bytes, BytesMut};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Instant, sleep},
};

use super::{
    AT_ONCE, arguments, socket,
    wire::{Order, next_piece, read_message},
};
use crate::{
    backlog::Backlog,
    channels::{Inbox, Incoming},
    connection::Channel,
    process::{Identity, spawn_own},
};

/// How long a relay may take to listen.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often one that is starting is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// When it is tried again to start one that did not come to listen.
const AGAIN: Duration = Duration::from_millis(100);
/// Bytes that are read at once while little comes.
const SHORT: usize = 4 * 1024;
/// When it is told what is kept, if nothing else is said to it before: it remembers that much longer, and is not woken for
/// each message.
const KEPT_WITHIN: Duration = Duration::from_millis(10);
/// The longest path that a socket can have.
const LONGEST: usize = 107;

/// What is spoken to.
#[derive(Clone, Debug)]
pub(crate) struct Link(UnboundedSender<Order>);

impl Link {
    /// Sends something to the kernel. It waits while there is no relay.
    pub fn send(&self, channel: Channel, frames: Vec<Bytes>) {
        self.order(Order::Send(channel, frames));
    }

    /// Everything up to this number is kept.
    pub fn keep(&self, upto: u64) {
        self.order(Order::Kept(upto));
    }

    fn order(&self, order: Order) {
        // Nobody tends it any more: the kernel is dead.
        let _ = self.0.send(order);
    }
}

/// A relay that is there.
pub(crate) struct Relay {
    file: PathBuf,
    kernel: Identity,
    stream: UnixStream,
    /// It was there before, and has heard everything.
    pub is_found: bool,
    /// The number of what came last.
    seen: u64,
    orders: UnboundedReceiver<Order>,
}

impl Relay {
    /// Finds the relay of a kernel, or starts one. None if there can be none.
    pub async fn open(file: &Path, kernel: Identity) -> Option<(Self, Link)> {
        let (stream, is_found) = match UnixStream::connect(socket(file)).await {
            Ok(stream) => (stream, true),
            Err(_) => (start(file, kernel).await?, false),
        };
        let (link, orders) = unbounded_channel();
        Some((Self { file: file.to_owned(), kernel, stream, is_found, seen: 0, orders }, Link(link)))
    }

    /// Hands on what it says, until the kernel is dead. One that is killed is started again; then `missed` is called.
    pub async fn tend(mut self, inbox: Inbox, backlog: Arc<Backlog>, missed: impl Fn()) {
        loop {
            self.serve(&inbox, &backlog).await;
            self.stream = loop {
                if !self.kernel.is_alive() || inbox.is_closed() {
                    return;
                }
                match start(&self.file, self.kernel).await {
                    Some(stream) => break stream,
                    None => sleep(AGAIN).await,
                }
            };
            missed();
        }
    }

    async fn serve(&mut self, inbox: &Inbox, backlog: &Backlog) {
        let Self { stream, orders, seen, .. } = self;
        let (mut from, mut to) = stream.split();
        let receive = async {
            let mut received = BytesMut::new();
            let mut much = false;
            loop {
                // Messages hold what they were read into: for one that is short little is set aside.
                received.reserve(if much { AT_ONCE } else { SHORT });
                let room = received.capacity() - received.len();
                match from.read_buf(&mut received).await {
                    Ok(read @ 1..) => much = read == room,
                    _ => return,
                }
                while let Some((number, frames)) = next_piece(&mut received).and_then(read_message) {
                    // What was said before it is told again to whoever comes anew.
                    if number <= *seen {
                        continue;
                    }
                    *seen = number;
                    if !frames.is_empty() && inbox.send(Incoming { number, frames }).is_err() {
                        return;
                    }
                }
                backlog.room().await;
            }
        };
        let send = async {
            while let Some(said) = next_said(orders).await {
                if to.write_all(&said).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = receive => (),
            () = send => (),
        }
    }
}

/// Waits for what is to be said next. What is kept is said with it, or a little later.
async fn next_said(orders: &mut UnboundedReceiver<Order>) -> Option<Vec<u8>> {
    let mut order = orders.recv().await?;
    let mut kept = None;
    let later = sleep(KEPT_WITHIN);
    tokio::pin!(later);
    while let Order::Kept(upto) = order {
        kept = Some(upto);
        order = tokio::select! {
            more = orders.recv() => match more {
                Some(more) => more,
                None => break,
            },
            () = &mut later => break,
        };
    }
    let sent = Some(order).filter(|order| matches!(order, Order::Send(..)));
    let said = kept.map(Order::Kept).into_iter().chain(sent);
    Some(said.flat_map(|order| order.write()).collect())
}

async fn start(file: &Path, kernel: Identity) -> Option<UnixStream> {
    let socket = socket(file);
    let arguments = arguments(file, kernel).filter(|_| socket.as_os_str().len() <= LONGEST)?;
    let mut child = spawn_own(&arguments).ok()?;
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Ok(stream) = UnixStream::connect(&socket).await {
            return Some(stream);
        }
        // One that was killed may not have let go of the kernel yet when the next one came.
        if child.try_wait().ok()?.is_some() {
            sleep(AGAIN).await;
            child = spawn_own(&arguments).ok()?;
        }
        sleep(LOOK_EVERY).await;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_kept_is_said_at_once_for_many_and_before_what_is_sent() {
        let (link, mut orders) = unbounded_channel();
        let send = || Order::Send(Channel::Shell, vec![Bytes::from("code")]);
        let (kept, sent) = (Order::Kept(3).write(), send().write());
        for order in [Order::Kept(1), Order::Kept(2), Order::Kept(3), send(), Order::Kept(4), Order::Kept(5)] {
            link.send(order).unwrap();
        }
        assert_eq!(next_said(&mut orders).await.unwrap(), [&kept[..], &sent].concat());
        let before = Instant::now();
        assert_eq!(next_said(&mut orders).await.unwrap(), Order::Kept(5).write());
        assert!(before.elapsed() >= KEPT_WITHIN);
        link.send(Order::Kept(6)).unwrap();
        drop(link);
        assert_eq!(next_said(&mut orders).await.unwrap(), Order::Kept(6).write());
        assert_eq!(next_said(&mut orders).await, None);
    }
}
