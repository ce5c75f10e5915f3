//! The tokens without syntax in them: strings, templates, regular expressions, comments and blanks.

use super::{Before, TokenKind, Tokens};
use crate::ScriptError;

impl Tokens<'_> {
    pub(super) fn regex(&mut self) -> Result<(TokenKind, Before), ScriptError> {
        let (mut escaped, mut class) = (false, false);
        for (offset, letter) in self.rest().char_indices().skip(1) {
            match letter {
                letter if is_line_end(letter) => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => {
                    self.place += offset + 1;
                    return Ok((TokenKind::Value, Before::Value));
                }
                _ => {}
            }
        }
        Err(self.unclosed("regular expression"))
    }

    pub(super) fn string(&mut self, quote: u8) -> Result<(TokenKind, Before), ScriptError> {
        let rest = self.rest().as_bytes();
        let mut at = 1;
        while let Some(byte) = rest.get(at) {
            match byte {
                b'\\' if rest[at + 1..].starts_with(b"\r\n") => at += 3,
                b'\\' => at += 2,
                b'\n' | b'\r' => break,
                byte if *byte == quote => {
                    self.place += at + 1;
                    return Ok((TokenKind::Value, Before::Value));
                }
                _ => at += 1,
            }
        }
        Err(self.unclosed("string"))
    }

    /// Reads the text of a template up to its end or to `${`.
    pub(super) fn template(&mut self) -> Result<(TokenKind, Before), ScriptError> {
        let rest = self.rest().as_bytes();
        let mut at = 0;
        while let Some(byte) = rest.get(at) {
            match byte {
                b'\\' => at += 2,
                b'`' => {
                    self.in_template = false;
                    self.place += at + 1;
                    return Ok((TokenKind::Value, Before::Value));
                }
                b'$' if rest.get(at + 1) == Some(&b'{') => {
                    self.in_template = false;
                    self.place += at + 2;
                    self.open.push((b'$', false));
                    return Ok((TokenKind::Open(b'$'), Before::Operator));
                }
                _ => at += 1,
            }
        }
        Err(self.unclosed("template"))
    }

    pub(super) fn skip_blanks(&mut self) -> Result<(), ScriptError> {
        while let Some(letter) = self.rest().chars().next() {
            if self.rest().starts_with("//") {
                self.place += self.rest().find(is_line_end).unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                let end = self.rest()[2..].find("*/").ok_or_else(|| self.unclosed("comment"))? + 4;
                self.line_ended |= self.rest()[..end].contains(is_line_end);
                self.place += end;
            } else if is_line_end(letter) || is_blank(letter) {
                self.line_ended |= is_line_end(letter);
                self.place += letter.len_utf8();
            } else {
                break;
            }
        }
        Ok(())
    }
}

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_blank(letter: char) -> bool {
    letter == '\u{feff}' || (letter.is_whitespace() && letter != '\u{85}')
}
