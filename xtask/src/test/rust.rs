//! Lint, and the Rust tests: one graph of dependencies for the tests, the binary that browsers talk to, and the examples.

use std::{process::Command, thread::available_parallelism};

use super::{KERNEL, TSLAB, TYPESCRIPT, WEBHOOKS, home};
use crate::{
    codegen, needed,
    run::{cargo, root, step},
    tools,
};

/// Runs the Rust tests whose name contains the filter.
pub fn only(filter: &str) -> Result<(), String> {
    step("Rust tests", cargo().args(["test", "--workspace", "--locked", filter]))
}

pub fn lint() -> Result<(), String> {
    step("lint", cargo().args(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))
}

/// Compiles the tests, and with them the binary and the fake model server.
pub fn build() -> Result<(), String> {
    step("compile the tests and the binary", workspace().arg("--no-run"))
}

/// Runs what [`build`] has compiled.
pub fn run(found: &needed::Found) -> Result<(), String> {
    let mut tests = workspace();
    if has_nextest() {
        // Many tests wait for kernels, processes and clocks.
        let threads = available_parallelism().map_or(2, |processors| processors.get() + 1);
        tests.arg("--test-threads").arg(threads.to_string());
    } else {
        tests.arg("--no-fail-fast");
    }
    let payloads = root().join(WEBHOOKS).join("node_modules/@octokit/webhooks-examples/api.github.com/index.json");
    home::elsewhere(&mut tests)?;
    tests.env(needed::HAS, found.working.join(","));
    tests.env("ASIDE_TEST_PYTHON", tools::python_with(KERNEL)?).env("ASIDE_TEST_WEBHOOKS", payloads);
    tests.env("ASIDE_TEST_TSLAB", root().join(TYPESCRIPT).join(TSLAB));
    let types =
        step("TypeScript of the wire types", cargo().args(["test", "--quiet", "--locked"]).args(codegen::typescript()));
    step("Rust tests", &mut tests).and(types)
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

fn workspace() -> Command {
    let mut tests = cargo();
    if has_nextest() {
        tests.args(["nextest", "run"]);
    } else {
        tests.arg("test");
    }
    tests.args(["--workspace", "--locked"]);
    tests
}

fn has_nextest() -> bool {
    tools::has_cargo_subcommand("nextest")
}
