//! An edit as lines, checked for sense.

use std::ops::Range;

use super::{AnchoredEdit, Failed, Reason};
use crate::to_lf;

/// Some lines of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Without terminators.
    pub lines: Vec<String>,
    /// Whether the last one was ended.
    pub ended: bool,
}

impl Block {
    fn new(text: &str) -> Self {
        let text = to_lf(text);
        let ended = text.ends_with('\n');
        let body = text.strip_suffix('\n').unwrap_or(&text);
        let lines = if text.is_empty() { Vec::new() } else { body.split('\n').map(str::to_owned).collect() };
        Self { lines, ended }
    }

    /// Nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.lines.iter().all(|line| line.trim().is_empty())
    }
}

/// An edit as lines, counted from 0.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The named lines.
    pub range: Option<Range<usize>>,
    /// The lines that go; none if they are to be taken from the base.
    pub old: Option<Block>,
    /// The lines that come.
    pub new: Block,
}

impl Request {
    /// Checks an edit; what makes no sense is refused rather than guessed.
    pub fn new(edit: &AnchoredEdit, has_base: bool) -> Result<Self, Failed> {
        if edit.new.contains('\0') {
            return Err(nonsense("`new` contains a NUL character, which no text file can hold"));
        }
        let old = edit.old.as_deref().map(Block::new);
        let range = named_lines(edit, old.as_ref())?;
        let request = Self { range, old, new: Block::new(&edit.new) };
        request.check(has_base)?;
        Ok(request)
    }

    /// Nothing goes.
    pub fn is_insertion(&self) -> bool {
        match &self.old {
            Some(old) => old.lines.is_empty(),
            None => self.range.as_ref().is_some_and(Range::is_empty),
        }
    }

    fn check(&self, has_base: bool) -> Result<(), Failed> {
        match (&self.old, &self.range) {
            (None, None) => Err(nonsense("an edit needs `old`, or `start` and `end` with their version")),
            (None, Some(_)) if !has_base => {
                Err(nonsense("without `old`, `base` must give the version of the line numbers"))
            }
            (Some(old), None) if old.lines.is_empty() => Err(nonsense("an insertion (empty `old`) needs `start`")),
            (Some(old), None) if old.is_blank() => {
                Err(nonsense("`old` has only blank lines; give `start` to say which"))
            }
            (Some(old), _) if old == &self.new => {
                Err(Failed::new(Reason::Noop, "nothing to change: `old` and `new` are the same"))
            }
            _ if self.is_insertion() && self.new.lines.is_empty() => {
                Err(Failed::new(Reason::Noop, "nothing to change: there are no old or new lines"))
            }
            _ => Ok(()),
        }
    }
}

fn named_lines(edit: &AnchoredEdit, old: Option<&Block>) -> Result<Option<Range<usize>>, Failed> {
    let (start, end) = match (edit.start, edit.end) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err(nonsense("`end` needs `start`")),
        (Some(0), _) => return Err(nonsense("there is no line 0: lines count from 1")),
        (Some(start), end) => (start as usize - 1, end.map(|end| end as usize)),
    };
    let count = old.map_or(1, |old| old.lines.len());
    let end = end.unwrap_or(start + count);
    if end < start {
        return Err(nonsense(format!("`start` {} is after `end` {end}", start + 1)));
    }
    if old.is_some_and(|old| old.lines.is_empty()) && end > start {
        let message = "`old` is empty but `start` to `end` names lines; to delete or replace them, leave out `old` \
            or give their text";
        return Err(nonsense(message));
    }
    Ok(Some(start..end))
}

fn nonsense(message: impl Into<String>) -> Failed {
    Failed::new(Reason::Parse, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: Option<u32>, end: Option<u32>, old: Option<&str>, new: &str) -> AnchoredEdit {
        AnchoredEdit { start, end, old: old.map(str::to_owned), new: new.to_owned() }
    }

    #[test]
    fn a_trailing_newline_ends_the_last_line_and_adds_none() {
        assert_eq!(Block::new("a\r\nb\r\n").lines, ["a", "b"]);
        assert_eq!(Block::new("a").lines, ["a"]);
        assert_eq!(Block::new("\n").lines, [""]);
        assert!(Block::new("").lines.is_empty());
    }

    #[test]
    fn refuses_what_makes_no_sense() {
        let cases = [
            edit(None, None, None, "x"),
            edit(None, None, Some(""), "x"),
            edit(None, None, Some(" \n\n"), "x"),
            edit(None, Some(2), Some("a"), "x"),
            edit(Some(0), None, Some("a"), "x"),
            edit(Some(5), Some(3), Some("a"), "x"),
            edit(Some(1), Some(2), Some(""), "x"),
            edit(Some(1), Some(1), None, "x"),
            edit(Some(1), None, Some("a"), "x\0"),
        ];
        for case in cases {
            assert_eq!(Request::new(&case, false).unwrap_err().reason, Reason::Parse, "{case:?}");
        }
    }

    #[test]
    fn old_and_new_the_same_is_said() {
        assert_eq!(Request::new(&edit(None, None, Some("a\r\n"), "a\n"), true).unwrap_err().reason, Reason::Noop);
        assert!(Request::new(&edit(None, None, Some("a\n"), "a"), true).is_ok(), "may drop the final newline");
    }

    #[test]
    fn the_end_follows_from_the_old_lines() {
        let request = Request::new(&edit(Some(3), None, Some("a\nb"), "x"), true).unwrap();
        assert_eq!(request.range, Some(2..4));
        let request = Request::new(&edit(Some(3), Some(2), None, "x"), true).unwrap();
        assert!(request.is_insertion());
    }
}
