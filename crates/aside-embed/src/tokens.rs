//! WordPiece, uncased: words, then the longest known pieces of each.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use crate::unicode::{is_format, is_nonspacing, is_punctuation};

/// Characters of a word above which it is unknown.
const LONGEST_WORD: usize = 100;

/// A vocabulary with its marks.
#[derive(Debug)]
pub struct Tokens {
    numbers: HashMap<String, u32>,
    lines: usize,
    start: u32,
    end: u32,
    unknown: u32,
}

impl Tokens {
    /// Reads `vocab.txt`, one piece a line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers: HashMap<String, u32> =
            text.lines().zip(0..).map(|(piece, number)| (piece.trim_end().to_owned(), number)).collect();
        let mark = |name: &str| numbers.get(name).copied().ok_or_else(|| format!("it has no line `{name}`"));
        let (start, end, unknown) = (mark("[CLS]")?, mark("[SEP]")?, mark("[UNK]")?);
        Ok(Self { numbers, lines: text.lines().count(), start, end, unknown })
    }

    /// How many lines there are: no token has a higher number.
    pub fn len(&self) -> usize {
        self.lines
    }

    /// Returns the tokens of a text, between the marks of start and end, at most `most` with them.
    pub fn of(&self, text: &str, most: usize) -> Vec<u32> {
        let mut all = vec![self.start];
        for word in words(text) {
            self.pieces(&word, &mut all);
            if all.len() >= most {
                break;
            }
        }
        all.truncate(most.saturating_sub(1));
        all.push(self.end);
        all
    }

    fn pieces(&self, word: &str, all: &mut Vec<u32>) {
        let before = all.len();
        if word.chars().count() > LONGEST_WORD {
            return all.push(self.unknown);
        }
        let mut start = 0;
        while start < word.len() {
            let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]).filter(|end| *end > start);
            let longest = ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| {
                let piece = &word[start..end];
                let known = if start == 0 { self.numbers.get(piece) } else { self.numbers.get(&format!("##{piece}")) };
                known.map(|number| (*number, end))
            });
            let Some((number, end)) = longest else {
                all.truncate(before);
                return all.push(self.unknown);
            };
            all.push(number);
            start = end;
        }
    }
}

/// Words in lower case without accents; each sign of punctuation and each Chinese character is one.
fn words(text: &str) -> Vec<String> {
    let clean = text.chars().filter_map(|char| match char {
        '\t' | '\n' | '\r' => Some(' '),
        '\0' | '\u{fffd}' => None,
        _ if char.is_control() || is_format(char) => None,
        _ if char.is_whitespace() => Some(' '),
        _ => Some(char),
    });
    let plain = clean.flat_map(char::to_lowercase).nfd().filter(|char| !is_nonspacing(*char));
    let (mut all, mut word) = (Vec::new(), String::new());
    for char in plain {
        let alone = is_punctuation(char) || is_chinese(char);
        if (char == ' ' || alone) && !word.is_empty() {
            all.push(std::mem::take(&mut word));
        }
        if alone {
            all.push(char.to_string());
        } else if char != ' ' {
            word.push(char);
        }
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

fn is_chinese(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_the_models_learned_them() {
        assert_eq!(words("Don't  Été,\u{200b}数字 a\tb"), ["don", "'", "t", "ete", ",", "数", "字", "a", "b"]);
    }

    #[test]
    fn the_longest_known_pieces_win() {
        let tokens = Tokens::parse("[UNK]\n[CLS]\n[SEP]\ntide\n##s\n##al\nti\n").unwrap();
        assert_eq!(tokens.of("Tides tidal tidex ti", 20), [1, 3, 4, 0, 0, 6, 2]);
        assert_eq!(tokens.of("tide tide tide", 3), [1, 3, 2]);
        assert!(Tokens::parse("a\n").unwrap_err().contains("[CLS]"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_tokens(text in "\\PC{0,40}", most in 2usize..9) {
            let tokens = Tokens::parse("[UNK]\n[CLS]\n[SEP]\na\n##b\n").unwrap();
            let all = tokens.of(&text, most);
            proptest::prop_assert!((2..=most).contains(&all.len()));
        }
    }
}
