//! Reads notebooks and writes them again: `rewrite FILE...` says which would change, `rewrite --canonical FILE` prints one written anew.

use std::{env, process::ExitCode};

use aside_notebook::Notebook;

#[allow(clippy::disallowed_methods, reason = "a program to try the crate on files; the crate itself touches no disk")]
fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let canonical = arguments.first().is_some_and(|first| first == "--canonical");
    if canonical {
        arguments.remove(0);
    }
    let mut worst = ExitCode::SUCCESS;
    for path in arguments {
        let outcome = std::fs::read(&path).map_err(|error| error.to_string()).and_then(|bytes| {
            let notebook = Notebook::read(&bytes).map_err(|error| error.to_string())?;
            for problem in notebook.problems() {
                eprintln!("{path}: cell {}: {}", problem.index, problem.message);
            }
            if canonical {
                print!("{}", notebook.write_canonical());
                return Ok(());
            }
            if notebook.write().as_bytes() == bytes { Ok(()) } else { Err("would change".into()) }
        });
        if let Err(reason) = outcome {
            eprintln!("{path}: {reason}");
            worst = ExitCode::FAILURE;
        }
    }
    worst
}
