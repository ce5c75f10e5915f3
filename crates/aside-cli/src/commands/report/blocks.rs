//! `aside report blocks`: blocks of some hours, how fast the active one goes, and how far it is to a limit.

use aside_core::Timestamp;
use aside_history::{Block, Blocks, Filter, History, TimeZone, minute};
use serde_json::{Value, json};

use super::{
    latest, look,
    table::{Table, dollars, grouped},
    with_retired,
};
use crate::{
    arguments::{Order, TokenLimit, Which},
    commands::{history::told, statusline::now},
};

const DAY: i64 = 86_400_000;
/// From this part of the limit on it is warned, in percent.
const NEAR: f64 = 80.0;

/// Which blocks are shown, and how they are made.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub active: bool,
    pub recent: bool,
    /// Hours of a block.
    pub hours: u32,
    pub limit: Option<TokenLimit>,
}

/// Makes the report.
pub fn by_block(
    history: &History,
    filter: &Filter,
    zone: &TimeZone,
    chosen: &Chosen,
    which: &Which,
) -> anyhow::Result<(Value, Option<String>)> {
    let Chosen { active, recent, hours, .. } = *chosen;
    let now = now();
    let mut blocks = aside_history::blocks(history.index(), filter, Blocks { now, hours }).map_err(told)?.blocks;
    let limit = limit(&blocks, chosen.limit);
    blocks.retain(|block| (!active || block.is_active) && (!recent || is_recent(block, now)));
    latest(&mut blocks, which);
    if which.order == Some(Order::Desc) {
        blocks.reverse();
    }
    let value = json!({ "blocks": blocks.iter().map(|block| told_block(block, limit)).collect::<Vec<_>>() });
    let models = blocks.iter().flat_map(|block| &block.models).map(String::as_str);
    let value = with_retired(value, history, models);
    if blocks.is_empty() {
        return Ok((value, active.then(|| "no active block".to_owned())));
    }
    Ok((value, Some(words(&blocks, zone, limit, which))))
}

fn is_recent(block: &Block, now: Timestamp) -> bool {
    block.is_active || block.end().is_some_and(|end| end > now.plus(-3 * DAY))
}

/// The limit in tokens: that of the fullest block that has ended, if so asked.
fn limit(blocks: &[Block], asked: Option<TokenLimit>) -> Option<u64> {
    match asked? {
        TokenLimit::Tokens(tokens) => Some(tokens),
        TokenLimit::Max => {
            let ended = blocks.iter().filter(|block| !block.is_active && !block.is_gap);
            ended.map(|block| block.sums.total_tokens).max().filter(|most| *most > 0)
        }
    }
}

/// How far a block is to a limit.
struct Near {
    limit: u64,
    /// What it has taken, in percent of the limit.
    used: f64,
    /// What it will have taken at its end, likewise.
    at_end: f64,
    /// The same in tokens.
    projected: u64,
}

impl Near {
    fn of(block: &Block, limit: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a percentage")]
        let percent = |tokens: u64| tokens as f64 * 100.0 / limit as f64;
        let used = block.sums.total_tokens;
        let projected = block.projection.map_or(used, |end| end.total_tokens);
        Self { limit, used: percent(used), at_end: percent(projected), projected }
    }

    fn word(&self) -> &'static str {
        if self.at_end > 100.0 {
            "exceeds"
        } else if self.at_end > NEAR {
            "warning"
        } else {
            "ok"
        }
    }
}

/// A block for programs. As they know it, the limit is held against what the active block will have taken at its end, and against nothing else.
fn told_block(block: &Block, limit: Option<u64>) -> Value {
    let mut value = json!(block);
    if let (Some(limit), Some(_)) = (limit, block.projection) {
        let near = Near::of(block, limit);
        value["tokenLimitStatus"] = json!({
            "limit": near.limit, "projectedUsage": near.projected, "percentUsed": near.at_end, "status": near.word(),
        });
    }
    value
}

fn words(blocks: &[Block], zone: &TimeZone, limit: Option<u64>, which: &Which) -> String {
    let mut table = Table::new("Block start", look(which)).with_last("State");
    let shown = |at: Option<Timestamp>| at.map_or_else(|| "unknown".to_owned(), |at| minute(at, zone));
    for block in blocks {
        let start = shown(block.start());
        if block.is_gap {
            table.heading(&format!("{start}  (idle until {})", shown(block.end())));
            continue;
        }
        let used = limit.map(|limit| format!("{:.0} %", Near::of(block, limit).used));
        let state = [block.is_active.then(|| "active".to_owned()), used];
        let state: Vec<String> = state.into_iter().flatten().collect();
        table.line(&start, &block.models, &block.sums, Some(&state.join(" ")));
    }
    let active = blocks.iter().filter(|block| block.is_active).map(|block| course(block, limit, which));
    table.text() + &active.collect::<String>()
}

/// How fast the active block goes, and where to.
fn course(block: &Block, limit: Option<u64>, which: &Which) -> String {
    let mut words = String::new();
    if let (Some(burn), Some(end)) = (&block.burn_rate, &block.projection) {
        let cost = |text: String| if which.no_cost { String::new() } else { text };
        words += &format!(
            "\nactive block: {} tokens per minute{}; projected at its end in {} minutes: {} tokens{}",
            grouped(rounded(burn.tokens_per_minute)),
            cost(format!(", ${:.2} per hour", burn.cost_per_hour)),
            end.remaining_minutes,
            grouped(end.total_tokens),
            cost(format!(", {}", dollars(end.picodollars)))
        );
    }
    if let Some(limit) = limit {
        let near = Near::of(block, limit);
        let warns = match near.word() {
            "exceeds" => ": above the limit",
            "warning" => ": near the limit",
            _ => "",
        };
        let (limit, used, at_end) = (grouped(limit), near.used, near.at_end);
        words += &format!("\n{used:.0} % of {limit} tokens used, projected {at_end:.0} %{warns}");
    }
    words
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a speed is not below zero")]
fn rounded(number: f64) -> u64 {
    number.round() as u64
}
