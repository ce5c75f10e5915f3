//! Which repository a folder is a clone of, by git's own settings.
#![expect(clippy::disallowed_methods, reason = "reads which repository the folder is a clone of")]

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use aside_protocol::HistoryClone;

/// Bytes of git's settings that are looked at.
const LONGEST: u64 = 1 << 20;

/// A folder that is a clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cloned {
    /// Its root.
    pub root: PathBuf,
    /// What it is a clone of.
    pub of: HistoryClone,
}

/// The clone that a folder is in, if its `origin` is at a host.
pub fn clone_in(folder: &Path) -> Option<Cloned> {
    let root = folder.ancestors().find(|folder| folder.join(".git/config").is_file())?;
    let mut text = String::new();
    File::open(root.join(".git/config")).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(Cloned { root: root.to_owned(), of: origin(&text)? })
}

/// The host and the repository of `origin`, by the text of git's own settings.
fn origin(text: &str) -> Option<HistoryClone> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "[remote \"origin\"]").skip(1);
    let url = lines.by_ref().take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "url").then(|| value.trim().to_owned())
    })?;
    let (host, path) = host_and_path(&url)?;
    let repo = path.trim_matches('/').trim_end_matches(".git");
    (repo.contains('/') && host.contains('.'))
        .then(|| HistoryClone { repo: repo.to_owned(), host: host.to_ascii_lowercase() })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn clone(repo: &str) -> Option<HistoryClone> {
        Some(HistoryClone { repo: repo.to_owned(), host: "github.com".to_owned() })
    }

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
            assert_eq!(origin(&text), clone("octo/site"), "{url}");
        }
        for url in [
            "https://github.com/3b1b/manim.git",
            "git@github.com:3b1b/manim.git",
            "github.com:3b1b/manim",
            "ssh://git@github.com:22/3b1b/manim.git",
        ] {
            let text = format!("[remote \"origin\"]\nurl = {url}\n");
            assert_eq!(origin(&text), clone("3b1b/manim"), "{url}");
        }
        for url in ["/srv/git/site.git", "../site", "file:///srv/site"] {
            assert_eq!(origin(&format!("[remote \"origin\"]\nurl = {url}\n")), None, "{url}");
        }
    }
}
