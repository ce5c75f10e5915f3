//! `aside kernels list|stop`: what runs the code of notebooks.

use aside_core::{FoundKernels, KernelPlace, KernelState, RunningKernel, WithoutKernel, WorkspacePath, harmless};
use aside_protocol::Submitted;
use serde::Serialize;
use serde_json::json;

use super::do_action::request;
use crate::{
    arguments::{Kernels, Where},
    client::Client,
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// What is listed.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    found: FoundKernels,
    running: Vec<RunningKernel>,
}

/// Lists or ends them.
pub async fn kernels(what: Kernels, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = match what {
        Kernels::List => list(&client, output).await,
        Kernels::Stop { name, all: _ } => {
            let notebook = name.as_deref().and_then(|name| workspace::file(place, name.as_ref()).ok());
            stop(&client, name.as_deref(), notebook.as_ref(), output).await
        }
    };
    client.finish().await;
    result
}

async fn list(client: &Client, output: &Output) -> anyhow::Result<Ended> {
    let (found, running) = (client.get("kernels").await?, client.get("kernels/running").await?);
    let listed = Listed { found, running };
    output.result(&listed, || {
        let running = listed.running.iter().map(|kernel| harmless(&line(kernel)).into_owned());
        std::iter::once(words(&listed.found, output)).chain(running).collect::<Vec<_>>().join("\n")
    });
    Ok(Ended::Done)
}

/// Ends those of a notebook or of a name, or all, through the Gate as any other.
async fn stop(
    client: &Client,
    name: Option<&str>,
    notebook: Option<&WorkspacePath>,
    output: &Output,
) -> anyhow::Result<Ended> {
    let running: Vec<RunningKernel> = client.get("kernels/running").await?;
    let is_meant = |kernel: &&RunningKernel| {
        name.is_none_or(|name| Some(&kernel.path) == notebook || kernel.kernel.name.eq_ignore_ascii_case(name))
    };
    let meant: Vec<_> = running.iter().filter(is_meant).collect();
    for kernel in &meant {
        let action = "kernel.shutdown".parse().expect("it is `noun.verb`");
        let ended: Submitted =
            client.post("actions", &request(action, json!({ "path": kernel.path }), None, false)).await?;
        anyhow::ensure!(
            ended.record.outcome.as_ref().is_some_and(aside_core::Outcome::is_done),
            "the kernel of {} was not stopped: {:?}",
            kernel.path,
            ended.record.outcome
        );
    }
    if let (Some(name), true) = (name, meant.is_empty()) {
        anyhow::bail!("no kernel is running for `{name}`; `aside kernels list` shows the running kernels");
    }
    output.result(&meant, || match meant.len() {
        0 => "no kernel is running".to_owned(),
        1 => "stopped 1 kernel".to_owned(),
        count => format!("stopped {count} kernels"),
    });
    Ok(Ended::Done)
}

fn line(running: &RunningKernel) -> String {
    let state = match running.state {
        KernelState::Absent => "absent",
        KernelState::Starting => "starting",
        KernelState::Idle => "idle",
        KernelState::Busy => "busy",
        KernelState::Restarting => "restarting",
        KernelState::Dead => "dead",
    };
    format!("running: {}  {}  {state}, last used {}", running.path, running.kernel.display_name, running.used)
}

fn words(found: &FoundKernels, output: &Output) -> String {
    let widest = |length: fn(&aside_core::FoundKernel) -> usize| found.kernels.iter().map(length).max().unwrap_or(0);
    let name = widest(|kernel| kernel.name.chars().count());
    let display = widest(|kernel| kernel.display_name.chars().count());
    let mut lines: Vec<String> = found
        .kernels
        .iter()
        .map(|kernel| {
            let columns = format!(
                "{:name$}  {:display$}  {:11}  {}",
                kernel.name,
                kernel.display_name,
                whose(kernel.place),
                kernel.path
            );
            harmless(&columns).into_owned()
        })
        .collect();
    if lines.is_empty() {
        lines.push(
            "No kernel was found, so notebooks can't be run. For Python, run `python3 -m pip install ipykernel`."
                .to_owned(),
        );
    }
    let todo = |WithoutKernel { interpreter, .. }: &WithoutKernel| {
        format!("{interpreter} has no kernel; to install one, run `{interpreter} -m pip install ipykernel`")
    };
    let wrong = |problem: &aside_core::KernelProblem| format!("{}: {}", problem.path, problem.message);
    let look = output.paint(Colour::Yellow, "look");
    let looks = found.without_kernel.iter().map(todo).chain(found.problems.iter().map(wrong));
    lines.extend(looks.map(|text| format!("{look}  {}", harmless(&text))));
    lines.join("\n")
}

fn whose(place: KernelPlace) -> &'static str {
    match place {
        KernelPlace::Named => "named",
        KernelPlace::Environment => "environment",
        KernelPlace::Workspace => "workspace",
        KernelPlace::Person => "yours",
        KernelPlace::System => "machine",
    }
}
