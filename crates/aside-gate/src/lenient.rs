//! Arguments as their author meant them: the one place where a value of another JSON type is taken for the wanted one.
//!
//! | sent | wanted | read as |
//! |---|---|---|
//! | `"2"`, `2.0` | integer | `2` |
//! | `"0.5"` | number | `0.5` |
//! | `"true"` | boolean | `true` |
//! | `100` | string | `"100"` |
//! | `null` | something else, optional | absent |
//! | `"a.py"` | array of strings | `["a.py"]` |
//! | `"{\"a\": 1}"` | object | `{"a": 1}` |
//!
//! Nothing else is changed, so that a wrong value is refused and never gets a meaning. The schema is checked afterwards.

use serde_json::{Map, Value};

/// Levels that are read; what is nested deeper stays as it is.
const DEEPEST: usize = 40;

/// Returns the arguments of an action as its schema wants them, as far as what was sent can only mean that.
pub fn read_args(args: &Value, schema: &Value) -> Value {
    let root = Schema { root: schema };
    let object = match args {
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    };
    root.read(object.unwrap_or_else(|| args.clone()), schema, 0)
}

/// A schema with its definitions.
struct Schema<'a> {
    root: &'a Value,
}

impl<'a> Schema<'a> {
    fn read(&self, value: Value, schema: &'a Value, depth: usize) -> Value {
        if depth > DEEPEST {
            return value;
        }
        let branches = self.branches(schema, depth);
        let wanted = |kind: Kind| branches.iter().any(|branch| kind.is_of(branch));
        // A schema that names no type takes anything.
        if branches.iter().all(|branch| Kind::ALL.iter().all(|kind| !kind.is_of(branch))) {
            return self.read_within(value, &branches, depth);
        }
        let value = match value {
            Value::String(text) if !wanted(Kind::String) => read_text(text, &wanted),
            Value::Number(number) if number.is_f64() && !wanted(Kind::Number) && wanted(Kind::Integer) => {
                whole(&number).map_or(Value::Number(number), Value::from)
            }
            Value::Number(number) if !wanted(Kind::Number) && !wanted(Kind::Integer) && wanted(Kind::String) => {
                Value::String(number.to_string())
            }
            value => value,
        };
        let is_one_of_many = wanted(Kind::Array) && !Kind::ALL.iter().any(|kind| kind.is(&value) && wanted(*kind));
        if is_one_of_many && !value.is_null() {
            return self.read_item(value, &branches, depth);
        }
        self.read_within(value, &branches, depth)
    }

    /// Takes one value for an array of it, if its items are of that type.
    fn read_item(&self, value: Value, branches: &[&'a Value], depth: usize) -> Value {
        let items = branches.iter().filter(|branch| Kind::Array.is_of(branch)).find_map(|branch| branch.get("items"));
        let Some(items) = items else { return value };
        let item = self.read(value.clone(), items, depth + 1);
        let fits = |branch: &&Value| Kind::ALL.iter().any(|kind| kind.is(&item) && kind.is_of(branch));
        match self.branches(items, depth).iter().any(fits) {
            true => Value::Array(vec![item]),
            false => value,
        }
    }

    fn read_within(&self, value: Value, branches: &[&'a Value], depth: usize) -> Value {
        match value {
            Value::Object(fields) => {
                let fitting = fitting(&fields, branches);
                match fitting {
                    Some(schema) => Value::Object(self.read_fields(fields, schema, depth)),
                    None => Value::Object(fields),
                }
            }
            Value::Array(items) => {
                let mut of_items = branches.iter().filter_map(|branch| branch.get("items"));
                match (of_items.next(), of_items.next()) {
                    (Some(schema), None) => items.into_iter().map(|item| self.read(item, schema, depth + 1)).collect(),
                    _ => Value::Array(items),
                }
            }
            value => value,
        }
    }

    fn read_fields(&self, fields: Map<String, Value>, schema: &'a Value, depth: usize) -> Map<String, Value> {
        let is_required =
            |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|other| other == name));
        let read = fields.into_iter().filter_map(|(name, value)| {
            let declared = schema["properties"].get(&name);
            let Some(own) = declared.or_else(|| schema.get("additionalProperties").filter(|own| own.is_object()))
            else {
                return Some((name, value));
            };
            let is_absent =
                value.is_null() && declared.is_some() && !is_required(&name) && !self.takes_null(own, depth);
            (!is_absent).then(|| {
                let value = self.read(value, own, depth + 1);
                (name, value)
            })
        });
        read.collect()
    }

    fn takes_null(&self, schema: &'a Value, depth: usize) -> bool {
        let branches = self.branches(schema, depth);
        branches.iter().any(|branch| Kind::Null.is_of(branch) || Kind::ALL.iter().all(|kind| !kind.is_of(branch)))
    }

    /// The schemas of which a value has to fit one.
    fn branches(&self, schema: &'a Value, depth: usize) -> Vec<&'a Value> {
        let mut found = Vec::new();
        self.add_branches(schema, depth, &mut found);
        found
    }

    fn add_branches(&self, schema: &'a Value, depth: usize, found: &mut Vec<&'a Value>) {
        let target = || self.root.pointer(schema["$ref"].as_str()?.strip_prefix('#')?);
        if depth > DEEPEST {
            return;
        }
        match (target(), ["anyOf", "oneOf"].iter().find_map(|keyword| schema[keyword].as_array())) {
            (Some(target), _) => self.add_branches(target, depth + 1, found),
            (None, Some(inner)) if schema.get("type").is_none() => {
                inner.iter().for_each(|inner| self.add_branches(inner, depth + 1, found));
            }
            _ => found.push(schema),
        }
    }
}

/// The one object schema that an object is meant for: the only one, or the one whose tag it carries.
fn fitting<'a>(fields: &Map<String, Value>, branches: &[&'a Value]) -> Option<&'a Value> {
    let has_fields = |branch: &&&Value| branch["properties"].is_object() || branch["additionalProperties"].is_object();
    let objects: Vec<&'a Value> = branches.iter().filter(has_fields).copied().collect();
    let carries_tags = |schema: &&&Value| {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let tags = properties.filter_map(|(name, property)| Some((name, property.get("const")?)));
        let mut tags = tags.peekable();
        tags.peek().is_some() && tags.all(|(name, tag)| fields.get(name) == Some(tag))
    };
    match objects[..] {
        [only] => Some(only),
        _ => objects.iter().find(carries_tags).copied(),
    }
}

fn read_text(text: String, wanted: &impl Fn(Kind) -> bool) -> Value {
    let trimmed = text.trim();
    let parsed: Option<Value> = serde_json::from_str(trimmed).ok();
    let read = match parsed {
        Some(Value::Number(number)) if number.is_f64() => wanted(Kind::Number).then_some(Value::Number(number)),
        Some(Value::Number(number)) => (wanted(Kind::Integer) || wanted(Kind::Number)).then_some(Value::Number(number)),
        Some(Value::Bool(flag)) => wanted(Kind::Boolean).then_some(Value::Bool(flag)),
        Some(object @ Value::Object(_)) => wanted(Kind::Object).then_some(object),
        Some(array @ Value::Array(_)) => wanted(Kind::Array).then_some(array),
        Some(Value::Null | Value::String(_)) => None,
        // As Python writes them.
        None if wanted(Kind::Boolean) => match trimmed {
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            _ => None,
        },
        None => None,
    };
    read.unwrap_or(Value::String(text))
}

/// A number without a fraction as an integer; none if a float can't hold it exactly.
fn whole(number: &serde_json::Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < EXACT)?;
    #[expect(clippy::cast_possible_truncation, reason = "it has no fraction, and is smaller than 2^53")]
    Some(float as i64)
}

/// A type of JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Null, Self::Boolean, Self::Integer, Self::Number, Self::String, Self::Array, Self::Object];

    fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// Tells whether a schema takes values of this type.
    fn is_of(self, schema: &Value) -> bool {
        match schema.get("type") {
            Some(Value::String(name)) => name == self.name(),
            Some(Value::Array(names)) => names.iter().any(|name| name == self.name()),
            _ => {
                let values = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
                let is_object = self == Self::Object && schema["properties"].is_object();
                is_object || values.into_iter().any(|value| self.is(value))
            }
        }
    }

    fn is(self, value: &Value) -> bool {
        match value {
            Value::Null => self == Self::Null,
            Value::Bool(_) => self == Self::Boolean,
            Value::Number(number) => self == Self::Number || (self == Self::Integer && !number.is_f64()),
            Value::String(_) => self == Self::String,
            Value::Array(_) => self == Self::Array,
            Value::Object(_) => self == Self::Object,
        }
    }
}

#[cfg(test)]
mod tests;
