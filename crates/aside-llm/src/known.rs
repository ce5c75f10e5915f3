//! What is known of models beforehand, for services whose model list says little or that have not been asked.

use aside_prices::{Ability, PriceTable, undated};

use crate::ModelInfo;

/// Returns what is known of a model; of a dated version, what is known of the model without the date. What the list does
/// not name as an ability, the model does not have.
pub(crate) fn known(provider: &str, model: &str) -> Option<ModelInfo> {
    let find = |name: &str| PriceTable::shipped().models.get(&format!("{provider}/{name}"));
    let found = find(model).or_else(|| find(undated(model)?))?;
    let can = |ability| Some(found.can.contains(&ability));
    Some(ModelInfo {
        tools: can(Ability::Tools),
        vision: can(Ability::Vision),
        thinking: can(Ability::Thinking),
        context: found.context,
        max_output: found.max_output,
        ..ModelInfo::named(model)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    #[test]
    fn every_model_belongs_to_a_service() {
        for name in PriceTable::shipped().models.keys() {
            let (provider, model) = name.split_once('/').unwrap();
            assert!(Preset::of(provider).is_some() && !model.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_date_does_not_make_another_model() {
        let opus = known("anthropic", "claude-opus-4-5").unwrap();
        assert_eq!((opus.context, opus.max_output), (Some(200_000), Some(64_000)));
        let dated = known("anthropic", "claude-opus-4-5-20991231").unwrap();
        assert_eq!((dated.name.as_str(), dated.max_output), ("claude-opus-4-5-20991231", Some(64_000)));
        assert_eq!(known("openai", "gpt-4o").unwrap().thinking, Some(false));
        assert_eq!(known("openai", "a-model-of-tomorrow"), None);
    }
}
