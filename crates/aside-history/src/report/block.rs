//! Sums by block: five hours from the hour of the first response, as subscriptions count them.

use aside_core::Timestamp;
use serde::Serialize;

use super::{
    filter::Filter,
    rows::{Names, Row, each_row, names},
    sums::{ByModel, Sums, dollars},
};
use crate::{HistoryError, Index};

const HOUR: i64 = 3_600_000;
/// The usual length of a block, in hours.
const HOURS: u32 = 5;

/// How blocks are made and chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocks {
    /// The time now, which decides which block is active.
    pub now: Timestamp,
    /// Hours of a block.
    pub hours: u32,
}

impl Blocks {
    /// Blocks of five hours.
    pub fn at(now: Timestamp) -> Self {
        Self { now, hours: HOURS }
    }
}

/// A block, or the gap between two.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// When it began; a gap's begins with `gap-`.
    pub id: String,
    /// The hour in which it began.
    pub start_time: String,
    /// When it ends.
    pub end_time: String,
    /// When a model answered last in it.
    pub actual_end_time: Option<String>,
    /// It has begun and not ended.
    pub is_active: bool,
    /// No model answered.
    pub is_gap: bool,
    /// What it took and cost.
    #[serde(flatten, serialize_with = "in_words_of_blocks")]
    pub sums: Sums,
    /// The names of the models, the dearest first.
    pub models: Vec<String>,
    /// How fast tokens and money go, if it is active.
    pub burn_rate: Option<Burn>,
    /// What it will have taken at its end, if it goes on like this.
    pub projection: Option<Projection>,
}

impl Block {
    /// When it begins.
    pub fn start(&self) -> Option<Timestamp> {
        self.start_time.parse().ok()
    }

    /// When it ends.
    pub fn end(&self) -> Option<Timestamp> {
        self.end_time.parse().ok()
    }
}

/// Sums under the names that they have in reports of blocks.
fn in_words_of_blocks<S: serde::Serializer>(sums: &Sums, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Words {
        entries: u64,
        token_counts: Counts,
        total_tokens: u64,
        #[serde(rename = "costUSD", serialize_with = "dollars")]
        cost: u64,
        unpriced: u64,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Counts {
        input_tokens: u64,
        output_tokens: u64,
        cache_creation_input_tokens: u64,
        cache_read_input_tokens: u64,
    }
    let token_counts = Counts {
        input_tokens: sums.input_tokens,
        output_tokens: sums.output_tokens,
        cache_creation_input_tokens: sums.cache_creation_tokens,
        cache_read_input_tokens: sums.cache_read_tokens,
    };
    let Sums { responses, total_tokens, picodollars, unpriced, .. } = *sums;
    Words { entries: responses, token_counts, total_tokens, cost: picodollars, unpriced }.serialize(serializer)
}

/// How fast tokens and money go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Burn {
    /// Tokens a minute, from the first response to the last.
    pub tokens_per_minute: f64,
    /// The same without those read from or written to a cache.
    pub tokens_per_minute_for_indicator: f64,
    /// Dollars an hour.
    pub cost_per_hour: f64,
}

/// What a block will have taken at its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Projection {
    /// Tokens.
    pub total_tokens: u64,
    /// Dollars.
    #[serde(rename = "totalCost", serialize_with = "dollars")]
    pub picodollars: u64,
    /// Minutes until then.
    pub remaining_minutes: i64,
}

/// Blocks and gaps, the earliest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BlockReport {
    /// Blocks and gaps.
    pub blocks: Vec<Block>,
}

/// Makes blocks of all responses, and keeps those that begin in the time that is asked about: it changes none of them.
pub fn blocks(index: &Index, filter: &Filter, how: Blocks) -> Result<BlockReport, HistoryError> {
    let always = Filter { since: None, until: None, ..filter.clone() };
    let mut report = blocks_within(index, &always, how)?;
    let begins = |block: &Block| {
        block.start().is_some_and(|start| {
            filter.since.is_none_or(|since| start >= since) && filter.until.is_none_or(|until| start < until)
        })
    };
    report.blocks.retain(begins);
    Ok(report)
}

/// Makes blocks of the responses of a time alone, of which the first may begin in the middle of one.
pub fn blocks_within(index: &Index, filter: &Filter, how: Blocks) -> Result<BlockReport, HistoryError> {
    let mut rows = Vec::new();
    each_row(index, filter, |row| rows.extend(row.at.map(|at| (at, row))))?;
    rows.sort_by_key(|(at, _)| *at);
    let models = names(index, Names::Models)?;
    let name = |model: i64| models.get(&model).map_or_else(|| "unknown".to_owned(), String::clone);
    let length = i64::from(how.hours.max(1)) * HOUR;
    let mut report = BlockReport::default();
    for group in rows.chunk_by({
        let mut start = None;
        move |(before, _), (at, _)| {
            let begun = *start.get_or_insert_with(|| floor(*before));
            let same = at.0 - begun <= length && at.0 - before.0 <= length;
            if !same {
                start = Some(floor(*at));
            }
            same
        }
    }) {
        let (Some((first, _)), Some((last, _))) = (group.first(), group.last()) else { continue };
        if let Some(before) =
            report.blocks.last().and_then(|block| block.actual_end_time.as_ref()?.parse::<Timestamp>().ok())
            && first.0 - before.0 > length
        {
            report.blocks.push(gap(before.plus(length), *first));
        }
        report.blocks.push(block(group, (floor(*first), *last), length, how.now, name));
    }
    Ok(report)
}

fn floor(at: Timestamp) -> i64 {
    at.0.div_euclid(HOUR) * HOUR
}

fn gap(start: Timestamp, end: Timestamp) -> Block {
    Block {
        id: format!("gap-{start}"),
        start_time: start.to_string(),
        end_time: end.to_string(),
        actual_end_time: None,
        is_active: false,
        is_gap: true,
        sums: Sums::default(),
        models: Vec::new(),
        burn_rate: None,
        projection: None,
    }
}

fn block(
    rows: &[(Timestamp, Row)],
    (start, last): (i64, Timestamp),
    length: i64,
    now: Timestamp,
    name: impl Fn(i64) -> String,
) -> Block {
    let mut sums = ByModel::default();
    rows.iter().for_each(|(_, row)| sums.add(row));
    let end = start + length;
    // An answer of tomorrow, by a clock that is wrong, has not begun.
    let active = start <= now.0 && now.0 < end && now.0 - last.0 < length;
    let minutes = minutes(last.0 - rows.first().map_or(last.0, |(at, _)| at.0));
    let all = sums.all.clone();
    let burn = minutes.filter(|_| active).map(|minutes| burn(&all, minutes));
    Block {
        id: Timestamp(start).to_string(),
        start_time: Timestamp(start).to_string(),
        end_time: Timestamp(end).to_string(),
        actual_end_time: Some(last.to_string()),
        is_active: active,
        is_gap: false,
        models: sums.models(name).into_iter().map(|model| model.model_name).collect(),
        projection: burn.map(|burn| projection(&all, burn, (end - now.0).max(0))),
        burn_rate: burn,
        sums: all,
    }
}

fn minutes(milliseconds: i64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "some hours")]
    let minutes = milliseconds as f64 / 60_000.0;
    (minutes > 0.0).then_some(minutes)
}

#[expect(clippy::cast_precision_loss, reason = "a speed")]
fn burn(sums: &Sums, minutes: f64) -> Burn {
    Burn {
        tokens_per_minute: sums.total_tokens as f64 / minutes,
        tokens_per_minute_for_indicator: (sums.input_tokens + sums.output_tokens) as f64 / minutes,
        cost_per_hour: sums.picodollars as f64 / 1e12 / minutes * 60.0,
    }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a guess")]
fn projection(sums: &Sums, burn: Burn, left: i64) -> Projection {
    let minutes = left as f64 / 60_000.0;
    Projection {
        total_tokens: sums.total_tokens.saturating_add((burn.tokens_per_minute * minutes).round() as u64),
        picodollars: sums.picodollars.saturating_add((burn.cost_per_hour / 60.0 * minutes * 1e12).round() as u64),
        remaining_minutes: left / 60_000,
    }
}
