//! Any bytes are text that is written back as it was, or are refused.
#![cfg_attr(fuzzing, no_main)]

use aside_doc::{decode, encode};
use aside_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((text, shape)) = decode(bytes) {
        assert_eq!(encode(&text, &shape), bytes);
        let changed = format!("first\n{text}\nlast");
        let (again, _) = decode(&encode(&changed, &shape)).expect("text stays text");
        assert_eq!(again, changed);
    }
});
