use proptest::prelude::*;
use serde_json::json;

use super::*;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "line": { "type": "integer", "minimum": 1 },
            "share": { "type": "number" },
            "all": { "type": "boolean" },
            "limit": { "type": ["integer", "null"] },
            "mode": { "enum": ["fast", "slow"] },
            "paths": { "type": "array", "items": { "type": "string" } },
            "edits": { "type": "array", "items": { "$ref": "#/$defs/Edit" } },
            "place": { "anyOf": [{ "$ref": "#/$defs/Edit" }, { "type": "null" }] },
            "launch": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "program" }, "argv": { "type": "array", "items": { "type": "string" } } } },
                { "type": "object", "properties": { "kind": { "const": "http" }, "port": { "type": "integer" } } },
            ] },
            "env": { "type": "object", "additionalProperties": { "type": "string" } },
            "either": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "any": true,
        },
        "required": ["path"],
        "$defs": { "Edit": {
            "type": "object",
            "properties": { "new": { "type": "string" }, "start": { "type": "integer" } },
            "required": ["new"],
        } },
    })
}

fn check(sent: Value, read: Value) {
    assert_eq!(read_args(&sent, &schema()), read, "{sent}");
}

#[test]
fn values_of_another_type_are_read() {
    check(json!({ "line": "2" }), json!({ "line": 2 }));
    check(json!({ "line": " -3 " }), json!({ "line": -3 }));
    check(json!({ "line": 2.0 }), json!({ "line": 2 }));
    check(json!({ "share": "0.5" }), json!({ "share": 0.5 }));
    check(json!({ "share": "2" }), json!({ "share": 2 }));
    check(json!({ "all": "true" }), json!({ "all": true }));
    check(json!({ "all": "False" }), json!({ "all": false }));
    check(json!({ "path": 100 }), json!({ "path": "100" }));
    check(json!({ "path": 1.5 }), json!({ "path": "1.5" }));
    check(json!({ "limit": "7" }), json!({ "limit": 7 }));
}

#[test]
fn null_is_absent_where_it_is_optional() {
    check(json!({ "line": null, "paths": null, "mode": null }), json!({}));
    check(json!({ "limit": null, "place": null, "any": null }), json!({ "limit": null, "place": null, "any": null }));
    check(json!({ "path": null }), json!({ "path": null }));
    check(json!({ "edits": [{ "new": null, "start": null }] }), json!({ "edits": [{ "new": null }] }));
}

#[test]
fn one_value_is_an_array_of_it() {
    check(json!({ "paths": "a.py" }), json!({ "paths": ["a.py"] }));
    check(json!({ "paths": 7 }), json!({ "paths": ["7"] }));
    check(json!({ "edits": { "new": "x", "start": "3" } }), json!({ "edits": [{ "new": "x", "start": 3 }] }));
    check(json!({ "edits": r#"{"new": "x"}"# }), json!({ "edits": [{ "new": "x" }] }));
    check(json!({ "edits": "x" }), json!({ "edits": "x" }));
}

#[test]
fn json_text_is_read_for_an_object() {
    check(json!(r#"{"path": "a", "line": "2"}"#), json!({ "path": "a", "line": 2 }));
    check(json!({ "edits": r#"[{"new": "x"}]"# }), json!({ "edits": [{ "new": "x" }] }));
    check(json!({ "place": r#"{"new": 5}"# }), json!({ "place": { "new": "5" } }));
    check(json!({ "paths": r#"["a", "b"]"# }), json!({ "paths": ["a", "b"] }));
    check(json!({ "path": r#"{"new": 5}"# }), json!({ "path": r#"{"new": 5}"# }));
}

#[test]
fn values_within_values_are_read() {
    check(
        json!({ "launch": { "kind": "program", "argv": "ls" } }),
        json!({ "launch": { "kind": "program", "argv": ["ls"] } }),
    );
    check(json!({ "launch": { "kind": "http", "port": "80" } }), json!({ "launch": { "kind": "http", "port": 80 } }));
    check(json!({ "env": { "PORT": 80 } }), json!({ "env": { "PORT": "80" } }));
}

#[test]
fn wrong_values_get_no_meaning() {
    for wrong in [
        json!({ "line": "two" }),
        json!({ "line": "2.0" }),
        json!({ "line": 2.5 }),
        json!({ "line": "" }),
        json!({ "line": true }),
        json!({ "line": [2] }),
        json!({ "line": "2 lines" }),
        json!({ "line": "0x10" }),
        json!({ "line": "null" }),
        json!({ "all": "yes" }),
        json!({ "all": 1 }),
        json!({ "all": "1" }),
        json!({ "path": true }),
        json!({ "path": ["a"] }),
        json!({ "path": { "a": 1 } }),
        json!({ "paths": true }),
        json!({ "place": "not json" }),
        json!({ "either": "7" }),
        json!({ "mode": "other" }),
        json!({ "launch": { "port": "80" } }),
        json!({ "unknown": null }),
        json!([1]),
        json!("text"),
        json!(null),
    ] {
        check(wrong.clone(), wrong);
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[0-9a-z\\[\\]{}\":]{0,6}".prop_map(Value::from),
    ];
    let name = proptest::sample::select(vec!["path", "line", "edits", "new", "start", "launch", "env", "kind", "any"]);
    leaf.prop_recursive(4, 30, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::vec((name.clone(), inner), 0..4).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    /// Fitting arguments still fit, and reading twice changes nothing more.
    #[test]
    fn any_arguments_are_read_once_and_for_all(args in any_json()) {
        let schema = schema();
        let read = read_args(&args, &schema);
        prop_assert_eq!(&read_args(&read, &schema), &read);
        if jsonschema::is_valid(&schema, &args) {
            prop_assert!(jsonschema::is_valid(&schema, &read));
        }
    }
}

#[test]
fn schema_within_itself_is_read() {
    let circle = json!({ "$ref": "#" });
    assert_eq!(read_args(&json!({ "a": "1" }), &circle), json!({ "a": "1" }));
    let tree = json!({ "type": "object", "properties": { "next": { "$ref": "#" }, "n": { "type": "integer" } } });
    assert_eq!(
        read_args(&json!({ "next": { "next": { "n": "1" } } }), &tree),
        json!({ "next": { "next": { "n": 1 } } })
    );
}
