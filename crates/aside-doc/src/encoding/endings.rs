//! How each line of a file with mixed endings ends, also of lines that left it a short while ago.

use aside_core::Version;
use serde::{Deserialize, Serialize};

use super::{Ending, TextShape};
use crate::{Lines, diff_lines};

/// So many changes of the file are remembered.
const MOST_CHANGES: usize = 32;
/// Lines of all of them together.
const MOST_LINES: usize = 20_000;

/// How each line of a file ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixedEndings {
    text: String,
    endings: Vec<Ending>,
    /// Lines that left the file, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gone: Vec<GoneLines>,
    /// The file's earlier texts, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<EarlierText>,
}

/// Lines next to each other that left the file, without terminators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GoneLines {
    lines: Vec<String>,
    endings: Vec<Ending>,
}

/// How the lines of an earlier text ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct EarlierText {
    version: Version,
    endings: Vec<Ending>,
}

impl MixedEndings {
    pub(super) fn new(text: &str, endings: Vec<Ending>) -> Self {
        Self { text: text.to_owned(), endings, gone: Vec::new(), earlier: Vec::new() }
    }

    /// All lines end alike.
    pub(super) fn uniform(text: &str, ending: Ending) -> Self {
        Self::new(text, vec![ending; memchr::memchr_iter(b'\n', text.as_bytes()).count()])
    }

    /// Tells whether a file that reads like this is the one it describes.
    pub(super) fn is_of(&self, text: &str, read: &TextShape) -> bool {
        let same_endings = match &read.mixed {
            Some(mixed) => mixed.endings == self.endings,
            None => self.endings.iter().all(|ending| *ending == read.dominant),
        };
        same_endings && self.text == text
    }

    /// Takes over the memory of the file's text before this one.
    pub(super) fn following(mut self, before: &Self) -> Self {
        (self.gone, self.earlier) = (before.gone.clone(), before.earlier.clone());
        let (old, new) = (Lines::new(&before.text), Lines::new(&self.text));
        for hunk in diff_lines(&old, &new).into_iter().filter(|hunk| !hunk.before.is_empty()) {
            let end = hunk.before.end.min(before.endings.len());
            let endings = before.endings[hunk.before.start.min(end)..end].to_vec();
            self.gone.push(GoneLines { lines: old.owned(hunk.before), endings });
        }
        self.earlier.push(EarlierText { version: Version::of(&before.text), endings: before.endings.clone() });
        forget(&mut self.gone, |gone| gone.lines.len());
        forget(&mut self.earlier, |earlier| earlier.endings.len());
        self
    }

    /// Adds the bytes of a text.
    pub(super) fn encode(&self, text: &str, dominant: Ending, bytes: &mut Vec<u8>) {
        let lines = Lines::new(text);
        let own = self.own_endings(&lines);
        let mut above = None;
        for line in 0..lines.len() {
            bytes.extend_from_slice(lines.get(line).as_bytes());
            let below = || own[line..].iter().find_map(|ending| *ending);
            let mut ending = own[line].or(above).or_else(below).unwrap_or(dominant);
            if above == Some(Ending::Cr) && ending == Ending::Lf && lines.get(line).is_empty() {
                // A CR and an LF with nothing between would read back as one ending.
                ending = Ending::Cr;
            }
            if line + 1 < lines.len() || lines.is_ended() {
                bytes.extend_from_slice(ending.bytes().as_bytes());
            }
            above = Some(ending);
        }
    }

    /// The ending each line has, or had when it was last there; none for a line that is new.
    fn own_endings(&self, lines: &Lines) -> Vec<Option<Ending>> {
        if self.text != lines.text()
            && let Some(endings) = self.endings_of_earlier(lines)
        {
            return endings;
        }
        let old = Lines::new(&self.text);
        let mut own = Vec::with_capacity(lines.len());
        let mut done = 0;
        let ending = |line: usize| self.endings.get(line).copied();
        for hunk in diff_lines(&old, lines) {
            own.extend((done..hunk.before.start).map(ending));
            let come: Vec<&str> = lines.range(hunk.after).collect();
            let gone = self.gone.iter().rev().find(|gone| gone.lines == come);
            // Of a text of which nothing is left, no line is another's.
            let is_whole = hunk.before == (0..old.len()) && come.len() != old.len();
            own.extend((0..come.len()).map(|at| match gone {
                Some(gone) => gone.endings.get(at).copied(),
                // A line that is replaced hands on its ending.
                None if !is_whole && hunk.before.start + at < hunk.before.end => ending(hunk.before.start + at),
                None => None,
            }));
            done = hunk.before.end;
        }
        own.extend((done..old.len()).map(ending));
        own
    }

    /// The endings of a text that the file had before.
    fn endings_of_earlier(&self, lines: &Lines) -> Option<Vec<Option<Ending>>> {
        let version = Version::of(lines.text());
        let earlier = self.earlier.iter().rev().find(|earlier| earlier.version == version)?;
        Some((0..lines.len()).map(|line| earlier.endings.get(line).copied()).collect())
    }
}

/// Drops the oldest until few enough are left.
fn forget<T>(kept: &mut Vec<T>, lines: impl Fn(&T) -> usize) {
    let mut total = 0;
    let fits = |item: &&T| {
        total += lines(item);
        total <= MOST_LINES
    };
    let newest = kept.iter().rev().take(MOST_CHANGES).take_while(fits).count();
    kept.drain(..kept.len() - newest);
}
