//! Parts of files, so that a player can go to the middle of a film and a viewer to the end of a large file.

use std::sync::Arc;

use aside_core::WorkspacePath;
use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};

use crate::{
    app::{App, blocking},
    problem::Problem,
};

/// The most bytes of one answer; who wants more asks again.
const MOST: usize = 8 << 20;

/// The range of bytes that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteRange {
    /// From a byte to another, which is included; to the end without one.
    From(u64, Option<u64>),
    /// That many at the end.
    Last(u64),
}

impl ByteRange {
    /// Reads the header `Range`. One that is not understood, or names several ranges, is none: the answer is the whole file.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let (first, last) = headers.get(header::RANGE)?.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
        match (first, last) {
            ("", last) => Some(Self::Last(last.parse().ok()?)),
            (first, "") => Some(Self::From(first.parse().ok()?, None)),
            (first, last) => {
                let (first, last) = (first.parse().ok()?, last.parse().ok()?);
                (first <= last).then_some(Self::From(first, Some(last)))
            }
        }
    }

    /// Returns the first byte of a file of that size, and how many bytes are wanted.
    fn within(self, size: u64) -> (u64, usize) {
        let (first, length) = match self {
            Self::From(first, last) => (first, last.map_or(u64::MAX, |last| (last - first).saturating_add(1))),
            Self::Last(length) => (size.saturating_sub(length), length),
        };
        (first, usize::try_from(length).unwrap_or(usize::MAX).min(MOST))
    }
}

/// Answers with a part of a file.
pub(super) async fn answer(app: &Arc<App>, path: WorkspacePath, range: ByteRange) -> Result<Response, Problem> {
    let workspace = app.workspace.clone();
    let read = move || {
        let (_, size) = workspace.read_part(&path, 0, 0)?;
        let (first, most) = range.within(size);
        workspace.read_part(&path, first, most).map(|(bytes, size)| (first, bytes, size))
    };
    let (first, bytes, size) = blocking(read).await??;
    let plain = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, "attachment".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
    ];
    if bytes.is_empty() {
        let none = [(header::CONTENT_RANGE, format!("bytes */{size}"))];
        return Ok((StatusCode::RANGE_NOT_SATISFIABLE, plain, none).into_response());
    }
    let last = first + bytes.len() as u64 - 1;
    let part = [(header::CONTENT_RANGE, format!("bytes {first}-{last}/{size}"))];
    Ok((StatusCode::PARTIAL_CONTENT, plain, part, bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<ByteRange> {
        ByteRange::of(&HeaderMap::from_iter([(header::RANGE, text.parse().unwrap())]))
    }

    #[test]
    fn range_header_is_read() {
        assert_eq!(of("bytes=0-99"), Some(ByteRange::From(0, Some(99))));
        assert_eq!(of("bytes=100-"), Some(ByteRange::From(100, None)));
        assert_eq!(of("bytes=-5"), Some(ByteRange::Last(5)));
        for other in ["bytes=", "bytes=-", "bytes=9-2", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=0"] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(ByteRange::of(&HeaderMap::new()), None);
    }

    #[test]
    fn range_stays_within_the_file() {
        assert_eq!(ByteRange::From(10, Some(19)).within(100), (10, 10));
        assert_eq!(ByteRange::From(0, Some(u64::MAX)).within(100), (0, MOST));
        assert_eq!(ByteRange::From(90, None).within(100), (90, MOST));
        assert_eq!(ByteRange::Last(30).within(100), (70, 30));
        assert_eq!(ByteRange::Last(u64::MAX).within(100), (0, MOST));
    }
}
