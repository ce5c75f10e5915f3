//! Logs of AI programs: how many are known, and those that are not read.

use aside_protocol::{HistorySkip, HistoryStanding};

use super::Check;

const NAME: &str = "AI history";
/// So many kinds are named.
const SHOWN: usize = 5;

/// How the history stands, and each kind of file that is not read.
pub fn checks(standing: &HistoryStanding) -> Vec<Check> {
    let logs = format!("{} logs are known", standing.files);
    let first = match (&standing.problem, standing.problems) {
        (Some(problem), _) => Check::broken(NAME, problem, "fix `history.toml` or the index in your data folder"),
        (None, 0) => Check::good(NAME, logs),
        (None, places) => {
            Check::look(NAME, format!("{logs}; {places} places can't be read"), "`aside history import` names them")
        }
    };
    let skipped = standing.skipped.iter().take(SHOWN).map(|skip| Check::look(NAME, words(skip), &skip.hint));
    let more = standing.skipped.len().saturating_sub(SHOWN);
    let rest = (more > 0)
        .then(|| Check::look(NAME, format!("{more} more kinds are not read"), "`aside history import` names them"));
    std::iter::once(first).chain(skipped).chain(rest).collect()
}

fn words(HistorySkip { program, kind, count, example, .. }: &HistorySkip) -> String {
    format!("not read: {program}, {kind}: {count}, such as {example}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::State;

    #[test]
    fn skipped_logs_are_named_with_what_to_try() {
        let skip = |number: u32| HistorySkip {
            program: "Kiro".to_owned(),
            kind: format!("kind {number}"),
            count: 3,
            example: "/home/me/.kiro/x.json".to_owned(),
            hint: "try this".to_owned(),
        };
        let standing = HistoryStanding { files: 2, skipped: (0..7).map(skip).collect(), ..HistoryStanding::default() };
        let checks = checks(&standing);
        assert_eq!((checks.len(), checks[0].state, checks[1].state), (7, State::Good, State::Look));
        assert_eq!(checks[1].found, "not read: Kiro, kind 0: 3, such as /home/me/.kiro/x.json");
        assert_eq!(
            (checks[1].todo.as_deref(), checks[6].found.as_str()),
            (Some("try this"), "2 more kinds are not read")
        );
    }
}
