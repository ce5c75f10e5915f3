//! The figures of search. Find in files: 100,000 small files, beside ripgrep on the same folder.

use std::{fs, path::Path, process::Command, time::Instant};

use super::figure::{Figure, report, scratch};
use crate::run::{cargo, command, quiet, target};

/// Folders, and files in each of them.
const FOLDERS: usize = 1_000;
const FILES: usize = 100;
/// Runs of each search; the fastest counts.
const RUNS: usize = 3;

/// Patterns: their name, their text, and whether they are regular expressions.
const PATTERNS: [(&str, &str, bool); 3] = [
    ("a rare word", "needle_in_the_tide", false),
    ("a word of each tenth file", "ebb_and_flow", false),
    ("a regular expression", r"\bmeasure_\w+\(tide\)", true),
];

/// Builds for release, measures on the disk of this repository, prints the table.
pub fn search() -> Result<(), String> {
    report(&find_in_files()?)
}

/// Measures find in files. Without `rg` there is no ratio, which is an error.
fn find_in_files() -> Result<Vec<Figure>, String> {
    let build = ["build", "--quiet", "--release", "--locked", "--package", "aside-grep", "--example", "find_bench"];
    quiet("find_bench", cargo().args(build))?;
    let folder = scratch(target("tmp"), "search")?;
    let made = make(&folder).map_err(|error| format!("cannot make the files: {error}"));
    let figures = made.and_then(|()| {
        let all = PATTERNS.iter().map(|pattern| measured(&folder, *pattern)).collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().flatten().collect())
    });
    let _ = fs::remove_dir_all(&folder);
    figures
}

fn make(folder: &Path) -> std::io::Result<()> {
    for number in 0..FOLDERS {
        let below = folder.join(format!("part{number:03}"));
        fs::create_dir(&below)?;
        for file in 0..FILES {
            fs::write(below.join(format!("file{file:02}.py")), text(number * FILES + file))?;
        }
    }
    Ok(())
}

/// About 900 bytes of code.
fn text(number: usize) -> String {
    let mut text = format!("# File {number}: heights of the tide at the pier\n");
    for line in 0..16 {
        text += &format!("height_{line} = measure(pier, {number}, {line})  # metres above the chart\n");
    }
    if number % 10 == 3 {
        text += "    return ebb_and_flow(height_1)\n";
    }
    if number % 100 == 7 {
        text += "    x = measure_level(tide)\n";
    }
    if number % 20_000 == 11 {
        text += "    needle_in_the_tide = 1\n";
    }
    text
}

/// CPU seconds beside ripgrep's, and the time until the first result.
fn measured(folder: &Path, (name, text, is_regex): (&str, &str, bool)) -> Result<Vec<Figure>, String> {
    let kind = if is_regex { "regex" } else { "literal" };
    let mut own = command(&target("release/examples/find_bench").display().to_string(), ".");
    own.arg(folder).args([text, kind]);
    let mut rg = command("rg", ".");
    rg.args(["--no-config", "--line-number", "--hidden", "--no-require-git"]);
    rg.args(if is_regex { &["--regexp"][..] } else { &["--fixed-strings", "--regexp"] }).arg(text).arg(folder);
    let (mut ours, mut theirs) = (Best::default(), Best::default());
    // One after the other, so that both find the same state of the machine.
    for _ in 0..=RUNS {
        ours.run("find_bench", &mut own)?;
        theirs.run("rg (ripgrep, from your package manager)", &mut rg)?;
    }
    let (lines, first) = ours.output.trim().split_once('\t').ok_or("find_bench printed no figures")?;
    let (found, first) = (theirs.output.lines().count(), first.parse().map_err(|_| "find_bench printed no time")?);
    if lines != found.to_string() {
        return Err(format!("{name}: {lines} lines, ripgrep finds {found}"));
    }
    let of = |what: &str| format!("find in files: {name}, {found} lines, {what}");
    let ratio = ours.cpu / theirs.cpu;
    Ok(vec![
        Figure::plain(&of("CPU (s)"), ours.cpu).beside(theirs.cpu, "ripgrep"),
        Figure::at_most(&of("CPU of ripgrep’s"), ratio, 1.3),
        Figure::plain(&of("time (ms)"), ours.time).beside(theirs.time, "ripgrep"),
        Figure::at_most(&of("first result (ms)"), first, 100.0),
    ])
}

/// The run with the least CPU time, after one that only warms the disk's cache.
struct Best {
    cpu: f64,
    time: f64,
    output: String,
    is_warm: bool,
}

impl Default for Best {
    fn default() -> Self {
        Self { cpu: f64::MAX, time: f64::MAX, output: String::new(), is_warm: false }
    }
}

impl Best {
    fn run(&mut self, what: &str, program: &mut Command) -> Result<(), String> {
        let (cpu, start) = (cpu_of_children()?, Instant::now());
        let output = quiet(what, program)?;
        let (time, cpu) = (start.elapsed().as_secs_f64() * 1000.0, cpu_of_children()? - cpu);
        if self.is_warm && cpu < self.cpu {
            *self = Self { cpu, time, output, is_warm: true };
        }
        self.is_warm = true;
        Ok(())
    }
}

/// CPU seconds of all programs that this one has waited for.
fn cpu_of_children() -> Result<f64, String> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|error| format!("CPU times need Linux: {error}"))?;
    // After the name, which may have spaces, the fields count from the third.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|ticks| ticks.parse::<f64>().ok());
    let (user, system) = (ticks(16), ticks(17));
    Ok((user.ok_or("no CPU time of children")? + system.ok_or("no CPU time of children")?) / TICKS)
}

/// Clock ticks of a second, on all Linux systems of today.
const TICKS: f64 = 100.0;
