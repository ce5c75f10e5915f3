//! Folding: texts that people take for the same become equal.

use unicode_normalization::{UnicodeNormalization as _, char::canonical_combining_class};

/// Returns a text in lower case, without accents, full width as half width, `ß` as `ss`, `œ` as `oe`. Kana keep their sound marks and
/// Hangul stays composed: without them they are other words.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for char in text.nfkc().flat_map(char::to_lowercase) {
        match char {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            _ if char.is_ascii() || keeps_marks(char) => folded.push(char),
            _ => folded.extend(std::iter::once(char).nfd().filter(|part| canonical_combining_class(*part) == 0)),
        }
    }
    folded
}

fn keeps_marks(char: char) -> bool {
    matches!(char, '\u{3040}'..='\u{30FF}' | '\u{AC00}'..='\u{D7A3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_take_for_the_same_is_equal() {
        for (one, other) in [
            ("Größe", "grosse"),
            ("E\u{301}te\u{301}", "été"),
            ("cœur", "COEUR"),
            ("ＡＢＣ１", "abc1"),
            ("ｶﾞｲﾄﾞ", "ガイド"),
            ("İstanbul", "istanbul"),
            ("한글", "한글"),
        ] {
            assert_eq!(fold(one), fold(other), "{one}");
        }
        assert_ne!(fold("ハ"), fold("バ"));
    }

    proptest::proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in ".{0,60}") {
            let once = fold(&text);
            proptest::prop_assert_eq!(fold(&once), once);
        }
    }
}
