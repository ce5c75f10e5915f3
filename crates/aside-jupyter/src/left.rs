//! What a kernel has left that ended while nobody listened, and the end of one that can't be spoken to.

use std::{fs::File, time::Duration};

use aside_macros::boxed;
use bytes::BytesMut;
use rustix::process::Signal;
use tokio::time::{Instant, sleep};

use crate::{
    KernelError, KernelEvent, KernelRecord,
    connection::Connection,
    launch::remove_files,
    message::Key,
    process::Group,
    relay::{MessageLog, Place, next_piece, only, read_message},
};

/// How long the relay of a kernel that has ended is waited for: it still writes what is on its way.
const WRITTEN: Duration = Duration::from_secs(5);
/// How long a kernel may take to end, before it is told with more force.
const END: Duration = Duration::from_millis(2500);
/// How often something is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a kernel said that has ended, and nobody has kept.
pub struct LeftBehind {
    record: KernelRecord,
    connection: Connection,
    key: Key,
    log: MessageLog,
    place: Place,
    read: BytesMut,
    /// Held: nobody else reads it.
    _only: File,
}

/// One thing that it said.
#[derive(Debug)]
pub struct LeftEvent {
    /// Its number, as [`crate::Execution::number`] gives it.
    pub number: u64,
    /// The id of the request that it came from.
    pub about: Option<String>,
    /// What.
    pub event: KernelEvent,
}

impl LeftBehind {
    /// Opens what a kernel has left.
    ///
    /// # Errors
    /// [`KernelError::Gone`] if it has left nothing, else if that can't be read.
    #[boxed]
    pub async fn open(record: KernelRecord) -> Result<Self, KernelError> {
        let connection = Connection::read(&record.connection_file)?;
        let end = Instant::now() + WRITTEN;
        let only = loop {
            match only(&record.connection_file) {
                Ok(only) => break only,
                Err(error) if Instant::now() > end => {
                    return Err(KernelError::io(
                        "read the stored output of the kernel next to",
                        &record.connection_file,
                        &error,
                    ));
                }
                Err(_) => sleep(LOOK_EVERY).await,
            }
        };
        let failed =
            |error| KernelError::io("read the stored output of the kernel next to", &record.connection_file, &error);
        let log = MessageLog::open(&record.connection_file).map_err(failed)?;
        let key = Key::new(&connection.key);
        Ok(Self { record, connection, key, log, place: Place::default(), read: BytesMut::new(), _only: only })
    }

    /// Removes all that lies on the disk of it: what it said is kept elsewhere.
    pub fn remove(self) {
        remove_files(&self.record.connection_file, &self.connection);
    }
}

/// What can't be read is left out.
impl Iterator for LeftBehind {
    type Item = LeftEvent;

    fn next(&mut self) -> Option<LeftEvent> {
        loop {
            let Some((number, frames)) = next_piece(&mut self.read).and_then(read_message) else {
                let more = self.log.read(&mut self.place).ok().filter(|more| !more.is_empty())?;
                self.read.extend_from_slice(&more);
                continue;
            };
            if let Ok(mut message) = self.key.read(&frames) {
                let about = message.parent.take();
                return Some(LeftEvent { number, about, event: KernelEvent::of(message) });
            }
        }
    }
}

impl KernelRecord {
    /// Ends a kernel that can't be spoken to, with all that it started, and removes what lies on the disk of it.
    #[boxed]
    pub async fn end(self) {
        if let Some(group) = self.process.group().map(Group).filter(|_| self.process.is_alive()) {
            group.signal(Signal::CONT);
            group.signal(Signal::TERM);
            let end = Instant::now() + END;
            while self.process.is_alive() && Instant::now() < end {
                sleep(LOOK_EVERY).await;
            }
            group.signal(Signal::KILL);
        }
        if let Ok(connection) = Connection::read(&self.connection_file) {
            remove_files(&self.connection_file, &connection);
        }
    }
}
