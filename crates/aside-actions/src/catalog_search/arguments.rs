//! The arguments of an action in one line: `{from: string, to: string, links?: boolean}`.

use serde_json::{Map, Value};

/// Bytes of a line. The arguments of a longer one are read with `catalog.describe`.
const LONGEST: usize = 400;
/// Levels of objects and lists in it.
const DEEPEST: usize = 5;

/// Returns the arguments that a schema describes; none if a line can't hold all of them.
pub(super) fn written(schema: &Value) -> Option<String> {
    let text = of(schema, schema, DEEPEST)?;
    (text.len() <= LONGEST).then_some(text)
}

fn of(schema: &Value, root: &Value, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    if let Some(name) = schema["$ref"].as_str() {
        return of(root.pointer(name.strip_prefix('#')?)?, root, depth);
    }
    if let Some(fixed) = schema.get("const") {
        return Some(fixed.to_string());
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().filter(|value| !value.is_null()).map(Value::to_string).collect();
        return Some(values.join("|"));
    }
    if let Some(choices) = ["anyOf", "oneOf"].iter().find_map(|name| schema[name].as_array()) {
        let choices = choices.iter().filter(|choice| choice["type"] != "null");
        let mut choices: Vec<_> = choices.map(|choice| of(choice, root, depth)).collect::<Option<_>>()?;
        choices.dedup();
        return Some(choices.join("|"));
    }
    match kind(schema) {
        Some("object") => match schema["properties"].as_object() {
            Some(properties) => object(properties, &schema["required"], root, depth),
            // A tool of another program may say nothing of them.
            None => Some("{}".to_owned()),
        },
        Some("array") => match &schema["items"] {
            Value::Null => Some("any[]".to_owned()),
            items => of(items, root, depth).map(|item| match item.contains('|') {
                true => format!("({item})[]"),
                false => format!("{item}[]"),
            }),
        },
        Some(plain) => Some(plain.to_owned()),
        None => Some("any".to_owned()),
    }
}

fn object(properties: &Map<String, Value>, required: &Value, root: &Value, depth: usize) -> Option<String> {
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let field = |(name, schema): (&String, &Value)| {
        let mark = if is_required(name) { "" } else { "?" };
        Some(format!("{name}{mark}: {}", of(schema, root, depth)?))
    };
    let fields: Vec<_> = properties.iter().map(field).collect::<Option<_>>()?;
    Some(format!("{{{}}}", fields.join(", ")))
}

/// The type that a schema wants; of several, the first that is not null.
fn kind(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        _ if schema["properties"].is_object() => Some("object"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_one_line() {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "count": {"type": ["integer", "null"]},
                "which": {"anyOf": [{"enum": ["all", "others"]}, {"type": "null"}]},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}},
                "kinds": {"type": "array", "items": {"enum": ["a", "b"]}},
            },
            "required": ["path", "edits"],
            "$defs": {"Edit": {"type": "object", "properties": {"old": {"type": "string"}}, "required": ["old"]}},
        });
        let expected =
            r#"{count?: integer, edits: {old: string}[], kinds?: ("a"|"b")[], path: string, which?: "all"|"others"}"#;
        let written = written(&schema).unwrap();
        let mut fields: Vec<_> = written.trim_matches(['{', '}']).split(", ").collect();
        fields.sort_unstable();
        let mut wanted: Vec<_> = expected.trim_matches(['{', '}']).split(", ").collect();
        wanted.sort_unstable();
        assert_eq!(fields, wanted);
    }

    #[test]
    fn long_arguments_are_left_out() {
        let fields: Map<String, Value> = (0..60).map(|n| (format!("field_{n}"), json!({"type": "string"}))).collect();
        assert_eq!(written(&json!({"type": "object", "properties": fields})), None);
        let endless =
            json!({"$ref": "#/$defs/Node", "$defs": {"Node": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}});
        assert_eq!(written(&endless), None);
        assert_eq!(written(&json!({})).as_deref(), Some("any"));
    }
}
