//! A binary's size, by section, as `size -A` tells it.

use std::{fs, path::Path};

use crate::run::{command, quiet};

/// Bytes of the whole binary that are asked for at most: 45 MB.
const MOST: u64 = 45_000_000;

/// Sections below this are not named.
const SMALL: u64 = 100_000;

/// Returns a table of the sections, the largest first.
pub fn table(binary: &Path) -> Result<String, String> {
    let whole = fs::metadata(binary).map_err(|error| format!("cannot read {}: {error}", binary.display()))?.len();
    let told = quiet("size", command("size", ".").arg("-A").arg(binary))?;
    let mut sections: Vec<(&str, u64)> = told
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?.parse().ok()?))
        })
        .filter(|(name, size)| name.starts_with('.') && *size >= SMALL)
        .collect();
    sections.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let rows: String = sections.iter().map(|(name, size)| format!("| {name} | {:.1} |\n", megabytes(*size))).collect();
    let (whole, most) = (megabytes(whole), megabytes(MOST));
    Ok(format!(
        "| section of the release | MB |\n|---|---:|\n| the whole file (at most {most:.0}) | {whole:.1} |\n{rows}"
    ))
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
