//! The time of day where the server runs, for a sentence from a terminal: *tomorrow* begins at a person's own midnight.

use aside_core::Timestamp;
use aside_history::TimeZone;

/// Returns a time with the offset of the server's time zone: `2026-01-02T23:04:05+01:00`.
pub(super) fn local(now: Timestamp) -> String {
    in_zone(now, TimeZone::system())
}

fn in_zone(now: Timestamp, zone: TimeZone) -> String {
    let text = now.to_string();
    let time = text.parse::<jiff::Timestamp>().map(|time| time.to_zoned(zone));
    time.map_or(text, |time| time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_local_midnight() {
        let late: Timestamp = "2026-01-02T23:30:00Z".parse().unwrap();
        let east = TimeZone::fixed(jiff::tz::offset(9));
        assert_eq!(in_zone(late, east), "2026-01-03T08:30:00+09:00");
        assert_eq!(in_zone(late, TimeZone::UTC), "2026-01-02T23:30:00+00:00");
    }
}
