//! What is found of prices and of limits.

use aside_core::{Timestamp, dollars, harmless};
use aside_protocol::{PriceLists, SpendingView};

use super::Check;

/// Days after which prices are too old to rely on: services change theirs some times a year.
const OLD: i64 = 60;
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The lists of prices with their days.
pub(super) fn prices(found: &PriceLists, now: Timestamp) -> Check {
    let named = |list: &aside_protocol::PriceList| {
        let age = age(&list.date, now).map(|days| format!(" ({})", days_words(days))).unwrap_or_default();
        format!("{} {}{age}, {} models", harmless(&list.source), list.date, list.models).replace(" ,", ",")
    };
    let lists = found.lists.iter().map(named).collect::<Vec<_>>().join("; ");
    // The first one counts where several know a model.
    let first = found.lists.iter().find_map(|list| age(&list.date, now));
    let refresh = "update it with `aside models prices refresh`";
    match (&found.problem, first) {
        (Some(problem), _) => Check::broken("prices", harmless(problem), refresh),
        (None, Some(days)) if days > OLD => Check::look("prices", lists, refresh),
        (None, _) => Check::good("prices", lists),
    }
}

/// The file of limits, and whether it can be read.
pub(super) fn limits(found: &SpendingView) -> Check {
    let file = found.file.as_deref().unwrap_or("no file: set ASIDE_DATA_DIR");
    if let Some(problem) = &found.problem {
        return Check::broken("limits", harmless(problem), "fix that file; until then, paid models can't be used");
    }
    let set = found.limits.set().map(|(of, limit)| format!("{} per {of}", dollars(limit)));
    let set = set.collect::<Vec<_>>().join(", ");
    let words = if set.is_empty() { "no limits".to_owned() } else { set };
    Check::good("limits", format!("{words}; set in {file}"))
}

/// How many days ago a day was.
fn age(date: &str, now: Timestamp) -> Option<i64> {
    let then: Timestamp = date.parse().ok().filter(|_| !date.is_empty())?;
    Some((now.0.saturating_sub(then.0)).max(0) / DAY)
}

fn days_words(days: i64) -> String {
    match days {
        0 => "today's".to_owned(),
        1 => "1 day old".to_owned(),
        days => format!("{days} days old"),
    }
}

#[cfg(test)]
mod tests {
    use aside_protocol::PriceList;

    use super::*;
    use crate::commands::doctor::State;

    #[test]
    fn old_prices_and_damaged_ones_are_said() {
        let list = |date: &str| PriceList { source: "LiteLLM".to_owned(), date: date.to_owned(), models: 3 };
        let now: Timestamp = "2026-03-01".parse().unwrap();
        let check = |lists: Vec<PriceList>, problem: Option<&str>| {
            prices(&PriceLists { lists, problem: problem.map(str::to_owned) }, now)
        };
        let fresh = check(vec![list(""), list("2026-02-28")], None);
        assert_eq!(
            (fresh.state, &*fresh.found),
            (State::Good, "LiteLLM, 3 models; LiteLLM 2026-02-28 (1 day old), 3 models")
        );
        let old = check(vec![list("2025-11-21")], None);
        assert!(
            old.state == State::Look && old.found.contains("100 days old") && old.todo.unwrap().contains("refresh")
        );
        assert_eq!(check(vec![list("2026-02-28"), list("2025-11-21")], None).state, State::Good);
        assert_eq!(check(vec![list("2025-11-21"), list("2026-02-28")], None).state, State::Look);
        assert_eq!(check(vec![list("2026-02-28")], Some("prices.json is damaged")).state, State::Broken);
    }
}
