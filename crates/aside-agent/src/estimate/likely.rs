//! How a turn goes, from how turns went: pure.

use std::ops::RangeInclusive;

use aside_core::Usage;
use aside_llm::Price;

/// Steps of a turn where nothing tells: an answer, or a change with looking around and a look at what came of it.
const STEPS: RangeInclusive<u64> = 1..=8;
/// Tokens of the output of a step where nothing tells.
const OUTPUT: RangeInclusive<u64> = 200..=2_000;
/// Tokens that what a step asked for adds to the next one's input.
const RESULTS: RangeInclusive<u64> = 300..=4_000;

/// How turns went so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Calls of each turn.
    pub steps: Vec<u64>,
    /// Output of each call, in tokens.
    pub outputs: Vec<u64>,
    /// Milliseconds, and the tokens of output that took them.
    pub speed: Option<(u64, u64)>,
    /// Tokens that the provider probably has in its cache.
    pub cached: u64,
    /// The most calls of a turn.
    pub limit: u64,
}

/// A turn as it would go: little and much of everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likely {
    /// Input of the first call, in tokens.
    pub first: u64,
    /// Of it, what is in the cache.
    pub cached: u64,
    little: Course,
    much: Course,
    speed: Option<(u64, u64)>,
}

/// One way in which it can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Course {
    /// Input of the first call.
    first: u64,
    steps: u64,
    /// Output of a step.
    output: u64,
    /// What a step adds to the input of the next one.
    growth: u64,
}

/// Says how a turn goes whose first call has so many tokens of input, and `context` more at most.
pub fn likely(first: u64, context: u64, past: &Past) -> Likely {
    let limit = past.limit.max(1);
    let steps = from(&past.steps, STEPS, 2);
    let output = from(&past.outputs, OUTPUT, 1);
    let course = |first, steps: u64, output: u64, results| Course {
        first,
        steps: steps.clamp(1, limit),
        output,
        growth: output + results,
    };
    let first_high = first + context;
    Likely {
        first: first_high,
        cached: past.cached.min(first),
        little: course(first, *steps.start(), *output.start(), *RESULTS.start()),
        much: course(first_high, *steps.end(), *output.end(), *RESULTS.end()),
        speed: past.speed,
    }
}

/// From the middle of what was seen to some times the most of it, which is no less than what is usual.
fn from(seen: &[u64], usual: RangeInclusive<u64>, times: u64) -> RangeInclusive<u64> {
    let mut seen = seen.to_vec();
    seen.sort_unstable();
    let Some(most) = seen.last() else { return usual };
    let middle = seen[(seen.len() - 1) / 2];
    // A few short turns don't tell that none is long.
    let usual_most = if seen.len() < 5 { *usual.end() } else { 0 };
    middle..=most.saturating_mul(times).max(usual_most).max(middle)
}

impl Likely {
    /// How many calls.
    pub fn steps(&self) -> RangeInclusive<u64> {
        self.little.steps..=self.much.steps
    }

    /// Input of all calls, in tokens.
    pub fn input(&self) -> RangeInclusive<u64> {
        self.little.inputs().sum()..=self.much.inputs().sum()
    }

    /// Output of all calls, in tokens.
    pub fn output(&self) -> RangeInclusive<u64> {
        self.little.steps * self.little.output..=self.much.steps * self.much.output
    }

    /// How long it takes, in milliseconds.
    pub fn milliseconds(&self) -> Option<RangeInclusive<u64>> {
        let (milliseconds, tokens) = self.speed?;
        let of = |output: u64| output.saturating_mul(milliseconds) / tokens.max(1);
        let output = self.output();
        Some(of(*output.start())..=of(*output.end()))
    }

    /// What it costs, in 10⁻¹² dollars. Likely is that each call reads from the cache what the one before it sent; the
    /// high end writes all of it anew.
    pub fn cost(&self, price: &Price) -> Option<RangeInclusive<u64>> {
        let mut before = self.cached;
        let low = self.little.inputs().try_fold(0_u64, |sum, input| {
            let usage = Usage {
                input: Some(input),
                output: Some(self.little.output),
                cache_read: Some(before.min(input)),
                ..Usage::default()
            };
            before = input;
            let cost = price.cost(&usage);
            (cost.unknown == 0).then(|| sum.saturating_add(cost.picodollars))
        })?;
        let output = u32::try_from(self.much.output).unwrap_or(u32::MAX);
        let high = self.much.inputs().try_fold(0_u64, |sum, input| {
            let (_, most) = price.within(u64::MAX, input, output)?;
            Some(sum.saturating_add(most))
        })?;
        Some(low..=high.max(low))
    }
}

impl Course {
    /// The input of each call.
    fn inputs(self) -> impl Iterator<Item = u64> {
        (0..self.steps).map(move |step| self.first.saturating_add(self.growth.saturating_mul(step)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price() -> Price {
        serde_json::from_str(r#"{"input":1,"output":10,"cache_read":0.1,"cache_write":2}"#).unwrap()
    }

    #[test]
    fn without_a_past_a_turn_is_an_answer_or_some_steps() {
        let likely = likely(1000, 500, &Past { limit: 25, ..Past::default() });
        assert_eq!((likely.first, likely.steps(), likely.input().start()), (1500, 1..=8, &1000));
        // 1,000 in and 200 out; eight steps that grow by 6,000 and are written to the cache.
        let high = (0..8).map(|step| (1500 + step * 6000) * 2_000_000 + 2000 * 10_000_000).sum::<u64>();
        assert_eq!(likely.cost(&price()), Some(3_000_000_000..=high));
        assert_eq!(likely.cost(&Price::default()), None);
        assert_eq!(likely.milliseconds(), None);
    }

    #[test]
    fn what_was_seen_tells_and_the_limit_of_steps_holds() {
        let past =
            Past { steps: vec![2, 3, 3, 4, 9], outputs: vec![100; 5], speed: Some((1000, 50)), cached: 900, limit: 10 };
        let likely = likely(1000, 0, &past);
        assert_eq!((likely.steps(), likely.output()), (3..=10, 300..=1000));
        assert_eq!(likely.milliseconds(), Some(6000..=20_000));
        // Inputs of 1,000, 1,400 and 1,800, read from the cache as far as they were sent before.
        let low = (100 + 400 + 400) * 1_000_000 + (900 + 1000 + 1400) * 100_000 + 300 * 10_000_000;
        assert_eq!(*likely.cost(&price()).unwrap().start(), low);
    }
}
