//! How changes to a file turned out before.

mod line;

use std::collections::{HashMap, HashSet};

use aside_core::Timestamp;
use aside_store::sql::params;
use serde::Serialize;
use serde_json::Value;

use super::{
    Asking, Evidence,
    args::Arguments,
    files::{PATHS, asked, pattern},
    told,
};
use crate::{
    HistoryError, Index, TimeZone,
    again::Logs,
    outcome::{Anchor, Judgement, Made, Outcome, TAKEN_BACK, after_all, commits, judge},
};

/// Sessions that are judged, the latest first.
const MOST: usize = 50;
/// Sessions that are named.
const NAMED: usize = 5;
/// What is less sure counts for nothing.
const SURE: f64 = 0.5;

#[derive(Serialize)]
struct Risk {
    path: String,
    since: Option<String>,
    total_sessions: usize,
    reverted: usize,
    failed: usize,
    worked: usize,
    recent_session_ids: Vec<String>,
    evidence: Vec<Told>,
}

#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    place: Evidence,
    #[serde(flatten)]
    judgement: Judgement,
}

/// The last change that a session made to the file.
struct Change {
    session: String,
    at: Option<Timestamp>,
    anchor: Anchor,
    /// The same change in logs of sessions that took this one up: what followed it there tells, too.
    copies: Vec<Anchor>,
    log: String,
    made: Made,
}

/// How many sessions wrote a file, and how that turned out where it is known.
pub struct Changes {
    total: usize,
    /// The latest first.
    judged: Vec<(Change, Judgement)>,
}

/// Counts the sessions that wrote a file by how that turned out.
pub fn of_file(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let path = asked(arguments, "path", index, asking)?;
    let since = arguments.since(asking)?;
    let Changes { total: total_sessions, mut judged } = judged(index, &path, since)?;
    let count = |outcome| judged.iter().filter(|(_, one)| one.outcome == outcome).count();
    let (reverted, failed, worked) = (count(Outcome::Reverted), count(Outcome::Failed), count(Outcome::Worked));
    let bad = judged.iter().filter(|(_, one)| one.outcome < Outcome::Worked);
    let recent_session_ids = bad.map(|(change, _)| change.session.clone()).take(NAMED).collect();
    judged.sort_by_key(|(_, one)| one.outcome);
    let told_by = |(change, judgement): (Change, Judgement)| Told {
        place: Evidence { session_id: change.session, file: change.log, offset: change.anchor.position },
        judgement,
    };
    let evidence = judged.into_iter().map(told_by).collect();
    let since = since.map(|at| at.to_string());
    told(&Risk { path, since, total_sessions, reverted, failed, worked, recent_session_ids, evidence })
}

/// Says in a few words that changes to a file were taken back or failed before, if any were: for whoever is about to change it.
pub fn risk_line(index: &Index, path: &str, now: Timestamp, zone: &TimeZone) -> Result<Option<String>, HistoryError> {
    let judged = judged(index, path, None)?.judged;
    let times = |outcome| -> Vec<Option<Timestamp>> {
        judged.iter().filter(|(_, one)| one.outcome == outcome).map(|(change, _)| change.at).collect()
    };
    Ok(line::line(&times(Outcome::Reverted), &times(Outcome::Failed), now, zone))
}

fn judged(index: &Index, path: &str, since: Option<Timestamp>) -> Result<Changes, HistoryError> {
    let changes = changes(index, path, since)?;
    let total = changes.len();
    let commits = commits(index, path)?;
    let (mut judged, mut logs) = (Vec::new(), Logs::default());
    for change in changes.into_iter().take(MOST) {
        let hosted = after_all(index, &commits, &change.made)?;
        // That it was taken back for good counts before what was said of it at first.
        let judgement = match hosted {
            Some(hosted) if hosted.outcome == Outcome::Reverted => hosted,
            hosted => {
                let said = surest(index, &change, &mut logs)?;
                if said.confidence >= SURE { said } else { hosted.unwrap_or(said) }
            }
        };
        if judgement.confidence >= SURE {
            judged.push((change, judgement));
        }
    }
    Ok(Changes { total, judged })
}

/// What tells most of a change, wherever it stands; of what is as sure the worse.
fn surest(index: &Index, change: &Change, logs: &mut Logs) -> Result<Judgement, HistoryError> {
    let mut surest = judge(index, change.anchor, logs)?;
    for copy in &change.copies {
        let other = judge(index, *copy, logs)?;
        let is_surer = other.confidence > surest.confidence;
        if is_surer || other.confidence >= surest.confidence && other.outcome < surest.outcome {
            surest = other;
        }
    }
    Ok(surest)
}

/// The last change of each session, the latest first; one that the logs of several sessions tell is of one of them.
fn changes(index: &Index, path: &str, since: Option<Timestamp>) -> Result<Vec<Change>, HistoryError> {
    let sql = format!(
        "SELECT session.name, call.file, call.position, file.path, call.at, session.first, session.last, session.branch, call.uid FROM touch JOIN call ON call.id = touch.call
         JOIN session ON session.id = touch.session JOIN file ON file.id = call.file
         WHERE mode IN (1, 2) AND touch.path IN ({PATHS}) AND COALESCE(call.at, 0) >= ?3 AND COALESCE(call.ok, 1) = 1 AND call.name != '{TAKEN_BACK}'
         ORDER BY call.at DESC, call.counts DESC, call.position DESC"
    );
    let mut find = index.connection().prepare_cached(&sql)?;
    let since = since.map_or(i64::MIN, |at| at.0);
    let rows = find.query_map(params![path, pattern(path), since], |row| {
        let anchor = Anchor { file: row.get(1)?, position: row.get(2)? };
        let at = |index: usize| row.get::<_, Option<i64>>(index).map(|at| at.map(Timestamp));
        let made = Made { first: at(5)?, last: at(6)?, branch: row.get(7)? };
        let change = Change { session: row.get(0)?, at: at(4)?, anchor, copies: Vec::new(), log: row.get(3)?, made };
        Ok((change, row.get::<_, Option<i64>>(8)?))
    })?;
    let (mut seen, mut places) = (HashSet::new(), HashMap::new());
    let mut changes: Vec<Change> = Vec::new();
    for row in rows {
        let (change, uid) = row?;
        let is_new = seen.insert(change.session.clone());
        if let Some(place) = uid.and_then(|uid| places.get(&uid)).copied() {
            let known: &mut Change = &mut changes[place];
            known.copies.push(change.anchor);
        } else if is_new {
            if let Some(uid) = uid {
                places.insert(uid, changes.len());
            }
            changes.push(change);
        }
    }
    Ok(changes)
}
