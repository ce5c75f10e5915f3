//! What is printed, for people or for programs. Text of models and files is made harmless for a terminal.

use std::{
    borrow::Cow,
    io::{self, IsTerminal as _, Write as _},
};

use aside_core::Failure;
use aside_protocol::ErrorBody;
use serde::Serialize;

use crate::ended::Ended;

/// Where results go.
#[derive(Debug)]
pub struct Output {
    /// For programs.
    pub json: bool,
    /// Colours are welcome.
    pub colour: bool,
}

impl Output {
    /// Finds out what standard output is.
    pub fn new(json: bool) -> Self {
        let colour =
            !json && io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
        Self { json, colour }
    }

    /// Prints a value as one line of JSON, or what `words` makes of it.
    pub fn result(&self, value: &impl Serialize, words: impl FnOnce() -> String) {
        if self.json {
            self.line(&serde_json::to_string(value).expect("results serialise to JSON"));
        } else {
            self.line(words().trim_end());
        }
    }

    /// Prints a line. A closed pipe is no failure of ours.
    pub fn line(&self, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(io::stdout(), "{text}");
        }
    }

    /// Prints a piece of a line at once.
    pub fn piece(&self, text: &str) {
        let mut stdout = io::stdout();
        let _ = write!(stdout, "{}", harmless(text)).and_then(|()| stdout.flush());
    }

    /// Prints what went wrong, with the hint on its own line; returns how the command ended.
    pub fn error(&self, error: &anyhow::Error) -> Ended {
        let failure = match error.downcast_ref::<Failure>() {
            Some(failure) => failure.clone(),
            None => Failure::new("failed", format!("{error:#}")),
        };
        if self.json {
            self.line(&serde_json::to_string(&ErrorBody { error: failure }).expect("failures serialise to JSON"));
        } else {
            eprintln!("error: {}", harmless(&failure.message));
            if let Some(hint) = &failure.hint {
                eprintln!("hint: {}", harmless(hint));
            }
        }
        Ended::Failed
    }

    /// Wraps text in a colour, if colours are welcome.
    pub fn paint(&self, colour: Colour, text: &str) -> String {
        if self.colour { format!("\x1b[{}m{text}\x1b[0m", colour as u8) } else { text.to_owned() }
    }
}

/// The colours in use.
#[derive(Clone, Copy, Debug)]
pub enum Colour {
    Bold = 1,
    Dim = 2,
    Red = 31,
    Green = 32,
    Yellow = 33,
    Cyan = 36,
}

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
