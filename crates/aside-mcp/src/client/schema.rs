//! Whether the schema of a tool's arguments can be used to check arguments, without harm to who checks.

use std::collections::{BTreeMap, BTreeSet};

use rmcp::model::JsonObject;
use serde_json::{Map, Value};

/// Bytes of one schema.
const MOST: usize = 64 * 1024;
/// Schemas that are applied to one value, at most.
const MOST_APPLIED: usize = 1000;
/// Levels of one schema.
const DEEPEST: usize = 40;

/// Patterns of one schema: each has to be compiled.
const MOST_PATTERNS: usize = 50;

/// Keywords under which a schema is applied to the same value as the one that holds them.
const IN_PLACE: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// Says what is wrong with a schema, if anything is.
pub(crate) fn check(schema: &JsonObject) -> Result<(), String> {
    let schema = Value::Object(schema.clone());
    let length = schema.to_string().len();
    if length > MOST {
        return Err(format!("its schema has {length} bytes, more than the maximum of {MOST}"));
    }
    if depth(&schema) > DEEPEST {
        return Err(format!("its schema is nested deeper than {DEEPEST} levels"));
    }
    if schema.get("type").is_some_and(|kind| kind != "object") {
        return Err("its arguments are not an object".to_owned());
    }
    if patterns(&schema) > MOST_PATTERNS {
        return Err(format!("its schema has more than {MOST_PATTERNS} patterns"));
    }
    check_references(&schema)
}

fn patterns(schema: &Value) -> usize {
    match schema {
        Value::Array(items) => items.iter().map(patterns).sum(),
        Value::Object(fields) => {
            let own = usize::from(fields.get("pattern").is_some_and(Value::is_string));
            let named = fields.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
            own + named + fields.values().map(patterns).sum::<usize>()
        }
        _ => 0,
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// References stay within the schema, don't lead to themselves without going into a value, and don't multiply.
fn check_references(schema: &Value) -> Result<(), String> {
    let mut all = Vec::new();
    references(schema, &mut all);
    let mut known = BTreeMap::new();
    for reference in &all {
        weight(schema, reference, &mut known)?;
    }
    check_growth(schema, all.into_iter().collect())
}

/// A schema that holds itself is applied at most once to each value: twice at each level would be without end in
/// values that are nested deeply.
fn check_growth(schema: &Value, all: BTreeSet<&str>) -> Result<(), String> {
    let target = |reference: &str| reference.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
    let mut within: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for reference in &all {
        let mut inner = Vec::new();
        references(target(reference).unwrap_or(&Value::Null), &mut inner);
        within.insert(reference, inner.into_iter().collect());
    }
    let circular: BTreeSet<&str> = all.iter().filter(|reference| reaches_itself(reference, &within)).copied().collect();
    let applied = |place: &Value| {
        let (mut next, mut seen, mut count) = (Vec::new(), BTreeSet::new(), 0);
        in_place(place, &mut next);
        while let Some(reference) = next.pop() {
            count += usize::from(circular.contains(reference));
            // What leads on in place has no circle, and is followed once.
            if seen.insert(reference) {
                in_place(target(reference).unwrap_or(&Value::Null), &mut next);
            }
        }
        count
    };
    match circular.is_empty() || all_values(schema, &mut |place| applied(place) <= 1) {
        true => Ok(()),
        false => Err("its schema contains itself more than once at one place".to_owned()),
    }
}

fn reaches_itself(reference: &str, within: &BTreeMap<&str, BTreeSet<&str>>) -> bool {
    let (mut next, mut seen) = (vec![reference], BTreeSet::new());
    while let Some(at) = next.pop() {
        for inner in within.get(at).into_iter().flatten() {
            if *inner == reference {
                return true;
            }
            if seen.insert(*inner) {
                next.push(inner);
            }
        }
    }
    false
}

fn all_values(value: &Value, holds: &mut impl FnMut(&Value) -> bool) -> bool {
    holds(value)
        && match value {
            Value::Array(items) => items.iter().all(|item| all_values(item, holds)),
            Value::Object(fields) => fields.values().all(|inner| all_values(inner, holds)),
            _ => true,
        }
}

/// How many schemas are applied to one value by a reference. `known` holds none for one that is being looked at.
fn weight<'a>(
    schema: &'a Value,
    reference: &'a str,
    known: &mut BTreeMap<&'a str, Option<usize>>,
) -> Result<usize, String> {
    match known.get(reference) {
        Some(Some(weight)) => return Ok(*weight),
        Some(None) => return Err(format!("its schema refers to `{reference}` in a circle")),
        None => {}
    }
    let target = reference.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
    let target = target.ok_or_else(|| format!("its schema refers to `{reference}`, which is not in it"))?;
    known.insert(reference, None);
    let (mut next, mut sum) = (Vec::new(), 1);
    in_place(target, &mut next);
    for reference in next {
        sum += weight(schema, reference, known)?;
    }
    if sum > MOST_APPLIED {
        return Err("its schema refers to itself too often".to_owned());
    }
    known.insert(reference, Some(sum));
    Ok(sum)
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(reference(value));
            fields.values().for_each(|inner| references(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// The references that are applied to the same value as a schema.
fn in_place<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    found.extend(reference(schema));
    for inner in IN_PLACE.iter().filter_map(|keyword| schema.get(keyword)) {
        match inner {
            Value::Array(schemas) => schemas.iter().for_each(|schema| in_place(schema, found)),
            schema => in_place(schema, found),
        }
    }
    let named = schema.get("dependentSchemas").and_then(Value::as_object);
    named.into_iter().flatten().for_each(|(_, schema)| in_place(schema, found));
}

fn reference(schema: &Value) -> impl Iterator<Item = &str> {
    ["$ref", "$dynamicRef", "$recursiveRef"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checked(schema: Value) -> Result<(), String> {
        check(schema.as_object().unwrap())
    }

    #[test]
    fn schemas_as_servers_write_them_pass() {
        checked(json!({})).unwrap();
        checked(json!({ "type": "object", "properties": { "a": { "type": "number" } }, "required": ["a"] })).unwrap();
        let tree = json!({
            "type": "object",
            "properties": { "tree": { "$ref": "#/$defs/node" } },
            "$defs": { "node": { "type": "object", "properties": { "next": { "$ref": "#/$defs/node" } } } },
        });
        checked(tree).unwrap();
    }

    #[test]
    fn what_would_not_end_or_reaches_out_is_refused() {
        let refused = |schema: Value| checked(schema).unwrap_err();
        assert!(refused(json!({ "$ref": "#" })).contains("circle"));
        assert!(refused(json!({ "allOf": [{ "anyOf": [{ "$ref": "#" }] }] })).contains("circle"));
        let through_another = json!({
            "properties": { "a": { "$ref": "#/$defs/x" } },
            "$defs": { "x": { "not": { "$ref": "#/$defs/y" } }, "y": { "dependentSchemas": { "k": { "$ref": "#/$defs/x" } } } },
        });
        assert!(refused(through_another).contains("circle"));
        assert!(refused(json!({ "$ref": "http://evil.example/schema" })).contains("not in it"));
        assert!(refused(json!({ "$ref": "#/$defs/none" })).contains("not in it"));
        assert!(refused(json!({ "type": "string" })).contains("not an object"));
        assert!(refused(json!({ "description": "x".repeat(MOST) })).contains("bytes"));
        let deep = (0..50).fold(json!({}), |inner, _| json!({ "not": inner }));
        assert!(refused(json!({ "properties": { "a": deep } })).contains("deeper"));
    }

    #[test]
    fn a_schema_that_holds_itself_twice_at_one_place_is_refused() {
        let tree = |child: Value| json!({ "properties": { "a": { "$ref": "#/$defs/n" } }, "$defs": { "n": { "properties": { "a": child } } } });
        let node = json!({ "$ref": "#/$defs/n" });
        checked(tree(json!({ "anyOf": [node, { "type": "null" }] }))).unwrap();
        let twice = tree(json!({ "allOf": [node, node] }));
        assert!(checked(twice).unwrap_err().contains("more than once"));
        let mut through = tree(json!({ "allOf": [node, { "$ref": "#/$defs/m" }] }));
        through["$defs"]["m"] = json!({ "not": node });
        assert!(checked(through).unwrap_err().contains("more than once"));
    }

    #[test]
    fn a_schema_of_many_patterns_is_refused() {
        let many: serde_json::Map<_, _> = (0..60).map(|at| (format!("p{at}"), json!({ "pattern": "^a+$" }))).collect();
        assert!(checked(json!({ "properties": many })).unwrap_err().contains("patterns"));
        checked(json!({ "properties": { "a": { "pattern": "^(?!b)a+$" }, "pattern": { "type": "string" } } })).unwrap();
    }

    #[test]
    fn references_that_double_at_each_step_are_refused() {
        let step = |next: usize| json!({ "allOf": [{ "$ref": format!("#/$defs/d{next}") }, { "$ref": format!("#/$defs/d{next}") }] });
        let mut defs: serde_json::Map<_, _> = (0..30).map(|at| (format!("d{at}"), step(at + 1))).collect();
        defs.insert("d30".to_owned(), json!({}));
        let schema = json!({ "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs });
        assert!(checked(schema).unwrap_err().contains("too often"));
    }
}
