//! Where programs keep their logs: by their environment variables, else in their usual folders.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use crate::{FileFacts, Source};

/// A log that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFile {
    /// Whose it is.
    pub source: Source,
    /// Where it is.
    pub path: PathBuf,
    /// What its name tells.
    pub facts: FileFacts,
    /// Bytes of it.
    pub size: u64,
    /// When it was last written to, in nanoseconds since 1970.
    pub modified: i64,
    /// Its number on the disk; 0 where there are none.
    pub inode: u64,
}

/// What was found, and the folders that could not be looked into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The logs.
    pub files: Vec<LogFile>,
    /// Folders that could not be read, and why.
    pub unreadable: Vec<(PathBuf, String)>,
    /// These are not all logs that there are: one that is missing here is not gone.
    pub partial: bool,
}

/// The log of one session of Claude Code, by its path, and those of what it started.
pub fn of_session(log: &Path) -> Places {
    let mut found = Places { partial: true, ..Places::default() };
    let log = fs::canonicalize(log).unwrap_or_else(|_| log.to_owned());
    let session = log.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if let (Ok(metadata), Some(session)) = (fs::metadata(&log), session)
        && metadata.is_file()
    {
        let (size, modified, inode) = stamp(&metadata);
        let below = log.with_extension("");
        let root = log.parent().and_then(Path::parent).map_or_else(|| below.clone(), Path::to_owned);
        found.files.push(LogFile {
            source: Source::Claude,
            path: log,
            facts: FileFacts { session },
            size,
            modified,
            inode,
        });
        walk(Source::Claude, &root, &below, 0, &mut found);
    }
    found
}

/// Deeper folders hold no logs; a link that leads in circles ends there, too.
const DEEPEST: usize = 12;

/// Finds the logs of some programs. What is not there is no error.
pub fn find(sources: &[Source], environment: impl Fn(&str) -> Option<String>) -> Places {
    let mut found = Places::default();
    let mut seen = HashSet::new();
    for source in sources {
        for root in roots(*source, &environment) {
            let root = fs::canonicalize(&root).unwrap_or(root);
            if seen.insert((*source, root.clone())) {
                walk(*source, &root, &root, 0, &mut found);
            }
        }
    }
    // In the same order wherever it is done.
    found.files.sort_by(|one, two| one.path.cmp(&two.path));
    found
}

/// The folders of a program.
fn roots(source: Source, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let home = environment("HOME").or_else(|| environment("USERPROFILE")).map(PathBuf::from).unwrap_or_default();
    let named = |name: &str, defaults: &[&str]| -> Vec<PathBuf> {
        let listed = environment(name).unwrap_or_default();
        let listed: Vec<PathBuf> = listed
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .map(|entry| expand(entry, &home))
            .collect();
        if listed.is_empty() { defaults.iter().map(|folder| home.join(folder)).collect() } else { listed }
    };
    match source {
        Source::Claude => named("CLAUDE_CONFIG_DIR", &[".claude", ".config/claude"])
            .into_iter()
            .map(|folder| if folder.ends_with("projects") { folder } else { folder.join("projects") })
            .collect(),
        Source::Codex => named("CODEX_HOME", &[".codex"])
            .into_iter()
            .flat_map(|folder| [folder.join("sessions"), folder.join("archived_sessions")])
            .collect(),
    }
}

fn expand(path: &str, home: &Path) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(below) => home.join(below),
        None => PathBuf::from(path),
    }
}

fn walk(source: Source, root: &Path, folder: &Path, depth: usize, found: &mut Places) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => return found.unreadable.push((folder.to_owned(), error.to_string())),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < DEEPEST {
            walk(source, root, &path, depth + 1, found);
        } else if kind.is_file()
            && let Some(facts) = facts(source, path.strip_prefix(root).unwrap_or(&path))
            && let Ok(metadata) = entry.metadata()
        {
            let (size, modified, inode) = stamp(&metadata);
            found.files.push(LogFile { source, path, facts, size, modified, inode });
        }
    }
}

/// Size, time and number of a file.
pub fn stamp(metadata: &fs::Metadata) -> (u64, i64, u64) {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0;
    (metadata.len(), modified, inode)
}

/// What the name of a file tells, by its path below the program's folder; none if it is no log.
fn facts(source: Source, path: &Path) -> Option<FileFacts> {
    if path.extension().is_none_or(|ending| ending != "jsonl") {
        return None;
    }
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let session = match source {
        // `<project>/<session>.jsonl`, and what a session started is below `<project>/<session>/`.
        Source::Claude => match path.components().nth(1) {
            Some(second) if path.components().count() > 2 => second.as_os_str().to_string_lossy().into_owned(),
            _ => stem,
        },
        // `rollout-<time>-<session>.jsonl`; the first record says it again.
        Source::Codex => {
            stem.strip_prefix("rollout-").and_then(|rest| rest.get(20..)).map_or(stem.clone(), str::to_owned)
        }
    };
    Some(FileFacts { session })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_tells_its_session() {
        let session = |source, path: &str| facts(source, Path::new(path)).map(|facts| facts.session);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(session(Source::Claude, "-home-me-work/abc.jsonl"), some("abc"));
        assert_eq!(session(Source::Claude, "-home-me-work/abc/subagents/agent-1.jsonl"), some("abc"));
        assert_eq!(session(Source::Claude, "-home-me-work/abc/old.jsonl"), some("abc"));
        assert_eq!(session(Source::Claude, "-home-me-work/notes.txt"), None);
        let rollout = "2026/06/30/rollout-2026-06-30T10-00-00-0197-aa.jsonl";
        assert_eq!(session(Source::Codex, rollout), some("0197-aa"));
        assert_eq!(session(Source::Codex, "rollout-x.jsonl"), some("rollout-x"));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "makes a log")]
    fn folders_are_found_by_the_environment_and_each_once() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("elsewhere/projects/-w");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("s.jsonl"), "{}").unwrap();
        let base = home.path().display().to_string();
        let find_with = |value: String| {
            let home = base.clone();
            find(&[Source::Claude], move |name| match name {
                "HOME" => Some(home.clone()),
                "CLAUDE_CONFIG_DIR" => Some(value.clone()),
                _ => None,
            })
        };
        for value in [format!("{base}/elsewhere"), format!(" {base}/elsewhere/projects ,,{base}/elsewhere,{base}/none")]
        {
            let found = find_with(value);
            assert_eq!(found.files.len(), 1);
            assert_eq!(found.files[0].facts.session, "s");
            assert!(found.unreadable.is_empty());
        }
        assert_eq!(find_with(String::new()), Places::default());
    }
}
