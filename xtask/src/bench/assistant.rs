//! The figures of the assistant: where edits land, beside two habits of other programs on the same cases.

use super::figure::{Figure, report};
use crate::run::{command, quiet};

/// Builds for release, prints the tables.
pub fn assistant() -> Result<(), String> {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", "aside-doc", "--example", "accuracy"]);
    let text = quiet("accuracy", &mut example)?;
    let (figures, table): (Vec<_>, Vec<_>) = text.lines().partition(|line| Figure::read(line).is_some());
    println!("{}\n", table.join("\n"));
    report(&figures.into_iter().filter_map(Figure::read).collect::<Vec<_>>())
}
