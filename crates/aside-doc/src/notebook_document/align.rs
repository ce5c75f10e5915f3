//! Which cell of a file is which, where the file doesn't say: cells without ids, as all are before format 4.5, and cells that
//! have the same one.

use std::collections::{HashMap, HashSet, VecDeque};

use aside_notebook::{Cell, CellKey, Notebook};

use super::{NotebookCell, file::cells_of};
use crate::{LineHunk, line_diff};

/// Calls the cells of a notebook as those are called that they were. A cell with an id that no other one has is called by
/// it; the others are known by what is in them and their order. What is new gets a key that nobody has.
pub(crate) fn call_as(notebook: &mut Notebook, known: &[NotebookCell]) {
    let named = named(&notebook.cells);
    if named.len() == notebook.cells.len() {
        return;
    }
    let new = cells_of(notebook);
    let mut taken: HashSet<CellKey> = known.iter().map(|cell| cell.key.clone()).chain(named.iter().cloned()).collect();
    let pairs = pairs(known, &new, &named).into_iter().enumerate();
    let key = |(at, old): (usize, Option<usize>)| match old {
        _ if named.contains(&new[at].key) => new[at].key.clone(),
        Some(old) => known[old].key.clone(),
        None => made_up(at, &mut taken),
    };
    notebook.call_cells(pairs.map(key).collect());
}

/// The ids that one cell has and no other one.
fn named(cells: &[Cell]) -> HashSet<CellKey> {
    let mut counts: HashMap<CellKey, usize> = HashMap::new();
    for id in cells.iter().filter_map(|cell| cell.get("id")?.text()).filter(|id| !id.is_empty()) {
        *counts.entry(CellKey(id)).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(id, _)| id).collect()
}

/// For each new cell the known one that it is: one that stayed in its place, else one that moved, else one that changed in
/// its place.
fn pairs(known: &[NotebookCell], new: &[NotebookCell], named: &HashSet<CellKey>) -> Vec<Option<usize>> {
    let (before, after) = (as_lines(known, named), as_lines(new, named));
    let hunks = line_diff(&before.concat(), &after.concat());
    let mut pairs = in_place(&hunks, new.len());
    let mut gone: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for at in hunks.iter().flat_map(|hunk| hunk.before.clone()) {
        gone.entry(&before[at]).or_default().push_back(at);
    }
    for at in hunks.iter().flat_map(|hunk| hunk.after.clone()) {
        pairs[at] = gone.get_mut(&*after[at]).and_then(VecDeque::pop_front);
    }
    let gone: HashSet<usize> = gone.into_values().flatten().filter(|at| !named.contains(&known[*at].key)).collect();
    for LineHunk { before, after } in hunks {
        // Among several in their order, as far as they are of the same kind.
        let mut gone = before.filter(|at| gone.contains(at));
        for at in after {
            if pairs[at].is_none() && !named.contains(&new[at].key) {
                pairs[at] = gone.find(|old| known[*old].kind == new[at].kind);
            }
        }
    }
    pairs
}

/// What is between the hunks is the same.
fn in_place(hunks: &[LineHunk], count: usize) -> Vec<Option<usize>> {
    let (mut pairs, mut old) = (Vec::with_capacity(count), 0);
    for hunk in hunks {
        pairs.extend((old..hunk.before.start).map(Some));
        pairs.resize(hunk.after.end, None);
        old = hunk.before.end;
    }
    let rest = count - pairs.len();
    pairs.extend((old..old + rest).map(Some));
    pairs
}

/// One line for each cell, the same for cells that are the same.
fn as_lines(cells: &[NotebookCell], named: &HashSet<CellKey>) -> Vec<String> {
    let line = |cell: &NotebookCell| match named.contains(&cell.key) {
        true => format!("named {:?}\n", cell.key.0),
        false => format!("cell {} {:?}\n", cell.kind.name().escape_debug(), cell.source),
    };
    cells.iter().map(line).collect()
}

fn made_up(at: usize, taken: &mut HashSet<CellKey>) -> CellKey {
    let mut key = CellKey(format!("cell-{at}"));
    while !taken.insert(key.clone()) {
        key.0.push('x');
    }
    key
}
