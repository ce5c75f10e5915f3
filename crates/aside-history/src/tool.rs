//! Questions about the history that a model or a person asks by name, each with a small answer and where it stands in the logs.
//!
//! They only read. An answer is a JSON object of at most [`BUDGET`] characters: its longest list is halved until it fits, the best rows
//! first, and then it says `_truncated`. What can't be answered is an object with `error`.

mod args;
mod files;
mod money;
mod sessions;

use aside_core::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::{HistoryError, Index};
use args::Arguments;

/// Characters of JSON of an answer.
pub const BUDGET: usize = 4_000;

/// The time and place in which a question is asked.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The time now.
    pub now: Timestamp,
    /// Whose days count.
    pub zone: TimeZone,
    /// The folder that is meant where none is named.
    pub workspace: Option<String>,
}

/// The questions, with what each takes.
pub const TOOLS: &[(&str, &str)] = &[
    ("find_sessions_in_path", "path!, since, limit 5, descendants"),
    ("find_sessions_touching_file", "file!, mode any|read|write, since, limit 5"),
    ("list_recent_sessions", "project, limit 10"),
    ("get_project_summary", "slug"),
    ("get_cost_summary", "period today|7days|30days|month|all, limit 10"),
];

/// Answers a question. It never fails: what is wrong is said in the answer.
pub fn answer(index: &Index, asking: &Asking, name: &str, arguments: &Value) -> Value {
    let arguments = Arguments::of(arguments);
    let found = arguments.and_then(|arguments| match name {
        "find_sessions_in_path" => sessions::in_path(index, asking, &arguments),
        "find_sessions_touching_file" => files::touching(index, asking, &arguments),
        "list_recent_sessions" => sessions::recent(index, &arguments),
        "get_project_summary" => money::project(index, asking, &arguments),
        "get_cost_summary" => money::summary(index, asking, &arguments),
        _ => {
            let known: Vec<&str> = TOOLS.iter().map(|(name, _)| *name).collect();
            Err(HistoryError::Asked(format!("no tool `{name}`: known are {}", known.join(", "))))
        }
    });
    found.map_or_else(|error| json!({ "error": error.to_string() }), fitted)
}

/// Halves the longest list until the answer is short enough.
fn fitted(mut answer: Value) -> Value {
    while answer.to_string().chars().count() > BUDGET {
        let lists = answer.as_object_mut().into_iter().flatten().filter_map(|(_, value)| value.as_array_mut());
        let Some(longest) = lists.max_by_key(|list| list.len()).filter(|list| list.len() > 1) else { break };
        longest.truncate(longest.len() / 2);
        answer["_truncated"] = true.into();
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_keeps_its_best_rows_and_says_so() {
        let rows: Vec<Value> = (0..500).map(|number| json!({ "row": number })).collect();
        let answer = fitted(json!({ "count": 500, "rows": rows, "few": [1] }));
        assert!(answer.to_string().len() <= BUDGET);
        assert_eq!(
            (&answer["_truncated"], &answer["rows"][0]["row"], &answer["few"]),
            (&json!(true), &json!(0), &json!([1]))
        );
        assert_eq!(fitted(json!({ "rows": [] })), json!({ "rows": [] }));
    }
}
