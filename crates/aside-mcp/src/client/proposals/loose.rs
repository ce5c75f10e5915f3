//! JSON as people write it in configuration files: with comments, and with commas after the last item.

/// Returns the text with comments and last commas blanked out, so that offsets stay as they were.
pub(super) fn strict(text: &str) -> String {
    let blanked = without_comments(text);
    let mut strict = String::with_capacity(blanked.len());
    let mut rest = blanked.as_str();
    while let Some(at) = next_outside(rest, b',') {
        let last = rest[at + 1..].trim_start().starts_with(['}', ']']);
        strict.push_str(&rest[..at]);
        strict.push(if last { ' ' } else { ',' });
        rest = &rest[at + 1..];
    }
    strict + rest
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = next_outside(rest, b'/') {
        kept.push_str(&rest[..at]);
        let comment = &rest[at..];
        let length = match comment.as_bytes().get(1) {
            Some(b'/') => comment.find('\n').unwrap_or(comment.len()),
            Some(b'*') => comment[2..].find("*/").map_or(comment.len(), |end| end + 4),
            _ => 0,
        };
        // A lone slash stays, and is no JSON.
        kept.push_str(if length == 0 { "/" } else { " " });
        rest = &comment[length.max(1)..];
    }
    kept + rest
}

/// Where a byte comes next that is in no string.
fn next_outside(text: &str, wanted: u8) -> Option<usize> {
    let (mut inside, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            _ if byte == wanted && !inside => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn comments_and_last_commas_are_not_read() {
        let text = "{ // one\n \"a\": [1, 2, /* two, */ ], \"b\": \"// no, }\\\" /* neither */\", }";
        let value: Value = serde_json::from_str(&strict(text)).unwrap();
        assert_eq!(value, json!({ "a": [1, 2], "b": "// no, }\" /* neither */" }));
        for wrong in ["{\"a\": /}", "{,}x", "/* open", "{\"a\"/"] {
            assert!(serde_json::from_str::<Value>(&strict(wrong)).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn strict_json_stays_what_it_says(keys in prop::collection::vec((".{0,10}", ".{0,10}"), 0..6)) {
            let value: Value = keys.into_iter().map(|(key, text)| (key, json!([text]))).collect::<serde_json::Map<_, _>>().into();
            let text = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<Value>(&strict(&text)).unwrap(), value);
        }
    }
}
