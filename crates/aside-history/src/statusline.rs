//! What a line below a prompt says: the cost of the session, of today and of the block, and how full the context is.

use aside_core::Timestamp;
use aside_prices::find_named;
use aside_store::sql::OptionalExtension as _;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::{
    Blocks, Burn, Filter, History, HistoryError, Source,
    lenient::{Amount, Count, Object, Text},
    report::{blocks_within, day_start},
};

/// How far back the chain of blocks is followed: one that goes on for longer without a pause may be cut at another hour.
const CHAIN: i64 = 48 * 3_600_000;
/// Tokens that models read if no list says how many.
const CONTEXT: u64 = 200_000;

/// What Claude Code tells on standard input.
#[derive(Debug, Default, Deserialize)]
pub struct Asked<'a> {
    #[serde(borrow, default)]
    session_id: Text<'a>,
    #[serde(borrow, default)]
    transcript_path: Text<'a>,
    #[serde(borrow, default)]
    model: Object<Model<'a>>,
    #[serde(default)]
    cost: Object<Cost>,
    #[serde(default)]
    context_window: Object<Window>,
}

#[derive(Debug, Default, Deserialize)]
struct Model<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    display_name: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
struct Cost {
    #[serde(default)]
    total_cost_usd: Amount,
}

#[derive(Debug, Default, Deserialize)]
struct Window {
    #[serde(default)]
    context_window_size: Count,
}

/// What the line says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statusline {
    /// The model's name, for people.
    pub model: String,
    /// Dollars of the session by its log; none if it is not known.
    pub session_cost: Option<f64>,
    /// Dollars of the session as the program itself says.
    pub told_cost: Option<f64>,
    /// Dollars of today.
    pub today_cost: f64,
    /// The active block.
    pub block: Option<ActiveBlock>,
    /// Tokens that the model read last.
    pub context_tokens: Option<u64>,
    /// The same in percent of what it can read.
    pub context_percent: Option<u64>,
}

/// The active block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ActiveBlock {
    /// Dollars.
    pub cost: f64,
    /// Minutes until it ends.
    pub remaining_minutes: i64,
    /// How fast tokens and money go; none after one response.
    pub burn: Option<Burn>,
}

impl Asked<'_> {
    /// Reads what came on standard input.
    pub fn read(text: &str) -> Result<Asked<'_>, HistoryError> {
        let asked: Result<Object<Asked<'_>>, _> = serde_json::from_str(text);
        let wrong = |reason: String| {
            HistoryError::Asked(format!("expected Claude Code's status line JSON on standard input: {reason}"))
        };
        let asked = asked.map_err(|error| wrong(error.to_string()))?.0;
        if asked.session_id.get().is_none() && asked.transcript_path.get().is_none() {
            return Err(wrong("it has no session_id".to_owned()));
        }
        Ok(asked)
    }

    /// The log of the session.
    pub fn transcript(&self) -> Option<&str> {
        self.transcript_path.get()
    }
}

/// Answers what the index knows now; of today and of the block only what the filter leaves.
pub fn statusline(
    history: &History,
    asked: &Asked<'_>,
    of: &Filter,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<Statusline, HistoryError> {
    let index = history.index();
    let since = |since: Timestamp| {
        let until = now.plus(1);
        let until = of.until.map_or(until, |asked| asked.min(until));
        Filter { since: Some(of.since.map_or(since, |asked| asked.max(since))), until: Some(until), ..of.clone() }
    };
    let (today, chain) = (since(day_start(now, zone)), since(now.plus(-CHAIN)));
    let blocks = blocks_within(index, &chain, Blocks::at(now))?;
    let mut today_cost = 0_u64;
    crate::report::each_row(index, &today, |row| today_cost = today_cost.saturating_add(row.picodollars))?;
    let block = blocks.blocks.iter().find(|block| block.is_active).map(|block| ActiveBlock {
        cost: dollars(block.sums.picodollars),
        remaining_minutes: block.end().map_or(0, |end| (end.0 - now.0).max(0) / 60_000),
        burn: block.burn_rate,
    });
    let session = asked.session_id.0.as_ref();
    let context_tokens = context(history, session)?;
    let window = window(history, asked);
    Ok(Statusline {
        model: asked.model.0.display_name.get().or(asked.model.0.id.get()).unwrap_or("Claude").to_owned(),
        session_cost: cost_of_session(history, session)?,
        told_cost: asked.cost.0.total_cost_usd.0,
        today_cost: dollars(today_cost),
        block,
        context_tokens,
        context_percent: context_tokens.map(|tokens| tokens.saturating_mul(100) / window.max(1)),
    })
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn dollars(picodollars: u64) -> f64 {
    picodollars as f64 / 1e12
}

/// The number of a session of Claude Code. Apart from what is asked of it: SQLite else looks at all responses for those of the session.
const SESSION: &str = "(SELECT id FROM session WHERE source = ? AND name = ?)";

fn cost_of_session(history: &History, session: &str) -> Result<Option<f64>, HistoryError> {
    // Not as a whole number, which could not hold the sum of any costs that a log may say.
    let sql = format!(
        "SELECT IIF(COUNT(COALESCE(recorded, priced)) > 0, TOTAL(COALESCE(recorded, priced)), NULL)
         FROM response WHERE session = {SESSION} AND counts = 1"
    );
    let mut sum = history.index().connection().prepare_cached(&sql)?;
    let found: Option<f64> = sum.query_row([Source::Claude.word(), session], |row| row.get(0))?;
    Ok(found.map(|picodollars| picodollars / 1e12))
}

/// What the model read last: its input, from wherever.
fn context(history: &History, session: &str) -> Result<Option<u64>, HistoryError> {
    let sql = format!(
        "SELECT input + cache_read + cache_write + cache_write_hour FROM response WHERE session = {SESSION} AND side = 0
         ORDER BY at DESC LIMIT 1"
    );
    let mut last = history.index().connection().prepare_cached(&sql)?;
    let found: Option<i64> = last.query_row([Source::Claude.word(), session], |row| row.get(0)).optional()?;
    Ok(found.and_then(|tokens| u64::try_from(tokens).ok()))
}

fn window(history: &History, asked: &Asked<'_>) -> u64 {
    let by_list = || find_named(history.prices(), "", asked.model.0.id.get()?).and_then(|(price, _)| price.context);
    asked.context_window.0.context_window_size.0.or_else(|| by_list().map(u64::from)).unwrap_or(CONTEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_input_is_told() {
        for text in ["", "[]", "{}", "{\"session_id\":7}", "not json"] {
            let error = Asked::read(text).unwrap_err().to_string();
            assert!(error.contains("Claude Code"), "{text}: {error}");
        }
        let asked = Asked::read(r#"{"session_id":"s","transcript_path":null,"model":"x"}"#).unwrap();
        assert_eq!(asked.transcript(), None);
    }
}
