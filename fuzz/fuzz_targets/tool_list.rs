//! Whatever list of tools a server tells, what is kept of it has names of its own, hides nothing, and compiles in time.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|told: &[u8]| aside_mcp::try_tool_list(told));
