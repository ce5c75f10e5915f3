//! Any bytes are a journal, as far as they are records; what a record holds is read as it is written.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| aside_store::read_any_journal(bytes));
