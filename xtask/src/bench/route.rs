//! The figures of the fast path: how long a sentence takes, beside a plain list of regular expressions.

use std::fs;

use super::figure::{Figure, report, scratch};
use crate::{
    run::{command, quiet, target},
    tools,
};

/// Builds for release, measures the golden sentences, prints the table. The peer only finds the first expression that fits:
/// it knows no objects, and checks nothing.
pub fn route() -> Result<(), String> {
    let example = |args: &[&str]| {
        let mut example = command(env!("CARGO"), ".");
        example.args([
            "run",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "aside-route",
            "--example",
            "route_bench",
        ]);
        quiet("route_bench", example.arg("--").args(args))
    };
    let peer = match tools::python() {
        Some(python) => Some(beside(python, &example(&["phrases"])?)?),
        None => None,
    };
    let figures = example(&[])?.lines().filter_map(Figure::read).collect::<Vec<_>>();
    let named = figures.into_iter().map(|figure| {
        let value = peer.as_ref().and_then(|peer| peer.iter().find(|(name, _)| figure.name().contains(name.as_str())));
        match value {
            Some((_, value)) => figure.beside(*value, "list of regular expressions in Python"),
            None => figure,
        }
    });
    report(&named.collect::<Vec<_>>())
}

/// Measures the list of expressions; returns the name and the value of each figure.
fn beside(python: &str, phrases: &str) -> Result<Vec<(String, f64)>, String> {
    let folder = scratch(target("tmp"), "route")?;
    let file = folder.join("phrases.json");
    fs::write(&file, phrases).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let measured = quiet("route.py", command(python, ".").arg("xtask/src/bench/route.py").arg(&file));
    let _ = fs::remove_dir_all(&folder);
    let line = |line: &str| {
        let (name, value) = line.split_once('\t')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    Ok(measured?.lines().filter_map(line).collect())
}
