//! The figures of tables: the first rows, orders and filters of a file of 1 GB.

use std::fs;

use super::figure::{Figure, report, scratch};
use crate::run::{command, quiet, target};

/// Builds for release, measures on the disk of this repository, prints the table.
pub fn table() -> Result<(), String> {
    let folder = scratch(target("tmp"), "table")?;
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--locked", "--package", "aside-table", "--example", "table_bench"]);
    let text = quiet("table_bench", example.arg("--").arg(&folder));
    let _ = fs::remove_dir_all(&folder);
    report(&text?.lines().filter_map(Figure::read).collect::<Vec<_>>())
}
