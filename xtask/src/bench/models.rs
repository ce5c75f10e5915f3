//! The figures of the model adapters: reading answers beside the official clients, and the time to the first word.

use std::{collections::BTreeMap, fs, path::Path};

use super::figure::{Figure, report, scratch};
use crate::{
    models,
    run::{command, quiet, root},
};

/// Builds for release, measures both on the same streams, prints the table.
pub fn models() -> Result<(), String> {
    let python = models::clients()?;
    let folder = scratch(root().join("target/tmp"), "models")?;
    let measured = measure(&folder, &python);
    let _ = fs::remove_dir_all(&folder);
    report(&measured?)
}

fn measure(folder: &Path, python: &Path) -> Result<Vec<Figure>, String> {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", "aside-llm", "--example", "models_bench"]);
    let ours = quiet("models_bench", example.arg("--").arg(folder))?;
    let mut clients = command(&python.to_string_lossy(), models::SUITE);
    let theirs = peers(&quiet("official clients", clients.arg("speed.py").arg(folder))?);
    let beside = |figure: Figure| match theirs.iter().find(|(name, _)| figure.name().starts_with(name.as_str())) {
        // What is asked for is so much a second, or ten times the peer.
        Some((_, value)) => figure.beside(*value, "official Python client").at_least((10.0 * value).min(200.0)),
        None => figure,
    };
    Ok(ours.lines().filter_map(Figure::read).map(beside).collect())
}

/// Reads `name<TAB>value` lines.
fn peers(text: &str) -> BTreeMap<String, f64> {
    let line =
        |line: &str| line.split_once('\t').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    text.lines().filter_map(line).collect()
}
