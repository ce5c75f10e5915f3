//! Points in time, handed in from outside: nothing in this crate reads a clock.

use std::{fmt, str::FromStr};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(as = "f64")]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Returns the time `milliseconds` later (earlier when negative).
    #[must_use]
    pub fn plus(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }

    /// Returns the day of UTC, such as `2026-11-21`.
    pub fn day(self) -> String {
        self.to_string().split_once('T').map_or_else(String::new, |(day, _)| day.to_owned())
    }
}

/// As RFC 3339 in UTC, with milliseconds: `2026-11-21T12:08:13.250Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
        write!(formatter, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
    }
}

/// Says that a text is no point in time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a time: expected a date such as 2026-11-21, a time such as 2026-11-21T12:08:13Z, or milliseconds \
        since 1970"
)]
pub struct InvalidTime(pub String);

/// Reads a date, RFC 3339, or milliseconds since 1970. What has no offset is UTC.
impl FromStr for Timestamp {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        let milliseconds = text.parse().ok().or_else(|| rfc3339(text));
        milliseconds.map(Self).ok_or_else(|| InvalidTime(text.chars().take(40).collect()))
    }
}

const DAY: i64 = 24 * 60 * 60 * 1000;

fn rfc3339(text: &str) -> Option<i64> {
    let (date, time) = match text.split_at_checked(10)? {
        (date, "") => (date, "00:00"),
        (date, rest) => (date, rest.strip_prefix(['T', 't', ' '])?),
    };
    let [year, month, day] = numbers(date, '-')?;
    let days = days_until(year, month, day);
    // A day that the month does not have would come back as another.
    if date_of(days) != (year, month, day) || !(0..=9999).contains(&year) {
        return None;
    }
    let (clock, offset) = offset(time)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let clock = if clock.len() == 5 { format!("{clock}:00") } else { clock.to_owned() };
    let [hour, minute, second] = numbers(&clock, ':')?;
    if hour > 23 || minute > 59 || second > 60 || fraction.is_empty() || !digits(fraction) {
        return None;
    }
    let milliseconds: i64 = format!("{fraction:0<3}")[..3].parse().ok()?;
    Some(days * DAY + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
}

/// Splits the offset from UTC off, in minutes.
fn offset(time: &str) -> Option<(&str, i64)> {
    if let Some(clock) = time.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else { return Some((time, 0)) };
    let (hours, minutes) = time[at + 1..].split_once(':')?;
    if hours.len() != 2 || minutes.len() != 2 || !digits(hours) || !digits(minutes) {
        return None;
    }
    let minutes = hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?;
    Some((&time[..at], if time[at..].starts_with('-') { -minutes } else { minutes }))
}

fn digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let parts: Vec<_> = text.split(separator).collect();
    let [one, two, three] = parts[..] else { return None };
    let number = |part: &str| (!part.is_empty() && digits(part)).then(|| part.parse().ok()).flatten();
    Some([number(one)?, number(two)?, number(three)?])
}

/// Days from 1 January 1970 to a day of the Gregorian calendar. The year begins in March here, so that the
/// leap day is its last.
fn days_until(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day of the calendar, so many days after 1 January 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * shifted + 2) / 5 + 1, (shifted + 2) % 12 + 1);
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().0;
        assert_eq!(at("1970-01-01"), 0);
        assert_eq!(at("2024-02-29T12:30:05.25Z"), 1_709_209_805_250);
        assert_eq!(at("2024-02-29T14:30:05.250+02:00"), 1_709_209_805_250);
        assert_eq!(at("2024-02-29 11:00:05-01:30"), 1_709_209_805_000);
        assert_eq!(at("2026-11-21 12:08"), at("2026-11-21T12:08:00Z"));
        assert_eq!(at("1709209805250"), 1_709_209_805_250);
        assert_eq!(at("1969-12-31"), -DAY);
    }

    #[test]
    fn what_is_no_time_says_so() {
        for text in [
            "",
            "yesterday",
            "2023-02-29",
            "2024-13-01",
            "2024-01-01T24:00Z",
            "2024-01-01T10:00:00.Z",
            "2024-01-01T1",
            "2024-01-01Tä:00",
            "2024-01-01T10:00+2:00",
        ] {
            assert!(text.parse::<Timestamp>().unwrap_err().to_string().contains("is not a time"), "{text}");
        }
    }

    #[test]
    fn every_day_is_written_as_it_is_read() {
        for day in (-200_000..200_000).step_by(17) {
            let time = Timestamp(day * DAY + 45_296_789);
            assert_eq!(time.to_string().parse(), Ok(time));
        }
        assert_eq!(Timestamp(1_709_209_805_250).to_string(), "2024-02-29T12:30:05.250Z");
    }
}
