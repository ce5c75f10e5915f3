//! Makes an answer short enough for a model's context, and lets the rest be asked for.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::HistoryError;

/// Characters of JSON of an answer.
pub const BUDGET: usize = 4_000;
/// Characters of an answer that has no list to shorten.
const BARE: usize = 3_936;

/// Halves the longest list until the answer is short enough. With a `handle` from an earlier answer (`list:row`, for each list that was
/// cut), the rows of these lists from those on.
pub fn fitted(mut answer: Value, handle: Option<&str>) -> Result<Value, HistoryError> {
    // How many rows of each list were told before.
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    if let Some(handle) = handle {
        told = rest(&mut answer, handle)?;
    }
    while length(&answer) > BUDGET {
        let lists = answer.as_object_mut().into_iter().flatten();
        let lists = lists.filter_map(|(name, value)| Some((name.clone(), value.as_array_mut()?)));
        let Some((name, list)) = lists.max_by_key(|(_, list)| list.len()).filter(|(_, list)| list.len() > 1) else {
            return Ok(cut(&answer));
        };
        list.truncate(list.len() / 2);
        told.entry(name).or_default();
        let row = |(name, before): (&String, &usize)| {
            format!("{name}:{}", before + answer[name].as_array().map_or(0, Vec::len))
        };
        answer["_handle"] = told.iter().map(row).collect::<Vec<_>>().join(",").into();
        answer["_truncated"] = true.into();
    }
    Ok(answer)
}

/// Leaves out the rows before those that a handle names; returns how many of each list that are.
fn rest(answer: &mut Value, handle: &str) -> Result<BTreeMap<String, usize>, HistoryError> {
    let wrong =
        || HistoryError::Asked(format!("no handle `{handle}`: pass the `_handle` of an answer to the same query"));
    let mut told = BTreeMap::new();
    for part in handle.split(',') {
        let (name, from) = part.rsplit_once(':').ok_or_else(wrong)?;
        let from: usize = from.parse().map_err(|_| wrong())?;
        let list = answer.get_mut(name).and_then(Value::as_array_mut).ok_or_else(wrong)?;
        list.drain(..from.min(list.len()));
        told.insert(name.to_owned(), from);
    }
    Ok(told)
}

fn length(answer: &Value) -> usize {
    answer.to_string().chars().count()
}

fn cut(answer: &Value) -> Value {
    let mut text: String = answer.to_string().chars().take(BARE).collect();
    // Quotes are escaped again within the text.
    loop {
        let whole = json!({ "_truncated": true, "_text": format!("{text}...[truncated]") });
        if length(&whole) <= BUDGET {
            return whole;
        }
        let left = text.chars().count() * 9 / 10;
        text = text.chars().take(left).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_keeps_its_best_rows_and_its_handle_gives_the_rest() {
        let rows: Vec<Value> = (0..500).map(|number| json!({ "row": number })).collect();
        let answer = json!({ "count": 500, "rows": rows, "few": [1] });
        let (mut seen, mut handle) = (Vec::new(), None);
        loop {
            let part = fitted(answer.clone(), handle.as_deref()).unwrap();
            assert!(part.to_string().chars().count() <= BUDGET);
            assert_eq!(part["few"], json!([1]));
            seen.extend(part["rows"].as_array().unwrap().iter().map(|row| row["row"].as_u64().unwrap()));
            match part["_handle"].as_str() {
                Some(next) => handle = Some(next.to_owned()),
                None => break,
            }
        }
        assert_eq!(seen, (0..500).collect::<Vec<_>>());
        assert_eq!(fitted(json!({ "rows": [] }), None).unwrap(), json!({ "rows": [] }));
        for wrong in ["rows", "none:3", "count:1", "rows:x"] {
            assert!(fitted(answer.clone(), Some(wrong)).unwrap_err().to_string().contains("no handle"), "{wrong}");
        }
    }

    #[test]
    fn when_two_lists_are_cut_the_handle_gives_the_rest_of_both() {
        let list =
            |name: &str, many: usize| -> Vec<Value> { (0..many).map(|number| json!({ name: number })).collect() };
        let answer = json!({ "one": list("long_name", 300), "two": list("another", 200) });
        let (mut seen, mut handle) = ([Vec::new(), Vec::new()], None);
        loop {
            let part = fitted(answer.clone(), handle.as_deref()).unwrap();
            for (seen, name) in seen.iter_mut().zip(["one", "two"]) {
                seen.extend(part[name].as_array().unwrap().clone());
            }
            match part["_handle"].as_str() {
                Some(next) => handle = Some(next.to_owned()),
                None => break,
            }
        }
        assert_eq!(seen, [list("long_name", 300), list("another", 200)]);
    }

    #[test]
    fn an_answer_without_a_list_is_cut() {
        let cut = fitted(json!({ "text": "\"é".repeat(4_000) }), None).unwrap();
        assert!(cut.to_string().chars().count() <= BUDGET);
        assert!(cut["_truncated"] == true && cut["_text"].as_str().unwrap().ends_with("...[truncated]"));
    }
}
