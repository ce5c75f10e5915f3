//! The figures of notebooks: how long a kernel's answers take, beside pyzmq alone and nbclient in the same go.

use std::{collections::BTreeMap, path::Path};

use super::figure::{Figure, report};
use crate::{
    run::{command, quiet, root},
    tools,
};

/// Builds for release, measures both with the same kernel, prints the table.
pub fn notebook() -> Result<(), String> {
    let python = tools::python_with(&["ipykernel", "nbclient"])?;
    report(&measure(&python)?)
}

fn measure(python: &Path) -> Result<Vec<Figure>, String> {
    let mut example = command(env!("CARGO"), ".");
    example.args([
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "aside-jupyter",
        "--example",
        "notebook_bench",
    ]);
    let ours = lines(&quiet("notebook_bench", example.arg("--").arg(python))?);
    let mut peers = command(&python.to_string_lossy(), ".");
    let theirs = lines(&quiet("pyzmq and nbclient", peers.arg(root().join("xtask/src/bench/notebook.py")))?);
    ours.into_iter().map(|(name, value)| figure(&name, value, &theirs)).collect()
}

/// What is asked for: at most a little more than the other takes, and nothing lost.
fn figure(name: &str, value: f64, theirs: &BTreeMap<String, f64>) -> Result<Figure, String> {
    let peer = || theirs.get(name).copied().ok_or_else(|| format!("the other program did not say `{name}`"));
    Ok(match name {
        _ if name.contains("p50") => Figure::at_most(name, value, peer()? + 1.0).beside(peer()?, "pyzmq"),
        _ if name.contains("p99") => Figure::at_most(name, value, peer()? + 5.0).beside(peer()?, "pyzmq"),
        _ if name.contains("cell of") => Figure::at_most(name, value, peer()? * 1.1).beside(peer()?, "nbclient"),
        _ if name.contains("arrive") => Figure::plain(name, value).at_least(100_000.0),
        _ => Figure::plain(name, value).beside(peer()?, "pyzmq"),
    })
}

/// Reads `name<TAB>value` lines.
fn lines(text: &str) -> BTreeMap<String, f64> {
    let line =
        |line: &str| line.split_once('\t').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    text.lines().filter_map(line).collect()
}
