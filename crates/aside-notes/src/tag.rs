//! Tags: their grammar in the text of a note, and how they compare.

use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, char::is_combining_mark, is_nfc_quick};

use crate::TagPlace;

/// Returns a text without case, in NFC: what names, tags and headings are compared by.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    nfc(text).to_lowercase().nfc().collect()
}

/// Returns a text in NFC.
pub fn nfc(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.to_owned(),
        _ => text.nfc().collect(),
    }
}

/// Tells whether a tag is another one or below it: `a/b` is below `a`. Both are folded.
pub fn is_tag_within(tag: &str, above: &str) -> bool {
    tag.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(crate) fn place_of(name: &str, line: u32, range: Range<usize>, in_front_matter: bool) -> TagPlace {
    TagPlace { name: name.to_owned(), key: folded(name), line, range, in_front_matter }
}

/// Returns the bytes of a tag's name at the start of a text, behind its `#`; none if it is no tag.
pub(crate) fn length_of_name(text: &str) -> Option<usize> {
    let is_part = |character: char| {
        character.is_alphanumeric()
            || matches!(character, '_' | '-' | '/')
            || (!character.is_ascii() && (is_combining_mark(character) || is_emoji(character)))
    };
    let length = text.find(|character| !is_part(character)).unwrap_or(text.len());
    let name = text[..length].trim_end_matches('/');
    let is_sign = |character: char| !character.is_numeric() && !matches!(character, '_' | '-' | '/');
    name.contains(is_sign).then_some(name.len())
}

/// Symbols that are drawn as pictures, with the characters that join and colour them.
fn is_emoji(character: char) -> bool {
    matches!(u32::from(character),
        0x200d | 0xfe0f | 0x20e3
        | 0x203c | 0x2049 | 0x2122 | 0x2139 | 0x2194..=0x21aa | 0x231a..=0x23ff | 0x24c2 | 0x25aa..=0x27bf
        | 0x2934 | 0x2935 | 0x2b05..=0x2b55 | 0x3030 | 0x303d | 0x3297 | 0x3299
        | 0x1f000..=0x1faff | 0xe0020..=0xe007f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_need_a_sign_that_is_no_digit() {
        let name = |text: &str| length_of_name(text).map(|length| text[..length].to_owned());
        for (text, expected) in [
            ("a/b/ x", "a/b"),
            ("one,two", "one"),
            ("2026-q1", "2026-q1"),
            ("emoji🎉.", "emoji🎉"),
            ("👩\u{200d}💻x", "👩\u{200d}💻x"),
            ("日本語。", "日本語"),
            ("u\u{308}ber", "u\u{308}ber"),
            ("नमस्ते", "नमस्ते"),
            ("-dash", "-dash"),
        ] {
            assert_eq!(name(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["12", "(no)", "", "/", "1_2-3/", "२०२४"] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn name_of_a_heading_is_no_tag() {
        let path = aside_core::WorkspacePath::new("a.md").unwrap();
        let note = crate::parse_text(
            &path,
            "## Tides { #tides .wide }\n## Gauges {#gauges}\n\nlow #neap\n",
            crate::Flavour::Markdown,
        );
        assert_eq!(note.tag_names(), ["neap"]);
    }

    #[test]
    fn tags_compare_without_case_and_normal_form() {
        assert_eq!(folded("U\u{308}BER"), folded("über"));
        assert!(is_tag_within("a/b", "a") && is_tag_within("a", "a") && !is_tag_within("ab", "a"));
    }
}
