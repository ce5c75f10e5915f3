//! Any text compiles or has an error, and each line stays where it is.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_script::{check, compile};

fuzz_target!(|source: &str| {
    if let Ok(program) = compile(source) {
        assert_eq!(program.javascript().matches('\n').count(), source.matches('\n').count(), "a line moved");
        check(&program, &[]);
    }
});
