//! How far a yes is remembered, and by which rule: the one that is offered, with what the person changes in it.

use std::path::PathBuf;

use anyhow::Context as _;
use aside_core::{ActionId, Decision, DecisionScope, RuleEdit, RuleOffer, RuleScope, harmless};
use serde_json::{Map, Value};

use super::task::read_json;
use crate::{arguments::Reach, client::Client};

/// What a person said beforehand of remembering.
#[derive(Clone, Debug, PartialEq)]
pub struct Remember {
    /// How far it reaches.
    pub reach: Reach,
    /// The rule, if not as it is offered.
    pub rule: Option<Box<RuleEdit>>,
}

impl Remember {
    /// Reads what the person changes, and tells them what comes of it: the rule in words, and what it allows beyond the
    /// one that was offered.
    pub async fn read(reach: Reach, rule: Option<PathBuf>, client: &Client, id: &ActionId) -> anyhow::Result<Self> {
        let Some(file) = rule else { return Ok(Self { reach, rule: None }) };
        let changes: Map<String, Value> = read_json(&file)?;
        let path = format!("actions/{id}/rule");
        let offered: RuleOffer = client.get(&path).await?;
        let edit = changed(&offered, changes)
            .with_context(|| format!("{} is not a valid change of a rule", file.display()))?;
        let offer: RuleOffer = client.post(&path, &edit).await?;
        eprintln!("{}", harmless(&offer.sentence));
        offer.beyond.iter().for_each(|more| eprintln!("wider than the proposed rule: {}", harmless(more)));
        Ok(Self { reach, rule: Some(Box::new(edit)) })
    }

    /// A decision that is remembered so.
    pub fn of(self, decision: Decision) -> Decision {
        let (scope, rule_scope) = match self.reach {
            Reach::Run => (DecisionScope::Class, None),
            Reach::Turn => (DecisionScope::Turn, None),
            Reach::Workspace => (DecisionScope::Always, Some(RuleScope::Workspace)),
            Reach::Everywhere => (DecisionScope::Always, Some(RuleScope::Everywhere)),
        };
        Decision { scope, rule_scope, rule: self.rule, ..decision }
    }
}

/// The offered rule with these parts in place of its own; what is not named stays.
fn changed(offered: &RuleOffer, changes: Map<String, Value>) -> serde_json::Result<RuleEdit> {
    let rule = offered.rule.clone();
    let edit = RuleEdit { paths: rule.paths, commands: rule.commands, args: rule.args, expires: rule.expires };
    let mut whole = serde_json::to_value(edit)?;
    if let Value::Object(parts) = &mut whole {
        parts.extend(changes);
    }
    serde_json::from_value(whole)
}

#[cfg(test)]
mod tests {
    use aside_core::{PastMatches, PolicyRule, Ruling};
    use serde_json::json;

    use super::*;

    fn changes(changes: Value) -> serde_json::Result<RuleEdit> {
        let rule = PolicyRule {
            paths: vec!["a.txt".parse().unwrap()],
            ..PolicyRule::new("r", Ruling::Allow, "doc.edit".parse().unwrap())
        };
        let offered = RuleOffer {
            rule,
            sentence: String::new(),
            workspace_text: String::new(),
            everywhere_text: String::new(),
            file: None,
            beyond: Vec::new(),
            past: PastMatches::default(),
        };
        changed(&offered, serde_json::from_value(changes).unwrap())
    }

    #[test]
    fn what_is_not_named_stays_as_it_was_offered() {
        let edit = changes(json!({ "expires": "2999-01-01" })).unwrap();
        assert_eq!((edit.paths[0].as_str(), edit.expires.as_deref()), ("a.txt", Some("2999-01-01")));
        assert_eq!(changes(json!({ "paths": ["*.txt"] })).unwrap().paths[0].as_str(), "*.txt");
        for wrong in [json!({ "action": "*" }), json!({ "paths": ["../x"] }), json!({ "risks": ["access"] })] {
            assert!(changes(wrong).is_err());
        }
    }
}
