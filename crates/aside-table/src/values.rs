//! The values of fields: numbers, kinds of columns, fields without a value.

use std::borrow::Cow;

/// The kind of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Most values are numbers.
    Number,
    /// Anything else.
    Text,
}

/// Fields that mean: no value.
const NOTHING: [&str; 6] = ["na", "n/a", "nan", "null", "none", "-"];

/// Tells whether a field has no value.
pub(crate) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || (text.len() <= 4 && NOTHING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing)))
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberStyle {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
}

/// The number in a field; none if it is not all of the field.
pub(crate) fn number_in(text: &str, style: NumberStyle) -> Option<f64> {
    let text = text.trim();
    let is_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b',' | b'e' | b'E');
    if !text.bytes().all(is_number) || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    plain(text, style)?.parse().ok()
}

/// The number without separators of thousands, and with a point.
fn plain(text: &str, style: NumberStyle) -> Option<Cow<'_, str>> {
    let (group, point) = match style {
        NumberStyle::Point => (',', '.'),
        NumberStyle::Comma => ('.', ','),
    };
    if !text.contains(',') && style == NumberStyle::Point {
        return Some(Cow::Borrowed(text));
    }
    let digits = text.trim_start_matches(['+', '-']);
    let end = digits.find(|letter: char| letter != group && !letter.is_ascii_digit()).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(end);
    let mut groups = whole.split(group);
    let first = groups.next().unwrap_or_default();
    let is_grouped = whole.contains(group);
    if rest.contains(group) || (is_grouped && !((1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)))
    {
        return None;
    }
    let sign = &text[..text.len() - digits.len()];
    Some(Cow::Owned(format!("{sign}{}{}", whole.replace(group, ""), rest.replacen(point, ".", 1))))
}

/// The kind of a column, from some of its fields: nine of ten values have to be numbers.
pub(crate) fn kind_of<'a>(fields: impl Iterator<Item = &'a str>, style: NumberStyle) -> ColumnKind {
    let (mut values, mut numbers) = (0, 0);
    for field in fields.filter(|field| !is_nothing(field)) {
        values += 1;
        numbers += usize::from(number_in(field, style).is_some());
    }
    if values > 0 && numbers * 10 >= values * 9 { ColumnKind::Number } else { ColumnKind::Text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_styles() {
        let numbers = ["1", "-2.5", "1,234.5", "1e3", ".5", "5."].map(|text| number_in(text, NumberStyle::Point));
        assert_eq!(numbers, [1.0, -2.5, 1234.5, 1000.0, 0.5, 5.0].map(Some));
        assert_eq!(["1,5", "1.234,5"].map(|text| number_in(text, NumberStyle::Comma)), [Some(1.5), Some(1234.5)]);
        for text in ["", "x", "1-2", "2026-11-28", "-", ".", "e5", "1,2", "inf", "1,2345", "1.2,3"] {
            assert_eq!(number_in(text, NumberStyle::Point), None, "{text}");
        }
    }

    #[test]
    fn kind_is_that_of_most_values() {
        let kind = |fields: &[&str]| kind_of(fields.iter().copied(), NumberStyle::Point);
        assert_eq!(kind(&["1", "2", "NA", ""]), ColumnKind::Number);
        assert_eq!(kind(&["1", "b", "c"]), ColumnKind::Text);
        assert_eq!(kind(&["", "-"]), ColumnKind::Text);
    }
}
