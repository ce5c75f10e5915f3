//! Text to tokens: words, CJK letters one by one, and marks. A token is compared by its folded form: without case and accents.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Words before an apostrophe that French and Italian write together with the next one.
const ELISIONS: &[&str] = &["c", "d", "j", "l", "m", "n", "qu", "s", "t"];
/// Marks that are tokens of their own wherever they stand.
const MARKS: &str = ",;!?()\"`«»“”„‘「」『』、。，；！？：¿¡…";
/// Marks that end a word if nothing follows them.
const ENDINGS: &[char] = &['.', ':', '\'', '’'];

/// A word or mark of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The form in which it is compared.
    pub folded: String,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
}

/// Splits a text, which is in Unicode's composed form.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices() {
        let alone = is_cjk(letter) || MARKS.contains(letter) || (letter == '\'' && start.is_none());
        if !alone && !letter.is_whitespace() {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            push_word(text, start..at, &mut found);
        }
        if alone {
            found.push(token(text, at..at + letter.len_utf8()));
        }
    }
    if let Some(start) = start {
        push_word(text, start..text.len(), &mut found);
    }
    found
}

/// Folds a text: no case, no accents, one form of each letter.
pub(crate) fn fold(text: &str) -> String {
    let is_accent = |letter: &char| is_combining_mark(*letter) && ('\u{300}'..='\u{36f}').contains(letter);
    let letters = text.nfkd().filter(|letter| !is_accent(letter)).flat_map(char::to_lowercase);
    letters.map(|letter| if letter == '’' { '\'' } else { letter }).collect::<String>().replace('ß', "ss")
}

/// Tells whether a letter is written without spaces around its words.
pub(crate) fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Adds a word without the marks at its end, which follow it.
fn push_word(text: &str, bytes: Range<usize>, found: &mut Vec<Token>) {
    let word = &text[bytes.clone()];
    let end = bytes.start + word.trim_end_matches(ENDINGS).len();
    let end = if end == bytes.start { bytes.end } else { end };
    let start = bytes.start + elision(&text[bytes.start..end]);
    if start > bytes.start {
        found.push(token(text, bytes.start..start));
    }
    found.push(token(text, start..end));
    let marks = text[end..bytes.end].char_indices();
    found.extend(marks.map(|(at, mark)| token(text, end + at..end + at + mark.len_utf8())));
}

/// Bytes of `l'` in `l'onglet`.
fn elision(word: &str) -> usize {
    let Some(at) = word.find(['\'', '’']) else { return 0 };
    let after = at + word[at..].chars().next().map_or(0, char::len_utf8);
    let is_one = ELISIONS.contains(&word[..at].to_lowercase().as_str());
    if is_one && after < word.len() { after } else { 0 }
}

fn token(text: &str, bytes: Range<usize>) -> Token {
    Token { folded: fold(&text[bytes.clone()]), bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = tokens(text).into_iter().map(|token| token.folded).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_keep_the_marks_of_names() {
        check("Open notes/plan.md.", &["open", "notes/plan.md", "."]);
        check("mv a.py b/, please!", &["mv", "a.py", "b/", ",", "please", "!"]);
        check("don’t", &["don't"]);
    }

    #[test]
    fn french_elisions_are_words() {
        check("ferme l'onglet", &["ferme", "l'", "onglet"]);
    }

    #[test]
    fn letters_without_spaces_are_tokens() {
        check("打开plot.py", &["打", "开", "plot.py"]);
        check("Öffne «Straße»", &["offne", "«", "strasse", "»"]);
    }
}
