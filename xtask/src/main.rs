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
mod test;
mod tidy;
mod tools;
mod up;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask up [PATH] [-- FLAGS]   build everything and open PATH (else the sample workspace)
cargo xtask test [FILTER]          run all tests; installs what they need
cargo xtask bench [NAME]           print measured figures beside their peers (names: assistant, gate, history, models, notebook, path)
cargo xtask crash [POINTS] [SEED]  kill the server -9 at 200 points and hold what is left against the audit
cargo xtask converge [MIN] [SEED]  two people and an agent edit one notebook, 10 minutes long, and have to end the same
cargo xtask notebooks              read and write other people's notebooks: not a byte may change
cargo xtask tidy [--shrink]        check the tree: crate table, reasons of dependencies, file lengths, style ratchet (lowers it)
cargo xtask codegen                write the TypeScript of the wire types, and the pages of the actions
cargo xtask prices [PYTHON]        write the list of prices from LiteLLM, and fixtures of its calculator";

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
