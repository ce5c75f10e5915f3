//! Names of files as text on one line, and back: escapes for control characters, marks that turn the direction of text, and
//! bytes that are not UTF-8. A backslash that would read as an escape is one itself, so that no two names become the same text.

use std::{borrow::Cow, ffi::OsString, fmt::Write as _, os::unix::ffi::OsStringExt as _};

/// Returns a name as text on one line.
pub(super) fn escaped(name: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(name) {
        Ok(text) if !text.contains(|character| character == '\\' || is_hidden(character)) => text.into(),
        _ => with_escapes(name).into(),
    }
}

fn with_escapes(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    for chunk in name.utf8_chunks() {
        for (at, character) in chunk.valid().char_indices() {
            match character {
                '\n' | '\r' | '\t' => text.extend(character.escape_default()),
                // A path that begins with a backslash is taken for an absolute one.
                '\\' if text.is_empty() || text.ends_with('/') || escape(&chunk.valid()[at..]).is_some() => {
                    text.push_str("\\u{5c}")
                }
                _ if is_hidden(character) => text.extend(character.escape_unicode()),
                _ => text.push(character),
            }
        }
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02x}").expect("a text takes more");
        }
    }
    text
}

/// Returns the name that a text stands for; none if there is no escape in it.
pub(super) fn unescaped(text: &str) -> Option<OsString> {
    let mut name = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        name.extend(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let length = match escape(rest) {
            Some((Escaped::Character(character), length)) => {
                name.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
                length
            }
            Some((Escaped::Byte(byte), length)) => {
                name.push(byte);
                length
            }
            None => {
                name.push(b'\\');
                1
            }
        };
        rest = &rest[length..];
    }
    name.extend(rest.as_bytes());
    (name != text.as_bytes()).then(|| OsString::from_vec(name))
}

pub(super) enum Escaped {
    Character(char),
    /// A byte that is not UTF-8.
    Byte(u8),
}

/// The meaning of an escape at the start of a text, and its length.
pub(super) fn escape(text: &str) -> Option<(Escaped, usize)> {
    let character = match *text.as_bytes().get(1)? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let code = text.strip_prefix("\\u{")?.split('}').next().filter(|code| text.len() > code.len() + 3)?;
            let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            let is_escaped = is_hidden(character) || character == '\\';
            return is_escaped.then_some((Escaped::Character(character), code.len() + 4));
        }
        b'x' => {
            let byte = u8::from_str_radix(text.get(2..4)?, 16).ok()?;
            return (!byte.is_ascii()).then_some((Escaped::Byte(byte), 4));
        }
        _ => return None,
    };
    Some((Escaped::Character(character), 2))
}

/// Control characters, ends of lines, and marks that turn the direction of the text after them.
pub(super) fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
