//! What became of files, or would, as diffs: bounded, so that a page can show them and a record can hold them.

use aside_core::{Confidence, FileChange, FileDiff, Hunk, Version, WorkspacePath};
use aside_doc::{Lines, diff_lines, preview_hunks};
use aside_workspace::State;

use crate::files::bytes;

/// Files that are shown, and lines and bytes of all of them together.
const MOST_FILES: usize = 200;
const MOST_LINES: usize = 1_500;
const MOST_SHOWN: usize = 200_000;
/// Bytes of a file that is compared line by line.
const MOST_BYTES: u64 = 1_000_000;

/// Gathers diffs.
#[derive(Debug)]
pub(crate) struct FileDiffs {
    pub files: Vec<FileDiff>,
    /// Something is not shown.
    pub cut: bool,
    lines: usize,
    bytes: usize,
    grain: Grain,
}

/// Into how many hunks the changes of one file go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// One for each place.
    Places,
    /// One for the file, where only a file as a whole can be decided on.
    Files,
}

/// One file before and after.
pub(crate) struct Sides<'a> {
    pub path: &'a WorkspacePath,
    pub before: Option<&'a State>,
    pub after: Option<&'a State>,
}

impl FileDiffs {
    pub fn new(grain: Grain) -> Self {
        Self { files: Vec::new(), cut: false, lines: 0, bytes: 0, grain }
    }

    /// Adds a file; its bytes are asked for only if they are shown.
    pub fn add(&mut self, sides: &Sides<'_>, bytes: impl FnOnce() -> Option<(Vec<u8>, Vec<u8>)>) {
        if self.files.len() >= MOST_FILES {
            self.cut = true;
            return;
        }
        let texts = || {
            let (before, after) = bytes()?;
            Some((text(before)?, text(after)?))
        };
        let hunks = match sides.has_text().then(texts).flatten() {
            Some((before, after)) => self.hunks(&before, &after),
            None => None,
        };
        let (note, hunks) = match hunks {
            Some(hunks) if !hunks.is_empty() => (sides.mode_note(), hunks),
            _ => (Some(sides.note()), Vec::new()),
        };
        let (path, change) = (sides.path.clone(), sides.change());
        self.files.push(FileDiff { path, change, base: None, hunks, note, cell: None });
    }

    /// Adds the change of a text.
    pub fn edited(&mut self, path: &WorkspacePath, version: &Version, before: &str, after: &str) {
        if self.files.len() >= MOST_FILES {
            self.cut = true;
            return;
        }
        let hunks = self.hunks(before, after);
        let note = hunks.is_none().then(|| "changed in too many lines to show".to_owned());
        let (path, change, base) = (path.clone(), FileChange::Edited, Some(version.clone()));
        self.files.push(FileDiff { path, change, base, hunks: hunks.unwrap_or_default(), note, cell: None });
    }

    /// Adds a file that stays as it is.
    pub fn add_left(&mut self, path: &WorkspacePath, why: &str) {
        let note = Some(format!("not changed: {why}"));
        self.files.push(FileDiff {
            path: path.clone(),
            change: FileChange::Edited,
            base: None,
            hunks: Vec::new(),
            note,
            cell: None,
        });
    }

    fn hunks(&mut self, before: &str, after: &str) -> Option<Vec<Hunk>> {
        let mut hunks = match self.grain {
            Grain::Places => preview_hunks(before, after),
            Grain::Files => whole(before, after).into_iter().collect(),
        };
        let shown = hunks.iter().flat_map(|hunk| [&hunk.old, &hunk.new, &hunk.before, &hunk.after]).flatten();
        let (lines, bytes) = shown.fold((0, 0), |(lines, bytes), line| (lines + 1, bytes + line.len()));
        if self.lines + lines > MOST_LINES || self.bytes + bytes > MOST_SHOWN {
            self.cut = true;
            return None;
        }
        (self.lines, self.bytes) = (self.lines + lines, self.bytes + bytes);
        let first = self.files.iter().map(|file| file.hunks.len()).sum::<usize>();
        for (number, hunk) in hunks.iter_mut().enumerate() {
            hunk.part = u32::try_from(first + number).unwrap_or(u32::MAX);
        }
        Some(hunks)
    }
}

impl Sides<'_> {
    fn change(&self) -> FileChange {
        match (self.before, self.after) {
            (None, _) => FileChange::Created,
            (_, None) => FileChange::Deleted,
            _ => FileChange::Edited,
        }
    }

    /// Both sides are files, or nothing.
    fn has_text(&self) -> bool {
        let fits = |state: Option<&State>| match state {
            None => true,
            Some(State::File { size, .. }) => *size <= MOST_BYTES,
            Some(_) => false,
        };
        fits(self.before) && fits(self.after)
    }

    /// What is said in place of lines.
    fn note(&self) -> String {
        match (self.before.map(describe), self.after.map(describe)) {
            (Some(before), Some(after)) if before != after => format!("{before}, then {after}"),
            (Some(_), Some(after)) => self.mode_note().unwrap_or(after),
            (one, two) => one.or(two).unwrap_or_default(),
        }
    }

    fn mode_note(&self) -> Option<String> {
        let (before, after) = (mode(self.before?)?, mode(self.after?)?);
        (before != after).then(|| format!("mode {before:03o}, then {after:03o}"))
    }
}

fn mode(state: &State) -> Option<u32> {
    match state {
        State::File { mode, .. } | State::Unread { mode, .. } | State::Folder { mode } => Some(*mode),
        State::Link { .. } => None,
    }
}

fn describe(state: &State) -> String {
    match state {
        State::File { size, .. } | State::Unread { size, .. } => bytes(*size),
        State::Folder { .. } => "folder".to_owned(),
        State::Link { target } => format!("link to {target}"),
    }
}

fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// One hunk from the first to the last line that differs.
pub(crate) fn whole(before: &str, after: &str) -> Option<Hunk> {
    let (old, new) = (Lines::new(before), Lines::new(after));
    let hunks = diff_lines(&old, &new);
    let (first, last) = (hunks.first()?, hunks.last()?);
    Some(Hunk {
        part: 0,
        start: u32::try_from(first.before.start + 1).unwrap_or(u32::MAX),
        old: old.owned(first.before.start..last.before.end),
        new: new.owned(first.after.start..last.after.end),
        before: Vec::new(),
        after: Vec::new(),
        confidence: Confidence::Exact,
        anchor: None,
    })
}

#[cfg(test)]
mod tests {
    use aside_core::Sha256;

    use super::*;

    fn file(text: &str, mode: u32) -> State {
        State::File { content: Sha256::of(text), size: text.len() as u64, mode }
    }

    fn added(diffs: &mut FileDiffs, before: &str, after: &str) {
        let (one, two) = (file(before, 0o644), file(after, 0o644));
        let path = WorkspacePath::new("a.txt").unwrap();
        let sides = Sides { path: &path, before: Some(&one), after: Some(&two) };
        diffs.add(&sides, || Some((before.as_bytes().to_vec(), after.as_bytes().to_vec())));
    }

    #[test]
    fn places_and_files_are_different_grains() {
        for (grain, parts) in [(Grain::Places, vec![0, 1, 2]), (Grain::Files, vec![0, 1])] {
            let mut diffs = FileDiffs::new(grain);
            added(&mut diffs, "a\nb\nc\n", "A\nb\nC\n");
            added(&mut diffs, "x\n", "y\n");
            let found: Vec<u32> = diffs.files.iter().flat_map(|file| file.hunks.iter().map(|hunk| hunk.part)).collect();
            assert_eq!((found, diffs.cut), (parts, false));
        }
        let hunk = whole("0\na\nb\nc\n9\n", "0\nA\nb\nC\nD\n9\n").unwrap();
        assert_eq!((hunk.start, hunk.old.len(), hunk.new.len()), (2, 3, 4));
    }

    #[test]
    fn what_is_no_text_or_too_long_has_a_note() {
        let mut diffs = FileDiffs::new(Grain::Places);
        added(&mut diffs, "a\0", "b");
        added(&mut diffs, "", &"line\n".repeat(MOST_LINES + 1));
        added(&mut diffs, "small\n", "smaller\n");
        let notes: Vec<_> = diffs.files.iter().map(|file| file.note.as_deref()).collect();
        assert_eq!(notes, [Some("2 bytes, then 1 bytes"), Some("0 bytes, then 7.5 kB"), None]);
        assert!(diffs.cut);
        let path = WorkspacePath::new("run.sh").unwrap();
        let (one, two) = (file("x", 0o644), file("x", 0o755));
        let sides = Sides { path: &path, before: Some(&one), after: Some(&two) };
        assert_eq!(sides.note(), "mode 644, then 755");
        let link = State::Link { target: "a".to_owned() };
        assert_eq!(Sides { before: None, after: Some(&link), ..sides }.note(), "link to a");
    }
}
