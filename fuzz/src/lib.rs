//! The entry point of fuzz targets. `cargo fuzz` sets `cfg(fuzzing)`, and a target is libFuzzer's; elsewhere a target only has
//! to compile, so that it follows the code it is for.

#[cfg(fuzzing)]
pub use libfuzzer_sys::fuzz_target;

/// Type-checks a fuzz target.
#[cfg(not(fuzzing))]
#[macro_export]
macro_rules! fuzz_target {
    (init: $init:expr, |$input:ident: $type:ty| $body:expr) => {
        fn main() {
            let _ = || $init;
            let _ = |$input: $type| $body;
        }
    };
    (|$input:ident: $type:ty| $body:expr) => {
        fn main() {
            let _ = |$input: $type| $body;
        }
    };
}
