//! The pages of Aside that a window can show.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::IntoDeserializer as _};

/// A page, by the name that the UI has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WindowPage {
    /// The activity log.
    Audit,
    /// Actions and plans that wait for a decision.
    NeedsYou,
    /// Tasks and recipes.
    Tasks,
    /// The todos of all notes.
    Todos,
    /// Models and API keys.
    Models,
    /// Permissions.
    Policy,
    /// Access tokens and grants.
    Grants,
    /// MCP clients and servers.
    Programs,
    /// Problems in files.
    Problems,
    /// The AI coding history.
    History,
    /// The user's settings.
    Settings,
    /// How well Aside serves.
    Statistics,
    /// The actions of commands and routes.
    Coverage,
}

impl WindowPage {
    /// Returns the page of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::deserialize(name.into_deserializer()).map_err(|_: serde::de::value::Error| ()).ok()
    }

    /// Returns its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Audit => "Activity log",
            Self::NeedsYou => "Waiting for you",
            Self::Tasks => "Tasks",
            Self::Todos => "Todos",
            Self::Models => "Models",
            Self::Policy => "Permissions",
            Self::Grants => "Access tokens",
            Self::Programs => "MCP",
            Self::Problems => "Problems",
            Self::History => "AI history",
            Self::Settings => "Settings",
            Self::Statistics => "Statistics",
            Self::Coverage => "Coverage",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_those_of_the_ui() {
        let tree = include_str!("../../../web/src/frames/tree.ts");
        let list = tree.split_once("export const PAGES = [").unwrap().1.split_once(']').unwrap().0;
        // A new tab shows the launcher: nobody goes to it.
        let is_page = |name: &&str| !name.is_empty() && *name != "launcher";
        let names: Vec<&str> = list.split(',').map(|name| name.trim().trim_matches('\'')).filter(is_page).collect();
        let schema = schemars::schema_for!(WindowPage);
        let known: Vec<&str> =
            schema.as_value()["oneOf"].as_array().unwrap().iter().map(|one| one["const"].as_str().unwrap()).collect();
        assert_eq!(names, known);
    }
}
