//! Our sums against LiteLLM's, of the same calls and the same price list. With `ASIDE_PRICES` (what
//! `xtask/src/prices/fixtures.py` printed) the list and the fixtures are written first.
#![expect(clippy::disallowed_methods, reason = "reads and writes its fixtures")]

use std::{collections::BTreeMap, env, fs, path::Path};

use aside_core::{ModelRef, Timestamp, Usage};
use aside_prices::{PriceTable, Prices};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/snapshot.json");
const RETIRED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/retired.json");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/prices.json");

/// One call and what it costs.
#[derive(Debug, Serialize, Deserialize)]
struct Fixture {
    provider: String,
    model: String,
    usage: Usage,
    /// In the fast mode of the model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fast: bool,
    dollars: f64,
}

#[test]
fn calls_cost_to_the_cent_what_litellm_says() {
    if let Some(said) = env::var_os("ASIDE_PRICES") {
        write(Path::new(&said));
    }
    let fixtures: Vec<Fixture> = serde_json::from_str(&fs::read_to_string(FIXTURES).unwrap()).unwrap();
    // The list as it is on the disk, which may be newer than the one in this test.
    let own: PriceTable = serde_json::from_str(&fs::read_to_string(SNAPSHOT).unwrap()).unwrap();
    let prices = Prices::new(own, None);
    assert!(fixtures.len() >= 40);
    let wrong: Vec<_> = fixtures.iter().filter_map(|fixture| differs(&prices, fixture)).collect();
    assert!(wrong.is_empty(), "{} of {} sums differ:\n{}", wrong.len(), fixtures.len(), wrong.join("\n"));
}

fn differs(prices: &Prices, fixture: &Fixture) -> Option<String> {
    let model = ModelRef { provider: fixture.provider.clone(), name: fixture.model.clone() };
    let cost = match prices.find(&model) {
        Some((price, _)) if fixture.fast => price.fast_cost(&fixture.usage).unwrap_or_default(),
        _ => prices.cost(&model, false, Timestamp(i64::MAX), &fixture.usage, 0),
    };
    #[expect(clippy::cast_precision_loss, reason = "dollars of one call")]
    let ours = cost.picodollars as f64 / 1e12;
    // Exact, but for what LiteLLM loses by adding fractions: a millionth of a dollar is far below a cent.
    let same = cost.unknown == 0 && (ours - fixture.dollars).abs() < 1e-6;
    (!same).then(|| {
        format!("{model}: ours ${ours}, LiteLLM's ${}, {:?}, fast: {}", fixture.dollars, fixture.usage, fixture.fast)
    })
}

fn write(said: &Path) {
    let kept = |path: &str| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let (table, retired, fixtures) = lists(&fs::read_to_string(said).unwrap(), &kept(SNAPSHOT), kept(RETIRED));
    fs::write(SNAPSHOT, list_lines(&table)).unwrap();
    fs::write(RETIRED, list_lines(&retired)).unwrap();
    fs::write(FIXTURES, serde_json::to_string(&fixtures).unwrap().replace("},{", "},\n{") + "\n").unwrap();
}

/// The list that comes with Aside, that of the models which are in it no more, and the fixtures: from what LiteLLM said and the lists before.
fn lists(said: &str, before: &PriceTable, mut retired: PriceTable) -> (PriceTable, PriceTable, Vec<Fixture>) {
    let mut said = said.lines();
    let mut next = || said.next().expect("three lines");
    let about: PriceTable = serde_json::from_str(&next().replace('}', r#","models":{}}"#)).unwrap();
    let list = serde_json::from_str(next()).unwrap();
    let table = PriceTable::from_litellm(&list, &about.source, &about.date).unwrap();
    // What a model cost by the list before stays in this one, for calls of that time; so does one that is in it no more.
    let table = table.following(|name| before.models.get(name));
    let gone = before.clone().priced().models.into_iter().filter(|(name, _)| !table.models.contains_key(name));
    gone.for_each(|(name, price)| _ = retired.models.entry(name).or_insert(price));
    retired.models.retain(|name, _| !table.models.contains_key(name));
    (table, retired, serde_json::from_str(next()).unwrap())
}

#[test]
fn a_new_list_keeps_what_models_cost_before_and_those_that_are_in_it_no_more() {
    let said = |date: &str, models: &[(&str, f64)]| {
        let entry = |dollars: f64| json!({ "litellm_provider": "openai", "mode": "chat", "input_cost_per_token": dollars / 1e6, "output_cost_per_token": 1e-6 });
        let mut list: BTreeMap<String, Value> = (0..60).map(|number| (format!("m{number}"), entry(1.0))).collect();
        list.extend(models.iter().map(|(name, dollars)| ((*name).to_owned(), entry(*dollars))));
        format!("{}\n{}\n[]\n", json!({ "source": "LiteLLM", "date": date }), json!(list))
    };
    let empty = PriceTable::default;
    let (first, none, _) = lists(&said("2026-01-01", &[("changes", 8.0), ("goes", 3.0)]), &empty(), empty());
    assert!(none.models.is_empty());
    let (second, retired, _) = lists(&said("2026-03-01", &[("changes", 4.0)]), &first, none);
    // As they are written, a line for each model.
    let [second, retired]: [PriceTable; 2] =
        [second, retired].map(|list| serde_json::from_str(&list_lines(&list)).unwrap());
    assert_eq!(retired.models.keys().collect::<Vec<_>>(), ["openai/goes"]);
    assert!(!second.models.contains_key("openai/goes"));
    let input = |list: &PriceTable, day: &str| {
        let price = list.models["openai/changes"].at(day.parse().unwrap())?;
        price.rates.input.map(|rate| rate.of(1_000_000) / 1_000_000_000_000)
    };
    assert_eq!(["2026-02-28", "2026-03-01"].map(|day| input(&second, day)), [Some(8), Some(4)]);
    assert_eq!(second.models["openai/m0"], first.models["openai/m0"], "what did not change is as it was");
    let (third, retired, _) = lists(&said("2026-05-01", &[("changes", 2.0), ("goes", 3.0)]), &second, retired);
    let days = ["2026-02-28", "2026-04-30", "2026-05-01"];
    assert_eq!(days.map(|day| input(&third, day)), [Some(8), Some(4), Some(2)]);
    assert!(retired.models.is_empty() && third.models.contains_key("openai/goes"), "it is served again");
}

/// A line for each model, so that a change of one shows as one.
fn list_lines(table: &PriceTable) -> String {
    let head = serde_json::to_string(&PriceTable { models: BTreeMap::new(), ..table.clone() }).unwrap();
    let models = table.models.iter().map(|(name, price)| {
        format!("{}:{}", serde_json::to_string(name).unwrap(), serde_json::to_string(price).unwrap())
    });
    let models = models.collect::<Vec<_>>().join(",\n");
    head.replace(r#""models":{}"#, &format!("\"models\":{{\n{models}\n}}")) + "\n"
}
