//! A PDF as a document of the index. Lines count pages, from 1.

use aside_core::{Timestamp, WorkspacePath};
use aside_search::{Chunk, Document, plain};

use super::{DocumentKind, day_of, named};
use crate::file_state::FileState;

/// Returns the document of a PDF whose pages have these texts, or the reason why there are none.
pub(crate) fn document(
    path: &WorkspacePath,
    (size, modified): (u64, Timestamp),
    pages: Result<Vec<String>, String>,
) -> (Document, FileState) {
    let mut state = FileState { size, modified, ..FileState::default() };
    let document = super::empty(path, DocumentKind::Pdf, day_of(modified));
    let pieces = pages.and_then(|pages| match chunks(&pages) {
        pieces if pieces.is_empty() => Err("its pages have no text, as those of a scan".to_owned()),
        pieces => Ok(pieces),
    });
    match pieces {
        Ok(chunks) => super::finished(Document { chunks, ..document }, state),
        Err(reason) => {
            state.left_out = Some(reason);
            named(document, state)
        }
    }
}

/// Returns a PDF that is still to be read: until then it is found by its name.
pub(super) fn unread(path: &WorkspacePath, size: u64, modified: Timestamp) -> (Document, FileState) {
    // No file has this time: the next start reads it, if this one does not come to it.
    let state =
        FileState { size, modified: Timestamp(0), left_out: Some("not read yet".to_owned()), ..FileState::default() };
    named(super::empty(path, DocumentKind::Pdf, day_of(modified)), state)
}

fn chunks(pages: &[String]) -> Vec<Chunk> {
    let of_page = |(number, text): (u32, &String)| {
        plain(text).into_iter().map(move |piece| Chunk { line: number, end: number, text_line: number, ..piece })
    };
    (1..).zip(pages).flat_map(of_page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_pages() {
        let path: WorkspacePath = "tides.pdf".parse().unwrap();
        let pages = vec!["Spring tide\n\nsecond paragraph".to_owned(), String::new(), "Neap tide".to_owned()];
        let (document, state) = document(&path, (9, Timestamp(5)), Ok(pages));
        assert_eq!((document.chunks.first().unwrap().line, document.chunks.last().unwrap().line), (1, 3));
        assert_eq!((document.kind.as_str(), state.left_out), ("pdf", None));
    }

    #[test]
    fn scan_is_found_by_its_name() {
        let path: WorkspacePath = "scan.pdf".parse().unwrap();
        let (document, state) = document(&path, (9, Timestamp(5)), Ok(vec![String::new()]));
        assert!(document.chunks.len() == 1 && state.left_out.is_some_and(|reason| reason.contains("scan")));
    }
}
