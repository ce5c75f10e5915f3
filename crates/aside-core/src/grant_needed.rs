//! What a grant has to cover so that whoever holds it can ask for an action.

use std::fmt;

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ActionName, ActionPattern, Risks};

/// The grant that a request for an action needs. Arguments can add risks, and the policy still applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct GrantNeeded {
    /// The grant's actions include one of these, if it names any.
    pub actions: Vec<ActionPattern>,
    /// The grant's risks include all of these.
    pub risks: Risks,
}

impl GrantNeeded {
    /// Says it of an action by its name and the risks it always has.
    pub fn of(name: &ActionName, risks: &Risks) -> Self {
        let pattern = |text: &str| text.parse().expect("a name is a pattern, and so is its noun");
        Self { actions: vec![pattern(name.as_str()), pattern(&format!("{}.*", name.noun()))], risks: risks.clone() }
    }
}

/// "`doc.edit` or `doc.*`, with write".
impl fmt::Display for GrantNeeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let actions: Vec<_> = self.actions.iter().map(|action| format!("`{}`", action.as_str())).collect();
        write!(formatter, "{}, with {}", actions.join(" or "), self.risks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grant, GrantLimits, Risk, Timestamp};

    #[test]
    fn a_grant_of_what_is_needed_covers_the_action_and_less_does_not() {
        let (name, risks): (ActionName, Risks) = ("doc.edit".parse().unwrap(), [Risk::Read, Risk::Write].into());
        let needed = GrantNeeded::of(&name, &risks);
        let covers = |actions: Vec<ActionPattern>, limit: &Risks| {
            let limits = GrantLimits { actions: Some(actions), risks: Some(limit.clone()), ..GrantLimits::default() };
            Grant::limited("script", limits).covers(&name, &risks, Timestamp(0))
        };
        for pattern in &needed.actions {
            assert!(covers(vec![pattern.clone()], &needed.risks), "{pattern:?}");
            assert!(!covers(vec![pattern.clone()], &[Risk::Read].into()), "{pattern:?}");
        }
        assert!(!covers(vec!["file.*".parse().unwrap()], &needed.risks));
        assert_eq!(needed.to_string(), "`doc.edit` or `doc.*`, with read, write");
    }

    #[test]
    fn the_name_of_a_tool_of_another_program_has_one_too() {
        let needed = GrantNeeded::of(&"mcp.files.read".parse().unwrap(), &Risks::default());
        assert_eq!(needed.actions, ["mcp.files.read", "mcp.*"].map(|text| text.parse().unwrap()));
    }
}
