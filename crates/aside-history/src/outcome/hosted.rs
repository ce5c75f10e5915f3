//! How a change turned out by what hosts of repositories tell of the commits that it went into: taken back, tests failed, merged.

use aside_core::Timestamp;
use aside_store::sql::params;

use super::{Judgement, Outcome, excerpt};
use crate::{HistoryError, Index};

/// What a session did is committed while it goes on, or within so many milliseconds after.
const WITHIN: i64 = 86_400_000;
/// Commits that are looked at for one file, the latest first.
const MOST: i64 = 500;

/// When and where a session made its changes.
#[derive(Clone, Debug)]
pub struct Made {
    /// When it began.
    pub first: Option<Timestamp>,
    /// When it ended.
    pub last: Option<Timestamp>,
    /// The branch of git that it was on.
    pub branch: Option<String>,
}

/// A commit that changed the file.
#[derive(Clone, Debug)]
pub struct Committed {
    sha: String,
    title: String,
    /// The branch that it was pushed to, and that of its pull request: what is merged or squashed is pushed to another.
    branches: [Option<String>; 2],
    at: Timestamp,
    taken_back: bool,
    /// The pull request that it is the head or the merge of.
    pull_request: Option<(i64, String)>,
}

/// The commits that changed a file, by its path in a clone of their repository: a folder that is known to be one, or is called as it is.
pub fn commits(index: &Index, path: &str) -> Result<Vec<Committed>, HistoryError> {
    let Some((_, name)) = path.rsplit_once('/') else { return Ok(Vec::new()) };
    let mut find = index.connection().prepare_cached(
        "SELECT pushed_file.path, pushed.repo, sha, pushed.title, pushed.branch, at, pushed.reverted IS NOT NULL OR COALESCE(pull.reverted, 0) > 0,
           pull.number, pull.state, pull.branch, (SELECT repo FROM clone WHERE clone.path = substr(?1, 1, length(?1) - length(pushed_file.path) - 1))
         FROM pushed_file JOIN pushed ON pushed.id = pushed_file.pushed
         LEFT JOIN pull_request pull ON pull.provider = pushed.provider AND pull.repo = pushed.repo AND sha IN (pull.head, pull.merge_commit)
         WHERE name = ?2 AND at IS NOT NULL ORDER BY at DESC LIMIT ?3",
    )?;
    let mut rows = find.query(params![path, name, MOST])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (below, repo, clone): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(10)?);
        let Some(folder) = path.strip_suffix(&below).and_then(|folder| folder.strip_suffix('/')) else { continue };
        let called = |text: &str| text.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let is_clone = match clone {
            Some(known) => known.eq_ignore_ascii_case(&repo),
            None => called(folder) == called(&repo),
        };
        if is_clone {
            let pull_request = row.get::<_, Option<i64>>(7)?.zip(row.get::<_, Option<String>>(8)?);
            found.push(Committed {
                sha: row.get(2)?,
                title: row.get(3)?,
                branches: [row.get(4)?, row.get(9)?],
                at: Timestamp(row.get(5)?),
                taken_back: row.get(6)?,
                pull_request,
            });
        }
    }
    Ok(found)
}

/// What became of the commits of a session: what was taken back counts most, then what failed.
pub fn after_all(index: &Index, commits: &[Committed], made: &Made) -> Result<Option<Judgement>, HistoryError> {
    let (Some(first), Some(last)) = (made.first, made.last) else { return Ok(None) };
    let its_branch = |commit: &&Committed| match (&commit.branches, &made.branch) {
        ([Some(_), _], Some(session)) => commit.branches.iter().flatten().any(|branch| branch == session),
        _ => true,
    };
    let in_time = |commit: &&Committed| commit.at >= first && commit.at <= last.plus(WITHIN);
    let own: Vec<&Committed> = commits.iter().filter(in_time).filter(its_branch).collect();
    if let Some(commit) = own.iter().find(|commit| commit.taken_back) {
        return Ok(Some(judgement(Outcome::Reverted, 0.9, &format!("{} was reverted", named(commit)))));
    }
    let mut good = None;
    for commit in own {
        let runs = runs(index, &commit.sha)?;
        if let Some((workflow, _)) = runs.iter().find(|(_, status)| status == "failure") {
            return Ok(Some(judgement(Outcome::Failed, 0.7, &format!("{workflow} failed on {}", named(commit)))));
        }
        let merged = commit.pull_request.as_ref().is_some_and(|(_, state)| state == "merged");
        if merged && runs.iter().any(|(_, status)| status == "success") {
            good.get_or_insert_with(|| {
                judgement(Outcome::Worked, 0.6, &format!("{} passed and was merged", named(commit)))
            });
        }
    }
    Ok(good)
}

/// The last run of each workflow on a commit.
fn runs(index: &Index, sha: &str) -> Result<Vec<(String, String)>, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT COALESCE(workflow, run), status, MAX(COALESCE(updated, completed, started, 0)) FROM ci_run WHERE commit_sha = ?
         GROUP BY COALESCE(workflow, run)",
    )?;
    Ok(find.query_map([sha], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
}

fn named(commit: &Committed) -> String {
    let sha = commit.sha.get(..7).unwrap_or(&commit.sha);
    match &commit.pull_request {
        Some((number, _)) => format!("{sha} “{}” (#{number})", commit.title),
        None => format!("{sha} “{}”", commit.title),
    }
}

fn judgement(outcome: Outcome, confidence: f64, text: &str) -> Judgement {
    Judgement { outcome, confidence, excerpt: Some(excerpt(text)) }
}
