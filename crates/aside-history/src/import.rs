//! Brings the index up to date with the logs: reads what is new in each, notices what was written anew, moved or deleted.

mod about;
mod beside;
mod plan;
mod sums;

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use aside_prices::Prices;
use aside_store::{open_foreign, sql::TransactionBehavior};
use serde::Serialize;

use crate::{
    HistoryError, LogFile, Places, Source,
    cost::Pricer,
    database,
    index::{FileState, Ids, Index, Known, Numbers, Outcome, Writer},
    places::{is_compressed, open, unpacked, with_parts},
    reader::Reader,
    record::{Found, Problem},
};
pub use about::About;
use plan::{Job, plan};
pub use sums::Sums;

/// Bytes that are read at once; a longer line makes it more.
const PIECE: usize = 1 << 20;
/// Bytes of a line, and of a log that is one value: no program writes longer ones, and they have to be held at once.
const LONGEST: u64 = 256 << 20;
/// The first and the last bytes of a file that are remembered, to recognise it.
const EDGE: usize = 96;
/// Bytes of logs in one transaction: a file's records are never in two. What is found by its number goes everywhere in the index, so that each
/// transaction writes most of what finds it; others that write wait meanwhile.
const TRANSACTION: u64 = 64 << 20;
/// From so many bytes of logs on more of the index is held in memory.
const MANY: u64 = 48 << 20;
/// Files that were read and wait to be written.
const WAITING: usize = 16;
/// Threads that read; one writes, and would not keep up with more.
const MOST_WORKERS: usize = 8;

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Logs that are there.
    pub files: usize,
    /// Those of them with something new.
    pub read: usize,
    /// Bytes of the complete lines that were read.
    pub bytes: u64,
    /// Logs that are gone since the last time; what was known of them stays.
    pub gone: usize,
    /// Lines that could not be read, this time.
    pub problems: usize,
    /// Files and folders that could not be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that were read.
    pub bytes: u64,
    /// Bytes that are to be read in all.
    pub of: u64,
}

/// What was read of one file.
struct ReadFile {
    job: Job,
    result: io::Result<(FileState, Found, Numbers)>,
}

/// How many threads read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As many as there are: somebody waits.
    All,
    /// One: nobody waits, and others use the machine.
    Idle,
}

impl Effort {
    fn workers(self) -> usize {
        match self {
            Self::All => thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS),
            Self::Idle => 1,
        }
    }
}

/// Brings the index up to date. `progress` hears of every transaction, after which what was read so far can be asked.
pub fn import(
    index: &mut Index,
    places: Places,
    prices: &Prices,
    effort: Effort,
    progress: &mut dyn FnMut(Progress),
) -> Result<Imported, HistoryError> {
    let mut imported =
        Imported { files: places.files.len(), unreadable: places.unreadable.clone(), ..Imported::default() };
    let looked_at = places.partial.then(|| places.files.iter().map(|log| log.path.clone()).collect::<Vec<_>>());
    let (skipped, partial) = (places.skipped.clone(), places.partial);
    let planned = plan(index, places)?;
    imported.gone = planned.gone.len();
    index.mark_gone(&planned.gone)?;
    if !planned.jobs.is_empty() {
        if index.is_empty()? {
            // So that the next one who looks knows by which prices all will be priced.
            index.reprice(prices, &prices.identity().to_string())?;
        }
        read_all(index, planned.jobs, prices, effort, &mut imported, progress)?;
    }
    index.keep_unreadable(looked_at.as_deref(), &imported.unreadable)?;
    if !partial {
        index.keep_skipped(&skipped)?;
    }
    Ok(imported)
}

/// Reads what is new in files and writes it.
fn read_all(
    index: &mut Index,
    jobs: Vec<Job>,
    prices: &Prices,
    effort: Effort,
    imported: &mut Imported,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), HistoryError> {
    let of = jobs.iter().map(Job::new_bytes).sum();
    let count = jobs.len();
    let is_large = of > MANY;
    if is_large {
        index.hold_more()?;
    }
    let jobs = Mutex::new(jobs.into_iter());
    let workers = effort.workers().min(count);
    let stop = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(WAITING);
        for _ in 0..workers {
            let (sender, jobs, stop) = (sender.clone(), &jobs, &stop);
            scope.spawn(move || work(jobs, stop, &sender));
        }
        drop(sender);
        let result = write_all(index, receiver, prices, of, imported, progress);
        stop.store(true, Ordering::Relaxed);
        result
    });
    if is_large {
        index.hold_less()?;
    }
    result
}

/// Tells whether an index knows all that some logs say.
pub(crate) fn is_current(index: &Index, places: Places) -> Result<bool, HistoryError> {
    Ok(plan(index, places)?.jobs.is_empty())
}

/// Reads files until there are no more.
fn work(jobs: &Mutex<std::vec::IntoIter<Job>>, stop: &AtomicBool, sender: &mpsc::SyncSender<ReadFile>) {
    let mut buffer = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(mut job) = next else { return };
        let result = read_file(&mut job, &mut buffer).map(|(state, mut found)| {
            let numbers = Numbers::take(job.log.source, &mut found);
            (state, found, numbers)
        });
        if buffer.capacity() > 4 * PIECE {
            buffer = Vec::new();
        }
        if sender.send(ReadFile { job, result }).is_err() {
            return;
        }
    }
}

fn write_all(
    index: &mut Index,
    files: mpsc::Receiver<ReadFile>,
    prices: &Prices,
    of: u64,
    imported: &mut Imported,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), HistoryError> {
    let mut pricer = Pricer::new(prices);
    let mut ids = Ids::of(index.connection())?;
    let mut done = 0;
    let mut files = files.into_iter().peekable();
    while files.peek().is_some() {
        let transaction = index.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        ids.begin(&transaction)?;
        let mut written = 0;
        while written < TRANSACTION
            && let Some(ReadFile { job, result }) = files.next()
        {
            written += job.new_bytes();
            match result {
                Ok((state, found, numbers)) => {
                    let mut writer = Writer::new(&transaction, &mut pricer, &mut ids);
                    let from_start = job.from == 0;
                    let outcome =
                        writer.write(job.log.source, job.known.as_ref(), from_start, &state, (&found, &numbers))?;
                    let complete = state.position.saturating_sub(job.from);
                    imported.bytes += complete;
                    imported.read += usize::from(outcome == Outcome::Written && complete > 0);
                    imported.problems += found.problems.len();
                }
                // It went since it was found; the next look at all logs says so.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => imported.unreadable.push((job.log.path.clone(), error.to_string())),
            }
        }
        Writer::new(&transaction, &mut pricer, &mut ids).finish()?;
        transaction.commit()?;
        done += written;
        progress(Progress { bytes: done, of });
    }
    Ok(())
}

/// Reads what is new in a file; all of it, if what was read of it is no longer as it was.
fn read_file(job: &mut Job, buffer: &mut Vec<u8>) -> io::Result<(FileState, Found)> {
    if database::is_one(&job.log.path) {
        return read_database(&job.log);
    }
    let mut file = open(&job.log.path)?;
    if is_compressed(&job.log.path) {
        return read_compressed(&job.log, file, buffer);
    }
    let known = job.known.as_ref().map(|known| &known.state).filter(|_| job.from > 0);
    let about = About::of_log(&job.log);
    let (mut reader, mut sums) = match known.and_then(|state| Some((state.reader.clone(), state.sums.clone()?))) {
        Some((reader, sums)) if sums.agree(&mut file, job.log.size, buffer)? => (reader, sums),
        _ => {
            job.from = 0;
            let mut reader = Reader::new(job.log.source, &job.log.facts);
            about.tell(&mut reader);
            (reader, Sums::default())
        }
    };
    let log = &job.log;
    let head = edge(&mut file, 0, log.size)?;
    let mut found = Found::default();
    let position = if log.facts.document {
        buffer.clear();
        file.seek(SeekFrom::Start(0))?;
        let read = file.by_ref().take(LONGEST + 1).read_to_end(buffer)?;
        if read as u64 > LONGEST {
            return Err(io::Error::other(format!(
                "this file is larger than {} MB, the limit for files that must be read whole",
                LONGEST >> 20
            )));
        }
        if log.source == Source::Opencode {
            *buffer = with_parts(&log.path, std::mem::take(buffer));
        }
        reader.read_document(buffer, &mut found);
        read as u64
    } else {
        let mut position = read_pieces(&mut file, job.from, (&mut reader, &mut sums), buffer, &mut found)?;
        if found.anew && job.from > 0 {
            job.from = 0;
            (reader, sums, found) = (Reader::new(log.source, &log.facts), Sums::default(), Found::default());
            position = read_pieces(&mut file, 0, (&mut reader, &mut sums), buffer, &mut found)?;
        }
        position
    };
    found.match_endings();
    found.refuse_impossible();
    about.complete(&mut found);
    beside::complete(log, &mut found);
    let tail = edge(&mut file, position.saturating_sub(EDGE as u64), position)?;
    let (size, modified, inode) = (log.size, log.modified, log.inode);
    let path = log.path.display().to_string();
    let sums = Some(sums);
    Ok((FileState { path, size, modified, inode, position, head, tail, sums, reader }, found))
}

/// Reads a database of another program as it is at one moment.
fn read_database(log: &LogFile) -> io::Result<(FileState, Found)> {
    let path = log.path.display().to_string();
    let mut found = Found::default();
    let foreign = open_foreign(&log.path)?;
    database::read(log.source, &foreign.connection, &path, &mut found).map_err(io::Error::other)?;
    foreign.finish()?;
    found.match_endings();
    found.refuse_impossible();
    let (size, modified, inode) = (log.size, log.modified, log.inode);
    let reader = Reader::new(log.source, &log.facts);
    let (head, tail, sums) = (Vec::new(), Vec::new(), None);
    let state = FileState { path, size, modified, inode, position: size, head, tail, sums, reader };
    Ok((state, found))
}

/// Reads all lines of a compressed log. They have the places that they had before it was compressed.
fn read_compressed(log: &LogFile, file: File, buffer: &mut Vec<u8>) -> io::Result<(FileState, Found)> {
    let (mut reader, mut found) = (Reader::new(log.source, &log.facts), Found::default());
    let (mut bytes, mut position) = (unpacked(file), 0);
    buffer.clear();
    while bytes.by_ref().take(PIECE as u64).read_to_end(buffer)? > 0 {
        let used = reader.read(buffer, position, &mut found);
        position += used as u64;
        buffer.drain(..used);
        if buffer.len() as u64 > LONGEST {
            return Err(io::Error::other(format!("it has a line of more than {} MB, the limit", LONGEST >> 20)));
        }
    }
    found.match_endings();
    found.refuse_impossible();
    beside::complete(log, &mut found);
    let LogFile { size, modified, inode, .. } = *log;
    let (path, head, tail, sums) = (log.path.display().to_string(), Vec::new(), Vec::new(), None);
    Ok((FileState { path, size, modified, inode, position: size, head, tail, sums, reader }, found))
}

/// Reads to the end of the file; returns the end of the last complete line.
fn read_pieces(
    file: &mut File,
    from: u64,
    (reader, sums): (&mut Reader, &mut Sums),
    buffer: &mut Vec<u8>,
    found: &mut Found,
) -> io::Result<u64> {
    file.seek(SeekFrom::Start(from))?;
    let mut position = from;
    buffer.clear();
    loop {
        let before = buffer.len();
        let next = (PIECE.max(before) as u64).min(LONGEST + 1 - before as u64);
        let read = file.by_ref().take(next).read_to_end(buffer)?;
        if read == 0 {
            return Ok(position);
        }
        // What was there before has no line end: only what is new is looked through for the last one.
        if memchr::memrchr(b'\n', &buffer[before..]).is_none() {
            if buffer.len() as u64 <= LONGEST {
                continue;
            }
            let Some(length) = rest_of_line(file, buffer)? else { return Ok(position) };
            let reason = format!("a line of {} MB is not read: the limit is {} MB", length >> 20, LONGEST >> 20);
            found.problems.push(Problem { offset: position, reason });
            pass(file, position, length, sums)?;
            position += length;
            buffer.clear();
            continue;
        }
        let used = reader.read(buffer, position, found);
        sums.add(&buffer[..used]);
        position += used as u64;
        buffer.drain(..used);
    }
}

/// Takes what is not read into the sums; after that the file stands behind it.
fn pass(file: &mut File, start: u64, length: u64, sums: &mut Sums) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    let mut piece = Vec::new();
    let mut left = length;
    while left > 0 {
        piece.clear();
        let read = file.by_ref().take(left.min(PIECE as u64)).read_to_end(&mut piece)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        sums.add(&piece);
        left -= read as u64;
    }
    Ok(())
}

/// How long a line is whose beginning was read, with its end; none if it has none yet.
fn rest_of_line(file: &mut File, buffer: &mut Vec<u8>) -> io::Result<Option<u64>> {
    let mut length = buffer.len() as u64;
    loop {
        buffer.clear();
        if file.by_ref().take(PIECE as u64).read_to_end(buffer)? == 0 {
            return Ok(None);
        }
        match memchr::memchr(b'\n', buffer) {
            Some(end) => return Ok(Some(length + end as u64 + 1)),
            None => length += buffer.len() as u64,
        }
    }
}

/// The bytes from `start` to `end`, but no more than are remembered.
fn edge(file: &mut File, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.by_ref().take((end - start).min(EDGE as u64)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Tells whether a file still begins as it did, up to where it was read.
fn is_same(log: &LogFile, known: &Known) -> bool {
    let state = &known.state;
    let same = |start: u64, expected: &[u8]| -> io::Result<bool> {
        let mut file = open(&log.path)?;
        Ok(edge(&mut file, start, start + expected.len() as u64)? == expected)
    };
    log.size >= state.position
        && same(0, &state.head).unwrap_or(false)
        && same(state.position.saturating_sub(state.tail.len() as u64), &state.tail).unwrap_or(false)
}
