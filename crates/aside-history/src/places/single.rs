//! Logs of a program that are single files: databases, and Aider's in each repository.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use aside_store::DataFolder;

use super::{EDITOR_BASES, LogFile, Places, config_home, data_home, expand, open::NO_FILE, roots, stamp, with_wal};
use crate::{FileFacts, Source, database, reader::claude};

/// Databases whose folders can be watched. Aside's own are written to with every key.
pub fn written_often(environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let watched = Source::all().filter(|source| *source != Source::Aside);
    watched.flat_map(|source| paths(source, environment)).filter(|path| database::is_one(path)).collect()
}

/// Adds the logs of a program that are single files, and not all that is below some folder.
pub fn add(source: Source, environment: &impl Fn(&str) -> Option<String>, found: &mut Places) {
    for path in paths(source, environment) {
        match single(source, &path) {
            Ok(log) => found.files.push(log),
            // Of the places where a log could be most are not there.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => found.unreadable.push((path, error.to_string())),
        }
    }
}

/// Where they would be.
fn paths(source: Source, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let home = environment("HOME").or_else(|| environment("USERPROFILE")).map(PathBuf::from).unwrap_or_default();
    let data = data_home(&home, environment);
    let below = |folders: Vec<PathBuf>, name: &str| folders.into_iter().map(|folder| folder.join(name)).collect();
    match source {
        Source::Claude => {
            roots(source, environment).iter().map(|folder| folder.with_file_name(claude::prompts::FILE)).collect()
        }
        Source::Cursor => {
            let named = environment("CURSOR_DATA_DIR").filter(|path| !path.trim().is_empty());
            let named = named.map(|path| expand(path.trim(), &home).join("User/globalStorage/state.vscdb"));
            let bases = EDITOR_BASES.iter().map(|base| home.join(base)).chain([config_home(&home, environment)]);
            let bases: BTreeSet<PathBuf> = bases.collect();
            let usual: Vec<PathBuf> = below(bases.into_iter().collect(), "Cursor/User/globalStorage/state.vscdb");
            named.into_iter().chain(usual).collect()
        }
        Source::Opencode => {
            let folders = match environment("OPENCODE_DATA_DIR").filter(|list| !list.is_empty()) {
                Some(list) => list.split(',').map(|entry| expand(entry.trim(), &home)).collect(),
                None => vec![data.join("opencode")],
            };
            let usual = folders
                .iter()
                .flat_map(|folder| named(folder, |name| name.starts_with("opencode") && name.ends_with(".db")));
            let named = environment("OPENCODE_DB").filter(|path| !path.trim().is_empty() && path != ":memory:");
            // A relative one lies in opencode's folder.
            let named = named.map(|path| data.join("opencode").join(expand(path.trim(), &home)));
            let mut all: Vec<PathBuf> = usual.chain(named).collect();
            all.sort();
            all.dedup();
            all
        }
        Source::Kilo => {
            let named = environment("KILO_DATA_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
            vec![named.unwrap_or_else(|| data.join("kilo")).join("kilo.db")]
        }
        Source::Goose => match environment("GOOSE_PATH_ROOT").filter(|root| !root.is_empty()) {
            Some(root) => vec![PathBuf::from(root).join("data/sessions/sessions.db")],
            None => below(
                vec![
                    data.join("goose"),
                    data.join("Block/goose"),
                    home.join("Library/Application Support/goose"),
                    home.join("AppData/Roaming/Block/goose/data"),
                ],
                "sessions/sessions.db",
            ),
        },
        Source::Hermes => {
            let folders = match environment("HERMES_HOME").filter(|list| !list.trim().is_empty()) {
                Some(list) => list.split(',').map(|entry| expand(entry.trim(), &home)).collect(),
                None => vec![home.join(".hermes")],
            };
            let profiles = |folder: &PathBuf| named(&folder.join("profiles"), |_| true);
            let all = folders.iter().flat_map(|folder| [vec![folder.clone()], profiles(folder)].concat());
            all.map(|folder| folder.join("state.db")).collect()
        }
        Source::Grok => below(vec![home.join(".grok")], "grok.db"),
        Source::Copilot => {
            let named = environment("COPILOT_OTEL_FILE_EXPORTER_PATH").filter(|path| !path.trim().is_empty());
            named.map(|path| expand(path.trim(), &home)).into_iter().collect()
        }
        Source::Aider => {
            let named = environment("AIDER_CHAT_HISTORY_FILE").filter(|path| !path.is_empty()).map(PathBuf::from);
            named.into_iter().chain([home.join(AIDER)]).collect()
        }
        Source::Aside => own_workspaces(environment).into_iter().map(|folder| folder.join("aside.db")).collect(),
        _ => Vec::new(),
    }
}

/// The name of Aider's log in a repository.
const AIDER: &str = ".aider.chat.history.md";

/// Aider's logs in some folders.
pub fn aider_in(folders: impl Iterator<Item = String>) -> Vec<LogFile> {
    folders.filter_map(|folder| single(Source::Aider, &Path::new(&folder).join(AIDER)).ok()).collect()
}

fn single(source: Source, path: &Path) -> io::Result<LogFile> {
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    if !metadata.is_file() {
        return Err(io::Error::other(NO_FILE));
    }
    let stamp = stamp(&metadata);
    let (size, modified, inode) = if database::is_one(&path) { with_wal(&path, stamp) } else { stamp };
    let mut facts = facts_of_single(&path);
    facts.document = source != Source::Claude;
    Ok(LogFile { source, path, facts, size, modified, inode })
}

/// What the place of such a log tells: Aider's file has no other name than its folder's.
pub fn facts_of_single(path: &Path) -> FileFacts {
    let session = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    FileFacts { session, document: true }
}

/// The `.aside` folders of workspaces that are on record in the person's own folder.
#[expect(clippy::disallowed_methods, reason = "reads which workspaces the person has")]
fn own_workspaces(environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let Some(own) = DataFolder::from_environment(environment) else { return Vec::new() };
    let folder = |record: &PathBuf| {
        let text = fs::read_to_string(record).ok()?;
        let record: serde_json::Value = serde_json::from_str(&text).ok()?;
        Some(PathBuf::from(record.get("folder")?.as_str()?))
    };
    named(&own.path().join("workspaces"), |name| name.ends_with(".json")).iter().filter_map(folder).collect()
}

/// The files of a folder whose names fit.
fn named(folder: &Path, fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.filter(|entry| fits(&entry.file_name().to_string_lossy())).map(|entry| entry.path()).collect();
    found.sort();
    found
}
