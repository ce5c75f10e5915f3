//! What opencode kept before it had a database: a file for each message, one for each of its parts, and one for the session.
//!
//! ```text
//! storage/message/<session>/<message>.json      what it took
//! storage/part/<message>/<part>.json            what was said and done in it
//! storage/session/<project>/<session>.json      where, and what it is called
//! ```

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{modified, open};

/// Bytes of a part, and of what is said of a session.
const LONGEST: u64 = 16 << 20;
/// Parts of a message.
const MOST: usize = 10_000;

/// A message as one value, with its parts in their order and its session; the bytes as they are if they can't be read.
pub fn with_parts(log: &Path, bytes: Vec<u8>) -> Vec<u8> {
    let whole = || {
        let message: Value = serde_json::from_slice(&bytes).ok()?;
        let folder = log.parent()?;
        let storage = folder.parent()?.parent()?;
        let mut names: Vec<_> = fs::read_dir(parts_of(log)?).into_iter().flatten().flatten().collect();
        names.sort_by_key(fs::DirEntry::file_name);
        let parts: Vec<Value> = names.iter().take(MOST).filter_map(|part| read(&part.path())).collect();
        let projects = fs::read_dir(storage.join("session")).into_iter().flatten().flatten();
        let name = format!("{}.json", folder.file_name()?.to_str()?);
        let session = projects.into_iter().find_map(|project| read(&project.path().join(&name)));
        serde_json::to_vec(&json!({ "message": message, "parts": parts, "session": session })).ok()
    };
    whole().unwrap_or(bytes)
}

/// When the latest of a message's parts was written, in nanoseconds since 1970: a part may come, change or go after its message
/// was written. 0 if it has none.
pub fn latest_part(log: &Path) -> i64 {
    let Some(folder) = parts_of(log) else { return 0 };
    let at = |metadata: std::io::Result<fs::Metadata>| metadata.map_or(0, |metadata| modified(&metadata));
    let parts = fs::read_dir(&folder).into_iter().flatten().flatten().take(MOST).map(|part| at(part.metadata()));
    // One that went changes its folder only.
    parts.max().unwrap_or(0).max(at(fs::metadata(&folder)))
}

fn parts_of(log: &Path) -> Option<PathBuf> {
    let storage = log.parent()?.parent()?.parent()?;
    Some(storage.join("part").join(log.file_stem()?))
}

fn read(path: &Path) -> Option<Value> {
    let mut bytes = Vec::new();
    open(path).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
