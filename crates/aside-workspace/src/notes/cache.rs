//! The parsed notes in a file of Aside's own folder, so that a start reads only the files that have changed. It can be
//! deleted at any time: it is written again.
#![expect(clippy::disallowed_methods, reason = "Aside's own folder, which no path of a workspace leads to")]

use std::{
    fs, io,
    io::Write as _,
    num::NonZero,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use aside_core::WorkspacePath;
use aside_notes::Note;
use serde::{Deserialize, Serialize};

use crate::PRIVATE_FOLDER;

/// Changes with the form of a parsed note, or with the rules of parsing.
const MAGIC: &[u8; 16] = b"aside notes 0001";
/// Notes that are decoded together.
const PIECE: usize = 512;

/// The state of a file when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileStamp {
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i128,
}

/// A note with the state of its file.
pub(crate) type Cached = (FileStamp, Arc<Note>);

fn place(workspace: &Path) -> PathBuf {
    workspace.join(PRIVATE_FOLDER).join("notes")
}

/// Reads the notes of the last time; none if there is no whole file of this version.
pub(crate) fn load(workspace: &Path) -> Option<Vec<Cached>> {
    let bytes = fs::read(place(workspace)).ok()?;
    let rest = bytes.strip_prefix(MAGIC)?;
    let (sum, content) = rest.split_first_chunk::<4>()?;
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return None;
    }
    let mut pieces = Vec::new();
    let mut left = content;
    while let Some((length, behind)) = left.split_first_chunk::<4>() {
        let (piece, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        pieces.push(piece);
        left = behind;
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(8);
    let decoded: Option<Vec<Vec<Cached>>> = thread::scope(|scope| {
        let share = pieces.len().div_ceil(threads).max(1);
        let decode = |pieces: &[&[u8]]| -> Option<Vec<Cached>> {
            let mut all = Vec::new();
            for piece in pieces {
                let notes: Vec<(FileStamp, Note)> = postcard::from_bytes(piece).ok()?;
                all.extend(notes.into_iter().map(|(stamp, note)| (stamp, Arc::new(note))));
            }
            Some(all)
        };
        let workers: Vec<_> = pieces.chunks(share).map(|pieces| scope.spawn(move || decode(pieces))).collect();
        workers.into_iter().map(|worker| worker.join().ok()?).collect()
    });
    Some(decoded?.into_iter().flatten().collect())
}

/// Writes the notes whole, or leaves the old file.
pub(crate) fn save(workspace: &Path, notes: &[(WorkspacePath, Cached)]) -> io::Result<()> {
    let mut content = Vec::new();
    for piece in notes.chunks(PIECE) {
        let piece: Vec<(FileStamp, &Note)> = piece.iter().map(|(_, (stamp, note))| (*stamp, &**note)).collect();
        let bytes = postcard::to_allocvec(&piece).map_err(io::Error::other)?;
        content.extend((bytes.len() as u32).to_le_bytes());
        content.extend(bytes);
    }
    let place = place(workspace);
    let mut file = tempfile::NamedTempFile::new_in(place.parent().unwrap_or(workspace))?;
    file.write_all(MAGIC)?;
    file.write_all(&crc32fast::hash(&content).to_le_bytes())?;
    file.write_all(&content)?;
    file.persist(place).map_err(|error| error.error)?;
    Ok(())
}
