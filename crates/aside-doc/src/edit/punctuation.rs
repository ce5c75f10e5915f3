//! Typographic and plain punctuation, which models exchange for one another.

/// The plain character for a typographic dash, quote or space.
fn folded(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        plain => plain,
    }
}

/// Tells whether two lines are equal but for typography and for blanks at their ends.
pub(crate) fn folded_equal(one: &str, two: &str) -> bool {
    trimmed(one).chars().map(folded).eq(trimmed(two).chars().map(folded))
}

/// Returns `new` with the punctuation of the place in what it shares with `old`, which is equal to the place
/// but for typography.
pub(crate) fn keep_punctuation(place: &str, old: &str, new: &str) -> String {
    let [place, old, new] = [place, old, new].map(|line| trimmed(line).chars().collect::<Vec<char>>());
    let same = |(one, two): &(&char, &char)| folded(**one) == folded(**two);
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
    let middle = &new[head..new.len() - tail];
    place[..head].iter().chain(middle).chain(&place[place.len() - tail..]).collect()
}

fn trimmed(line: &str) -> &str {
    line.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typography_does_not_count() {
        assert!(folded_equal("“it’s” – here\u{a0}", "\"it's\" - here"));
        assert!(!folded_equal("it’s", "its"));
        assert!(!folded_equal("é", "e\u{301}"), "composed and decomposed stay apart");
    }

    #[test]
    fn what_stays_keeps_its_punctuation() {
        assert_eq!(keep_punctuation("“a” = b’s", "\"a\" = b's", "\"a\" = c's"), "“a” = c’s");
        assert_eq!(keep_punctuation("“a”", "\"a\"", "\"a\", \"b\""), "“a”, \"b\"");
    }
}
