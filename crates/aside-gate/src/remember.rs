//! Answers that reach further than one request: for the rest of a turn, or for always by a rule that is written down.
//!
//! What is remembered is the rule that was offered with the verdict, or that rule as the person changed it before their
//! eyes (see `rule_edit`), and nothing else. A turn's rules are stored with the
//! turn's id, so they survive a restart, and end with the turn because no later request carries that id. Labels have the
//! last word over both (see `label_rules`).

use aside_core::{
    ActionId, Choice, Decision, DecisionScope, Origin, PastMatches, PolicyLayer, PolicyRule, Remembered, RuleEdit,
    RuleOffer, RuleScope, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::{
    Gate, GateError, Question, audit,
    policy::{Policy, Rule, RuleError, block, sentence},
    record::{ACTIONS, StoredAction},
    rule_edit::{beyond, edited},
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
            tracing::warn!(%error, "could not read the rules of a turn, so each of its requests needs approval");
            Vec::new()
        });
        stored.iter().filter_map(|stored| Rule::compile(&stored.rule, PolicyLayer::Turn).ok()).collect()
    }

    /// Shows the rule that an answer to an action could leave behind.
    /// Shows it as a person changes it, if they do; what is wrong with the changes is [`GateError::Edit`].
    pub fn rule_offer(&self, id: &ActionId, edit: Option<&RuleEdit>) -> Result<Option<RuleOffer>, GateError> {
        let action = self.stored(id)?;
        let Some(offered) = action.record.verdict.could_add.as_deref() else { return Ok(None) };
        let rule = self.as_edited(&action, offered, edit)?;
        let text = |scope| block(&self.policy.scoped(&rule, scope)).map_err(GateError::Rule);
        Ok(Some(RuleOffer {
            sentence: sentence(&rule),
            workspace_text: text(RuleScope::Workspace)?,
            everywhere_text: text(RuleScope::Everywhere)?,
            file: self.policy.user_file().map(|file| file.display().to_string()),
            beyond: beyond(offered, &rule),
            past: self.past_matches(&rule)?,
            rule,
        }))
    }

    fn as_edited(
        &self,
        action: &StoredAction,
        offered: &PolicyRule,
        edit: Option<&RuleEdit>,
    ) -> Result<PolicyRule, GateError> {
        let Some(edit) = edit else { return Ok(offered.clone()) };
        let record = &action.record;
        let question = self.question(action, &record.envelope.risk_level, &record.assessment, None);
        edited(offered, edit, &question).map_err(GateError::Edit)
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
    pub(crate) fn check_scope(&self, action: &StoredAction, decision: &Decision) -> Result<(), GateError> {
        let record = &action.record;
        let refuse = |reason| Err(GateError::Scope(reason));
        match decision.scope {
            DecisionScope::Once if decision.rule.is_some() => refuse("a rule covers more than one request"),
            DecisionScope::Once => Ok(()),
            _ if decision.decision == Choice::Reject => refuse("a rejection covers only one request"),
            _ if decision.parts.is_some() || !record.parts.is_empty() => refuse("a part needs its own decision"),
            DecisionScope::Class if record.origin.script().is_none() => refuse("the request belongs to no script"),
            DecisionScope::Class if decision.rule.is_some() => refuse("a class of calls has no rule of its own"),
            DecisionScope::Class => Ok(()),
            DecisionScope::Turn if !matches!(record.origin, Origin::Turn { .. }) => {
                refuse("the request belongs to no turn")
            }
            DecisionScope::Always if self.policy.user_file().is_none() => {
                refuse("there is no folder for your rules; set ASIDE_DATA_DIR")
            }
            DecisionScope::Turn | DecisionScope::Always => match record.verdict.could_add.as_deref() {
                Some(offered) => self.as_edited(action, offered, decision.rule.as_deref()).map(drop),
                None => refuse("no rule could allow requests like this one"),
            },
        }
    }

    /// Keeps the offered rule, if the answer says so. Call it before anything runs.
    pub(crate) async fn remember(
        &self,
        action: &StoredAction,
        decision: &Decision,
        by: &str,
    ) -> Result<Option<Remembered>, GateError> {
        if decision.scope == DecisionScope::Class {
            return self.approve_class(action, by).map(Some);
        }
        let Some(offered) = action.record.verdict.could_add.as_deref() else { return Ok(None) };
        if decision.scope == DecisionScope::Once {
            return Ok(None);
        }
        let rule = self.as_edited(action, offered, decision.rule.as_deref())?;
        let remembered = if decision.scope == DecisionScope::Turn {
            self.for_the_turn(action, &rule, by)?
        } else {
            let scope = decision.rule_scope.unwrap_or_default();
            self.for_always(action, &self.policy.scoped(&rule, scope), scope, by).await?
        };
        Ok(Some(remembered))
    }

    fn for_the_turn(&self, action: &StoredAction, rule: &PolicyRule, by: &str) -> Result<Remembered, GateError> {
        let Origin::Turn { turn, .. } = &action.record.origin else {
            return Err(GateError::Scope("the request belongs to no turn"));
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
        let comment = format!("Saved from the answer of {by} to {}", action.id());
        let name = self.policy.add(rule, &comment).map_err(|error: RuleError| GateError::Rule(error.to_string()))?;
        Ok(Remembered { scope: DecisionScope::Always, rule_scope: Some(scope), rule: name })
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionRecord, ActionState, Label, LabelSource, Provenance, ReviewMode, TurnId};
    use serde_json::json;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, replace, request},
    };

    fn remembering(bench: &Bench, record: &ActionRecord, scope: DecisionScope) -> Decision {
        Decision { scope, ..bench.yes(&record.envelope.id) }
    }

    async fn answer(bench: &Bench, scope: DecisionScope) -> Result<ActionRecord, GateError> {
        let asked = bench.propose(replace("one", "1")).await;
        bench.gate.decide(&asked.envelope.id, remembering(bench, &asked, scope), "ada").await
    }

    #[tokio::test]
    async fn an_answer_for_the_turn_holds_in_it_after_a_restart_too_and_nowhere_else() {
        let bench = Bench::new("one two three");
        let answered = answer(&bench, DecisionScope::Turn).await.unwrap();
        assert_eq!(answered.remembered.unwrap().rule, "turn/text.replace");
        let bench = bench.reopened();
        let next = bench.propose(replace("two", "2")).await;
        assert_eq!((next.state, next.verdict.rule.as_str()), (ActionState::Done, "turn/text.replace"));
        let elsewhere = request("text.replace", json!({ "from": "1", "to": "one", "path": "other.txt" }));
        assert_eq!(bench.propose(elsewhere).await.state, ActionState::AwaitingConfirmation);
        let mut other = bench.turn(ReviewMode::ReviewEach);
        let Origin::Turn { turn, .. } = &mut other.origin else { panic!("a turn asks") };
        *turn = "trn_00000000000000000000000009".parse::<TurnId>().unwrap();
        let later = bench.submit(replace("three", "3"), other).await.record;
        assert_eq!(later.verdict.rule, "thread/review-each");
    }

    #[tokio::test]
    async fn an_answer_for_the_turn_does_not_reach_what_content_from_outside_may_have_led_to() {
        let bench = Bench::new("one two");
        let network = |from, to| request("text.replace", json!({ "from": from, "to": to, "network": true }));
        let asked = bench.propose(network("one", "1")).await;
        let yes = remembering(&bench, &asked, DecisionScope::Turn);
        bench.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap();
        assert_eq!(bench.propose(network("two", "2")).await.state, ActionState::Done);
        let log = LabelSource::new(Label::External, "main.log", "a log");
        let outside = Submission { provenance: Provenance::default().with(log), ..bench.turn(ReviewMode::ReviewEach) };
        let asked = bench.submit(network("2", "two"), outside).await.record;
        assert_eq!((asked.state, asked.verdict.could_add), (ActionState::AwaitingConfirmation, None));
    }

    #[tokio::test]
    async fn without_a_folder_of_the_person_s_nothing_is_for_always_and_nothing_runs() {
        let bench = Bench::new("one");
        let error = answer(&bench, DecisionScope::Always).await.unwrap_err();
        assert_eq!((error.failure().code.as_str(), bench.runs()), ("scope_unsupported", 0));
    }

    #[tokio::test]
    async fn a_rule_is_remembered_as_the_person_changed_it() {
        let bench = Bench::new("one two");
        let asked = bench.propose(replace("one", "1")).await;
        let offer = bench.gate.rule_offer(&asked.envelope.id, None).unwrap().unwrap();
        let edit = |path: &str| RuleEdit {
            paths: vec![path.parse().unwrap()],
            args: offer.rule.args.clone(),
            ..RuleEdit::default()
        };
        let shown = bench.gate.rule_offer(&asked.envelope.id, Some(&edit("*.txt"))).unwrap().unwrap();
        assert_eq!(
            (offer.beyond.as_slice(), shown.beyond.as_slice()),
            (&[][..], &["Every file that matches `*.txt`.".to_owned()][..])
        );
        let yes =
            |path| Decision { rule: Some(Box::new(edit(path))), ..remembering(&bench, &asked, DecisionScope::Turn) };
        let error = bench.gate.decide(&asked.envelope.id, yes("other.txt"), "ada").await.unwrap_err();
        assert_eq!((error.failure().code.as_str(), bench.runs()), ("invalid_rule", 0));
        bench.gate.decide(&asked.envelope.id, yes("*.txt"), "ada").await.unwrap();
        let elsewhere = request("text.replace", json!({ "from": "1", "to": "one", "path": "other.txt" }));
        assert_eq!(bench.propose(elsewhere).await.verdict.rule, "turn/text.replace");
    }

    #[tokio::test]
    async fn a_no_is_for_one_request() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        let no = Decision { scope: DecisionScope::Turn, ..Decision::reject(None) };
        let error = bench.gate.decide(&asked.envelope.id, no, "ada").await.unwrap_err();
        assert_eq!(error.failure().code, "scope_unsupported");
        assert_eq!(bench.now(&asked).state, ActionState::AwaitingConfirmation);
    }
}
