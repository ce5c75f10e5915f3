//! Characters that make a text read other than it is.

use std::collections::BTreeMap;

use aside_core::{Guard, Warning};

/// Warns if there are more hidden characters of any kind in the new lines than in the old ones.
pub(super) fn brought_in<'text>(
    new: impl Iterator<Item = &'text str>,
    old: impl Iterator<Item = &'text str>,
) -> Option<Warning> {
    let (new, old) = (count(new), count(old));
    let (character, _) = new.iter().find(|(character, count)| old.get(character).unwrap_or(&0) < *count)?;
    let kind =
        if is_bidi(*character) { "a character that changes the direction of text" } else { "an invisible character" };
    Some(Warning { guard: Guard::HiddenCharacters, text: format!("Adds {kind} (U+{:04X}).", u32::from(*character)) })
}

fn count<'text>(lines: impl Iterator<Item = &'text str>) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for line in lines.filter(|line| !line.is_ascii()) {
        let mut above = ' ';
        for character in line.chars() {
            if is_bidi(character) || is_invisible(character, above) {
                *counts.entry(character).or_default() += 1;
            }
            above = character;
        }
    }
    counts
}

fn is_bidi(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// Joiners have their place inside emoji and in some scripts, but not after plain letters.
fn is_invisible(character: char, above: char) -> bool {
    match character {
        '\u{200c}' | '\u{200d}' => above.is_ascii(),
        '\u{200b}' | '\u{ad}' | '\u{180e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(new: &str, old: &str) -> bool {
        brought_in(new.lines(), old.lines()).is_some()
    }

    #[test]
    fn hidden_characters_are_seen() {
        assert!(warned("if (a\u{202e}) {", "if (a) {"));
        assert!(warned("ad\u{200b}min", "admin"));
        assert!(warned("a\u{200d}b", "ab"));
    }

    #[test]
    fn what_was_there_or_has_its_place_is_left_alone() {
        assert!(!warned("x\u{200b} = 2", "x\u{200b} = 1"));
        assert!(!warned("👩\u{200d}🔬 שלום می\u{200c}خواهم", ""));
        assert!(!warned("plain é", ""));
    }
}
