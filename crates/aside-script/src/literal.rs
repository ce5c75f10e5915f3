//! Literal values of the source against a JSON Schema.

use oxc::ast::ast::*;
use oxc::span::{GetSpan, Span};
use serde_json::Value;

/// A problem at a place of the source.
#[derive(Debug)]
pub(crate) struct ArgumentProblem {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
}

impl ArgumentProblem {
    pub fn new(span: Span, message: String) -> Self {
        Self { span, message, hint: None }
    }
}

/// The type of a literal, as JSON Schema names it. `None`: the value is known only when the script runs.
fn literal_type(value: &Expression<'_>) -> Option<&'static str> {
    match value {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Some("string"),
        Expression::NumericLiteral(number) if number.value.fract() == 0.0 => Some("integer"),
        Expression::NumericLiteral(_) => Some("number"),
        Expression::BooleanLiteral(_) => Some("boolean"),
        Expression::NullLiteral(_) => Some("null"),
        Expression::ArrayExpression(_) => Some("array"),
        Expression::ObjectExpression(_) => Some("object"),
        Expression::ParenthesizedExpression(inner) => literal_type(&inner.expression),
        Expression::TSSatisfiesExpression(inner) => literal_type(&inner.expression),
        _ => None,
    }
}

/// Compares a value with a schema, and adds the problems. `root` resolves references.
pub(crate) fn compare(
    value: &Expression<'_>,
    schema: &Value,
    root: &Value,
    place: &str,
    problems: &mut Vec<ArgumentProblem>,
) {
    match value {
        Expression::ParenthesizedExpression(inner) => return compare(&inner.expression, schema, root, place, problems),
        Expression::TSSatisfiesExpression(inner) => return compare(&inner.expression, schema, root, place, problems),
        _ => {}
    }
    let (Some(found), Some(schema)) = (literal_type(value), resolved(schema, root, 0)) else { return };
    if let Some(options) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) {
        return compare_options(value, options, root, place, problems);
    }
    let span = value.span();
    let wanted = types(schema);
    if !wanted.is_empty() && !wanted.iter().any(|wanted| fits(found, wanted)) {
        let found = if found == "integer" { "number" } else { found };
        let verb = if place.starts_with('`') { "is" } else { "are" };
        let message =
            format!("{place} {verb} {}, and {} is needed.", with_article(found), with_article(&wanted.join(" or ")));
        return problems.push(ArgumentProblem::new(span, message));
    }
    if let (Some(options), Expression::StringLiteral(text)) = (schema["enum"].as_array(), value)
        && !options.iter().any(|option| option == text.value.as_str())
    {
        let options: Vec<String> = options.iter().map(Value::to_string).collect();
        let hint = nearest(&text.value, schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str));
        let message = format!("{place} is none of {}.", options.join(", "));
        return problems.push(ArgumentProblem {
            hint: hint.map(|near| format!("Did you mean {near:?}?")),
            ..ArgumentProblem::new(span, message)
        });
    }
    match value {
        Expression::ArrayExpression(list) if schema["items"].is_object() => {
            for item in list.elements.iter().filter_map(ArrayExpressionElement::as_expression) {
                compare(item, &schema["items"], root, place, problems);
            }
        }
        Expression::ObjectExpression(object) => compare_object(object, schema, root, place, problems),
        _ => {}
    }
}

/// A value that fits none of several schemas is a problem, but not which of their problems is meant.
fn compare_options(
    value: &Expression<'_>,
    options: &[Value],
    root: &Value,
    place: &str,
    problems: &mut Vec<ArgumentProblem>,
) {
    let mut of_each = options.iter().map(|option| {
        let mut found = Vec::new();
        compare(value, option, root, place, &mut found);
        found
    });
    if !of_each.any(|found| found.is_empty()) {
        problems
            .push(ArgumentProblem::new(value.span(), format!("{place} fits none of the forms that the action takes.")));
    }
}

fn compare_object(
    object: &ObjectExpression<'_>,
    schema: &Value,
    root: &Value,
    place: &str,
    problems: &mut Vec<ArgumentProblem>,
) {
    let mut names = Vec::new();
    let mut all_known = true;
    for property in &object.properties {
        let ObjectPropertyKind::ObjectProperty(property) = property else {
            all_known = false;
            continue;
        };
        let Some(name) = (if property.computed { None } else { property.key.static_name() }) else {
            all_known = false;
            continue;
        };
        if name == "__proto__" {
            continue;
        }
        match schema["properties"].get(name.as_ref()) {
            Some(inner) if !property.method && property.kind == PropertyKind::Init => {
                compare(&property.value, inner, root, &format!("`{name}`"), problems);
            }
            None if schema["additionalProperties"] == false => {
                problems.push(unknown(&name, property.key.span(), schema, place));
            }
            _ => {}
        }
        names.push(name.into_owned());
    }
    if all_known {
        missing_properties(&names, schema, object.span, place, problems);
    }
}

fn unknown(name: &str, span: Span, schema: &Value, place: &str) -> ArgumentProblem {
    let known = schema["properties"].as_object().into_iter().flatten().map(|(known, _)| known.as_str());
    let hint = nearest(name, known).map(|known| format!("Did you mean `{known}`?"));
    ArgumentProblem { hint, ..ArgumentProblem::new(span, format!("There is no `{name}` in {place}.")) }
}

/// The most similar name, if one is similar.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let distances = known.map(|known| (distance(name, known), known));
    distances.min().filter(|(distance, _)| *distance <= name.len() / 2).map(|(_, known)| known)
}

/// Levenshtein distance in bytes.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, from) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, to) in right.bytes().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

/// Adds a problem for each required property that is not among the names.
pub(crate) fn missing_properties(
    names: &[String],
    schema: &Value,
    span: Span,
    place: &str,
    problems: &mut Vec<ArgumentProblem>,
) {
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !names.iter().any(|name| name == required) {
            problems.push(ArgumentProblem::new(span, format!("`{required}` is missing in {place}.")));
        }
    }
}

/// Follows `$ref` within the same document.
fn resolved<'s>(schema: &'s Value, root: &'s Value, depth: u32) -> Option<&'s Value> {
    match schema["$ref"].as_str() {
        None => Some(schema),
        Some(_) if depth > 8 => None,
        Some(reference) => resolved(root.pointer(reference.strip_prefix('#')?)?, root, depth + 1),
    }
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn fits(found: &str, wanted: &str) -> bool {
    found == wanted || (found == "integer" && wanted == "number")
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    if name.starts_with("null") { name.to_owned() } else { format!("{article} {name}") }
}
