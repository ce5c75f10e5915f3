//! What the person is told before a limit stops them.

use aside_core::{Cost, dollars};

use super::{Spending, Spent};

impl Spending {
    /// What the person should know before the day's limit stops them.
    pub fn warning(&self, today: &Cost) -> Option<String> {
        let limits = self.limits().ok()?;
        let day = limits.day.filter(|day| is_close(today.counted(), *day, limits.warn_at))?;
        Some(words(today.counted(), day, "today"))
    }

    /// What the person should know since a call: which limits it came close to that were not close before it. The call is
    /// not in the account yet.
    pub fn came_close(&self, spent: &Spent, call: &Cost) -> Vec<String> {
        let Ok(limits) = self.limits() else { return Vec::new() };
        let today = limits.day.and_then(|_| self.today().ok()).unwrap_or_default();
        let in_all = limits.workspace.and_then(|_| self.in_all().ok()).unwrap_or_default();
        let scopes = [
            (limits.turn, &spent.turn, "this turn"),
            (limits.task, &spent.task, "this task"),
            (limits.thread, &spent.thread, "this thread"),
            (limits.day, &today, "today"),
            (limits.workspace, &in_all, "this workspace"),
        ];
        let close = scopes.into_iter().filter_map(|(limit, before, scope)| {
            let (limit, before) = (limit?, before.counted());
            let after = before.saturating_add(call.counted());
            let crossed = is_close(after, limit, limits.warn_at) && !is_close(before, limit, limits.warn_at);
            crossed.then(|| words(after, limit, scope))
        });
        close.collect()
    }
}

fn is_close(spent: u64, limit: u64, share: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let close = spent as f64 >= limit as f64 * share;
    close && spent > 0
}

fn words(spent: u64, limit: u64, scope: &str) -> String {
    format!("{} of the {} for {scope} are spent.", dollars(spent), dollars(limit))
}

#[cfg(test)]
mod tests {
    use super::super::promise::tests::{DOLLAR, Setting};
    use super::*;

    fn cost(picodollars: u64) -> Cost {
        Cost { picodollars, ..Cost::default() }
    }

    #[test]
    fn each_limit_is_warned_of_once_when_a_call_comes_close_to_it() {
        let setting =
            Setting::new("[limits]\nturn = 1\ntask = 9\nthread = 10\nday = 3\nworkspace = 4\nwarn_at = 0.5\n");
        setting.spent_today(DOLLAR);
        let close = |turn: u64, thread: u64, call: Cost| {
            let (turn, thread) = (cost(turn * DOLLAR / 10), cost(thread * DOLLAR));
            setting.spending.came_close(&Spent { turn, task: thread, thread }, &call)
        };
        assert_eq!(close(2, 1, cost(DOLLAR / 10)), Vec::<String>::new());
        assert_eq!(close(2, 1, cost(DOLLAR * 3 / 10)), ["$0.50 of the $1.00 for this turn are spent."]);
        let unfinished = Cost { unknown: 1, at_most: DOLLAR, ..Cost::default() };
        let all = [
            "$1.20 of the $1.00 for this turn are spent.",
            "$5.00 of the $9.00 for this task are spent.",
            "$5.00 of the $10.00 for this thread are spent.",
            "$2.00 of the $3.00 for today are spent.",
            "$2.00 of the $4.00 for this workspace are spent.",
        ];
        assert_eq!(close(2, 4, unfinished), all);
        assert_eq!(close(6, 6, cost(DOLLAR / 10)), Vec::<String>::new());
    }
}
