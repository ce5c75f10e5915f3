//! Finds what can be different when the requests of a task are asked for again, and puts other values in. Pure.
//!
//! A parameter is a text that is a place (a path, a folder, a name in the target), or that occurs in several places
//! as a whole. Its value is put into texts and nothing else: it can't become another argument or another action.

use std::collections::BTreeMap;

use aside_core::{ActionRequest, Parameter};
use serde_json::Value;

/// Arguments that say where.
const PLACES: &[&str] = &["path", "from", "to", "file", "folder", "into", "name", "cwd", "root"];
/// Arguments that are run: a value that is put into them would be run too, so nothing is.
const CODE: &[&str] = &["command", "script", "code"];
/// The words of a command: a value may be one of them as a whole, and none is taken for a parameter by itself.
const WORDS: &str = "argv";
/// Bytes of a text that is taken for a parameter.
const LONGEST: usize = 200;
/// Bytes from which on a value is also looked for within longer texts.
const SURE: usize = 4;

/// A text that occurs in requests.
struct Found<'a> {
    value: &'a str,
    /// The argument in which it was seen first.
    key: &'a str,
    /// The request of that argument, and its number from 1.
    step: (usize, &'a ActionRequest),
    is_place: bool,
    count: usize,
}

/// Returns the parameters that are found in some requests, and the requests with these in place of their values.
pub(crate) fn parametrized(requests: &[ActionRequest]) -> (Vec<Parameter>, Vec<ActionRequest>) {
    let mut found: Vec<Found<'_>> = Vec::new();
    for step in (1..).zip(requests) {
        each_text(step.1, &mut |key, value| note(&mut found, step, key, value));
    }
    found.retain(|found| found.is_place || found.count > 1);
    let names = named(&found, requests);
    let values: Vec<(&str, &str)> =
        names.iter().zip(&found).map(|(name, found)| (found.value, name.as_str())).collect();
    let mut counts = vec![0; values.len()];
    let steps = mapped(requests, &mut |key, text| with_names(key, text, &values, &mut counts));
    let parameter = |((name, found), count): ((&String, &Found<'_>), &usize)| Parameter {
        name: name.clone(),
        about: about(found, *count),
        value: found.value.to_owned(),
    };
    (names.iter().zip(&found).zip(&counts).map(parameter).collect(), steps)
}

/// Returns requests with values in place of parameters, in one pass: what a value says is never looked at again.
pub(crate) fn filled(steps: &[ActionRequest], values: &BTreeMap<&str, &str>) -> Vec<ActionRequest> {
    mapped(steps, &mut |_, text| with_values(text, values))
}

/// Tells whether a name can be a parameter's.
pub(crate) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.len() <= 40 && name.bytes().all(fits)
}

/// How a parameter stands in a text.
pub(crate) fn braced(name: &str) -> String {
    format!("{{{{{name}}}}}")
}

/// Tells whether some text of the requests holds this as a part.
pub(crate) fn occurs(requests: &[ActionRequest], part: &str) -> bool {
    let mut occurs = false;
    requests.iter().for_each(|request| each_text(request, &mut |_, text| occurs |= text.contains(part)));
    occurs
}

fn note<'a>(found: &mut Vec<Found<'a>>, step: (usize, &'a ActionRequest), key: &'a str, value: &'a str) {
    if CODE.contains(&key) || key == WORDS {
        return;
    }
    if value.trim().is_empty() || value.len() > LONGEST || value.contains(char::is_control) {
        return;
    }
    let is_place = PLACES.contains(&key);
    match found.iter_mut().find(|found| found.value == value) {
        Some(found) => {
            found.count += 1;
            if is_place && !found.is_place {
                (found.is_place, found.key, found.step) = (true, key, step);
            }
        }
        None => found.push(Found { value, key, step, is_place, count: 1 }),
    }
}

/// One name each, after the argument; none that stands in braces somewhere already.
fn named(found: &[Found<'_>], requests: &[ActionRequest]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for found in found {
        let stem = if is_name(found.key) { found.key } else { "value" };
        let candidates = std::iter::once(stem.to_owned()).chain((2..).map(|number| format!("{stem}_{number}")));
        let is_free = |name: &String| !names.contains(name) && !occurs(requests, &braced(name));
        let name = candidates.into_iter().find(is_free).expect("there are more numbers than names");
        names.push(name);
    }
    names
}

/// "path of doc.edit in step 1, and in 2 other places"
fn about(found: &Found<'_>, count: usize) -> String {
    let (number, request) = found.step;
    let first = format!("{} of {} in step {number}", found.key, request.action_type);
    match count {
        1 => first,
        2 => format!("{first}, and one other place"),
        _ => format!("{first}, and {} other places", count - 1),
    }
}

/// Replaces whole texts, and the longest values within longer texts where they stand on their own.
fn with_names(key: &str, text: &str, values: &[(&str, &str)], counts: &mut [usize]) -> String {
    if CODE.contains(&key) {
        return text.to_owned();
    }
    if let Some(at) = values.iter().position(|(value, _)| *value == text) {
        counts[at] += 1;
        return braced(values[at].1);
    }
    if key == WORDS {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let before = out.chars().next_back().filter(|_| !out.ends_with("}}"));
        let begins = |(value, _): &&(&str, &str)| {
            value.len() >= SURE && rest.starts_with(value) && stands_alone(before, rest[value.len()..].chars().next())
        };
        match values.iter().filter(begins).max_by_key(|(value, _)| value.len()) {
            Some(longest) => {
                let at = values.iter().position(|value| value == longest).expect("it is one of them");
                counts[at] += 1;
                out.push_str(&braced(longest.1));
                rest = &rest[longest.0.len()..];
            }
            None => {
                let first = rest.chars().next().expect("it is not empty");
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

fn stands_alone(before: Option<char>, after: Option<char>) -> bool {
    let joins = |next: Option<char>| next.is_some_and(|next| next.is_alphanumeric() || "_-/.".contains(next));
    !joins(before) && !joins(after.filter(|after| *after != '.'))
}

fn with_values(text: &str, values: &BTreeMap<&str, &str>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let (before, braces) = rest.split_at(start);
        out.push_str(before);
        let name = braces[2..].split_once("}}").map(|(name, _)| name);
        match name.and_then(|name| Some((name, values.get(name)?))) {
            Some((name, value)) => {
                out.push_str(value);
                rest = &braces[name.len() + 4..];
            }
            None => {
                out.push('{');
                rest = &braces[1..];
            }
        }
    }
    out + rest
}

fn each_text<'a>(request: &'a ActionRequest, take: &mut dyn FnMut(&'a str, &'a str)) {
    request.target.iter().for_each(|(key, value)| take(key, value));
    texts_of("", &request.args, take);
}

fn texts_of<'a>(key: &'a str, value: &'a Value, take: &mut dyn FnMut(&'a str, &'a str)) {
    match value {
        Value::String(text) => take(key, text),
        Value::Array(items) => items.iter().for_each(|item| texts_of(key, item, take)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| texts_of(key, value, take)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn mapped(requests: &[ActionRequest], change: &mut dyn FnMut(&str, &str) -> String) -> Vec<ActionRequest> {
    let mut requests = requests.to_vec();
    for request in &mut requests {
        request.target.iter_mut().for_each(|(key, value)| *value = change(key, value));
        change_texts("", &mut request.args, change);
    }
    requests
}

fn change_texts(key: &str, value: &mut Value, change: &mut dyn FnMut(&str, &str) -> String) {
    match value {
        Value::String(text) => *text = change(key, text),
        Value::Array(items) => items.iter_mut().for_each(|item| change_texts(key, item, change)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, value)| change_texts(key, value, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn requests(args: &[Value]) -> Vec<ActionRequest> {
        args.iter().map(|args| ActionRequest::new("doc.edit".parse().unwrap(), args.clone())).collect()
    }

    fn names(parameters: &[Parameter]) -> Vec<(&str, &str, &str)> {
        parameters.iter().map(|each| (&*each.name, &*each.value, &*each.about)).collect()
    }

    #[test]
    fn places_and_what_recurs_are_parameters() {
        let (parameters, steps) = parametrized(&requests(&[
            json!({"path": "tides.csv", "edits": [{"old": "Ada", "new": "Bob"}]}),
            json!({"from": "tides.csv", "to": "old/tides.csv", "note": "was tides.csv. Not my-tides.csv"}),
            json!({"path": "b.md", "edits": [{"old": "x", "new": "Bob"}]}),
        ]));
        let wanted = [
            ("path", "tides.csv", "path of doc.edit in step 1, and 2 other places"),
            ("new", "Bob", "new of doc.edit in step 1, and one other place"),
            ("to", "old/tides.csv", "to of doc.edit in step 2"),
            ("path_2", "b.md", "path of doc.edit in step 3"),
        ];
        let mut found = names(&parameters);
        found.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
        assert_eq!(steps[0].args["edits"], json!([{"old": "Ada", "new": "{{new}}"}]));
        assert_eq!(steps[1].args["note"], "was {{path}}. Not my-tides.csv");
        assert_eq!(steps[1].args["to"], "{{to}}");
    }

    #[test]
    fn braces_that_were_there_mean_themselves() {
        let (parameters, steps) = parametrized(&requests(&[json!({"path": "a.txt", "text": "{{path}} {{ {x}"})]));
        assert_eq!(names(&parameters), [("path_2", "a.txt", "path of doc.edit in step 1")]);
        assert_eq!(steps[0].args, json!({"path": "{{path_2}}", "text": "{{path}} {{ {x}"}));
        let filled = filled(&steps, &[("path_2", "b.txt")].into());
        assert_eq!(filled[0].args, json!({"path": "b.txt", "text": "{{path}} {{ {x}"}));
    }

    #[test]
    fn a_value_is_text_and_is_not_looked_at_again() {
        let steps = requests(&[json!({"path": "{{a}}", "text": "{{{b}}}"})]);
        let filled = filled(&steps, &[("a", "\", \"x\": {{b}}"), ("b", "{{a}}")].into());
        assert_eq!(filled[0].args, json!({"path": "\", \"x\": {{b}}", "text": "{{{a}}}"}));
    }

    #[test]
    fn nothing_is_put_into_what_is_run() {
        let (parameters, steps) = parametrized(&requests(&[
            json!({"path": "copy.md"}),
            json!({"command": "wc -l copy.md"}),
            json!({"command": "wc -l copy.md"}),
            json!({"argv": ["sh", "-c", "wc copy.md", "copy.md"]}),
            json!({"argv": ["sh", "-c", "true"]}),
        ]));
        assert_eq!(names(&parameters), [("path", "copy.md", "path of doc.edit in step 1, and one other place")]);
        assert_eq!(steps[1].args, json!({"command": "wc -l copy.md"}));
        assert_eq!(steps[3].args, json!({"argv": ["sh", "-c", "wc copy.md", "{{path}}"]}));
    }

    #[test]
    fn texts_that_are_long_or_of_several_lines_are_none() {
        let (parameters, _) = parametrized(&requests(&[json!({"path": "a\nb"}), json!({"path": "x".repeat(201)})]));
        assert!(parameters.is_empty());
    }

    proptest! {
        #[test]
        fn with_the_old_values_it_is_the_old_requests(
            texts in proptest::collection::vec("[ab{}./]{0,8}|\\{\\{path\\}\\}|data/x.csv", 1..8)
        ) {
            let args: Vec<_> =
                texts.iter().map(|text| json!({"path": text, "edits": [{"new": format!("{text} {text}")}]})).collect();
            let requests = requests(&args);
            let (parameters, steps) = parametrized(&requests);
            let values = parameters.iter().map(|each| (each.name.as_str(), each.value.as_str())).collect();
            prop_assert_eq!(filled(&steps, &values), requests);
        }
    }
}
