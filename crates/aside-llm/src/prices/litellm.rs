//! Reads the price list that the LiteLLM project keeps (`model_prices_and_context_window.json`).

use serde_json::{Map, Value};

use super::{Ability, Price, PriceTable, price::Rates, rate::Rate};

const ABILITIES: [(&str, Ability); 3] = [
    ("supports_function_calling", Ability::Tools),
    ("supports_vision", Ability::Vision),
    ("supports_reasoning", Ability::Thinking),
];

/// Reads the models of these providers, as (name there, our id). What is no model that answers in text is left out, and
/// so is one that its maker trained for somebody.
pub fn read(list: &Value, providers: &[(&str, &str)]) -> Option<PriceTable> {
    let mut table = PriceTable::default();
    for (key, entry) in list.as_object()? {
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
            table.models.insert(format!("{ours}/{name}"), price(entry));
        }
    }
    Some(table)
}

fn price(entry: &Map<String, Value>) -> Price {
    let number = |name: &str| entry.get(name).and_then(Value::as_u64).and_then(|number| number.try_into().ok());
    let mut price = Price {
        rates: rates(entry, ""),
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
            price.above.insert(thousands.saturating_mul(1000), rates(entry, &format!("_above_{text}k_tokens")));
        }
    }
    price
}

/// The prices whose names end like this.
fn rates(entry: &Map<String, Value>, ending: &str) -> Rates {
    let rate = |name: &str| Rate::per_million(entry.get(&format!("{name}{ending}"))?.as_f64()? * 1e6);
    Rates {
        input: rate("input_cost_per_token"),
        output: rate("output_cost_per_token"),
        cache_read: rate("cache_read_input_token_cost"),
        cache_write: rate("cache_creation_input_token_cost"),
        cache_write_hour: rate("cache_creation_input_token_cost_above_1hr"),
        reasoning: rate("output_cost_per_reasoning_token"),
    }
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
        assert_eq!(read(&json!([]), &[]), None);
    }
}
