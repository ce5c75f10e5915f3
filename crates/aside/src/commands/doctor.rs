//! `aside doctor`: what was found on this machine, and what is missing.

use aside_core::{AssistantState, PolicyView, SandboxLevel, harmless};
use aside_protocol::{AuditCheck, Models, Status};
use serde::Serialize;

use crate::{
    arguments::Where,
    client::Client,
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    good: bool,
    found: String,
}

/// Looks at everything.
pub async fn doctor(place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let already = workspace::running(place)?;
    let client = workspace::open(place).await?;
    let checks = look(&client, already.is_some()).await;
    client.finish().await;
    let checks = checks?;
    output.result(&checks, || checks.iter().map(|check| line(check, output)).collect());
    Ok(Ended::Done)
}

async fn look(client: &Client, already: bool) -> anyhow::Result<Vec<Check>> {
    let status: Status = client.get("status").await?;
    let models: Models = client.get("models").await?;
    let audit: AuditCheck = client.post("audit/verify", &serde_json::json!({})).await?;
    let policy: PolicyView = client.get("policy").await?;
    let sandbox = sandbox(&status);
    let mut checks = vec![
        Check { name: "version", good: true, found: status.version },
        Check { name: "workspace", good: true, found: status.workspace },
        Check { name: "server", good: true, found: server(client, already) },
        Check {
            name: "user interface",
            good: aside_server::has_ui(),
            found: if aside_server::has_ui() { "built" } else { "not built: run `cargo xtask up`" }.to_owned(),
        },
        sandbox,
        Check {
            name: "audit",
            good: audit.problem.is_none(),
            found: audit.problem.unwrap_or_else(|| format!("{} entries hold together", audit.entries)),
        },
    ];
    checks.push(rules(&policy));
    let assistant: AssistantState = client.get("assistant").await?;
    let mistaken = assistant.because.iter().any(|reason| reason.mistake.is_some());
    checks.push(Check { name: "AI", good: !mistaken, found: assistant.sentence() });
    for provider in models.providers {
        let count = provider.models.len();
        let found = provider.problem.clone().unwrap_or_else(|| format!("{count} models at {}", provider.endpoint));
        checks.push(Check {
            name: "models",
            good: provider.problem.is_none(),
            found: format!("{}: {found}", provider.name),
        });
    }
    let found = models.chosen.map_or_else(|| "none: start Ollama or set a key".to_owned(), |model| model.to_string());
    checks.push(Check { name: "chosen model", good: !found.starts_with("none"), found });
    Ok(checks)
}

fn rules(policy: &PolicyView) -> Check {
    let problem = policy.layers.iter().find_map(|layer| layer.problem.as_deref());
    let written: usize = policy.layers.iter().filter(|layer| layer.file.is_some()).map(|layer| layer.rules.len()).sum();
    let found = match problem {
        Some(problem) => format!("every change is asked about, because of {}", harmless(problem)),
        None => format!("{written} rules beside those that are built in"),
    };
    Check { name: "policy", good: problem.is_none(), found }
}

/// What keeps commands apart, and what to install if nothing does.
fn sandbox(status: &Status) -> Check {
    let missing = status.sandbox_missing.join(" ");
    let found = match status.sandbox {
        SandboxLevel::Bubblewrap => "bubblewrap".to_owned(),
        SandboxLevel::Landlock => format!("Landlock and seccomp; bubblewrap would be stronger: {missing}"),
        SandboxLevel::None => format!("none, so that every command is asked about: {missing}"),
    };
    Check { name: "sandbox", good: status.sandbox != SandboxLevel::None, found }
}

fn server(client: &Client, already: bool) -> String {
    match already {
        true => format!("running at {}", client.serving().url),
        false => "not running; started for this command".to_owned(),
    }
}

fn line(check: &Check, output: &Output) -> String {
    let mark = if check.good { output.paint(Colour::Green, "ok  ") } else { output.paint(Colour::Yellow, "look") };
    format!("{mark}  {:15} {}\n", check.name, check.found)
}
