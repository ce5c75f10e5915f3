//! `aside history pull`: what became of pull requests and runs is asked for at the host of a repository.

use std::io::{self, IsTerminal as _, Write as _};

use aside_core::{Failure, harmless};
use aside_protocol::{HistoryClone, HistoryPull, HistoryPulled, HistoryRefused};

use crate::{arguments::Where, client::Client, ended::Ended, output::Output, workspace};

/// Asks, for the named repository or the one that the folder is a clone of.
pub async fn pull(asked: HistoryPull, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let asked = complete(asked, aside_server::clone_in(&workspace::find(place)?).map(|clone| clone.of))?;
    let client = workspace::open(place).await?;
    let pulled = ask(&client, asked, output).await;
    client.finish().await;
    let pulled = pulled?;
    output.result(&pulled, || words(&pulled));
    Ok(Ended::Done)
}

/// Names what is not named by what the folder is a clone of.
fn complete(asked: HistoryPull, clone: Option<HistoryClone>) -> anyhow::Result<HistoryPull> {
    match clone {
        _ if !asked.repo.is_empty() => Ok(asked),
        Some(HistoryClone { repo, host }) => Ok(HistoryPull { repo, host: asked.host.or(Some(host)), ..asked }),
        None => Err(Failure::new("bad_request", "this folder is not a clone of a repository with an `origin`")
            .hint("Pass the repository with --repo owner/name.")
            .into()),
    }
}

async fn ask(client: &Client, asked: HistoryPull, output: &Output) -> anyhow::Result<HistoryPulled> {
    let error = match client.post("history/pull", &asked).await {
        Ok(pulled) => return Ok(pulled),
        Err(error) => error,
    };
    let needs = error.downcast_ref::<Failure>().is_some_and(|failure| failure.code == "needs_consent");
    if needs && !output.json && io::stdin().is_terminal() && says_yes(&asked) {
        return client.post("history/pull", &HistoryPull { allow: true, ..asked }).await;
    }
    if needs {
        let failure = Failure::new("needs_consent", error.to_string());
        return Err(failure.hint("Pass --allow to allow requests to this host, now and later.").into());
    }
    Err(error)
}

fn says_yes(asked: &HistoryPull) -> bool {
    let host = asked.host.as_deref().unwrap_or("github.com");
    eprint!("Allow requests to {host} about {}, with your token if you have one, now and later? [y/N] ", asked.repo);
    let _ = io::stderr().flush();
    let mut line = String::new();
    io::stdin().read_line(&mut line).is_ok() && matches!(line.trim(), "y" | "Y" | "yes")
}

fn words(pulled: &HistoryPulled) -> String {
    let HistoryPulled { repo, host, pull_requests, runs, commits, new, unchanged, refused, longer, stopped } = pulled;
    let mut text = format!(
        "{repo} at {host}: {pull_requests} pull requests, {runs} runs and {commits} commits, {new} of them new"
    );
    if *unchanged > 0 {
        text += &format!("\n{unchanged} lists are unchanged since the last time");
    }
    for HistoryRefused { list, reason } in refused {
        text += &format!("\nno {list}: {}", harmless(reason));
    }
    if !longer.is_empty() {
        text += &format!("\nolder {} were not fetched", longer.join(" and "));
    }
    if let Some(stopped) = stopped {
        text += &format!("\n{stopped}; the data received so far is stored");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_goes_before_what_the_folder_is() {
        let clone = || Some(HistoryClone { repo: "octo/site".to_owned(), host: "gitlab.com".to_owned() });
        let asked = |repo: &str| HistoryPull { repo: repo.to_owned(), ..HistoryPull::default() };
        let here = complete(asked(""), clone()).unwrap();
        assert_eq!((&*here.repo, here.host.as_deref()), ("octo/site", Some("gitlab.com")));
        let other = complete(asked("octo/other"), clone()).unwrap();
        assert_eq!((&*other.repo, other.host), ("octo/other", None));
        complete(asked(""), None).unwrap_err();
    }
}
