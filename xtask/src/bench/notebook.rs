//! The figures of notebooks: how long a kernel's answers take, alone and through the server, what is kept and how much memory
//! that takes, beside pyzmq, nbclient and Jupyter's server in the same go; and a long notebook in a browser, beside
//! JupyterLab.

use std::{collections::BTreeMap, path::Path, process::Command};

use super::figure::{Figure, report};
use crate::{
    run::{command, quiet, root, target},
    tools, web,
};

/// What begins the names of figures that were measured in turns with those through the server.
const IN_TURNS: &str = "in turns: ";

/// Builds for release, measures both with the same kernel, prints the table.
pub fn notebook() -> Result<(), String> {
    tools::require_node()?;
    web::install()?;
    web::build()?;
    let python = tools::python_with(&["ipykernel", "nbclient", "jupyter_server", "jupyterlab"])?;
    report(&measure(&python)?)
}

fn measure(python: &Path) -> Result<Vec<Figure>, String> {
    let mut ours = lines(&quiet("notebook_bench", example("aside-jupyter", "notebook_bench").arg("--").arg(python))?);
    ours.extend(lines(&quiet("context_bench", &mut example("aside-cells", "context_bench"))?));
    let mut peers = command(&python.to_string_lossy(), ".");
    let mut theirs = lines(&quiet("pyzmq and nbclient", peers.arg(root().join("xtask/src/bench/notebook.py")))?);
    let mut build = command(env!("CARGO"), ".");
    quiet("the server", build.args(["build", "--quiet", "--release", "--locked", "--package", "aside"]))?;
    let mut servers = command(&python.to_string_lossy(), ".");
    servers.arg(root().join("xtask/src/bench/served.py")).arg(target("release/aside"));
    let served = lines(&quiet("the servers", &mut servers)?);
    let (beside, served): (BTreeMap<_, _>, BTreeMap<_, _>) =
        served.into_iter().partition(|(name, _)| name.starts_with(IN_TURNS));
    theirs.extend(beside);
    let (of_jupyter, of_aside): (BTreeMap<_, _>, BTreeMap<_, _>) =
        served.into_iter().partition(|(name, _)| name.starts_with("jupyter_server"));
    let all = ours.into_iter().chain(of_aside);
    let mut figures: Vec<_> = all.map(|(name, value)| figure(&name, value, &theirs)).collect::<Result<_, _>>()?;
    figures.extend(of_jupyter.iter().map(|(name, value)| Figure::plain(name, *value)));
    figures.extend(in_browser(python)?);
    Ok(figures)
}

/// An example of a crate, built for release.
fn example(package: &str, name: &str) -> Command {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", package, "--example", name]);
    example
}

/// A long notebook as a person meets it: in a window, with the server that was just built and the page inside it.
fn in_browser(python: &Path) -> Result<Vec<Figure>, String> {
    let environment = python.parent().and_then(Path::parent).ok_or("the Python is in no environment")?;
    let mut script = command("node", "web");
    script.arg("tests/perf/notebook.mjs").env("CHROMIUM", tools::chromium()?);
    script.env("ASIDE_BIN", target("release/aside")).env("ASIDE_KERNEL_ENV", environment);
    let text = quiet("browser measurements", &mut script)?;
    Ok(text.lines().filter_map(Figure::read).collect())
}

/// What is asked for: at most a little more than the other takes, and nothing lost.
fn figure(name: &str, value: f64, theirs: &BTreeMap<String, f64>) -> Result<Figure, String> {
    // Asked through the server it is the same to the one who waits: so it is held against the same.
    let asked = match name.strip_prefix("through the server: ") {
        Some(asked) => format!("{IN_TURNS}{asked}"),
        None => name.to_owned(),
    };
    let peer = || theirs.get(&asked).copied().ok_or_else(|| format!("the other program did not print `{asked}`"));
    Ok(match name {
        _ if name.contains("p50") => Figure::at_most(name, value, peer()? + 1.0).beside(peer()?, "pyzmq"),
        _ if name.contains("p99") => Figure::at_most(name, value, peer()? + 5.0).beside(peer()?, "pyzmq"),
        _ if name.contains("cell of") => Figure::at_most(name, value, peer()? * 1.1).beside(peer()?, "nbclient"),
        _ if name.contains("100,000 st") || name.contains("arrive") => Figure::plain(name, value).at_least(100_000.0),
        _ if name.contains("ticks of 30") => Figure::plain(name, value).at_least(30.0),
        _ if name.contains("is yes") => Figure::plain(name, value).at_least(1.0),
        _ if name.contains("with one notebook") => Figure::at_most(name, value, 60.0),
        _ if name.contains("the context of an AI cell") => Figure::at_most(name, value, 50.0),
        _ if name.contains("memory") => Figure::plain(name, value),
        _ => Figure::plain(name, value).beside(peer()?, "pyzmq"),
    })
}

/// Reads `name<TAB>value` lines.
fn lines(text: &str) -> BTreeMap<String, f64> {
    let line =
        |line: &str| line.split_once('\t').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    text.lines().filter_map(line).collect()
}
