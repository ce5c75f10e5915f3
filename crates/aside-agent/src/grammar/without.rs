//! An answer of before, for a model that may no longer do what it asked for, and for a person who reads it as Markdown.

use std::borrow::Cow;

use super::{
    Reader, Reading,
    fence::{Fence, Holds},
    header::{Keyword, header_of},
    lines_of,
};

/// The markers of blocks that ask for more than to be shown something.
pub const CHANGES: [&str; 6] = ["<<<EDIT", "<<<DELETE", "<<<SEARCH", "<<<CREATE", "<<<ACTION", "```exec"];

/// What stands for such a block where no word is to be lost about it.
pub const LEFT_OUT: &str = "[omitted: a request was here]";

/// Returns the same text without what asks for more than to be shown something, also where that is an example.
pub fn without_changes(text: &str) -> Cow<'_, str> {
    let parts = parts(text);
    if parts.iter().all(|(_, part)| !part.changes()) {
        return Cow::Borrowed(text);
    }
    let kept =
        parts.into_iter().map(|(lines, part)| if part.changes() { LEFT_OUT.to_owned() } else { lines.join("\n") });
    Cow::Owned(kept.collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

/// Returns the same text with each block in a code fence of its own, which nothing in it ends: as Markdown its lines
/// would run into each other, and `>>>` would begin a quote.
pub fn fenced(text: &str) -> Cow<'_, str> {
    let parts = parts(text);
    if parts.iter().all(|(_, part)| !part.is_block()) {
        return Cow::Borrowed(text);
    }
    let written = parts.into_iter().map(|(lines, part)| {
        let text = lines.join("\n");
        let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        if part.is_block() { format!("{fence}\n{text}\n{fence}") } else { text }
    });
    Cow::Owned(written.collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

/// What some lines of an answer are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Prose,
    /// A block that asks to be shown something.
    Question,
    /// A block that asks for more.
    Change,
    /// A fence with a command, or with an example of a block.
    Fence,
}

impl Part {
    fn changes(self) -> bool {
        matches!(self, Self::Change | Self::Fence)
    }

    fn is_block(self) -> bool {
        matches!(self, Self::Question | Self::Change)
    }
}

/// All lines, in order.
fn parts(text: &str) -> Vec<(Vec<&str>, Part)> {
    let mut reader = Reader { lines: lines_of(text), at: 0, reading: Reading::default() };
    let mut parts = Vec::new();
    loop {
        let start = reader.at;
        let Some(line) = reader.next() else { return parts };
        let mut part = Part::Prose;
        if let Some(header) = header_of(line) {
            let asks = matches!(&header, Ok(header) if header.keyword == Keyword::Show);
            part = if asks { Part::Question } else { Part::Change };
            reader.block(header);
        } else if let Some(fence) = Fence::open(line) {
            let known = reader.reading.problems.len();
            reader.fence(&fence);
            if !matches!(fence.holds(), Holds::Text) || reader.reading.problems.len() > known {
                part = Part::Fence;
            }
        }
        parts.push((reader.lines[start..reader.at].to_vec(), part));
    }
}
