//! What responses cost, and how well that is known.

use std::{collections::HashMap, sync::Arc};

use aside_core::{Timestamp, Usage};
use aside_prices::{Price, Prices, find_named};
use serde::{Deserialize, Serialize};

use crate::{
    record::{Response, Tokens},
    source::Source,
};

/// How well an amount is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostKind {
    /// The log says it.
    Exact,
    /// Tokens times the price of a list.
    Priced,
    /// The same, but the log does not say all that the price depends on.
    Estimated,
    /// The model is in no list.
    Unknown,
}

/// What one response cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priced {
    /// By the list, in 10⁻¹² dollars; none if the model is in no list.
    pub picodollars: Option<u64>,
    /// How well the list's amount is known.
    pub kind: CostKind,
}

/// What the price of tokens depends on beside the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Which model it was is a guess.
    pub assumed: bool,
    /// In the fast mode of the model.
    pub fast: bool,
    /// When it was; a price may have changed since.
    pub at: Option<Timestamp>,
    /// When its log was last written to: where nobody knows when it was, it was not later.
    pub written: Option<Timestamp>,
    /// The input of the longest call, where there were several.
    pub longest: Option<u64>,
    /// Searches of the web.
    pub searches: u64,
}

/// What a search of the web costs, in 10⁻¹² dollars: the only service whose fees a log tells takes ten dollars for a thousand.
const SEARCH: u64 = 10_000_000_000;

/// Prices responses; remembers which names mean which model.
#[derive(Debug)]
pub struct Pricer<'a> {
    prices: &'a Prices,
    known: HashMap<Named, Option<&'a Price>>,
}

/// A model as a log names it: the program, the service where it is named, the model.
type Named = (Source, Option<Arc<str>>, Arc<str>);

impl<'a> Pricer<'a> {
    /// Prices by these lists.
    pub fn new(prices: &'a Prices) -> Self {
        Self { prices, known: HashMap::new() }
    }

    /// What a response cost by the lists; `written` is when its log was last written to.
    pub fn price(&mut self, source: Source, response: &Response, written: Option<Timestamp>) -> Priced {
        let Response { assumed, fast, at, longest, searches, .. } = *response;
        let terms = Terms { assumed, fast, at, written, longest, searches };
        self.price_of((source, response.provider.clone(), response.model.clone()), &response.tokens, terms)
    }

    /// What tokens of a model cost by the lists: the program, the service where it is named, the model.
    pub fn price_of(
        &mut self,
        (source, provider, model): (Source, Option<Arc<str>>, Option<Arc<str>>),
        tokens: &Tokens,
        Terms { assumed, fast, at, written, longest, searches }: Terms,
    ) -> Priced {
        let unknown = Priced { picodollars: None, kind: CostKind::Unknown };
        let Some(model) = model else { return unknown };
        let prices = self.prices;
        let found = *self.known.entry((source, provider.clone(), model.clone())).or_insert_with(|| {
            let provider = provider.as_deref().unwrap_or(source.provider());
            find_named(prices, provider, &model).map(|(price, _)| price)
        });
        let held = |price: &'a Price| at.or(written).map_or(Some(price), |at| price.at(at));
        let Some(price) = found.and_then(held) else { return unknown };
        let usage = usage(tokens);
        let input = usage.input.unwrap_or(0);
        let usual = price.cost_of_calls(&usage, longest.unwrap_or(input));
        let in_haste = price.in_haste(usual).filter(|_| fast);
        // Not every list has the price of haste, nor every log the time of what cost something else once.
        let is_dated = at.is_some() || price.valid_from.is_none();
        // Of several calls some may have been long, and others not.
        let may_be_long = longest.is_some() && price.above.range(..input).next().is_some();
        let is_guess = assumed || may_be_long || !is_dated || (fast && in_haste.is_none());
        let cost = in_haste.unwrap_or(usual);
        if cost.unknown > 0 {
            return unknown;
        }
        let kind = if is_guess { CostKind::Estimated } else { CostKind::Priced };
        let fees = searches.saturating_mul(SEARCH);
        Priced { picodollars: Some(cost.picodollars.saturating_add(fees)), kind }
    }
}

/// In the way that prices count: the input with what was read from or written to a cache.
fn usage(tokens: &Tokens) -> Usage {
    let Tokens { input, output, cache_read, cache_write, cache_write_hour } = *tokens;
    let written = cache_write.saturating_add(cache_write_hour);
    Usage {
        input: Some(input.saturating_add(cache_read).saturating_add(written)),
        output: Some(output),
        cache_read: Some(cache_read),
        cache_write: Some(written),
        cache_write_hour: Some(cache_write_hour),
        reasoning: None,
    }
}

#[cfg(test)]
mod tests {
    use aside_prices::PriceTable;

    use super::*;
    use crate::record::Place;

    fn response(model: &str) -> Response {
        let tokens =
            Tokens { input: 1_000, output: 100, cache_read: 10_000, cache_write: 2_000, cache_write_hour: 3_000 };
        Response {
            session: 0,
            at: None,
            model: Some(model.into()),
            provider: None,
            assumed: false,
            fast: false,
            tokens,
            longest: None,
            searches: 0,
            recorded: None,
            key: None,
            side: false,
            workspace: None,
            place: Place::default(),
        }
    }

    #[test]
    fn every_kind_of_token_has_its_own_price() {
        let prices = Prices::default();
        let mut pricer = Pricer::new(&prices);
        let priced = pricer.price(Source::Claude, &response("claude-opus-4-5-20251101"), None);
        // 1000·5 + 100·25 + 10000·0.5 + 2000·6.25 + 3000·10, a million times cheaper
        assert_eq!(priced, Priced { picodollars: Some(55_000_000_000), kind: CostKind::Priced });
    }

    #[test]
    fn haste_costs_what_its_maker_takes_for_it() {
        let prices = Prices::default();
        let mut pricer = Pricer::new(&prices);
        let usual = response("claude-opus-5");
        let once = pricer.price(Source::Claude, &usual, None);
        let fast = pricer.price(Source::Claude, &Response { fast: true, ..usual.clone() }, None);
        assert_eq!(fast, Priced { picodollars: once.picodollars.map(|amount| 2 * amount), kind: CostKind::Priced });
        let guessed = pricer.price(Source::Claude, &Response { fast: true, assumed: true, ..usual }, None);
        assert_eq!((guessed.picodollars, guessed.kind), (fast.picodollars, CostKind::Estimated));
    }

    #[test]
    fn a_response_costs_what_held_at_its_time() {
        let own = r#"{"input":1,"output":0,"valid_from":"2026-03-01","before":[{"input":3,"output":0,"valid_from":"2026-01-01"}]}"#;
        let models = [("anthropic/house".to_owned(), serde_json::from_str(own).unwrap())].into();
        let prices = Prices::new(PriceTable { models, ..PriceTable::default() }, None);
        let mut pricer = Pricer::new(&prices);
        let tokens = Tokens { input: 1_000_000, ..Tokens::default() };
        let mut dollars = |at: Option<&str>| {
            let at = at.map(|at| at.parse().unwrap());
            let priced = pricer.price(Source::Claude, &Response { at, tokens, ..response("house") }, None);
            (priced.picodollars.map(|amount| amount / 1_000_000_000_000), priced.kind)
        };
        assert_eq!(dollars(Some("2026-03-01")), (Some(1), CostKind::Priced));
        assert_eq!(dollars(Some("2026-02-28T23:59:59Z")), (Some(3), CostKind::Priced));
        assert_eq!(dollars(Some("2025-12-31")), (None, CostKind::Unknown));
        assert_eq!(dollars(None), (Some(1), CostKind::Estimated), "nobody knows when");
        let mut not_after = |day: &str| {
            let priced = pricer.price(Source::Claude, &Response { tokens, ..response("house") }, day.parse().ok());
            (priced.picodollars.map(|amount| amount / 1_000_000_000_000), priced.kind)
        };
        assert_eq!(not_after("2026-03-02"), (Some(1), CostKind::Estimated));
        assert_eq!(not_after("2026-02-02"), (Some(3), CostKind::Estimated));
        assert_eq!(not_after("2025-12-31"), (None, CostKind::Unknown), "it holds only later");
    }

    #[test]
    fn how_well_it_is_known_is_said() {
        let prices = Prices::default();
        let mut pricer = Pricer::new(&prices);
        let kind = |pricer: &mut Pricer, response: &Response| pricer.price(Source::Claude, response, None).kind;
        assert_eq!(kind(&mut pricer, &response("claude-of-tomorrow")), CostKind::Unknown);
        let known = response("claude-opus-4-5");
        assert_eq!(kind(&mut pricer, &Response { fast: true, ..known.clone() }), CostKind::Estimated);
        assert_eq!(kind(&mut pricer, &Response { assumed: true, ..known.clone() }), CostKind::Estimated);
        assert_eq!(kind(&mut pricer, &Response { model: None, ..known }), CostKind::Unknown);
    }
}
