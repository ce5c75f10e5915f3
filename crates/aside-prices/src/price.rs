//! What a model costs by its price list.

use std::collections::BTreeMap;

use aside_core::{Cost, Usage};
use serde::{Deserialize, Serialize};

use crate::{Day, Factor, Rate};

/// Prices of a model, in US dollars per million tokens, and what it can take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The prices of a call.
    #[serde(flatten)]
    pub rates: Rates,
    /// Other prices of a call with more input tokens than this, cached ones included; they hold for the whole call.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub above: BTreeMap<u64, Rates>,
    /// How many times as much a call in its fast mode costs, all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fast: Option<Factor>,
    /// Tokens it can read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u32>,
    /// Tokens it can answer with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u32>,
    /// What it can do; nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub can: Vec<Ability>,
    /// The shortest prefix that its provider caches, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_cached: Option<u32>,
    /// The day from which this holds; absent: always, as far as is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Day>,
    /// What held before that day, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Price>,
}

/// Something that a model can do or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Takes tools.
    Tools,
    /// Takes images.
    Vision,
    /// Thinks aloud.
    Thinking,
}

/// What each kind of token costs. A kind without a price of its own costs what its tokens cost otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Of input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Rate>,
    /// Of output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Rate>,
    /// Of input read from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<Rate>,
    /// Of input written to the cache for some minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<Rate>,
    /// Of input written to the cache for an hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_hour: Option<Rate>,
    /// Of output that is reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Rate>,
}

impl Rates {
    /// These, and where they are silent those of `other`.
    pub(crate) fn or(self, other: &Self) -> Self {
        Self {
            input: self.input.or(other.input),
            output: self.output.or(other.output),
            cache_read: self.cache_read.or(other.cache_read),
            cache_write: self.cache_write.or(other.cache_write),
            cache_write_hour: self.cache_write_hour.or(other.cache_write_hour),
            reasoning: self.reasoning.or(other.reasoning),
        }
    }

    fn picodollars(&self, usage: &Usage) -> Option<u64> {
        let (input, output) = (self.input?, self.output?);
        let (all_in, all_out) = (usage.input.unwrap_or(0), usage.output.unwrap_or(0));
        // What a provider says of the parts is never more than the whole, whatever it says.
        let read = usage.cache_read.unwrap_or(0).min(all_in);
        let written = usage.cache_write.unwrap_or(0).min(all_in - read);
        let hour = usage.cache_write_hour.unwrap_or(0).min(written);
        let reasoning = usage.reasoning.unwrap_or(0).min(all_out);
        let write = self.cache_write.unwrap_or(input);
        let parts = [
            (all_in - read - written, input),
            (read, self.cache_read.unwrap_or(input)),
            (written - hour, write),
            (hour, self.cache_write_hour.unwrap_or(write)),
            (all_out - reasoning, output),
            (reasoning, self.reasoning.unwrap_or(output)),
        ];
        Some(parts.iter().fold(0, |sum: u64, (tokens, rate)| sum.saturating_add(rate.of(*tokens))))
    }
}

impl Price {
    /// The prices of a call with this many input tokens.
    pub fn rates_at(&self, input: u64) -> Rates {
        match self.above.range(..input).next_back() {
            Some((_, rates)) => rates.or(&self.rates),
            None => self.rates,
        }
    }

    /// The longest answer, up to `longest` tokens, that a call with so much input can give for that many 10⁻¹² dollars,
    /// and what the call costs then at most. The input is counted as dear as it can get. None if a price is unknown.
    pub fn within(&self, picodollars: u64, input: u64, longest: u32) -> Option<(u32, u64)> {
        let rates = self.rates_at(input);
        let dearest = |first: Option<Rate>, others: [Option<Rate>; 2]| {
            first.and(others.into_iter().chain([first]).flatten().max())
        };
        let input = dearest(rates.input, [rates.cache_write, rates.cache_write_hour])?.of(input);
        let output = dearest(rates.output, [rates.reasoning, None])?;
        let bought = output.tokens_for(picodollars.saturating_sub(input));
        let tokens = u32::try_from(bought).unwrap_or(u32::MAX).min(longest);
        Some((tokens, input.saturating_add(output.of(tokens.into()))))
    }

    /// What one call costs. Unknown if the input or output price is missing, or the provider didn't count the tokens.
    pub fn cost(&self, usage: &Usage) -> Cost {
        self.cost_of_calls(usage, usage.input.unwrap_or(0))
    }

    /// What several calls cost together, of which the longest had so much input.
    pub fn cost_of_calls(&self, usage: &Usage, longest: u64) -> Cost {
        let counted = usage.input.is_some() && usage.output.is_some();
        let picodollars = self.rates_at(longest).picodollars(usage).filter(|_| counted);
        Cost { picodollars: picodollars.unwrap_or(0), unknown: u32::from(picodollars.is_none()), ..Cost::default() }
    }

    /// What one call in its fast mode costs; none if nobody knows how many times as much that is.
    pub fn fast_cost(&self, usage: &Usage) -> Option<Cost> {
        self.in_haste(self.cost(usage))
    }

    /// The same of a call that would cost so much otherwise.
    pub fn in_haste(&self, cost: Cost) -> Option<Cost> {
        let times = self.fast?;
        Some(Cost { picodollars: times.of(cost.picodollars), ..cost })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn price(json: &str) -> Price {
        serde_json::from_str(json).unwrap()
    }

    fn usage(input: u64, output: u64) -> Usage {
        Usage { input: Some(input), output: Some(output), ..Usage::default() }
    }

    #[test]
    fn each_kind_of_token_has_its_price() {
        let price =
            price(r#"{"input":3,"output":15,"cache_read":0.3,"cache_write":3.75,"cache_write_hour":6,"reasoning":20}"#);
        let usage = Usage {
            cache_read: Some(500_000),
            cache_write: Some(300_000),
            cache_write_hour: Some(100_000),
            reasoning: Some(50_000),
            ..usage(1_000_000, 100_000)
        };
        // 0.2·3 + 0.5·0.3 + 0.2·3.75 + 0.1·6 + 0.05·15 + 0.05·20
        assert_eq!(price.cost(&usage).picodollars, 3_850_000_000_000);
    }

    #[test]
    fn a_long_call_costs_its_own_prices_throughout() {
        let price = price(r#"{"input":1,"output":10,"cache_read":0.1,"above":{"200000":{"input":2,"output":20}}}"#);
        assert_eq!(price.cost(&usage(200_000, 1000)).picodollars, 210_000_000_000);
        let long = Usage { cache_read: Some(1), ..usage(200_001, 1000) };
        assert_eq!(price.cost(&long).picodollars, 420_000_100_000);
    }

    #[test]
    fn haste_costs_several_times_as_much_where_that_is_known() {
        let prices = r#"{"input":1,"output":10,"above":{"200000":{"input":2,"output":20}},"fast":2.5}"#;
        let dollars = |input| price(prices).fast_cost(&usage(input, 1000)).unwrap().picodollars;
        assert_eq!([dollars(100_000), dollars(300_000)], [275_000_000_000, 1_550_000_000_000]);
        assert_eq!(price(r#"{"input":1,"output":10}"#).fast_cost(&usage(1, 1)), None);
        assert_eq!(price(r#"{"input":1,"fast":2}"#).fast_cost(&usage(1, 1)).unwrap().unknown, 1);
        for wrong in ["0", "-1", "1000", "\"2\""] {
            assert!(serde_json::from_str::<Price>(&format!(r#"{{"fast":{wrong}}}"#)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_is_as_long_as_the_money_lasts() {
        let price = price(r#"{"input":1,"output":10,"cache_write":2}"#);
        assert_eq!(price.within(1_000_000_000, 100, 1000), Some((80, 1_000_000_000)));
        assert_eq!(price.within(1_000_000_000_000, 100, 1000), Some((1000, 10_200_000_000)));
        assert_eq!(price.within(100, 100, 1000), Some((0, 200_000_000)));
        assert_eq!(Price::default().within(1, 1, 1), None);
    }

    #[test]
    fn what_nobody_knows_is_unknown_and_never_free() {
        assert_eq!(price(r#"{"input":1}"#).cost(&usage(10, 10)), Cost { unknown: 1, ..Cost::default() });
        let silent = Usage { output: None, ..usage(10, 0) };
        assert_eq!(price(r#"{"input":1,"output":1}"#).cost(&silent).unknown, 1);
        assert!(serde_json::from_str::<Price>(r#"{"input":-1}"#).is_err());
        assert!(serde_json::from_str::<Price>(r#"{"inptu":1}"#).is_err());
    }

    proptest! {
        #[test]
        fn nothing_that_a_provider_counts_breaks_the_sum(numbers in prop::array::uniform6(any::<u64>())) {
            let [input, output, read, write, hour, reasoning] = numbers;
            let usage = Usage {
                cache_read: Some(read), cache_write: Some(write), cache_write_hour: Some(hour),
                reasoning: Some(reasoning), ..usage(input, output)
            };
            let flat = price(r#"{"input":1,"output":1}"#);
            // Where all kinds cost the same, only the whole counts.
            let whole = input.saturating_mul(1_000_000).saturating_add(output.saturating_mul(1_000_000));
            prop_assert_eq!(flat.cost(&usage).picodollars, whole);
        }
    }
}
