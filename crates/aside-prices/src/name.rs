//! Which model of a list a name in somebody's log means.

use crate::{Price, PriceTable, Prices};

/// Words at the end of a name that choose how the same model works, at the same prices.
const MANNERS: [&str; 8] = ["-latest", "-thinking", "-minimal", "-low", "-medium", "-high", "-xhigh", "-max-effort"];

/// Makers by how their models' names begin, as lists name the makers.
const MAKERS: [(&str, &str); 11] = [
    ("claude", "anthropic"),
    ("gpt", "openai"),
    ("chatgpt", "openai"),
    ("codex", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("gemini", "gemini"),
    ("grok", "xai"),
    ("deepseek", "deepseek"),
    ("mistral", "mistral"),
];

/// The price of a model by a name that may carry a provider, a region, a date, the size of its context or a manner of
/// working, and the list that it is from. `provider` is asked first; it may be empty. A name that only resembles another is
/// none: `claude-opus-4-1` is not `claude-opus-4-5`.
pub fn find_named<'a>(prices: &'a Prices, provider: &str, name: &str) -> Option<(&'a Price, &'a PriceTable)> {
    let name = name.trim().to_ascii_lowercase();
    let spellings = spellings(&name);
    let providers = providers(provider, &name, spellings.last()?);
    let lists = || prices.lists().chain([PriceTable::retired()]);
    spellings.iter().find_map(|spelling| {
        let keys = providers.iter().map(move |provider| format!("{provider}/{spelling}"));
        keys.into_iter().find_map(|key| lists().find_map(|list| Some((priced(list, &key)?, list))))
    })
}

/// Exactly so, or the only date that the list has of it.
fn priced<'a>(list: &'a PriceTable, key: &str) -> Option<&'a Price> {
    let is_dated = |(name, _): &(&String, &Price)| undated(name) == Some(key);
    list.models.get(key).or_else(|| {
        let longer = list.models.range(key.to_owned()..).take_while(|(name, _)| name.starts_with(key));
        longer.filter(is_dated).map(|(_, price)| price).last()
    })
}

/// The names to look for, the one that says most first.
fn spellings(name: &str) -> Vec<String> {
    let bare = name.rsplit('/').next().unwrap_or(name);
    let bare = bare.split(['[', ':', '@']).next().unwrap_or(bare);
    let bare = match bare.rfind("claude-") {
        // Bedrock: `us.anthropic.claude-…-v1`.
        Some(at) => bare[at..].strip_suffix("-v1").or(bare[at..].strip_suffix("-v2")).unwrap_or(&bare[at..]),
        None => bare,
    };
    let mut found = vec![name.to_owned(), bare.to_owned()];
    let mut shorter = bare;
    while let Some(cut) = undated(shorter).or_else(|| MANNERS.iter().find_map(|manner| shorter.strip_suffix(manner))) {
        found.push(cut.to_owned());
        shorter = cut;
    }
    if shorter.starts_with("claude-") {
        let dashed = shorter.replace('.', "-");
        found.extend(family_first(&dashed));
        found.push(dashed);
    }
    found
}

/// `claude-sonnet-4-5` for `claude-4-5-sonnet`, as Cursor calls it; only the models before had their names in that order.
fn family_first(name: &str) -> Option<String> {
    let (version, family) = name.strip_prefix("claude-")?.rsplit_once('-')?;
    let is_version = version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let is_family = ["opus", "sonnet", "haiku"].contains(&family);
    (is_version && is_family && !version.starts_with('3')).then(|| format!("claude-{family}-{version}"))
}

fn providers<'a>(asked: &'a str, name: &'a str, bare: &str) -> Vec<&'a str> {
    let named = name.split_once('/').map_or("", |(provider, _)| provider);
    let maker = MAKERS.iter().find(|(start, _)| bare.starts_with(start)).map_or("", |(_, maker)| *maker);
    let mut found: Vec<&str> = Vec::new();
    for provider in [asked, named, maker] {
        let provider = if provider == "google" { "gemini" } else { provider };
        if !provider.is_empty() && !found.contains(&provider) {
            found.push(provider);
        }
    }
    found
}

/// Cuts `-20260102` or `-2026-01-02` off a name, or `-latest`.
pub fn undated(model: &str) -> Option<&str> {
    let cut = |shape: &str| {
        let (name, date) = model.split_at_checked(model.len().checked_sub(shape.len())?)?;
        let fits = |(char, shape): (u8, u8)| if shape == b'0' { char.is_ascii_digit() } else { char == shape };
        date.bytes().zip(shape.bytes()).all(fits).then_some(name)
    };
    cut("-00000000").or_else(|| cut("-0000-00-00")).or_else(|| cut("-latest"))
}

#[cfg(test)]
mod tests {
    use aside_core::Usage;

    use super::*;

    /// What a million tokens in cost, in dollars.
    fn input_of(provider: &str, name: &str) -> Option<f64> {
        let usage = Usage { input: Some(1000), output: Some(0), ..Usage::default() };
        let prices = Prices::default();
        let (price, _) = find_named(&prices, provider, name)?;
        #[expect(clippy::cast_precision_loss, reason = "a few dollars")]
        Some(price.cost(&usage).picodollars as f64 / 1e9)
    }

    #[test]
    fn a_model_goes_by_many_names() {
        for name in [
            "claude-opus-4-5-20251101",
            "claude-opus-4-5",
            "Claude-Opus-4-5-20991231",
            "claude-opus-4-5-latest",
            "claude-opus-4.5",
            "claude-opus-4-5-thinking",
            "claude-opus-4-5-20251101[1m]",
            "anthropic/claude-opus-4.5:beta",
            "us.anthropic.claude-opus-4-5-20251101-v1:0",
            "claude-opus-4-5@20251101",
            "claude-4.5-opus",
            "claude-4.5-opus-high-thinking",
        ] {
            assert_eq!(input_of("anthropic", name), Some(5.0), "{name}");
            assert_eq!(input_of("", name), Some(5.0), "{name}");
        }
        assert_eq!(input_of("openai", "gpt-5-codex-high"), Some(1.25));
        assert_eq!(input_of("google", "models/gemini-2.5-pro"), input_of("", "gemini-2.5-pro"));
    }

    #[test]
    fn a_model_of_the_past_has_its_last_price() {
        assert_eq!(input_of("", "claude-opus-4-1-20250805"), Some(15.0));
        assert_eq!(input_of("", "claude-opus-4-1"), Some(15.0));
        assert_eq!(input_of("", "claude-3-5-sonnet"), Some(3.0));
        assert_eq!(input_of("", "claude-3.5-sonnet"), Some(3.0), "as Cursor calls it");
        assert_eq!(input_of("", "claude-sonnet-3-5"), None, "nobody calls it so");
        assert_eq!(input_of("", "claude-4.99-opus"), None);
    }

    #[test]
    fn what_only_resembles_a_model_is_another() {
        for name in
            ["claude-opus-4-99", "claude-opus", "gpt-5-code", "gpt", "", "opus", "my-gpt-5", "claude-opus-4-5-x"]
        {
            assert_eq!(input_of("", name), None, "{name}");
        }
    }

    #[test]
    fn a_date_is_told_from_a_version() {
        assert_eq!(undated("gpt-4o-2024-08-06"), Some("gpt-4o"));
        assert_eq!(undated("gpt-4-0613"), None);
    }
}
