//! What models cost and can: a dated list that comes with Aside, one that was fetched since, and what the person wrote.
//!
//! Data and sums only: what fetches a list is `aside-llm`'s, what was spent is `aside-agent`'s, what other programs' calls
//! cost is `aside-history`'s.

mod dated;
mod litellm;
mod name;
mod own;
mod price;
mod rate;

use std::{collections::BTreeMap, sync::LazyLock};

use aside_core::{Cost, ModelRef, Sha256, Timestamp, Usage};
use serde::{Deserialize, Serialize};

pub use dated::Day;
pub use name::{find_named, undated};
pub use price::{Ability, Price, Rates};
pub use rate::{Factor, Rate};

/// The providers of the list that comes with Aside: their names in LiteLLM's list, and ours.
const PROVIDERS: &[(&str, &str)] = &[
    ("anthropic", "anthropic"),
    ("openai", "openai"),
    ("gemini", "gemini"),
    ("groq", "groq"),
    ("mistral", "mistral"),
    ("deepseek", "deepseek"),
    ("xai", "xai"),
    ("openrouter", "openrouter"),
    ("together_ai", "together"),
    ("fireworks_ai", "fireworks"),
    ("cerebras", "cerebras"),
];

/// Models with prices; a list with fewer is cut off or is something else.
const FEWEST: usize = 48;

/// A list of prices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PriceTable {
    /// Where it is from, for people.
    #[serde(default)]
    pub source: String,
    /// The day it is of, such as `2026-11-21`.
    #[serde(default)]
    pub date: String,
    /// By `provider/name`.
    pub models: BTreeMap<String, Price>,
}

const SNAPSHOT: &str = include_str!("snapshot.json");
const OLD: &str = include_str!("retired.json");
/// How what a person wrote is filled in, and which names mean a model; with another rule something may cost something else.
const RULE: &str = "in proportion, from its day on; the family first";

static SHIPPED: LazyLock<PriceTable> = LazyLock::new(|| serde_json::from_str(SNAPSHOT).expect("a test reads it"));

static RETIRED: LazyLock<PriceTable> = LazyLock::new(|| serde_json::from_str(OLD).expect("a test reads it"));

impl PriceTable {
    /// The list that comes with Aside.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Models that nobody serves any more and lists leave out, at the last price that their makers published: for calls of
    /// the past.
    pub fn retired() -> &'static Self {
        &RETIRED
    }

    /// Reads the models of our providers in LiteLLM's list. The error says what is wrong and where.
    pub fn from_litellm(list: &serde_json::Value, source: &str, date: &str) -> Result<Self, String> {
        let mut table = litellm::read(list, PROVIDERS)?;
        let found = table.models.values().filter(|price| is_priced(price)).count();
        if found < FEWEST {
            return Err(format!("it has usable prices of only {found} models, but a complete list has hundreds"));
        }
        table.source = source.to_owned();
        table.date = date.to_owned();
        Ok(table)
    }

    /// Leaves out models without a price, so that a list that counts after this one can know it.
    #[must_use]
    pub fn priced(mut self) -> Self {
        self.models.retain(|_, price| is_priced(price));
        self
    }

    /// Its name with its day, as an account of what was paid has it.
    pub fn named(&self) -> String {
        format!("{} {}", self.source, self.date).trim_end().to_owned()
    }

    /// The price of a model.
    pub fn price(&self, model: &ModelRef) -> Option<&Price> {
        self.models.get(&model.to_string())
    }
}

fn without_date(model: &ModelRef) -> Option<ModelRef> {
    Some(ModelRef { name: undated(&model.name)?.to_owned(), ..model.clone() })
}

fn is_priced(price: &Price) -> bool {
    price.rates.input.is_some() && price.rates.output.is_some()
}

/// The lists that hold, the first that knows a model counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prices {
    /// What the person wrote.
    own: PriceTable,
    /// What was fetched last.
    fetched: Option<PriceTable>,
    /// What the person wrote, with what they left out.
    filled: PriceTable,
}

impl Prices {
    /// What the person wrote counts first; what it leaves out of a model is taken from what was fetched and what comes along.
    pub fn new(own: PriceTable, fetched: Option<PriceTable>) -> Self {
        let mut prices = Self { own: PriceTable::default(), fetched, filled: PriceTable::default() };
        let listed = |name: &str| {
            let price = name.parse().ok().and_then(|model| prices.find(&model));
            price.map(|(price, _)| price).or_else(|| PriceTable::retired().models.get(name))
        };
        let fill = |(name, price): (&String, &Price)| (name.clone(), own::filled(name, price, listed(name)));
        let models = own.models.iter().map(fill).collect();
        prices.filled = PriceTable { models, ..own.clone() };
        prices.own = own;
        prices
    }

    /// What the person wrote, as they did.
    pub fn own(&self) -> &PriceTable {
        &self.own
    }

    /// What was fetched last.
    pub fn fetched(&self) -> Option<&PriceTable> {
        self.fetched.as_ref()
    }

    /// The price of a model, and the list that it is from: under its own name in any of them, else for a dated version
    /// under the name without the date.
    pub fn find(&self, model: &ModelRef) -> Option<(&Price, &PriceTable)> {
        let named = |model: &ModelRef| self.lists().find_map(|list| Some((list.price(model)?, list)));
        named(model).or_else(|| named(&without_date(model)?))
    }

    /// The price of a model at a time, and the list that it is from. One that holds later only does not count yet: until then the lists after
    /// it do.
    pub fn held(&self, model: &ModelRef, at: Timestamp) -> Option<(&Price, &PriceTable)> {
        let named = |model: &ModelRef| {
            let is_later = self.own.price(model).is_some_and(|price| price.at(at).is_none());
            let mut lists = self.lists().filter(|list| !is_later || !std::ptr::eq(*list, &self.filled));
            lists.find_map(|list| Some((list.price(model)?.at(at)?, list)))
        };
        named(model).or_else(|| named(&without_date(model)?))
    }

    /// Tells whether a model, as a log names it, is served no more: what it cost is the last price that its maker published.
    pub fn is_retired(&self, name: &str) -> bool {
        find_named(self, "", name).is_some_and(|(_, list)| std::ptr::eq(list, PriceTable::retired()))
    }

    /// What an account says of a model's price at a time: its list, and the name in it if that is another.
    pub fn source(&self, model: &ModelRef, at: Timestamp) -> Option<String> {
        let (_, list) = self.held(model, at)?;
        let dateless = without_date(model).filter(|_| self.lists().all(|list| list.price(model).is_none()));
        Some(match dateless {
            Some(entry) => format!("{} ({entry})", list.named()),
            None => list.named(),
        })
    }

    /// The lists that have models, in the order in which they count.
    pub fn lists(&self) -> impl Iterator<Item = &PriceTable> {
        std::iter::once(&self.filled).chain(self.published()).filter(|list| !list.models.is_empty())
    }

    /// The lists that nobody here wrote, the newer one first: what comes with a later version of Aside may be newer than
    /// what was fetched before it.
    pub fn published(&self) -> impl Iterator<Item = &PriceTable> {
        let mut lists = [self.fetched.as_ref(), Some(PriceTable::shipped())];
        // Days as they are written sort as they are; of the same day, what was fetched counts.
        lists.sort_by_key(|list| std::cmp::Reverse(list.map(|list| &*list.date)));
        lists.into_iter().flatten()
    }

    /// A list that was just fetched, with what its models cost before by those that nobody here wrote.
    #[must_use]
    pub fn followed_by(&self, fetched: PriceTable) -> PriceTable {
        fetched.following(|name| self.published().find_map(|list| list.models.get(name)))
    }

    /// One word for all that these lists say: with another one something may cost something else.
    pub fn identity(&self) -> Sha256 {
        let told = serde_json::to_string(&(&self.own, &self.fetched)).expect("prices are plain data");
        Sha256::of([SNAPSHOT, OLD, RULE, &told].concat())
    }

    /// What a call cost that was made at a time and took so many milliseconds. A model on this machine costs no money.
    pub fn cost(&self, model: &ModelRef, local: bool, at: Timestamp, usage: &Usage, milliseconds: u64) -> Cost {
        let cost = match self.held(model, at) {
            _ if local => Cost { local: 1, ..Cost::default() },
            Some((price, _)) => price.cost(usage),
            None => Cost { unknown: 1, ..Cost::default() },
        };
        Cost { milliseconds, ..cost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In November 2026.
    const NOW: Timestamp = Timestamp(1_795_000_000_000);

    fn model(name: &str) -> ModelRef {
        name.parse().unwrap()
    }

    #[test]
    fn other_prices_have_another_identity() {
        let prices = Prices::default();
        let fetched = Prices::new(PriceTable::default(), Some(PriceTable::default()));
        assert_eq!(prices.identity(), Prices::default().identity());
        assert_ne!(prices.identity(), fetched.identity());
    }

    #[test]
    fn the_list_that_comes_along_says_where_it_is_from() {
        let list = PriceTable::shipped();
        assert!(list.models.len() > 100 && list.source.starts_with("LiteLLM ") && list.date.len() == 10);
        assert!(list.models.keys().all(|name| name.parse::<ModelRef>().is_ok()));
    }

    #[test]
    fn what_the_person_wrote_counts_before_what_was_fetched() {
        let list = |dollars| {
            let rates = Rates { input: Rate::per_million(dollars), output: Rate::per_million(0.0), ..Rates::default() };
            let models = [("openai/gpt-4o".to_owned(), Price { rates, ..Price::default() })].into();
            PriceTable { models, date: "2099-01-01".to_owned(), ..PriceTable::default() }
        };
        let usage = Usage { input: Some(1), output: Some(1), ..Usage::default() };
        let cost = |prices: &Prices| prices.cost(&model("openai/gpt-4o"), false, NOW, &usage, 5);
        assert_eq!(cost(&Prices::new(list(7.0), Some(list(8.0)))).picodollars, 7_000_000);
        assert_eq!(cost(&Prices::new(PriceTable::default(), Some(list(8.0)))).picodollars, 8_000_000);
        assert_eq!(cost(&Prices::default()), Cost { picodollars: 12_500_000, milliseconds: 5, ..Cost::default() });
    }

    #[test]
    fn what_the_person_left_out_is_the_published_price_in_proportion() {
        let rates = Rates { input: Rate::per_million(10.0), output: Rate::per_million(50.0), ..Rates::default() };
        let models = [("anthropic/claude-opus-4-5".to_owned(), Price { rates, ..Price::default() })].into();
        let prices = Prices::new(PriceTable { models, ..PriceTable::default() }, None);
        let usage = Usage { input: Some(1_000_000), output: Some(0), cache_read: Some(1_000_000), ..Usage::default() };
        let cost = prices.cost(&model("anthropic/claude-opus-4-5"), false, NOW, &usage, 0);
        assert_eq!(cost.picodollars, 1_000_000_000_000);
        assert_eq!(prices.own().models["anthropic/claude-opus-4-5"].rates, rates);
    }

    #[test]
    fn what_the_person_wrote_of_a_later_day_does_not_count_before_it() {
        let own = r#"{"openai/gpt-4o":{"input":7,"output":0,"valid_from":"2026-12-01"},"openai/house":{"input":7,"output":0,"valid_from":"2026-12-01"}}"#;
        let own = PriceTable {
            source: "own".to_owned(),
            models: serde_json::from_str(own).unwrap(),
            ..PriceTable::default()
        };
        let prices = Prices::new(own, None);
        let usage = Usage { input: Some(1), output: Some(0), ..Usage::default() };
        let told = |name: &str, at: Timestamp| {
            let cost = prices.cost(&model(name), false, at, &usage, 0);
            (cost.picodollars, cost.unknown, prices.source(&model(name), at))
        };
        let then = "2026-12-01".parse().unwrap();
        assert_eq!(told("openai/gpt-4o", NOW), (2_500_000, 0, Some(PriceTable::shipped().named())));
        assert_eq!(told("openai/gpt-4o", then), (7_000_000, 0, Some("own".to_owned())));
        assert_eq!(told("openai/house", NOW), (0, 1, None));
        assert_eq!(told("openai/house", then), (7_000_000, 0, Some("own".to_owned())));
    }

    #[test]
    fn of_what_was_fetched_and_what_comes_along_the_newer_list_counts() {
        let fetched = |date: &str| {
            let rates = Rates { input: Rate::per_million(8.0), output: Rate::per_million(8.0), ..Rates::default() };
            let names = ["openai/gpt-4o", "openai/only-fetched"];
            let models = names.map(|name| (name.to_owned(), Price { rates, ..Price::default() })).into();
            let list = PriceTable { source: "LiteLLM".to_owned(), date: date.to_owned(), models };
            Prices::new(PriceTable::default(), Some(list))
        };
        let source = |prices: &Prices, name: &str| prices.source(&model(name), NOW).unwrap();
        let shipped = PriceTable::shipped();
        for (date, counts) in [("2020-01-01", shipped.named()), (&shipped.date, format!("LiteLLM {}", shipped.date))] {
            let prices = fetched(date);
            assert_eq!(source(&prices, "openai/gpt-4o"), counts);
            assert_eq!(source(&prices, "openai/only-fetched"), format!("LiteLLM {date}"), "an old price is one");
        }
    }

    #[test]
    fn a_date_does_not_make_a_model_without_a_price() {
        let prices = Prices::default();
        let [dated, named] = ["anthropic/claude-opus-4-5-20991231", "anthropic/claude-opus-4-5"].map(model);
        assert_eq!(prices.find(&dated).unwrap().0, prices.find(&named).unwrap().0);
        assert!(prices.source(&dated, NOW).unwrap().ends_with("(anthropic/claude-opus-4-5)"));
        assert_eq!(prices.source(&named, NOW).unwrap(), PriceTable::shipped().named());
        // One that is listed with its date has the price of that.
        let own = Price { rates: Rates { input: Rate::per_million(99.0), ..Rates::default() }, ..Price::default() };
        let own = PriceTable { models: [(dated.to_string(), own)].into(), ..PriceTable::default() };
        let prices = Prices::new(own, None);
        assert_ne!(prices.find(&dated).unwrap().0, prices.find(&named).unwrap().0);
        assert!(prices.find(&model("anthropic/claude-opus-4-99-20991231")).is_none());
    }

    #[test]
    fn a_model_that_is_served_no_more_is_told_apart() {
        let retired = |name: &str| Prices::default().is_retired(name);
        assert!(retired("claude-3-opus-20240229") && retired("Claude-3-Opus"));
        assert!(!retired("claude-opus-4-5") && !retired("claude-of-tomorrow"));
    }

    #[test]
    fn a_model_of_this_machine_costs_time_and_one_that_nobody_knows_is_unknown() {
        let usage = Usage { input: Some(1), output: Some(1), ..Usage::default() };
        let prices = Prices::default();
        let local = prices.cost(&model("ollama/qwen"), true, NOW, &usage, 9);
        assert_eq!(local, Cost { local: 1, milliseconds: 9, ..Cost::default() });
        assert_eq!(prices.cost(&model("openai/gpt-99"), false, NOW, &usage, 0).unknown, 1);
    }
}
