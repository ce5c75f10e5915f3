//! Answers that reach further than one request: for the rest of a turn, or for always by a rule that is written down.
//!
//! What is remembered is the rule that was offered with the verdict, and nothing wider. A turn's rules are stored with the
//! turn's id, so they survive a restart, and end with the turn because no later request carries that id. Labels have the
//! last word over both (see `label_rules`).

use aside_core::{
    ActionId, ActionRecord, Choice, Decision, DecisionScope, Origin, PastMatches, PolicyLayer, PolicyRule, Remembered,
    RuleOffer, RuleScope, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::{
    Gate, GateError, Question, audit,
    policy::{Policy, Rule, RuleError, block, sentence},
    record::{ACTIONS, StoredAction},
};

/// The rules of turns, each owned by its turn.
const TURN_RULES: &str = "turn_rule";
/// How many of the latest actions an offered rule is tried on.
const PAST: usize = 500;

/// A rule that holds for one turn.
#[derive(Debug, Serialize, Deserialize)]
struct TurnRule {
    rule: PolicyRule,
    by: String,
}

impl Gate {
    /// Returns the verdict on a question as rules and answers are now.
    pub(crate) fn verdict(&self, question: &Question<'_>) -> Verdict {
        let policy = self.policy.current();
        let verdict = policy.evaluate(question);
        // Only what could be remembered can have been.
        if verdict.could_add.is_none() {
            return verdict;
        }
        let of_turn = self.turn_rules(question.origin);
        if of_turn.is_empty() { verdict } else { policy.evaluate_with(question, &of_turn) }
    }

    /// The rules of the turn that a request belongs to. What can't be read allows nothing.
    pub(crate) fn turn_rules(&self, origin: &Origin) -> Vec<Rule> {
        let Origin::Turn { turn, .. } = origin else { return Vec::new() };
        let stored = self.store.list_owned::<TurnRule>(TURN_RULES, turn.as_str()).unwrap_or_else(|error| {
            tracing::warn!(%error, "the rules of a turn can't be read, so each of its requests is asked about");
            Vec::new()
        });
        stored.iter().filter_map(|stored| Rule::compile(&stored.rule, PolicyLayer::Turn).ok()).collect()
    }

    /// Shows the rule that an answer to an action could leave behind.
    pub fn rule_offer(&self, id: &ActionId) -> Result<Option<RuleOffer>, GateError> {
        let action = self.stored(id)?;
        let Some(rule) = action.record.verdict.could_add else { return Ok(None) };
        let text = |scope| block(&self.policy.scoped(&rule, scope)).map_err(GateError::Rule);
        Ok(Some(RuleOffer {
            sentence: sentence(&rule),
            workspace_text: text(RuleScope::Workspace)?,
            everywhere_text: text(RuleScope::Everywhere)?,
            file: self.policy.user_file().map(|file| file.display().to_string()),
            past: self.past_matches(&rule)?,
            rule: *rule,
        }))
    }

    /// Tries a rule on the latest actions.
    fn past_matches(&self, rule: &PolicyRule) -> Result<PastMatches, GateError> {
        let Ok(rule) = Rule::compile(rule, PolicyLayer::User) else { return Ok(PastMatches::default()) };
        let actions = self.store.latest::<StoredAction>(ACTIONS, PAST)?;
        let fits = |action: &&StoredAction| {
            let record = &action.record;
            Policy::alone(&rule, &self.question(action, &record.envelope.risk_level, &record.assessment, None))
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(PastMatches { matched: count(actions.iter().filter(fits).count()), of: count(actions.len()) })
    }

    /// Tells whether an answer may reach as far as it says.
    pub(crate) fn check_scope(&self, record: &ActionRecord, decision: &Decision) -> Result<(), GateError> {
        let refuse = |reason| Err(GateError::Scope(reason));
        match decision.scope {
            DecisionScope::Once => Ok(()),
            _ if decision.decision == Choice::Reject => refuse("a no is for one request"),
            _ if decision.parts.is_some() || !record.parts.is_empty() => refuse("a part is decided on its own"),
            _ if record.verdict.could_add.is_none() => refuse("no rule could allow requests like this one"),
            DecisionScope::Turn if !matches!(record.origin, Origin::Turn { .. }) => refuse("it belongs to no turn"),
            DecisionScope::Always if self.policy.user_file().is_none() => {
                refuse("there is no folder for your rules; set ASIDE_DATA_DIR")
            }
            DecisionScope::Turn | DecisionScope::Always => Ok(()),
        }
    }

    /// Keeps the offered rule, if the answer says so. Call it before anything runs.
    pub(crate) async fn remember(
        &self,
        action: &StoredAction,
        decision: &Decision,
        by: &str,
    ) -> Result<Option<Remembered>, GateError> {
        let Some(offered) = action.record.verdict.could_add.as_deref() else { return Ok(None) };
        let remembered = match decision.scope {
            DecisionScope::Once => return Ok(None),
            DecisionScope::Turn => self.for_the_turn(action, offered, by)?,
            DecisionScope::Always => {
                let scope = decision.rule_scope.unwrap_or_default();
                self.for_always(action, &self.policy.scoped(offered, scope), scope, by).await?
            }
        };
        Ok(Some(remembered))
    }

    fn for_the_turn(&self, action: &StoredAction, rule: &PolicyRule, by: &str) -> Result<Remembered, GateError> {
        let Origin::Turn { turn, .. } = &action.record.origin else {
            return Err(GateError::Scope("it belongs to no turn"));
        };
        let stored = TurnRule { rule: rule.clone(), by: by.to_owned() };
        self.store.put(TURN_RULES, action.id().as_str(), Some(turn.as_str()), &stored)?;
        Ok(Remembered { scope: DecisionScope::Turn, rule_scope: None, rule: format!("turn/{}", rule.name) })
    }

    /// The audit knows of the rule before the file does, so that there is none of which nobody knows whence it came.
    async fn for_always(
        &self,
        action: &StoredAction,
        rule: &PolicyRule,
        scope: RuleScope,
        by: &str,
    ) -> Result<Remembered, GateError> {
        let text = block(rule).map_err(GateError::Rule)?;
        self.note(vec![audit::remembered(self.store.now(), action, &text, by)]).await?;
        let comment = format!("Remembered from an answer of {by} to {}", action.id());
        let name = self.policy.add(rule, &comment).map_err(|error: RuleError| GateError::Rule(error.to_string()))?;
        Ok(Remembered { scope: DecisionScope::Always, rule_scope: Some(scope), rule: name })
    }
}
