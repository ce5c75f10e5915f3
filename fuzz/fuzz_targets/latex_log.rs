//! Any bytes are a log of LaTeX: what is read from it lies within it, and counts lines from 1.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_latex::{MOST_PROBLEMS, excerpt, problems, tail};

fuzz_target!(|log: &[u8]| {
    let found = problems(log);
    assert!(found.len() <= MOST_PROBLEMS);
    for problem in &found {
        assert!(problem.raw.start <= problem.raw.end && problem.raw.end <= log.len());
        assert_ne!(problem.line, Some(0));
        assert!(excerpt(log, problem, 200).len() <= 200);
    }
    assert!(tail(log, 100).len() <= 100);
});
