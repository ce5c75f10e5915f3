//! What an origin may do. Grants only narrow; they are checked in the tool list and at the Gate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ActionName, Risks, Timestamp};

/// A subset of actions and risks, with an end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Grant {
    /// Who or what holds it, for messages: "Coding Agent", "hint mode".
    pub name: String,
    /// The actions; all if absent. `doc.*` stands for every action of a noun.
    #[ts(optional)]
    pub actions: Option<Vec<String>>,
    /// The classes of risk.
    pub risks: Risks,
    /// When it ends.
    #[ts(optional)]
    pub expires: Option<Timestamp>,
}

impl Grant {
    /// Everything, for a person's own requests.
    pub fn full(name: impl Into<String>) -> Self {
        Self { name: name.into(), actions: None, risks: Risks::all(), expires: None }
    }

    /// Only the named actions, any risk.
    pub fn actions<'a>(name: impl Into<String>, actions: impl IntoIterator<Item = &'a str>) -> Self {
        let actions = actions.into_iter().map(str::to_owned).collect();
        Self { actions: Some(actions), ..Self::full(name) }
    }

    /// Tells whether the grant covers an action of these risks at this time.
    pub fn covers(&self, action: &ActionName, risks: &Risks, now: Timestamp) -> bool {
        let named = self.actions.as_ref().is_none_or(|names| {
            names.iter().any(|name| match name.strip_suffix(".*") {
                Some(noun) => noun == action.noun(),
                None => name == action.as_str(),
            })
        });
        named && risks.is_subset(&self.risks) && self.expires.is_none_or(|end| now < end)
    }
}

/// Where content came from. Joined by `max`: what has met external content stays external.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// Typed by the person.
    #[default]
    User,
    /// A file of the workspace.
    Workspace,
    /// Written by a model.
    Model,
    /// The web, other programs, other people.
    External,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Risk;

    #[test]
    fn covers_only_what_it_names() {
        let grant = Grant::actions("test", ["doc.read", "file.*"]);
        let covers = |name: &str| grant.covers(&name.parse().unwrap(), &[Risk::Read].into(), Timestamp(5));
        assert!(covers("doc.read"));
        assert!(covers("file.list"));
        assert!(!covers("doc.edit"));
        assert!(!covers("filez.list"));
    }

    #[test]
    fn ends_and_limits_risks() {
        let grant = Grant { risks: [Risk::Read].into(), expires: Some(Timestamp(10)), ..Grant::full("hint mode") };
        let name = "doc.edit".parse().unwrap();
        assert!(grant.covers(&name, &[Risk::Read].into(), Timestamp(9)));
        assert!(!grant.covers(&name, &[Risk::Read].into(), Timestamp(10)));
        assert!(!grant.covers(&name, &[Risk::Read, Risk::Write].into(), Timestamp(9)));
    }
}
