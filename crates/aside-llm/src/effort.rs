//! How much a model is to think, in the words of each wire. A model that is not known to think is told nothing: servers
//! refuse the question.

use aside_core::ThinkingEffort;
use serde_json::{Value, json};

/// Returns what is to be said to a model, if anything is.
pub(crate) fn wanted(effort: ThinkingEffort, thinks: Option<bool>) -> Option<ThinkingEffort> {
    (effort != ThinkingEffort::Usual && thinks == Some(true)).then_some(effort)
}

fn word(effort: ThinkingEffort) -> &'static str {
    match effort {
        ThinkingEffort::Usual | ThinkingEffort::Medium => "medium",
        ThinkingEffort::Off | ThinkingEffort::Low => "low",
        ThinkingEffort::High => "high",
    }
}

/// OpenAI's `effort`. What the least is called depends on the generation: `none`, before that `minimal`, and `low` where
/// thinking can't be turned off.
pub(crate) fn openai(effort: ThinkingEffort, model: &str) -> &'static str {
    let name = model.rsplit('/').next().unwrap_or(model);
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
    match effort {
        ThinkingEffort::Off if begins(&["o1", "o3", "o4", "gpt-oss", "codex"]) => "low",
        ThinkingEffort::Off if name == "gpt-5" || begins(&["gpt-5-"]) => "minimal",
        ThinkingEffort::Off => "none",
        effort => word(effort),
    }
}

/// Ollama's `think`: only gpt-oss knows levels, and can't be without; others refuse them.
pub(crate) fn ollama(effort: ThinkingEffort, model: &str) -> Value {
    if model.rsplit('/').next().is_some_and(|name| name.starts_with("gpt-oss")) {
        return word(effort).into();
    }
    (effort != ThinkingEffort::Off).into()
}

/// Gemini's `thinkingConfig`: a budget in tokens up to 2.5, a level since then. The larger models can't be without.
pub(crate) fn gemini(effort: ThinkingEffort, model: &str) -> Value {
    let has_no_off = model.contains("pro");
    let shown = effort != ThinkingEffort::Off;
    if model.contains("gemini-2") {
        let budget = match effort {
            ThinkingEffort::Off if has_no_off => 128,
            ThinkingEffort::Off => 0,
            ThinkingEffort::Low => 1024,
            ThinkingEffort::Usual | ThinkingEffort::Medium => 8192,
            ThinkingEffort::High => 24_576,
        };
        return json!({ "includeThoughts": shown, "thinkingBudget": budget });
    }
    let level = match effort {
        ThinkingEffort::Off if !has_no_off => "minimal",
        // It knows two levels.
        ThinkingEffort::Medium if model.contains("gemini-3-pro") => "high",
        effort => word(effort),
    };
    json!({ "includeThoughts": shown, "thinkingLevel": level })
}

/// Adds what Anthropic is told to a body that has its `max_tokens`: from 4.6 on the model decides within an effort, before
/// that it has a budget of tokens, which is part of the answer's.
pub(crate) fn anthropic(effort: ThinkingEffort, model: &str, body: &mut Value) {
    if decides_itself(model) {
        // Without the word it does not think, or as little as the effort says; some refuse to be told not to.
        if effort != ThinkingEffort::Off {
            body["thinking"] = json!({ "type": "adaptive" });
        }
        body["output_config"]["effort"] = word(effort).into();
        return;
    }
    let budget = match effort {
        ThinkingEffort::Off => {
            body["thinking"] = json!({ "type": "disabled" });
            return;
        }
        ThinkingEffort::Low => 2048,
        ThinkingEffort::Usual | ThinkingEffort::Medium => 8192,
        ThinkingEffort::High => 24_576,
    };
    let budget = budget.min(body["max_tokens"].as_u64().unwrap_or(0) * 3 / 4);
    if budget >= LEAST_BUDGET {
        body["thinking"] = json!({ "type": "enabled", "budget_tokens": budget });
    }
}

/// The smallest budget that Anthropic takes, in tokens.
const LEAST_BUDGET: u64 = 1024;

/// `claude-opus-4-6` and later; a name without a version is of today.
fn decides_itself(model: &str) -> bool {
    let mut numbers = model.split(['-', '.']).filter(|part| part.len() < 3).filter_map(|part| part.parse::<u32>().ok());
    numbers.next().is_none_or(|major| (major, numbers.next().unwrap_or(0)) >= (4, 6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generation_of_a_claude_is_read_from_its_name() {
        for name in ["claude-opus-4-6", "claude-opus-4-7-20260416", "claude-mythos-5", "claude-latest"] {
            assert!(decides_itself(name), "{name}");
        }
        for name in ["claude-3-7-sonnet-latest", "claude-opus-4-20250514", "claude-sonnet-4-5-20250929"] {
            assert!(!decides_itself(name), "{name}");
        }
    }

    #[test]
    fn a_budget_leaves_room_for_the_answer_or_is_none() {
        let thinking = |tokens: u64| {
            let mut body = json!({ "max_tokens": tokens });
            anthropic(ThinkingEffort::High, "claude-sonnet-4-5", &mut body);
            body["thinking"]["budget_tokens"].as_u64()
        };
        assert_eq!((thinking(64_000), thinking(8192), thinking(1024)), (Some(24_576), Some(6144), None));
    }

    #[test]
    fn who_is_not_known_to_think_is_told_nothing() {
        assert_eq!(wanted(ThinkingEffort::High, None), None);
        assert_eq!(wanted(ThinkingEffort::High, Some(false)), None);
        assert_eq!(wanted(ThinkingEffort::Usual, Some(true)), None);
        assert_eq!(wanted(ThinkingEffort::Off, Some(true)), Some(ThinkingEffort::Off));
    }
}
