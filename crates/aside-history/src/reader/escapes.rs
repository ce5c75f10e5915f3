//! Escapes of half a character, which some programs write where they cut a text: JSON allows them, Unicode has no such character.

use std::borrow::Cow;

use serde::Deserialize;

/// Parses JSON; half characters are replaced if they are all that is wrong with it.
pub fn parse<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match whole(text) {
        Cow::Owned(whole) => serde_json::from_str(&whole),
        Cow::Borrowed(_) => Err(error),
    })
}

/// The text with half characters replaced.
pub fn whole(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut whole, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        at += next;
        at += match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                whole.push_str(&text[kept..at]);
                whole.push_str("\\ufffd");
                kept = at + 6;
                6
            }
            // What follows may be a backslash itself.
            _ => 2,
        };
        at = at.min(bytes.len());
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(&text[kept..]);
    Cow::Owned(whole)
}

/// The number of an escape such as `\u00e4` that stands there.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_are_replaced_and_nothing_else() {
        for (text, expected) in [
            (r#""\ud83d\ude00 \u00e4""#, "\u{1f600} \u{e4}"),
            (r#""cut \ud83d""#, "cut \u{fffd}"),
            (r#""\ude00\ud83dx\ud83d\ude00""#, "\u{fffd}\u{fffd}x\u{1f600}"),
            (r#""\\ud83d \\\ud83d""#, "\\ud83d \\\u{fffd}"),
            (r#""\ud83d\u0041""#, "\u{fffd}A"),
        ] {
            assert_eq!(parse::<String>(text).unwrap(), expected, "{text}");
        }
        for wrong in ["\"\\ud8", "\\", "\"\\u12\u{e4}\"", "\"\\"] {
            assert!(parse::<String>(wrong).is_err(), "{wrong}");
        }
    }
}
