//! Makes text of what a kernel sent as JSON, so that nothing it says is lost for one letter.

/// Returns JSON that can be read: bytes that are not UTF-8, and halves of surrogate pairs (which Python writes for text
/// that it could not decode) are U+FFFD.
pub(crate) fn repaired(json: &[u8]) -> String {
    let text = String::from_utf8_lossy(json);
    if !text.contains("\\u") && !text.contains("\\U") {
        return text.into_owned();
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('\\') {
        whole.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, escape) = escape(rest);
        whole.push_str(escape);
        rest = &rest[length..];
    }
    whole + rest
}

/// How long an escape is, and what comes in its place.
fn escape(text: &str) -> (usize, &str) {
    match unit(text) {
        Some(0xd800..=0xdbff) => match text.get(6..).and_then(unit) {
            Some(0xdc00..=0xdfff) => (12, &text[..12]),
            _ => (6, "\\ufffd"),
        },
        Some(0xdc00..=0xdfff) => (6, "\\ufffd"),
        Some(_) => (6, &text[..6]),
        // An escaped letter, so that an escaped backslash does not begin another escape.
        None => {
            let length = 1 + text[1..].chars().next().map_or(0, char::len_utf8);
            (length, &text[..length])
        }
    }
}

/// The number of an escape `\uXXXX` at the start.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_no_text_is_replaced() {
        for (json, wanted) in [
            (&br#""a\ud83d\ude00\u00e9\\ud800""#[..], r#""a\ud83d\ude00\u00e9\\ud800""#),
            (br#""\ud800""#, r#""\ufffd""#),
            (br#""\udc00\ud800\u0041""#, r#""\ufffd\ufffd\u0041""#),
            (b"\"\xff\\u0\\\"", "\"\u{fffd}\\u0\\\""),
            ("\"\\é\\u00zz\"".as_bytes(), "\"\\é\\u00zz\""),
        ] {
            assert_eq!(repaired(json), wanted);
        }
    }
}
