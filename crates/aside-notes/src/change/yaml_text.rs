//! A text as a YAML scalar, quoted where it would be read as something else.

/// Returns a text as a scalar of a block list.
pub(super) fn in_block(text: &str) -> String {
    if needs_quotes(text) { quoted(text) } else { text.to_owned() }
}

/// Returns a text as a scalar between brackets.
pub(super) fn in_flow(text: &str) -> String {
    if needs_quotes(text) || text.contains(|character| ",[]{}".contains(character)) {
        quoted(text)
    } else {
        text.to_owned()
    }
}

/// Returns a text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn needs_quotes(text: &str) -> bool {
    let reads_as_other = ["null", "true", "false", "yes", "no", "on", "off", "~"];
    text.is_empty()
        || text.trim() != text
        || text.starts_with(|first: char| "-?:,[]{}#&*!|>'\"%@`=.+".contains(first) || first.is_ascii_digit())
            && !is_plain_word(text)
        || text.contains(": ")
        || text.ends_with(':')
        || text.contains(" #")
        || text.contains(char::is_control)
        || reads_as_other.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A word that begins with a digit and has a letter is read as text: `2026-q1`, `3d`.
fn is_plain_word(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_ascii_digit());
    let has_word = text.chars().any(|character| character.is_alphabetic() && !"eExXoO".contains(character));
    begins && has_word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_texts_are_quoted() {
        for (text, written) in [
            ("work", "work"),
            ("a/b", "a/b"),
            ("two words", "two words"),
            ("2026-q1", "2026-q1"),
            ("1e5", "\"1e5\""),
            ("null", "\"null\""),
            ("a: b", "\"a: b\""),
            ("@me", "\"@me\""),
            ("say \"hi\"", "say \"hi\""),
            ("日本語", "日本語"),
        ] {
            assert_eq!(in_block(text), written);
        }
        assert_eq!((in_flow("a, b"), in_block("a, b")), ("\"a, b\"".to_owned(), "a, b".to_owned()));
    }
}
