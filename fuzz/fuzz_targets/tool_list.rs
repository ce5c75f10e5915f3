//! Whatever list of tools a server tells, what is kept of it has names of its own, hides nothing, and compiles in time.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;

fuzz_target!(|told: &[u8]| aside_mcp::try_tool_list(told));
