//! Any bytes are a request or are refused; one that says what only the Gate may say is no request.
#![no_main]

use aside_core::ActionRequest;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(request) = serde_json::from_slice::<ActionRequest>(bytes) else { return };
    let value: Value = serde_json::from_slice(bytes).expect("what is a request is JSON");
    for reserved in ["risk_level", "requires_confirmation", "id", "hash"] {
        assert!(value.get(reserved).is_none(), "{value}");
    }
    let again = serde_json::to_vec(&request).expect("a request is JSON");
    assert_eq!(serde_json::from_slice::<ActionRequest>(&again).expect("it is still a request"), request);
});
