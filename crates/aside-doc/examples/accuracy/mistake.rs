//! What models get wrong when they say an edit.

use std::ops::Range;

use crate::{chance::Chance, truth::Truth};

/// An edit as a model says it.
#[derive(Clone, Debug)]
pub struct Said {
    /// Lines from 1, inclusive.
    pub start: i64,
    pub end: i64,
    pub old: Vec<String>,
    pub new: Vec<String>,
    /// Those of the meant lines, from 0, of which nothing is said: they stay as they are.
    pub left_out: Range<usize>,
}

/// One mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    None,
    OffByOne,
    JumpedHunk,
    WrongCount,
    TrailingBlanks,
    Stripped,
    Outdented,
    TabsForBlanks,
    Typographic,
    CarriageReturns,
    LostBlankLine,
    LostComment,
    /// A line that should come is said to be there already.
    LostPlus,
    Elided,
    WrongWord,
}

impl Mistake {
    const ALL: [Self; 15] = [
        Self::None,
        Self::OffByOne,
        Self::JumpedHunk,
        Self::WrongCount,
        Self::TrailingBlanks,
        Self::Stripped,
        Self::Outdented,
        Self::TabsForBlanks,
        Self::Typographic,
        Self::CarriageReturns,
        Self::LostBlankLine,
        Self::LostComment,
        Self::LostPlus,
        Self::Elided,
        Self::WrongWord,
    ];

    /// Every third time none.
    pub fn draw(chance: &mut Chance) -> Self {
        if chance.one_in(3) { Self::None } else { *chance.of(&Self::ALL) }
    }

    /// Says an edit with this mistake; the mistake may find nothing to act on.
    pub fn made(self, text: &[String], truth: &Truth) -> Said {
        let old = text[truth.lines.clone()].to_vec();
        let (start, end) = (truth.lines.start as i64 + 1, truth.lines.end as i64);
        let said = Said { start, end, old, new: truth.new.clone(), left_out: 0..0 };
        match self {
            Self::None => said,
            Self::OffByOne => said.shifted(1),
            Self::JumpedHunk => said.shifted(if truth.lines.start > 15 { -13 } else { 13 }),
            Self::WrongCount => Said { end: said.end + 2, ..said },
            Self::TrailingBlanks => said.each(|line| format!("{line}  ")),
            Self::Stripped => said.each(|line| line.trim_end().to_owned()),
            Self::Outdented => said.outdented(),
            Self::TabsForBlanks => said.each(|line| line.replace("    ", "\t")),
            Self::Typographic => said.each(|line| line.replace('\'', "\u{2019}").replace(" - ", " \u{2013} ")),
            Self::CarriageReturns => said.each(|line| format!("{line}\r")),
            Self::LostBlankLine => said.without(|line| line.trim().is_empty()),
            Self::LostComment => said.without(|line| ["//", "#", "%"].iter().any(|mark| line.trim().starts_with(mark))),
            Self::LostPlus => said.lost_plus(),
            Self::Elided => said.elided(),
            Self::WrongWord => said.wrong_word(),
        }
    }
}

impl Said {
    /// Tells whether the lines that it names hold just what it says of them, and are not those that were meant.
    pub fn names_a_twin(&self, text: &[String], truth: &Truth) -> bool {
        let Ok(start) = usize::try_from(self.start - 1) else { return false };
        start != truth.lines.start && self.is_at(start, text)
    }

    /// Tells whether the mistake made of the old lines others that are there, right where those are: a line too many,
    /// or too few, is another edit then, and a true one.
    pub fn says_others_there(&self, text: &[String], truth: &Truth) -> bool {
        let from = (truth.lines.start + 1).saturating_sub(self.old.len());
        self.old != text[truth.lines.clone()] && (from..truth.lines.end).any(|start| self.is_at(start, text))
    }

    fn is_at(&self, start: usize, text: &[String]) -> bool {
        !self.old.is_empty() && text.get(start..start + self.old.len()).is_some_and(|there| there == self.old)
    }

    fn shifted(self, by: i64) -> Self {
        Self { start: self.start + by, end: self.end + by, ..self }
    }

    fn each(self, change: impl Fn(&String) -> String) -> Self {
        let lines = |lines: &[String]| lines.iter().map(&change).collect();
        Self { old: lines(&self.old), new: lines(&self.new), ..self }
    }

    /// The same indent is missing everywhere.
    fn outdented(self) -> Self {
        let full = self.old.iter().chain(&self.new).filter(|line| !line.trim().is_empty());
        let blanks = full.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
        self.each(|line| line.get(blanks..).unwrap_or("").to_owned())
    }

    /// The first such line of the old text is forgotten, and where it stays, also of the new one.
    fn without(mut self, forgets: impl Fn(&String) -> bool) -> Self {
        // Not at the ends: an edit of fewer lines is a true one.
        let inner = 1..self.old.len().saturating_sub(1);
        if let Some(line) = inner.into_iter().find(|line| forgets(&self.old[*line])) {
            let gone = self.old.remove(line);
            if let Some(stays) = self.new.iter().position(|new| *new == gone) {
                self.new.remove(stays);
            }
        }
        self
    }

    fn lost_plus(mut self) -> Self {
        if let Some(line) = (0..self.new.len()).find(|line| !self.old.contains(&self.new[*line])) {
            self.old.insert(line.min(self.old.len()), self.new[line].clone());
        }
        self
    }

    /// What is the same in the middle of both is left out with `...`.
    fn elided(mut self) -> Self {
        let head = self.old.iter().zip(&self.new).take_while(|(old, new)| old == new).count();
        if head >= 5 {
            self.left_out = 2..head - 1;
            for lines in [&mut self.old, &mut self.new] {
                lines.splice(self.left_out.clone(), ["...".to_owned()]);
            }
        }
        self
    }

    /// A word of the old text is remembered wrong.
    fn wrong_word(mut self) -> Self {
        let longest = (0..self.old.len()).max_by_key(|line| self.old[*line].len()).unwrap_or(0);
        if let Some(word) = self.old[longest].split(' ').filter(|word| word.len() > 4).map(str::to_owned).next() {
            self.old[longest] = self.old[longest].replace(&word, "misremembered");
        }
        self
    }
}
