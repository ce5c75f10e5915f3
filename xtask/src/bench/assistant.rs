//! The figures of the assistant: where edits land, beside two habits of other programs on the same cases; what it takes to
//! ask a model beside a large file.

use super::figure::{Figure, report, scratch};
use crate::run::{command, quiet};

/// Builds for release, prints the tables.
pub fn assistant() -> Result<(), String> {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", "aside-doc", "--example", "accuracy"]);
    let text = quiet("accuracy", &mut example)?;
    let (figures, table): (Vec<_>, Vec<_>) = text.lines().partition(|line| Figure::read(line).is_some());
    println!("{}\n", table.join("\n"));
    let mut figures: Vec<_> = figures.into_iter().filter_map(Figure::read).collect();
    figures.extend(prompts()?);
    report(&figures)
}

fn prompts() -> Result<Vec<Figure>, String> {
    let folder = scratch(std::env::temp_dir(), "assistant")?;
    let mut example = command(env!("CARGO"), ".");
    example.args([
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "aside-testkit",
        "--example",
        "prompt_bench",
    ]);
    let text = quiet("prompt_bench", example.arg("--").arg(&folder));
    // What is left in the temporary folder goes with it.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(text?.lines().filter_map(Figure::read).collect())
}
