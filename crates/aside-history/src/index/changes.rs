//! Pull requests, reviews, runs and commits in the index. What came later stays, in whatever order it is told; what was taken back stays
//! taken back.

use aside_core::{Sha256, Timestamp};
use aside_store::sql::{OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::Index;
use crate::{
    HistoryError,
    hosts::{Commit, Fact, Host, PullRequest, Review, Run},
};

/// How long it is remembered what was delivered, in milliseconds. What comes again after that changes nothing, either.
const REMEMBERED: i64 = 90 * 86_400_000;

/// A message of a host, by which it is known when it comes again.
#[derive(Clone, Debug)]
pub struct Delivery<'a> {
    /// The host's own id of it.
    pub id: &'a str,
    /// Its bytes.
    pub body: &'a [u8],
    /// When it came.
    pub at: Timestamp,
}

/// Where facts come from.
#[derive(Clone, Debug)]
pub enum Origin<'a> {
    /// The host told of them.
    Delivery(Delivery<'a>),
    /// They were asked for at this address.
    Address(&'a str),
}

impl Origin<'_> {
    /// As evidence names it.
    fn named(&self) -> String {
        match self {
            Self::Delivery(delivery) => format!("delivery {}", delivery.id),
            Self::Address(address) => (*address).to_owned(),
        }
    }
}

/// What became of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// Not known before.
    pub inserted: usize,
    /// Known, and told anew.
    pub updated: usize,
    /// The message had come before: nothing was done.
    pub repeated: bool,
}

impl Index {
    /// Takes facts of a host in, all or none; a message that came before is not taken again.
    pub fn note(&mut self, host: Host, facts: &[Fact], origin: &Origin<'_>) -> Result<Noted, HistoryError> {
        let transaction = self.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut noted = Noted::default();
        if let Origin::Delivery(delivery) = origin
            && !is_new(&transaction, host, delivery)?
        {
            return Ok(Noted { repeated: true, ..noted });
        }
        let (provider, told_by) = (host.word(), origin.named());
        for fact in facts {
            let known = match fact {
                Fact::PullRequest(told) => pull_request(&transaction, provider, told, &told_by)?,
                Fact::Review(told) => review(&transaction, provider, told)?,
                Fact::Run(told) => run(&transaction, provider, told, &told_by)?,
                Fact::Commit(told) => commit(&transaction, provider, told)?,
            };
            *(if known { &mut noted.updated } else { &mut noted.inserted }) += 1;
        }
        settle(&transaction, provider)?;
        transaction.commit()?;
        Ok(noted)
    }

    /// The mark that a host gave an address when it was last asked.
    pub fn mark(&self, address: &str) -> Result<Option<String>, HistoryError> {
        let mut find = self.connection().prepare_cached("SELECT mark FROM pulled WHERE address = ?")?;
        Ok(find.query_row([address], |row| row.get(0)).optional()?)
    }

    /// Keeps it.
    pub fn keep_mark(&mut self, address: &str, mark: &str) -> Result<(), HistoryError> {
        self.connection_mut()
            .execute("INSERT OR REPLACE INTO pulled (address, mark) VALUES (?, ?)", [address, mark])?;
        Ok(())
    }

    /// The folders that are known to be clones, each with its repository.
    pub(crate) fn clones(&self) -> Result<Vec<(String, String)>, HistoryError> {
        let mut all = self.connection().prepare_cached("SELECT path, repo FROM clone")?;
        Ok(all.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    /// The repositories of which a host told.
    pub fn repositories(&self) -> Result<Vec<String>, HistoryError> {
        let mut all = self
            .connection()
            .prepare_cached("SELECT repo FROM main.pull_request UNION SELECT repo FROM main.ci_run")?;
        Ok(all.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Takes note that a folder is a clone of a repository.
    pub fn keep_clone(&mut self, folder: &str, repo: &str) -> Result<(), HistoryError> {
        self.connection_mut().execute("INSERT OR REPLACE INTO clone (path, repo) VALUES (?, ?)", [folder, repo])?;
        Ok(())
    }

    /// The numbers of the pull requests of a repository that changed last.
    pub fn latest_pull_requests(&self, host: Host, repo: &str, most: usize) -> Result<Vec<i64>, HistoryError> {
        let mut find = self.connection().prepare_cached(
            "SELECT number FROM pull_request WHERE provider = ?1 AND repo = ?2
             ORDER BY COALESCE(updated, merged, created) DESC LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(find.query_map(params![host.word(), repo, most], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Commits whose files are worth asking for: those that were taken back, or whose runs failed, the newest first.
    pub fn commits_without_files(&self, host: Host, repo: &str, most: usize) -> Result<Vec<String>, HistoryError> {
        let mut find = self.connection().prepare_cached(
            "SELECT sha FROM (
               SELECT commit_sha AS sha, MAX(COALESCE(completed, started, 0)) AS at FROM ci_run
                 WHERE provider = ?1 AND repo = ?2 AND status = 'failure' AND commit_sha IS NOT NULL GROUP BY commit_sha
               UNION ALL SELECT sha, reverted FROM pushed WHERE provider = ?1 AND repo = ?2 AND reverted IS NOT NULL
               UNION ALL SELECT COALESCE(merge_commit, head), reverted FROM pull_request
                 WHERE provider = ?1 AND repo = ?2 AND reverted IS NOT NULL)
             WHERE sha IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pushed JOIN pushed_file ON pushed_file.pushed = pushed.id
               WHERE pushed.provider = ?1 AND pushed.sha = sha AND pushed.repo = ?2)
             GROUP BY sha ORDER BY MAX(at) DESC LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(find.query_map(params![host.word(), repo, most], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }
}

/// Takes note of a message; false if it came before, under this id or with these very bytes.
fn is_new(transaction: &Transaction<'_>, host: Host, delivery: &Delivery<'_>) -> Result<bool, HistoryError> {
    let body = Sha256::of(delivery.body);
    let mut find =
        transaction.prepare_cached("SELECT 1 FROM delivery WHERE provider = ?1 AND (id = ?2 OR body = ?3)")?;
    if find.exists(params![host.word(), delivery.id, body.as_str()])? {
        return Ok(false);
    }
    transaction.execute("DELETE FROM delivery WHERE at < ?", [delivery.at.0.saturating_sub(REMEMBERED)])?;
    let mut keep = transaction.prepare_cached("INSERT INTO delivery (provider, id, body, at) VALUES (?, ?, ?, ?)")?;
    keep.execute(params![host.word(), delivery.id, body.as_str(), delivery.at.0])?;
    Ok(true)
}

fn pull_request(
    transaction: &Transaction<'_>,
    provider: &str,
    told: &PullRequest,
    told_by: &str,
) -> Result<bool, HistoryError> {
    let PullRequest {
        repo,
        number,
        title,
        state,
        merged,
        created,
        updated,
        author,
        head,
        branch,
        merge_commit,
        reverts,
        page,
    } = told;
    let known = transaction
        .prepare_cached("SELECT 1 FROM pull_request WHERE provider = ? AND repo = ? AND number = ?")?
        .exists(params![provider, repo, number])?;
    transaction
        .prepare_cached(
            "INSERT INTO pull_request (provider, repo, number, title, state, merged, created, updated, author, head, merge_commit, page, told_by, branch)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
             ON CONFLICT (provider, repo, number) DO UPDATE SET title = ?4, state = ?5, merged = COALESCE(?6, merged),
             created = COALESCE(?7, created), updated = COALESCE(?8, updated), author = COALESCE(?9, author),
             head = COALESCE(?10, head), merge_commit = COALESCE(?11, merge_commit), page = COALESCE(?12, page), told_by = ?13,
             branch = COALESCE(?14, branch)
             WHERE COALESCE(?8, updated, 0) >= COALESCE(updated, 0) AND (state != 'merged' OR ?5 = 'merged')",
        )?
        .execute(params![
            provider,
            repo,
            number,
            title,
            state,
            merged.map(|at| at.0),
            created.map(|at| at.0),
            updated.map(|at| at.0),
            author,
            head,
            merge_commit,
            page,
            told_by,
            branch
        ])?;
    if let (Some(of), "merged", Some(at)) = (reverts, *state, merged.or(*updated)) {
        takes_back(transaction, provider, repo, &format!("#{of}"), at)?;
    }
    Ok(known)
}

fn review(transaction: &Transaction<'_>, provider: &str, told: &Review) -> Result<bool, HistoryError> {
    let Review { repo, number, id, author, state, at } = told;
    let known = transaction
        .prepare_cached("SELECT 1 FROM review WHERE provider = ? AND repo = ? AND review = ?")?
        .exists(params![provider, repo, id])?;
    // One that was dismissed stays so.
    transaction
        .prepare_cached(
            "INSERT INTO review (provider, repo, review, number, author, state, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (provider, repo, review) DO UPDATE SET state = ?6 WHERE state != 'dismissed'",
        )?
        .execute(params![provider, repo, id, number, author, state, at.map(|at| at.0)])?;
    Ok(known)
}

/// How far a run is: a later attempt beats an earlier one, a later change an earlier one, and what has ended what has not.
const FURTHER: &str = "(?10, COALESCE(?9, 0), CASE ?5 WHEN 'pending' THEN 0 WHEN 'in_progress' THEN 1 ELSE 2 END)
    >= (attempt, COALESCE(updated, 0), CASE status WHEN 'pending' THEN 0 WHEN 'in_progress' THEN 1 ELSE 2 END)";

fn run(transaction: &Transaction<'_>, provider: &str, told: &Run, told_by: &str) -> Result<bool, HistoryError> {
    let Run { repo, id, commit, status, workflow, started, completed, updated, attempt, page } = told;
    let known = transaction
        .prepare_cached("SELECT 1 FROM ci_run WHERE provider = ? AND repo = ? AND run = ?")?
        .exists(params![provider, repo, id])?;
    let put = format!(
        "INSERT INTO ci_run (provider, repo, run, commit_sha, status, workflow, started, completed, updated, attempt, page, told_by)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (provider, repo, run) DO UPDATE SET commit_sha = COALESCE(?4, commit_sha), status = ?5,
         workflow = COALESCE(?6, workflow), started = COALESCE(?7, started), completed = ?8, updated = ?9, attempt = ?10,
         page = COALESCE(?11, page), told_by = ?12
         WHERE {FURTHER}"
    );
    transaction.prepare_cached(&put)?.execute(params![
        provider,
        repo,
        id,
        commit,
        status,
        workflow,
        started.map(|at| at.0),
        completed.map(|at| at.0),
        updated.map(|at| at.0),
        attempt,
        page,
        told_by
    ])?;
    Ok(known)
}

fn commit(transaction: &Transaction<'_>, provider: &str, told: &Commit) -> Result<bool, HistoryError> {
    let Commit { repo, sha, title, branch, at, reverts, files } = told;
    let known = transaction
        .prepare_cached("SELECT 1 FROM pushed WHERE provider = ? AND repo = ? AND sha = ?")?
        .exists(params![provider, repo, sha])?;
    let id: i64 = transaction
        .prepare_cached(
            "INSERT INTO pushed (provider, repo, sha, title, branch, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (provider, repo, sha) DO UPDATE SET branch = COALESCE(branch, ?5), at = COALESCE(at, ?6) RETURNING id",
        )?
        .query_row(params![provider, repo, sha, title, branch, at.map(|at| at.0)], |row| row.get(0))?;
    for path in files {
        let name = path.rsplit('/').next().unwrap_or(path);
        transaction
            .prepare_cached("INSERT OR IGNORE INTO pushed_file (name, path, pushed) VALUES (?, ?, ?)")?
            .execute(params![name, path, id])?;
    }
    if let (Some(of), Some(at)) = (reverts, at) {
        takes_back(transaction, provider, repo, of, *at)?;
    }
    Ok(known)
}

/// Takes note of what takes something back, which may be told of later.
fn takes_back(
    transaction: &Transaction<'_>,
    provider: &str,
    repo: &str,
    what: &str,
    at: Timestamp,
) -> Result<(), HistoryError> {
    transaction
        .prepare_cached(
            "INSERT INTO taken_back (provider, repo, what, at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (provider, repo, what) DO UPDATE SET at = MIN(at, ?4)",
        )?
        .execute(params![provider, repo, what, at.0])?;
    Ok(())
}

/// Marks what was taken back. A mark is never taken off.
fn settle(transaction: &Transaction<'_>, provider: &str) -> Result<(), HistoryError> {
    transaction.execute(
        "UPDATE pull_request SET reverted = one.at FROM taken_back one WHERE pull_request.provider = ?1 AND reverted IS NULL
         AND one.provider = ?1 AND one.repo = pull_request.repo
         AND (one.what = '#' || number OR substr(merge_commit, 1, length(one.what)) = one.what)",
        [provider],
    )?;
    transaction.execute(
        "UPDATE pushed SET reverted = one.at FROM taken_back one WHERE pushed.provider = ?1 AND reverted IS NULL
         AND one.provider = ?1 AND one.repo = pushed.repo AND substr(sha, 1, length(one.what)) = one.what",
        [provider],
    )?;
    Ok(())
}
