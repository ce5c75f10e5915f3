//! Rules of repetition and the day that comes next.

use jiff::{
    Span, ToSpan as _,
    civil::{Date, Weekday},
};

/// A unit of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Days.
    Day,
    /// Weeks.
    Week,
    /// Months. The 31st of a month without one is its last day.
    Month,
    /// Years.
    Year,
}

/// A rule of repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// How many units.
    pub every: u16,
    /// Which units.
    pub unit: Unit,
    /// The days of the week on which it falls; any if empty.
    pub weekdays: Vec<Weekday>,
    /// The day of the month on which it falls; 0 is the last one.
    pub day: Option<u8>,
    /// It counts from the day on which it is done.
    pub when_done: bool,
    /// In a Logseq graph: moved on until it lies after today (`++1w`).
    pub catches_up: bool,
}

impl Repeat {
    /// Reads `every 2 weeks on Monday when done`, or `.+1w` of a Logseq graph.
    pub fn parse(rule: &str) -> Option<Self> {
        let lower = rule.trim().to_lowercase();
        if lower.starts_with(['+', '.']) {
            return Self::of_logseq(&lower);
        }
        let mut words: Vec<&str> = lower.split(|sign: char| sign.is_whitespace() || sign == ',').collect();
        words.retain(|word| !word.is_empty() && *word != "and");
        let when_done = words.ends_with(&["when", "done"]);
        if when_done {
            words.truncate(words.len() - 2);
        }
        let ("every", rest) = words.split_first().map(|(first, rest)| (*first, rest))? else { return None };
        let (every, rest) = match rest.split_first()? {
            (&"other", rest) => (2, rest),
            (number, rest) if number.bytes().all(|byte| byte.is_ascii_digit()) => (number.parse().ok()?, rest),
            _ => (1, rest),
        };
        let (unit, rest) = rest.split_first()?;
        let new = |unit, weekdays, day| Self { every, unit, weekdays, day, when_done, catches_up: false };
        let whole = match (*unit, rest) {
            ("weekday" | "weekdays", []) => new(Unit::Week, WORKDAYS.to_vec(), None),
            ("day" | "days", []) => new(Unit::Day, Vec::new(), None),
            ("week" | "weeks", []) => new(Unit::Week, Vec::new(), None),
            ("week" | "weeks", ["on", days @ ..]) => new(Unit::Week, weekdays(days)?, None),
            ("month" | "months", []) => new(Unit::Month, Vec::new(), None),
            ("month" | "months", ["on", "the", day] | ["on", day]) => new(Unit::Month, Vec::new(), Some(day_of(day)?)),
            ("year" | "years", []) => new(Unit::Year, Vec::new(), None),
            (day, days) => {
                let all: Vec<&str> = std::iter::once(day).chain(days.iter().copied()).collect();
                new(Unit::Week, weekdays(&all)?, None)
            }
        };
        (every > 0).then_some(whole)
    }

    fn of_logseq(rule: &str) -> Option<Self> {
        let (when_done, catches_up) = (rule.starts_with(".+"), rule.starts_with("++"));
        let rest = rule.trim_start_matches(['.', '+']);
        let unit = match rest.chars().next_back()? {
            'd' => Unit::Day,
            'w' => Unit::Week,
            'm' => Unit::Month,
            'y' => Unit::Year,
            _ => return None,
        };
        let every = rest[..rest.len() - 1].parse().ok().filter(|every| *every > 0)?;
        Some(Self { every, unit, weekdays: Vec::new(), day: None, when_done, catches_up })
    }

    /// Returns the rule as Logseq writes it; none if it has no such form.
    pub fn as_logseq(&self) -> Option<String> {
        let unit = match self.unit {
            Unit::Day => 'd',
            Unit::Week => 'w',
            Unit::Month => 'm',
            Unit::Year => 'y',
        };
        let mode = if self.when_done { ".+" } else { "+" };
        (self.weekdays.is_empty() && self.day.is_none()).then(|| format!("{mode}{}{unit}", self.every))
    }

    /// Returns the day after a day, or after today if the rule counts from when it is done.
    pub fn next(&self, from: Date, today: Date) -> Option<Date> {
        let mut next = self.step(if self.when_done { today } else { from })?;
        while self.catches_up && next <= today {
            next = self.step(next)?;
        }
        Some(next)
    }

    fn step(&self, from: Date) -> Option<Date> {
        if !self.weekdays.is_empty() {
            return self.next_weekday(from);
        }
        let every = i64::from(self.every);
        if let Some(day) = self.day {
            return on_day(from, day).filter(|same| *same > from && every == 1).or_else(|| {
                let month = from.first_of_month().checked_add(every.months()).ok()?;
                on_day(month, day)
            });
        }
        let span: Span = match self.unit {
            Unit::Day => every.days(),
            Unit::Week => every.weeks(),
            Unit::Month => every.months(),
            Unit::Year => every.years(),
        };
        from.checked_add(span).ok()
    }

    /// The next of its weekdays; behind the end of a week, some weeks are left out.
    fn next_weekday(&self, from: Date) -> Option<Date> {
        let mut next = from;
        loop {
            next = next.tomorrow().ok()?;
            if next.weekday() == Weekday::Monday && self.every > 1 {
                next = next.checked_add((i64::from(self.every) - 1).weeks()).ok()?;
            }
            if self.weekdays.contains(&next.weekday()) {
                return Some(next);
            }
        }
    }
}

const WORKDAYS: [Weekday; 5] =
    [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

fn weekdays(words: &[&str]) -> Option<Vec<Weekday>> {
    let days: Option<Vec<Weekday>> = words.iter().map(|word| weekday(word)).collect();
    days.filter(|days| !days.is_empty())
}

fn weekday(word: &str) -> Option<Weekday> {
    let all = [
        ("monday", Weekday::Monday),
        ("tuesday", Weekday::Tuesday),
        ("wednesday", Weekday::Wednesday),
        ("thursday", Weekday::Thursday),
        ("friday", Weekday::Friday),
        ("saturday", Weekday::Saturday),
        ("sunday", Weekday::Sunday),
    ];
    let is_it = |name: &str| {
        name == word || word.strip_suffix('s') == Some(name) || (word.len() >= 3 && name.starts_with(word))
    };
    all.into_iter().find(|(name, _)| is_it(name)).map(|(_, day)| day)
}

fn day_of(word: &str) -> Option<u8> {
    if word == "last" {
        return Some(0);
    }
    let digits = word.trim_end_matches(char::is_alphabetic);
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

/// The day of a date's month; the last one where the month has no such day.
fn on_day(month: Date, day: u8) -> Option<Date> {
    let last = month.days_in_month();
    let day = i8::try_from(day).ok().filter(|day| *day > 0).map_or(last, |day| day.min(last));
    month.with().day(day).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(rule: &str, from: &str) -> String {
        let date = |text: &str| text.parse::<Date>().unwrap();
        let rule = Repeat::parse(rule).unwrap_or_else(|| panic!("{rule}"));
        rule.next(date(from), date("2026-12-10")).unwrap().to_string()
    }

    #[test]
    fn next_days_follow_the_rule() {
        for (rule, from, then) in [
            ("every day", "2026-12-31", "2027-01-01"),
            ("every 2 weeks", "2026-12-01", "2026-12-15"),
            ("every other week", "2026-12-01", "2026-12-15"),
            ("every month", "2026-01-31", "2026-02-28"),
            ("every year", "2028-02-29", "2029-02-28"),
            ("every weekday", "2026-11-27", "2026-11-30"),
            ("every Monday", "2026-11-30", "2026-12-07"),
            ("every week on Tuesday, Friday", "2026-12-01", "2026-12-04"),
            ("every 2 weeks on Monday", "2026-11-30", "2026-12-14"),
            ("every month on the 15th", "2026-12-01", "2026-12-15"),
            ("every month on the last", "2026-01-31", "2026-02-28"),
            ("every week when done", "2026-12-01", "2026-12-17"),
            ("+1w", "2026-12-01", "2026-12-08"),
            ("++1w", "2026-11-01", "2026-12-13"),
            (".+3d", "2026-11-01", "2026-12-13"),
        ] {
            assert_eq!(next(rule, from), then, "{rule}");
        }
    }

    #[test]
    fn words_that_are_no_rule_are_refused() {
        for rule in ["", "every", "every 0 days", "weekly", "every blue moon", "+w", "every month on the 40th", "+0d"] {
            assert_eq!(Repeat::parse(rule), None, "{rule}");
        }
        assert_eq!(Repeat::parse("every 2 weeks when done").unwrap().as_logseq().as_deref(), Some(".+2w"));
    }
}
