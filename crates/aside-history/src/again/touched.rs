//! Reads again only those lines of a log that tell of files, and of those what came of them.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use aside_store::sql::Connection;
use memchr::memmem;
use serde_json::Value;

use super::is_document;
use crate::{
    HistoryError, Source, database,
    lines::each_line,
    places::{is_compressed, open},
    reader::Reader,
    record::{Call, Details, Found, Mode, Problem, Session, Touch},
};

/// Bytes that are read at once.
const STEP: u64 = 64 << 10;
/// So many bytes after a call what came of it is looked for.
const FARTHEST: u64 = 4 << 20;

/// A call that the index knows.
struct Known {
    id: i64,
    position: u64,
    length: u64,
    ok: Option<bool>,
    touches: Vec<Touch>,
}

/// What a log says of the calls of a session that are about files, with what they were told and what came of them. None if all of the log has
/// to be read for that: it is no log of lines, it is other than the index knows it, or what came of a call stands far away.
pub fn touched(
    connection: &Connection,
    source: Source,
    (file, path): (i64, &str),
    session: i64,
) -> Result<Option<Found>, HistoryError> {
    if is_document(path) || is_compressed(Path::new(path)) || database::is_one(Path::new(path)) {
        return Ok(None);
    }
    let read: i64 =
        connection.prepare_cached("SELECT position FROM file WHERE id = ?")?.query_row([file], |row| row.get(0))?;
    let Some(mut log) = Log::open(source, path).filter(|log| i64::try_from(log.size) == Ok(read)) else {
        return Ok(None);
    };
    let mut found = Found { details: Some(Details::default()), ..Found::default() };
    found.sessions.push(Session::default());
    found.problems = problems(connection, file)?;
    let known = known(connection, file, session)?;
    // The calls of one line follow each other.
    for calls in known.chunk_by(|one, two| one.position == two.position) {
        if !log.take(calls, &mut found) {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

/// The calls of all lines with a call that is about a file, in order.
fn known(connection: &Connection, file: i64, session: i64) -> Result<Vec<Known>, HistoryError> {
    let mut find = connection.prepare_cached(
        "SELECT call.id, call.position, call.length, call.ok, touch.mode, path.path FROM main.call
         LEFT JOIN touch ON touch.call = call.id LEFT JOIN path ON path.id = touch.path
         WHERE call.file = ?1 AND call.session = ?2 AND call.position IN (SELECT one.position FROM main.call one
           JOIN touch ON touch.call = one.id WHERE one.file = ?1 AND one.session = ?2)
         ORDER BY call.position, call.id, path.path",
    )?;
    let mut rows = find.query([file, session])?;
    let mut all: Vec<Known> = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        if all.last().is_none_or(|last| last.id != id) {
            let number = |index: usize| row.get::<_, i64>(index).map(|number| u64::try_from(number).unwrap_or(0));
            all.push(Known { id, position: number(1)?, length: number(2)?, ok: row.get(3)?, touches: Vec::new() });
        }
        let mode = match row.get::<_, Option<i64>>(4)? {
            Some(0) => Mode::Read,
            Some(1) => Mode::Write,
            Some(_) => Mode::Delete,
            None => continue,
        };
        if let Some(last) = all.last_mut() {
            last.touches.push(Touch { path: row.get(5)?, mode });
        }
    }
    Ok(all)
}

/// What the index could not read of a log.
fn problems(connection: &Connection, file: i64) -> Result<Vec<Problem>, HistoryError> {
    let mut find =
        connection.prepare_cached("SELECT position, reason FROM problem WHERE file = ? ORDER BY position, rowid")?;
    let rows = find.query_map([file], |row| {
        Ok(Problem { offset: u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0), reason: row.get(1)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A log of lines.
struct Log {
    source: Source,
    file: File,
    size: u64,
}

impl Log {
    fn open(source: Source, path: &str) -> Option<Self> {
        let file = open(Path::new(path)).ok()?;
        let size = file.metadata().ok()?.len();
        Some(Self { source, file, size })
    }

    /// Takes the calls of one line. False if they are not what the index knows, or what came of one is not found.
    fn take(&mut self, known: &[Known], found: &mut Found) -> bool {
        let Some((first, last)) = known.first().zip(known.last()) else { return true };
        let Ok(line) = self.bytes(first.position, first.length) else { return false };
        let mut told = self.line(line, first.position);
        if told.calls.len() != known.len() || last.length != first.length {
            return false;
        }
        let mut came = told.details.take().unwrap_or_default();
        for (mut call, known) in told.calls.into_iter().zip(known) {
            (call.ok, call.touches) = (known.ok, known.touches.clone());
            if let Some(id) = self.wants_result(&call) {
                let result =
                    came.results.remove(&id).map_or_else(|| self.result(&id, known), |result| Ok(Some(result)));
                let (Ok(Some(result)), Some(details)) = (result, &mut found.details) else { return false };
                details.results.insert(id, result);
            }
            found.calls.push(call);
        }
        true
    }

    /// The id of a call of whose result something may be made.
    fn wants_result(&self, call: &Call) -> Option<String> {
        let touch = call.touches.first()?;
        let is_told = match self.source {
            // It says of each call how it ended, together with what came of it.
            Source::Claude => call.ok.is_some(),
            // What it changed is told by its patches.
            Source::Codex => touch.mode == Mode::Read,
            _ => true,
        };
        call.id.clone().filter(|_| is_told && call.ok != Some(false))
    }

    /// What came of a call, from the lines after it.
    fn result(&mut self, id: &str, call: &Known) -> io::Result<Option<Value>> {
        let mut from = call.position + call.length;
        let end = self.size.min(from.saturating_add(FARTHEST));
        let mut window: Vec<u8> = Vec::new();
        self.file.seek(SeekFrom::Start(from))?;
        let wanted = memmem::Finder::new(id);
        while from < end {
            let read = (&self.file).take(STEP).read_to_end(&mut window)?;
            if read == 0 {
                break;
            }
            let mut result = None;
            let used = each_line(&window, from, |line, place| {
                if result.is_none() && wanted.find(line).is_some() {
                    let told = self.line(line.to_vec(), place.offset);
                    result = told.details.and_then(|mut details| details.results.remove(id));
                }
            });
            if result.is_some() {
                return Ok(result);
            }
            window.drain(..used);
            from += used as u64;
            if used == 0 && window.len() as u64 >= FARTHEST {
                break;
            }
        }
        Ok(None)
    }

    fn bytes(&mut self, position: u64, length: u64) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(position))?;
        let mut bytes = Vec::new();
        (&self.file).take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// What one line says.
    fn line(&self, mut line: Vec<u8>, position: u64) -> Found {
        line.push(b'\n');
        let mut found = Found { details: Some(Details::default()), ..Found::default() };
        Reader::amid(self.source).read(&line, position, &mut found);
        found
    }
}

#[cfg(test)]
#[path = "../../tests/integration/generated.rs"]
mod generated;

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use aside_prices::Prices;
    use aside_store::DataFolder;
    use serde_json::json;

    use super::{generated::tree, *};
    use crate::{Effort, Index, Listing, Playback, again, find, import, list, resumed};

    fn read(home: &Path) -> Index {
        let name = home.display().to_string();
        let all: Vec<Source> = Source::all().collect();
        let places = find(&all, |variable| (variable == "HOME").then(|| name.clone()));
        let mut index = Index::open(&DataFolder::at(home.join("data"))).unwrap();
        import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ()).unwrap();
        index
    }

    /// Compares the two ways for each log of each session; returns how many logs that were, and how many steps.
    #[expect(clippy::disallowed_methods, reason = "looks at logs")]
    fn check(index: &Index) -> (usize, usize) {
        let (mut logs, mut steps) = (0, 0);
        let listing = Listing { most: 10_000, ..Listing::default() };
        for session in list(index, &listing).unwrap().0 {
            let sql = "SELECT file.id, file.path, file.source FROM session_log JOIN file ON file.id = session_log.file WHERE session = ?";
            let mut files = index.connection().prepare(sql).unwrap();
            let files = files.query_map([session.id], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
            });
            for (file, path, source) in files.unwrap().map(Result::unwrap) {
                let source: Source = source.parse().unwrap();
                let repeated = resumed::repeated(index, &session, file).unwrap();
                let played = |found: Found| {
                    let mut playback = Playback::default();
                    playback.take(found, source, &path, &session.session_id, &repeated);
                    playback
                };
                let some = touched(index.connection(), source, (file, &path), session.id).unwrap();
                let Some(some) = some.map(played) else {
                    // A line that is not written to its end: the index does not know it yet.
                    assert!(!fs::read(&path).unwrap().ends_with(b"\n"), "{path} was not read by its calls");
                    continue;
                };
                let all = played(again::all(source, &path).unwrap());
                assert_eq!(format!("{some:?}"), format!("{all:?}"), "{path}");
                (logs, steps) = (logs + 1, steps + all.steps.len() + all.before.len());
            }
        }
        (logs, steps)
    }

    #[test]
    fn reading_by_calls_is_as_reading_all() {
        let folder = tempfile::tempdir().unwrap();
        if tree(folder.path(), "2", "5").is_none() {
            return;
        }
        let (logs, steps) = check(&read(folder.path()));
        assert!(logs > 10 && steps > 50, "{logs} {steps}");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "makes logs")]
    fn what_came_of_a_call_is_found_behind_others_and_a_changed_log_is_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join(".claude/projects/-w");
        fs::create_dir_all(&project).unwrap();
        let block = |kind: &str, block: Value| json!({ "type": kind, "cwd": "/w", "timestamp": "2026-06-30T10:00:00.000Z", "message": { "content": [block] } });
        let mut lines = Vec::new();
        for number in 0..3 {
            let input = json!({ "file_path": format!("/w/{number}"), "old_string": "a", "new_string": "b" });
            lines.push(block(
                "assistant",
                json!({ "type": "tool_use", "id": format!("t{number}"), "name": "Edit", "input": input }),
            ));
        }
        lines.push(block("user", json!({ "type": "text", "text": format!("t1 and {}", "x".repeat(200_000)) })));
        lines.push(json!("no object"));
        for number in (0..3).rev() {
            let mut line =
                block("user", json!({ "type": "tool_result", "tool_use_id": format!("t{number}"), "content": "ok" }));
            line["toolUseResult"] = json!({ "originalFile": format!("a{number}\n") });
            lines.push(line);
        }
        let path = project.join("s.jsonl");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&path, &text).unwrap();
        let index = read(folder.path());
        assert_eq!(check(&index), (1, 3));
        fs::write(&path, text + "{}\n").unwrap();
        let whole = touched(index.connection(), Source::Claude, (1, &path.display().to_string()), 1).unwrap();
        assert_eq!(whole, None);
    }
}
