//! The relay of a kernel: a small process that listens to the kernel whether the server runs or not, so that nothing it says
//! is lost when the server is killed. It ends with its kernel.
//!
//! ```text
//! kernel == ZeroMQ ==> relay -> log on the disk -> Unix socket -> server
//! kernel <== ZeroMQ == relay <- Unix socket <- server: what to send, and up to which number everything is kept
//! ```
//!
//! What the server has kept is cut from the log; what it has not it is told again when it comes back, with the same numbers.

mod client;
mod log;
mod wire;

use std::{
    collections::VecDeque,
    ffi::OsStr,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use bytes::{Buf as _, Bytes, BytesMut};
use rustix::{
    fs::Mode,
    process::{Signal, umask},
};
use tokio::{
    io::Interest,
    net::{UnixListener, UnixStream},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Instant, interval, sleep, timeout},
};

use self::wire::{Order, message};
use crate::{
    KernelError,
    backlog::Backlog,
    channels::{Channels, Incoming, size},
    connection::{Channel, Connection},
    process::{Group, Identity, remove},
};

pub(crate) use client::{Link, Relay};
pub(crate) use log::{MessageLog, Place, remove_messages};
pub(crate) use wire::{next_piece, read_message};

/// The argument that makes a program the relay of a kernel.
const RELAY: &str = "kernel-relay";
/// Bytes on the disk that nobody has kept, above which the kernel is stopped.
const ON_DISK: usize = 1 << 30;
/// How often the kernel is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// What is still on its way when the kernel is dead comes within this time …
const ON_ITS_WAY: Duration = Duration::from_millis(200);
/// … and the server takes it within this.
const TAKE: Duration = Duration::from_secs(10);
/// When it is tried again to write what there was no room for.
const AGAIN: Duration = Duration::from_millis(200);

/// Bytes that are received at once.
const AT_ONCE: usize = 64 << 10;

static CAN_RELAY: AtomicBool = AtomicBool::new(false);

/// Becomes the relay of a kernel and never returns, if that is what this program was started as. A program that calls this
/// first of all in `main` has its kernels relayed; others speak to theirs themselves.
pub fn enter_if_relay() {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [first, file, kernel] if first == RELAY => {
            let done = kernel.to_str().and_then(Identity::parse).map(|kernel| run(Path::new(file), kernel));
            std::process::exit(i32::from(!matches!(done, Some(Ok(())))));
        }
        _ => CAN_RELAY.store(true, Ordering::Relaxed),
    }
}

/// The arguments of the relay of a kernel; none if this program can't be one.
fn arguments(file: &Path, kernel: Identity) -> Option<[String; 3]> {
    CAN_RELAY.load(Ordering::Relaxed).then(|| [RELAY.to_owned(), file.display().to_string(), kernel.to_string()])
}

/// Where the server finds it. The name has the version of what is spoken there.
pub(crate) fn socket(connection_file: &Path) -> PathBuf {
    connection_file.with_extension("relay-1")
}

fn run(file: &Path, kernel: Identity) -> Result<(), KernelError> {
    let _ = umask(Mode::from_bits_truncate(0o177));
    let failed = |error: io::Error| KernelError::io("listen on", file, &error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let connection = Connection::read(file)?;
    let _only = only(file).map_err(failed)?;
    let relayed = runtime.block_on(async { Relaying::begin(file, &connection, kernel)?.work(kernel).await });
    remove(&socket(file));
    relayed.map_err(failed)
}

/// What the relay is at.
struct Relaying {
    file: PathBuf,
    group: Option<Group>,
    listener: UnixListener,
    said: UnboundedReceiver<Incoming>,
    /// By channel: shell, control, input.
    orders: [UnboundedSender<Vec<Bytes>>; 3],
    log: MessageLog,
    /// What could not be written yet.
    unwritten: Option<Vec<Bytes>>,
    /// What is not kept, by number and size.
    open: VecDeque<(u64, usize)>,
    backlog: Backlog,
    server: Option<Server>,
}

/// The server, while it is there.
struct Server {
    stream: UnixStream,
    received: BytesMut,
    /// What is to be sent next.
    sending: Bytes,
    /// How much of the log was given to it.
    place: Place,
}

enum Heard {
    Said(Vec<Bytes>),
    Came(UnixStream),
    Ready,
    Again,
    Look,
}

impl Relaying {
    fn begin(file: &Path, connection: &Connection, kernel: Identity) -> io::Result<Self> {
        let listener = listen(&socket(file))?;
        let (inbox, said) = unbounded_channel();
        let (shell, to_shell) = unbounded_channel();
        let (control, to_control) = unbounded_channel();
        let (input, to_input) = unbounded_channel();
        // Always the same, so that another relay after this one hears the answers.
        let session = file.file_stem().and_then(OsStr::to_str).unwrap_or("aside").chars().take(60).collect::<String>();
        let connection = connection.clone();
        tokio::spawn(async move {
            let (channels, _reading) = Channels::open(&connection, &session, &inbox).await;
            // Each by itself: one that is full must not keep the others waiting.
            tokio::join!(
                send(&channels, Channel::Shell, to_shell),
                send(&channels, Channel::Control, to_control),
                send(&channels, Channel::Input, to_input),
            );
        });
        let group = kernel.group().map(Group);
        Ok(Self {
            file: file.to_owned(),
            group,
            listener,
            said,
            orders: [shell, control, input],
            log: MessageLog::open(file)?,
            unwritten: None,
            open: VecDeque::new(),
            backlog: Backlog::new(group, ON_DISK),
            server: None,
        })
    }

    /// Works until the kernel is dead and the server has heard everything, or is not there.
    async fn work(mut self, kernel: Identity) -> io::Result<()> {
        let mut looks = interval(LOOK_EVERY);
        loop {
            match self.hear(&mut looks).await? {
                Heard::Said(frames) => self.write(frames),
                Heard::Again => self.unwritten.take().into_iter().for_each(|frames| self.write(frames)),
                Heard::Came(stream) => self.serve(stream),
                Heard::Ready => (),
                Heard::Look if kernel.is_alive() => (),
                Heard::Look => break,
            }
            self.speak();
        }
        while let Ok(Some(incoming)) = timeout(ON_ITS_WAY, self.said.recv()).await {
            self.write(incoming.frames);
            self.speak();
        }
        let end = Instant::now() + TAKE;
        while self.server.is_some() && !self.log.is_kept() && Instant::now() < end {
            self.hear(&mut looks).await?;
            self.speak();
        }
        if self.log.is_kept() {
            remove_messages(&self.file);
        }
        Ok(())
    }

    async fn hear(&mut self, looks: &mut tokio::time::Interval) -> io::Result<Heard> {
        let Self { said, unwritten, listener, server, .. } = self;
        Ok(tokio::select! {
            biased;
            () = ready(server) => Heard::Ready,
            Some(incoming) = said.recv(), if unwritten.is_none() => Heard::Said(incoming.frames),
            came = listener.accept() => Heard::Came(came?.0),
            () = sleep(AGAIN), if unwritten.is_some() => Heard::Again,
            _ = looks.tick() => Heard::Look,
        })
    }

    /// Keeps what the kernel said. While the disk is full the kernel waits.
    fn write(&mut self, frames: Vec<Bytes>) {
        let was_stopped = self.unwritten.is_some();
        match self.log.append(&frames) {
            Ok(piece) => {
                let bytes = size(&frames);
                self.open.push_back((self.log.last(), bytes));
                self.backlog.add(bytes);
                // Whoever heard everything before gets it without a look at the disk.
                if let Some(server) = &mut self.server
                    && server.sending.is_empty()
                    && server.place == self.log.before(&piece)
                {
                    (server.sending, server.place) = (piece, self.log.end());
                }
                if was_stopped {
                    self.group.iter().for_each(|group| group.signal(Signal::CONT));
                }
            }
            Err(_) => {
                self.unwritten = Some(frames);
                self.group.iter().for_each(|group| group.signal(Signal::STOP));
            }
        }
    }

    /// A server came; one that was there before is gone, or is another one that has to give way.
    fn serve(&mut self, stream: UnixStream) {
        let hello = message(self.log.kept(), &[]);
        self.server = Some(Server { stream, received: BytesMut::new(), sending: hello, place: Place::default() });
    }

    /// Sends and receives as much as is possible at once.
    fn speak(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let mut orders = Vec::new();
        let goes_on = server.receive(&mut orders) && server.send(&self.log);
        orders.into_iter().for_each(|order| self.obey(order));
        self.server = Some(server).filter(|_| goes_on);
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Kept(upto) => {
                while let Some((_, bytes)) = self.open.pop_front_if(|(number, _)| *number <= upto) {
                    self.backlog.take(bytes);
                }
                self.log.keep(upto);
            }
            Order::Send(channel, frames) => {
                let [shell, control, input] = &self.orders;
                let orders = match channel {
                    Channel::Control => control,
                    Channel::Input => input,
                    Channel::Shell | Channel::Output | Channel::Heartbeat => shell,
                };
                // It is received as long as this process lives.
                let _ = orders.send(frames);
            }
        }
    }
}

impl Server {
    /// Returns false if it is gone.
    fn receive(&mut self, orders: &mut Vec<Order>) -> bool {
        let goes_on = loop {
            self.received.reserve(AT_ONCE);
            match self.stream.try_read_buf(&mut self.received) {
                Ok(0) => break false,
                Ok(_) => (),
                Err(error) => break error.kind() == io::ErrorKind::WouldBlock,
            }
        };
        orders.extend(std::iter::from_fn(|| next_piece(&mut self.received)).filter_map(Order::read));
        goes_on
    }

    /// Returns false if it is gone, or the log can't be read.
    fn send(&mut self, log: &MessageLog) -> bool {
        loop {
            if self.sending.is_empty() {
                match log.read(&mut self.place) {
                    Ok(more) => self.sending = more,
                    Err(_) => return false,
                }
            }
            if self.sending.is_empty() {
                return true;
            }
            match self.stream.try_write(&self.sending) {
                Ok(sent) => self.sending.advance(sent),
                Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
            }
        }
    }
}

/// Held until this process ends, however it does: a second relay of the same kernel takes nothing from the first.
#[expect(clippy::disallowed_methods, reason = "the files of a kernel belong to this crate")]
pub(crate) fn only(file: &Path) -> io::Result<File> {
    let file = File::open(file)?;
    file.try_lock()?;
    Ok(file)
}

/// A socket that a relay has left is in nobody's way.
fn listen(path: &PathBuf) -> io::Result<UnixListener> {
    remove(path);
    UnixListener::bind(path)
}

/// Waits until the server said something, or can be told more.
async fn ready(server: &Option<Server>) {
    let Some(Server { stream, sending, .. }) = server else { return std::future::pending().await };
    let interest = if sending.is_empty() { Interest::READABLE } else { Interest::READABLE | Interest::WRITABLE };
    // What is wrong with it is seen when it is used.
    let _ = stream.ready(interest).await;
}

async fn send(channels: &Channels, channel: Channel, mut orders: UnboundedReceiver<Vec<Bytes>>) {
    while let Some(frames) = orders.recv().await {
        // To a kernel that is dead; its end is seen elsewhere.
        let _ = channels.send(channel, frames).await;
    }
}
