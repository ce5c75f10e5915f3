//! Any bytes in the place of an answer over this wire.
#![no_main]

use aside_llm::bytes::Format;
use libfuzzer_sys::fuzz_target;

mod answer;

fuzz_target!(|input: &[u8]| answer::check(Format::Ollama, input));
