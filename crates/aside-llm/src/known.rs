//! What is known of models beforehand, for services whose model list says little or that have not been asked.

use std::sync::{Arc, OnceLock};

use aside_prices::{Ability, Price, Prices, undated};

use crate::ModelInfo;

/// Returns the lists that hold now.
type Lists = Box<dyn Fn() -> Arc<Prices> + Send + Sync>;

/// The lists of prices say what models can do, too: the one that comes with Aside, and the one that was fetched last once
/// it is said where that is.
#[derive(Clone, Default)]
pub(crate) struct Beforehand(Arc<OnceLock<Lists>>);

impl Beforehand {
    /// Says which lists there are, from now on; a second word changes nothing.
    pub(crate) fn by(&self, lists: impl Fn() -> Arc<Prices> + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(lists));
    }

    /// Returns what is known of a model; of a dated version, what is known of the model without the date. What a list does
    /// not name as an ability, the model does not have. What the person wrote of prices says nothing of that.
    pub(crate) fn model(&self, provider: &str, model: &str) -> Option<ModelInfo> {
        let lists = self.0.get().map(|lists| lists()).unwrap_or_default();
        let named = |name: &str| {
            let name = format!("{provider}/{name}");
            lists.published().find_map(|list| list.models.get(&name)).map(|price| described(model, price))
        };
        named(model).or_else(|| named(undated(model)?))
    }
}

fn described(model: &str, price: &Price) -> ModelInfo {
    let can = |ability| Some(price.can.contains(&ability));
    ModelInfo {
        tools: can(Ability::Tools),
        vision: can(Ability::Vision),
        thinking: can(Ability::Thinking),
        context: price.context,
        max_output: price.max_output,
        ..ModelInfo::named(model)
    }
}

#[cfg(test)]
mod tests {
    use aside_prices::PriceTable;

    use super::*;
    use crate::Preset;

    fn known(provider: &str, model: &str) -> Option<ModelInfo> {
        Beforehand::default().model(provider, model)
    }

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
    #[test]
    fn a_model_that_only_a_fetched_list_names_is_known_by_it() {
        let price = Price { context: Some(1000), can: vec![Ability::Tools], ..Price::default() };
        let models = [("openai/a-model-of-tomorrow".to_owned(), price)].into();
        let fetched = Some(PriceTable { models, ..PriceTable::default() });
        let lists = Arc::new(Prices::new(PriceTable::default(), fetched));
        let beforehand = Beforehand::default();
        beforehand.by(move || lists.clone());
        let model = beforehand.model("openai", "a-model-of-tomorrow").unwrap();
        assert_eq!((model.context, model.tools, model.vision), (Some(1000), Some(true), Some(false)));
        assert_eq!(beforehand.model("openai", "gpt-4o"), known("openai", "gpt-4o"), "what came along still counts");
    }
}
