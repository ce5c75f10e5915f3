//! Which actions are meant: one by its name, or every one of a noun.

use std::{fmt, str::FromStr};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::ActionName;

/// `doc.edit`, or `doc.*` for every action of a noun.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct ActionPattern(String);

/// Says that a text names no actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an action name: expected `noun.verb` or `noun.*`")]
pub struct InvalidActionPattern(pub String);

impl ActionPattern {
    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether an action is one of those that are meant.
    pub fn covers(&self, action: &ActionName) -> bool {
        match self.noun() {
            Some(noun) => noun == action.noun(),
            None => self.0 == action.as_str(),
        }
    }

    /// Returns the pattern for what both cover, if there is any.
    pub fn both(&self, other: &Self) -> Option<Self> {
        match (self.noun(), other.noun()) {
            (Some(one), Some(two)) => (one == two).then(|| self.clone()),
            (Some(noun), None) => (first_part(&other.0) == noun).then(|| other.clone()),
            (None, Some(noun)) => (first_part(&self.0) == noun).then(|| self.clone()),
            (None, None) => (self == other).then(|| self.clone()),
        }
    }

    fn noun(&self) -> Option<&str> {
        self.0.strip_suffix(".*")
    }
}

fn first_part(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

impl FromStr for ActionPattern {
    type Err = InvalidActionPattern;

    fn from_str(text: &str) -> Result<Self, InvalidActionPattern> {
        // A noun is one word, so that with any verb behind it there is a name.
        let valid = match text.strip_suffix(".*") {
            Some(noun) => !noun.contains('.') && format!("{noun}.x").parse::<ActionName>().is_ok(),
            None => text.parse::<ActionName>().is_ok(),
        };
        if valid { Ok(Self(text.to_owned())) } else { Err(InvalidActionPattern(text.chars().take(60).collect())) }
    }
}

impl From<ActionName> for ActionPattern {
    fn from(name: ActionName) -> Self {
        Self(name.as_str().to_owned())
    }
}

impl fmt::Display for ActionPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ActionPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_stands_for_its_actions_and_for_no_longer_word() {
        let pattern: ActionPattern = "file.*".parse().unwrap();
        for (name, covered) in [("file.list", true), ("file.tabs.close", true), ("filez.list", false)] {
            assert_eq!(pattern.covers(&name.parse().unwrap()), covered, "{name}");
        }
    }

    #[test]
    fn what_could_never_match_is_refused() {
        for wrong in ["", "*", "doc", "doc.", ".*", "Doc.*", "ui.tabs.*", "doc.*.*", "doc edit"] {
            assert!(wrong.parse::<ActionPattern>().is_err(), "{wrong}");
        }
    }
}
