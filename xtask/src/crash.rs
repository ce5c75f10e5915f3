//! `cargo xtask crash`: kills the server again and again and holds what is left against the audit. The tests do the
//! same a few times; see `crates/aside/tests/crash`.

use crate::run::{command, step};

const POINTS: &str = "200";
const SEED: &str = "1";

/// Kills it at so many points, 200 if nothing is said, of the transcript that a seed names.
pub fn crash(args: &[&str]) -> Result<(), String> {
    let mut arguments = args.iter().copied();
    let (points, seed) = (arguments.next().unwrap_or(POINTS), arguments.next().unwrap_or(SEED));
    for number in [points, seed] {
        number
            .parse::<u64>()
            .map_err(|_| format!("`{number}` is not a number\nhint: cargo xtask crash [POINTS] [SEED]"))?;
    }
    let mut test = command(env!("CARGO"), ".");
    test.args([
        "test",
        "--quiet",
        "--locked",
        "--package",
        "aside",
        "--test",
        "integration",
        "crash",
        "--",
        "--nocapture",
    ]);
    step("crash test", test.env("ASIDE_CRASH_POINTS", points).env("ASIDE_CRASH_SEED", seed))
}
