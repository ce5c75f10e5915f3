//! What people told models not to do, right after they did it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{super::search::words, Did, Kind, Pattern};
use crate::{HistoryError, Index, again::Logs, commands::commands};

/// Calls before a correction that it may be about.
const BEFORE: usize = 3;
/// Messages that are read, the latest first.
const MOST: usize = 2_000;

const CORRECTING: &[&str] =
    &["don't", "dont", "do not", "never", "stop", "instead", "undo", "wrong command", "nicht", "statt"];

/// How often, in which sessions, when and where last.
#[derive(Default)]
struct Seen {
    occurrences: usize,
    sessions: BTreeSet<i64>,
    last: Option<i64>,
    place: Option<(i64, i64)>,
}

/// Finds corrections that name a program or a file of the calls right before.
pub fn corrections(index: &Index, did: &[Did]) -> Result<Vec<Pattern>, HistoryError> {
    let mut by_file: BTreeMap<i64, Vec<&Did>> = BTreeMap::new();
    did.iter().for_each(|one| by_file.entry(one.place.0).or_default().push(one));
    let mut find = index.connection().prepare_cached(
        "SELECT id, position FROM message WHERE file = ? AND role = 0 AND side = 0 AND counts = 1 ORDER BY position DESC",
    )?;
    let (mut logs, mut found) = (Logs::default(), BTreeMap::<(Kind, String), Seen>::new());
    let correcting = Correcting::of(index)?;
    let mut left = MOST;
    for (file, calls) in by_file.iter().rev() {
        let messages = find.query_map([file], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        for message in messages {
            let (id, position) = message?;
            if left == 0 || !correcting.may_be(id) {
                continue;
            }
            left -= 1;
            let before = calls.iter().rev().filter(|call| call.place.1 < position).take(BEFORE);
            let before: Vec<&&Did> = before.collect();
            if before.is_empty() {
                continue;
            }
            let Some(text) = logs.text(index.connection(), id)? else { continue };
            for (kind, what, call) in named(&text, &before) {
                let seen = found.entry((kind, what)).or_default();
                seen.occurrences += 1;
                seen.sessions.insert(call.session);
                if seen.place.is_none() || call.at >= seen.last {
                    seen.place = Some(call.place);
                }
                seen.last = seen.last.max(call.at);
            }
        }
        if left == 0 {
            break;
        }
    }
    let pattern = |((kind, what), seen): (_, Seen)| Pattern {
        kind,
        what,
        occurrences: seen.occurrences,
        sessions: seen.sessions.len(),
        last: seen.last,
        place: seen.place,
    };
    Ok(found.into_iter().map(pattern).collect())
}

/// Which messages may be corrections, by the index of words: only those are read.
struct Correcting {
    found: HashSet<i64>,
    /// Later ones are not in that index yet.
    read: i64,
}

impl Correcting {
    fn of(index: &Index) -> Result<Self, HistoryError> {
        let phrase = |phrase: &&str| format!("({})", words(phrase).join(" AND "));
        let asked = CORRECTING.iter().map(phrase).collect::<Vec<_>>().join(" OR ");
        let mut find = index.connection().prepare_cached("SELECT rowid FROM said WHERE said MATCH ?")?;
        let found = find.query_map([asked], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let read = index.connection().query_row("SELECT message FROM texted", (), |row| row.get(0))?;
        Ok(Self { found, read })
    }

    fn may_be(&self, message: i64) -> bool {
        message > self.read || self.found.contains(&message)
    }
}

/// The programs and files of some calls that a correction names.
fn named<'a>(text: &str, calls: &[&&'a Did]) -> Vec<(Kind, String, &'a Did)> {
    let lower = format!(" {} ", text.to_lowercase().replace('’', "'"));
    let says = |word: &str| {
        lower.match_indices(word).any(|(at, _)| {
            let alone = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric() && char != '_');
            alone(lower[..at].chars().next_back()) && alone(lower[at + word.len()..].chars().next())
        })
    };
    if !CORRECTING.iter().any(|word| says(word)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for call in calls {
        let commands = call.command.iter().flat_map(|line| commands(line));
        found.extend(
            commands.filter(|one| says(&one.program.to_lowercase())).map(|one| (Kind::Avoids, one.program, **call)),
        );
        if let Some(path) = &call.wrote
            && let Some(name) = path.rsplit('/').next()
            && says(&name.to_lowercase())
        {
            found.push((Kind::NeverTouches, path.clone(), **call));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_is_about_what_it_names() {
        let did = |command: Option<&str>, wrote: Option<&str>| Did {
            session: 1,
            at: None,
            place: (1, 1),
            command: command.map(str::to_owned),
            wrote: wrote.map(str::to_owned),
        };
        let (npm, lock) = (did(Some("npm install x"), None), did(None, Some("/w/Cargo.lock")));
        let what = |text: &str| {
            named(text, &[&&npm, &&lock]).into_iter().map(|(kind, what, _)| (kind, what)).collect::<Vec<_>>()
        };
        assert_eq!(what("Don’t use npm, pnpm instead"), [(Kind::Avoids, "npm".to_owned())]);
        assert_eq!(what("never edit Cargo.lock"), [(Kind::NeverTouches, "/w/Cargo.lock".to_owned())]);
        assert_eq!(what("npm is nice"), []);
        assert_eq!(what("don't use cnpm"), []);
    }
}
