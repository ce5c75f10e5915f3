//! Our sums against LiteLLM's, of the same calls and the same price list. With `ASIDE_PRICES` (what
//! `xtask/src/prices/fixtures.py` printed) the list and the fixtures are written first.
#![expect(clippy::disallowed_methods, reason = "reads and writes its fixtures")]

use std::{collections::BTreeMap, env, fs, path::Path};

use aside_core::{ModelRef, Timestamp, Usage};
use aside_prices::{PriceTable, Prices};
use serde::{Deserialize, Serialize};

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/snapshot.json");
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
    let said = fs::read_to_string(said).unwrap();
    let mut said = said.lines();
    let mut next = || said.next().expect("three lines");
    let about: PriceTable = serde_json::from_str(&next().replace('}', r#","models":{}}"#)).unwrap();
    let list = serde_json::from_str(next()).unwrap();
    let table = PriceTable::from_litellm(&list, &about.source, &about.date).unwrap();
    // What a model cost by the list before stays in this one, for calls of that time.
    let before: PriceTable = serde_json::from_str(&fs::read_to_string(SNAPSHOT).unwrap()).unwrap();
    let table = table.following(|name| before.models.get(name));
    let fixtures: Vec<Fixture> = serde_json::from_str(next()).unwrap();
    fs::write(SNAPSHOT, list_lines(&table)).unwrap();
    fs::write(FIXTURES, serde_json::to_string(&fixtures).unwrap().replace("},{", "},\n{") + "\n").unwrap();
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
