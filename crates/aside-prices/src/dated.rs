//! Which prices held when: a list keeps what a model cost before its price changed.

use aside_core::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{Price, PriceTable, Rates};

/// A day of UTC. In files it is a text such as `2026-11-21`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Timestamp);

impl Day {
    /// Reads a day; none if it is none.
    pub fn read(text: &str) -> Option<Self> {
        let begins = text.parse::<Timestamp>().ok()?;
        (begins.day() == text).then_some(Self(begins))
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.day())
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)
            .map_err(|error| D::Error::custom(format!("{error}: expected a date in quotes, such as \"2026-11-21\"")))?;
        Self::read(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not a date such as \"2026-11-21\"")))
    }
}

impl Price {
    /// What held at a time; none if that was before all that is known.
    pub fn at(&self, time: Timestamp) -> Option<&Self> {
        self.lines().find(|line| line.valid_from.is_none_or(|day| day.0 <= time))
    }

    /// This and what held before it, the latest first.
    fn lines(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.before)
    }

    /// What of this held before a day, without what held before that: the latest first.
    pub(crate) fn lines_before(&self, day: Day) -> Vec<Self> {
        let earlier = self.lines().filter(|line| line.valid_from.is_none_or(|from| from < day));
        earlier.map(|line| Self { before: Vec::new(), ..line.clone() }).collect()
    }

    /// Takes the place of another one on a day. Where both say the same, it is as old as that one.
    fn follow(&mut self, earlier: &Self, day: Day) {
        if self.agrees(earlier) {
            (self.valid_from, self.before) = (earlier.valid_from, earlier.before.clone());
        } else {
            (self.valid_from, self.before) = (Some(day), earlier.lines_before(day));
        }
    }

    /// Tells whether all that another one says of prices is said here, too. What a list did not know before was no other price.
    fn agrees(&self, earlier: &Self) -> bool {
        let same = |earlier: &Rates, now: &Rates| earlier.or(now) == *now;
        same(&earlier.rates, &self.rates)
            && earlier.above.iter().all(|(from, rates)| self.above.get(from).is_some_and(|now| same(rates, now)))
            && (earlier.fast.is_none() || earlier.fast == self.fast)
    }
}

impl PriceTable {
    /// This list, with what its models cost before by lists that it takes the place of: what another list said held until the day of this one.
    #[must_use]
    pub fn following<'a>(mut self, earlier: impl Fn(&str) -> Option<&'a Price>) -> Self {
        let Some(day) = Day::read(&self.date) else { return self };
        for (name, price) in &mut self.models {
            if let Some(earlier) = earlier(name) {
                price.follow(earlier, day);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(date: &str, price: &str) -> PriceTable {
        let models = [("openai/x".to_owned(), serde_json::from_str(price).unwrap())].into();
        PriceTable { date: date.to_owned(), models, ..PriceTable::default() }
    }

    fn after(earlier: &PriceTable, date: &str, price: &str) -> PriceTable {
        table(date, price).following(|name| earlier.models.get(name))
    }

    fn at(list: &PriceTable, time: &str) -> Option<f64> {
        let input = list.models["openai/x"].at(time.parse().unwrap())?.rates.input;
        serde_json::to_value(input).unwrap().as_f64()
    }

    #[test]
    fn a_price_that_changed_held_until_the_day_of_the_list_that_says_so() {
        let first = table("2026-01-01", r#"{"input":8,"output":9}"#);
        let second = after(&first, "2026-03-01", r#"{"input":4,"output":9}"#);
        let third = after(&second, "2026-05-01", r#"{"input":2,"output":9}"#);
        let costs = ["2020-01-01", "2026-02-28T23:59:59.999Z", "2026-03-01", "2026-04-30", "2026-05-01", "2027-01-01"];
        assert_eq!(costs.map(|time| at(&third, time).unwrap()), [8.0, 8.0, 4.0, 4.0, 2.0, 2.0]);
        let same = after(&third, "2026-06-01", r#"{"input":2,"output":9}"#);
        assert_eq!(same.models, third.models, "what did not change is as old as it was");
        let kept: PriceTable = serde_json::from_str(&serde_json::to_string(&third).unwrap()).unwrap();
        assert_eq!(kept, third);
    }

    #[test]
    fn a_list_of_the_same_day_takes_the_place_of_the_other() {
        let first = table("2026-01-01", r#"{"input":8,"output":9}"#);
        let second = after(&first, "2026-03-01", r#"{"input":4,"output":9}"#);
        let again = after(&second, "2026-03-01", r#"{"input":3,"output":9}"#);
        assert_eq!(["2026-02-01", "2026-03-01"].map(|time| at(&again, time).unwrap()), [8.0, 3.0]);
        assert_eq!(again.models["openai/x"].before.len(), 1);
    }

    #[test]
    fn what_a_list_did_not_know_was_no_other_price() {
        let first = table("2026-01-01", r#"{"input":8,"output":9}"#);
        let more = r#"{"input":8,"output":9,"cache_read":1,"above":{"200000":{"input":16}},"fast":2,"context":5}"#;
        assert_eq!(after(&first, "2026-03-01", more), table("2026-03-01", more));
        let dearer = after(&table("2026-01-01", more), "2026-03-01", &more.replace("16", "17"));
        assert_eq!(dearer.models["openai/x"].before.len(), 1);
    }

    #[test]
    fn before_all_that_is_known_no_price_held() {
        let list = table("", r#"{"input":8,"output":9,"valid_from":"2026-03-01"}"#);
        assert_eq!((at(&list, "2026-02-28"), at(&list, "2026-03-01")), (None, Some(8.0)));
    }

    #[test]
    fn a_day_is_a_day() {
        for wrong in [r#""2026-02-30""#, r#""2026-03-01T00:00:00Z""#, r#""March""#, r#""1772323200000""#, "20260301"] {
            let error = serde_json::from_str::<Price>(&format!(r#"{{"valid_from":{wrong}}}"#)).unwrap_err();
            assert!(error.to_string().contains("2026-11-21"), "{wrong}: {error}");
        }
    }
}
