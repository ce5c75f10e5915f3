//! `aside kernels list`: what runs the code of notebooks.

use aside_core::{FoundKernels, KernelPlace, harmless};

use crate::{
    arguments::{Kernels, Where},
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// Lists them.
pub async fn kernels(what: Kernels, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let Kernels::List = what;
    let client = workspace::open(place).await?;
    let found: anyhow::Result<FoundKernels> = client.get("kernels").await;
    client.finish().await;
    let found = found?;
    output.result(&found, || words(&found, output));
    Ok(Ended::Done)
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
            "No kernel was found, so that no notebook can be run. For Python: `python3 -m pip install ipykernel`."
                .to_owned(),
        );
    }
    let todo = |path: &String| format!("{path} has no kernel: `{path} -m pip install ipykernel`");
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
