//! `files`: what is in a folder, the names of all files, and their bytes.

mod byte_range;

use std::sync::Arc;

use aside_core::{Label, Sha256, WorkspacePath};
use aside_macros::boxed;
use aside_protocol::{FileEntry, FileLabel, FileNames, Listing, Uploaded};
use aside_workspace::{ListedEntry, WorkspaceError};
use axum::{
    Json,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;

use self::byte_range::ByteRange;
use crate::{
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// Which folder.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    folder: String,
}

/// Lists one folder.
#[boxed]
pub async fn list(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>) -> Result<Json<Listing>, Problem> {
    let folder = match wanted.folder.as_str() {
        "" => None,
        text => Some(WorkspacePath::new(text).map_err(|error| Problem::bad_request(error.to_string()))?),
    };
    let workspace = app.workspace.clone();
    let (folder, entries) = blocking(move || {
        let entries = workspace.list(folder.as_ref());
        (folder, entries)
    })
    .await?;
    let folder = folder.map(|folder| folder.as_str().to_owned()).unwrap_or_default();
    Ok(Json(Listing { folder, entries: entries?.into_iter().map(entry).collect() }))
}

/// Which file or folder.
#[derive(Debug, Deserialize)]
pub struct Named {
    path: WorkspacePath,
}

/// Says whose content is in a file or folder that is there; `file.label` changes that.
#[boxed]
pub async fn label(State(app): State<Arc<App>>, Asked(named): Asked<Named>) -> Result<Json<FileLabel>, Problem> {
    let workspace = app.workspace.clone();
    let found = blocking(move || {
        let path = named.path;
        if workspace.confine(&path)?.entry()?.is_none() {
            return Err(WorkspaceError::NotFound(path));
        }
        let said = workspace.kept_label(&path)?.is_some();
        let source = workspace.label_of(&path);
        let (label, untrusted) = (source.written_by(), source.label == Label::External);
        Ok(FileLabel { label, untrusted, why: source.why, said })
    });
    Ok(Json(found.await??))
}

/// Bytes of a file that is shown as it is.
const MOST_SHOWN: u64 = 256 << 20;

/// Returns a file's bytes, a range of them if the asker wants that, or nothing if it has these very ones. Never shown as a page:
/// it may be anything.
#[boxed]
pub async fn bytes(
    State(app): State<Arc<App>>,
    asked: HeaderMap,
    Asked(named): Asked<Named>,
) -> Result<Response, Problem> {
    if let Some(range) = ByteRange::of(&asked) {
        return byte_range::answer(&app, named.path, range).await;
    }
    let workspace = app.workspace.clone();
    let read = move || workspace.read_followed(&named.path, MOST_SHOWN).map(|bytes| (Sha256::of(&bytes), bytes));
    let (hash, bytes) = blocking(read).await??;
    let tag = format!("\"{hash}\"");
    let known = asked.get(header::IF_NONE_MATCH).is_some_and(|held| held.as_bytes() == tag.as_bytes());
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, "attachment".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::ETAG, tag),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
    ];
    Ok(if known { (StatusCode::NOT_MODIFIED, headers).into_response() } else { (headers, bytes).into_response() })
}

/// Keeps the bytes of a file that a person uploads.
#[boxed]
pub async fn upload(State(app): State<Arc<App>>, body: Bytes) -> Result<Json<Uploaded>, Problem> {
    let workspace = app.workspace.clone();
    let size = body.len() as u64;
    let blob = blocking(move || workspace.keep_upload(&body)).await??;
    Ok(Json(Uploaded { blob, size }))
}

/// Lists every file that git does not ignore.
#[boxed]
pub async fn names(State(app): State<Arc<App>>) -> Result<Json<FileNames>, Problem> {
    let workspace = app.workspace.clone();
    let names = blocking(move || workspace.names()).await?;
    Ok(Json(FileNames { paths: names.paths, truncated: names.truncated }))
}

fn entry(entry: ListedEntry) -> FileEntry {
    FileEntry { path: entry.path, folder: entry.folder, size: entry.size, ignored: entry.ignored, link: entry.link }
}

impl From<WorkspaceError> for Problem {
    fn from(error: WorkspaceError) -> Self {
        error.failure().into()
    }
}
