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
/// How many times larger the large one is: 1 GB.
const LARGER: f64 = 5.0;

/// What a command took, and what it said.
struct Measured {
    cpu: f64,
    wall: f64,
    peak: f64,
    said: String,
}

/// Builds for release, makes a tree of logs, measures both on it, prints the table.
pub fn history(args: &[&str]) -> Result<(), String> {
    let full = args.contains(&"--full");
    let megabytes = args.iter().find(|text| !text.starts_with("--"));
    let megabytes =
        megabytes.map_or(Ok(MEGABYTES), |text| text.parse()).map_err(|_| "expected megabytes".to_owned())?;
    tools::require_node()?;
    let python = tools::python().ok_or("Python 3, which creates the logs, was not found")?;
    let folder = scratch(target("tmp"), "history")?;
    let measured = measure(&folder, python, megabytes, full);
    let _ = fs::remove_dir_all(&folder);
    report(&measured?)
}

fn measure(folder: &Path, python: &str, megabytes: f64, full: bool) -> Result<Vec<Figure>, String> {
    let package = "aside-history";
    let mut build = command(env!("CARGO"), ".");
    step(
        "build",
        build.args(["build", "--quiet", "--release", "--locked", "-p", package, "--example", "history_bench"]),
    )?;
    let mut aside = command(env!("CARGO"), ".");
    step("build aside", aside.args(["build", "--quiet", "--release", "--locked", "-p", "aside"]))?;
    let (home, data) = (folder.join("home"), folder.join("data"));
    let mut make = command(python, ".");
    make.args(["crates/aside-history/tests/gen_history.py", "--mb", &megabytes.to_string(), "--out"]).arg(&home);
    let truth = quiet("make logs", &mut make)?;
    let ccusage = ccusage(folder)?;
    underflow(folder, python);
    let ours = [target("release/examples/history_bench"), home.clone(), data.clone()];
    let run = |program: &[PathBuf]| run(python, &home, program);
    // Once, so that both find the logs in memory.
    let reported = || run(&[&ccusage[..], &daily()[..]].concat());
    reported()?;
    let first = run(&ours)?;
    let theirs = reported()?;
    let again = run(&ours)?;
    let of_words = run(&[&ours[..], &["words".into()]].concat())?;
    let of_line = run(&[&ours[..], &["line".into(), grown(&home)?]].concat())?;
    let of_statusline = statusline(python, &home)?;
    let watched = watched(python, folder)?;
    let index = size(&data);
    let scale = megabytes / MEGABYTES;
    let name = format!("{megabytes} MB");
    println!("truth    {}", numbers(&truth, "cost_total"));
    println!("ours     {}", numbers(&again.said, "totalCost"));
    println!("ccusage  {}\n", last(&theirs.said, "totalCost"));
    let mut figures = vec![
        Figure::at_most(&format!("first index of {name} (CPU s)"), first.cpu, scale.max(0.1))
            .beside(theirs.cpu, "ccusage daily"),
        Figure::at_most("  times that of ccusage daily", first.cpu / theirs.cpu, 1.0),
        Figure::at_most("  its memory (MB)", first.peak, 120.0).beside(theirs.peak, "ccusage daily"),
        Figure::plain("  its time (s)", first.wall).beside(theirs.wall, "ccusage daily"),
        Figure::at_most("start with nothing new (ms)", number(&again.said, "import_ms"), 50.0),
        Figure::plain("  with the report of all days (CPU ms)", again.cpu * 1000.0)
            .beside(theirs.cpu * 1000.0, "ccusage daily"),
        Figure::plain("  its memory (MB)", again.peak),
        Figure::at_most("one more line, from the start of the program (CPU ms)", of_line.cpu * 1000.0, 50.0),
        Figure::at_most("status line, when its log is known (ms)", of_statusline, 15.0),
        Figure::at_most(
            "a new line of a log shown in a window, of 20 the median (ms)",
            number(&watched, "median"),
            200.0,
        ),
        Figure::plain("  the slowest (ms)", number(&watched, "worst")),
        Figure::plain("words of what was said, read once more (CPU s)", of_words.cpu),
        Figure::plain("  their memory (MB)", of_words.peak),
        Figure::at_most("index with words, of the size of the logs", index / (megabytes * 1e6), 0.4),
        Figure::at_most("dollars off the truth", off(&truth, &numbers(&again.said, "totalCost")), 0.005)
            .beside(off(&truth, &last(&theirs.said, "totalCost")), "ccusage daily"),
    ];
    if full {
        figures.extend(large(folder, python, megabytes, (first.cpu, &ccusage))?);
    }
    Ok(figures)
}

/// What ccusage is asked for.
fn daily() -> [PathBuf; 3] {
    ["daily", "--json", "--offline"].map(PathBuf::from)
}

/// How many dollars a total is off.
fn off(truth: &str, total: &str) -> f64 {
    (total.parse::<f64>().unwrap_or(0.0) - number(truth, "cost_total")).abs()
}

/// How often the status line is made: the median counts.
const LINES: usize = 20;

/// Milliseconds of `aside statusline`, from the start of the program to its end.
fn statusline(python: &str, home: &Path) -> Result<f64, String> {
    let log = a_log(home)?;
    let session = log.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let asked = home.join("asked.json");
    let text = format!(
        "{{\"session_id\":\"{session}\",\"transcript_path\":\"{}\",\"model\":{{\"id\":\"claude-opus-4-5\"}}}}",
        log.display()
    );
    fs::write(&asked, text).map_err(|error| format!("cannot write {}: {error}", asked.display()))?;
    let line = [format!("--stdin={}", asked.display()).into(), target("release/aside"), "statusline".into()];
    // The first reads all logs.
    run(python, home, &line)?;
    let times = (0..LINES).map(|_| Ok(run(python, home, &line)?.wall * 1000.0));
    let mut times = times.collect::<Result<Vec<f64>, String>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times[LINES / 2])
}

/// How soon a server tells of a new line of a log.
fn watched(python: &str, folder: &Path) -> Result<String, String> {
    let mut watch = command(python, ".");
    watch.arg("xtask/src/history/watch.py").arg(folder.join("watched")).arg(target("release/aside"));
    quiet("watch", &mut watch)
}

/// The same with a tree that is five times as large: that it takes no more than its share, and that each question is answered at once.
fn large(
    folder: &Path,
    python: &str,
    megabytes: f64,
    (first, ccusage): (f64, &[PathBuf]),
) -> Result<Vec<Figure>, String> {
    let (home, data) = (folder.join("large"), folder.join("large-data"));
    let mut make = command(python, ".");
    let megabytes = megabytes * LARGER;
    let name = format!("{megabytes} MB");
    make.args(["crates/aside-history/tests/gen_history.py", "--mb", &megabytes.to_string(), "--out"]).arg(&home);
    let truth = quiet(&format!("make {name} of logs"), &mut make)?;
    let ours = [target("release/examples/history_bench"), home.clone(), data.clone()];
    let run = |program: &[PathBuf]| run(python, &home, program);
    let index = run(&ours)?;
    let again = run(&ours)?;
    let words = run(&[&ours[..], &["words".into()]].concat())?;
    let index_size = size(&data);
    let asked = run(&[&ours[..], &["tools".into()]].concat())?;
    let theirs = run(&[ccusage, &daily()[..]].concat())?;
    println!("truth    {}", numbers(&truth, "cost_total"));
    println!("ours     {}", numbers(&again.said, "totalCost"));
    println!("ccusage  {}", last(&theirs.said, "totalCost"));
    println!("questions on {name}, slowest first: {}\n", asked.said);
    Ok(vec![
        Figure::at_most(&format!("{name}: first index, times that of the other tree"), index.cpu / first, 5.2),
        Figure::plain("  its CPU (s)", index.cpu).beside(theirs.cpu, "ccusage daily"),
        Figure::plain("  its memory (MB)", index.peak).beside(theirs.peak, "ccusage daily"),
        Figure::at_most("  start with nothing new (ms)", number(&again.said, "import_ms"), 50.0),
        Figure::plain("  words (CPU s)", words.cpu),
        Figure::at_most("  index with words, of the size of the logs", index_size / (megabytes * 1e6), 0.4),
        Figure::at_most("  slowest question, p99 (ms)", number(&asked.said, "slowest_ms"), 20.0),
        Figure::at_most("  dollars off the truth", off(&truth, &numbers(&again.said, "totalCost")), 0.005)
            .beside(off(&truth, &last(&theirs.said, "totalCost")), "ccusage daily"),
    ])
}

/// A log of Claude Code.
fn a_log(home: &Path) -> Result<PathBuf, String> {
    let mut logs = Vec::new();
    let mut folders = vec![home.join(".claude/projects")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "jsonl") {
                logs.push(path);
            }
        }
    }
    logs.into_iter().min().ok_or_else(|| "there is no log of Claude Code in the tree".to_owned())
}

/// Adds a line to a log, and returns which.
fn grown(home: &Path) -> Result<PathBuf, String> {
    let log = a_log(home)?;
    // It says nothing that costs, so that the truth stays the same.
    let line = "{\"type\":\"user\",\"timestamp\":\"2026-06-30T10:00:00.000Z\",\"message\":{\"content\":\"go on\"}}\n";
    let mut text = fs::read(&log).map_err(|error| error.to_string())?;
    text.extend_from_slice(line.as_bytes());
    fs::write(&log, text).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    Ok(log)
}

/// Says whether the other program that answers such questions could be installed; what it takes is not measured.
fn underflow(folder: &Path, python: &str) {
    let place = folder.join("underflow");
    let mut install = command(python, ".");
    install.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&place).arg("stackunderflow");
    match quiet("install", &mut install) {
        Ok(_) => println!("StackUnderflow can be installed here but is not measured: this benchmark can't query it"),
        Err(_) => println!("StackUnderflow is not measured: it could not be installed with pip"),
    }
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
