//! Prints what is read from a log: `cargo run -p aside-latex --example problems main.log`.

use std::env;

use aside_latex::{Problem, problems};

#[allow(clippy::disallowed_methods, reason = "it reads the log that a person names")]
fn main() -> std::io::Result<()> {
    for path in env::args().skip(1) {
        for problem in problems(std::fs::read(path)?) {
            println!("{}", shown(&problem));
        }
    }
    Ok(())
}

fn shown(problem: &Problem) -> String {
    let file = problem.file.as_deref().unwrap_or("-");
    let line = problem.line.map_or(String::new(), |line| format!(":{line}"));
    format!("{:?} {file}{line}: {}", problem.severity, problem.message)
}
