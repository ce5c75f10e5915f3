//! The ends of texts that are too long to be read.

use aside_notebook::Raw;

/// Bytes of a text, as the file has it, above which only its ends are read, and how many of each.
const LONG: usize = 64 << 10;
const HEAD: usize = 8 << 10;
const TAIL: usize = 24 << 10;
/// Bytes of `\u1234`.
const ESCAPE: usize = 6;
/// Stands between the ends.
const BETWEEN: &str = "\n…\n";

/// A text, or the ends of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// What was read.
    pub all: String,
    /// About how many characters were not.
    pub left: usize,
}

impl Text {
    /// Reads a text of the format: one string, or several with this between them.
    pub fn read(raw: &Raw, between: &str) -> Self {
        let pieces = pieces(raw);
        let size: usize = pieces.iter().map(|piece| written(piece).len() + between.len()).sum();
        if size <= LONG {
            let texts: Vec<String> = pieces.iter().filter_map(Raw::text).collect();
            return Self { all: texts.join(between), left: 0 };
        }
        let (head, in_head) = some_of(pieces.iter(), HEAD, between, front);
        let (tail, in_tail) = some_of(pieces.iter().rev(), TAIL, between, back);
        let head = head.join(between);
        let tail = tail.into_iter().rev().collect::<Vec<_>>().join(between);
        Self { all: [head.as_str(), &tail].join(BETWEEN), left: size.saturating_sub(in_head + in_tail) }
    }

    /// The same of a text that is at hand.
    pub fn of(text: &str) -> Self {
        if text.len() <= LONG {
            return Self { all: text.to_owned(), left: 0 };
        }
        let head = &text[..text.floor_char_boundary(HEAD)];
        let tail = &text[text.ceil_char_boundary(text.len() - TAIL)..];
        Self { all: [head, tail].join(BETWEEN), left: text[head.len()..text.len() - tail.len()].chars().count() }
    }

    /// Adds one that follows.
    pub fn push(&mut self, next: Self) {
        self.all.push_str(&next.all);
        self.left += next.left;
        if self.all.len() > 2 * LONG {
            let ends = Self::of(&self.all);
            *self = Self { all: ends.all, left: self.left + ends.left };
        }
    }

    /// About how many bytes a text of the format has; `None` if it is something else.
    pub fn size_of(raw: &Raw) -> Option<usize> {
        let pieces = pieces(raw);
        let is_text = !pieces.is_empty() && pieces.iter().all(|piece| piece.as_str().starts_with('"'));
        is_text.then(|| pieces.iter().map(|piece| written(piece).len()).sum())
    }
}

fn pieces(raw: &Raw) -> Vec<Raw> {
    if raw.as_str().starts_with('[') { raw.items().unwrap_or_default() } else { vec![raw.clone()] }
}

/// What stands between the quotes, escapes and all; nothing if it is no string.
fn written(piece: &Raw) -> &str {
    let inner = piece.as_str().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default()
}

/// Reads pieces until there are so many bytes; returns how many there were.
fn some_of<'a>(
    pieces: impl Iterator<Item = &'a Raw>,
    most: usize,
    between: &str,
    part: impl Fn(&str, usize) -> &str,
) -> (Vec<String>, usize) {
    let (mut texts, mut size) = (Vec::new(), 0);
    for piece in pieces {
        let written = written(piece);
        let part = if written.len() <= most - size { written } else { part(written, most - size) };
        texts.extend(Raw::parse(format!("\"{part}\"")).ok().and_then(|raw| raw.text()));
        size += part.len() + between.len();
        if size >= most || part.len() < written.len() {
            break;
        }
    }
    (texts, size)
}

/// The beginning of what stands between quotes; no escape is cut in two.
fn front(written: &str, most: usize) -> &str {
    let (mut end, bytes) = (0, written.as_bytes());
    while end < most {
        let step = match (bytes[end], bytes.get(end + 1)) {
            // The two halves of a letter that is written as such.
            (b'\\', Some(b'u')) if is_half(&bytes[end..], b"89ab") => 2 * ESCAPE,
            (b'\\', Some(b'u')) => ESCAPE,
            (b'\\', _) => 2,
            _ => written[end..].chars().next().map_or(1, char::len_utf8),
        };
        if end + step > most {
            break;
        }
        end += step;
    }
    &written[..end]
}

/// The end of it, which begins where no escape can have begun before: at one, or where none is near.
fn back(written: &str, most: usize) -> &str {
    let bytes = written.as_bytes();
    let begins = |at: &usize| {
        let before = || bytes[..*at].iter().rev().take_while(|byte| **byte == b'\\').count();
        match bytes[*at] {
            b'\\' => before().is_multiple_of(2) && !is_half(&bytes[*at..], b"cdef"),
            _ => written.is_char_boundary(*at) && !bytes[at.saturating_sub(ESCAPE)..*at].contains(&b'\\'),
        }
    };
    let start = (written.len() - most..written.len()).find(begins);
    start.map_or("", |start| &written[start..])
}

/// Tells whether there is an escape of half a letter, the second digit of which is one of these.
fn is_half(bytes: &[u8], digits: &[u8]) -> bool {
    let [b'\\', b'u', first, second, ..] = bytes else { return false };
    first.eq_ignore_ascii_case(&b'd') && digits.contains(&second.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(value: &Value) -> Text {
        Text::read(&Raw::of(value), "")
    }

    #[test]
    fn a_short_text_is_read_whole_however_it_is_spelled() {
        for value in [json!("a\nb"), json!(["a\n", "b"]), json!(["a\n", 1, "b"])] {
            assert_eq!(read(&value), Text { all: "a\nb".to_owned(), left: 0 });
        }
        assert_eq!(Text::read(&Raw::of(&json!(["a", "b"])), "\n").all, "a\nb");
        assert_eq!(read(&json!(null)), Text::default());
    }

    #[test]
    fn of_a_long_one_both_ends_are_read_and_no_letter_is_cut_in_two() {
        for letter in ["x", "é", "\"", "\\", "\n", "\u{1}", "𝄞", "ab\\\"\u{1}é𝄞\n"] {
            let text = letter.repeat(200_000);
            let lines = |each: usize| {
                let letters: Vec<char> = text.chars().collect();
                json!(letters.chunks(each).map(|line| line.iter().collect::<String>()).collect::<Vec<_>>())
            };
            let ascii = |value: &Value| {
                let escaped = |letter: char| {
                    let mut units = [0; 2];
                    letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>()
                };
                let written = value.to_string();
                let letters =
                    written.chars().map(|letter| if letter.is_ascii() { letter.to_string() } else { escaped(letter) });
                Raw::parse(letters.collect::<String>()).unwrap()
            };
            for value in [json!(text), lines(80), lines(100_000)] {
                for raw in [Raw::of(&value), ascii(&value)] {
                    let Text { all, left } = Text::read(&raw, "");
                    let (head, tail) = all.split_once(BETWEEN).unwrap();
                    assert!(text.starts_with(head) && head.len() > 500, "{letter:?}: {head:?}");
                    assert!(text.ends_with(tail) && tail.len() > 1_500, "{letter:?}: {tail:?}");
                    assert!(left >= text.chars().count() - head.chars().count() - tail.chars().count() - 1, "{left}");
                }
            }
        }
    }

    #[test]
    fn what_grows_keeps_its_ends() {
        let mut text = Text::default();
        for number in 0..40_000 {
            text.push(Text { all: format!("{number}\n"), left: 0 });
        }
        assert!(text.all.starts_with("0\n1\n") && text.all.ends_with("\n39999\n"));
        assert!(text.all.len() < 3 * LONG && text.left > 0);
    }
}
