//! Reads the price list that the LiteLLM project keeps (`model_prices_and_context_window.json`).

use serde_json::{Map, Value};

use crate::{Ability, Factor, Price, PriceTable, Rate, Rates};

/// Dollars per million tokens. Nobody asks for more; a list that says so has mistaken the unit.
const DEAREST: f64 = 1000.0;

const ABILITIES: [(&str, Ability); 3] = [
    ("supports_function_calling", Ability::Tools),
    ("supports_vision", Ability::Vision),
    ("supports_reasoning", Ability::Thinking),
];

/// Reads the models of these providers, as (name there, our id). What is no model that answers in text is left out, and
/// so is one that its maker trained for somebody. The error says what is wrong and where: one absurd price, and nothing of
/// the list is to be believed.
pub fn read(list: &Value, providers: &[(&str, &str)]) -> Result<PriceTable, String> {
    let mut table = PriceTable::default();
    let entries = list.as_object().ok_or("it is not an object with models by name")?;
    for (key, entry) in entries {
        let Some(entry) = entry.as_object() else { continue };
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let Some((theirs, ours)) = providers.iter().find(|(theirs, _)| text("litellm_provider") == Some(theirs)) else {
            continue;
        };
        if !matches!(text("mode"), Some("chat" | "responses")) {
            continue;
        }
        let name = key.strip_prefix(&format!("{theirs}/")).unwrap_or(key);
        if !name.starts_with("ft:") {
            let price = price(entry).map_err(|mistake| format!("`{key}`: {mistake}"))?;
            table.models.insert(format!("{ours}/{name}"), price);
        }
    }
    Ok(table)
}

fn price(entry: &Map<String, Value>) -> Result<Price, String> {
    let number = |name: &str| entry.get(name).and_then(Value::as_u64).and_then(|number| number.try_into().ok());
    let mut price = Price {
        rates: rates(entry, "")?,
        fast: fast(entry)?,
        context: number("max_input_tokens"),
        max_output: number("max_output_tokens"),
        min_cached: number("prompt_cache_min_tokens"),
        can: ABILITIES
            .into_iter()
            .filter(|(name, _)| entry.get(*name) == Some(&Value::Bool(true)))
            .map(|(_, can)| can)
            .collect(),
        ..Price::default()
    };
    for key in entry.keys() {
        let threshold = key.strip_prefix("input_cost_per_token_above_").and_then(|rest| rest.strip_suffix("k_tokens"));
        if let Some((text, thousands)) = threshold.and_then(|text| Some((text, text.parse::<u64>().ok()?))) {
            price.above.insert(thousands.saturating_mul(1000), rates(entry, &format!("_above_{text}k_tokens"))?);
        }
    }
    Ok(price)
}

/// How many times as much its fast mode costs, if it has one.
fn fast(entry: &Map<String, Value>) -> Result<Option<Factor>, String> {
    let Some(value) = entry.get("provider_specific_entry").and_then(|entry| entry.get("fast")) else { return Ok(None) };
    let wrong = || {
        let value: String = value.to_string().chars().take(40).collect();
        format!("`provider_specific_entry.fast` is {value}, which is not a factor from 0.01 to 100")
    };
    value.as_f64().and_then(Factor::times).map(Some).ok_or_else(wrong)
}

/// The prices whose names end like this.
fn rates(entry: &Map<String, Value>, ending: &str) -> Result<Rates, String> {
    let rate = |name: &str| rate(entry, &format!("{name}{ending}"));
    Ok(Rates {
        input: rate("input_cost_per_token")?,
        output: rate("output_cost_per_token")?,
        cache_read: rate("cache_read_input_token_cost")?,
        cache_write: rate("cache_creation_input_token_cost")?,
        cache_write_hour: rate("cache_creation_input_token_cost_above_1hr")?,
        reasoning: rate("output_cost_per_reasoning_token")?,
    })
}

/// The list has dollars per token.
fn rate(entry: &Map<String, Value>, name: &str) -> Result<Option<Rate>, String> {
    let Some(value) = entry.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
    let dollars = value.as_f64().map(|dollars| dollars * 1e6).filter(|dollars| *dollars <= DEAREST);
    let rate = dollars.and_then(Rate::per_million);
    rate.map(Some).ok_or_else(|| {
        // A string may be as long as the list.
        let value: String = value.to_string().chars().take(40).collect();
        format!("`{name}` is {value}, which is not a price per token in dollars (0 to {})", DEAREST / 1e6)
    })
}

#[cfg(test)]
mod tests {
    use aside_core::Usage;
    use serde_json::json;

    use super::*;

    #[test]
    fn models_come_with_all_their_prices_and_the_rest_is_left_out() {
        let list = json!({
            "sample_spec": {"litellm_provider": "one of …", "mode": "chat"},
            "claude-x": {"litellm_provider": "anthropic", "mode": "chat", "input_cost_per_token": 3e-6,
                "output_cost_per_token": 1.5e-5, "cache_read_input_token_cost": 3e-7,
                "input_cost_per_token_above_200k_tokens": 6e-6, "output_cost_per_token_above_200k_tokens": 2.25e-5,
                "input_cost_per_token_above_200k_tokens_batches": 1e-6, "max_input_tokens": 1_000_000},
            "gemini/g": {"litellm_provider": "gemini", "mode": "chat", "input_cost_per_token": 1e-8, "output_cost_per_token": 0.0},
            "gemini/free": {"litellm_provider": "gemini", "mode": "chat", "supports_vision": true},
            "gemini/ft:mine": {"litellm_provider": "gemini", "mode": "chat"},
            "picture": {"litellm_provider": "gemini", "mode": "image_generation", "input_cost_per_token": 1, "output_cost_per_token": 1},
            "odd": 7,
        });
        let table = read(&list, &[("anthropic", "anthropic"), ("gemini", "gemini")]).unwrap();
        assert_eq!(table.models.keys().collect::<Vec<_>>(), ["anthropic/claude-x", "gemini/free", "gemini/g"]);
        let claude = &table.models["anthropic/claude-x"];
        assert_eq!(claude.above.keys().collect::<Vec<_>>(), [&200_000]);
        assert_eq!(claude.context, Some(1_000_000));
        assert_eq!(table.models["gemini/free"].can, [Ability::Vision]);
        let usage = Usage { input: Some(300_000), output: Some(0), cache_read: Some(300_000), ..Usage::default() };
        assert_eq!(claude.cost(&usage).picodollars, 90_000_000_000);
    }

    #[test]
    fn one_absurd_price_refuses_the_list_and_says_where() {
        let with = |name: &str, value: Value| {
            let mut entry = json!({"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1e-6});
            entry[name] = value;
            read(&json!({ "odd": entry }), &[("openai", "openai")])
        };
        for (name, value) in [
            ("input_cost_per_token", json!(-1e-6)),
            ("output_cost_per_token", json!(1.1e-3)),
            ("output_cost_per_token", json!("NaN")),
            ("input_cost_per_token_above_200k_tokens", json!(3)),
            ("cache_read_input_token_cost", json!(true)),
        ] {
            let mistake = with(name, value.clone()).unwrap_err();
            assert!(mistake.contains("`odd`") && mistake.contains(name), "{name} {value}: {mistake}");
        }
        assert!(with("output_cost_per_token", json!(1e-3)).is_ok());
        assert!(with("output_cost_per_token", Value::Null).is_ok());
        assert!(read(&json!([]), &[]).is_err());
    }
}
