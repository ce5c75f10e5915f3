//! The order of fields as bytes that compare like them.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::values::{ColumnKind, NumberStyle, is_nothing, number_in};

/// Bytes of a text that are compared.
pub(crate) const MOST_OF_KEY: usize = 128;
const END: u8 = 0;

/// Writes the bytes that order a field; false for a field without a value, which comes last in either direction.
pub(crate) fn write_key(text: &str, kind: ColumnKind, style: NumberStyle, descending: bool, key: &mut Vec<u8>) -> bool {
    key.clear();
    if is_nothing(text) {
        return false;
    }
    match kind {
        ColumnKind::Number => match number_in(text, style) {
            Some(number) => key.extend_from_slice(&ordered(number).to_be_bytes()),
            None => return false,
        },
        ColumnKind::Text => {
            write_text(text.trim(), key);
            key.truncate(MOST_OF_KEY);
            // With an end, a word comes before its longer forms, and behind them in the other direction.
            key.push(END);
        }
    }
    if descending {
        key.iter_mut().for_each(|byte| *byte = !*byte);
    }
    true
}

/// The bits of a number, which as a whole number have the same order.
fn ordered(number: f64) -> u64 {
    // Zeros of both signs are one number.
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Lower case without accents; numbers in a text by their size: a shorter one is smaller.
fn write_text(text: &str, key: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if key.len() > MOST_OF_KEY {
            return;
        }
        if letter.is_ascii_digit() {
            let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let digits = rest[..end].trim_start_matches('0');
            let length = u8::try_from(digits.len() + 1).unwrap_or(u8::MAX);
            key.extend([b'0', length]);
            key.extend_from_slice(digits.as_bytes());
            rest = &rest[end..];
            continue;
        }
        write_letter(letter, key);
        rest = &rest[letter.len_utf8()..];
    }
}

fn write_letter(letter: char, key: &mut Vec<u8>) {
    if letter.is_ascii() {
        key.push((letter.to_ascii_lowercase() as u8).max(END + 1));
        return;
    }
    let mut bytes = [0; 4];
    for part in letter.nfd().filter(|part| !is_combining_mark(*part)).flat_map(char::to_lowercase) {
        key.extend_from_slice(part.encode_utf8(&mut bytes).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(texts: &[&str], kind: ColumnKind, descending: bool) -> Vec<String> {
        let key = |text: &str| {
            let mut key = Vec::new();
            let has_value = write_key(text, kind, NumberStyle::Point, descending, &mut key);
            (!has_value, key)
        };
        let mut sorted: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        sorted.sort_by_key(|text| key(text));
        sorted
    }

    #[test]
    fn numbers_have_their_order() {
        let texts = ["10", "-2", "3.5", "", "-1e9", "0", "x", "-0"];
        assert_eq!(sorted(&texts, ColumnKind::Number, false), ["-1e9", "-2", "0", "-0", "3.5", "10", "", "x"]);
        assert_eq!(sorted(&texts, ColumnKind::Number, true), ["10", "3.5", "0", "-0", "-2", "-1e9", "", "x"]);
    }

    #[test]
    fn words_have_their_order() {
        let texts = ["b", "a10", "a9", "A", "ä", "Ab", "", "2026-11-28", "2026-02-01"];
        assert_eq!(
            sorted(&texts, ColumnKind::Text, false),
            ["2026-02-01", "2026-11-28", "A", "ä", "a9", "a10", "Ab", "b", ""]
        );
        assert_eq!(
            sorted(&texts, ColumnKind::Text, true),
            ["b", "Ab", "a10", "a9", "A", "ä", "2026-11-28", "2026-02-01", ""]
        );
    }
}
