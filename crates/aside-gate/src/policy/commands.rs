//! Splits a line for a shell into its commands, if it is plain: words, quotes without substitution, and the operators
//! between commands. Whatever else a shell knows is refused, so that nothing runs which is not in the result.
//!
//! A refused line is not an error: no rule can allow it, so a person is asked.

mod hosts;
mod programs;
#[cfg(test)]
mod tests;

use std::fmt;

pub use hosts::{UNNAMED_HOST, hosts_of_line};
pub(crate) use programs::{check_rule, is_same_program, program};
use programs::{running_word, runs_anything};

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 16 * 1024;
/// The most commands of a line.
const MOST: usize = 100;

/// One command: its words as the program gets them.
pub type Words = Vec<String>;

/// Why a line is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// It has no command.
    Empty,
    /// More than is looked at.
    Long,
    /// A character with a meaning that is not known beforehand, as `$`.
    Character(char),
    /// A quote that does not end.
    Quote,
    /// An operator with nothing to connect.
    Operator(&'static str),
    /// It reads from or writes to a file.
    Redirection,
    /// It sets a variable for a command.
    Variable(String),
    /// A word of the shell's grammar, or a program that runs another one.
    Runs(String),
}

impl fmt::Display for Unclear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("there is no command"),
            Self::Long => formatter.write_str("it is too long to check"),
            Self::Character(character) => write!(formatter, "the effect of `{}` is unknown", character.escape_debug()),
            Self::Quote => formatter.write_str("a quote is not closed"),
            Self::Operator(operator) => write!(formatter, "`{}` connects nothing", operator.escape_debug()),
            Self::Redirection => formatter.write_str("it reads or writes a file with `<` or `>`"),
            Self::Variable(word) => write!(formatter, "`{word}` sets a variable"),
            Self::Runs(word) => write!(formatter, "`{word}` can run anything"),
        }
    }
}

/// Returns the commands of a line, in order.
pub fn commands(line: &str) -> Result<Vec<Words>, Unclear> {
    if line.len() > LONGEST {
        return Err(Unclear::Long);
    }
    let mut found = Vec::new();
    let mut words = Words::new();
    let mut open = None;
    let mut rest = line.trim_start_matches(BLANK);
    while !rest.is_empty() {
        if let Some(after) = harmless_redirection(rest) {
            if words.is_empty() {
                return Err(Unclear::Redirection);
            }
            rest = after;
        } else if let Some((operator, after)) = operator(rest) {
            end_command(&mut found, &mut words, operator, open)?;
            (open, rest) = (Some(operator), after);
        } else {
            let (word, after) = word(rest)?;
            words.push(word);
            rest = after;
        }
        rest = rest.trim_start_matches(BLANK);
    }
    end_line(found, words, open)
}

const BLANK: [char; 2] = [' ', '\t'];

fn end_command(
    found: &mut Vec<Words>,
    words: &mut Words,
    operator: &'static str,
    before: Option<&'static str>,
) -> Result<(), Unclear> {
    if !words.is_empty() {
        found.push(checked(std::mem::take(words))?);
        return Ok(());
    }
    // An empty line, or the end of one after `;` or `&`.
    match (operator, before) {
        ("\n", None | Some("\n" | ";" | "&")) => Ok(()),
        _ => Err(Unclear::Operator(operator)),
    }
}

fn end_line(mut found: Vec<Words>, words: Words, before: Option<&'static str>) -> Result<Vec<Words>, Unclear> {
    match before {
        Some(operator @ ("&&" | "||" | "|")) if words.is_empty() => return Err(Unclear::Operator(operator)),
        _ if words.is_empty() => {}
        _ => found.push(checked(words)?),
    }
    match found.len() {
        0 => Err(Unclear::Empty),
        1..=MOST => Ok(found),
        _ => Err(Unclear::Long),
    }
}

/// The operators between commands, the longer ones first.
fn operator(rest: &str) -> Option<(&'static str, &str)> {
    ["&&", "||", "|", ";", "&", "\n"].into_iter().find_map(|operator| Some((operator, rest.strip_prefix(operator)?)))
}

/// Output that goes nowhere, or where the other output goes. `&>` is not among them: some shells take it for the end of
/// one command and the beginning of the next.
fn harmless_redirection(rest: &str) -> Option<&str> {
    let spellings = ["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null", "1>/dev/null"];
    let after = spellings.into_iter().find_map(|spelling| rest.strip_prefix(spelling))?;
    after.is_empty().then_some(after).or_else(|| after.starts_with([' ', '\t', ';', '&', '|', '\n']).then_some(after))
}

/// Reads one word, with what is quoted in it.
fn word(mut rest: &str) -> Result<(String, &str), Unclear> {
    let mut word = String::new();
    while let Some(first) = rest.chars().next() {
        match first {
            ' ' | '\t' | ';' | '&' | '|' | '\n' => break,
            '\'' | '"' => {
                let (inside, after) = rest[1..].split_once(first).ok_or(Unclear::Quote)?;
                if let Some(live) = inside.chars().find(|character| !is_text(*character, first)) {
                    return Err(Unclear::Character(live));
                }
                word.push_str(inside);
                rest = after;
            }
            '<' | '>' => return Err(Unclear::Redirection),
            plain if is_plain(plain) => {
                word.push(plain);
                rest = &rest[plain.len_utf8()..];
            }
            other => return Err(Unclear::Character(other)),
        }
    }
    Ok((word, rest))
}

/// Tells whether a character stands for itself outside of quotes in every shell.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-./:=,+@%".contains(character)
}

/// Tells whether a character stands for itself between quotes of this kind.
fn is_text(character: char, quote: char) -> bool {
    let live = quote == '"' && matches!(character, '$' | '`' | '\\' | '!');
    !live && (!character.is_control() || character == '\t')
}

/// Refuses a command whose words do not say what runs.
fn checked(words: Words) -> Result<Words, Unclear> {
    let first = &words[0];
    if first.is_empty() || first.starts_with(['%', '-', '+']) {
        return Err(Unclear::Runs(first.clone()));
    }
    if first.contains('=') {
        return Err(Unclear::Variable(first.clone()));
    }
    let program = program(first);
    if runs_anything(&program) {
        return Err(Unclear::Runs(program));
    }
    match running_word(&program, &words[1..]) {
        Some(word) => Err(Unclear::Runs(format!("{program} {word}"))),
        None => Ok(words),
    }
}
