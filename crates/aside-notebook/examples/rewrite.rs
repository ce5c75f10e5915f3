//! Reads notebooks and writes them again: `rewrite FILE...` says which would change and which are refused, and fails if one
//! would change; `rewrite --canonical FILE` prints one written anew.

use std::{env, process::ExitCode};

use aside_notebook::Notebook;

#[allow(clippy::disallowed_methods, reason = "a program to try the crate on files; the crate itself touches no disk")]
fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let canonical = arguments.first().is_some_and(|first| first == "--canonical");
    if canonical {
        arguments.remove(0);
    }
    let (mut same, mut changed, mut refused) = (0, 0, 0);
    for path in arguments {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
        let notebook = match Notebook::read(&bytes) {
            Ok(notebook) => notebook,
            Err(reason) => {
                eprintln!("refused: {path}: {reason}");
                refused += 1;
                continue;
            }
        };
        for problem in notebook.problems() {
            eprintln!("odd: {path}: cell {}: {}", problem.index, problem.message);
        }
        if canonical {
            print!("{}", notebook.write_canonical());
        } else if notebook.write().as_bytes() == bytes {
            same += 1;
        } else {
            eprintln!("would change: {path}");
            changed += 1;
        }
    }
    if !canonical {
        println!("{same} notebooks are written as they were, {changed} would change, {refused} are refused");
    }
    if changed == 0 && !(canonical && refused > 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
