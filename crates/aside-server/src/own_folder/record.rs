//! The person's own record of the `.aside` folders that were made here, or that the person took as theirs.
//!
//! Each folder has an id made by chance in its file `id`. The person's data folder has `workspaces/ID.json`, which
//! says what the folder is: when it was made, which no program can set; on a disk that keeps no such time, its number
//! there. So a folder that is moved on its disk stays known, and a copy, whatever is in it, is not.

use std::{
    fs::{Metadata, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::Path,
    time::UNIX_EPOCH,
};

use aside_store::{DataFolder, TextFile};
use serde::{Deserialize, Serialize};

use super::files::Files;

/// The file in `.aside` that has its id. Others whose names begin so are left over from writing it.
pub(super) const ID: &str = "id";

/// Bytes of a record; paths are at most 4096, written with escapes.
const LONGEST: u64 = 32 << 10;

/// 128 bits in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FolderId(String);

/// One record.
#[derive(Debug, Serialize, Deserialize)]
struct Made {
    /// Where the folder was, for people.
    folder: String,
    is: Identity,
    /// What was in it when a server last looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    files: Option<Files>,
}

/// What makes a folder this one and no copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Identity {
    /// When it was made, in seconds and nanoseconds since 1970.
    Born(u64, u32),
    /// Its number on its disk.
    Inode(u64),
}

/// Tells whether this very folder is on record. `found` is what the system says of it.
pub(super) fn is_known(data: &DataFolder, folder: &Path, found: &Metadata) -> io::Result<bool> {
    Ok(of(data, folder)?.is_some_and(|(_, made)| made.is == Identity::of(found)))
}

/// Returns what is on record of the files in a folder.
pub(super) fn files(data: &DataFolder, folder: &Path) -> io::Result<Option<Files>> {
    Ok(of(data, folder)?.and_then(|(_, made)| made.files))
}

/// Puts on record what is in a folder that is.
pub(super) fn note(data: &DataFolder, folder: &Path, files: Files) -> io::Result<()> {
    let Some((id, made)) = of(data, folder)? else { return Ok(()) };
    let text = serde_json::to_string(&Made { files: Some(files), ..made })?;
    file(data, &id).change(|_| Ok::<_, io::Error>(text))
}

fn of(data: &DataFolder, folder: &Path) -> io::Result<Option<(FolderId, Made)>> {
    let Some(id) = FolderId::of(folder)? else { return Ok(None) };
    let Some(text) = file(data, &id).read()? else { return Ok(None) };
    let made = serde_json::from_str(&text)
        .map_err(|error| io::Error::other(format!("{} is damaged: {error}", file(data, &id).path().display())))?;
    Ok(Some((id, made)))
}

/// Puts the folder on record, under a new id. The record is there first: a crash leaves a folder that is not known.
pub(super) fn put(data: &DataFolder, folder: &Path, found: &Metadata) -> io::Result<()> {
    let id = FolderId::random()?;
    let made = Made { folder: folder.display().to_string(), is: Identity::of(found), files: None };
    let text = serde_json::to_string(&made)?;
    file(data, &id).change(|_| Ok::<_, io::Error>(text))?;
    id.write(folder)
}

fn file(data: &DataFolder, id: &FolderId) -> TextFile {
    data.file(&format!("workspaces/{}.json", id.0), LONGEST)
}

impl FolderId {
    fn random() -> io::Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Reads the id in a folder; none if what is there is no id, as it becomes part of a path.
    fn of(folder: &Path) -> io::Result<Option<Self>> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let text = match TextFile::new(folder.join(ID), 64).read() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
            text => text.ok().flatten().unwrap_or_default(),
        };
        let text = text.trim_end();
        Ok((text.len() == 32 && text.bytes().all(hex)).then(|| Self(text.to_owned())))
    }

    /// Written aside and renamed, so that a second server that starts now reads all of it or another one.
    #[expect(clippy::disallowed_methods, reason = "the folder is the server's own, not a document")]
    fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join(format!("{ID}-{}", self.0));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        writeln!(file, "{}", self.0)?;
        file.sync_all()?;
        std::fs::rename(new, folder.join(ID))
    }
}

impl Identity {
    pub(super) fn of(found: &Metadata) -> Self {
        let born = found.created().ok().and_then(|born| born.duration_since(UNIX_EPOCH).ok());
        match born.filter(|born| !born.is_zero()) {
            Some(born) => Self::Born(born.as_secs(), born.subsec_nanos()),
            None => Self::Inode(found.ino()),
        }
    }
}
