//! The fields of a row.

use std::{borrow::Cow, ops::ControlFlow};

use memchr::{memchr, memchr2};

use crate::{dialect::QUOTE, text::text_of};

/// The most bytes of a field that are shown, compared or counted.
pub(crate) const MOST_OF_FIELD: usize = 2_000;

/// Calls `each` with the bytes of each field, quotes included, until it breaks.
pub(crate) fn walk<'a>(row: &'a [u8], delimiter: u8, mut each: impl FnMut(usize, &'a [u8]) -> ControlFlow<()>) {
    let mut start = 0;
    for column in 0.. {
        let from = if row.get(start) == Some(&QUOTE) { after_quotes(row, start) } else { start };
        let end = memchr(delimiter, &row[from..]).map_or(row.len(), |found| from + found);
        if each(column, &row[start..end]).is_break() || end == row.len() {
            return;
        }
        start = end + 1;
    }
}

/// The place behind the quote that ends a field. One without an end is a letter: the place is the quote itself.
fn after_quotes(row: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while let Some(found) = row.get(at..).and_then(|rest| memchr(QUOTE, rest)) {
        at += found + 1;
        if row.get(at) != Some(&QUOTE) {
            return at;
        }
        at += 1;
    }
    quote
}

/// The number of fields; one at least.
pub(crate) fn field_count(row: &[u8], delimiter: u8) -> usize {
    if memchr(QUOTE, row).is_none() {
        return 1 + memchr::memchr_iter(delimiter, row).count();
    }
    let mut count = 0;
    walk(row, delimiter, |_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}

/// The text of one field; empty where the row has none.
pub(crate) fn field(row: &[u8], delimiter: u8, wanted: usize, most: usize) -> Cow<'_, str> {
    let mut text = Cow::Borrowed("");
    walk(row, delimiter, |column, bytes| {
        if column == wanted {
            text = shown(bytes, most);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    text
}

/// The text of a field without its quotes, cut after about that many bytes.
pub(crate) fn shown(field: &[u8], most: usize) -> Cow<'_, str> {
    let content = match field {
        [QUOTE, rest @ ..] if after_quotes(field, 0) > 0 => unquoted(rest),
        plain => Cow::Borrowed(plain),
    };
    if content.len() <= most {
        return match content {
            Cow::Borrowed(bytes) => text_of(bytes),
            Cow::Owned(bytes) => Cow::Owned(text_of(&bytes).into_owned()),
        };
    }
    let mut kept = &content[..most];
    if let Err(error) = std::str::from_utf8(kept)
        && error.error_len().is_none()
    {
        kept = &kept[..error.valid_up_to()];
    }
    Cow::Owned(format!("{}…", text_of(kept)))
}

/// The bytes after the first quote without the one that ends them, and with pairs as one.
fn unquoted(rest: &[u8]) -> Cow<'_, [u8]> {
    if rest.last() == Some(&QUOTE) && memchr(QUOTE, rest) == Some(rest.len() - 1) {
        return Cow::Borrowed(&rest[..rest.len() - 1]);
    }
    let mut content = Vec::with_capacity(rest.len());
    let mut at = 0;
    while let Some(found) = memchr(QUOTE, &rest[at..]) {
        content.extend_from_slice(&rest[at..at + found]);
        at += found + 1;
        if rest.get(at) != Some(&QUOTE) {
            break;
        }
        content.push(QUOTE);
        at += 1;
    }
    content.extend_from_slice(&rest[at..]);
    Cow::Owned(content)
}

/// Tells whether bytes contain ASCII words, whatever their case.
pub(crate) fn contains_ascii(bytes: &[u8], words: &[u8]) -> bool {
    let Some(first) = words.first() else { return true };
    let (low, high) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(low, high, rest)) {
        at += found;
        if bytes.get(at..at + words.len()).is_some_and(|there| there.eq_ignore_ascii_case(words)) {
            return true;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(row: &str) -> Vec<String> {
        let mut found = Vec::new();
        walk(row.as_bytes(), b',', |_, bytes| {
            found.push(shown(bytes, 10).into_owned());
            ControlFlow::Continue(())
        });
        assert_eq!(found.len(), field_count(row.as_bytes(), b','));
        found
    }

    #[test]
    fn fields_lose_their_quotes() {
        assert_eq!(all(r#""1,5","say ""hi""",x"#), ["1,5", r#"say "hi""#, "x"]);
        assert_eq!(all(r#"5" pipe,"a"b"#), [r#"5" pipe"#, "ab"]);
        assert_eq!(all(r#""""","#), [r#"""#, ""]);
        assert_eq!(all(r#""open,b"#), [r#""open"#, "b"]);
        assert_eq!(all(r#""""#), [""]);
        assert_eq!(all(""), [""]);
    }

    #[test]
    fn long_fields_are_cut_between_letters() {
        assert_eq!(all(&"ü".repeat(9)), ["üüüüü…"]);
        assert_eq!(all(&format!("x{}", "ü".repeat(9))), ["xüüüü…"]);
        assert_eq!(all(&format!("\"{}\",y", "x".repeat(11))), ["xxxxxxxxxx…", "y"]);
    }

    #[test]
    fn words_are_found_in_any_case() {
        assert!(contains_ascii(b"xx Apple", b"apple") && contains_ascii(b"aapple", b"APPLE"));
        assert!(!contains_ascii(b"appl", b"apple") && contains_ascii(b"", b""));
    }
}
