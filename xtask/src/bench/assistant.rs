//! The figures of the assistant: where edits land, beside two habits of other programs on the same cases; what it takes to
//! ask a model beside a large file; what a person waits for in the window; how well faults of LaTeX are found.

use std::process::Command;

use super::figure::{Figure, report, scratch};
use crate::{
    run::{command, quiet, step, target},
    tools, web,
};

/// Builds for release, prints the tables.
pub fn assistant() -> Result<(), String> {
    let text = quiet("accuracy", &mut example("aside-doc", "accuracy"))?;
    let (figures, table): (Vec<_>, Vec<_>) = text.lines().partition(|line| Figure::read(line).is_some());
    println!("{}\n", table.join("\n"));
    let mut figures: Vec<_> = figures.into_iter().filter_map(Figure::read).collect();
    figures.extend(prompts()?);
    figures.extend(read(&quiet("corpus", &mut example("aside-latex", "corpus"))?));
    figures.extend(window()?);
    report(&figures)
}

fn example(package: &str, name: &str) -> Command {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", package, "--example", name]);
    example
}

fn read(text: &str) -> Vec<Figure> {
    text.lines().filter_map(Figure::read).collect()
}

fn prompts() -> Result<Vec<Figure>, String> {
    let folder = scratch(std::env::temp_dir(), "assistant")?;
    let text = quiet("prompt_bench", example("aside-testkit", "prompt_bench").arg("--").arg(&folder));
    // What is left in the temporary folder goes with it.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(read(&text?))
}

/// Answers and long threads in the window, with a model that plays a script.
fn window() -> Result<Vec<Figure>, String> {
    tools::require_node()?;
    web::install()?;
    web::build()?;
    step("build", command(env!("CARGO"), ".").args(["build", "--release", "--package", "aside", "--locked"]))?;
    let mut script = command("node", "web");
    script.arg("tests/perf/assistant.mjs").env("CHROMIUM", tools::chromium()?);
    script.env("ASIDE_BIN", target("release/aside"));
    Ok(read(&quiet("measurements in the window", &mut script)?))
}
