//! Looking into JSON of which little is known: what is not there, or is something else, is none.

use aside_core::Timestamp;
use serde_json::Value;

use super::{since_1970, time};

/// What is at a path of names.
pub fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, name| value.get(name))
}

/// Text that is not empty.
pub fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    at(value, path)?.as_str().filter(|text| !text.is_empty())
}

/// A number of things; fractions are cut.
pub fn count(value: &Value, path: &str) -> u64 {
    let found = at(value, path);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
    found.and_then(|found| found.as_u64().or_else(|| found.as_f64().map(|number| number as u64))).unwrap_or(0)
}

/// An amount of dollars above zero, in 10⁻¹² dollars.
pub fn dollars(value: &Value, path: &str) -> Option<u64> {
    super::picodollars(at(value, path)?.as_f64()?).filter(|amount| *amount > 0)
}

/// A time in words or as a number.
pub fn moment(value: &Value, path: &str) -> Option<Timestamp> {
    let found = at(value, path)?;
    found.as_f64().and_then(since_1970).or_else(|| time(found.as_str()?))
}

/// The elements of a list.
pub fn list<'a>(value: &'a Value, path: &str) -> impl Iterator<Item = &'a Value> {
    at(value, path).and_then(Value::as_array).into_iter().flatten()
}

/// Pieces of text and what takes their place, with the names that most programs have for them.
pub fn edits(told: Value) -> Value {
    let mut all = if let Value::Array(all) = told { all } else { vec![told] };
    let names = [("old", "old_string"), ("new", "new_string"), ("allowMultiple", "replace_all")];
    for edit in all.iter_mut().filter_map(Value::as_object_mut) {
        for (from, to) in names {
            if let Some(value) = edit.remove(from) {
                edit.insert(to.to_owned(), value);
            }
        }
    }
    Value::Array(all)
}

/// What is said in a text, or in the `text` of a list of blocks, but for those that are thoughts.
pub fn said(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let said = blocks.iter().filter(|block| at(block, "thought") != Some(&Value::Bool(true)));
            said.filter_map(|block| text(block, "text").or(block.as_str())).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
