//! The server's end: starts the relay of a kernel, or finds it, and starts it again if it was killed.

use std::{
    future::poll_fn,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::Poll,
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
/// When it is told what is kept, if nothing else is said to it before: it remembers that much longer, and neither it nor the
/// task here is woken for each message.
const KEPT_WITHIN: Duration = Duration::from_millis(10);
/// How long it takes at most to look again whether more is kept.
const KEPT_AT_LAST: Duration = Duration::from_secs(1);
/// The longest path that a socket can have.
const LONGEST: usize = 107;

/// What is spoken to.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    orders: UnboundedSender<Order>,
    /// Everything up to this number is kept. The relay hears of it when something is said to it.
    kept: Arc<AtomicU64>,
}

impl Link {
    /// Sends something to the kernel. It waits while there is no relay.
    pub fn send(&self, channel: Channel, frames: Vec<Bytes>) {
        // Nobody tends it any more: the kernel is dead.
        let _ = self.orders.send(Order::Send(channel, frames));
    }

    /// Everything up to this number is kept.
    pub fn keep(&self, upto: u64) {
        self.kept.fetch_max(upto, Ordering::AcqRel);
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
    said: Said,
}

/// What is to be said to a relay.
struct Said {
    orders: UnboundedReceiver<Order>,
    kept: Arc<AtomicU64>,
    /// Up to where it was told that everything is kept.
    told: u64,
    /// When it is looked next whether more is kept.
    wait: Duration,
}

fn said() -> (Link, Said) {
    let ((sender, orders), kept) = (unbounded_channel(), Arc::new(AtomicU64::new(0)));
    (Link { orders: sender, kept: kept.clone() }, Said { orders, kept, told: 0, wait: KEPT_WITHIN })
}

impl Said {
    /// Waits for what is to be said next. What is kept is said with it, or a little after something came; `came` is the
    /// number of that, and is changed by the task that waits here. None once nobody says anything any more.
    async fn next(&mut self, came: &AtomicU64) -> Option<Vec<u8>> {
        loop {
            let (told, wait) = (self.told, self.wait);
            let is_due = async {
                poll_fn(|_| if came.load(Ordering::Relaxed) > told { Poll::Ready(()) } else { Poll::Pending }).await;
                sleep(wait).await;
            };
            let heard = tokio::select! {
                biased;
                order = self.orders.recv() => Some(order),
                () = is_due => None,
            };
            let (is_over, order) = (matches!(heard, Some(None)), heard.flatten());
            let upto = self.kept.load(Ordering::Acquire);
            let kept = (upto > told).then_some(Order::Kept(upto));
            self.told = told.max(upto);
            // Who takes what came may be slow, or wait for a person.
            let is_late = kept.is_none() && order.is_none();
            self.wait = if is_late { (wait * 2).min(KEPT_AT_LAST) } else { KEPT_WITHIN };
            let said: Vec<u8> = kept.into_iter().chain(order).flat_map(|order| order.write()).collect();
            if is_over || !said.is_empty() {
                return Some(said).filter(|said| !said.is_empty());
            }
        }
    }
}

impl Relay {
    /// Finds the relay of a kernel, or starts one. None if there can be none.
    pub async fn open(file: &Path, kernel: Identity) -> Option<(Self, Link)> {
        let (stream, is_found) = match UnixStream::connect(socket(file)).await {
            Ok(stream) => (stream, true),
            Err(_) => (start(file, kernel).await?, false),
        };
        let (link, said) = said();
        Some((Self { file: file.to_owned(), kernel, stream, is_found, seen: 0, said }, link))
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
        let Self { stream, said, seen, .. } = self;
        let (mut from, mut to) = stream.split();
        // Another relay than before may not know what is kept.
        said.told = 0;
        let came = AtomicU64::new(0);
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
                    if frames.is_empty() {
                        continue;
                    }
                    came.store(number, Ordering::Relaxed);
                    if inbox.send(Incoming { number, frames }).is_err() {
                        return;
                    }
                }
                backlog.room().await;
            }
        };
        let send = async {
            while let Some(said) = said.next(&came).await {
                if to.write_all(&said).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            // First, as what is said depends on what came.
            biased;
            () = receive => (),
            () = send => (),
        }
    }
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
        let ((link, mut said), came) = (said(), AtomicU64::new(3));
        let send = || Order::Send(Channel::Shell, vec![Bytes::from("code")]);
        let (kept, sent) = (Order::Kept(3).write(), send().write());
        (1..=3).for_each(|number| link.keep(number));
        link.send(Channel::Shell, vec![Bytes::from("code")]);
        assert_eq!(said.next(&came).await.unwrap(), [&kept[..], &sent].concat());
        let before = Instant::now();
        came.store(5, Ordering::Relaxed);
        [4, 5, 4].into_iter().for_each(|number| link.keep(number));
        assert_eq!(said.next(&came).await.unwrap(), Order::Kept(5).write());
        assert!(before.elapsed() >= KEPT_WITHIN);
        link.send(Channel::Shell, vec![Bytes::from("code")]);
        assert_eq!(said.next(&came).await.unwrap(), sent, "there is nothing new to tell");
    }

    #[tokio::test]
    async fn what_is_kept_late_is_said_too_and_nothing_when_nobody_is_there_any_more() {
        let ((link, mut said), came) = (said(), AtomicU64::new(1));
        let kept = async {
            sleep(3 * KEPT_WITHIN).await;
            link.keep(1);
        };
        let (said_then, ()) = tokio::join!(said.next(&came), kept);
        assert_eq!(said_then.unwrap(), Order::Kept(1).write());
        link.keep(6);
        drop(link);
        assert_eq!(said.next(&came).await.unwrap(), Order::Kept(6).write());
        assert_eq!(said.next(&came).await, None);
    }
}
