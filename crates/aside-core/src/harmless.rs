//! Text of models, files and other programs, as a person may see it.

use std::borrow::Cow;

/// Returns text that can't steer a terminal or pretend to read another way: control, bidirectional and
/// invisible characters are spelled out. Line ends and tabs stay.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if steers(character) {
            shown.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn steers(character: char) -> bool {
    let bidirectional_or_invisible = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}'
            | '\u{ad}' | '\u{180e}' | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}'
    );
    (character.is_control() && !matches!(character, '\n' | '\t')) || bidirectional_or_invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_says_cannot_steer_the_terminal() {
        assert_eq!(harmless("\x1b]0;owned\x07 ok\r"), "\\u{1b}]0;owned\\u{7} ok\\u{d}");
        assert_eq!(harmless("if access\u{202e}"), "if access\\u{202e}");
        assert_eq!(harmless("naïve 漢字\n\tx"), "naïve 漢字\n\tx");
    }
}
