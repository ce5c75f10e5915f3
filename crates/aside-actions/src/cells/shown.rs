//! How changes of cells are shown.

use std::fmt::Write as _;

use aside_core::{ChangeRow, Confidence, DiffCell, FileChange, FileDiff, Hunk, WorkspacePath};
use aside_doc::{Lines, NotebookCell};

use super::short;

/// Lines and bytes of a cell's text in an answer.
const MOST_LINES: usize = 400;
const MOST_BYTES: usize = 16 * 1024;

/// The change of one cell; `number` is its place, from 1.
pub(crate) fn cell_diff(
    path: &WorkspacePath,
    (number, cell): (usize, &NotebookCell),
    change: FileChange,
    hunks: Vec<Hunk>,
) -> FileDiff {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let cell = DiffCell { key: cell.key.0.clone(), kind: cell.kind.name().to_owned(), number };
    FileDiff { path: path.clone(), change, base: None, hunks, note: None, cell: Some(cell) }
}

/// All of a cell's text as one hunk: it comes, or it goes. None if it is empty.
pub(crate) fn whole_hunk(part: usize, source: &str, change: &FileChange) -> Vec<Hunk> {
    let lines = Lines::new(source);
    if lines.is_empty() {
        return Vec::new();
    }
    let text = lines.owned(0..lines.len());
    let (old, new) = if *change == FileChange::Created { (Vec::new(), text) } else { (text, Vec::new()) };
    let part = u32::try_from(part).unwrap_or(u32::MAX);
    let (before, after) = (Vec::new(), Vec::new());
    vec![Hunk { part, start: 1, old, new, before, after, confidence: Confidence::Exact, anchor: None }]
}

/// A row that says what becomes of a cell other than its text.
pub(crate) fn changed_row(cells: &[NotebookCell], at: usize, before: String, after: String) -> ChangeRow {
    let name = format!("cell {} `{}`", at + 1, short(cells, &cells[at].key));
    ChangeRow { object: name, before: Some(before), after: Some(after) }
}

/// The lines of a cell with their numbers, as many as an answer holds.
pub(crate) fn numbered(source: &str) -> String {
    let (lines, mut shown) = (Lines::new(source), String::new());
    for line in 0..lines.len() {
        if line == MOST_LINES || shown.len() > MOST_BYTES {
            let _ = write!(shown, "… {} more lines, from {}", lines.len() - line, line + 1);
            return shown;
        }
        let text = lines.get(line);
        let end = text.floor_char_boundary(MOST_BYTES);
        let mark = if end < text.len() { " … (line cut)" } else { "" };
        let _ = writeln!(shown, "{}\t{}{mark}", line + 1, &text[..end]);
    }
    shown
}
