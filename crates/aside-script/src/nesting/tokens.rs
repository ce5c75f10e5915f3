//! The tokens of a script as far as brackets need them. Where a `/` could be a division and a regular expression, the text is refused:
//! a wrong guess would hide brackets.

mod texts;

use crate::ScriptError;
use crate::syntax::line_of;

/// Words before which a `/` begins a regular expression.
const REGEX_AFTER: [&str; 8] = ["return", "typeof", "case", "do", "else", "in", "instanceof", "throw"];
/// Words before which a `/` is refused: they are names, types or operators, depending on their place.
const UNCLEAR: [&str; 10] = ["of", "void", "await", "yield", "new", "delete", "default", "extends", "import", "export"];
/// Words that begin a type or a function, or go on with one. As names they are values.
const TYPE_WORDS: [&str; 18] = [
    "async",
    "keyof",
    "unique",
    "readonly",
    "infer",
    "asserts",
    "is",
    "as",
    "satisfies",
    "implements",
    "abstract",
    "declare",
    "public",
    "private",
    "protected",
    "static",
    "override",
    "accessor",
];

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, keyword or number.
    Word,
    /// A string, a regular expression, or the end of a template.
    Value,
    /// An opening bracket; `$` for `${`.
    Open(u8),
    /// A closing bracket. It ends the head of a statement: `if (…)`.
    Close { head: bool },
    /// An operator or another character, by its first byte; `A` for `=>`, `.` also for `?.` and the start of a private name.
    Mark(u8),
}

/// The part of the syntax that a token leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// A complete value.
    Value,
    /// A word that is part of a type, or a name.
    TypeWord,
    /// `}`: the end of a value or of a statement.
    Curly,
    /// `>`: the end of a type or an operator.
    Angle,
    /// A word of [`UNCLEAR`].
    Unclear,
    /// A word of [`REGEX_AFTER`].
    RegexWord,
    /// An operator, an opening bracket, the head of a statement, or the start of the text.
    Operator,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    /// The state before the token.
    pub before: Before,
    /// It is the first token of its line.
    pub first_of_line: bool,
}

/// The reader of tokens.
pub(super) struct Tokens<'a> {
    source: &'a str,
    place: usize,
    before: Before,
    after_dot: bool,
    line_ended: bool,
    first_of_line: bool,
    /// The last two words, as long as nothing else follows them.
    words: [&'a str; 2],
    /// Open brackets, with a mark for heads of statements: `if (`.
    open: Vec<(u8, bool)>,
    in_template: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(source: &'a str) -> Self {
        Self {
            source,
            place: 0,
            before: Before::Operator,
            after_dot: false,
            line_ended: true,
            first_of_line: true,
            words: ["", ""],
            open: Vec::new(),
            in_template: false,
        }
    }

    /// The next token, or none at the end of the text.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, ScriptError> {
        if !self.in_template {
            self.skip_blanks()?;
        }
        let start = self.place;
        let Some(letter) = self.rest().chars().next() else {
            return if self.in_template { Err(self.unclosed("template")) } else { Ok(None) };
        };
        let before = self.before;
        self.first_of_line = std::mem::take(&mut self.line_ended);
        let (kind, after) = self.token(letter)?;
        let text = &self.source[start..self.place];
        self.after_dot = kind == TokenKind::Mark(b'.') && text != "...";
        if kind != TokenKind::Word {
            self.words = ["", ""];
        }
        self.before = after;
        Ok(Some(Token { kind, text, before, first_of_line: self.first_of_line }))
    }

    fn token(&mut self, letter: char) -> Result<(TokenKind, Before), ScriptError> {
        if self.in_template {
            return self.template();
        }
        if is_word(letter) {
            return Ok((TokenKind::Word, self.word()));
        }
        if !letter.is_ascii() || letter == '\\' {
            return Err(self.refused(&letter.to_string(), "Use letters and digits in names."));
        }
        let (byte, next) = (letter as u8, self.source.as_bytes().get(self.place + 1).copied());
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                self.place += 1;
                self.template()
            }
            b'(' | b'[' | b'{' => {
                let head = byte == b'(' && is_head(self.words);
                self.place += 1;
                self.open.push((byte, head));
                Ok((TokenKind::Open(byte), Before::Operator))
            }
            b')' | b']' | b'}' => self.close(byte),
            b'/' => self.slash(),
            b'#' if next == Some(b'!') => Err(self.refused("#!", "Remove it.")),
            _ => Ok(self.mark(byte, next)),
        }
    }

    fn word(&mut self) -> Before {
        let rest = self.rest();
        let mut end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let number = rest.as_bytes()[0].is_ascii_digit();
        if number
            && rest[..end].bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
            && rest[end..].starts_with('.')
        {
            end += 1;
            end += rest[end..].find(|letter| !is_word(letter)).unwrap_or(rest.len() - end);
        }
        let word = &rest[..end];
        self.place += end;
        if self.after_dot || number {
            self.words = ["", ""];
            return Before::Value;
        }
        self.words = [self.words[1], word];
        if REGEX_AFTER.contains(&word) {
            Before::RegexWord
        } else if UNCLEAR.contains(&word) {
            Before::Unclear
        } else if TYPE_WORDS.contains(&word) {
            Before::TypeWord
        } else {
            Before::Value
        }
    }

    fn close(&mut self, byte: u8) -> Result<(TokenKind, Before), ScriptError> {
        let (open, head) = self.open.pop().unwrap_or_default();
        let (kind, after) = match (open, byte) {
            (b'(', b')') => (TokenKind::Close { head }, if head { Before::Operator } else { Before::Value }),
            (b'[', b']') => (TokenKind::Close { head }, Before::Value),
            (b'{', b'}') => (TokenKind::Close { head }, Before::Curly),
            (b'$', b'}') => {
                self.in_template = true;
                (TokenKind::Close { head }, Before::Operator)
            }
            _ => {
                let message = format!("`{}` closes no bracket", byte as char);
                return Err(ScriptError::new("syntax_error", message).at(self.line()));
            }
        };
        self.place += 1;
        Ok((kind, after))
    }

    fn mark(&mut self, byte: u8, next: Option<u8>) -> (TokenKind, Before) {
        let value_on_line = matches!(self.before, Before::Value | Before::TypeWord) && !self.first_of_line;
        let (kind, length, after) = match (byte, next) {
            (b'=', Some(b'>')) => (b'A', 2, Before::Operator),
            (b'&', Some(b'&')) | (b'|', Some(b'|')) | (b'>', Some(b'=')) | (b'!', Some(b'=')) => {
                (byte, 2, Before::Operator)
            }
            (b'?', Some(b'.')) if !self.rest().as_bytes().get(2).is_some_and(u8::is_ascii_digit) => {
                (b'.', 2, Before::Operator)
            }
            (b'?', Some(b'?')) => (b'|', 2, Before::Operator),
            (b'.', Some(b'.')) if self.rest().starts_with("...") => (byte, 3, Before::Operator),
            (b'+', Some(b'+')) | (b'-', Some(b'-')) => (byte, 2, self.after_postfix(value_on_line)),
            (b'!', _) => (byte, 1, self.after_postfix(value_on_line)),
            (b'>', _) => (byte, 1, Before::Angle),
            _ => (byte, 1, Before::Operator),
        };
        self.place += length;
        // A private name is no keyword.
        (TokenKind::Mark(if byte == b'#' { b'.' } else { kind }), after)
    }

    fn after_postfix(&self, value_on_line: bool) -> Before {
        match self.before {
            _ if value_on_line => Before::Value,
            Before::Operator | Before::RegexWord => Before::Operator,
            _ => Before::Unclear,
        }
    }

    fn slash(&mut self) -> Result<(TokenKind, Before), ScriptError> {
        match (self.before, self.first_of_line) {
            (Before::Value | Before::TypeWord, false) => {
                self.place += 1;
                Ok((TokenKind::Mark(b'/'), Before::Operator))
            }
            (Before::Operator, _) | (Before::RegexWord, false) => self.regex(),
            _ => Err(self
                .refused("/", "Move a division onto the line before, and put a regular expression into parentheses.")),
        }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.place..]
    }

    /// The end of the token that was read last.
    pub fn place(&self) -> usize {
        self.place
    }

    /// The line of the current place.
    pub fn line(&self) -> u32 {
        line_of(self.source, u32::try_from(self.place).unwrap_or(u32::MAX))
    }

    fn unclosed(&self, part: &str) -> ScriptError {
        ScriptError::new("syntax_error", format!("The {part} has no end")).at(self.line())
    }

    fn refused(&self, word: &str, hint: &str) -> ScriptError {
        let message = format!("The script can't use `{word}` here");
        ScriptError::new("unsupported_syntax", message).at(self.line()).hint(hint)
    }
}

/// Tells whether `(` after these words begins the head of a statement.
fn is_head(words: [&str; 2]) -> bool {
    matches!(words, [_, "if" | "for" | "while" | "with"] | ["for", "await"])
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}
