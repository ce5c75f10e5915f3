//! Any text in the place of a record is exported and read without harm.
#![cfg_attr(fuzzing, no_main)]

use aside_core::{AuditRecord, Sha256};
use aside_fuzz::fuzz_target;
use aside_gate::logs_data;
use aside_store::ChainEntry;

fuzz_target!(|body: &str| {
    let _ = logs_data(&[ChainEntry { seq: 1, body: body.into(), hash: Sha256::of(body) }]);
    if let Ok(record) = serde_json::from_str::<AuditRecord>(body) {
        let again = serde_json::to_string(&record).expect("a record is JSON");
        assert_eq!(serde_json::from_str::<AuditRecord>(&again).expect("it is still a record"), record);
    }
});
