//! Data of an answer in at most so many characters: the longest texts are cut first.

use serde_json::Value;

/// Stands at the end of each text that is cut.
const CUT: &str = "[truncated tool output]";

/// Returns data in at most so many characters of JSON. The longest texts are cut first, all others stay; data that are too
/// long without them become a text that is cut.
pub(crate) fn trimmed(data: Value, most: usize) -> Value {
    let length = |data: &Value| data.to_string().chars().count();
    if length(&data) <= most {
        return data;
    }
    let (mut least, mut longest) = (0, most);
    while least < longest {
        let middle = (least + longest).div_ceil(2);
        if length(&cut(&data, middle)) <= most { least = middle } else { longest = middle - 1 }
    }
    let cut = cut(&data, least);
    if length(&cut) <= most {
        return cut;
    }
    let kept = most.saturating_sub(CUT.len() + 2) / 2;
    Value::String(data.to_string().chars().take(kept).collect::<String>() + CUT)
}

/// The data with no text longer than so many characters.
fn cut(data: &Value, most: usize) -> Value {
    match data {
        Value::String(text) if text.chars().count() > most + CUT.len() => {
            Value::String(text.chars().take(most).collect::<String>() + CUT)
        }
        Value::Array(items) => items.iter().map(|item| cut(item, most)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), cut(value, most))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn longest_texts_are_cut_first() {
        let data = json!({"a": "x".repeat(1_000), "b": ["short", "ä".repeat(600)], "n": 7});
        let cut = trimmed(data.clone(), 500);
        assert!(cut.to_string().chars().count() <= 500);
        assert_eq!((&cut["b"][0], &cut["n"]), (&json!("short"), &json!(7)));
        assert!(cut["a"].as_str().unwrap().ends_with(CUT) && cut["b"][1].as_str().unwrap().ends_with(CUT));
        assert_eq!(trimmed(data.clone(), 5_000), data);
        assert_eq!(trimmed(data.clone(), 500), trimmed(data, 500));
    }

    #[test]
    fn data_without_long_texts_become_one_cut_text() {
        let numbers: Vec<u32> = (0..1_000).collect();
        let cut = trimmed(json!(numbers), 300);
        assert!(cut.as_str().unwrap().ends_with(CUT) && cut.to_string().chars().count() <= 300);
    }
}
