//! The figures of the history: indexing logs of a known size and truth, beside ccusage from npm on the same ones.

use std::{fs, path::Path, path::PathBuf};

use super::figure::{Figure, report, scratch};
use crate::{
    run::{command, quiet, step, target},
    tools,
};

/// The program that people compare with, at the version that was looked at.
const CCUSAGE: &str = "ccusage@20.0.24";
/// Megabytes of logs, unless others are asked for.
const MEGABYTES: f64 = 200.0;

/// What a command took, and what it said.
struct Measured {
    cpu: f64,
    wall: f64,
    peak: f64,
    said: String,
}

/// Builds for release, makes a tree of logs, measures both on it, prints the table.
pub fn history(args: &[&str]) -> Result<(), String> {
    let megabytes =
        args.first().map_or(Ok(MEGABYTES), |text| text.parse()).map_err(|_| "expected megabytes".to_owned())?;
    tools::require_node()?;
    let python = tools::python().ok_or("Python 3 was not found: the logs are made with it")?;
    let folder = scratch(target("tmp"), "history")?;
    let measured = measure(&folder, python, megabytes);
    let _ = fs::remove_dir_all(&folder);
    report(&measured?)
}

fn measure(folder: &Path, python: &str, megabytes: f64) -> Result<Vec<Figure>, String> {
    let package = "aside-history";
    let mut build = command(env!("CARGO"), ".");
    step(
        "build",
        build.args(["build", "--quiet", "--release", "--locked", "-p", package, "--example", "history_bench"]),
    )?;
    let (home, data) = (folder.join("home"), folder.join("data"));
    let mut make = command(python, ".");
    make.args(["crates/aside-history/tests/gen_history.py", "--mb", &megabytes.to_string(), "--out"]).arg(&home);
    let truth = quiet("make logs", &mut make)?;
    let ccusage = ccusage(folder)?;
    let ours = [target("release/examples/history_bench"), home.clone(), data.clone()];
    let run = |program: &[PathBuf]| run(python, &home, program);
    // Once, so that both find the logs in memory.
    let daily = || run(&[&ccusage[..], &["daily", "--json", "--offline"].map(PathBuf::from)].concat());
    daily()?;
    let first = run(&ours)?;
    let theirs = daily()?;
    let again = run(&ours)?;
    let index = size(&data);
    let scale = megabytes / MEGABYTES;
    let name = format!("{megabytes} MB");
    println!("truth    {}", numbers(&truth, "cost_total"));
    println!("ours     {}", numbers(&again.said, "totalCost"));
    println!("ccusage  {}\n", last(&theirs.said, "totalCost"));
    let off = |text: String| (text.parse::<f64>().unwrap_or(0.0) - number(&truth, "cost_total")).abs();
    Ok(vec![
        Figure::at_most(&format!("first index of {name} (CPU s)"), first.cpu, scale.max(0.1))
            .beside(theirs.cpu, "ccusage daily"),
        Figure::at_most("  its memory (MB)", first.peak, 120.0).beside(theirs.peak, "ccusage daily"),
        Figure::plain("  its time (s)", first.wall).beside(theirs.wall, "ccusage daily"),
        Figure::at_most("start with nothing new (ms)", number(&again.said, "import_ms"), 50.0),
        Figure::plain("  with the report of all days (CPU ms)", again.cpu * 1000.0)
            .beside(theirs.cpu * 1000.0, "ccusage daily"),
        Figure::plain("  its memory (MB)", again.peak),
        Figure::at_most("index, of the size of the logs", index / (megabytes * 1e6), 0.4),
        Figure::at_most("dollars off the truth", off(numbers(&again.said, "totalCost")), 0.005)
            .beside(off(last(&theirs.said, "totalCost")), "ccusage daily"),
    ])
}

/// Installs it in the folder; returns how it is started.
fn ccusage(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut install = command("npm", ".");
    install.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(folder).arg(CCUSAGE);
    quiet("install ccusage", &mut install)?;
    Ok(vec![folder.join("node_modules/.bin/ccusage")])
}

fn run(python: &str, home: &Path, program: &[PathBuf]) -> Result<Measured, String> {
    let mut measure = command(python, ".");
    let said = quiet("measure", measure.arg("xtask/src/history/measure.py").arg(home).args(program))?;
    if number(&said, "status") != 0.0 {
        return Err(format!("{program:?} failed: {said}"));
    }
    let said_itself =
        said.split_once("\"stdout\": ").map_or("", |(_, text)| text).replace("\\\"", "\"").replace("\\n", "\n");
    let of = |name: &str| number(&said, name);
    Ok(Measured { cpu: of("cpu"), wall: of("wall"), peak: of("peak_mb"), said: said_itself })
}

/// The first number of this name in JSON that we know the form of.
fn numbers(text: &str, name: &str) -> String {
    after(text.split_once(&format!("\"{name}\":")).map_or("", |(_, rest)| rest))
}

/// The last number of this name.
fn last(text: &str, name: &str) -> String {
    after(text.rsplit_once(&format!("\"{name}\":")).map_or("", |(_, rest)| rest))
}

fn after(rest: &str) -> String {
    rest.trim_start().chars().take_while(|char| char.is_ascii_digit() || "+-.e".contains(*char)).collect()
}

fn number(text: &str, name: &str) -> f64 {
    numbers(text, name).parse().unwrap_or(f64::NAN)
}

/// Bytes of the files of a folder.
#[expect(clippy::cast_precision_loss, reason = "for people")]
fn size(folder: &Path) -> f64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum::<u64>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_names() {
        let text = r#"{"a": {"totalCost":1.5}, "totals":{"totalCost": -2e3}}"#;
        assert_eq!((numbers(text, "totalCost").as_str(), last(text, "totalCost").as_str()), ("1.5", "-2e3"));
        assert!(number(text, "none").is_nan());
    }
}
