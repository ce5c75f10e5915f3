//! What a command gets in its environment: a list of names that are let through, never what happens to be there.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
};

/// Names that say where things are or how to write, and never hold a secret.
const LET_THROUGH: &[&str] = &[
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "USER",
    "LOGNAME",
    "JAVA_HOME",
    "GOROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "TEXMFHOME",
    "SOURCE_DATE_EPOCH",
];

/// Where programs are, if nobody says.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// Returns names and values; `temporary` is the private folder of one command.
pub(crate) fn environment(temporary: &Path) -> BTreeMap<String, String> {
    let mut environment = let_through();
    let mut set = |name: &str, value: &str| environment.insert(name.to_owned(), value.to_owned());
    set("HOME", &temporary.join("home").display().to_string());
    set("TMPDIR", &temporary.join("tmp").display().to_string());
    set("SHELL", "/bin/sh");
    // Nobody sits at a terminal: no colours, no pager, no question.
    for (name, value) in
        [("TERM", "dumb"), ("NO_COLOR", "1"), ("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0")]
    {
        set(name, value);
    }
    if let Some(rustup) = rustup_home().filter(|rustup| rustup.is_dir()) {
        set("RUSTUP_HOME", &rustup.display().to_string());
    }
    environment
}

/// Where things are and how to write, with the folders that are searched for programs.
pub(crate) fn let_through() -> BTreeMap<String, String> {
    let named = LET_THROUGH.iter().filter_map(|name| Some(((*name).to_owned(), env::var(name).ok()?)));
    named.chain([("PATH".to_owned(), path(env::var("PATH").ok()))]).collect()
}

/// Without relative folders, in which a workspace could put a program of a well-known name.
fn path(path: Option<String>) -> String {
    let path = path.unwrap_or_default();
    let absolute: Vec<&str> = path.split(':').filter(|folder| folder.starts_with('/')).collect();
    if absolute.is_empty() { PATH.to_owned() } else { absolute.join(":") }
}

/// Where rustup keeps the toolchains that its programs lead to.
pub(super) fn rustup_home() -> Option<PathBuf> {
    env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".rustup")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_through_that_is_not_on_the_list() {
        let names: Vec<String> = environment(Path::new("/t")).into_keys().collect();
        assert!(names.iter().all(|name| {
            LET_THROUGH.contains(&name.as_str())
                || ["PATH", "HOME", "TMPDIR", "SHELL", "TERM", "NO_COLOR", "PAGER", "GIT_PAGER", "RUSTUP_HOME"]
                    .contains(&name.as_str())
                || name == "GIT_TERMINAL_PROMPT"
        }));
        assert_eq!(environment(Path::new("/t"))["HOME"], "/t/home");
    }

    #[test]
    fn relative_folders_are_not_searched_for_programs() {
        assert_eq!(path(Some(".:/usr/bin::node_modules/.bin:/bin".to_owned())), "/usr/bin:/bin");
        assert_eq!(path(Some("bin".to_owned())), PATH);
        assert_eq!(path(None), PATH);
    }
}
