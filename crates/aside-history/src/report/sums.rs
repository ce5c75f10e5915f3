//! Sums of tokens and money, in the words of the reports that people are used to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rows::Row;
use crate::{CostKind, Tokens};

/// What responses took and cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sums {
    /// Input that was in no cache.
    pub input_tokens: u64,
    /// Output, reasoning included.
    pub output_tokens: u64,
    /// Input written to a cache.
    pub cache_creation_tokens: u64,
    /// Input read from a cache.
    pub cache_read_tokens: u64,
    /// All of them.
    pub total_tokens: u64,
    /// US dollars, of those whose price is known.
    #[serde(rename = "totalCost", serialize_with = "dollars")]
    pub picodollars: u64,
    /// How many responses there were.
    pub responses: u64,
    /// How many of them have their cost from the log itself.
    pub exact: u64,
    /// How many have a cost that was worked out without knowing all that counts.
    pub estimated: u64,
    /// How many have no known cost. They are in no sum of money.
    pub unpriced: u64,
}

/// Dollars with all the digits that were worked out.
pub fn dollars<S: serde::Serializer>(picodollars: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    #[expect(clippy::cast_precision_loss, reason = "a ten-thousandth of a cent is kept up to millions of dollars")]
    serializer.serialize_f64(*picodollars as f64 / 1e12)
}

/// A log may say any number.
fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

impl Sums {
    /// Adds a response.
    pub fn add(&mut self, row: &Row) {
        let Tokens { input, output, cache_read, cache_write, cache_write_hour } = row.tokens;
        add(&mut self.input_tokens, input);
        add(&mut self.output_tokens, output);
        add(&mut self.cache_creation_tokens, cache_write.saturating_add(cache_write_hour));
        add(&mut self.cache_read_tokens, cache_read);
        add(&mut self.total_tokens, row.tokens.total());
        add(&mut self.picodollars, row.picodollars);
        self.responses += 1;
        match row.kind {
            CostKind::Exact => self.exact += 1,
            CostKind::Priced => {}
            CostKind::Estimated => self.estimated += 1,
            CostKind::Unknown => self.unpriced += 1,
        }
    }
}

impl Sums {
    /// Adds other sums.
    pub fn join(&mut self, other: &Self) {
        add(&mut self.input_tokens, other.input_tokens);
        add(&mut self.output_tokens, other.output_tokens);
        add(&mut self.cache_creation_tokens, other.cache_creation_tokens);
        add(&mut self.cache_read_tokens, other.cache_read_tokens);
        add(&mut self.total_tokens, other.total_tokens);
        add(&mut self.picodollars, other.picodollars);
        self.responses += other.responses;
        self.exact += other.exact;
        self.estimated += other.estimated;
        self.unpriced += other.unpriced;
    }
}

/// The sums of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelSums {
    /// Its name, as the logs have it.
    pub model_name: String,
    /// What it took and cost.
    #[serde(flatten, serialize_with = "in_words_of_models")]
    pub sums: Sums,
}

/// Sums under the names that they have in what is told of one model, where the money is its `cost`.
fn in_words_of_models<S: serde::Serializer>(sums: &Sums, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Words {
        input_tokens: u64,
        output_tokens: u64,
        cache_creation_tokens: u64,
        cache_read_tokens: u64,
        total_tokens: u64,
        #[serde(rename = "cost", serialize_with = "dollars")]
        picodollars: u64,
        responses: u64,
        exact: u64,
        estimated: u64,
        unpriced: u64,
    }
    let Sums { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens, total_tokens, .. } = *sums;
    let Sums { picodollars, responses, exact, estimated, unpriced, .. } = *sums;
    let words = Words {
        input_tokens,
        output_tokens,
        cache_creation_tokens,
        cache_read_tokens,
        total_tokens,
        picodollars,
        responses,
        exact,
        estimated,
        unpriced,
    };
    words.serialize(serializer)
}

/// Sums in all and by model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByModel {
    pub all: Sums,
    models: BTreeMap<i64, Sums>,
}

impl ByModel {
    pub fn add(&mut self, row: &Row) {
        self.all.add(row);
        self.models.entry(row.model).or_default().add(row);
    }

    /// Adds sums of one model.
    pub fn join(&mut self, model: i64, sums: &Sums) {
        self.all.join(sums);
        self.models.entry(model).or_default().join(sums);
    }

    /// The dearest model first.
    pub fn models(self, name: impl Fn(i64) -> String) -> Vec<ModelSums> {
        let named = |(model, sums)| ModelSums { model_name: name(model), sums };
        let mut models: Vec<ModelSums> = self.models.into_iter().map(named).collect();
        models.sort_by(|one, two| {
            two.sums.picodollars.cmp(&one.sums.picodollars).then_with(|| one.model_name.cmp(&two.model_name))
        });
        models
    }
}
