//! Gets a model: `POST /api/pull`, a line for each bit of progress. The parts of a model come one after the other.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream::BoxStream};
use serde_json::{Value, json};

use crate::{
    ProviderError,
    http::{
        ask::Question,
        decode::{error_words, excerpt},
        endpoint::Endpoint,
        values::values,
    },
};

/// How far a pull is. The last one has `done` set; a stream that ends without it was cut off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    /// What the server is doing, in its words.
    pub status: String,
    /// Bytes of all parts that are known so far.
    pub total: Option<u64>,
    /// Of these, how many are here.
    pub completed: u64,
    /// The model is here.
    pub done: bool,
}

/// A pull as it goes on; dropping it ends it. What is here already is kept for the next time.
pub type PullStream = BoxStream<'static, Result<Pulled, ProviderError>>;

/// Parts of one model whose sizes are added up.
const MOST_PARTS: usize = 1_000;

#[derive(Default)]
struct Parts(BTreeMap<String, (u64, u64)>);

pub(super) fn pull(endpoint: Endpoint, model: &str) -> PullStream {
    let question = Question::post("/api/pull", &json!({ "model": model, "name": model, "stream": true }));
    let (shown, mut parts) = (endpoint.shown(), Parts::default());
    let read = move |value: Result<Value, ProviderError>| {
        parts.read(&value?).map_err(|detail| ProviderError::Failed { endpoint: shown.clone(), detail })
    };
    values(endpoint, question).map(read).boxed()
}

impl Parts {
    fn read(&mut self, line: &Value) -> Result<Pulled, String> {
        if !line["error"].is_null() {
            return Err(error_words(line).unwrap_or_else(|| excerpt(&line.to_string())));
        }
        let status = excerpt(line["status"].as_str().unwrap_or_default());
        if let (Some(digest), Some(total)) = (line["digest"].as_str(), line["total"].as_u64())
            && (self.0.len() < MOST_PARTS || self.0.contains_key(digest))
        {
            let completed = line["completed"].as_u64().unwrap_or(0).min(total);
            self.0.insert(digest.to_owned(), (completed, total));
        }
        let sum = |part: fn(&(u64, u64)) -> u64| self.0.values().map(part).fold(0, u64::saturating_add);
        let total = (!self.0.is_empty()).then(|| sum(|(_, total)| *total));
        Ok(Pulled { done: status == "success", status, total, completed: sum(|(completed, _)| *completed) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_added_up() {
        let mut parts = Parts::default();
        let mut read = |line: Value| parts.read(&line).unwrap();
        assert_eq!(read(json!({"status": "pulling manifest"})).total, None);
        read(json!({"status": "pulling a", "digest": "a", "total": 100, "completed": 100}));
        let second = read(json!({"status": "pulling b", "digest": "b", "total": 50, "completed": 60}));
        assert_eq!((second.total, second.completed, second.done), (Some(150), 150, false));
        assert!(read(json!({"status": "success"})).done);
    }

    #[test]
    fn an_error_in_the_middle_is_one_and_foreign_lines_are_none() {
        let mut parts = Parts::default();
        let error = json!({"error": "pull model manifest: file does not exist"});
        assert_eq!(parts.read(&error), Err("pull model manifest: file does not exist".to_owned()));
        for odd in [json!(null), json!(7), json!([]), json!({"digest": 1, "total": "x"})] {
            assert!(parts.read(&odd).is_ok_and(|pulled| !pulled.done), "{odd}");
        }
    }
}
