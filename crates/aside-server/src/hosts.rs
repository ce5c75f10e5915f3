//! Asks a host of repositories what became of pull requests, runs and commits: page by page, as far as its limits allow, and only if the
//! person lets it be asked. What came is kept, also when the rest did not.

mod addresses;
mod clone;

pub use clone::{Cloned, clone_in};

use addresses::List;
use aside_core::{Failure, Timestamp};
use aside_history::{
    HistoryError, Index, Noted, Origin,
    hosts::{Commit, Fact, Host},
};
use aside_llm::{Permits, ProviderError, Rest, RestError, RestPage, Secret};
use aside_protocol::{HistoryPulled, HistoryRefused};
use aside_store::DataFolder;
use serde_json::Value;

use crate::app::blocking;

/// Pages of one list: the latest thousand rows.
const PAGES: u32 = 10;
/// Commits that are asked for one by one, to learn which files they changed.
const SINGLE: usize = 50;
/// Pull requests of which it is asked what was said of them: those that changed last.
const REVIEWED: usize = 20;
/// Characters of a repository's name.
const LONGEST_NAME: usize = 200;

/// What is asked, of whom, and where it is kept.
pub struct Pull {
    rest: Rest,
    host: Host,
    repo: String,
    folder: DataFolder,
}

/// Why nothing more comes.
enum Stop {
    Limited(Option<i64>),
    Failed(Failure),
}

impl From<RestError> for Stop {
    fn from(error: RestError) -> Self {
        match error {
            RestError::Limited { until, .. } => Self::Limited(until),
            RestError::Server(error) => Self::Failed((&error).into()),
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Pull {
    /// Prepares to ask. `host` is `github.com`, `gitlab.com` or the address of another one's interface; `key` has the token for it.
    pub fn new(
        repo: &str,
        host: Option<&str>,
        folder: DataFolder,
        key: impl FnOnce(&str) -> Option<Secret>,
    ) -> Result<Self, Failure> {
        check_name(repo)?;
        let (host, address) = addresses::interface(host.unwrap_or("github.com").trim_end_matches('/'))?;
        let key = key(host.word());
        let rest = match host {
            Host::GitLab => {
                let key = key.map(|key| ("private-token", "", key));
                Rest::new(("gitlab", "GitLab"), &address, key, Vec::new())
            }
            _ => {
                let key = key.map(|key| ("authorization", "Bearer ", key));
                let headers = vec![("accept", "application/vnd.github+json"), ("x-github-api-version", "2022-11-28")];
                Rest::new(("github", "GitHub"), &address, key, headers)
            }
        };
        let wrong = |problem| {
            Failure::new("bad_request", format!("cannot use this host: {problem}"))
                .hint("Use github.com, gitlab.com, or an address such as https://github.example/api/v3.")
        };
        Ok(Self { rest: rest.map_err(wrong)?, host, repo: repo.to_owned(), folder })
    }

    /// The word by which the person lets it be asked, and its host; none if it is on this machine.
    pub fn consent(&self) -> Option<(&'static str, String)> {
        Some((self.host.word(), self.rest.elsewhere()?))
    }

    /// Asks for all that is new.
    pub async fn run(&self, permits: &Permits) -> Result<HistoryPulled, Failure> {
        let mut pulled = HistoryPulled { repo: self.repo.clone(), host: self.rest.shown(), ..HistoryPulled::default() };
        match self.all(&mut pulled, permits).await {
            Ok(()) => Ok(pulled),
            Err(Stop::Limited(until)) => {
                let when = until.map_or_else(String::new, |until| {
                    format!("; it accepts requests again at {}", Timestamp(until.saturating_mul(1000)))
                });
                let stopped = format!("{} accepts no more requests for now{when}", self.rest.shown());
                Ok(HistoryPulled { stopped: Some(stopped), ..pulled })
            }
            Err(Stop::Failed(failure)) => Err(self.in_own_words(failure)),
        }
    }

    /// What went wrong, for somebody who asks about a repository and no model.
    fn in_own_words(&self, failure: Failure) -> Failure {
        let (host, repo) = (self.rest.shown(), &self.repo);
        match failure.code.as_str() {
            "needs_consent" => {
                let words = format!("nothing was sent to {host} about {repo}: you have not allowed requests to it");
                Failure::new("needs_consent", words)
            }
            "provider_unreachable" => {
                let hint = "Data from earlier requests is kept. Check the network and the host name, then try again: only new data is fetched.";
                Failure::new(&failure.code, failure.message).hint(hint)
            }
            _ => failure,
        }
    }

    async fn all(&self, pulled: &mut HistoryPulled, permits: &Permits) -> Result<(), Stop> {
        let (lists, mut first) = (addresses::lists(self.host, &self.repo), None);
        for list in &lists {
            match self.list(list, pulled, permits).await {
                Err(Stop::Failed(failure)) if is_refusal(&failure) => {
                    let hint = failure.hint.as_ref().map_or_else(String::new, |hint| format!(". {hint}"));
                    let reason = format!("{}{hint}", failure.message);
                    pulled.refused.push(HistoryRefused { list: list.name.to_owned(), reason });
                    first.get_or_insert(failure);
                }
                answer => answer?,
            }
        }
        // Who refuses everything refuses the repository.
        if let Some(failure) = first.filter(|_| pulled.refused.len() == lists.len()) {
            return Err(failure.into());
        }
        self.reviews(pulled, permits).await?;
        self.files(pulled, permits).await
    }

    /// Asks what was said of the pull requests that changed last. What the host refuses of it is not told.
    async fn reviews(&self, pulled: &mut HistoryPulled, permits: &Permits) -> Result<(), Stop> {
        if self.host != Host::GitHub {
            return Ok(());
        }
        let (host, repo) = (self.host, self.repo.clone());
        let latest = self.with_index(move |index| index.latest_pull_requests(host, &repo, REVIEWED)).await?;
        for number in latest {
            let unchanged = pulled.unchanged;
            match self.list(&addresses::reviews(&self.repo, number), pulled, permits).await {
                Err(Stop::Failed(failure)) if is_refusal(&failure) => {}
                answer => answer?,
            }
            // That is told of lists of the repository.
            pulled.unchanged = unchanged;
        }
        Ok(())
    }

    /// Asks which files were changed by commits that failed or were taken back. One that is not there, since its branch was deleted, says nothing.
    async fn files(&self, pulled: &mut HistoryPulled, permits: &Permits) -> Result<(), Stop> {
        let (host, repo) = (self.host, self.repo.clone());
        let wanted = self.with_index(move |index| index.commits_without_files(host, &repo, SINGLE)).await?;
        for sha in wanted {
            match self.files_of(&sha, pulled, permits).await {
                Err(Stop::Failed(failure)) if is_refusal(&failure) => {}
                answer => answer?,
            }
        }
        Ok(())
    }

    /// Asks for a commit; GitLab lists its files apart.
    async fn files_of(&self, sha: &str, pulled: &mut HistoryPulled, permits: &Permits) -> Result<(), Stop> {
        let path = addresses::commit(self.host, &self.repo, sha);
        let page = self.page((&path, ""), None, permits).await?;
        self.keep(page.body.as_ref(), &path, Host::commits, pulled).await?;
        if self.host != Host::GitLab {
            return Ok(());
        }
        let path = format!("{path}/diff");
        let mut commit = Commit { repo: self.repo.clone(), sha: sha.to_owned(), ..Commit::default() };
        for number in 1..=PAGES {
            let page = self.page((&path, &format!("per_page=100&page={number}")), None, permits).await?;
            commit.files.extend(page.body.iter().flat_map(|body| self.host.changed_files(body)));
            if !page.more {
                break;
            }
        }
        Ok(self.note(vec![Fact::Commit(commit)], &path).await.map(drop)?)
    }

    /// Asks for a list page by page; nothing if its first page is the one that came the last time.
    async fn list(&self, list: &List, pulled: &mut HistoryPulled, permits: &Permits) -> Result<(), Stop> {
        let address = format!("{}{}", self.rest.shown(), list.path);
        let (of, mut kept) = (address.clone(), None);
        let mut mark = self.with_index(move |index| index.mark(&of)).await?;
        for number in 1..=PAGES {
            let joint = if list.query.is_empty() { "" } else { "&" };
            let query = format!("{}{joint}per_page=100&page={number}", list.query);
            let page = self.page((&list.path, &query), mark.take().as_deref(), permits).await?;
            if page.body.is_none() {
                pulled.unchanged += 1;
                return Ok(());
            }
            self.keep(page.body.as_ref(), &format!("{}?{query}", list.path), list.read, pulled).await?;
            if number == 1 {
                kept = page.mark;
            }
            if !page.more {
                break;
            }
            if number == PAGES {
                pulled.longer.push(list.name.to_owned());
            }
        }
        // Only now: a list that was broken off is asked for again.
        match kept {
            Some(mark) => Ok(self.with_index(move |index| index.keep_mark(&address, &mark)).await?),
            None => Ok(()),
        }
    }

    /// Asks once more where nothing came.
    async fn page(&self, at: (&str, &str), mark: Option<&str>, permits: &Permits) -> Result<RestPage, Stop> {
        match self.rest.page(at, mark, permits).await {
            Err(RestError::Server(ProviderError::Unreachable { .. } | ProviderError::Busy { .. })) => {
                Ok(self.rest.page(at, mark, permits).await?)
            }
            answer => Ok(answer?),
        }
    }

    async fn keep(
        &self,
        page: Option<&Value>,
        path: &str,
        read: fn(Host, &str, &Value) -> Vec<Fact>,
        pulled: &mut HistoryPulled,
    ) -> Result<(), Failure> {
        let Some(page) = page else { return Ok(()) };
        let facts = read(self.host, &self.repo, page);
        for fact in &facts {
            match fact {
                Fact::PullRequest(_) => pulled.pull_requests += 1,
                Fact::Run(_) => pulled.runs += 1,
                Fact::Commit(_) => pulled.commits += 1,
                Fact::Review(_) => {}
            }
        }
        let Noted { inserted, .. } = self.note(facts, path).await?;
        pulled.new += u32::try_from(inserted).unwrap_or(u32::MAX);
        Ok(())
    }

    /// Keeps what an address told.
    async fn note(&self, facts: Vec<Fact>, path: &str) -> Result<Noted, Failure> {
        let (host, address) = (self.host, format!("{}{path}", self.rest.shown()));
        self.with_index(move |index| index.note(host, &facts, &Origin::Address(&address))).await
    }

    async fn with_index<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Index) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, Failure> {
        let folder = self.folder.clone();
        blocking(move || work(&mut Index::open(&folder)?)).await?.map_err(Failure::from)
    }
}

/// Tells whether the host answered, and not with what was asked for: it may answer other questions.
fn is_refusal(failure: &Failure) -> bool {
    matches!(&*failure.code, "provider_refused" | "provider_not_understood" | "provider_too_large")
}

/// Names of repositories are words between slashes, and go into an address as they are.
fn check_name(repo: &str) -> Result<(), Failure> {
    let word = |word: &str| {
        !matches!(word, "" | "." | "..")
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    if repo.len() <= LONGEST_NAME && repo.split('/').count() >= 2 && repo.split('/').all(word) {
        Ok(())
    } else {
        let shown: String = repo.chars().take(60).collect();
        Err(Failure::new("bad_request", format!("`{shown}` is not a repository name"))
            .hint("Pass the owner and name, such as octo/site."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_lead_nowhere_else() {
        for good in ["octo/site", "group/sub.group/name_1"] {
            check_name(good).unwrap();
        }
        for wrong in [
            "",
            "site",
            "octo/",
            "../octo",
            "octo/..",
            "octo/a b",
            "octo/a?b",
            "octo/a%2Fb",
            "octo//a",
            &"a/".repeat(200),
        ] {
            check_name(wrong).unwrap_err();
        }
    }
}
