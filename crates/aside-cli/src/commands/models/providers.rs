//! What a person says of services that are not on this machine.

use anyhow::{Context as _, bail};
use aside_protocol::{GiveConsent, LocalOnly, Models, ProviderStatus, SetLocalOnly};

use crate::{client::Client, output::Output};

/// Lets content go to a service, where it is or where it was said to be.
pub(super) async fn allow(client: &Client, service: &str, host: Option<String>, output: &Output) -> anyhow::Result<()> {
    let found: Models = client.get("models").await?;
    let host = match host {
        Some(host) => host,
        None => only_host(find(&found, service)?)?,
    };
    let found: Models = client.put(&below("models/consent", service)?, &GiveConsent { host: host.clone() }).await?;
    let words =
        format!("your messages, and the content that a model reads to answer, may be sent to {service} at {host}\n");
    output.result(find(&found, service)?, || words);
    Ok(())
}

/// Takes it back.
pub(super) async fn disallow(client: &Client, service: &str, output: &Output) -> anyhow::Result<()> {
    let found: Models = client.delete(&below("models/consent", service)?).await?;
    let provider = found.providers.iter().find(|provider| provider.id == service);
    output.result(&provider, || format!("nothing more is sent to {service}\n"));
    Ok(())
}

/// Says whether any other machine is reached, or shows it.
pub(super) async fn local_only(client: &Client, switch: Option<&str>, output: &Output) -> anyhow::Result<()> {
    let now: LocalOnly = match switch {
        Some(word) => client.put("models/local-only", &SetLocalOnly { on: word == "on" }).await?,
        None => client.get("models/local-only").await?,
    };
    output.result(&now, || match now {
        LocalOnly { on: false, .. } => {
            "Local only is off: Aside connects to the services that you allowed\n".to_owned()
        }
        LocalOnly { forced: true, .. } => {
            "Local only is on, set when Aside was started: no connections to other computers\n".to_owned()
        }
        LocalOnly { .. } => "Local only is on: no connections to other computers\n".to_owned(),
    });
    Ok(())
}

/// The path of a service below another.
pub(super) fn below(path: &str, service: &str) -> anyhow::Result<String> {
    let plain =
        !service.is_empty() && service.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if plain { Ok(format!("{path}/{service}")) } else { bail!("`{service}` is not a service name") }
}

fn find<'a>(found: &'a Models, service: &str) -> anyhow::Result<&'a ProviderStatus> {
    let provider = found.providers.iter().find(|provider| provider.id == service);
    provider.with_context(|| format!("there is no service `{service}`; `aside models list` shows all services"))
}

/// The one place that a service sends to.
fn only_host(provider: &ProviderStatus) -> anyhow::Result<String> {
    let of_models = provider.models.iter().filter_map(|model| model.host.clone());
    let mut hosts: Vec<String> = provider.host.clone().into_iter().chain(of_models).collect();
    hosts.sort_unstable();
    hosts.dedup();
    match (hosts.pop(), hosts.is_empty()) {
        (Some(host), true) => Ok(host),
        (Some(host), false) => {
            bail!("{} has the hosts {host} and {}: choose one with --host", provider.name, hosts.join(", "))
        }
        (None, _) => match &provider.problem {
            Some(problem) => bail!("{problem}"),
            None => bail!("{} runs on this computer, so nothing is sent elsewhere", provider.name),
        },
    }
}
