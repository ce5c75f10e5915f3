//! The figures of typing: the time from a key to its frame in a long file, and how often the page makes a frame,
//! computes styles, lays out and paints for one key, beside CodeMirror alone in the same go.

use super::figure::{Figure, report};
use crate::{
    run::{command, quiet, step, target},
    tools, web,
};

/// Builds for release, types in both, prints the table.
pub fn typing() -> Result<(), String> {
    tools::require_node()?;
    web::install()?;
    web::build()?;
    step("build", command(env!("CARGO"), ".").args(["build", "--release", "--package", "aside", "--locked"]))?;
    let mut script = command("node", "web");
    script.arg("tests/perf/typing.mjs").env("CHROMIUM", tools::chromium()?).env("ASIDE_BIN", target("release/aside"));
    let text = quiet("typing in a browser", &mut script)?;
    report(&text.lines().filter_map(Figure::read).collect::<Vec<_>>())
}
