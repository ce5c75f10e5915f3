//! What a command has made of content from outside is from outside too: a file that it wrote, with the bytes of a file from
//! outside or most of its lines from such files. What a program has made of them otherwise is not seen.

use std::{collections::HashSet, iter::successors};

use aside_core::{ActionId, Label, LabelSource, WorkspacePath};

use super::table;
use crate::{Change, Compared, EntryKind, MOST_TEXT, State, Workspace, WorkspaceError};

/// Files from outside that are looked into: those that the command names, those that it took away, then the others.
const MOST_SOURCES: usize = 300;
/// Bytes of one.
const MOST_OF_A_FILE: u64 = if MOST_TEXT < 2_000_000 { MOST_TEXT } else { 2_000_000 };
/// Shorter lines are in many files.
const TELLING: usize = 16;

/// A file from outside, and what is in it.
struct Outside {
    source: LabelSource,
    bytes: Vec<u8>,
}

impl Workspace {
    /// Labels what a command has written of files from outside. `line` is the command, run in a folder.
    pub fn mark_copied(
        &self,
        compared: &Compared,
        line: &str,
        folder: Option<&WorkspacePath>,
        by: &ActionId,
    ) -> Result<(), WorkspaceError> {
        let written = |change: &&Change| matches!(change.after, Some(State::File { .. }));
        let written: Vec<_> = compared.changes.iter().filter(written).collect();
        let touched: Vec<_> = compared.touched.iter().flatten().collect();
        if written.is_empty() && touched.is_empty() {
            return Ok(());
        }
        let outside = self.outside_now(compared, line, folder)?;
        for change in written {
            let (before, now) = self.sides(compared, change);
            self.mark_if_copied(&change.path, &before, &now, &outside, by)?;
        }
        for path in touched {
            let now = self.read_file(path, MOST_OF_A_FILE).unwrap_or_default();
            self.mark_if_copied(path, &[], &now, &outside, by)?;
        }
        Ok(())
    }

    fn mark_if_copied(
        &self,
        path: &WorkspacePath,
        before: &[u8],
        now: &[u8],
        outside: &[Outside],
        by: &ActionId,
    ) -> Result<(), WorkspaceError> {
        match copied_from(before, now, outside) {
            Some(source) if self.label_of(path).label != Label::External => {
                self.mark_external(std::slice::from_ref(path), &source.clone().by(by)).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// What was there before and what is there now, as far as it is kept and not too long.
    fn sides(&self, compared: &Compared, change: &Change) -> (Vec<u8>, Vec<u8>) {
        let is_short = |state: &Option<State>| match state {
            Some(State::File { size, .. }) => *size <= MOST_OF_A_FILE,
            _ => true,
        };
        if !is_short(&change.before) || !is_short(&change.after) {
            return (Vec::new(), Vec::new());
        }
        let kept = compared.snapshot.as_ref().and_then(|snapshot| self.change_texts(&snapshot.id, change).ok());
        kept.unwrap_or_else(|| (Vec::new(), self.read_file(&change.path, MOST_OF_A_FILE).unwrap_or_default()))
    }

    /// What from outside was there for the command to read.
    fn outside_now(
        &self,
        compared: &Compared,
        line: &str,
        folder: Option<&WorkspacePath>,
    ) -> Result<Vec<Outside>, WorkspaceError> {
        let gone = compared.changes.iter().filter(|change| change.before.is_some() && change.after.is_none());
        let gone = gone.filter_map(|change| {
            let source = Some(self.label_of(&change.path)).filter(|source| source.label == Label::External)?;
            Some(Outside { source, bytes: self.sides(compared, change).0 })
        });
        let kept = self.kept_labels()?;
        let is_marked = |path: &WorkspacePath| {
            let said = |at: WorkspacePath| kept.get(&at).is_some_and(|said| said.label == Label::External);
            table::by_path(path).or_else(|| table::by_purpose(path)).is_some()
                || successors(Some(path.clone()), WorkspacePath::parent).any(said)
        };
        let names = self.names().paths;
        let there = named(line, folder).into_iter().chain(names.into_iter().filter(is_marked));
        let mut seen: HashSet<WorkspacePath> = compared.changes.iter().map(|change| change.path.clone()).collect();
        let there = there.filter(|path| seen.insert(path.clone())).filter_map(|path| {
            let place = self.root.resolve(&path).ok()?;
            place.entry().ok()?.filter(|entry| entry.kind == EntryKind::File)?;
            let source = Some(self.label_of(&path)).filter(|source| source.label == Label::External)?;
            Some(Outside { source, bytes: self.read_file(&path, MOST_OF_A_FILE).ok()? })
        });
        Ok(gone.chain(there).take(MOST_SOURCES).collect())
    }
}

/// The file that all of it is from, or one of those that most of its new lines are from.
fn copied_from<'a>(before: &[u8], now: &[u8], outside: &'a [Outside]) -> Option<&'a LabelSource> {
    if now.is_empty() || before == now {
        return None;
    }
    if let Some(whole) = outside.iter().find(|outside| outside.bytes == now) {
        return Some(&whole.source);
    }
    let known: HashSet<&[u8]> = telling(before).collect();
    let new: HashSet<&[u8]> = telling(now).filter(|line| !known.contains(line)).collect();
    let mut found = HashSet::new();
    let mut most: Option<(usize, &LabelSource)> = None;
    for Outside { source, bytes } in outside {
        let lines: HashSet<&[u8]> = telling(bytes).filter(|line| new.contains(line)).collect();
        if lines.len() > most.map_or(0, |(count, _)| count) {
            most = Some((lines.len(), source));
        }
        found.extend(lines);
    }
    most.filter(|_| found.len() * 2 > new.len()).map(|(_, source)| source)
}

/// Lines that are hardly in a second file by chance.
fn telling(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| line.len() >= TELLING)
}

/// Paths among the words of a command.
fn named(line: &str, folder: Option<&WorkspacePath>) -> Vec<WorkspacePath> {
    let words = line.split(|letter: char| letter.is_whitespace() || "'\"`;|&<>()=,:".contains(letter));
    let path = |word: &str| {
        let word = word.strip_prefix("./").unwrap_or(word);
        let path = folder.map_or_else(|| word.to_owned(), |folder| format!("{folder}/{word}"));
        WorkspacePath::new(&path).ok()
    };
    words.filter(|word| !word.is_empty()).filter_map(path).collect()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene, and plays the command")]
mod tests {
    use std::{fs, path::Path};

    use aside_core::{Id as _, Timestamp};
    use aside_store::{Store, StoreOptions};

    use super::*;

    const LOG: &str = "Overfull box in paragraph one\nnow do what this line says\nand what the next line says\n";

    /// Says whose a file is after a command was run, for which a function stands.
    #[track_caller]
    fn check(line: &str, file: &str, run: impl Fn(&Path), wanted: Label) {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("build.log", LOG),
            (".gitignore", "private/\n"),
            ("private/mail.txt", "Dear Ada, please do as I say here\n"),
            ("mine.md", "A line of my own, long enough\n"),
            ("short.log", "x\n"),
        ];
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let action = ActionId::from_parts(Timestamp(1), 1);
        let taken = workspace.take_snapshot(&action).unwrap();
        run(folder.path());
        let compared = workspace.compare_snapshot(taken).unwrap();
        workspace.mark_copied(&compared, line, None, &action).unwrap();
        let source = workspace.label_of(&file.parse().unwrap());
        assert_eq!(source.label, wanted, "{line}: {source:?}");
    }

    #[test]
    fn a_copy_a_part_and_what_was_renamed_are_from_outside() {
        let copy = |folder: &Path| fs::write(folder.join("notes.md"), LOG).unwrap();
        check("cp build.log notes.md", "notes.md", copy, Label::External);
        let part = |folder: &Path| fs::write(folder.join("notes.md"), "now do what this line says\n").unwrap();
        check("grep now *.log > notes.md", "notes.md", part, Label::External);
        let moved = |folder: &Path| fs::rename(folder.join("build.log"), folder.join("notes.md")).unwrap();
        check("mv build.log notes.md", "notes.md", moved, Label::External);
        let appended =
            |folder: &Path| fs::write(folder.join("mine.md"), format!("A line of my own, long enough\n{LOG}")).unwrap();
        check("cat build.log >> mine.md", "mine.md", appended, Label::External);
        let short = |folder: &Path| fs::write(folder.join("notes.md"), "x\n").unwrap();
        check("cp short.log notes.md", "notes.md", short, Label::External);
    }

    #[test]
    fn what_git_ignores_counts_where_the_command_names_it() {
        let copy = |folder: &Path| _ = fs::copy(folder.join("private/mail.txt"), folder.join("mail.md")).unwrap();
        check("cp './private/mail.txt' mail.md", "mail.md", copy, Label::External);
    }

    #[test]
    fn what_is_a_command_s_own_or_the_workspace_s_stays_the_workspace_s() {
        let own = |folder: &Path| fs::write(folder.join("sum.md"), "forty-two overfull boxes were found\n").unwrap();
        check("wc build.log > sum.md", "sum.md", own, Label::Workspace);
        let copy = |folder: &Path| _ = fs::copy(folder.join("mine.md"), folder.join("yours.md")).unwrap();
        check("cp mine.md yours.md", "yours.md", copy, Label::Workspace);
        let mixed = |folder: &Path| {
            let own = "the first long line of mine\nthe second long line of mine\nOverfull box in paragraph one\n";
            fs::write(folder.join("report.md"), own).unwrap();
        };
        check("report build.log", "report.md", mixed, Label::Workspace);
    }
}
