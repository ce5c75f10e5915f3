//! Which lines of which file the model was shown, and in which version: what its line numbers refer to.

use std::collections::BTreeMap;

use aside_core::{ActionRecord, ActionState, LineRange, Outcome, ThreadEventBody, Version, WorkspacePath};
use serde_json::Value;

/// What the model was shown in a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The file that is meant when none is named.
    pub focus: Option<WorkspacePath>,
    /// The lines of each file, as the model knows them.
    pub files: BTreeMap<WorkspacePath, Excerpts>,
    /// The lines of each cell of each notebook, by the cell's key.
    pub cells: BTreeMap<(WorkspacePath, String), Excerpts>,
}

/// The lines of one text that were shown, each with the version they are of, in the order in which they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpts(Vec<(String, LineRange)>);

impl Excerpts {
    /// Notes that some lines of a version were shown.
    pub fn add(&mut self, version: &str, lines: LineRange) {
        self.0.push((version.to_owned(), lines));
    }

    /// The version that the numbers of these lines are of: the one in which any of them was shown last, if all of them
    /// were shown in it.
    pub fn version_of(&self, lines: LineRange) -> Option<&str> {
        let touches = |shown: &LineRange| shown.start <= lines.end && lines.start <= shown.end;
        let (version, _) = self.0.iter().rev().find(|(_, shown)| touches(shown))?;
        self.holds(version, lines).then_some(version.as_str())
    }

    /// Tells whether all of these lines were shown in a version.
    pub fn holds(&self, version: &str, lines: LineRange) -> bool {
        let own = self.0.iter().filter(|(own, _)| is_same(own, version)).map(|(_, lines)| *lines);
        merged(own.collect()).iter().any(|own| own.start <= lines.start && lines.end <= own.end)
    }

    /// The version that was shown last.
    pub fn latest(&self) -> Option<&str> {
        self.0.last().map(|(version, _)| version.as_str())
    }

    /// Tells whether any lines of this version were shown.
    pub fn knows(&self, version: &str) -> bool {
        self.0.iter().any(|(own, _)| is_same(own, version))
    }
}

/// Versions are shown by their first digits, and may be named by fewer or by more.
fn is_same(one: &str, two: &str) -> bool {
    one.starts_with(two) || two.starts_with(one)
}

/// The same lines in order, each once.
pub fn merged(mut lines: Vec<LineRange>) -> Vec<LineRange> {
    lines.sort_by_key(|range| range.start);
    let mut merged: Vec<LineRange> = Vec::new();
    for range in lines {
        match merged.last_mut().filter(|last| range.start <= last.end.saturating_add(1)) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

impl Shown {
    /// Folds a thread's log.
    pub fn fold<'a>(log: impl IntoIterator<Item = &'a ThreadEventBody>) -> Self {
        let mut shown = Self::default();
        log.into_iter().for_each(|event| shown.apply(event));
        shown
    }

    fn apply(&mut self, event: &ThreadEventBody) {
        match event {
            ThreadEventBody::TurnStarted { focus: Some(focus), .. } => self.focus = Some(focus.path.clone()),
            ThreadEventBody::ContextSent { chips, .. } => {
                for chip in chips {
                    if let (Some(path), Some(version), Some(lines)) = (&chip.path, &chip.version, chip.lines) {
                        self.files.entry(path.clone()).or_default().add(version.short(), lines);
                    }
                }
            }
            ThreadEventBody::ActionChanged { record } if record.state == ActionState::Done => self.done(record),
            _ => {}
        }
    }

    fn done(&mut self, record: &ActionRecord) {
        let path = record.envelope.args["path"].as_str().and_then(|path| path.parse().ok());
        let (Some(path), Some(Outcome::Done { observation })) = (path, &record.outcome) else { return };
        let data = &observation.data;
        match record.envelope.action_type.as_str() {
            "doc.read" if record.origin.is_told() => {
                if let (Some(version), Some(lines)) = (version(data), lines(&data["start"], &data["end"])) {
                    self.files.entry(path).or_default().add(&version, lines);
                }
            }
            // The model may count on in the lines as they are now, or in those it was shown: nobody knows.
            "doc.edit" => _ = self.files.remove(&path),
            "notebook.read" => {
                for cell in data["shown"].as_array().into_iter().flatten() {
                    let (Some(version), Some(key)) = (version(cell), cell["cell"].as_str()) else { continue };
                    let excerpts = self.cells.entry((path.clone(), key.to_owned())).or_default();
                    let ranges = cell["shown"].as_array().into_iter().flatten();
                    ranges
                        .filter_map(|range| lines(&range[0], &range[1]))
                        .for_each(|lines| excerpts.add(&version, lines));
                }
            }
            "cell.edit" | "cell.set" => {
                let key = data["cell"].as_str().unwrap_or_default().to_owned();
                self.cells.remove(&(path, key));
            }
            _ => {}
        }
    }

    /// What was shown of a cell, by its key or the beginning of it that no other has.
    pub fn cell(&self, path: &WorkspacePath, meant: &str) -> Option<&Excerpts> {
        if let Some(excerpts) = self.cells.get(&(path.clone(), meant.to_owned())) {
            return Some(excerpts);
        }
        let mut known = self.cells.iter().filter(|((own, key), _)| own == path && key.starts_with(meant));
        let (_, excerpts) = known.next()?;
        known.next().is_none().then_some(excerpts)
    }
}

fn version(data: &Value) -> Option<String> {
    Some(Version::parse(data["version"].as_str()?)?.short().to_owned())
}

fn lines(start: &Value, end: &Value) -> Option<LineRange> {
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    Some(LineRange { start: number(start)?, end: number(end)? }).filter(|lines| lines.start <= lines.end)
}

#[cfg(test)]
mod tests {
    use aside_core::{Observation, Origin, Sha256};
    use serde_json::json;

    use super::*;
    use crate::testing::record;

    fn done(name: &str, call: &str, data: Value) -> ThreadEventBody {
        let mut record = record(1, call, ActionState::Done);
        record.envelope.action_type = name.parse().unwrap();
        record.envelope.args = json!({"path": "a.py"});
        record.outcome = Some(Outcome::Done { observation: Observation::with("text", data) });
        ThreadEventBody::ActionChanged { record: Box::new(record) }
    }

    fn read(text: &str, start: u32, end: u32) -> ThreadEventBody {
        done("doc.read", "a", json!({"version": Sha256::of(text), "start": start, "end": end}))
    }

    /// What a number of lines is taken to be of, after what was read.
    fn version_of(log: &[ThreadEventBody], start: u32, end: u32) -> Option<String> {
        let shown = Shown::fold(log);
        let excerpts = shown.files.get(&"a.py".parse().unwrap())?;
        excerpts.version_of(LineRange { start, end }).map(str::to_owned)
    }

    fn short(text: &str) -> Option<String> {
        Some(Sha256::of(text).short().to_owned())
    }

    #[test]
    fn line_numbers_hold_until_the_model_changes_the_file() {
        let read = read("text", 1, 9);
        assert_eq!(version_of(std::slice::from_ref(&read), 1, 9), short("text"));
        assert_eq!(version_of(&[read, done("doc.edit", "b", json!({}))], 1, 9), None);
    }

    #[test]
    fn line_numbers_are_of_the_version_in_which_the_lines_were_shown_last() {
        let log = [read("one", 1, 100), read("two", 300, 320), read("two", 321, 330), read("three", 95, 97)];
        assert_eq!(version_of(&log, 40, 41), short("one"));
        assert_eq!(version_of(&log, 310, 325), short("two"), "in two pieces");
        assert_eq!(version_of(&log, 95, 96), short("three"));
        assert_eq!(version_of(&log, 94, 96), None, "some of them were shown anew");
        assert_eq!(version_of(&log, 99, 101), None, "one of them was not shown");
        assert_eq!(version_of(&log, 900, 910), None);
    }

    #[test]
    fn what_is_read_for_a_message_is_not_all_sent() {
        let whole = json!({"version": Sha256::of("text"), "start": 1, "end": 400});
        assert_eq!(version_of(&[done("doc.read", Origin::FOCUS, whole)], 1, 9), None);
    }

    #[test]
    fn of_a_cell_the_lines_count_that_were_shown() {
        let cell = json!({"cell": "load", "version": Sha256::of("cell"), "shown": [[1, 1], [4, 9]]});
        let shown = Shown::fold([&done("notebook.read", Origin::FOCUS, json!({"shown": [cell]}))]);
        let excerpts = shown.cell(&"a.py".parse().unwrap(), "lo").unwrap();
        assert_eq!(excerpts.version_of(LineRange { start: 5, end: 9 }), short("cell").as_deref());
        assert_eq!(excerpts.version_of(LineRange { start: 1, end: 2 }), None);
    }
}
