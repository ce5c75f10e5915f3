//! The Navigator: the agent for a sentence that was said from anywhere, which finds its actions in the catalog. Its
//! budget, and its offer to hand the work over.

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ActionId, Grant, ObjectRef};

/// The budget of one turn of the Navigator. A message such as “continue” begins the next turn, with the whole budget.
/// Money is limited by the limits on spending, as for every agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NavigatorBudget {
    /// The most calls of the model: 2 to 40. The last one is for saying what is left.
    #[ts(as = "Option<u32>", optional)]
    pub steps: u32,
    /// The most minutes of work, without the time that it waits for a person: 1 to 60.
    #[ts(as = "Option<u32>", optional)]
    pub minutes: u32,
}

impl Default for NavigatorBudget {
    fn default() -> Self {
        Self { steps: 12, minutes: 10 }
    }
}

impl NavigatorBudget {
    /// Returns the budget within what is allowed.
    #[must_use]
    pub fn bounded(self) -> Self {
        Self { steps: self.steps.clamp(2, 40), minutes: self.minutes.clamp(1, 60) }
    }
}

/// The part of a budget that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum BudgetLimit {
    /// The calls of the model.
    Steps,
    /// The time.
    Time,
}

/// The Navigator's offer to hand its work over to an agent that can do more: all that this agent needs to begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HandOff {
    /// Why the Navigator does not do it, in a few words: "this needs edits in many files".
    pub reason: String,
    /// The goal, what is done, and what is left, for the other agent.
    pub summary: String,
    /// The objects that the work is about: those that the turn has touched, and those that the model names.
    pub objects: Vec<ObjectRef>,
    /// The actions of the turn that wait for a person.
    pub waiting: Vec<ActionId>,
    /// The grant of the turn: the other agent gets no more than this.
    pub grant: Grant,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_stays_within_bounds() {
        let read = |text: &str| serde_json::from_str::<NavigatorBudget>(text).map(NavigatorBudget::bounded);
        assert_eq!(read("{}").unwrap(), NavigatorBudget { steps: 12, minutes: 10 });
        assert_eq!(read(r#"{"steps": 4000, "minutes": 0}"#).unwrap(), NavigatorBudget { steps: 40, minutes: 1 });
        assert_eq!(read(r#"{"steps": 0}"#).unwrap().steps, 2);
        assert!(read(r#"{"step": 3}"#).is_err());
    }
}
