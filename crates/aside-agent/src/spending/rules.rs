//! The person's `spending.toml`: what may be spent, and prices that the lists don't have.

use std::collections::BTreeMap;

use aside_core::ModelRef;
use aside_llm::{Price, PriceTable};
use serde::Deserialize;
use toml_edit::DocumentMut;

/// Bytes of a file of this kind.
pub const LONGEST: u64 = 256 << 10;
/// The share of a limit from which on the person is warned, where they don't say.
const WARN_AT: f64 = 0.8;
/// The largest limit, in dollars: above it somebody has mistaken the unit.
const LARGEST: f64 = 1e6;
const PICODOLLARS: f64 = 1e12;

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpendingRules {
    /// In 10⁻¹² dollars.
    pub limits: Limits,
    /// Prices that go before all others.
    pub prices: PriceTable,
}

/// What may be spent, in 10⁻¹² dollars. Absent is without limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// By one turn.
    pub turn: Option<u64>,
    /// By one task: a turn, and those that went on with it.
    pub task: Option<u64>,
    /// By one thread.
    pub thread: Option<u64>,
    /// In one day of UTC, by all threads of a workspace.
    pub day: Option<u64>,
    /// In one workspace, since it is there.
    pub workspace: Option<u64>,
    /// The share of a limit from which on the person is warned.
    pub warn_at: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { turn: None, task: None, thread: None, day: None, workspace: None, warn_at: WARN_AT }
    }
}

impl Limits {
    /// Each with its name in the file.
    fn each(&self) -> [(&'static str, Option<u64>); 5] {
        let Self { turn, task, thread, day, workspace, .. } = *self;
        [("turn", turn), ("task", task), ("thread", thread), ("day", day), ("workspace", workspace)]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    limits: Dollars,
    #[serde(default)]
    prices: BTreeMap<String, toml::Table>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dollars {
    turn: Option<f64>,
    task: Option<f64>,
    thread: Option<f64>,
    day: Option<f64>,
    workspace: Option<f64>,
    warn_at: Option<f64>,
}

/// Reads the file. The error says what is wrong and where, in one or a few lines.
pub fn parse(text: &str) -> Result<SpendingRules, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    let limits = Limits {
        turn: limit("turn", file.limits.turn)?,
        task: limit("task", file.limits.task)?,
        thread: limit("thread", file.limits.thread)?,
        day: limit("day", file.limits.day)?,
        workspace: limit("workspace", file.limits.workspace)?,
        warn_at: share(file.limits.warn_at.unwrap_or(WARN_AT))?,
    };
    let models = file.prices.into_iter().map(|(name, entry)| Ok((model(&name)?, price(&name, entry)?)));
    let models = models.collect::<Result<_, String>>()?;
    Ok(SpendingRules {
        limits,
        prices: PriceTable { source: "your spending.toml".to_owned(), models, ..PriceTable::default() },
    })
}

/// The text of the file with other limits; a limit that is none is taken out, and all else, comments too, stays. The error
/// says what is wrong with the file, or with a limit.
pub fn with_limits(text: &str, limits: &Limits) -> Result<String, String> {
    let before = parse(text)?;
    let mut document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    let table = document.entry("limits").or_insert_with(toml_edit::table);
    let table = table.as_table_like_mut().ok_or("`limits` is not a table")?;
    for (name, limit) in limits.each() {
        #[expect(clippy::cast_precision_loss, reason = "a limit has a few digits")]
        match limit.map(|limit| limit as f64 / PICODOLLARS) {
            Some(dollars) => match table.get_mut(name).and_then(toml_edit::Item::as_value_mut) {
                Some(value) => {
                    let decor = value.decor().clone();
                    *value = dollars.into();
                    *value.decor_mut() = decor;
                }
                None => drop(table.insert(name, toml_edit::value(dollars))),
            },
            None => drop(table.remove(name)),
        }
    }
    let text = document.to_string();
    let after = parse(&text)?;
    let sound = after.prices == before.prices && after.limits.warn_at.total_cmp(&before.limits.warn_at).is_eq();
    if sound { Ok(text) } else { Err("the form of this file can't be edited here".to_owned()) }
}

fn limit(name: &str, dollars: Option<f64>) -> Result<Option<u64>, String> {
    match dollars {
        None => Ok(None),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by the guard")]
        Some(dollars) if (0.0..=LARGEST).contains(&dollars) => Ok(Some((dollars * PICODOLLARS).round() as u64)),
        Some(dollars) => {
            Err(format!("limits.{name} = {dollars}: a limit is an amount in dollars, from 0 to a million"))
        }
    }
}

fn share(share: f64) -> Result<f64, String> {
    let sound = (0.0..=1.0).contains(&share);
    sound.then_some(share).ok_or_else(|| format!("limits.warn_at = {share}: this is a share of a limit, from 0 to 1"))
}

fn model(name: &str) -> Result<String, String> {
    name.parse::<ModelRef>().map(|model| model.to_string()).map_err(|error| format!("prices.\"{name}\": {error}"))
}

fn price(name: &str, entry: toml::Table) -> Result<Price, String> {
    const FIELDS: [&str; 10] = [
        "input",
        "output",
        "cache_read",
        "cache_write",
        "cache_write_hour",
        "reasoning",
        "above",
        "fast",
        "valid_from",
        "before",
    ];
    if let Some(unknown) = entry.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!("prices.\"{name}\": unknown field `{unknown}`; the fields are {}", FIELDS.join(", ")));
    }
    let price: Price = entry.try_into().map_err(|error| format!("prices.\"{name}\": {error}"))?;
    let is_half = |line: &Price| line.rates.input.is_none() || line.rates.output.is_none();
    if is_half(&price) || price.before.iter().any(is_half) {
        return Err(format!("prices.\"{name}\": `input` and `output` are needed, in dollars per million tokens"));
    }
    Ok(price)
}

#[cfg(test)]
mod tests {
    use aside_core::Usage;

    use super::*;

    #[test]
    fn limits_and_prices_are_read() {
        let text =
            "[limits]\nturn = 0.5\nday = 10\nwarn_at = 0.9\n\n[prices.\"openai/house\"]\ninput = 1\noutput = 2.5\n";
        let rules = parse(text).unwrap();
        let (turn, day) = (Some(500_000_000_000), Some(10_000_000_000_000));
        let limits = Limits { turn, day, warn_at: 0.9, ..Limits::default() };
        assert_eq!(rules.limits, limits);
        let usage = Usage { input: Some(2), output: Some(2), ..Usage::default() };
        assert_eq!(rules.prices.models["openai/house"].cost(&usage).picodollars, 7_000_000);
        assert_eq!(parse("").unwrap().limits, Limits::default());
    }

    #[test]
    fn limits_are_changed_where_they_stand_and_all_else_stays() {
        let limits = |turn, day| Limits { turn, day, ..Limits::default() };
        let text = "# mine\n[limits]  # dollars\nturn = 0.5 # each\nthread = 5\nwarn_at = 0.9\n\n# prices\n[prices.\"a/b\"]\ninput = 1\noutput = 2\n";
        let changed = with_limits(text, &limits(Some(250_000_000_000), Some(10_000_000_000_000))).unwrap();
        let expected = text.replace("0.5 # each\nthread = 5", "0.25 # each").replace("0.9\n", "0.9\nday = 10.0\n");
        assert_eq!(changed, expected);
        let fresh = with_limits("", &limits(None, Some(1_000_000_000_000))).unwrap();
        assert_eq!(parse(&fresh).unwrap().limits.day, Some(1_000_000_000_000));
        let inline = with_limits("limits = { turn = 1 }\n", &limits(None, None)).unwrap();
        assert_eq!(parse(&inline).unwrap().limits, Limits::default());
        assert!(with_limits("[limits]\nturn = \"much\"\n", &limits(None, None)).is_err());
        assert!(with_limits("", &limits(Some(u64::MAX), None)).unwrap_err().contains("a million"));
        let rest = Limits { task: Some(1_000_000_000_000), workspace: Some(500_000_000_000_000), ..Limits::default() };
        assert_eq!(parse(&with_limits("", &rest).unwrap()).unwrap().limits, rest);
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |text: &str, expected: &str| {
            let said = parse(text).unwrap_err();
            assert!(said.contains(expected), "{said}");
        };
        mistake("[limits]\ndaily = 3\n", "daily");
        mistake("[limits]\nday = -1\n", "limits.day = -1");
        mistake("[limits]\nday = nan\n", "limits.day");
        mistake("[limits]\nwarn_at = 80\n", "share of a limit");
        mistake("[prices.house]\ninput = 1\noutput = 1\n", "does not name a model");
        mistake("[prices.\"a/b\"]\ninput = 1\n", "`output`");
        mistake("[prices.\"a/b\"]\ninput = 1\noutput = 1\ncached = 1\n", "`cached`");
        mistake("[prices.\"a/b\"]\ninput = 1\noutput = 1\nvalid_from = \"soon\"\n", "\"2026-11-21\"");
        mistake("[prices.\"a/b\"]\ninput = 1\noutput = 1\nbefore = [{ input = 1 }]\n", "`output`");
        mistake("[prices.\"a/b\"]\ninput = -1\noutput = 1\n", "not a price");
    }
}
