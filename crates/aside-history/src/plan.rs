//! What a person pays a month for AI, by their own word, and how that month goes.

use aside_core::Timestamp;
use jiff::{ToSpan as _, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::{Filter, HistoryError, Index, Until, report::each_row};

/// Plans that many people have, in dollars a month.
const KNOWN: &[(&str, f64)] =
    &[("claude-pro", 20.0), ("claude-max", 200.0), ("cursor-pro", 20.0), ("cursor-max", 40.0)];

/// What a person pays a month.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// `claude-pro`, `claude-max`, `cursor-pro`, `cursor-max`, or any name with an amount.
    pub name: String,
    /// Dollars a month; those of a known plan if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_usd: Option<f64>,
    /// The day of the month on which it begins anew, from 1; that of a shorter month is its last.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub reset_day: i8,
}

fn first() -> i8 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first(day: &i8) -> bool {
    *day == 1
}

/// How a month of a plan goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// Its first day.
    pub period_start: String,
    /// Its last day.
    pub period_end: String,
    /// Days so far, today included.
    pub days_so_far: i64,
    /// All its days.
    pub days_in_period: i64,
    /// Dollars so far.
    pub used_usd: f64,
    /// Dollars that are left; below zero if it is overrun.
    pub remaining_usd: f64,
    /// What is used, of a hundred.
    pub pct_used: f64,
    /// `ok`, `warn` from 80 on, `over` above 100.
    pub status: &'static str,
    /// Dollars at the end, if it goes on like this.
    pub projected_month_end_usd: f64,
    /// `weighted-7d`: the latest days count most; `linear`: the mean of all.
    pub projection_method: &'static str,
    /// Dollars a day.
    pub daily_burn_usd: f64,
    /// Days until nothing is left; none if nothing is used.
    pub days_to_limit: Option<i64>,
    /// Marks, of a hundred.
    pub thresholds: [u32; 3],
    /// The highest of them that is passed.
    pub crossed_threshold: Option<u32>,
    /// What to tell the person, if anything.
    pub alert: Option<String>,
    /// Responses without a known price, which are in no sum.
    pub unpriced: u64,
}

/// How much less each day before the last one counts.
const FADING: f64 = 0.85;
const THRESHOLDS: [u32; 3] = [50, 75, 90];

impl Plan {
    /// Dollars a month; none if it is neither known nor said.
    pub fn dollars(&self) -> Option<f64> {
        let known = || KNOWN.iter().find(|(name, _)| *name == self.name).map(|(_, dollars)| *dollars);
        self.monthly_usd.or_else(known).filter(|dollars| dollars.is_finite() && *dollars > 0.0)
    }

    /// How its current month goes.
    pub fn course(&self, index: &Index, now: Timestamp, zone: &TimeZone) -> Result<Course, HistoryError> {
        let budget = self.dollars().ok_or_else(|| {
            HistoryError::Asked(format!("the plan `{}` has no `monthly_usd`: add its monthly price", self.name))
        })?;
        let today = crate::report::day(now, zone);
        let (start, end) = self.period(today);
        let since = Filter::moment(&start.to_string(), Until::Start, zone, now)?;
        let mut days = vec![0.0; usize::try_from(whole_days(start, today) + 1).unwrap_or(1)];
        let mut unpriced = 0;
        each_row(index, &Filter { since: Some(since), until: Some(now.plus(1)), ..Filter::default() }, |row| {
            let at = row.at.map_or(0, |at| whole_days(start, crate::report::day(at, zone)));
            let sum = usize::try_from(at).ok().and_then(|at| days.get_mut(at));
            #[expect(clippy::cast_precision_loss, reason = "dollars")]
            sum.into_iter().for_each(|sum| *sum += row.picodollars as f64 / 1e12);
            unpriced += u64::from(row.kind == crate::CostKind::Unknown);
        })?;
        Ok(Course { unpriced, ..course(&days, budget, start, end) })
    }

    /// The first and the last day of the month that a day is in.
    fn period(&self, today: Date) -> (Date, Date) {
        let reset =
            |month: Date| month.with().day(self.reset_day.clamp(1, month.days_in_month())).build().unwrap_or(month);
        let this = reset(today.first_of_month());
        let first = today.first_of_month();
        if today >= this {
            let next = reset(first.saturating_add(1.month()));
            (this, next.yesterday().unwrap_or(next))
        } else {
            (reset(first.saturating_sub(1.month())), this.yesterday().unwrap_or(this))
        }
    }
}

fn whole_days(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "days and dollars")]
fn course(days: &[f64], budget: f64, start: Date, end: Date) -> Course {
    let used: f64 = days.iter().sum();
    let all = whole_days(start, end) + 1;
    let (burn, method) = burn(days);
    let left = all - days.len() as i64;
    let projected = used + burn * left as f64;
    let percent = used / budget * 100.0;
    let crossed = THRESHOLDS.into_iter().rfind(|mark| percent >= f64::from(*mark));
    let over = projected > budget;
    let alert = if over {
        Some(format!("at this rate the month ends at ${projected:.2}, above the ${budget:.2} of the plan"))
    } else {
        crossed.map(|mark| format!("{mark} % of the plan is used"))
    };
    Course {
        period_start: start.to_string(),
        period_end: end.to_string(),
        days_so_far: days.len() as i64,
        days_in_period: all,
        used_usd: cents(used),
        remaining_usd: cents(budget - used),
        pct_used: (percent * 10.0).round() / 10.0,
        status: if percent > 100.0 {
            "over"
        } else if percent >= 80.0 {
            "warn"
        } else {
            "ok"
        },
        projected_month_end_usd: cents(projected),
        projection_method: method,
        daily_burn_usd: cents(burn),
        days_to_limit: (burn > 0.0).then(|| ((budget - used) / burn).floor().max(0.0) as i64),
        thresholds: THRESHOLDS,
        crossed_threshold: crossed,
        alert,
        unpriced: 0,
    }
}

/// Dollars a day, and how that was worked out.
#[expect(clippy::cast_precision_loss, reason = "some days")]
fn burn(days: &[f64]) -> (f64, &'static str) {
    let linear = (days.iter().sum::<f64>() / days.len().max(1) as f64, "linear");
    if days.iter().filter(|day| **day > 0.0).count() < 3 {
        return linear;
    }
    let weights = (0..7).map(|back| FADING.powi(back));
    let (mut sum, mut all) = (0.0, 0.0);
    for (day, weight) in days.iter().rev().zip(weights) {
        sum += day * weight;
        all += weight;
    }
    if sum > 0.0 { (sum / all, "weighted-7d") } else { linear }
}

fn cents(dollars: f64) -> f64 {
    (dollars * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn a_month_begins_on_its_day_or_on_the_last_of_a_shorter_one() {
        let period = |reset_day, today: &str| {
            let (start, end) = Plan { name: "x".into(), monthly_usd: None, reset_day }.period(day(today));
            format!("{start} {end}")
        };
        assert_eq!(period(1, "2026-02-10"), "2026-02-01 2026-02-28");
        assert_eq!(period(31, "2026-02-27"), "2026-01-31 2026-02-27");
        assert_eq!(period(31, "2026-02-28"), "2026-02-28 2026-03-30");
        assert_eq!(period(15, "2026-01-14"), "2025-12-15 2026-01-14");
    }

    #[test]
    fn the_latest_days_count_most() {
        let (start, end) = (day("2026-06-01"), day("2026-06-30"));
        let even = course(&[2.0; 10], 100.0, start, end);
        assert_eq!((even.used_usd, even.projected_month_end_usd, even.status), (20.0, 60.0, "ok"));
        assert_eq!((even.projection_method, even.days_to_limit, even.alert), ("weighted-7d", Some(40), None));
        let rising = course(&[0.0, 0.0, 1.0, 5.0, 20.0], 100.0, start, end);
        assert!(rising.daily_burn_usd > 26.0 / 5.0 && rising.alert.unwrap().contains("above"));
        let few = course(&[0.0, 12.0], 10.0, start, end);
        assert_eq!((few.projection_method, few.status, few.crossed_threshold), ("linear", "over", Some(90)));
        let none = course(&[0.0], 10.0, start, end);
        assert_eq!((none.days_to_limit, none.projected_month_end_usd), (None, 0.0));
    }

    #[test]
    fn a_plan_costs_what_it_says_or_what_is_known() {
        let plan = |text: &str| toml::from_str::<Plan>(text).unwrap().dollars();
        assert_eq!(plan("name = \"claude-max\""), Some(200.0));
        assert_eq!(plan("name = \"claude-max\"\nmonthly_usd = 100.0"), Some(100.0));
        assert_eq!(plan("name = \"custom\""), None);
    }
}
