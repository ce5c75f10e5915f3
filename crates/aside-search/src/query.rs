//! The words of a search: plain ones, `"phrases"`, `/expressions/` and filters.

use crate::text::fold;

/// A search as it was meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The words without phrases, expressions and filters.
    pub text: String,
    /// Texts that have to stand there as they are, but for case and accents.
    pub phrases: Vec<String>,
    /// Regular expressions, which read the files.
    pub expressions: Vec<String>,
    /// Conditions that a hit must fulfil, or must not.
    pub filters: Vec<Filter>,
    /// Kinds of documents that are looked through; all if empty.
    pub kinds: Vec<String>,
    /// The words may go on: somebody is typing.
    pub typing: bool,
    /// Hits of a document at most, if it is not the usual three.
    pub per_document: Option<usize>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Documents that fit are left out.
    pub without: bool,
    /// The condition.
    pub what: Condition,
}

/// The subject of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The path begins so; compared without case.
    Path(String),
    /// It has this tag or one below it; folded.
    Tag(String),
    /// It is of this kind.
    Kind(String),
    /// It has a todo.
    HasTodo,
    /// Its day is before this one, `YYYYMMDD`.
    Before(u32),
    /// Its day is this one or later.
    After(u32),
    /// It is like this document.
    Related(String),
    /// It has this word or phrase.
    Text(String),
}

/// A filter with a value that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// Not a day.
    #[error("`{0}` is no day; write it as 2026-12-01")]
    Day(String),
}

impl Query {
    /// Reads a search. An open quote is a word; everything else that is no filter is text.
    ///
    /// # Errors
    ///
    /// If a filter's value is none.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut query = Self::default();
        let mut words = Vec::new();
        for part in parts(text) {
            match part {
                Part::Phrase { without: false, text } => query.phrases.push(text.to_owned()),
                Part::Phrase { without: true, text } => query.without(Condition::Text(text.to_owned())),
                Part::Expression(text) => query.expressions.push(text.to_owned()),
                Part::Word(word) => match filter(word)? {
                    Some(filter) => query.filters.push(filter),
                    None => words.push(word),
                },
            }
        }
        query.text = words.join(" ");
        Ok(query)
    }

    fn without(&mut self, what: Condition) {
        self.filters.push(Filter { without: true, what });
    }

    /// There is nothing to look for. A search that only leaves things out asks for the rest.
    pub fn is_empty(&self) -> bool {
        self.only_filters() && self.filters.is_empty()
    }

    /// The document whose like is asked for, if nothing else is.
    pub fn only_related(&self) -> Option<&str> {
        match self.filters.as_slice() {
            [Filter { without: false, what: Condition::Related(path) }] if self.only_filters() => Some(path),
            _ => None,
        }
    }

    /// Everything that the filters let through is asked for.
    pub fn only_filters(&self) -> bool {
        self.text.is_empty() && self.phrases.is_empty() && self.expressions.is_empty()
    }
}

enum Part<'a> {
    Phrase { without: bool, text: &'a str },
    Expression(&'a str),
    Word(&'a str),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let without = rest.starts_with("-\"");
        let quoted = rest.strip_prefix('-').unwrap_or(rest).strip_prefix('"');
        if let Some((phrase, after)) = quoted.and_then(|inner| inner.split_once('"')) {
            if !phrase.trim().is_empty() {
                found.push(Part::Phrase { without, text: phrase });
            }
            rest = after.trim_start();
        } else if let Some((expression, after)) = expression(rest) {
            found.push(Part::Expression(expression));
            rest = after.trim_start();
        } else {
            let end = word_end(rest);
            found.push(Part::Word(&rest[..end]));
            rest = rest[end..].trim_start();
        }
    }
    found
}

/// `/…/`, if something that is no letter stands behind it: `/usr/bin` is a path.
fn expression(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('/')?;
    let mut escaped = false;
    for (at, char) in inner.char_indices() {
        match char {
            '\\' if !escaped => escaped = true,
            '/' if !escaped => {
                let after = &inner[at + 1..];
                return (at > 0 && (after.is_empty() || after.starts_with(char::is_whitespace)))
                    .then(|| (&inner[..at], after));
            }
            _ => escaped = false,
        }
    }
    None
}

/// Where a word ends; a filter's value may be in quotes: `path:"a b"`.
fn word_end(text: &str) -> usize {
    let space = text.find(char::is_whitespace).unwrap_or(text.len());
    match text.find(":\"").filter(|at| *at < space) {
        Some(at) => text[at + 2..].find('"').map_or(space, |end| at + 2 + end + 1),
        None => space,
    }
}

fn filter(word: &str) -> Result<Option<Filter>, QueryError> {
    let without = word.len() > 1 && word.starts_with('-');
    let named = if without { &word[1..] } else { word };
    let known = named.split_once(':').filter(|(_, value)| !value.is_empty()).map(|(name, value)| {
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        condition(&name.to_ascii_lowercase(), value)
    });
    let what = match known.transpose()?.flatten() {
        Some(what) => what,
        // `--flag` and `-1` are words; `-word` leaves the word out.
        None if without && named.starts_with(char::is_alphabetic) => Condition::Text(named.to_owned()),
        None => return Ok(None),
    };
    Ok(Some(Filter { without, what }))
}

fn condition(name: &str, value: &str) -> Result<Option<Condition>, QueryError> {
    Ok(Some(match name {
        "path" => Condition::Path(value.to_lowercase()),
        "tag" => Condition::Tag(fold(value.trim_start_matches('#').trim_end_matches('/'))),
        "kind" => Condition::Kind(value.to_lowercase()),
        "has" if value.eq_ignore_ascii_case("todo") => Condition::HasTodo,
        "before" => Condition::Before(day(value)?),
        "after" => Condition::After(day(value)?),
        "related" => Condition::Related(value.to_owned()),
        _ => return Ok(None),
    }))
}

/// `2026-12-01` as 20261201.
fn day(text: &str) -> Result<u32, QueryError> {
    let wrong = || QueryError::Day(text.to_owned());
    let parts: Vec<u32> = text.split('-').map(|part| part.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    match parts.as_slice() {
        [year @ 1..=9999, month @ 1..=12, day @ 1..=31] => Ok(year * 10_000 + month * 100 + day),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Query {
        Query::parse(text).unwrap()
    }

    #[test]
    fn filters_are_told_from_words() {
        let query = parsed(
            r#"tide "mean sea" -draft path:"my notes/" tag:#Work/ -kind:code has:todo before:2026-12-01 std::fs --flag a:"#,
        );
        assert_eq!(query.text, "tide std::fs --flag a:");
        assert_eq!(query.phrases, ["mean sea"]);
        let filters: Vec<_> = query.filters.iter().map(|filter| (filter.without, filter.what.clone())).collect();
        assert_eq!(
            filters,
            [
                (true, Condition::Text("draft".into())),
                (false, Condition::Path("my notes/".into())),
                (false, Condition::Tag("work".into())),
                (true, Condition::Kind("code".into())),
                (false, Condition::HasTodo),
                (false, Condition::Before(20_261_201)),
            ]
        );
    }

    #[test]
    fn expressions_are_told_from_paths() {
        assert_eq!(parsed(r"/a\/b c/ x").expressions, [r"a\/b c"]);
        assert_eq!(parsed("/usr/bin").text, "/usr/bin");
        assert_eq!(parsed("\"open").text, "\"open");
    }

    #[test]
    fn nothing_and_filters_alone_are_told_apart() {
        assert!(parsed("  ").is_empty() && !parsed("-draft").is_empty(), "the rest is asked for");
        assert!(parsed("tag:a").only_filters() && !parsed("tag:a").is_empty());
        assert_eq!(Query::parse("before:tomorrow"), Err(QueryError::Day("tomorrow".into())));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}") {
            let _ = Query::parse(&text);
        }
    }
}
