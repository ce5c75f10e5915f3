//! What a provider wants to have back unchanged with an answer: signed thinking, reasoning that only it can read.

use serde_json::{Value, json};

/// Wraps what a model wants back, so that only the same model gets it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Echoes {
    of: String,
}

impl Echoes {
    /// Those of one model.
    pub(crate) fn of(provider: &str, model: &str) -> Self {
        Self { of: format!("{provider}/{model}") }
    }

    /// Wraps content of this model.
    pub(crate) fn wrap(&self, content: Value) -> Value {
        json!({ "of": self.of, "content": content })
    }

    /// Returns the content, if it is this model's.
    pub(crate) fn own<'a>(&self, echo: &'a Value) -> Option<&'a Value> {
        (echo["of"].as_str()? == self.of).then(|| &echo["content"])
    }

    /// Returns the content where it is a list.
    pub(crate) fn own_list<'a>(&self, echo: &'a Value) -> Option<&'a Vec<Value>> {
        self.own(echo)?.as_array()
    }
}
