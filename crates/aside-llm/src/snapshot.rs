//! What is known of models beforehand, for services whose model list says little or that have not been asked.

use std::{collections::HashMap, sync::LazyLock};

use crate::ModelInfo;

/// By provider and model. What the table does not name as a capability, the model does not have.
static KNOWN: LazyLock<HashMap<(&str, &str), ModelInfo>> =
    LazyLock::new(|| include_str!("snapshot/models.tsv").lines().filter_map(row).collect());

/// Returns what is known of a model; of a dated version, what is known of the model without the date.
pub(crate) fn find(provider: &str, model: &str) -> Option<ModelInfo> {
    let known = KNOWN.get(&(provider, model)).or_else(|| KNOWN.get(&(provider, undated(model)?)));
    known.map(|known| ModelInfo { name: model.to_owned(), ..known.clone() })
}

/// Cuts `-20260102`, `-2026-01-02` or `-latest` off a name.
fn undated(model: &str) -> Option<&str> {
    let cut = |shape: &str| {
        let (name, date) = model.split_at_checked(model.len().checked_sub(shape.len())?)?;
        let fits = |(char, shape): (u8, u8)| if shape == b'0' { char.is_ascii_digit() } else { char == shape };
        date.bytes().zip(shape.bytes()).all(fits).then_some(name)
    };
    cut("-00000000").or_else(|| cut("-0000-00-00")).or_else(|| cut("-latest"))
}

fn row(line: &'static str) -> Option<((&'static str, &'static str), ModelInfo)> {
    let [provider, model, context, max_output, able] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
    let can = |word: &str| Some(able.split(',').any(|capability| capability == word));
    let info = ModelInfo {
        tools: can("tools"),
        vision: can("vision"),
        thinking: can("thinking"),
        context: context.parse().ok(),
        max_output: max_output.parse().ok(),
        ..ModelInfo::named(model)
    };
    Some(((provider, model), info))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    #[test]
    fn every_row_is_read_and_belongs_to_a_service() {
        let rows = include_str!("snapshot/models.tsv").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(KNOWN.len(), rows.count());
        for (provider, model) in KNOWN.keys() {
            assert!(Preset::of(provider).is_some() && !model.is_empty(), "{provider} {model}");
        }
    }

    #[test]
    fn a_date_does_not_make_another_model() {
        let known = find("anthropic", "claude-opus-4-5").unwrap();
        assert_eq!((known.context, known.max_output), (Some(200_000), Some(64_000)));
        let dated = find("anthropic", "claude-opus-4-5-20991231").unwrap();
        assert_eq!((dated.name.as_str(), dated.max_output), ("claude-opus-4-5-20991231", Some(64_000)));
        assert_eq!(find("openai", "gpt-4o").unwrap().thinking, Some(false));
        assert_eq!(find("openai", "a-model-of-tomorrow"), None);
        assert_eq!(undated("gpt-4o-2024-08-06"), Some("gpt-4o"));
        assert_eq!(undated("gpt-4-0613"), None);
    }
}
