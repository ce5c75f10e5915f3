//! The figures of the models: reading answers beside the official clients, the time to the first word, fitting a
//! conversation to what a model reads, and how much of a thread its provider reads from a cache.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use super::figure::{Figure, report, scratch};
use crate::{
    models,
    run::{command, quiet, target},
};

/// Builds for release, measures both on the same streams, prints the table.
pub fn models() -> Result<(), String> {
    let python = models::clients()?;
    let folder = scratch(target("tmp"), "models")?;
    let measured = measure(&folder, &python);
    let _ = fs::remove_dir_all(&folder);
    report(&measured?)
}

fn measure(folder: &Path, python: &Path) -> Result<Vec<Figure>, String> {
    let ours = quiet("models_bench", example("aside-llm", "models_bench").arg("--").arg(folder))?;
    let mut clients = command(&python.to_string_lossy(), models::SUITE);
    let theirs = peers(&quiet("official clients", clients.arg("speed.py").arg(folder))?);
    let beside = |figure: Figure| match theirs.iter().find(|(name, _)| figure.name().starts_with(name.as_str())) {
        // What is asked for is so much a second, or ten times the peer.
        Some((_, value)) => figure.beside(*value, "official Python client").at_least((10.0 * value).min(200.0)),
        None => figure,
    };
    let budget = quiet("budget_bench", &mut example("aside-agent", "budget_bench"))?;
    // Counted, not timed: the same in every build.
    let mut caching = command(env!("CARGO"), ".");
    caching.args(["test", "--locked", "-p", "aside-testkit", "--test", "caching", "--", "--nocapture"]);
    let caching = quiet("caching", &mut caching)?;
    let rest = budget.lines().chain(caching.lines()).filter_map(Figure::read);
    Ok(ours.lines().filter_map(Figure::read).map(beside).chain(rest).collect())
}

/// An example of ours, built for release.
fn example(package: &str, name: &str) -> Command {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", package, "--example", name]);
    example
}

/// Reads `name<TAB>value` lines.
fn peers(text: &str) -> BTreeMap<String, f64> {
    let line =
        |line: &str| line.split_once('\t').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    text.lines().filter_map(line).collect()
}
