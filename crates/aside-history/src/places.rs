//! Where programs keep their logs: by their environment variables, else in their usual folders.

mod agents;
mod compressed;
mod cowork;
mod editors;
mod facts;
mod open;
mod parts;
mod roots;
mod single;
pub mod skipped;
mod walk;

use std::{
    collections::HashSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use crate::{FileFacts, Source, database};
pub use compressed::{is_compressed, plain_name, twin, unpacked};
use editors::bases;
use facts::facts;
pub use open::open;
pub use parts::with_parts;
use roots::{data_home, expand, own_folder, roots};
pub use single::{aider_in, facts_of_single};
pub use skipped::Skipped;
use walk::walk;

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
    /// Files that look like logs and are not read.
    pub skipped: Vec<Skipped>,
    /// These are not all logs that there are: one that is missing here is not gone.
    pub partial: bool,
}

/// The log of one session of Claude Code, by its path, and those of what it started. What is not called as a log is, is none.
pub fn of_session(log: &Path) -> Places {
    let mut found = Places { partial: true, ..Places::default() };
    let log = fs::canonicalize(log).unwrap_or_else(|_| log.to_owned());
    let session = log.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if let (Ok(metadata), Some(session)) = (fs::metadata(&log), session)
        && metadata.is_file()
        && log.extension().is_some_and(|ending| ending == "jsonl")
    {
        let (size, modified, inode) = stamp(&metadata);
        let below = log.with_extension("");
        let root = log.parent().and_then(Path::parent).map_or_else(|| below.clone(), Path::to_owned);
        found.files.push(LogFile {
            source: Source::Claude,
            path: log,
            facts: FileFacts { session, document: false },
            size,
            modified,
            inode,
        });
        walk(Source::Claude, &root, &below, &mut found);
    }
    found
}

/// Where programs keep their logs.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Folders: what is below them may be logs.
    below: Vec<(Source, PathBuf)>,
    /// Files that programs write to all the time.
    databases: Vec<PathBuf>,
}

impl Roots {
    /// Those that an environment leads to, of all programs.
    pub fn of(environment: impl Fn(&str) -> Option<String>) -> Self {
        let of = |source: Source| roots(source, &environment).into_iter().map(move |root| (source, root));
        Self { below: Source::all().flat_map(of).collect(), databases: single::written_often(&environment) }
    }

    /// The folders of databases that there are: what is below their folders is not theirs.
    pub fn database_folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.databases.iter().filter_map(|path| path.parent()).map(real).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Tells whether there is any of the databases.
    pub fn has_databases(&self) -> bool {
        self.databases.iter().any(|path| path.exists())
    }

    /// Tells whether some of these files are a database, or what its owner keeps beside it.
    pub fn has_database(&self, paths: &[PathBuf]) -> bool {
        let is_of = |database: &PathBuf, path: &PathBuf| {
            let (Some(name), Some(of)) = (path.file_name(), database.file_name()) else { return false };
            name.to_string_lossy().starts_with(&*of.to_string_lossy())
                && path.parent().is_some_and(|folder| database.parent().is_some_and(|known| real(known) == folder))
        };
        paths.iter().any(|path| self.databases.iter().any(|database| is_of(database, path)))
    }

    /// The folders, each as the system calls it.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.below.iter().map(|(_, root)| real(root)).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Those of some files that are logs.
    pub fn logs(&self, paths: &[PathBuf]) -> Places {
        let mut found = Places { partial: true, ..Places::default() };
        for path in paths {
            found.files.extend(self.log(path));
        }
        found.files.sort_by(|one, two| one.path.cmp(&two.path));
        found.files.dedup_by(|one, two| one.path == two.path);
        found
    }

    fn log(&self, path: &Path) -> Option<LogFile> {
        // What is written to a database may be beside it for a while.
        let beside = path.to_str().and_then(|path| path.strip_suffix("-wal")).map(Path::new);
        let path = beside.filter(|database| database::is_one(database)).unwrap_or(path);
        if is_compressed(path) && Path::new(&twin(&path.to_string_lossy())).exists() {
            return None;
        }
        let known = self.below.iter().find_map(|(source, root)| {
            let below = path.strip_prefix(real(root)).ok()?;
            Some((*source, facts(*source, below)?))
        });
        let ((source, facts), metadata) = (known?, fs::metadata(path).ok()?);
        let (size, modified, inode) = log_stamp(source, path, stamp(&metadata));
        let is_repeated = source == Source::Cowork && cowork::is_repeated(path);
        (metadata.is_file() && !is_repeated).then(|| LogFile {
            source,
            path: path.to_owned(),
            facts,
            size,
            modified,
            inode,
        })
    }
}

fn real(root: &Path) -> PathBuf {
    fs::canonicalize(root).unwrap_or_else(|_| root.to_owned())
}

/// Finds the logs of some programs. What is not there is no error.
pub fn find(sources: &[Source], environment: impl Fn(&str) -> Option<String>) -> Places {
    let mut found = Places::default();
    let mut seen = HashSet::new();
    for source in sources {
        for root in roots(*source, &environment) {
            let root = match fs::canonicalize(&root) {
                // Of the places where logs could be most are not there.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                real => real.unwrap_or(root),
            };
            if seen.insert((*source, root.clone())) {
                walk(*source, &root, &root, &mut found);
            }
        }
        single::add(*source, &environment, &mut found);
    }
    if Source::all().all(|source| sources.contains(&source)) {
        found.skipped.extend(skipped::others(&environment));
        skipped::beside_databases(&environment, &mut found.skipped);
    }
    found.files.retain(|log| log.source != Source::Cowork || !cowork::is_repeated(&log.path));
    // In the same order wherever it is done; by their bytes, since they are many. Two ways may lead to one.
    found.files.sort_by(|one, two| one.path.as_os_str().cmp(two.path.as_os_str()));
    found.files.dedup_by(|one, two| one.path.as_os_str() == two.path.as_os_str());
    // While its program compresses a log, or unpacks it, there are both.
    found.files.dedup_by(|compressed, plain| {
        is_compressed(&compressed.path) && compressed.path.to_string_lossy() == twin(&plain.path.to_string_lossy())
    });
    found
}

/// Size, time and number of a log, which may have parts beside it.
pub fn log_stamp(source: Source, path: &Path, (size, modified, inode): (u64, i64, u64)) -> (u64, i64, u64) {
    if database::is_one(path) {
        return with_wal(path, (size, modified, inode));
    }
    let latest = if source == Source::Opencode { parts::latest_part(path) } else { 0 };
    (size, modified.max(latest), inode)
}

/// The same of a database: what its owner has not put into it yet is beside it.
pub fn with_wal(path: &Path, (size, modified, inode): (u64, i64, u64)) -> (u64, i64, u64) {
    let mut wal = path.to_owned().into_os_string();
    wal.push("-wal");
    let (more, later) = fs::metadata(wal).map_or((0, 0), |metadata| (metadata.len(), self::modified(&metadata)));
    (size + more, modified.max(later), inode)
}

/// Size, time and number of a file.
pub fn stamp(metadata: &fs::Metadata) -> (u64, i64, u64) {
    let modified = modified(metadata);
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0;
    (metadata.len(), modified, inode)
}

/// The same of a file that was looked at by its name in a folder.
#[allow(clippy::useless_conversion, reason = "these numbers have other types on other systems")]
fn stamp_at(stat: &rustix::fs::Stat) -> (u64, i64, u64) {
    let nanoseconds = i64::try_from(stat.st_mtime_nsec).ok();
    let since = i64::from(stat.st_mtime).checked_mul(1_000_000_000).zip(nanoseconds);
    let modified = since.and_then(|(seconds, more)| seconds.checked_add(more)).filter(|at| *at >= 0).unwrap_or(0);
    (u64::try_from(stat.st_size).unwrap_or(0), modified, u64::from(stat.st_ino))
}

/// When a file was last written to, in nanoseconds since 1970.
fn modified(metadata: &fs::Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}

/// Tells whether a folder below that of a program may hold logs.
fn holds_logs(source: Source, path: &Path) -> bool {
    source != Source::Cowork || cowork::holds_logs(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "makes logs")]
    fn logs_are_found_where_each_system_keeps_them() {
        let log = |source, path: &str, environment: &[(&str, &str)]| {
            let home = tempfile::tempdir().unwrap();
            let path = fs::canonicalize(home.path()).unwrap().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "{}").unwrap();
            let home = home.path().display().to_string();
            let of = |name: &str| {
                let named = environment.iter().find(|(one, _)| *one == name);
                named.map(|(_, value)| value.replace("HOME", &home)).or((name == "HOME").then(|| home.clone()))
            };
            let found = find(&[source], of);
            found.files.iter().map(|log| log.path.clone()).collect::<Vec<_>>() == [path]
        };
        let task = "User/globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json";
        for base in
            [".config/Code", "Library/Application Support/Code", "AppData/Roaming/Code - Insiders", ".config/VSCodium"]
        {
            assert!(log(Source::Cline, &format!("{base}/{task}"), &[]), "{base}");
        }
        for base in [".config", "Library/Application Support", "AppData/Roaming"] {
            assert!(log(Source::Cursor, &format!("{base}/Cursor/User/globalStorage/state.vscdb"), &[]), "{base}");
        }
        for base in [
            ".local/share/goose",
            ".local/share/Block/goose",
            "Library/Application Support/goose",
            "AppData/Roaming/Block/goose/data",
        ] {
            assert!(log(Source::Goose, &format!("{base}/sessions/sessions.db"), &[]), "{base}");
        }
        let usual = ".local/share/opencode/storage/message/s/m.json";
        for (path, data) in [(usual, ""), (usual, "share"), ("share/opencode/storage/message/s/m.json", "HOME/share")] {
            assert!(log(Source::Opencode, path, &[("XDG_DATA_HOME", data)]), "{data}");
        }
        for (source, path, name, data) in [
            (Source::Gemini, "g/.gemini/tmp/w/chats/session-1.jsonl", "GEMINI_CLI_HOME", "HOME/g"),
            (Source::Gemini, ".gemini/tmp/w/chats/p/c.jsonl", "GEMINI_CLI_HOME", ""),
            (Source::Copilot, "c/session-state/a/events.jsonl", "COPILOT_HOME", "HOME/c"),
            (Source::Qwen, "q/projects/w/chats/a.jsonl", "QWEN_RUNTIME_DIR", "HOME/q"),
            (Source::Qwen, "q/projects/w/chats/a.jsonl", "QWEN_HOME", "~/q"),
            (Source::Qwen, ".qwen/projects/w/chats/a.jsonl", "QWEN_RUNTIME_DIR", " "),
            (Source::Cursor, "k/projects/w/agent-transcripts/a/a.jsonl", "CURSOR_DATA_DIR", "HOME/k"),
            (Source::Cursor, "k/projects/w/agent-transcripts/a.txt", "CURSOR_CONFIG_DIR", "HOME/k"),
            (Source::Cursor, "k/User/globalStorage/state.vscdb", "CURSOR_DATA_DIR", "HOME/k"),
            (Source::Cursor, "k/Cursor/User/globalStorage/state.vscdb", "XDG_CONFIG_HOME", "HOME/k"),
            (Source::Opencode, "o/mine.db", "OPENCODE_DB", "HOME/o/mine.db"),
            (Source::Opencode, ".local/share/opencode/mine.sqlite3", "OPENCODE_DB", "mine.sqlite3"),
            (Source::Cline, "d/data/sessions/s/s.messages.json", "CLINE_DIR", "HOME/d"),
            (Source::Cline, "d/sessions/s/s.messages.json", "CLINE_DATA_DIR", "HOME/d"),
            (Source::Cline, "d/s/s.messages.json", "CLINE_SESSION_DATA_DIR", "HOME/d"),
            (Source::Cline, ".cline/data/sessions/s/s.messages.json", "CLINE_DIR", " "),
            (Source::Amp, "share/amp/threads/T-1.json", "XDG_DATA_HOME", "HOME/share"),
            (Source::Pi, "p/sessions/w/1.jsonl", "PI_CODING_AGENT_DIR", "HOME/p"),
            (Source::Claude, "cfg/claude/projects/-w/s.jsonl", "XDG_CONFIG_HOME", "HOME/cfg"),
            (Source::Codex, "x/sessions/rollout-1.jsonl", "CODEX_HOME", "HOME/x"),
            (Source::Gemini, "g/.gemini/tmp/w/chats/session-1.jsonl", "GEMINI_CLI_HOME", " ~/g "),
            (Source::Pi, "p/w/1.jsonl", "PI_CODING_AGENT_SESSION_DIR", "~/p"),
            (Source::Droid, "d/.factory/sessions/-w/d1.jsonl", "FACTORY_HOME_OVERRIDE", "HOME/d"),
            (Source::Droid, "d/-w/d1.jsonl", "DROID_SESSIONS_DIR", "~/d"),
            (Source::Openclaw, "o/agents/main/sessions/a.jsonl", "CLAWDBOT_STATE_DIR", "~/o"),
            (Source::Openclaw, "o/.openclaw/agents/main/sessions/a.jsonl", "OPENCLAW_HOME", "HOME/o"),
            (Source::Codebuff, "x/manicode/projects/p/chats/c/chat-messages.json", "XDG_CONFIG_HOME", "HOME/x"),
            (Source::Cowork, "c/o/a/local_1/audit.jsonl", "COWORK_SESSIONS_DIR", "HOME/none, ~/c"),
            (Source::Goose, "g/data/sessions/sessions.db", "GOOSE_PATH_ROOT", "~/g"),
            (Source::Kilo, "k/kilo-dev.db", "KILO_DATA_DIR", "~/k"),
            (Source::Kilo, "k/mine.db", "KILO_DB", "HOME/k/mine.db"),
            (
                Source::Kilo,
                ".vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/1/ui_messages.json",
                "",
                "",
            ),
            (Source::Cline, &format!("x/Trae/{task}"), "APPDATA", "HOME/x"),
            (Source::Cline, &format!("x/user-data/{task}"), "VSCODE_PORTABLE", "~/x"),
        ] {
            assert!(log(source, path, &[(name, data)]), "{name} {data}");
        }
        for (path, data) in [("x/kilo.db", "HOME/x"), (".local/share/kilo/kilo.db", "")] {
            assert!(log(Source::Kilo, path, &[("KILO_DATA_DIR", data)]), "{data}");
        }
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
