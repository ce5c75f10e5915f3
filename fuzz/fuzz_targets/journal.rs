//! Any bytes are a journal, as far as they are records; what a record holds is read as it is written.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| aside_store::read_any_journal(bytes));
