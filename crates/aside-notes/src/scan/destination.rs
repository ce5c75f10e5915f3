//! The target of a Markdown link: `p.md`, `<p q.md>` or `p%20q.md#heading`, with a title behind it.

use std::ops::Range;

use crate::{Link, LinkKind};

/// The target and the title of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destination {
    /// The target, without `<` and `>`.
    pub range: Range<usize>,
    /// It is written as `<…>`.
    pub angle: bool,
    /// The byte behind the target, its `>` included.
    pub end: usize,
}

/// Most parentheses in each other, as in CommonMark.
const MOST_PARENTHESES: usize = 32;

/// Reads a target at a byte of a line.
pub(crate) fn destination(text: &str, at: usize, line_end: usize) -> Option<Destination> {
    let rest = &text[at..line_end];
    if let Some(inner) = rest.strip_prefix('<') {
        let length = inner.find(['<', '>'])?;
        let closes = inner.as_bytes()[length] == b'>';
        return closes.then_some(Destination { range: at + 1..at + 1 + length, angle: true, end: at + length + 2 });
    }
    let (mut depth, mut escaped) = (0, false);
    let mut length = rest.len();
    for (place, character) in rest.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' if depth == MOST_PARENTHESES => return None,
            '(' => depth += 1,
            ')' if depth == 0 => {
                length = place;
                break;
            }
            ')' => depth -= 1,
            _ if character.is_whitespace() => {
                length = place;
                break;
            }
            _ => {}
        }
    }
    (depth == 0).then_some(Destination { range: at..at + length, angle: false, end: at + length })
}

/// Returns the byte behind the `)` of a link whose target ends at a byte; a title may stand between.
pub(crate) fn closing(text: &str, end: usize, line_end: usize) -> Option<usize> {
    let rest = &text[end..line_end];
    let spaces = rest.len() - rest.trim_start().len();
    let mut at = end + spaces;
    let title = match text[at..line_end].bytes().next()? {
        b')' => return Some(at + 1),
        _ if spaces == 0 => return None,
        quote @ (b'"' | b'\'') => quote,
        b'(' => b')',
        _ => return None,
    };
    let mut escaped = false;
    let length = text.as_bytes()[at + 1..line_end].iter().position(|byte| {
        let ends = !escaped && (*byte == title || (title == b')' && *byte == b'('));
        escaped = !escaped && *byte == b'\\';
        ends
    })?;
    if text.as_bytes()[at + 1 + length] != title {
        return None;
    }
    at += length + 2;
    let rest = &text[at..line_end];
    at += rest.len() - rest.trim_start().len();
    text[at..line_end].starts_with(')').then_some(at + 1)
}

/// Tells whether a target leads out of the files: `https:`, `mailto:`, `//host`.
pub(crate) fn has_scheme(target: &str) -> bool {
    let length = target.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(byte)).count();
    target.starts_with("//")
        || (length > 1 && target.as_bytes()[0].is_ascii_alphabetic() && target.as_bytes().get(length) == Some(&b':'))
}

/// Makes a link of a target; none if it leads out of the files or is empty.
pub(crate) fn link(
    text: &str,
    kind: LinkKind,
    line: u32,
    range: Range<usize>,
    destination: &Destination,
) -> Option<Link> {
    let written = &text[destination.range.clone()];
    if has_scheme(written) {
        return None;
    }
    let hash = written.find('#').unwrap_or(written.len());
    let start = destination.range.start;
    let anchor_range = (hash + 1 < written.len()).then(|| start + hash + 1..destination.range.end);
    let target = decoded(&written[..hash]);
    if target.is_empty() && anchor_range.is_none() {
        return None;
    }
    Some(Link {
        kind,
        line,
        range,
        target_range: start..start + hash,
        target,
        anchor: anchor_range.clone().map(|range| decoded(&text[range])),
        anchor_range,
        alias: None,
        angle: destination.angle,
    })
}

/// Returns a target with `%20` and `\(` decoded; as it is where that is no UTF-8.
pub(crate) fn decoded(text: &str) -> String {
    if !text.contains(['%', '\\']) {
        return text.to_owned();
    }
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while at < bytes.len() {
        let hex = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'\\', ..) if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => {
                out.push(bytes[at + 1]);
                at += 2;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_end_at_white_space_or_their_parenthesis() {
        let read = |text: &str| {
            let found = destination(text, 0, text.len())?;
            let end = closing(text, found.end, text.len())?;
            Some((text[found.range].to_owned(), text[end..].to_owned()))
        };
        let some = |target: &str, rest: &str| Some((target.to_owned(), rest.to_owned()));
        assert_eq!(read("a.md) b"), some("a.md", " b"));
        assert_eq!(read("a(1).md \"t\\\" \" ) b"), some("a(1).md", " b"));
        assert_eq!(read("<a b.md> 't')"), some("a b.md", ""));
        assert_eq!(read("a b.md)"), None);
        assert_eq!(read("a(b.md"), None);
        assert_eq!(read(")"), some("", ""));
    }

    #[test]
    fn schemes_lead_out() {
        assert!(has_scheme("https://x") && has_scheme("mailto:a@b") && has_scheme("//host/x"));
        assert!(!has_scheme("a/b.md") && !has_scheme("a.md#x:y") && !has_scheme("c:x") && !has_scheme(""));
    }

    #[test]
    fn targets_are_decoded_if_they_are_utf8() {
        assert_eq!(decoded("a%20b%C3%A4\\(1\\)%2"), "a bä(1)%2");
        assert_eq!(decoded("%FF"), "%FF");
    }
}
