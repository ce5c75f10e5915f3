//! The files of a past session at any moment of it, rebuilt from what its own calls read and wrote. What the logs don't say (commands that
//! write files, edits by hand) is not in it, and a file whose beginning nobody read is not complete.

mod blocks;
mod changed;
mod edit;
mod lines;
mod notebook;
mod operation;
mod patch;

use std::collections::{BTreeMap, HashMap};

use aside_core::Timestamp;

use crate::{
    Found, HistoryError, Index, Problem, Source, again,
    index::copies,
    resumed::{self, Copied, Whose},
    tool::{Evidence, SessionMatch},
};
use edit::apply;
pub use operation::Operation;

/// What a session did to files, in order.
#[derive(Clone, Debug, Default)]
pub struct Playback {
    /// Each single thing.
    pub steps: Vec<Step>,
    /// What the session that this one goes on from had done, as this one's log repeats it: how its files were when it began.
    pub before: Vec<Step>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// One thing that was done to a file.
#[derive(Clone, Debug)]
pub struct Step {
    /// When.
    pub at: Option<Timestamp>,
    /// The file.
    pub path: String,
    /// What the program calls what it did.
    pub name: String,
    /// What it did.
    pub operation: Operation,
    /// Where it stands.
    pub place: Evidence,
}

impl Step {
    /// The pieces that it replaced, each with what it put there, as the log has them; none if it did otherwise.
    pub fn pieces(&self) -> Vec<(String, String)> {
        match &self.operation {
            Operation::Edited { edits, .. } => edits.iter().map(|edit| (edit.old.clone(), edit.new.clone())).collect(),
            Operation::Patched(changes) | Operation::Lines(changes) | Operation::Moved { changes, .. } => {
                changes.iter().map(|change| (change.old.join("\n"), change.new.join("\n"))).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A file at a moment.
#[derive(Clone, Debug, Default)]
pub struct PlayedFile {
    /// Its path.
    pub path: String,
    /// Its text, as far as it is known.
    pub text: Option<String>,
    /// Its text before the session first changed it, if all of that is known; empty if it was not there.
    pub before: Option<String>,
    /// All of its text is known.
    pub complete: bool,
    /// It is there no more.
    pub deleted: bool,
    /// It was changed, and not only read.
    pub changed: bool,
    /// When it was last changed or read.
    pub at: Option<Timestamp>,
    /// What was done, each with its number among those of the same name.
    pub applied: Vec<String>,
    /// Where the last of it stands.
    pub last: Option<Evidence>,
}

/// The files at a moment, and what can't be known of them.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// By path.
    pub files: Vec<PlayedFile>,
    /// What was left out, and why.
    pub warnings: Vec<String>,
}

impl Playback {
    /// Reads the logs of a session again.
    pub fn of(index: &Index, session: &SessionMatch) -> Result<Self, HistoryError> {
        let mut find = index.connection().prepare_cached(
            "SELECT file.path, file.source, file.id FROM session_log JOIN file ON file.id = session_log.file
             WHERE session_log.session = ? ORDER BY file.path",
        )?;
        let logs = find.query_map([session.id], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })?;
        let mut playback = Self::default();
        for log in logs {
            let (path, source, file) = log?;
            let Ok(source) = source.parse() else { continue };
            let by_calls = again::touched(index.connection(), source, (file, &path), session.id)?;
            let Some(found) = by_calls.or_else(|| again::all(source, &path)) else {
                playback.problems.push(format!("{path} can no longer be read: its content is missing here"));
                continue;
            };
            let repeated = resumed::repeated(index, session, file)?;
            playback.take(found, source, &path, &session.session_id, &repeated);
        }
        // Of the same moment in the order in which they stand.
        for steps in [&mut playback.before, &mut playback.steps] {
            steps.sort_by_key(|step| step.at.map_or(i64::MAX, |at| at.0));
        }
        Ok(playback)
    }

    /// Takes what a log says of a session.
    pub(crate) fn take(
        &mut self,
        found: Found,
        source: Source,
        path: &str,
        session: &str,
        repeated: &HashMap<Copied, Whose>,
    ) {
        let details = found.details.unwrap_or_default();
        // A line that can't be read is missing, too.
        let told = |problem: &Problem| format!("{path}:{}: {}", problem.offset, problem.reason);
        self.problems.extend(found.problems.iter().map(told));
        let none = serde_json::Value::Null;
        let uids = copies::of_calls(source, &found.calls);
        for (call, uid) in found.calls.iter().zip(uids) {
            // A log may tell of many sessions; one that names none is all of this one.
            let other = found.sessions.len() > 1 && found.sessions[call.session].id != session;
            if call.ok == Some(false) || other {
                continue;
            }
            let result = call.id.as_ref().and_then(|id| details.results.get(id));
            let offset = i64::try_from(call.place.offset).unwrap_or(i64::MAX);
            let place = Evidence { session_id: session.to_owned(), file: path.to_owned(), offset };
            let find = |uid| repeated.get(&Copied { offset, uid });
            let copied = if repeated.is_empty() { None } else { find(uid).or(find(None)) };
            let steps = match copied {
                None => &mut self.steps,
                Some(Whose::Another) => &mut self.before,
                Some(Whose::Own) => continue,
            };
            let arguments = call.arguments.as_ref().unwrap_or(&none);
            for (path, operation) in operation::of(call, arguments, result) {
                steps.push(Step { at: call.at, path, name: call.name.to_string(), operation, place: place.clone() });
            }
        }
    }

    /// The files that these steps are about, after them.
    pub fn files<'a>(&self, steps: impl IntoIterator<Item = &'a Step>) -> Played {
        let mut files: BTreeMap<String, PlayedFile> = BTreeMap::new();
        for step in &self.before {
            // What can't be known of it is said where it was done.
            let _ = step.play(&mut files);
        }
        for file in files.values_mut() {
            let PlayedFile { text, complete, deleted, .. } = std::mem::take(file);
            *file = PlayedFile { text, complete, deleted, ..PlayedFile::default() };
        }
        let mut warnings = self.problems.clone();
        warnings.extend(steps.into_iter().filter_map(|step| step.play(&mut files)));
        let files = files.into_values().filter(|file| !file.applied.is_empty()).collect();
        Played { files, warnings }
    }

    /// The files at a moment, what was done in it included; at the end if none is given.
    pub fn at(&self, at: Option<Timestamp>) -> Played {
        self.files(self.steps.iter().filter(|step| at.is_none_or(|at| step.at.is_some_and(|done| done <= at))))
    }

    /// When the last of it was done.
    pub fn last(&self) -> Option<Timestamp> {
        self.steps.iter().filter_map(|step| step.at).max()
    }
}

impl Step {
    /// Does it to the files. Returns what can't be known of it, if anything.
    fn play(&self, files: &mut BTreeMap<String, PlayedFile>) -> Option<String> {
        // What moves brings its text along.
        let moved = match &self.operation {
            Operation::Moved { from, .. } => files.get(from).cloned(),
            _ => None,
        };
        let file = files.entry(self.path.clone()).or_default();
        file.path.clone_from(&self.path);
        if let Some(before) = moved {
            (file.text, file.complete) = (before.text, before.complete);
        }
        // A session that goes on finds the file as it is then, whatever the one before had left.
        if file.applied.is_empty() && matches!(self.operation, Operation::Seen { whole: true, .. }) {
            (file.text, file.deleted) = (None, false);
        }
        let warning = apply(&self.operation, file);
        let begins = |label: &&String| label.rsplit_once('#').is_some_and(|(name, _)| name == self.name);
        file.applied.push(format!("{}#{}", self.name, file.applied.iter().filter(begins).count()));
        file.at = self.at.or(file.at);
        file.last = Some(self.place.clone());
        warning.map(|warning| format!("{}: {} {warning}", self.path, self.name))
    }
}

#[cfg(test)]
mod tests {
    use aside_store::sql::{Connection, params};
    use serde_json::{Value, json};

    use super::*;

    /// The file of a workspace with one thread, of these actions.
    fn thread(records: &[(&str, &str, Value)]) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("aside.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("CREATE TABLE log (stream TEXT, seq INTEGER, at INTEGER, body TEXT)").unwrap();
        for (number, (id, name, more)) in (0i64..).zip(records) {
            let mut record =
                json!({ "envelope": { "id": id, "action_type": name, "args": more["args"] }, "state": "done" });
            record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let body = json!({ "type": "action_changed", "record": record }).to_string();
            let at = 1_782_813_600_000 + number * 1000;
            connection.execute("INSERT INTO log VALUES ('thr_1', ?, ?, ?)", params![number, at, body]).unwrap();
        }
        (folder, path.display().to_string())
    }

    #[test]
    fn a_thread_of_aside_is_played_back() {
        let hunk = |start: u64, old: &[&str], new: &[&str]| json!({ "start": start, "old": old, "new": new });
        let edit = |state: &str| {
            let hunks = [hunk(1, &[], &["import math"]), hunk(2, &["b"], &["B", "BB"])];
            json!({ "args": { "path": "a.py", "edits": [{ "old": "b", "new": "B\nBB" }] }, "state": state,
                "preview": { "body": { "kind": "diff", "files": [{ "path": "a.py", "hunks": hunks }] } } })
        };
        let read = json!({ "text": "a\nb\nc", "start": 1, "end": 3, "lines": 3 });
        let steps = [
            (
                "act_1",
                "doc.read",
                json!({ "args": { "path": "a.py" }, "outcome": { "observation": { "data": read } } }),
            ),
            ("act_2", "doc.edit", edit("done")),
            ("act_3", "doc.create", json!({ "args": { "path": "n.md", "text": "# Plan\n" } })),
            ("act_4", "file.move", json!({ "args": { "from": "n.md", "to": "m.md" } })),
            ("act_2", "doc.edit", edit("undone")),
            ("act_5", "doc.edit", json!({ "undoes": "act_2", "args": { "path": "a.py", "edits": [] } })),
        ];
        let (_folder, path) = thread(&steps);
        let mut playback = Playback::default();
        playback.take(again::all(Source::Aside, &path).unwrap(), Source::Aside, &path, "thr_1", &HashMap::new());
        let told = |seconds: i64| {
            let played = playback.at(Some(Timestamp(1_782_813_600_000 + seconds * 1000)));
            assert_eq!(played.warnings, [""; 0]);
            let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
            let files = played.files.into_iter().map(|file| (name(&file.path), file.text, file.complete));
            files.collect::<Vec<_>>()
        };
        let file = |name: &str, text: Option<&str>| (name.to_owned(), text.map(str::to_owned), true);
        assert_eq!(told(1), [file("a.py", Some("import math\na\nB\nBB\nc"))]);
        let end = [file("a.py", Some("a\nb\nc")), file("m.md", Some("# Plan\n")), file("n.md", None)];
        assert_eq!(told(9), end);
        let before = playback.at(None).files[0].before.clone();
        assert_eq!(before.as_deref(), Some("a\nb\nc"));
    }
}
