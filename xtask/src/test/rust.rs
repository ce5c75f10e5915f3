//! Lint, and the Rust tests: one graph of dependencies for the tests, the binary that browsers talk to, and the examples.
//!
//! Clippy can lint while it compiles, which costs less than lint and compile one after the other. Its programs are stored
//! beside those of plain cargo, so this is done only in continuous integration, in a target folder
//! where plain cargo has compiled nothing before.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    thread::available_parallelism,
};

use super::{KERNEL, TSLAB, TYPESCRIPT, WEBHOOKS, home};
use crate::{
    needed,
    run::{cargo, is_ci, root, step, target},
    tools,
};

/// Runs the Rust tests whose name contains the filter.
pub fn only(filter: &str) -> Result<(), String> {
    step("Rust tests", cargo().args(["test", "--workspace", "--locked", filter]))
}

/// Lints everything and compiles the tests, and with them the binary and the fake model server.
pub fn lint_and_build() -> Result<(), String> {
    if compiles_with_clippy() {
        // Written first: it decides how everything is compiled from here on.
        fs::create_dir_all(target("")).and_then(|()| fs::write(marker(), "")).map_err(cannot_mark)?;
        return step("lint and compile", workspace().arg("--no-run"));
    }
    step("lint", cargo().args(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))?;
    step("compile the tests and the binary", workspace().arg("--no-run"))
}

/// Runs the tests of these packages.
pub fn run(found: &needed::Found, packages: &[&str]) -> Result<(), String> {
    let mut tests = workspace();
    if has_nextest() {
        // Many tests wait for kernels, processes and clocks.
        let threads = available_parallelism().map_or(2, |processors| processors.get() + 1);
        tests.arg("--test-threads").arg(threads.to_string());
        let packages: Vec<_> = packages.iter().map(|name| format!("package(={name})")).collect();
        tests.arg("--no-tests=pass").arg("-E").arg(packages.join(" + "));
    } else {
        // To choose packages would choose other features, and compile them anew.
        tests.arg("--no-fail-fast");
    }
    let payloads = root().join(WEBHOOKS).join("node_modules/@octokit/webhooks-examples/api.github.com/index.json");
    home::elsewhere(&mut tests)?;
    tests.env(needed::HAS, found.working.join(","));
    tests.env("ASIDE_TEST_PYTHON", tools::python_with(KERNEL)?).env("ASIDE_TEST_WEBHOOKS", payloads);
    tests.env("ASIDE_TEST_TSLAB", root().join(TYPESCRIPT).join(TSLAB));
    step("Rust tests", &mut tests)
}

/// A run of one crate's ignored tests out of the same graph.
pub fn ignored(package: &str, name: &str) -> Command {
    let mut tests = workspace();
    if has_nextest() {
        tests.args(["--run-ignored", "only", "-E"]).arg(format!("package({package}) & test({name})"));
    } else {
        tests.args([name, "--", "--ignored"]);
    }
    tests
}

/// Plain `cargo test`.
pub fn test() -> Command {
    let mut test = compiling();
    test.args(["test", "--quiet", "--locked"]);
    test
}

fn workspace() -> Command {
    let mut tests = compiling();
    if has_nextest() {
        tests.args(["nextest", "run"]);
    } else {
        tests.arg("test");
    }
    tests.args(["--workspace", "--locked"]);
    tests
}

/// Cargo, compiling as this target folder is compiled.
fn compiling() -> Command {
    if marker().exists() { linting() } else { cargo() }
}

/// Cargo, with Clippy in place of the compiler for our own packages.
fn linting() -> Command {
    let mut cargo = cargo();
    cargo.env("RUSTC_WORKSPACE_WRAPPER", clippy());
    // As `cargo clippy -- -D warnings` hands its arguments on.
    cargo.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    cargo
}

fn compiles_with_clippy() -> bool {
    let has_compiled = fs::read_dir(target("debug/deps")).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libaside_"))
    });
    marker().exists() || (is_ci() && !has_compiled && clippy().exists())
}

fn cannot_mark(error: io::Error) -> String {
    format!("cannot write {}: {error}", marker().display())
}

/// Marks a target folder that is compiled with Clippy.
fn marker() -> PathBuf {
    target("compiled-with-clippy")
}

/// Clippy as a compiler, next to cargo.
fn clippy() -> PathBuf {
    Path::new(env!("CARGO")).with_file_name("clippy-driver")
}

fn has_nextest() -> bool {
    tools::has_cargo_subcommand("nextest")
}
