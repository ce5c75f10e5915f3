//! Logs of a program that are single files: databases, and Aider's in each repository.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use aside_store::DataFolder;

use super::{LogFile, Places, bases, data_home, expand, open::NO_FILE, own_folder, roots, stamp, with_wal};
use crate::{FileFacts, Source, database, reader::claude};

/// Databases whose folders can be watched. Aside's own are written to with every key.
pub fn written_often(environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    Source::all().flat_map(|source| databases(source, environment)).collect()
}

/// The databases of a program, but for Aside's own.
pub fn databases(source: Source, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let all = if source == Source::Aside { Vec::new() } else { paths(source, environment) };
    all.into_iter().filter(|path| database::is_one(path)).collect()
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
    let own_folder = |name: &str| own_folder(name, &home, environment);
    match source {
        Source::Claude => {
            roots(source, environment).iter().map(|folder| folder.with_file_name(claude::prompts::FILE)).collect()
        }
        Source::Cursor => {
            let named = own_folder("CURSOR_DATA_DIR").map(|folder| folder.join("User/globalStorage/state.vscdb"));
            let usual: Vec<PathBuf> = below(bases(&home, environment), "Cursor/User/globalStorage/state.vscdb");
            named.into_iter().chain(usual).collect()
        }
        Source::Opencode => {
            let folders = match environment("OPENCODE_DATA_DIR").filter(|list| !list.is_empty()) {
                Some(list) => list.split(',').map(|entry| expand(entry.trim(), &home)).collect(),
                None => vec![data.join("opencode")],
            };
            channels(&folders, "opencode", own_folder("OPENCODE_DB").map(|path| data.join("opencode").join(path)))
        }
        Source::Kilo => {
            let usual = data.join("kilo");
            let folder = own_folder("KILO_DATA_DIR").unwrap_or_else(|| usual.clone());
            channels(&[folder], "kilo", own_folder("KILO_DB").map(|path| usual.join(path)))
        }
        Source::Goose => match own_folder("GOOSE_PATH_ROOT") {
            Some(root) => vec![root.join("data/sessions/sessions.db")],
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
        Source::Copilot => own_folder("COPILOT_OTEL_FILE_EXPORTER_PATH").into_iter().collect(),
        Source::Aider => own_folder("AIDER_CHAT_HISTORY_FILE").into_iter().chain([home.join(AIDER)]).collect(),
        Source::Aside => own_workspaces(environment).into_iter().map(|folder| folder.join("aside.db")).collect(),
        _ => Vec::new(),
    }
}

/// The databases of opencode, or of a program that is made from it: one for each channel of its versions, and the one that a variable names. A
/// relative one was joined to the program's folder.
fn channels(folders: &[PathBuf], program: &str, chosen: Option<PathBuf>) -> Vec<PathBuf> {
    let usual =
        folders.iter().flat_map(|folder| named(folder, |name| name.starts_with(program) && name.ends_with(".db")));
    let mut all: Vec<PathBuf> = usual.chain(chosen.filter(|path| !path.ends_with(":memory:"))).collect();
    all.sort();
    all.dedup();
    all
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
