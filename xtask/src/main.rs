//! Tasks of this repository, one file each: `cargo xtask up | test | bench | crash | converge | notebooks | tidy | codegen |
//! prices`.
//!
//! Only the standard library, so that the first command on a fresh machine starts at once.
#![allow(clippy::disallowed_methods, reason = "tasks read the repository and start tools")]

mod bench;
mod codegen;
mod converge;
mod crash;
mod mcp;
mod models;
mod needed;
mod notebooks;
mod prices;
mod run;
mod soak;
mod test;
mod tidy;
mod timings;
mod tools;
mod up;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask up [PATH] [-- FLAGS]   build everything and open PATH (default: the sample workspace)
cargo xtask test [FILTER|--all]    run the tests that a change can break (--all: all tests), after installing their tools
cargo xtask bench [NAME]           print measurements next to those of comparable programs (names: assistant, gate, history, models, notebook, notes, path, ranking, route, script, search, table, typing)
cargo xtask crash [POINTS] [SEED]  kill the server with -9 at 200 points and compare the files with the activity log
cargo xtask converge [MIN] [SEED]  let two people and an agent edit one notebook for 10 minutes; all copies must end up equal
cargo xtask notebooks              read and write notebooks of other projects; no byte may change
cargo xtask soak                   run the slow checks: crash, converge, notebooks, fuzz targets
cargo xtask timings                print build and test times, and the size of the binary
cargo xtask tidy [--shrink]        check the source tree: crate table, reasons for dependencies, style ratchet (--shrink lowers it)
cargo xtask codegen                write the TypeScript wire types and the reference pages of the actions
cargo xtask prices [PYTHON]        update the price list from LiteLLM, and the test fixtures of its calculator";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    let result = match args.first().map(String::as_str) {
        Some("up") => up::up(&rest),
        Some("test") => test::test(&rest),
        Some("bench") => bench::bench(&rest),
        Some("crash") => crash::crash(&rest),
        Some("converge") => converge::converge(&rest),
        Some("notebooks") => notebooks::notebooks(),
        Some("soak") => soak::soak(),
        Some("timings") => timings::timings(),
        Some("tidy") => tidy::tidy(&rest),
        Some("codegen") => codegen::codegen(),
        Some("prices") => prices::prices(&rest),
        _ => Err(format!("no such task\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
