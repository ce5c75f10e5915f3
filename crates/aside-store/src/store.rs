//! The store as it is used: one connection that writes, a few that read, and a tail that everyone hears.

use std::{
    fmt,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aside_core::{Id, Sha256, Timestamp};
use rusqlite::Connection;
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::broadcast;

use crate::{
    Batch, ChainEntry, ChainHead, ChainProblem, ChainQuery, Durability, Facets, LiveEntry, LogEntry, StoreError,
    StoreOptions, Tail, Transaction,
    blobs::{self, Blobs},
    bytes, chain, chain_index,
    database::{create_folder, open_reader, open_writer},
    flusher::Flusher,
    log,
    options::Ids,
    records,
    transaction::json,
    waiting::Place,
    write::Write,
    writer::Writer,
};

/// How many events a slow listener may fall behind before it has to read the log again.
const TAIL: usize = 4096;

/// How many idle reading connections are kept.
const READERS: usize = 4;

/// The state of one workspace. Calls are short and block; none of them waits for a listener.
pub struct Store {
    database: PathBuf,
    patience: Duration,
    // Before the writer, whose connection is to be the last that closes.
    flusher: Flusher,
    writer: Arc<Writer>,
    readers: Mutex<Vec<Connection>>,
    blobs: Blobs,
    ids: Ids,
    tail: broadcast::Sender<Tail>,
    /// Apart, so that one who waits for entries is not woken for each piece of an answer.
    entries: broadcast::Sender<LogEntry>,
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Store({})", self.database.display())
    }
}

impl Store {
    /// Opens the `.aside` folder of a workspace, creating what is missing.
    pub fn open(folder: &Path, options: StoreOptions) -> Result<Arc<Self>, StoreError> {
        create_folder(folder)?;
        let database = folder.join("aside.db");
        let blobs = folder.join("blobs");
        crate::database::private_folder(&blobs).map_err(|source| StoreError::Io {
            doing: "create",
            path: blobs.clone(),
            source,
        })?;
        let patience = options.patience;
        let writer = Arc::new(Writer::new(open_writer(&database, patience)?, &database, options.journal)?);
        Ok(Arc::new(Self {
            flusher: Flusher::new(database.clone(), writer.clone()),
            database,
            patience,
            writer,
            readers: Mutex::default(),
            blobs: Blobs::new(blobs),
            ids: Ids::new(options),
            tail: broadcast::Sender::new(TAIL),
            entries: broadcast::Sender::new(TAIL),
        }))
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.ids.now()
    }

    /// Makes an id that sorts after all that were made before.
    pub fn new_id<T: Id>(&self) -> T {
        self.ids.next()
    }

    /// Makes several writes one: if the closure or the commit fails, none of them has happened.
    ///
    /// The closure must use the transaction it is given: calling a writing method of the store inside
    /// would wait for itself forever.
    pub fn transaction<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let result = self.writer.transaction(durability, &self.ids, work, |entry| self.tell(entry));
        self.wake_flusher();
        result
    }

    /// Does all that a batch has, or nothing, without looking at what is there: that takes a fraction of the time of a
    /// transaction. Returns the positions of its entries in their streams.
    pub fn write(&self, durability: Durability, batch: Batch) -> Result<Vec<u64>, StoreError> {
        let result = self.writer.write(durability, &self.ids, batch, |entry| self.tell(entry));
        self.wake_flusher();
        result
    }

    /// Brings everything into the database's own file and to the disk, and takes nothing more: every later write fails
    /// with [`StoreError::AtRest`]. Its files stay as they are now, but for a log of no bytes that goes when the store does.
    pub fn rest(&self) -> Result<(), StoreError> {
        self.writer.rest()?;
        // SQLite brings the content of a file there, not when it was written.
        [&self.database, &self.database.with_extension("journal")].into_iter().try_for_each(|path| settle(path))
    }

    fn tell(&self, entry: LogEntry) {
        // Nobody may be listening.
        let _ = self.entries.send(entry.clone());
        let _ = self.tail.send(Tail::Entry(entry));
    }

    fn wake_flusher(&self) {
        if self.writer.is_behind() {
            self.flusher.wake();
        }
    }

    /// Listens to every stream. One who falls too far behind gets `Lagged` and reads the log again.
    pub fn tail(&self) -> broadcast::Receiver<Tail> {
        self.tail.subscribe()
    }

    /// Listens to what is stored, in every stream. One who falls too far behind gets `Lagged` and reads the log again.
    pub fn entries(&self) -> broadcast::Receiver<LogEntry> {
        self.entries.subscribe()
    }

    /// Says something on a stream without storing it.
    pub fn publish(&self, stream: &str, body: &impl Serialize) -> Result<(), StoreError> {
        let live = LiveEntry { stream: stream.into(), body: json(body)?.into() };
        // Nobody may be listening.
        let _ = self.tail.send(Tail::Live(live));
        Ok(())
    }

    /// Appends an entry to a stream; returns its position.
    pub fn append(&self, stream: &str, body: &impl Serialize) -> Result<u64, StoreError> {
        let mut batch = Batch::default();
        batch.append(stream, self.now(), body)?;
        let positions = self.write(Durability::Normal, batch)?;
        Ok(*positions.first().expect("an entry was appended"))
    }

    /// Returns the entries of a stream after a position.
    pub fn read(&self, stream: &str, after: u64) -> Result<Vec<LogEntry>, StoreError> {
        self.reading(Place::Log(stream), |connection| log::read(connection, stream, after))
    }

    /// Writes a record, in place of the one with this kind and id.
    pub fn put(&self, kind: &str, id: &str, owner: Option<&str>, value: &impl Serialize) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        batch.put(kind, id, owner, value)?;
        self.write(Durability::Normal, batch).map(drop)
    }

    /// Returns a record.
    pub fn get<T: DeserializeOwned>(&self, kind: &str, id: &str) -> Result<Option<T>, StoreError> {
        match self.writer.record(kind, id) {
            Some(waits) => waits.map(|body| records::parse(kind, id, &body)).transpose(),
            None => self.with_reader(|connection| records::get(connection, kind, id))?,
        }
    }

    /// Returns all records of a kind, by id.
    pub fn list<T: DeserializeOwned>(&self, kind: &str) -> Result<Vec<T>, StoreError> {
        self.reading(Place::Records(kind), |connection| records::list(connection, kind))
    }

    /// Returns the records of a kind with this owner, by id.
    pub fn list_owned<T: DeserializeOwned>(&self, kind: &str, owner: &str) -> Result<Vec<T>, StoreError> {
        self.reading(Place::Records(kind), |connection| records::list_owned(connection, kind, owner))
    }

    /// Returns the last records of a kind by id, the last one first.
    pub fn latest<T: DeserializeOwned>(&self, kind: &str, limit: usize) -> Result<Vec<T>, StoreError> {
        self.reading(Place::Records(kind), |connection| records::latest(connection, kind, limit))
    }

    /// Returns the records of a kind before an id, the last one first.
    pub fn older<T: DeserializeOwned>(&self, kind: &str, before: &str, limit: usize) -> Result<Vec<T>, StoreError> {
        self.reading(Place::Records(kind), |connection| records::older(connection, kind, before, limit))
    }

    /// Returns the records of an owner after an id, the first one first.
    pub fn owned_after<T: DeserializeOwned>(
        &self,
        kind: &str,
        owner: &str,
        after: &str,
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        self.reading(Place::Records(kind), |connection| records::owned_after(connection, (kind, owner), after, limit))
    }

    /// Returns the records of an owner before an id, or the latest; the last one first.
    pub fn owned_before<T: DeserializeOwned>(
        &self,
        kind: &str,
        owner: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        self.reading(Place::Records(kind), |connection| records::owned_before(connection, (kind, owner), before, limit))
    }

    /// Deletes a record; tells whether there was one.
    pub fn delete(&self, kind: &str, id: &str) -> Result<bool, StoreError> {
        self.transaction(Durability::Normal, |transaction| transaction.delete(kind, id))
    }

    /// Appends an entry to the chain, as canonical JSON; on the disk when this returns.
    pub fn chain_append(&self, body: &impl Serialize) -> Result<ChainEntry, StoreError> {
        let body = serde_json::to_value(body).map_err(|error| StoreError::unreadable("value", error))?;
        self.transaction(Durability::Full, |transaction| transaction.chain_append(&body))
    }

    /// Returns up to `limit` entries of the chain after a position.
    pub fn chain_read(&self, after: u64, limit: usize) -> Result<Vec<ChainEntry>, StoreError> {
        self.reading(Place::Chain, |connection| chain::read(connection, after, limit))
    }

    /// Returns the entries of the chain that are wanted. `facets` says by what an entry is found: always the same for
    /// the same entry.
    pub fn chain_find(
        &self,
        query: &ChainQuery,
        facets: impl Fn(&str) -> Facets,
    ) -> Result<Vec<ChainEntry>, StoreError> {
        self.chain_index(facets)?;
        self.reading(Place::Chain, |connection| chain_index::find(connection, query))
    }

    /// Indexes the entries of the chain that came since the last time.
    pub fn chain_index(&self, facets: impl Fn(&str) -> Facets) -> Result<(), StoreError> {
        loop {
            let next = self.reading(Place::Chain, |connection| chain_index::unindexed(connection, &facets))?;
            if next.is_empty() {
                return Ok(());
            }
            self.transaction(Durability::Normal, |transaction| transaction.chain_index(next))?;
        }
    }

    /// Returns where the chain leads to, as its head says: nothing is checked.
    pub fn chain_head(&self) -> Result<ChainHead, StoreError> {
        self.reading(Place::Chain, chain::last)
    }

    /// Returns the last entry that is there, whatever the head says.
    pub fn chain_end(&self) -> Result<Option<ChainEntry>, StoreError> {
        self.reading(Place::Chain, chain::end)
    }

    /// Checks the whole chain; returns where it leads to, or the first thing that is wrong. `noted` is a hash (or its first
    /// 12 digits or more) that was the last one at some time: it has to be there still.
    pub fn chain_verify(&self, noted: Option<&str>) -> Result<ChainHead, ChainProblem> {
        self.writer.ready(Place::Chain)?;
        self.with_reader(|connection| chain::verify(connection, noted))?
    }

    /// Appends a piece to a binary log.
    pub fn append_bytes(&self, stream: &str, piece: &[u8]) -> Result<(), StoreError> {
        let write = Write::AppendBytes { stream: stream.to_owned(), piece: piece.to_owned() };
        self.write(Durability::Normal, [write].into()).map(drop)
    }

    /// Returns the pieces of a binary log, in order.
    pub fn read_bytes(&self, stream: &str) -> Result<Vec<Vec<u8>>, StoreError> {
        self.reading(Place::Bytes(stream), |connection| bytes::read(connection, stream))
    }

    /// Replaces a binary log by one piece.
    pub fn replace_bytes(&self, stream: &str, piece: &[u8]) -> Result<(), StoreError> {
        let (stream, piece) = (stream.to_owned(), piece.to_owned());
        let writes = [Write::DeleteBytes { stream: stream.clone() }, Write::AppendBytes { stream, piece }];
        self.write(Durability::Normal, writes.into()).map(drop)
    }

    /// Deletes a binary log.
    pub fn delete_bytes(&self, stream: &str) -> Result<(), StoreError> {
        self.write(Durability::Normal, [Write::DeleteBytes { stream: stream.to_owned() }].into()).map(drop)
    }

    /// Keeps some bytes under their hash; on the disk when this returns.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<Sha256, StoreError> {
        let unique = self.new_id::<aside_core::ActionId>();
        self.blobs.put(bytes, unique.as_str())
    }

    /// Keeps some bytes under their hash, without waiting for the disk if they are few.
    pub fn put_blob_soon(&self, bytes: &[u8]) -> Result<Sha256, StoreError> {
        if bytes.len() > blobs::SMALL {
            return self.put_blob(bytes);
        }
        let hash = Sha256::of(bytes);
        let write = Write::SmallBlob { hash: hash.clone(), bytes: bytes.to_owned() };
        self.write(Durability::Soon, [write].into())?;
        Ok(hash)
    }

    /// Returns the bytes of a blob, if it is kept.
    pub fn get_blob(&self, hash: &Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        match self.reading(Place::Blobs, |connection| blobs::get_small(connection, hash))? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.blobs.get(hash),
        }
    }

    #[cfg(test)]
    pub(crate) fn writer(&self) -> &Writer {
        &self.writer
    }

    fn reading<T>(
        &self,
        place: Place<'_>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.writer.ready(place)?;
        self.with_reader(read)?
    }

    fn with_reader<T>(&self, read: impl FnOnce(&Connection) -> T) -> Result<T, StoreError> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open_reader(&self.database, self.patience)?,
        };
        let result = read(&connection);
        let mut idle = self.idle();
        if idle.len() < READERS {
            idle.push(connection);
        }
        Ok(result)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(clippy::disallowed_methods, reason = "the store owns the `.aside` folder")]
fn settle(path: &Path) -> Result<(), StoreError> {
    let io = |source| StoreError::Io { doing: "flush", path: path.to_owned(), source };
    File::open(path).and_then(|file| file.sync_all()).map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> (tempfile::TempDir, Arc<Store>) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        (folder, store)
    }

    #[test]
    fn a_failed_transaction_leaves_nothing() {
        let (_folder, store) = open();
        let failed: Result<(), _> = store.transaction(Durability::Full, |transaction| {
            transaction.put("kind", "id", None, &1)?;
            transaction.append("stream", &1)?;
            transaction.chain_append(&1.into())?;
            transaction.append_bytes("stream", &[1])?;
            Err(StoreError::unreadable("a test", "on purpose"))
        });
        assert!(failed.is_err());
        assert_eq!(store.get::<i32>("kind", "id").unwrap(), None);
        assert!(store.read("stream", 0).unwrap().is_empty());
        assert!(store.read_bytes("stream").unwrap().is_empty());
        assert_eq!(store.chain_verify(None).unwrap().count, 0);
    }

    #[test]
    fn many_threads_write_one_stream_without_gaps_and_listeners_hear_it_in_order() {
        let (_folder, store) = open();
        let (mut tail, mut entries) = (store.tail(), store.entries());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|number| _ = store.append("stream", &number).unwrap()));
            }
        });
        let heard: Vec<_> = std::iter::from_fn(|| tail.try_recv().ok())
            .map(|heard| match heard {
                Tail::Entry(entry) => entry.seq,
                Tail::Live(live) => panic!("{live:?}"),
            })
            .collect();
        assert_eq!(heard, (1..=200).collect::<Vec<_>>());
        store.publish("stream", &"live").unwrap();
        let kept: Vec<_> = std::iter::from_fn(|| entries.try_recv().ok()).map(|entry| entry.seq).collect();
        assert_eq!(kept, heard);
    }

    #[test]
    fn everything_is_there_after_opening_again() {
        let (folder, store) = open();
        store.append("stream", &"entry").unwrap();
        store.put("kind", "id", None, &"record").unwrap();
        let blob = store.put_blob(b"blob").unwrap();
        let small = store.put_blob_soon(b"small").unwrap();
        drop(store);
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        assert_eq!(store.read("stream", 0).unwrap()[0].parse::<String>().unwrap(), "entry");
        assert_eq!(store.get::<String>("kind", "id").unwrap().as_deref(), Some("record"));
        assert_eq!(store.get_blob(&blob).unwrap().as_deref(), Some(&b"blob"[..]));
        assert_eq!(store.get_blob(&small).unwrap().as_deref(), Some(&b"small"[..]));
    }
}
