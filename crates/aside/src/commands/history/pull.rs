//! `aside history pull`: what became of pull requests and runs is asked for at the host of a repository.
#![expect(clippy::disallowed_methods, reason = "reads which repository the folder is a clone of")]

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use aside_core::{Failure, harmless};
use aside_protocol::{HistoryPull, HistoryPulled, HistoryRefused};

use crate::{arguments::Where, client::Client, ended::Ended, output::Output, workspace};

/// Asks, for the named repository or the one that the folder is a clone of.
pub async fn pull(asked: HistoryPull, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let clone = clone(&workspace::find(place)?);
    let asked = complete(asked, clone)?;
    let client = workspace::open(place).await?;
    let pulled = ask(&client, asked, output).await;
    client.finish().await;
    let pulled = pulled?;
    output.result(&pulled, || words(&pulled));
    Ok(Ended::Done)
}

/// Names what is not named by what the folder is a clone of.
fn complete(asked: HistoryPull, clone: Option<(PathBuf, String, String)>) -> anyhow::Result<HistoryPull> {
    let is_named = !asked.repo.is_empty();
    match clone {
        Some((folder, host, repo)) if !is_named || repo == asked.repo => {
            let host = asked.host.or_else(|| (host != "github.com" && !is_named).then_some(host));
            Ok(HistoryPull { repo, host, clone: Some(folder.display().to_string()), ..asked })
        }
        None if !is_named => {
            Err(Failure::new("bad_request", "this folder is no clone of a repository that has an `origin`")
                .hint("Name the repository with --repo owner/name.")
                .into())
        }
        _ => Ok(asked),
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
        return Err(failure.hint("Say --allow to let this host be asked about repositories, from now on.").into());
    }
    Err(error)
}

fn says_yes(asked: &HistoryPull) -> bool {
    let host = asked.host.as_deref().unwrap_or("github.com");
    eprint!("Ask {host} about {}, with your token if there is one, now and later? [y/N] ", asked.repo);
    let _ = io::stderr().flush();
    let mut line = String::new();
    io::stdin().read_line(&mut line).is_ok() && matches!(line.trim(), "y" | "Y" | "yes")
}

/// The root of the clone that a folder is in, the host of its `origin` and the repository there.
fn clone(folder: &Path) -> Option<(PathBuf, String, String)> {
    let root = folder.ancestors().find(|folder| folder.join(".git/config").is_file())?;
    let text = fs::read_to_string(root.join(".git/config")).ok()?;
    let (host, repo) = origin(&text)?;
    Some((root.to_owned(), host, repo))
}

/// The host and the repository of `origin`, by the text of git's own settings.
fn origin(text: &str) -> Option<(String, String)> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "[remote \"origin\"]").skip(1);
    let url = lines.by_ref().take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "url").then(|| value.trim().to_owned())
    })?;
    let (host, path) = host_and_path(&url)?;
    let repo = path.trim_matches('/').trim_end_matches(".git");
    (repo.contains('/') && host.contains('.')).then(|| (host.to_ascii_lowercase(), repo.to_owned()))
}

/// The two parts of `scheme://user@host:port/path`, or of `user@host:path`, in which no port can stand: a number there is the owner's name.
fn host_and_path(url: &str) -> Option<(&str, &str)> {
    let (who, path) = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None => url.split_once(':').filter(|(who, _)| !who.contains('/'))?,
    };
    let host = who.rsplit_once('@').map_or(who, |(_, host)| host);
    Some((host.split(':').next().unwrap_or(host), path))
}

fn words(pulled: &HistoryPulled) -> String {
    let HistoryPulled { repo, host, pull_requests, runs, commits, new, unchanged, refused, longer, stopped } = pulled;
    let mut text = format!(
        "{repo} at {host}: {pull_requests} pull requests, {runs} runs and {commits} commits, {new} of them new"
    );
    if *unchanged > 0 {
        text += &format!("\nnothing had changed in {unchanged} lists since the last time");
    }
    for HistoryRefused { list, reason } in refused {
        text += &format!("\nno {list} were told: {}", harmless(reason));
    }
    if !longer.is_empty() {
        text += &format!("\nthere are older {}, which were not asked for", longer.join(" and "));
    }
    if let Some(stopped) = stopped {
        text += &format!("\n{stopped}; what came is kept");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_of_a_clone_is_told_however_its_address_is_written() {
        for url in [
            "https://github.com/octo/site.git",
            "https://ada:canary@github.com/octo/site",
            "git@github.com:octo/site.git",
            "ssh://git@github.com:22/octo/site.git/",
        ] {
            let text = format!(
                "[core]\n\tbare = false\n[remote \"up\"]\n\turl = x\n[remote \"origin\"]\n\turl = {url}\n[branch]\n"
            );
            assert_eq!(origin(&text), Some(("github.com".to_owned(), "octo/site".to_owned())), "{url}");
        }
        for url in [
            "https://github.com/3b1b/manim.git",
            "git@github.com:3b1b/manim.git",
            "github.com:3b1b/manim",
            "ssh://git@github.com:22/3b1b/manim.git",
        ] {
            let text = format!("[remote \"origin\"]\nurl = {url}\n");
            assert_eq!(origin(&text), Some(("github.com".to_owned(), "3b1b/manim".to_owned())), "{url}");
        }
        for url in ["/srv/git/site.git", "../site", "file:///srv/site"] {
            assert_eq!(origin(&format!("[remote \"origin\"]\nurl = {url}\n")), None, "{url}");
        }
    }

    #[test]
    fn what_is_named_goes_before_what_the_folder_is() {
        let clone = || Some((PathBuf::from("/w"), "gitlab.com".to_owned(), "octo/site".to_owned()));
        let asked = |repo: &str| HistoryPull { repo: repo.to_owned(), ..HistoryPull::default() };
        let here = complete(asked(""), clone()).unwrap();
        assert_eq!(
            (&*here.repo, here.host.as_deref(), here.clone.as_deref()),
            ("octo/site", Some("gitlab.com"), Some("/w"))
        );
        let other = complete(asked("octo/other"), clone()).unwrap();
        assert_eq!((&*other.repo, other.host, other.clone), ("octo/other", None, None));
        complete(asked(""), None).unwrap_err();
    }
}
