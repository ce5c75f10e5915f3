//! How a change to a file turned out: by what the person said next, by what was run after it, by what was taken back.

mod hosted;
mod words;

use aside_store::sql::params;
use serde::Serialize;

use crate::{
    HistoryError, Index,
    again::Logs,
    commands::{self, Back},
};
pub use hosted::{Made, after_all, commits};
use words::{Mood, mood};

/// How it turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was taken back.
    Reverted,
    /// It did not do what it was meant to.
    Failed,
    /// It did.
    Worked,
    /// Nothing tells.
    Uncertain,
}

/// How it turned out, how sure that is, and by what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// How it turned out.
    pub outcome: Outcome,
    /// From 0 to 1; below 0.5 it is a guess.
    pub confidence: f64,
    /// The words or the command that tell.
    pub excerpt: Option<String>,
}

/// A change: the file of the log that it stands in, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The number of the log.
    pub file: i64,
    /// Bytes before it.
    pub position: i64,
}

/// What a person says counts up to this many messages after the change.
const TURNS: usize = 5;
/// Characters of an excerpt.
const EXCERPT: usize = 160;

/// What a call is named by which a person took an earlier one back; it names the same files.
pub const TAKEN_BACK: &str = "taken_back";

/// Something after a change.
enum After {
    Said(i64),
    TakenBack,
    Ran { command: String, ok: Option<bool> },
}

/// Judges the last change of a session to a file by what follows it in the same log.
pub fn judge(index: &Index, anchor: Anchor, logs: &mut Logs) -> Result<Judgement, HistoryError> {
    if is_put_back(index, anchor)? {
        let excerpt = Some("a later edit restored the previous text".to_owned());
        return Ok(Judgement { outcome: Outcome::Reverted, confidence: 0.9, excerpt });
    }
    let after = after(index, anchor)?;
    let goes_on = goes_on(index, anchor)?;
    let files = files(index, anchor)?;
    // What is stashed and comes back was not taken back.
    let pops = |one: &After| matches!(one, After::Ran { command, .. } if commands::unstashes(command));
    let last_pop = after.iter().rposition(pops);
    let takes_back = |place: usize, command: &str| {
        commands::backs(command).iter().any(|back| {
            let is_kept = matches!(back, Back::Stashed(_)) && last_pop.is_some_and(|pop| pop >= place);
            !is_kept && files.iter().any(|file| back.is_about(file))
        })
    };
    let (mut turns, mut tests) = (0, None);
    for (place, one) in after.iter().enumerate() {
        match one {
            After::Said(message) => {
                turns += 1;
                let text = logs.text(index.connection(), *message)?.unwrap_or_default();
                let outcome = match mood(&text) {
                    Mood::Revert => Some(Outcome::Reverted),
                    Mood::Negative => Some(Outcome::Failed),
                    Mood::Positive => Some(Outcome::Worked),
                    Mood::None => None,
                };
                if let Some(outcome) = outcome {
                    return Ok(Judgement { outcome, confidence: 0.8, excerpt: Some(excerpt(&text)) });
                }
                if turns == TURNS {
                    break;
                }
            }
            After::TakenBack => {
                let excerpt = Some("the user undid it".to_owned());
                return Ok(Judgement { outcome: Outcome::Reverted, confidence: 1.0, excerpt });
            }
            After::Ran { command, ok } if *ok != Some(false) && takes_back(place, command) => {
                return Ok(Judgement { outcome: Outcome::Reverted, confidence: 0.5, excerpt: Some(excerpt(command)) });
            }
            After::Ran { command, ok: Some(ok) } if commands::ends_as_tests(command) => tests = Some((*ok, command)),
            After::Ran { .. } => {}
        }
    }
    if let Some((ok, command)) = tests {
        let outcome = if ok { Outcome::Worked } else { Outcome::Failed };
        return Ok(Judgement { outcome, confidence: 0.6, excerpt: Some(excerpt(command)) });
    }
    let silent = turns == 0 && goes_on;
    let (outcome, confidence) = if silent { (Outcome::Worked, 0.3) } else { (Outcome::Uncertain, 0.0) };
    Ok(Judgement { outcome, confidence, excerpt: None })
}

/// Tells whether edits undid a change, from the first one of its session on: it was made no more often than it was made backwards.
fn is_put_back(index: &Index, Anchor { file, position }: Anchor) -> Result<bool, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "WITH one AS (SELECT id, session, edited FROM call WHERE file = ?1 AND position = ?2 AND edited IS NOT NULL),
         other AS (SELECT call.at, call.edited, call.session FROM one JOIN call ON call.edited IN (one.edited, -one.edited)
           WHERE (call.counts = 1 OR call.session = one.session) AND COALESCE(call.ok, 1) = 1 AND EXISTS (SELECT 1
             FROM touch mine JOIN touch theirs ON theirs.path = mine.path WHERE mine.call = one.id AND theirs.call = call.id))
         SELECT SUM(CASE other.edited WHEN one.edited THEN 1 ELSE -1 END) FROM one, other
         WHERE other.session = one.session OR other.at > (SELECT MIN(at) FROM other JOIN one ON one.session = other.session)",
    )?;
    let sum: Option<i64> = find.query_row(params![file, position], |row| row.get(0))?;
    Ok(sum.is_some_and(|sum| sum <= 0))
}

/// The records that follow a change: in its log, by their place; if it was made by a model that another model had started, in all logs of its
/// session, by their time.
const FOLLOWING: &str = "WITH anchor AS (SELECT id, session, side, at FROM call WHERE file = ?1 AND position = ?2),
    own AS (SELECT ?1 AS file FROM anchor WHERE NOT side OR at IS NULL LIMIT 1),
    logs AS (SELECT file FROM own UNION SELECT session_log.file FROM anchor JOIN session_log ON session_log.session = anchor.session
      WHERE NOT EXISTS (SELECT 1 FROM own)),
    spoken AS (SELECT message.*, CASE WHEN EXISTS (SELECT 1 FROM own) THEN message.position - ?2 ELSE message.at - (SELECT MIN(at) FROM anchor) END AS after
      FROM logs JOIN message ON message.file = logs.file WHERE message.session IN (SELECT session FROM anchor)),
    done AS (SELECT call.*, CASE WHEN EXISTS (SELECT 1 FROM own) THEN call.position - ?2 ELSE call.at - (SELECT MIN(at) FROM anchor) END AS after
      FROM logs JOIN call ON call.file = logs.file WHERE call.session IN (SELECT session FROM anchor))";

/// What a person said and what was run after a change, in order.
fn after(index: &Index, Anchor { file, position }: Anchor) -> Result<Vec<After>, HistoryError> {
    let mut find = index.connection().prepare_cached(&format!(
        "{FOLLOWING} SELECT after, id, NULL, NULL FROM spoken WHERE after > 0 AND role = 0 AND side = 0
         UNION ALL SELECT after, 0, command, ok FROM done WHERE after > 0 AND command IS NOT NULL
         UNION ALL SELECT after, -1, NULL, NULL FROM done WHERE after > 0 AND name = ?3 AND EXISTS
           (SELECT 1 FROM touch one JOIN touch other ON other.path = one.path WHERE one.call = done.id AND other.call IN (SELECT id FROM anchor))
         ORDER BY after LIMIT 400"
    ))?;
    let rows = find.query_map(params![file, position, TAKEN_BACK], |row| {
        Ok(match row.get::<_, Option<String>>(2)? {
            Some(command) => After::Ran { command, ok: row.get(3)? },
            None if row.get::<_, i64>(1)? < 0 => After::TakenBack,
            None => After::Said(row.get(1)?),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Tells whether anything follows a change at all.
fn goes_on(index: &Index, Anchor { file, position }: Anchor) -> Result<bool, HistoryError> {
    let sql = format!(
        "{FOLLOWING} SELECT EXISTS (SELECT 1 FROM spoken WHERE after > 0) OR EXISTS (SELECT 1 FROM done WHERE after > 0)"
    );
    Ok(index.connection().prepare_cached(&sql)?.query_row(params![file, position], |row| row.get(0))?)
}

/// The files that a change is about.
fn files(index: &Index, Anchor { file, position }: Anchor) -> Result<Vec<String>, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT DISTINCT path.path FROM call JOIN touch ON touch.call = call.id JOIN path ON path.id = touch.path
         WHERE call.file = ? AND call.position = ?",
    )?;
    Ok(find.query_map([file, position], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

fn excerpt(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    folded.chars().take(EXCERPT).collect()
}
