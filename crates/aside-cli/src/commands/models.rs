//! `aside models list|test|prices|spending`: what answers here, and what it has cost.

use aside_core::{Cost, Usage, dollars, harmless};
use aside_protocol::{ModelStatus, ModelTested, Models as Found, ProviderStatus, SpendingSum, SpendingView, TestModel};

mod keys;
mod prices;
mod providers;

use super::do_action;
use crate::{
    arguments::{By, Models, Where},
    client::Client,
    ended::Ended,
    output::Output,
    workspace,
};

/// Lists, tries or sums up models.
pub async fn models(what: Models, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = carry_out(&client, what, output).await;
    client.finish().await;
    result
}

async fn pull(client: &Client, name: &str, yes: bool, output: &Output) -> anyhow::Result<Ended> {
    let found: Found = client.get("models").await?;
    let args = serde_json::json!({ "model": with_provider(name, &found) });
    let request = do_action::request("model.pull".parse()?, args, None, false);
    do_action::with(client, &request, yes, output).await
}

/// Ollama's own names may have a `/` too: in `hf.co/…` no provider is named.
fn with_provider(name: &str, found: &Found) -> String {
    let named = name.split_once('/').is_some_and(|(id, _)| found.providers.iter().any(|one| one.id == id));
    if named { name.to_owned() } else { format!("ollama/{name}") }
}

async fn carry_out(client: &Client, what: Models, output: &Output) -> anyhow::Result<Ended> {
    match what {
        Models::List { ask } => {
            let found: Found = match ask {
                Some(service) => client.find("models", &[("fetch", &service)]).await?,
                None => client.get("models").await?,
            };
            output.result(&found, || found.providers.iter().map(|one| provider(one, &found)).collect());
        }
        Models::Test { model } => {
            let tested: ModelTested = client.post("models/test", &TestModel { model }).await?;
            output.result(&tested, || result(&tested));
        }
        Models::Pull { name, yes } => return pull(client, &name, yes, output).await,
        Models::Key { what } => keys::keys(client, what, output).await?,
        Models::Allow { service, host } => providers::allow(client, &service, host, output).await?,
        Models::Disallow { service } => providers::disallow(client, &service, output).await?,
        Models::LocalOnly { switch } => providers::local_only(client, switch.as_deref(), output).await?,
        Models::Prices { what } => prices::prices(client, what, output).await?,
        Models::Spending { by: Some(by) } => {
            let sums: Vec<SpendingSum> = client.find("spending/sums", &[("by", word(by))]).await?;
            output.result(&sums, || sums.iter().map(sum).collect());
        }
        Models::Spending { by: None } => {
            let view: SpendingView = client.get("spending").await?;
            output.result(&view, || spending(&view));
        }
    }
    Ok(Ended::Done)
}

fn provider(provider: &ProviderStatus, found: &Found) -> String {
    let place = if provider.local { "this computer" } else { provider.endpoint.as_str() };
    let mut text = format!("{} ({place})\n", provider.name);
    let problems = provider.problem.iter().chain(&provider.list_problem);
    text.extend(problems.map(|problem| format!("    {problem}\n")));
    if !provider.asked && provider.problem.is_none() {
        text += &format!("    models not listed yet; run `aside models list --ask {}`\n", provider.id);
    }
    for model in &provider.models {
        let mark = if found.chosen.as_ref() == Some(&model.model) { '*' } else { ' ' };
        text += &format!("  {mark} {}{}\n", model.model, abilities(model));
    }
    text
}

fn abilities(model: &ModelStatus) -> String {
    let abilities = [(model.tools, "tools"), (model.vision, "images"), (model.thinking, "thinks")];
    let mut words: Vec<String> =
        abilities.iter().filter(|(has, _)| *has == Some(true)).map(|(_, word)| (*word).to_owned()).collect();
    if model.tools == Some(false) {
        words.push("no tools".to_owned());
    }
    words.extend(model.context.map(|tokens| format!("reads {tokens} tokens")));
    if words.is_empty() { String::new() } else { format!("  ({})", words.join(", ")) }
}

fn result(tested: &ModelTested) -> String {
    let tools = match tested.called_tool {
        Some(true) => "calls tools",
        Some(false) => "supports tools, but did not call the requested one",
        None => "does not support tools; it can edit by writing changes as text",
    };
    let first = tested.first_ms.map_or_else(String::new, |ms| format!("first word after {ms} ms, "));
    let said =
        if tested.text.trim().is_empty() { String::new() } else { format!("its answer: {}\n", tested.text.trim()) };
    format!("answers; {tools}\n{said}{first}{}, {}\n", tokens(&tested.usage), money(&tested.cost))
}

fn tokens(usage: &Usage) -> String {
    let count = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string());
    format!("{} tokens in, {} out", count(usage.input), count(usage.output))
}

fn spending(view: &SpendingView) -> String {
    let mut text = format!("today  {}\ntotal  {}\n", money(&view.today), money(&view.total));
    for model in &view.models {
        text +=
            &format!("  {}  {} calls, {}, {}\n", model.model, model.calls, tokens(&model.usage), money(&model.cost));
    }
    for (scope, limit) in view.limits.set() {
        text += &format!("limit per {scope}: {}\n", dollars(limit));
    }
    text.extend(view.problem.iter().map(|problem| format!("{problem}\n")));
    text.extend(view.warning.iter().map(|warning| format!("{warning}\n")));
    text.extend(view.file.iter().map(|file| format!("your limits and prices: {file}\n")));
    text.extend(view.prices.iter().map(|list| format!("prices: {}\n", prices::named(list))));
    text
}

fn word(by: By) -> &'static str {
    match by {
        By::Turn => "turn",
        By::Thread => "thread",
        By::Task => "task",
        By::Day => "day",
        By::Model => "model",
    }
}

fn sum(sum: &SpendingSum) -> String {
    let SpendingSum { of, name, calls, usage, cost } = sum;
    let name = if name == of { String::new() } else { format!("  {}", harmless(name)) };
    format!("{of}{name}  {calls} calls, {}, {}\n", tokens(usage), money(cost))
}

/// What is known of a cost: dollars, and what nobody knows said as such.
fn money(cost: &Cost) -> String {
    let mut words = Vec::new();
    if cost.picodollars > 0 || (cost.unknown == 0 && cost.local == 0) {
        words.push(dollars(cost.picodollars));
    }
    match cost.unknown {
        0 => {}
        1 => words.push("1 call of unknown price".to_owned()),
        calls => words.push(format!("{calls} calls of unknown price")),
    }
    if let (Some(last), 1..) = (words.last_mut(), cost.at_most) {
        *last += &format!(", at most {}", dollars(cost.at_most));
    }
    if cost.local > 0 {
        #[expect(clippy::cast_precision_loss, reason = "for people")]
        let seconds = cost.milliseconds as f64 / 1000.0;
        words.push(format!("{seconds:.1} s on this computer"));
    }
    words.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_pulled_for_the_ollama_that_is_named_and_a_library_is_none() {
        let ids = ["ollama", "attic"].map(|id| serde_json::json!({
            "id": id, "name": id, "local": true, "endpoint": "", "host": null, "consent": "not_needed", "key": "none",
            "takes_key": false, "off": false, "problem": null, "pulls": true, "set_up": true, "asked": true, "list_problem": null,
            "models": []
        }));
        let local_only = serde_json::json!({ "on": false, "forced": false });
        let found = serde_json::json!({ "providers": ids, "chosen": null, "ollama": "ready", "local_only": local_only, "outside_problem": null });
        let found: Found = serde_json::from_value(found).unwrap();
        for (typed, meant) in [
            ("qwen3:4b", "ollama/qwen3:4b"),
            ("attic/qwen3:4b", "attic/qwen3:4b"),
            ("ollama/qwen3:4b", "ollama/qwen3:4b"),
            ("hf.co/org/model", "ollama/hf.co/org/model"),
        ] {
            assert_eq!(with_provider(typed, &found), meant);
        }
    }

    #[test]
    fn what_nobody_knows_is_said_and_never_free() {
        let cost = Cost { unknown: 2, ..Cost::default() };
        assert_eq!(money(&cost), "2 calls of unknown price");
        let stopped = Cost { unknown: 1, at_most: 500_000_000_000, ..Cost::default() };
        assert_eq!(money(&stopped), "1 call of unknown price, at most $0.50");
        let mixed =
            Cost { picodollars: 1_230_000_000_000, unknown: 1, local: 1, milliseconds: 1500, ..Cost::default() };
        assert_eq!(money(&mixed), "$1.23 and 1 call of unknown price and 1.5 s on this computer");
        assert_eq!(money(&Cost::default()), "$0.00");
        assert_eq!(money(&Cost { picodollars: 3_450_000_000, ..Cost::default() }), "$0.0034");
    }
}
