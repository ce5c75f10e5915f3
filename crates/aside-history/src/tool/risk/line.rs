//! The risk of a file in one line.

use aside_core::Timestamp;
use jiff::{civil::Date, tz::TimeZone};

use crate::report::day;

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

/// Such as `reverted twice in June, failed once in July`; none if nothing went wrong.
pub fn line(
    reverted: &[Option<Timestamp>],
    failed: &[Option<Timestamp>],
    now: Timestamp,
    zone: &TimeZone,
) -> Option<String> {
    let today = day(now, zone);
    let told = |what: &str, times: &[Option<Timestamp>]| {
        if times.is_empty() {
            return None;
        }
        let days: Vec<Date> = times.iter().flatten().map(|at| day(*at, zone)).collect();
        Some(format!("{what} {}{}", often(times.len()), when(&days, today)))
    };
    let parts: Vec<String> = [told("reverted", reverted), told("failed", failed)].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn often(times: usize) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// The month, or the first of them; with its year if that is another one.
fn when(days: &[Date], today: Date) -> String {
    let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { return String::new() };
    let month = usize::try_from(first.month() - 1).ok().and_then(|month| MONTHS.get(month)).unwrap_or(&"");
    let year = if first.year() == today.year() { String::new() } else { format!(" {}", first.year()) };
    let same = (first.year(), first.month()) == (last.year(), last.month());
    format!(" {} {month}{year}", if same { "in" } else { "since" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_wrong_is_said_with_its_month() {
        let at = |text: &str| Some(text.parse::<Timestamp>().unwrap());
        let told = |reverted: &[&str], failed: &[&str]| {
            let times = |all: &[&str]| all.iter().map(|text| at(text)).collect::<Vec<_>>();
            line(&times(reverted), &times(failed), at("2026-11-22").unwrap(), &TimeZone::UTC)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(told(&[], &[]), None);
        assert_eq!(told(&["2026-06-03", "2026-06-30"], &[]), some("reverted twice in June"));
        assert_eq!(
            told(&["2025-12-31", "2026-06-30", "2026-07-01"], &["2026-07-02"]),
            some("reverted 3 times since December 2025, failed once in July")
        );
        assert_eq!(line(&[None], &[], at("2026-11-22").unwrap(), &TimeZone::UTC), some("reverted once"));
    }
}
