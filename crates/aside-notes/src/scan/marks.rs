//! The marks at the start of a line: bullets, fences, rules and underlines.

use std::ops::Range;

/// The mark of a list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListMarker {
    /// Bytes of the mark, from 1 to 10.
    pub length: usize,
    /// `-`, `*`, `+`, `.` or `)`: items with different ones belong to different lists.
    pub sign: u8,
}

/// Reads the mark of a list item at the start of a text: a bullet or a number, then white space or nothing.
pub(crate) fn list_marker(text: &str) -> Option<ListMarker> {
    let bytes = text.as_bytes();
    let digits = bytes.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let sign = *bytes.get(digits)?;
    let is_mark =
        if digits == 0 { matches!(sign, b'-' | b'*' | b'+') } else { digits < 10 && matches!(sign, b'.' | b')') };
    if !is_mark {
        return None;
    }
    let length = digits + 1;
    let ends = text[length..].chars().next().is_none_or(char::is_whitespace);
    ends.then_some(ListMarker { length, sign })
}

/// A fence of a code block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    pub sign: u8,
    pub length: usize,
}

/// Reads the opening fence at the start of a text.
pub(crate) fn opening_fence(text: &str) -> Option<Fence> {
    let sign = *text.as_bytes().first()?;
    let length = text.bytes().take_while(|byte| *byte == sign).count();
    let is_fence = match sign {
        b'`' => !text[length..].contains('`'),
        b'~' => true,
        _ => false,
    };
    (is_fence && length >= 3).then_some(Fence { sign, length })
}

/// Tells whether a line closes a fence.
pub(crate) fn closes(fence: Fence, line: &str) -> bool {
    let line = line.trim();
    line.len() >= fence.length && line.bytes().all(|byte| byte == fence.sign)
}

/// Tells whether a line is a rule: three or more `-`, `*` or `_`, with spaces between them.
pub(crate) fn is_rule(text: &str) -> bool {
    let Some(sign) = text.bytes().next().filter(|byte| matches!(byte, b'-' | b'*' | b'_')) else { return false };
    let mut count = 0;
    text.bytes().all(|byte| {
        count += usize::from(byte == sign);
        byte == sign || byte.is_ascii_whitespace()
    }) && count >= 3
}

/// Returns the level of the heading that a line underlines.
pub(crate) fn underline(text: &str) -> Option<u8> {
    let text = text.trim_end();
    let all = |sign: u8| !text.is_empty() && text.bytes().all(|byte| byte == sign);
    if all(b'=') {
        Some(1)
    } else if all(b'-') {
        Some(2)
    } else {
        None
    }
}

/// Reads a heading with `#`s: its level, and the bytes of its words without closing `#`s.
pub(crate) fn heading(text: &str) -> Option<(u8, Range<usize>)> {
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    if !(1..=6).contains(&level) || !text[level..].chars().next().is_none_or(char::is_whitespace) {
        return None;
    }
    let words = text[level..].trim();
    let without = words.trim_end_matches('#');
    let words = if without.is_empty() || without.ends_with(char::is_whitespace) { without.trim_end() } else { words };
    let start = level + (text[level..].len() - text[level..].trim_start().len());
    Some((level as u8, start..start + words.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_and_numbers_need_white_space() {
        for (text, length) in [("- a", 1), ("*\ta", 1), ("+", 1), ("1. a", 2), ("123456789) a", 10)] {
            assert_eq!(list_marker(text).map(|marker| marker.length), Some(length), "{text}");
        }
        for text in ["-a", "1.a", "1234567890. a", "a", "", "--- ", "ä"] {
            assert_eq!(list_marker(text), None, "{text}");
        }
    }

    #[test]
    fn headings_lose_their_closing_signs() {
        let words = |text: &str| heading(text).map(|(level, words)| (level, text[words].to_owned()));
        assert_eq!(words("## a b ##  "), Some((2, "a b".to_owned())));
        assert_eq!(words("# a#"), Some((1, "a#".to_owned())));
        assert_eq!(words("# #"), Some((1, String::new())));
        assert_eq!(words("#a"), None);
        assert_eq!(words("####### a"), None);
    }

    #[test]
    fn fences_close_with_their_own_sign() {
        let fence = opening_fence("~~~~ md").unwrap();
        assert!(closes(fence, " ~~~~~ ") && !closes(fence, "~~~") && !closes(fence, "```` "));
        assert_eq!(opening_fence("``` a`b"), None);
        assert_eq!(opening_fence("``"), None);
    }
}
