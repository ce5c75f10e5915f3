//! Phrases: the sentences that people say for an action, with slots for its arguments.
//!
//! ```text
//! phrase   sequence [ "=>" argument "=" value { "," argument "=" value } ]
//! sequence words, [may be left out], (one|of|these), {argument} or {argument:kind}
//! value    JSON, a bare word, or {kind}: the object of that kind at hand
//! ```
//!
//! `close [all] [the] tabs => which=all` and `open {path:file} [at] line {line}` are phrases. The kinds of slots are those
//! of the crate that routes; this module knows only the notation.

use std::str::FromStr;

use serde_json::Value;

/// The deepest nesting of brackets.
const DEEPEST: usize = 8;

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhrasePart {
    /// Text as it is said, without spaces.
    Word(String),
    /// The place of an argument.
    Slot(PhraseSlot),
    /// One of several sequences; an empty one may be left out.
    OneOf(Vec<Vec<PhrasePart>>),
}

/// The place of an argument within a phrase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhraseSlot {
    /// The argument; a dot leads into an object: `except.paths`.
    pub argument: String,
    /// The kind of object, unless the schema says it.
    pub kind: Option<String>,
}

/// The value of an argument that a phrase does not ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Implied {
    /// This value.
    Value(Value),
    /// The object of this kind at hand, such as the open file.
    AtHand(String),
}

/// A parsed phrase.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// Its parts, in order.
    pub parts: Vec<PhrasePart>,
    /// Arguments that the words imply.
    pub implied: Vec<(String, Implied)>,
}

/// Says that a text is not a phrase.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{phrase}` is not a phrase: {problem}")]
pub struct InvalidPhrase {
    /// The text.
    pub phrase: String,
    /// The problem.
    pub problem: &'static str,
}

impl Phrase {
    /// Returns the first ways to say it as texts. A slot is a `…`.
    pub fn texts(&self, most: usize) -> Vec<String> {
        texts(&self.parts, most).into_iter().filter(|text| !text.is_empty()).collect()
    }
}

fn texts(parts: &[PhrasePart], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    for part in parts {
        let ways = match part {
            PhrasePart::Word(word) => vec![word.clone()],
            PhrasePart::Slot(_) => vec!["…".to_owned()],
            PhrasePart::OneOf(sequences) => sequences.iter().flat_map(|parts| texts(parts, most)).collect(),
        };
        let with =
            |before: &String| ways.iter().map(|way| format!("{before} {way}").trim().to_owned()).collect::<Vec<_>>();
        all = all.iter().flat_map(with).take(most).collect();
    }
    all
}

impl FromStr for Phrase {
    type Err = InvalidPhrase;

    fn from_str(phrase: &str) -> Result<Self, InvalidPhrase> {
        let invalid = |problem| InvalidPhrase { phrase: phrase.to_owned(), problem };
        let (said, implied) = match phrase.split_once("=>") {
            Some((said, implied)) => (said, implied_arguments(implied).map_err(invalid)?),
            None => (phrase, Vec::new()),
        };
        let mut rest = said;
        let parts = sequence(&mut rest, 0).map_err(invalid)?;
        match (rest.is_empty(), parts.is_empty()) {
            (false, _) => Err(invalid("a bracket closes that none opened")),
            (_, true) => Err(invalid("it has no words")),
            (true, false) => Ok(Self { parts, implied }),
        }
    }
}

/// Reads parts until a bracket closes or an alternative begins.
fn sequence(rest: &mut &str, depth: usize) -> Result<Vec<PhrasePart>, &'static str> {
    if depth > DEEPEST {
        return Err("its brackets are nested too deeply");
    }
    let mut parts = Vec::new();
    loop {
        *rest = rest.trim_start();
        let Some(next) = rest.chars().next() else { return Ok(parts) };
        parts.push(match next {
            ')' | ']' | '|' => return Ok(parts),
            '(' => PhrasePart::OneOf(alternatives(rest, ')', depth)?),
            '[' => {
                let mut sequences = alternatives(rest, ']', depth)?;
                sequences.push(Vec::new());
                PhrasePart::OneOf(sequences)
            }
            '{' => PhrasePart::Slot(slot(rest)?),
            _ => word(rest),
        });
    }
}

fn alternatives(rest: &mut &str, end: char, depth: usize) -> Result<Vec<Vec<PhrasePart>>, &'static str> {
    *rest = &rest[1..];
    let mut all = Vec::new();
    loop {
        all.push(sequence(rest, depth + 1)?);
        match rest.chars().next() {
            Some('|') => *rest = &rest[1..],
            Some(found) if found == end => {
                *rest = &rest[1..];
                return Ok(all);
            }
            _ => return Err("a bracket is not closed"),
        }
    }
}

fn slot(rest: &mut &str) -> Result<PhraseSlot, &'static str> {
    let (inside, after) = rest[1..].split_once('}').ok_or("a slot is not closed")?;
    *rest = after;
    let (argument, kind) = match inside.split_once(':') {
        Some((argument, kind)) => (argument, Some(kind)),
        None => (inside, None),
    };
    if !is_name(argument) || !kind.is_none_or(is_name) {
        return Err("a slot is {argument} or {argument:kind}");
    }
    Ok(PhraseSlot { argument: argument.to_owned(), kind: kind.map(str::to_owned) })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'.')
}

fn word(rest: &mut &str) -> PhrasePart {
    let end = rest.find(|letter: char| letter.is_whitespace() || "()[]{}|".contains(letter)).unwrap_or(rest.len());
    // A closing brace alone is a word: no phrase stops the reader.
    let end = end.max(rest.chars().next().map_or(0, char::len_utf8));
    let (word, after) = rest.split_at(end);
    *rest = after;
    PhrasePart::Word(word.to_owned())
}

fn implied_arguments(text: &str) -> Result<Vec<(String, Implied)>, &'static str> {
    let one = |part: &str| {
        let (argument, value) = part.split_once('=').ok_or("after => come argument=value")?;
        let (argument, value) = (argument.trim(), value.trim());
        if !is_name(argument) || value.is_empty() {
            return Err("after => come argument=value");
        }
        let implied = match value.strip_prefix('{').and_then(|value| value.strip_suffix('}')) {
            Some(kind) if is_name(kind) => Implied::AtHand(kind.to_owned()),
            _ => Implied::Value(serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()))),
        };
        Ok((argument.to_owned(), implied))
    };
    text.split(',').map(one).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn brackets_make_several_texts() {
        let phrase: Phrase = "close [all] (tabs|files)".parse().unwrap();
        assert_eq!(phrase.texts(9), ["close all tabs", "close all files", "close tabs", "close files"]);
    }

    #[test]
    fn slots_and_implied_values_are_read() {
        let phrase: Phrase = "open {path:file} at {line} => wait=true, to=last, cell={cell}".parse().unwrap();
        assert_eq!(phrase.texts(9), ["open … at …"]);
        let slot = PhraseSlot { argument: "path".to_owned(), kind: Some("file".to_owned()) };
        assert_eq!(phrase.parts[1], PhrasePart::Slot(slot));
        let implied = [
            ("wait".to_owned(), Implied::Value(json!(true))),
            ("to".to_owned(), Implied::Value(json!("last"))),
            ("cell".to_owned(), Implied::AtHand("cell".to_owned())),
        ];
        assert_eq!(phrase.implied, implied);
    }

    #[test]
    fn mistakes_in_notation_are_errors() {
        for wrong in ["", "[only]]", "(a|b", "{Path}", "{path", "a => b", "a => =1", "[a]) b"] {
            assert!(wrong.parse::<Phrase>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_parses_or_fails(text in "[a-z{}()\\[\\]|:=> ]{0,40}") {
            let _ = text.parse::<Phrase>();
        }
    }
}
