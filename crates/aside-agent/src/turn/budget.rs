//! The end of a budget: one last call, in which the model says what is left, and the words for both.

use aside_core::{BudgetLimit, TurnEnd};

use super::{Next, Reacting};

/// The message before the last call of the budget.
pub const LAST_STEP: &str = "This is your last step. Don't call anything. If the work is done, say what came of it. Otherwise \
    begin your answer with “Left:” and say in one sentence what is still to do.";
/// The same when the time is used up.
pub const TIME_UP: &str = "The time for this request is used up. Don't call anything. If the work is done, say what came of \
    it. Otherwise begin your answer with “Left:” and say in one sentence what is still to do.";

/// Characters of the words on what is left.
const LEFT: usize = 500;

/// Returns which part of the budget a notice says is used up. A restart knows it from the log in this way.
pub fn last_call(notice: &str) -> Option<BudgetLimit> {
    match notice {
        LAST_STEP => Some(BudgetLimit::Steps),
        TIME_UP => Some(BudgetLimit::Time),
        _ => None,
    }
}

impl Reacting<'_> {
    /// Lets the model say what is left, once.
    pub(super) fn time_up(&mut self) -> Next {
        if self.turn().last.is_none() {
            self.notice(None, TIME_UP);
        }
        Next::CallModel
    }

    /// Ends the turn after the last answer. Calls in it are not carried out.
    pub(super) fn wrapped_up(&mut self, text: &str) -> Next {
        if !self.turn().calls.is_empty() {
            let calls: Vec<_> = self.turn().calls.iter().map(|(call, _)| asked_for(&call.name, &call.args)).collect();
            return self.out_of_budget(Some(calls.join(", ")));
        }
        match left(text) {
            Some(left) => self.out_of_budget(Some(left)),
            None if text.trim().is_empty() => self.out_of_budget(None),
            None => self.end(TurnEnd::Done),
        }
    }

    pub(super) fn out_of_budget(&mut self, left: Option<String>) -> Next {
        let turn = self.turn();
        let (limit, steps) = (turn.last.unwrap_or(BudgetLimit::Steps), turn.step);
        let done = u32::try_from(turn.done.len()).unwrap_or(u32::MAX);
        self.notice(None, words(limit, steps, done, left.as_deref()));
        self.end(TurnEnd::OutOfBudget { limit, steps, done, left })
    }

    /// Says what was done before an end that the model did not choose; its own last words say it otherwise.
    pub(super) fn done_before(&self, end: &TurnEnd) -> Option<String> {
        let is_cut = matches!(end, TurnEnd::Failed { .. } | TurnEnd::Stopped | TurnEnd::HandOff { .. });
        let done = &self.turn().done;
        (self.state.wraps_up && is_cut && !done.is_empty()).then(|| format!("Done before that: {}.", done.join("; ")))
    }
}

/// "Stopped after 12 steps, the limit: 3 done, left: open the report. Send “continue” to go on."
fn words(limit: BudgetLimit, steps: u32, done: u32, left: Option<&str>) -> String {
    let why = match limit {
        BudgetLimit::Steps => format!("Stopped after {steps} steps, the limit"),
        BudgetLimit::Time => "Stopped because the time for one request is used up".to_owned(),
    };
    let left = left.unwrap_or("the assistant did not say");
    format!("{why}: {done} done, left: {}. Send “continue” to continue.", left.trim_end_matches('.'))
}

/// The rest of an answer that says that something is left.
fn left(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|one: char| one.is_whitespace() || one == '*');
    let rest = text.get(..5).filter(|head| head.eq_ignore_ascii_case("left:")).map(|_| &text[5..])?;
    let rest: String = rest.trim_matches(|one: char| one.is_whitespace() || one == '*').chars().take(LEFT).collect();
    (!rest.is_empty()).then_some(rest)
}

/// The action that a call asks for; the tool for actions by name hides it in its arguments.
fn asked_for(name: &str, args: &serde_json::Value) -> String {
    args["action_type"].as_str().map_or_else(|| name.replacen('_', ".", 1), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_is_read_from_the_last_answer() {
        assert_eq!(left("Left: open the report.").as_deref(), Some("open the report."));
        assert_eq!(left(" **Left:** the rest ").as_deref(), Some("the rest"));
        assert_eq!(left("All is done. Left: nothing"), None);
        assert_eq!(left("Left:"), None);
        assert_eq!(left("Änder"), None);
    }

    #[test]
    fn words_name_done_and_left() {
        assert_eq!(
            words(BudgetLimit::Steps, 12, 3, Some("open the report.")),
            "Stopped after 12 steps, the limit: 3 done, left: open the report. Send “continue” to continue."
        );
        assert!(words(BudgetLimit::Time, 2, 0, None).contains("0 done, left: the assistant did not say"));
    }
}
