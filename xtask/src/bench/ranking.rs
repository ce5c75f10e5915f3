//! The figures of the ranking of search: 100,000 pieces with vectors, by words and by meaning.

use std::fs;

use super::figure::{Figure, report, scratch};
use crate::run::{cargo, quiet, target};

/// Builds for release, measures on the disk of this repository, prints the table.
pub fn ranking() -> Result<(), String> {
    let folder = scratch(target("tmp"), "ranking")?;
    let mut example = cargo();
    example.args([
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "aside-search",
        "--example",
        "ranking_bench",
    ]);
    let text = quiet("ranking_bench", example.arg("--").arg(&folder));
    let _ = fs::remove_dir_all(&folder);
    report(&text?.lines().filter_map(Figure::read).collect::<Vec<_>>())
}
