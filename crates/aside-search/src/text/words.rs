//! Cutting a text into words.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;

use super::fold;

/// A run of letters, digits and underscores of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The terms that the index has for it. `a_b` is found as itself and by its parts; of Chinese, Japanese or Korean, each pair of characters is a word.
    pub terms: Vec<String>,
}

/// Returns the words of a text in order. Pairs of characters overlap.
pub fn words(text: &str) -> impl Iterator<Item = Word> {
    runs(text).flat_map(|range| words_of(text, range))
}

fn words_of(text: &str, range: Range<usize>) -> Vec<Word> {
    let run = &text[range.clone()];
    let folded = fold(run);
    if !folded.starts_with(is_unspaced) {
        return vec![Word { range, terms: terms_of(&folded) }];
    }
    let pairs = pairs(&folded);
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| range.start + at).chain([range.end]).collect();
    // Half-width kana with a sound mark become one character: then where each pair was is not known.
    let each_is_one = folded.chars().count() + 1 == starts.len();
    let place =
        |at: usize| if each_is_one { starts[at]..starts[(at + 2).min(starts.len() - 1)] } else { range.clone() };
    pairs.into_iter().enumerate().map(|(at, pair)| Word { range: place(at), terms: vec![pair] }).collect()
}

/// Returns the terms of a text in order.
pub fn terms(text: &str) -> impl Iterator<Item = String> {
    words(text).flat_map(|word| word.terms)
}

/// Tells whether a character is of a script that puts no spaces between words, or whose words have endings: Chinese, Japanese, Korean.
pub(crate) fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{323AF}')
}

/// Emoji and other pictures: each is a word.
fn is_picture(char: char) -> bool {
    matches!(char, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// A mark belongs to the letter in front of it.
fn is_part(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || is_picture(char) || canonical_combining_class(char) != 0
}

/// The longest runs of parts of words that are all of an unspaced script or all of none.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let first = text[start..].chars().next()?;
        let ends = |char: char| !is_part(char) || (canonical_combining_class(char) == 0 && class(char) != class(first));
        let length =
            if is_picture(first) { first.len_utf8() } else { text[start..].find(ends).unwrap_or(text.len() - start) };
        at = start + length;
        Some(start..at)
    })
}

fn class(char: char) -> u8 {
    if is_picture(char) { 2 } else { u8::from(is_unspaced(char)) }
}

fn terms_of(word: &str) -> Vec<String> {
    let whole = word.trim_matches('_');
    let mut terms: Vec<_> = if whole.is_empty() { Vec::new() } else { vec![whole.to_owned()] };
    if whole.contains('_') {
        terms.extend(whole.split('_').filter(|part| !part.is_empty()).map(str::to_owned));
    }
    terms
}

/// Each two characters that follow each other; a single one is itself.
fn pairs(run: &str) -> Vec<String> {
    let chars: Vec<char> = run.chars().collect();
    match chars.as_slice() {
        [one] => vec![one.to_string()],
        _ => chars.windows(2).map(|pair| pair.iter().collect()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        terms(text).collect()
    }

    #[test]
    fn words_end_at_signs_and_scripts() {
        assert_eq!(all("Fix the cart-total!"), ["fix", "the", "cart", "total"]);
        assert_eq!(all("read_csv(__init__)"), ["read_csv", "read", "csv", "init"]);
        assert_eq!(all("Rustの所有権"), ["rust", "の所", "所有", "有権"]);
        assert_eq!(all("数 12é"), ["数", "12e"]);
        assert_eq!(all("ship 🚀🚀it"), ["ship", "🚀", "🚀", "it"]);
        assert_eq!(all("___ -- ."), [""; 0]);
    }

    proptest::proptest! {
        #[test]
        fn ranges_are_in_order_and_on_characters(text in ".{0,80}") {
            let mut start = 0;
            for word in words(&text) {
                proptest::prop_assert!(word.range.start >= start && text.get(word.range.clone()).is_some_and(|word| !word.is_empty()));
                start = word.range.start;
            }
        }
    }
}
