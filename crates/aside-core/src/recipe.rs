//! A recipe: the actions of a task that went well, with parameters, to be planned and run again.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{ActionName, ActionRequest, Place, Risks, TaskId, Timestamp};

/// Actions as data, with parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Letters, digits, `-` and `_`.
    pub name: String,
    /// What it is for.
    pub goal: String,
    /// What can be different each time.
    pub parameters: Vec<Parameter>,
    /// The actions. In their texts `{{name}}` stands for the value of the parameter of that name; other
    /// braces mean themselves.
    pub steps: Vec<ActionRequest>,
    /// The script that it runs in place of steps. The parameters are its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub script: Option<RecipeScript>,
    /// The most that its runs may do, whatever the values; no other actions than those of its steps either.
    pub risks: Risks,
    /// The task it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub task: Option<TaskId>,
    /// When it was made.
    pub created: Timestamp,
}

/// The script of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RecipeScript {
    /// Its text.
    pub source: String,
    /// The actions that the finished run has called. Its runs call no others.
    pub actions: Vec<ActionName>,
    /// Where it runs; in the workspace unless it is said.
    #[serde(default = "in_workspace")]
    pub place: Place,
}

fn in_workspace() -> Place {
    Place::Workspace
}

/// Something that can be different each time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Letters, digits and `_`.
    pub name: String,
    /// Why it was taken for one: "path, in 3 places".
    pub about: String,
    /// What it was then; used where nothing else is said.
    pub value: String,
}
