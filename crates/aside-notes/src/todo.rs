//! Todos as they are written in a note.

pub(crate) mod read;
mod repeat;
mod signs;

use std::{fmt, ops::Range};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::NoteBlock;

/// The state of a todo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TodoState {
    /// `[ ]`, and every sign without a meaning here.
    Open,
    /// `[/]`.
    Doing,
    /// `[x]`.
    Done,
    /// `[-]`.
    Cancelled,
    /// `[>]`.
    Moved,
}

impl TodoState {
    /// Returns the word of wire and tests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Doing => "doing",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Moved => "moved",
        }
    }

    /// Returns the state of a word.
    pub fn of_name(word: &str) -> Option<Self> {
        let all = [Self::Open, Self::Doing, Self::Done, Self::Cancelled, Self::Moved];
        all.into_iter().find(|state| state.name() == word)
    }

    /// Tells whether there is still something to do.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Doing)
    }
}

/// A todo as it is written. Its handle is note, line and text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// Its line, from 1.
    pub line: u32,
    /// The bytes of its line, without the line end.
    pub range: Range<usize>,
    /// The line and those that belong to it in a Logseq graph (`SCHEDULED: <…>`), without the last line end.
    pub lines: Range<usize>,
    /// The bytes of the bullet: `-`, `*`, `+`, `1.` or `1)`.
    pub bullet: Range<usize>,
    /// The columns before the bullet, in its quote; a tab counts to the next multiple of 4.
    pub indent: u32,
    /// How many `>` stand before it.
    pub quote: u32,
    /// The state that its mark means.
    pub state: TodoState,
    /// The character in the brackets, or the word of Logseq (`TODO`).
    pub mark: String,
    /// The bytes of the mark.
    pub mark_range: Range<usize>,
    /// The todo begins with a word, as in Logseq, and has no brackets.
    pub word: bool,
    /// The bytes behind the mark and its white space, to the end of the line: words, signs, comments and id.
    pub body: Range<usize>,
    /// The words without signs, comments and id, with single spaces.
    pub text: String,
    /// The signs, in order; the last one of a kind counts.
    pub signs: Vec<Sign>,
    /// The id of its block.
    pub block: Option<NoteBlock>,
    /// The line of the nearest todo above with less indent, in the same list and quote.
    pub parent: Option<u32>,
}

impl Todo {
    /// Returns the sign of a kind that counts: the last one.
    pub fn sign(&self, kind: SignKind) -> Option<&Sign> {
        self.signs.iter().rev().find(|sign| sign.kind == kind)
    }

    /// Returns the date of a kind, if the todo has one.
    pub fn date(&self, kind: SignKind) -> Option<TodoDate> {
        match &self.sign(kind)?.value {
            SignValue::Date(date) => Some(*date),
            _ => None,
        }
    }

    /// Returns the text of a kind: the rule of a repeat, an id.
    pub fn words(&self, kind: SignKind) -> Option<&str> {
        match &self.sign(kind)?.value {
            SignValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the priority, if the todo has one.
    pub fn priority(&self) -> Option<Priority> {
        match self.sign(SignKind::Priority)?.value {
            SignValue::Priority(priority) => Some(priority),
            _ => None,
        }
    }
}

/// One sign of a todo, such as `📅 2026-12-01`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sign {
    /// Its meaning.
    pub kind: SignKind,
    /// Its notation.
    pub style: SignStyle,
    /// The bytes of the whole sign, without the space before it. Of a repeat in Logseq, its part of the `<…>`.
    pub range: Range<usize>,
    /// The bytes of its value: a date, a rule, an id. Of a priority as an emoji, the emoji.
    pub value_range: Range<usize>,
    /// Its value.
    pub value: SignValue,
}

/// The meaning of a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SignKind {
    /// The day by which it has to be done.
    Due,
    /// The day on which it is planned.
    Scheduled,
    /// The day from which it can be done.
    Start,
    /// The day on which it was done.
    Done,
    /// The day on which it was cancelled.
    Cancelled,
    /// The day on which it was written.
    Created,
    /// The rule by which it comes again.
    Repeat,
    /// Its priority.
    Priority,
    /// Its id, for other todos.
    Id,
    /// Ids of other todos (`⛔`): left out of the text, without further meaning.
    DependsOn,
    /// An action of the Tasks plugin (`🏁`): left out of the text, without further meaning.
    OnCompletion,
}

/// The notation of a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SignStyle {
    /// `📅 2026-12-01`, of the Tasks plugin for Obsidian.
    Emoji,
    /// `[due:: 2026-12-01]` or `(due:: 2026-12-01)`.
    Dataview,
    /// `(due 2026-12-01)`.
    PlainRound,
    /// `@due(2026-12-01)`.
    PlainAt,
    /// `due:2026-12-01`.
    PlainColon,
    /// `DEADLINE: <2026-12-01 Tue>` on a line of its own, or `[#A]`.
    Logseq,
}

/// The value of a sign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignValue {
    /// A day, with a time if one is written.
    Date(TodoDate),
    /// The rule of a repeat as it is written (`every week`, `.+1w`), or an id.
    Text(String),
    /// A priority.
    Priority(Priority),
}

/// A priority, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Priority {
    /// `⏬`.
    Lowest,
    /// `🔽`.
    Low,
    /// `🔼`.
    Medium,
    /// `⏫`.
    High,
    /// `🔺`.
    Highest,
}

impl Priority {
    /// Returns the word of wire and tests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lowest => "lowest",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Highest => "highest",
        }
    }

    /// Returns the priority of a word, without case.
    pub fn of_name(word: &str) -> Option<Self> {
        let all = [Self::Lowest, Self::Low, Self::Medium, Self::High, Self::Highest];
        all.into_iter().find(|priority| priority.name().eq_ignore_ascii_case(word))
    }
}

/// A day, with a time if one is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TodoDate {
    /// The day.
    pub date: Date,
    /// Hour and minute.
    pub time: Option<(u8, u8)>,
}

impl fmt::Display for TodoDate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.date)?;
        let Some((hour, minute)) = self.time else { return Ok(()) };
        write!(out, "T{hour:02}:{minute:02}")
    }
}
