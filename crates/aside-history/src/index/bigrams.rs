//! Words of scripts that put no spaces between them: Chinese and Japanese, and Korean, whose words have endings. The index has each pair of their
//! characters as a word, and the last character of a row.

use std::borrow::Cow;

/// Tells whether a character is of such a script.
pub fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{323AF}')
}

/// A text as the index takes it.
pub fn indexed(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unspaced) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len() * 2);
    for run in runs(text) {
        if !run.starts_with(is_unspaced) {
            all.push_str(run);
            continue;
        }
        all.push(' ');
        for pair in pairs(run) {
            all.push_str(pair);
            all.push(' ');
        }
        all.extend(run.chars().last());
        all.push(' ');
    }
    Cow::Owned(all)
}

/// A text in pieces that are of such scripts or of others.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|char| is_unspaced(char) != is_unspaced(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

/// Each two characters that follow each other.
pub fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().skip(1).map(|(at, char)| at + char.len_utf8());
    starts.zip(ends).map(|(start, end)| &run[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_stand_for_unspaced_words() {
        assert_eq!(indexed("Fix the cart"), "Fix the cart");
        assert_eq!(indexed("修复bug吧"), " 修复 复 bug 吧 ");
        assert_eq!(indexed("データ"), " デー ータ タ ");
        assert_eq!(runs("a 你好 b").collect::<Vec<_>>(), ["a ", "你好", " b"]);
    }
}
