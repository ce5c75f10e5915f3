//! The files of a session at a moment, without their text: that is a page's to show.

use serde::Serialize;
use serde_json::Value;

use super::{Asking, Evidence, args::Arguments, sessions, told};
use crate::{Filter, HistoryError, Index, Until, playback::Playback, resumed::resumed_from};

#[derive(Serialize)]
struct Found {
    session_id: String,
    /// The last record of the session that this one goes on from, whose own files are not repeated here.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed_from: Option<Evidence>,
    snapshot_ts: Option<String>,
    file_count: usize,
    files: Vec<File>,
    warnings: Vec<String>,
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct File {
    path: String,
    byte_count: Option<usize>,
    last_modified_ts: Option<String>,
    operations_applied: Vec<String>,
    reconstruction_complete: bool,
    deleted: bool,
}

/// Rebuilds the files of a session.
pub fn session(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let id = arguments.required("session_id")?;
    let session = sessions::by_id(index, id)?;
    let utc = jiff::tz::TimeZone::UTC;
    let at = arguments.text("at").map(|text| Filter::moment(text, Until::Start, &utc, asking.now)).transpose();
    let at = at.map_err(|_| HistoryError::Asked("invalid at: pass a time such as 2026-06-30T12:00:00Z".to_owned()))?;
    let playback = Playback::of(index, &session)?;
    let end = at.or(playback.last());
    let played = playback.at(at);
    let evidence = played.files.iter().filter_map(|file| file.last.clone()).collect();
    let files: Vec<File> = played
        .files
        .into_iter()
        .map(|file| File {
            byte_count: file.text.as_ref().map(String::len),
            last_modified_ts: file.at.map(|at| at.to_string()),
            operations_applied: file.applied,
            reconstruction_complete: file.complete,
            deleted: file.deleted,
            path: file.path,
        })
        .collect();
    told(&Found {
        resumed_from: resumed_from(index, &session)?,
        session_id: session.session_id,
        snapshot_ts: end.map(|at| at.to_string()),
        file_count: files.len(),
        files,
        warnings: played.warnings,
        evidence,
    })
}
