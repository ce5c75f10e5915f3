//! Which cell of a file is which, where the file doesn't say: notebooks before format 4.5 have no ids.

use std::collections::HashSet;

use aside_notebook::{Cell, CellKey, Notebook};

use super::{NotebookCell, file::live};
use crate::line_diff;

/// Calls the cells of a notebook as those are called that they were: by what is in them and their order. What is new
/// gets a key that nobody has.
pub(crate) fn call_as(notebook: &mut Notebook, known: &[NotebookCell]) {
    if notebook.has_ids() {
        return;
    }
    let keys = keys_by_content(known, &notebook.cells);
    notebook.call_cells(keys);
}

fn keys_by_content(known: &[NotebookCell], cells: &[Cell]) -> Vec<CellKey> {
    let new: Vec<NotebookCell> = cells.iter().map(live).collect();
    let mut keys: Vec<Option<CellKey>> = Vec::new();
    let mut old = known.iter();
    for hunk in line_diff(&as_lines(known), &as_lines(&new)) {
        let same = hunk.after.start - keys.len();
        keys.extend(old.by_ref().take(same).map(|cell| Some(cell.key.clone())));
        let gone: Vec<&NotebookCell> = old.by_ref().take(hunk.before.len()).collect();
        keys.extend(paired(&gone, &new[hunk.after]));
    }
    keys.extend(old.map(|cell| Some(cell.key.clone())));
    let mut taken: HashSet<CellKey> = known.iter().map(|cell| cell.key.clone()).collect();
    keys.into_iter().enumerate().map(|(at, key)| key.unwrap_or_else(|| made_up(at, &mut taken))).collect()
}

/// A cell that changed stands where it stood; among several, in their order, as far as they are of the same kind.
fn paired(gone: &[&NotebookCell], new: &[NotebookCell]) -> Vec<Option<CellKey>> {
    let mut gone = gone.iter();
    new.iter().map(|cell| gone.find(|old| old.kind == cell.kind).map(|old| old.key.clone())).collect()
}

/// One line for each cell, the same for cells that are the same.
fn as_lines(cells: &[NotebookCell]) -> String {
    cells.iter().map(|cell| format!("{} {:?}\n", cell.kind.name().escape_debug(), cell.source)).collect()
}

fn made_up(at: usize, taken: &mut HashSet<CellKey>) -> CellKey {
    let mut key = CellKey(format!("cell-{at}"));
    while !taken.insert(key.clone()) {
        key.0.push('x');
    }
    key
}
