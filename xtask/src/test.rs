//! `cargo xtask test`: everything that a change can break, from formatting to real browsers. Slower checks are `cargo xtask soak`.
//!
//! Programs are installed and the user interface is checked while Rust compiles. A part of the tests that has passed in this
//! target folder is left out as long as nothing that can reach it has changed: see `part.rs`.

mod home;
mod part;
mod reach;
mod rust;
mod sources;

pub use rust::ignored;

use std::{
    fs,
    thread::{ScopedJoinHandle, scope},
};

use self::part::{Inputs, TestParts};
use crate::{
    codegen, mcp, models, needed,
    run::{cargo, command, is_ci, quiet_step, root, step, take_steps, target, timed},
    tidy, tools, web,
};

/// Where payloads of other people's webhooks are named.
const WEBHOOKS: &str = "crates/aside-history/suite";

/// Where a kernel of another language is named.
const TYPESCRIPT: &str = "crates/aside-kernels/suite";
/// Its program, below that.
const TSLAB: &str = "node_modules/tslab/bin/tslab";

/// What the tests' kernel has: itself, what SQL cells ask with and answer in, and what else writes notebooks.
const KERNEL: &[&str] = &["ipykernel", "ipywidgets", "pandas", "duckdb", "nbformat"];

/// Runs the tests that a change since they passed can break; all of them with `--all` and in CI. With a filter, runs only the
/// Rust tests whose name contains it.
pub fn test(args: &[&str]) -> Result<(), String> {
    let all = match args.first() {
        Some(&"--all") => true,
        Some(filter) => return rust::only(filter),
        None => is_ci(),
    };
    tools::require_node()?;
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    timed("tidiness", || tidy::tidy(&[]))?;
    let found = prepared(all)?;
    let results = run(&found, &Inputs::read(tools::versions(KERNEL, &found.working)?, all)?);
    summary(&found);
    let failed: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Compiles everything and installs the programs of the tests.
fn prepared(all: bool) -> Result<needed::Found, String> {
    scope(|scope| {
        let interface = scope.spawn(move || user_interface(all));
        let programs = scope.spawn(programs);
        let rust = rust::lint_and_build();
        let (interface, programs) = (ended(interface), ended(programs));
        rust?;
        interface?;
        programs
    })
}

/// Runs all suites; a failure in one does not stop the others. One after the other: each keeps all processors busy.
fn run(found: &needed::Found, inputs: &Inputs) -> Vec<Result<(), String>> {
    vec![
        due("Rust tests", inputs, inputs.packages(), |names| rust::run(found, names)),
        due("TypeScript of the wire types", inputs, inputs.wire_types(), |_| {
            step("TypeScript of the wire types", rust::test().args(codegen::typescript()))
        }),
        due("MCP conformance", inputs, inputs.suite("conformance", &["aside"]), |_| mcp::conformance()),
        due("model clients", inputs, inputs.suite("models", &["aside-llm", "aside-testkit"]), |_| models::suite()),
        due("browser tests", inputs, inputs.browser_tests(), browser_tests),
    ]
}

/// Runs the parts of a suite that are due, and writes down that they have passed.
fn due(
    suite: &str,
    inputs: &Inputs,
    parts: TestParts,
    run: impl FnOnce(&[&str]) -> Result<(), String>,
) -> Result<(), String> {
    let Some(names) = parts.announced(suite) else { return Ok(()) };
    run(&names)?;
    inputs.passed(&parts.due);
    Ok(())
}

fn ended<T>(work: ScopedJoinHandle<'_, Result<T, String>>) -> Result<T, String> {
    work.join().unwrap_or_else(|_| Err("a task of the tests panicked".to_owned()))
}

fn user_interface(all: bool) -> Result<(), String> {
    web::install()?;
    web::build()?;
    let inputs = Inputs::read(tools::version_of("node").unwrap_or_default(), all)?;
    due("user interface", &inputs, inputs.pages(), |_| {
        quiet_step(
            "types, lint and unit tests of the user interface",
            command("npm", "web").args(["run", "--silent", "check"]),
        )?;
        quiet_step("size of the user interface", command("npm", "web").args(["run", "--silent", "size"]))
    })
}

/// Installs the programs that tests start.
fn programs() -> Result<needed::Found, String> {
    let chromium = tools::chromium().map(drop);
    let found = needed::find()?;
    tools::python_with(KERNEL)?;
    models::clients()?;
    web::install_below(WEBHOOKS, "install payloads of webhooks")?;
    web::install_below(TYPESCRIPT, "install a kernel of TypeScript")?;
    web::install_below(mcp::SUITE, "install the programs that test MCP")?;
    web::install_below(models::SUITE, "install the mock of model providers")?;
    chromium.map(|()| found)
}

/// Runs these files of browser tests.
fn browser_tests(files: &[&str]) -> Result<(), String> {
    let chromium = tools::chromium()?;
    let mut tests = command("npm", "web");
    tests.args(["run", "--silent", "test:browser", "--"]).args(files);
    tests.env("CHROMIUM", chromium).env("ASIDE_BIN", target("debug/aside"));
    tests.env("ASIDE_TEST_PYTHON", tools::python_with(KERNEL)?);
    tests.env("ASIDE_TEST_TSLAB", root().join(TYPESCRIPT).join(TSLAB));
    home::elsewhere(&mut tests)?;
    step("browser tests", &mut tests)
}

/// Prints the time of each step, and at the very end the tests that were left out.
fn summary(found: &needed::Found) {
    let mut steps = take_steps();
    steps.sort_by_key(|step| std::cmp::Reverse(step.took));
    let lines: String = steps.iter().map(|step| format!("{:.1}\t{}\n", step.took.as_secs_f32(), step.name)).collect();
    eprintln!("==> time of the steps (seconds; some run side by side)\n{lines}");
    let _ = fs::write(target("test-steps.tsv"), lines);
    found.not_tested.iter().for_each(|line| eprintln!("{line}"));
}
