//! The pattern of a search: a text or a regular expression, and globs of the files that count.

use std::{collections::BTreeSet, fmt, path::Path};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use unicode_normalization::UnicodeNormalization as _;

use crate::globs::Globs;

/// Bytes of a compiled expression, and of its cache for each thread. A larger one would keep a thread busy for seconds.
const MOST_OF_A_REGEX: usize = 10 << 20;

/// A search as a person or an action puts it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindQuery {
    /// The text within one line, or a regular expression in the syntax of Rust's `regex` crate.
    pub text: String,
    /// The text is a regular expression.
    pub regex: bool,
    /// Upper and lower case differ.
    pub match_case: bool,
    /// A match begins and ends at the edge of a word.
    pub whole_words: bool,
    /// Globs of the files to search; empty for all. A glob without a slash holds at any depth, and a folder's holds for all in it.
    pub include: Vec<String>,
    /// Globs of files and folders to leave out.
    pub exclude: Vec<String>,
}

/// A query that can't be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is no text.
    #[error("the text to find is empty")]
    Empty,
    /// A match is always within one line.
    #[error("the text to find is not within one line")]
    LineBreak,
    /// The expression can't be read.
    #[error("the regular expression is wrong at character {at}: {reason}")]
    Syntax {
        /// The character, from 1.
        at: usize,
        /// The parser's reason.
        reason: String,
    },
    /// The expression stands for more states than a search can hold.
    #[error("the regular expression is too large: it repeats too much")]
    TooLarge,
    /// A glob can't be read.
    #[error("the file pattern `{glob}` is wrong: {reason}")]
    Glob {
        /// The glob.
        glob: String,
        /// The parser's reason.
        reason: String,
    },
}

/// A query that is ready to run.
#[derive(Clone)]
pub struct Pattern {
    pub(crate) matcher: RegexMatcher,
    pub(crate) globs: Globs,
    pub(crate) is_regex: bool,
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pattern").field("is_regex", &self.is_regex).finish_non_exhaustive()
    }
}

impl Pattern {
    /// Compiles a query.
    pub fn new(query: &FindQuery) -> Result<Self, QueryError> {
        if query.text.is_empty() {
            return Err(QueryError::Empty);
        }
        if query.text.contains(['\n', '\r']) {
            return Err(QueryError::LineBreak);
        }
        let globs = Globs::new(&query.include, &query.exclude)?;
        let matcher =
            builder(query).build_many(&forms(query)).map_err(|error| query_error(&query.text, error.kind()))?;
        Ok(Self { matcher, globs, is_regex: query.regex })
    }

    /// Tells whether the globs let a file in.
    pub fn admits(&self, path: impl AsRef<Path>) -> bool {
        self.globs.admit(path)
    }
}

fn builder(query: &FindQuery) -> RegexMatcherBuilder {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_insensitive(!query.match_case)
        .word(query.whole_words)
        .fixed_strings(!query.regex)
        .multi_line(true)
        .crlf(true)
        .size_limit(MOST_OF_A_REGEX)
        .dfa_size_limit(MOST_OF_A_REGEX);
    builder
}

/// A literal text in each of its normal forms: an accent may be its own character, or part of its letter.
fn forms(query: &FindQuery) -> Vec<String> {
    let text = &query.text;
    if query.regex || text.is_ascii() {
        return vec![text.clone()];
    }
    let forms: BTreeSet<String> = [text.clone(), text.nfc().collect(), text.nfd().collect()].into();
    forms.into_iter().collect()
}

fn query_error(text: &str, kind: &grep_regex::ErrorKind) -> QueryError {
    if matches!(kind, grep_regex::ErrorKind::NotAllowed(_)) {
        return QueryError::LineBreak;
    }
    let (offset, reason) = match regex_syntax::Parser::new().parse(text) {
        Err(regex_syntax::Error::Parse(error)) => (error.span().start.offset, error.kind().to_string()),
        Err(regex_syntax::Error::Translate(error)) => (error.span().start.offset, error.kind().to_string()),
        // It can be read, so its size is the problem.
        _ => return QueryError::TooLarge,
    };
    let before = text.get(..offset).unwrap_or(text);
    QueryError::Syntax { at: before.chars().count() + 1, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let query = FindQuery { text: text.to_owned(), regex: true, ..FindQuery::default() };
        Pattern::new(&query).unwrap_err().to_string()
    }

    #[test]
    fn wrong_regex_error_names_the_character() {
        assert_eq!(error("é(a"), "the regular expression is wrong at character 2: unclosed group");
        assert_eq!(
            error(r"a\p{No such}"),
            "the regular expression is wrong at character 2: Unicode property not found"
        );
        assert!(error("a(?=b)").contains("at character 2: look-around"), "{}", error("a(?=b)"));
        assert!(error(r"(a)\1").contains("at character 4: backreferences"), "{}", error(r"(a)\1"));
    }

    #[test]
    fn exploding_regex_is_too_large() {
        for text in [r"(\w{200}){200}", "((a{1000}){1000}){1000}", r"(?:\p{L}{1,500}){500}"] {
            assert_eq!(error(text), QueryError::TooLarge.to_string(), "{text}");
        }
    }

    #[test]
    fn query_is_one_line_of_text() {
        let refused = |text: &str, regex| {
            Pattern::new(&FindQuery { text: text.to_owned(), regex, ..FindQuery::default() }).unwrap_err()
        };
        assert_eq!(refused("", false), QueryError::Empty);
        assert_eq!(refused("a\nb", false), QueryError::LineBreak);
        assert_eq!(refused(r"a\nb", true), QueryError::LineBreak);
    }
}
