//! Reads again what the index knows the place of: it holds no copy of the logs. A log that has changed since, or is gone, says nothing.

mod touched;

use std::{
    fs::File,
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
};

use aside_store::{
    ForeignDatabase, open_foreign,
    sql::{Connection, OptionalExtension as _},
};

use crate::{
    HistoryError, Source, database,
    import::About,
    index::copies::Kind,
    places::{self, facts_of_single, is_compressed, log_stamp, plain_name, unpacked, with_parts},
    reader::{FileFacts, Reader},
    record::{Details, Found, Message, Problem},
};

pub use touched::touched;

/// Bytes of one record, and of a log that is one value.
const LONGEST: u64 = 128 << 20;

/// Logs that are read again, the last of them kept open.
#[derive(Debug, Default)]
pub struct Logs {
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    id: i64,
    source: Source,
    file: Option<File>,
    /// What is said in a log that is one value, in its order, with the number of the first.
    whole: Option<(i64, Vec<String>)>,
    /// The bytes of a log that is compressed.
    unpacked: Option<Vec<u8>>,
    /// A log that is a database.
    database: Option<ForeignDatabase>,
}

impl Logs {
    /// What was said in the message with this number; if its log is gone, as another log repeats it.
    pub fn text(&mut self, connection: &Connection, message: i64) -> Result<Option<String>, HistoryError> {
        let said = self.text_at(connection, message)?;
        if said.is_some() {
            return Ok(said);
        }
        let mut copies = connection.prepare_cached(
            "SELECT other.id FROM message one JOIN numbered ON numbered.uid = one.uid AND kind = ?2
             JOIN message other ON other.id = numbered.id AND other.id != one.id WHERE one.id = ?1",
        )?;
        let copies =
            copies.query_map([message, Kind::Message.number()], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        for copy in copies {
            let said = self.text_at(connection, copy)?;
            if said.is_some() {
                return Ok(said);
            }
        }
        Ok(None)
    }

    fn text_at(&mut self, connection: &Connection, message: i64) -> Result<Option<String>, HistoryError> {
        let mut find = connection.prepare_cached("SELECT file, position, length FROM message WHERE id = ?")?;
        let place =
            find.query_row([message], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)));
        let Some((file, position, length)) = place.optional()? else { return Ok(None) };
        let open = match self.open.take().filter(|open| open.id == file) {
            Some(open) => open,
            None => match Open::new(connection, file)? {
                Some(open) => open,
                None => return Ok(None),
            },
        };
        let open = self.open.insert(open);
        if let Some(database) = &open.database {
            return Ok(database::text(open.source, &database.connection, position, length));
        }
        if let Some((first, texts)) = &open.whole {
            return Ok(usize::try_from(message - first).ok().and_then(|number| texts.get(number).cloned()));
        }
        let line = open.bytes(position, length);
        Ok(line.and_then(|line| messages(open.source, line).into_iter().next()).map(|message| message.text))
    }
}

impl Open {
    fn new(connection: &Connection, id: i64) -> Result<Option<Self>, HistoryError> {
        let mut find = connection.prepare_cached(
            "SELECT source, path, size, modified, (SELECT MIN(id) FROM message WHERE file = ?1) FROM file WHERE id = ?1",
        )?;
        let (source, path, size, modified, first): (String, String, i64, i64, Option<i64>) =
            find.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
        let Ok(source) = source.parse() else { return Ok(None) };
        let is_database = database::is_one(Path::new(&path));
        // One that its program writes to now says nothing now.
        let database = if is_database { open_foreign(Path::new(&path)).ok() } else { None };
        let file = places::open(Path::new(&path)).ok();
        let mut open = Self { id, source, file, whole: None, unpacked: None, database };
        if is_compressed(Path::new(&path)) {
            open.unpacked = open.file.take().and_then(|file| bytes_of(Path::new(&path), file).ok());
            return Ok(Some(open));
        }
        if is_database && open.database.is_none() {
            return Ok(None);
        }
        if !is_database && is_document(&path) {
            let same = open.file.as_ref().and_then(|file| file.metadata().ok()).is_some_and(|now| {
                let (now_size, now_modified, _) = log_stamp(source, Path::new(&path), places::stamp(&now));
                (i64::try_from(now_size).ok(), now_modified) == (Some(size), modified)
            });
            let bytes = if same { open.bytes(0, size) } else { None };
            let found = bytes.map(|bytes| document(source, &path, bytes, None)).unwrap_or_default();
            let texts = found.messages.into_iter().map(|message| message.text).collect();
            open.whole = Some((first.unwrap_or(0), texts));
        }
        Ok(Some(open))
    }

    fn bytes(&mut self, position: i64, length: i64) -> Option<Vec<u8>> {
        let (position, length) = (u64::try_from(position).ok()?, u64::try_from(length).ok()?);
        if let Some(unpacked) = &self.unpacked {
            let start = usize::try_from(position).ok()?;
            return unpacked.get(start..start.checked_add(usize::try_from(length).ok()?)?).map(<[u8]>::to_vec);
        }
        let file = self.file.as_mut().filter(|_| length <= LONGEST)?;
        file.seek(SeekFrom::Start(position)).ok()?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 == length).then_some(bytes)
    }
}

/// Tells whether a log is one value, which is read as a whole.
pub fn is_document(path: &str) -> bool {
    // Some programs add words to the name of a log that they put away.
    let name = Path::new(plain_name(path)).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    !name.ends_with(".jsonl") && !name.contains(".jsonl.")
}

/// The bytes of a log as its program wrote them, up to those that are too many.
fn bytes_of(path: &Path, file: File) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_compressed(path) {
        unpacked(file).take(LONGEST + 1).read_to_end(&mut bytes)?;
    } else {
        file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// What one line says.
fn messages(source: Source, mut line: Vec<u8>) -> Vec<Message> {
    line.push(b'\n');
    let mut found = Found::default();
    Reader::amid(source).read(&line, 0, &mut found);
    found.messages
}

fn document(source: Source, path: &str, bytes: Vec<u8>, details: Option<Details>) -> Found {
    let mut found = Found { details, ..Found::default() };
    let path = Path::new(path);
    let bytes = if source == Source::Opencode { with_parts(path, bytes) } else { bytes };
    let about = About::of(source, path);
    let mut reader = Reader::new(source, &facts_of_single(path));
    about.tell(&mut reader);
    reader.read_document(&bytes, &mut found);
    about.complete(&mut found);
    found
}

/// All that a log says, with what its calls were told and what came of them; none if it can't be read now. What is too long is cut, and
/// the last problem says so.
pub fn all(source: Source, path: &str) -> Option<Found> {
    if database::is_one(Path::new(path)) {
        let foreign = open_foreign(Path::new(path)).ok()?;
        let mut found = Found { details: Some(Details::default()), ..Found::default() };
        database::read(source, &foreign.connection, path, &mut found).ok()?;
        found.match_endings();
        return Some(found);
    }
    let file = places::open(Path::new(path)).ok()?;
    let mut bytes = bytes_of(Path::new(path), file).ok()?;
    let cut = bytes.len() as u64 > LONGEST;
    if cut {
        bytes.pop();
    }
    let mut found = if is_document(path) {
        document(source, path, bytes, Some(Details::default()))
    } else {
        let mut found = Found { details: Some(Details::default()), ..Found::default() };
        let about = About::of(source, Path::new(path));
        let mut reader = Reader::new(source, &FileFacts::default());
        about.tell(&mut reader);
        reader.read(&bytes, 0, &mut found);
        about.complete(&mut found);
        found
    };
    found.match_endings();
    if cut {
        let reason = format!("only its first {} MB are replayed", LONGEST >> 20);
        found.problems.push(Problem { offset: LONGEST, reason });
    }
    Some(found)
}
