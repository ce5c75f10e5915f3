//! Any bytes in the place of an answer over this wire.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_llm::bytes::Format;

mod answer;

fuzz_target!(|input: &[u8]| answer::check(Format::Responses, input));
