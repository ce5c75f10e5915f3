//! Which responses a report is about.

use aside_core::Timestamp;
use jiff::{
    Span, Zoned,
    civil::{Date, DateTime},
    tz::TimeZone,
};

use crate::{HistoryError, Source};

/// Which responses a report is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// From then on.
    pub since: Option<Timestamp>,
    /// Before then.
    pub until: Option<Timestamp>,
    /// In this folder or below. What has no slash is the name of a folder, wherever it is, or, as Claude Code names its folders of logs, its
    /// path with a dash for every other sign.
    pub workspace: Option<String>,
    /// Of these programs; all if none is named.
    pub sources: Vec<Source>,
    /// Which amount counts.
    pub mode: CostMode,
}

/// Which amount counts where a log says one and a list, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostMode {
    /// What the log says, else the list's.
    #[default]
    Auto,
    /// The list's only.
    Calculate,
    /// What the log says only.
    Display,
}

/// Which end of a day a date means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Its first moment.
    Start,
    /// Its last one.
    End,
}

/// The time zone of a name such as `Europe/Berlin`; that of the machine if none is named.
pub fn zone(name: Option<&str>) -> Result<TimeZone, HistoryError> {
    match name {
        None => Ok(TimeZone::system()),
        Some(name) => TimeZone::get(name).map_err(|_| {
            HistoryError::Asked(format!("`{name}` is not a time zone: expected a name such as Europe/Berlin or UTC"))
        }),
    }
}

impl Filter {
    /// Reads a day (`2026-06-30`, `20260630`), a time, or how long ago (`24h`, `7d`, `1w`, `1m` for 30 days).
    pub fn moment(text: &str, end: Until, zone: &TimeZone, now: Timestamp) -> Result<Timestamp, HistoryError> {
        let wrong = || {
            let message =
                "expected a day such as 2026-06-30 or 20260630, a time, or how long ago, such as 24h, 7d, 1w or 1m";
            HistoryError::Asked(format!("`{text}` is not a day: {message}"))
        };
        if let Some(milliseconds) = ago(text) {
            return Ok(now.plus(-milliseconds));
        }
        let date: Option<Date> = match text.len() {
            8 if text.bytes().all(|byte| byte.is_ascii_digit()) => Date::strptime("%Y%m%d", text).ok(),
            10 => text.parse().ok(),
            _ => return text.parse().map_err(|_| wrong()),
        };
        let date = date.ok_or_else(wrong)?;
        let date = if end == Until::End { date.tomorrow().map_err(|_| wrong())? } else { date };
        let start: Zoned = date.to_zoned(zone.clone()).map_err(|_| wrong())?;
        Ok(Timestamp(start.timestamp().as_millisecond()))
    }

    /// Tells whether a folder is asked about.
    pub fn wants_workspace(&self, path: Option<&str>) -> bool {
        let (Some(asked), Some(path)) = (self.workspace.as_deref(), path) else { return self.workspace.is_none() };
        if !asked.is_empty() && !asked.contains(['/', '\\']) {
            return path.split(['/', '\\']).any(|name| name == asked) || slug(path) == asked;
        }
        let below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        path.strip_prefix(asked.trim_end_matches('/')).is_some_and(below)
    }

    /// Tells whether a program is asked about.
    pub fn wants_source(&self, source: Source) -> bool {
        self.sources.is_empty() || self.sources.contains(&source)
    }
}

/// The name of a folder in one word, as Claude Code makes it.
pub fn slug(path: &str) -> String {
    path.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect()
}

fn ago(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: i64 = number.parse().ok().filter(|number| (0..=100_000).contains(number))?;
    let hours = match unit {
        "h" => 1,
        "d" => 24,
        "w" => 7 * 24,
        "m" => 30 * 24,
        _ => return None,
    };
    Some(number * hours * 3_600_000)
}

/// The day of a moment in a zone.
pub fn day(at: Timestamp, zone: &TimeZone) -> Date {
    clock(at, zone).date()
}

/// What a clock in a zone shows; what is out of the calendar is at its end.
fn clock(at: Timestamp, zone: &TimeZone) -> DateTime {
    zone.to_datetime(jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::MIN))
}

/// A moment to the minute, as a clock in a zone shows it.
pub fn minute(at: Timestamp, zone: &TimeZone) -> String {
    clock(at, zone).strftime("%Y-%m-%d %H:%M").to_string()
}

/// The first moment of the day of a moment.
pub fn day_start(at: Timestamp, zone: &TimeZone) -> Timestamp {
    let start = day(at, zone).to_zoned(zone.clone());
    start.map_or(at, |start| Timestamp(start.timestamp().as_millisecond()))
}

/// The day on which a week begins.
pub fn week(day: Date, first: jiff::civil::Weekday) -> Date {
    let since = day.weekday().since(first);
    day.checked_sub(Span::new().days(i64::from(since))).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_800_000_000_000);

    fn at(text: &str, end: Until, zone_name: &str) -> String {
        let zone = zone(Some(zone_name)).unwrap();
        Filter::moment(text, end, &zone, NOW).map_or_else(|error| error.to_string(), |at| at.to_string())
    }

    #[test]
    fn days_are_those_of_the_zone_also_when_the_clock_changes() {
        assert_eq!(at("2026-06-30", Until::Start, "UTC"), "2026-06-30T00:00:00.000Z");
        assert_eq!(at("20260630", Until::End, "UTC"), "2026-07-01T00:00:00.000Z");
        assert_eq!(at("2026-03-29", Until::Start, "Europe/Berlin"), "2026-03-28T23:00:00.000Z");
        assert_eq!(at("2026-03-29", Until::End, "Europe/Berlin"), "2026-03-29T22:00:00.000Z");
        assert_eq!(at("7d", Until::Start, "UTC"), NOW.plus(-7 * 86_400_000).to_string());
        assert_eq!(at("2026-06-30T12:00:00Z", Until::Start, "Asia/Tokyo"), "2026-06-30T12:00:00.000Z");
    }

    #[test]
    fn what_is_no_day_says_so() {
        for text in ["", "yesterday", "20261301", "2026-02-30", "7y", "-3d", "99999999999h"] {
            assert!(at(text, Until::Start, "UTC").contains("is not a day"), "{text}");
        }
        assert!(zone(Some("Mars/Base")).unwrap_err().to_string().contains("not a time zone"));
    }

    #[test]
    fn a_folder_is_not_one_that_begins_like_it() {
        let filter = Filter { workspace: Some("/home/me/foo/".to_owned()), ..Filter::default() };
        assert!(filter.wants_workspace(Some("/home/me/foo")) && filter.wants_workspace(Some("/home/me/foo/sub")));
        assert!(!filter.wants_workspace(Some("/home/me/foobar")) && !filter.wants_workspace(None));
        assert!(Filter::default().wants_workspace(None));
        for name in ["foo", "me", "-home-me-foo"] {
            let filter = Filter { workspace: Some(name.to_owned()), ..Filter::default() };
            assert!(filter.wants_workspace(Some("/home/me/foo")), "{name}");
            assert!(!filter.wants_workspace(Some("/home/you/foobar")) && !filter.wants_workspace(None), "{name}");
        }
    }

    #[test]
    fn a_moment_belongs_to_the_day_of_its_zone() {
        let berlin = zone(Some("Europe/Berlin")).unwrap();
        let late: Timestamp = "2026-06-30T22:30:00Z".parse().unwrap();
        assert_eq!(day(late, &berlin).to_string(), "2026-07-01");
        assert_eq!(week(day(late, &berlin), jiff::civil::Weekday::Sunday).to_string(), "2026-06-28");
        assert_eq!(minute(late, &berlin), "2026-07-01 00:30");
        assert_eq!(day(Timestamp(i64::MAX), &berlin).year(), -9999);
    }
}
