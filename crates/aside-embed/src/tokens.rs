//! WordPiece, uncased: words, then the longest known pieces of each.

use std::collections::HashMap;

use unicode_normalization::{UnicodeNormalization as _, char::canonical_combining_class};

/// Characters of a word above which it is unknown.
const LONGEST_WORD: usize = 100;

/// A vocabulary with its marks.
#[derive(Debug)]
pub struct Tokens {
    numbers: HashMap<String, u32>,
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
        Ok(Self { numbers, start, end, unknown })
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
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

/// Marks that are written over letters; nearly all of them combine.
fn is_nonspacing(char: char) -> bool {
    canonical_combining_class(char) != 0
}

/// Characters without a form of their own, such as zero-width joiners.
fn is_format(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// BERT takes all ASCII signs for punctuation, and what Unicode does.
fn is_punctuation(char: char) -> bool {
    char.is_ascii_punctuation()
        || matches!(char, '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{37e}' | '\u{387}'
            | '\u{55a}'..='\u{55f}' | '\u{589}' | '\u{58a}' | '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{5f3}' | '\u{5f4}' | '\u{60c}' | '\u{61b}'
            | '\u{61f}' | '\u{66a}'..='\u{66d}' | '\u{6d4}' | '\u{964}' | '\u{965}' | '\u{e4f}' | '\u{e5a}' | '\u{e5b}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}' | '\u{2053}'..='\u{205e}' | '\u{207d}' | '\u{207e}'
            | '\u{2308}'..='\u{230b}' | '\u{2329}' | '\u{232a}' | '\u{2768}'..='\u{2775}' | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{3030}' | '\u{303d}' | '\u{30a0}' | '\u{30fb}'
            | '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}' | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}'
            | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' | '\u{ff3f}' | '\u{ff5b}'
            | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}')
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
