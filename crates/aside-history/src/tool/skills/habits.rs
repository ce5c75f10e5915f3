//! Habits in what was run.

use std::collections::{BTreeMap, BTreeSet};

use super::{Did, Kind, Pattern};
use crate::commands::commands;

/// What is run after changes in at least one of so many sessions with changes is a habit.
const HALF: usize = 2;

#[derive(Default)]
struct Seen {
    occurrences: usize,
    sessions: BTreeSet<i64>,
    last: Option<i64>,
    place: Option<(i64, i64)>,
}

type Counts = BTreeMap<String, Seen>;

fn count(counts: &mut Counts, what: String, did: &Did) {
    let seen = counts.entry(what).or_default();
    seen.occurrences += 1;
    seen.sessions.insert(did.session);
    if seen.place.is_none() || did.at >= seen.last {
        seen.place = Some(did.place);
    }
    seen.last = seen.last.max(did.at);
}

/// Finds them in calls that are in order, session by session.
pub fn habits(did: &[Did]) -> Vec<Pattern> {
    let (mut tests, mut after, mut options) = (Counts::new(), Counts::new(), Counts::new());
    let mut edited = BTreeSet::new();
    let mut changed: Option<i64> = None;
    for one in did {
        if one.wrote.is_some() {
            changed = Some(one.session);
            edited.insert(one.session);
        }
        let Some(line) = &one.command else { continue };
        let run = commands(line);
        if let Some(test) = run.iter().find(|command| command.tests()) {
            count(&mut tests, test.signature(), one);
        }
        for command in run.iter().filter(|command| !command.is_everyday()) {
            if changed == Some(one.session) {
                count(&mut after, command.signature(), one);
            }
            if !command.options.is_empty() {
                count(&mut options, command.signature(), one);
            }
        }
        changed = None;
    }
    after.retain(|_, seen| seen.sessions.len() * HALF >= edited.len());
    let of = |kind, counts: Counts| counts.into_iter().map(move |(what, seen)| pattern(kind, what, &seen));
    // One way to run the tests is the usual one.
    let usual = tests.into_iter().max_by_key(|(what, seen)| (seen.sessions.len(), seen.occurrences, what.clone()));
    let usual = usual.map(|(what, seen)| pattern(Kind::Tests, what, &seen));
    usual.into_iter().chain(of(Kind::AfterEdit, after)).chain(of(Kind::Options, options)).collect()
}

fn pattern(kind: Kind, what: String, seen: &Seen) -> Pattern {
    Pattern {
        kind,
        what,
        occurrences: seen.occurrences,
        sessions: seen.sessions.len(),
        last: seen.last,
        place: seen.place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_run_again_and_again_is_a_habit() {
        let did = |session, command: Option<&str>, wrote: Option<&str>| Did {
            session,
            at: Some(session),
            place: (1, 1),
            command: command.map(str::to_owned),
            wrote: wrote.map(str::to_owned),
        };
        let all = [
            did(1, None, Some("/a.rs")),
            did(1, Some("cargo clippy --all-targets"), None),
            did(1, Some("cargo test"), None),
            did(2, None, Some("/a.rs")),
            did(2, Some("cargo clippy --all-targets && ls"), None),
            did(2, Some("cargo test"), None),
            did(2, Some("cargo nextest run"), None),
        ];
        let found = habits(&all);
        let told: Vec<(Kind, &str, usize)> =
            found.iter().map(|one| (one.kind, one.what.as_str(), one.sessions)).collect();
        assert_eq!(
            told,
            [
                (Kind::Tests, "cargo test", 2),
                (Kind::AfterEdit, "cargo clippy --all-targets", 2),
                (Kind::Options, "cargo clippy --all-targets", 2),
            ]
        );
    }
}
