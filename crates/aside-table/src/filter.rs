//! The rows that are shown: filters of columns, and their order.

use std::collections::BTreeMap;

use crate::{
    fields::contains_ascii,
    rows::Fields,
    values::{NumberStyle, is_nothing, number_in},
};

/// The order of rows by a column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowOrder {
    /// The column.
    pub column: usize,
    /// The largest first.
    pub descending: bool,
}

/// The rows of a table that are shown, and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowView {
    /// The first row names the columns; guessed if nobody says.
    pub header: Option<bool>,
    /// The order; as in the file without one.
    pub order: Option<RowOrder>,
    /// A filter that any field may pass; empty for all rows.
    pub anywhere: String,
    /// Filters of columns, from 0.
    pub columns: BTreeMap<usize, String>,
}

impl RowView {
    /// Tells whether it shows all rows as they are.
    pub fn is_plain(&self) -> bool {
        self.order.is_none() && !self.is_filtered()
    }

    pub(crate) fn is_filtered(&self) -> bool {
        !self.anywhere.trim().is_empty() || self.columns.values().any(|filter| !filter.trim().is_empty())
    }
}

/// The filters of a view, ready to use.
pub(crate) struct Filters {
    anywhere: Option<Test>,
    columns: Vec<(usize, Test)>,
    style: NumberStyle,
}

impl Filters {
    pub fn of(view: &RowView, style: NumberStyle) -> Self {
        let columns = view.columns.iter();
        Self {
            anywhere: Test::parse(&view.anywhere, style),
            columns: columns.filter_map(|(column, text)| Some((*column, Test::parse(text, style)?))).collect(),
            style,
        }
    }

    /// The columns that are looked at; none if all are.
    pub fn columns(&self) -> Option<Vec<usize>> {
        self.anywhere.is_none().then(|| self.columns.iter().map(|(column, _)| *column).collect())
    }

    /// Tells whether a row passes.
    pub fn pass(&self, row: &dyn Fields) -> bool {
        let passes = |(column, test): &(usize, Test)| test.passes(&row.field(*column), self.style);
        self.columns.iter().all(passes)
            && self.anywhere.as_ref().is_none_or(|test| {
                let words = if let Test::Contains(words) = test { Some(words.as_str()) } else { None };
                row.any(words, &|text| test.passes(text, self.style))
            })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl Bound {
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Above => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Below => order.is_lt(),
            Self::AtMost => order.is_le(),
        }
    }
}

/// A filter of one field: words that it contains, `=word` for all of it, `!word` for fields without it, `>5`, `<=5` for numbers and
/// dates, `=` or `!` alone for empty fields and others. Words are in lower case.
#[derive(Clone, Debug, PartialEq)]
enum Test {
    Contains(String),
    Lacks(String),
    Equals(String),
    Nothing,
    Something,
    Number(Bound, f64),
    Text(Bound, String),
}

impl Test {
    /// Reads a filter; none lets everything through.
    fn parse(filter: &str, style: NumberStyle) -> Option<Self> {
        let filter = filter.trim();
        let (bound, rest) = match filter.as_bytes() {
            [] => return None,
            [b'=', ..] => return Some(Self::equal(filter[1..].trim())),
            [b'!', ..] => return Some(Self::unlike(filter[1..].trim())),
            [b'>', b'=', ..] => (Bound::AtLeast, &filter[2..]),
            [b'<', b'=', ..] => (Bound::AtMost, &filter[2..]),
            [b'>', ..] => (Bound::Above, &filter[1..]),
            [b'<', ..] => (Bound::Below, &filter[1..]),
            _ => return Some(Self::Contains(filter.to_lowercase())),
        };
        let rest = rest.trim();
        if rest.is_empty() {
            return None;
        }
        // Dates as `2026-11-28` are ordered by their letters.
        let text = || Self::Text(bound, rest.to_owned());
        Some(number_in(rest, style).map_or_else(text, |number| Self::Number(bound, number)))
    }

    fn equal(rest: &str) -> Self {
        if rest.is_empty() { Self::Nothing } else { Self::Equals(rest.to_lowercase()) }
    }

    fn unlike(rest: &str) -> Self {
        if rest.is_empty() { Self::Something } else { Self::Lacks(rest.to_lowercase()) }
    }

    fn passes(&self, text: &str, style: NumberStyle) -> bool {
        match self {
            Self::Contains(words) => contains(text, words),
            Self::Lacks(words) => !contains(text, words),
            Self::Equals(words) => text.trim().to_lowercase() == *words,
            Self::Nothing => is_nothing(text),
            Self::Something => !is_nothing(text),
            Self::Number(bound, number) => number_in(text, style)
                .and_then(|value| value.partial_cmp(number))
                .is_some_and(|order| bound.holds(order)),
            Self::Text(bound, other) => !is_nothing(text) && bound.holds(text.cmp(other.as_str())),
        }
    }
}

fn contains(text: &str, words: &str) -> bool {
    if words.is_ascii() {
        contains_ascii(text.as_bytes(), words.as_bytes())
    } else {
        text.to_lowercase().contains(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_pass_filters() {
        let texts = ["apple", "Pineapple", "", "5", "12", "Äpfel"];
        let passed = |filter: &str| {
            let test = Test::parse(filter, NumberStyle::Point);
            let passes = |text: &&str| test.as_ref().is_none_or(|test| test.passes(text, NumberStyle::Point));
            texts.into_iter().filter(passes).collect::<Vec<_>>()
        };
        assert_eq!(passed("  "), texts);
        assert_eq!(passed(">"), texts);
        assert_eq!(passed("APPLE"), ["apple", "Pineapple"]);
        assert_eq!(passed("= Apple"), ["apple"]);
        assert_eq!(passed("!apple"), ["", "5", "12", "Äpfel"]);
        assert_eq!(passed("äpf"), ["Äpfel"]);
        assert_eq!(passed("="), [""]);
        assert_eq!(passed("!").len(), 5);
        assert_eq!((passed("> 5"), passed(">=5"), passed("<12")), (vec!["12"], vec!["5", "12"], vec!["5"]));
    }

    #[test]
    fn dates_are_compared_by_letters() {
        let test = Test::parse("<=2026-11-28", NumberStyle::Point).unwrap();
        let passes = |text| test.passes(text, NumberStyle::Point);
        assert!(passes("2026-11-28") && passes("2025-12-31") && !passes("2026-12-01") && !passes(""));
    }
}
