//! `aside doctor`: what was found on this machine, what is missing, and what to do about it.

mod history;
mod languages;
mod money;
mod programs;
mod services;

use aside_core::{AssistantState, PolicyView, SandboxLevel, Timestamp, harmless};
use aside_protocol::{AuditCheck, KeyStatus, LanguageServers, Models, PriceLists, Programs, SpendingView, Status};
use aside_server::Ui;
use serde::Serialize;

use crate::{
    arguments::Where,
    client::Client,
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// One thing that was looked at.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    /// What to do, if something can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    todo: Option<String>,
}

/// How it is with a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// As it should be.
    Good,
    /// Something that could be of use is missing, or could be better.
    Look,
    /// Something that was set up does not work.
    Broken,
}

impl Check {
    fn good(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Good, found: found.into(), todo: None }
    }

    fn look(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { state: State::Look, todo: Some(todo.into()), ..Self::good(name, found) }
    }

    fn broken(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { state: State::Broken, ..Self::look(name, found, todo) }
    }
}

/// Looks at everything; fails if something that was set up does not work. With `ask`, services elsewhere that are set up
/// are asked for their models, which sends their key and nothing else.
pub async fn doctor(place: &Where, ask: bool, ui: Ui, output: &Output) -> anyhow::Result<Ended> {
    let already = workspace::running(place)?;
    let client = workspace::open(place).await?;
    let checks = look(&client, already.is_some(), ask, ui).await;
    client.finish().await;
    let checks = checks?;
    output.result(&checks, || checks.iter().map(|check| line(check, output)).collect());
    let worst = checks.iter().map(|check| check.state).max();
    Ok(if worst == Some(State::Broken) { Ended::Failed } else { Ended::Done })
}

async fn look(client: &Client, already: bool, ask: bool, ui: Ui) -> anyhow::Result<Vec<Check>> {
    let status: Status = client.get("status").await?;
    let models = models(client, ask).await?;
    let keys: Vec<KeyStatus> = client.get("models/keys").await?;
    let prices: PriceLists = client.get("models/prices").await?;
    let spending: SpendingView = client.get("spending").await?;
    let machine: Programs = client.get("programs").await?;
    let languages: LanguageServers = client.get("language-servers").await?;
    let mut checks = vec![
        Check::good("version", &status.version),
        Check::good("workspace", &status.workspace),
        Check::good("server", server(client, already)),
        user_interface(ui),
        sandbox(&status),
        audit(client.post("audit/verify", &serde_json::json!({})).await?),
        rules(&client.get("policy").await?),
        assistant(&client.get("assistant").await?),
    ];
    checks.extend(services::checks(&models, &keys));
    checks.extend([money::prices(&prices, now()), money::limits(&spending)]);
    checks.extend([programs::python(&machine.python), programs::latex(&machine.latex)]);
    checks.extend(languages::checks(&languages));
    checks.extend(history::checks(&client.get("history").await?));
    Ok(checks)
}

async fn models(client: &Client, ask: bool) -> anyhow::Result<Models> {
    let mut found: Models = client.get("models").await?;
    if ask {
        let ready = |one: &&aside_protocol::ProviderStatus| one.set_up && !one.local && one.problem.is_none();
        let ids: Vec<String> = found.providers.iter().filter(ready).map(|one| one.id.clone()).collect();
        for id in ids {
            found = client.find("models", &[("fetch", &id)]).await?;
        }
    }
    Ok(found)
}

fn user_interface(ui: Ui) -> Check {
    match ui("index.html").is_some() {
        true => Check::good("user interface", "built"),
        false => Check::look("user interface", "not built", "run `cargo xtask up`"),
    }
}

fn audit(check: AuditCheck) -> Check {
    match check.problem {
        None => Check::good("audit", format!("all {} entries are intact", check.entries)),
        Some(problem) => Check::broken("audit", harmless(&problem), "`aside audit verify` shows where"),
    }
}

fn rules(policy: &PolicyView) -> Check {
    let problem = policy.layers.iter().find_map(|layer| layer.problem.as_deref());
    let written: usize = policy.layers.iter().filter(|layer| layer.file.is_some()).map(|layer| layer.rules.len()).sum();
    match problem {
        Some(problem) => Check::broken(
            "policy",
            format!("every change needs approval because of a mistake: {}", harmless(problem)),
            "fix that file, then check it with `aside policy show`",
        ),
        None => Check::good("policy", format!("{written} rules besides the built-in ones")),
    }
}

/// What the assistant may do here, and who says so.
fn assistant(state: &AssistantState) -> Check {
    match state.because.iter().any(|reason| reason.mistake.is_some()) {
        false => Check::good("AI", state.sentence()),
        true => Check::broken("AI", state.sentence(), "fix the named file"),
    }
}

/// What keeps commands apart, and what to install if nothing does.
fn sandbox(status: &Status) -> Check {
    let missing = status.sandbox_missing.join(" ");
    match status.sandbox {
        SandboxLevel::Bubblewrap => Check::good("sandbox", "bubblewrap"),
        SandboxLevel::Landlock => {
            Check::good("sandbox", format!("Landlock and seccomp; bubblewrap is stronger but missing: {missing}"))
        }
        SandboxLevel::None => {
            Check::look("sandbox", format!("none, so every command needs approval: {missing}"), "install bubblewrap")
        }
    }
}

fn server(client: &Client, already: bool) -> String {
    match already {
        true => format!("running at {}", client.serving().url),
        false => "not running; started for this command".to_owned(),
    }
}

/// The day of the price list is compared with that of the person's clock.
fn now() -> Timestamp {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}

fn line(check: &Check, output: &Output) -> String {
    let mark = match check.state {
        State::Good => output.paint(Colour::Green, "ok    "),
        State::Look => output.paint(Colour::Yellow, "look  "),
        State::Broken => output.paint(Colour::Red, "broken"),
    };
    let todo = check.todo.as_ref().map(|todo| format!("{:24}-> {}\n", "", harmless(todo))).unwrap_or_default();
    format!("{mark}  {:14}  {}\n{todo}", check.name, harmless(&check.found))
}
