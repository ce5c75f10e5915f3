//! `cargo xtask timings`: what it costs to build and test Aside, as one table.
//!
//! All of it is done in a fresh clone of what is committed. Packages of the system, and what cargo and npm have fetched before,
//! are there already. On a quiet machine it takes about an hour.

mod change;
mod programs;
mod sections;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    run::{command, root, step, take_steps, target, timed},
    tools,
};

/// An action of which a line is changed.
const ACTION: &str = "crates/aside-actions/src/ui_open.rs";
/// A part of the page of which a line is changed.
const PAGE: &str = "web/src/app/base.ts";

/// A line of the table.
struct Row {
    name: String,
    took: Duration,
    /// How many seconds it may take.
    at_most: Option<u64>,
}

/// Measures everything and prints the table.
pub fn timings() -> Result<(), String> {
    tools::require_node()?;
    let clone = Clone::new()?;
    let mut rows = clone.tests(&["xtask", "test"], "cold", 20 * 60)?;
    rows.extend(clone.tests(&["xtask", "test", "--all"], "all of it, warm", 8 * 60)?);
    let programs = programs::slowest(&clone.folder.join("target/nextest/default/junit.xml"))?;
    clone.changed(ACTION)?;
    rows.extend(clone.tests(&["xtask", "test"], "after a changed line of an action", 8 * 60)?);
    rows.extend(clone.debug()?);
    rows.extend(clone.release()?);
    println!("| step | seconds | at most |\n|---|---:|---:|");
    for Row { name, took, at_most } in rows {
        let at_most = at_most.map(|seconds| seconds.to_string()).unwrap_or_default();
        println!("| {name} | {:.1} | {at_most} |", took.as_secs_f32());
    }
    println!("\n{programs}\n{}", sections::table(&clone.folder.join("target/release/aside"))?);
    Ok(())
}

/// A clone of the repository.
struct Clone {
    folder: PathBuf,
}

impl Clone {
    fn new() -> Result<Self, String> {
        let folder = target("timings");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
        }
        step("clone", command("git", ".").args(["clone", "--quiet", "--local"]).arg(root()).arg(&folder))?;
        Ok(Self { folder })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = command(program, ".");
        command.current_dir(&self.folder).env_remove("CARGO_TARGET_DIR");
        command
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(), String> {
        step(&format!("cargo {}", arguments.join(" ")), self.command(env!("CARGO")).args(arguments))
    }

    /// The time of `cargo xtask test`, and of its steps.
    fn tests(&self, task: &[&str], state: &str, at_most: u64) -> Result<Vec<Row>, String> {
        let all = row(&format!("`cargo xtask test`, {state}"), Some(at_most), || self.cargo(task))?;
        let file = self.folder.join("target/test-steps.tsv");
        let text = read(&file)?;
        let steps = text.lines().filter_map(|line| {
            let (seconds, name) = line.split_once('\t')?;
            let took = Duration::try_from_secs_f32(seconds.parse().ok()?).ok()?;
            Some(Row { name: format!("— {name}"), took, at_most: None })
        });
        Ok(std::iter::once(all).chain(steps).collect())
    }

    /// A build from nothing, and what a changed line costs in it.
    fn debug(&self) -> Result<Vec<Row>, String> {
        let build = || self.cargo(&["build", "--package", "aside", "--locked", "--target-dir", "target/cold"]);
        let tests = || {
            self.cargo(&["test", "--quiet", "--package", "aside-actions", "--locked", "--target-dir", "target/cold"])
        };
        let mut rows = vec![row("cold debug build", None, build)?];
        self.changed(ACTION)?;
        rows.push(row("debug build after a changed line of an action", None, build)?);
        tests()?;
        self.changed(ACTION)?;
        rows.push(row("tests of the actions after a changed line of one", Some(15), tests)?);
        Ok(rows)
    }

    /// A release from nothing, and what a changed line of the page costs in it.
    fn release(&self) -> Result<Vec<Row>, String> {
        let build = || self.cargo(&["build", "--release", "--package", "aside", "--locked"]);
        let mut rows = vec![row("cold release build", Some(8 * 60), build)?];
        self.changed(PAGE)?;
        rows.push(row("page rebuilt and in the release after a changed line of it", Some(10), || {
            step("page", self.command("npm").args(["--prefix", "web", "run", "--silent", "build"]))?;
            build()
        })?);
        Ok(rows)
    }

    fn changed(&self, file: &str) -> Result<(), String> {
        change::line(&self.folder.join(file))
    }
}

fn row(name: &str, at_most: Option<u64>, work: impl FnOnce() -> Result<(), String>) -> Result<Row, String> {
    timed(name, work)?;
    let took = take_steps().pop().expect("a step has ended").took;
    Ok(Row { name: name.to_owned(), took, at_most })
}

/// Reads a file, or names it in the error.
fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}
