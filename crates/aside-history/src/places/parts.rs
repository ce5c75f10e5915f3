//! What opencode kept before it had a database: a file for each message, one for each of its parts, and one for the session.
//!
//! ```text
//! storage/message/<session>/<message>.json      what it took
//! storage/part/<message>/<part>.json            what was said and done in it
//! storage/session/<project>/<session>.json      where, and what it is called
//! ```
#![expect(clippy::disallowed_methods, reason = "reads the logs of other programs")]

use std::{
    fs::{self, File},
    io::Read as _,
    path::Path,
};

use serde_json::{Value, json};

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
        let mut names: Vec<_> =
            fs::read_dir(storage.join("part").join(log.file_stem()?)).into_iter().flatten().flatten().collect();
        names.sort_by_key(fs::DirEntry::file_name);
        let parts: Vec<Value> = names.iter().take(MOST).filter_map(|part| read(&part.path())).collect();
        let projects = fs::read_dir(storage.join("session")).into_iter().flatten().flatten();
        let name = format!("{}.json", folder.file_name()?.to_str()?);
        let session = projects.into_iter().find_map(|project| read(&project.path().join(&name)));
        serde_json::to_vec(&json!({ "message": message, "parts": parts, "session": session })).ok()
    };
    whole().unwrap_or(bytes)
}

fn read(path: &Path) -> Option<Value> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
