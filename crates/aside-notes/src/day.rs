//! Days and times as people write them: in the names of notes, and in the signs of todos.

use std::str::FromStr;

use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::TodoDate;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Reads `2026-12-01` at the start of a text; returns the day and the bytes that it takes. The day has to exist.
pub fn date_at_start(text: &str) -> Option<(Date, usize)> {
    let bytes = text.as_bytes().get(..10)?;
    let digits = |range: std::ops::Range<usize>| number(&bytes[range]);
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let date = Date::new(i16::try_from(digits(0..4)?).ok()?, i8_of(digits(5..7)?)?, i8_of(digits(8..10)?)?).ok()?;
    (!text.as_bytes().get(10).is_some_and(u8::is_ascii_digit)).then_some((date, 10))
}

/// Reads a day, and a time after `T` or a space, at the start of a text; returns them and the bytes that they take.
pub fn todo_date_at_start(text: &str) -> Option<(TodoDate, usize)> {
    let (date, length) = date_at_start(text)?;
    match time_at_start(&text[length..]) {
        Some((time, more)) => Some((TodoDate { date, time: Some(time) }, length + more)),
        None => Some((TodoDate { date, time: None }, length)),
    }
}

/// `T14:30` or ` 14:30`.
fn time_at_start(text: &str) -> Option<((u8, u8), usize)> {
    let bytes = text.as_bytes();
    if !matches!(bytes.first(), Some(b'T' | b' ')) || bytes.get(3) != Some(&b':') {
        return None;
    }
    let (hour, minute) = (number(bytes.get(1..3)?)?, number(bytes.get(4..6)?)?);
    let ends = !bytes.get(6).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b':');
    (hour < 24 && minute < 60 && ends).then_some(((hour as u8, minute as u8), 6))
}

/// Returns the day that a file name (without its ending) stands for. A word may follow the digits.
pub fn day_of_name(name: &str) -> Option<Date> {
    let alone = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    if let Some((date, length)) = date_at_start(name) {
        return alone(&name[length..]).then_some(date);
    }
    let underscores = name.get(..10).filter(|start| start.as_bytes()[4] == b'_' && start.as_bytes()[7] == b'_');
    if let Some(start) = underscores {
        let (date, _) = date_at_start(&start.replace('_', "-"))?;
        return alone(&name[10..]).then_some(date);
    }
    if let Some(start) = name.get(..8).filter(|start| start.bytes().all(|byte| byte.is_ascii_digit())) {
        let (date, _) = date_at_start(&format!("{}-{}-{}", &start[..4], &start[4..6], &start[6..]))?;
        return alone(&name[8..]).then_some(date);
    }
    day_of_words(name)
}

/// Returns the day of `November 27th, 2026` or `Nov 27th, 2026`.
pub fn day_of_words(text: &str) -> Option<Date> {
    let (month, rest) = text.split_once(' ')?;
    let is_month = |name: &str| name.eq_ignore_ascii_case(month) || name[..3].eq_ignore_ascii_case(month);
    let month = MONTHS.iter().position(|name| is_month(name))? + 1;
    let (day, year) = rest.split_once(", ")?;
    let digits = day.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=2).contains(&digits) || !matches!(&*day[digits..].to_ascii_lowercase(), "st" | "nd" | "rd" | "th") {
        return None;
    }
    let year = (year.len() == 4).then(|| number(year.as_bytes()))??;
    Date::new(i16::try_from(year).ok()?, i8_of(month as u32)?, i8_of(number(&day.as_bytes()[..digits])?)?).ok()
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0')))
}

fn i8_of(number: u32) -> Option<i8> {
    i8::try_from(number).ok()
}

impl FromStr for TodoDate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match todo_date_at_start(text) {
            Some((date, length)) if length == text.len() => Ok(date),
            _ => Err("a day is written `2026-12-01`, with a time `2026-12-01T14:30`, and has to exist"),
        }
    }
}

impl Serialize for TodoDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TodoDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A day as text, for serde.
pub(crate) mod option {
    use super::*;

    pub fn serialize<S: Serializer>(day: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
        day.map(|day| day.to_string()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        date_at_start(&text).map(|(day, _)| Some(day)).ok_or_else(|| D::Error::custom("no day"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_days_are_read_in_all_forms() {
        for name in
            ["2026-11-27", "2026-11-27 Friday", "2026_11_27", "20261127", "November 27th, 2026", "Nov 27th, 2026"]
        {
            assert_eq!(day_of_name(name).map(|day| day.to_string()).as_deref(), Some("2026-11-27"), "{name}");
        }
        for name in
            ["2026-02-30", "2026-11-27x", "202611270", "2026_13_01", "Nov 31st, 2026", "27 November", "ä026-11-27"]
        {
            assert_eq!(day_of_name(name), None, "{name}");
        }
    }

    #[test]
    fn dates_have_times_only_if_written() {
        let shown = |text: &str| todo_date_at_start(text).map(|(date, length)| (date.to_string(), length));
        assert_eq!(shown("2026-12-01T14:30 x"), Some(("2026-12-01T14:30".to_owned(), 16)));
        assert_eq!(shown("2026-12-01 14:30"), Some(("2026-12-01T14:30".to_owned(), 16)));
        assert_eq!(shown("2026-12-01 25:30"), Some(("2026-12-01".to_owned(), 10)));
        assert_eq!(shown("2026-12-011"), None);
        assert_eq!(shown("2026-12-0\u{e9}"), None);
        assert!("2026-12-01 and more".parse::<TodoDate>().is_err());
    }
}
