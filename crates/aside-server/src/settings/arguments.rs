//! The schemas of a setting's key and value, made from the table of settings.

use aside_core::{SETTINGS, Setting};
use schemars::{Schema, SchemaGenerator, json_schema};

/// The schema of a key.
pub fn key(_: &mut SchemaGenerator) -> Schema {
    let keys: Vec<_> = SETTINGS.iter().map(|setting| setting.key).collect();
    json_schema!({ "type": "string", "enum": keys, "description": "The setting." })
}

/// The schema of a value: any that some setting takes.
pub fn value(_: &mut SchemaGenerator) -> Schema {
    let line = |setting: &Setting| format!("{}: {}", setting.key, setting.kind);
    let lines: Vec<_> = SETTINGS.iter().map(line).collect();
    let description = format!("The new value. {}.", lines.join("; "));
    json_schema!({ "type": ["boolean", "integer", "string"], "description": description })
}
