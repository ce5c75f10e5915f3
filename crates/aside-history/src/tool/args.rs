//! Arguments of a question, as models write them: an object, or the same as text.

use serde_json::{Map, Value};

use super::{Asking, Kind, Parameter, Tool, bounds::COMMON, folders};
use crate::{Filter, HistoryError, Index, Until};
use aside_core::Timestamp;

/// The argument that says from which project a relative path is taken.
pub const PROJECT: &str = "project";

/// Arguments by name.
#[derive(Debug)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    pub fn of(value: &Value) -> Result<Self, HistoryError> {
        let parsed = match value {
            Value::Null => Value::Object(Map::new()),
            Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
            Value::String(text) => serde_json::from_str(text)
                .map_err(|error| HistoryError::Asked(format!("the arguments are not JSON: {error}")))?,
            other => other.clone(),
        };
        let Value::Object(mut named) = parsed else {
            return Err(HistoryError::Asked("the arguments are not an object".to_owned()));
        };
        for (name, value) in &mut named {
            match value {
                // A day may come as one, such as 20260630.
                Value::Number(number) => *value = Value::String(number.to_string()),
                Value::Array(_) | Value::Object(_) => {
                    let wrong = format!("`{name}` is a list or an object: pass a text, a number, true or false");
                    return Err(HistoryError::Asked(wrong));
                }
                _ => {}
            }
        }
        Ok(Self(named))
    }

    /// Gives the project the name that a question has for it: answers call it `project_slug`, and whoever read one may, too.
    pub fn named_for(mut self, tool: &Tool) -> Self {
        let takes = |name: &&str| tool.parameters.iter().any(|parameter| parameter.name == *name);
        if let Some(name) = [PROJECT, "slug"].into_iter().find(takes) {
            for other in ["project_slug", "slug", PROJECT].into_iter().filter(|other| !takes(other)) {
                if let Some(value) = self.0.remove(other) {
                    self.0.entry(name).or_insert(value);
                }
            }
        }
        self
    }

    /// Looks whether they are what a question takes. One that is empty says nothing, and is passed over.
    pub fn check(&self, tool: &Tool) -> Result<(), HistoryError> {
        let taken = || tool.parameters.iter().chain(COMMON);
        for (name, value) in &self.0 {
            let wrong = |what: &str| Err(HistoryError::Asked(format!("`{name}` is {what}")));
            if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
                continue;
            }
            let Some(Parameter { kind, .. }) = taken().find(|parameter| parameter.name == name) else {
                let names: Vec<_> = taken().map(|parameter| parameter.name).collect();
                return wrong(&format!("not a parameter of `{}`, which takes {}", tool.name, names.join(", ")));
            };
            // A number that is none is the usual one: small models write `many`.
            if matches!(kind, Kind::Flag) && !value.is_boolean() {
                return wrong(&format!("neither true nor false: {value}"));
            }
        }
        Ok(())
    }

    /// A text that is not empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// A text that has to be there.
    pub fn required(&self, name: &str) -> Result<&str, HistoryError> {
        self.text(name).ok_or_else(|| HistoryError::Asked(format!("{name} is required")))
    }

    /// One of some words, if any is given.
    pub fn one_of(&self, name: &str, words: &[&str]) -> Result<Option<&str>, HistoryError> {
        let wrong = |text: &str| HistoryError::Asked(format!("unknown {name} `{text}`: use {}", words.join(", ")));
        self.text(name).map(|text| if words.contains(&text) { Ok(text) } else { Err(wrong(text)) }).transpose()
    }

    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    /// A number, within bounds.
    pub fn number(&self, name: &str, usual: u64, most: u64) -> u64 {
        let asked = self.text(name).and_then(|number| number.parse::<f64>().ok()).filter(|number| !number.is_nan());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "what is too low or too high is clamped"
        )]
        asked.map_or(usual, |number| number as u64).clamp(1, most)
    }

    /// How many rows are asked for, within bounds.
    pub fn limit(&self, usual: u64, most: u64) -> i64 {
        i64::try_from(self.number("limit", usual, most)).unwrap_or(1)
    }

    pub fn since(&self, asking: &Asking) -> Result<Option<Timestamp>, HistoryError> {
        let Some(text) = self.text("since") else { return Ok(None) };
        // In this place a time without an offset is UTC.
        let utc = jiff::tz::TimeZone::UTC;
        let at = Filter::moment(text, Until::Start, &utc, asking.now);
        at.map(Some).map_err(|_| HistoryError::Asked(format!("invalid since `{text}`: use 24h, 7d, 1w, 1m or a date")))
    }

    /// A path that has to be there, as it stands in the index. One that is relative is taken from the project that is named, or else from the
    /// workspace.
    pub fn path(&self, name: &str, index: &Index, asking: &Asking) -> Result<String, HistoryError> {
        let path = self.required(name)?;
        let project = self.text(PROJECT).filter(|_| folders::is_relative(path));
        let folder = project.map(|project| folders::project(index, project, asking)).transpose()?;
        let workspace = folder.or_else(|| asking.workspace.clone());
        Ok(folders::whole(path, &Asking { workspace, ..asking.clone() }))
    }

    /// The numbers of the folders that are meant, if any are named.
    pub fn folders(&self, name: &str, index: &Index, asking: &Asking) -> Result<Option<Vec<i64>>, HistoryError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let folders = folders::named(index, &folders::asked(text, asking))?;
        Ok(Some(folders.into_iter().map(|(number, _)| number).collect()))
    }
}
