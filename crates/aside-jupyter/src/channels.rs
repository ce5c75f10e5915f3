//! The sockets of a kernel: opened, read without a pause, written to.

use std::time::Duration;

use bytes::Bytes;
use tokio::{
    sync::{Mutex, mpsc::UnboundedSender},
    task::JoinSet,
};
use zeromq::{
    DealerSendHalf, DealerSocket, Socket, SocketOptions, SocketRecv, SocketSend, SubSocket, ZmqError, ZmqMessage,
    util::PeerIdentity,
};

use crate::connection::{Channel, Connection};

/// How often a kernel that is starting is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long one attempt to connect may take.
const CONNECT: Duration = Duration::from_secs(1);

/// A message that came.
#[derive(Debug)]
pub(crate) struct Incoming {
    /// Its number in the relay's log; 0 without a relay.
    pub number: u64,
    pub frames: Vec<Bytes>,
}

/// Where they go.
pub(crate) type Inbox = UnboundedSender<Incoming>;

/// What is written to.
pub(crate) struct Channels {
    shell: Mutex<DealerSendHalf>,
    control: Mutex<DealerSendHalf>,
    input: Mutex<DealerSendHalf>,
}

impl Channels {
    /// Waits until the kernel listens, and connects to it. Never gives up: the caller does.
    pub async fn open(connection: &Connection, session: &str, inbox: &Inbox) -> (Self, JoinSet<()>) {
        let mut readers = JoinSet::new();
        // What is put out goes first, so that nothing is missed.
        let output = output(connection).await;
        readers.spawn(read(output, inbox.clone()));
        let mut dealer = async |channel| {
            let (send, receive) = dealer(connection, channel, session).await.split();
            readers.spawn(read(receive, inbox.clone()));
            Mutex::new(send)
        };
        let channels = Self {
            shell: dealer(Channel::Shell).await,
            control: dealer(Channel::Control).await,
            input: dealer(Channel::Input).await,
        };
        (channels, readers)
    }

    /// Sends a message.
    pub async fn send(&self, channel: Channel, frames: Vec<Bytes>) -> Result<(), ZmqError> {
        let socket = match channel {
            Channel::Control => &self.control,
            Channel::Input => &self.input,
            Channel::Shell | Channel::Output | Channel::Heartbeat => &self.shell,
        };
        let message = ZmqMessage::try_from(frames).expect("a message has frames");
        socket.lock().await.send(message).await
    }
}

async fn output(connection: &Connection) -> SubSocket {
    loop {
        let mut socket = connected(|| SubSocket::with_options(options()), connection, Channel::Output).await;
        if socket.subscribe("").await.is_ok() {
            return socket;
        }
    }
}

/// All of these have one identity: a kernel asks for input where it was asked to run.
async fn dealer(connection: &Connection, channel: Channel, session: &str) -> DealerSocket {
    let make = || {
        let mut options = options();
        options.peer_identity(PeerIdentity::try_from(session.as_bytes()).expect("a session's name is short"));
        DealerSocket::with_options(options)
    };
    connected(make, connection, channel).await
}

async fn connected<S: Socket>(make: impl Fn() -> S, connection: &Connection, channel: Channel) -> S {
    let endpoint = connection.endpoint(channel);
    let file = connection.socket(channel);
    loop {
        if file.as_ref().is_none_or(|file| file.exists()) {
            let mut socket = make();
            if socket.connect(&endpoint).await.is_ok() {
                return socket;
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn options() -> SocketOptions {
    let mut options = SocketOptions::default();
    options.connect_timeout(CONNECT);
    options
}

/// Reads until the socket is closed for good.
async fn read(mut socket: impl SocketRecv, inbox: Inbox) {
    while let Ok(message) = socket.recv().await {
        if inbox.send(Incoming { number: 0, frames: message.into_vec() }).is_err() {
            return;
        }
    }
}

/// What a message counts.
pub(crate) fn size(frames: &[Bytes]) -> usize {
    frames.iter().map(Bytes::len).sum()
}
