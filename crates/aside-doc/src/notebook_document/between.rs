//! The changes that make one list of cells into another one, as few as possible.

use std::collections::{BTreeMap, HashMap, HashSet};

use aside_notebook::{CellKey, OURS};

use super::{CellChange, NotebookCell, file::has_room};
use crate::splices_between;

/// Returns the changes that make `before` into `after`. A cell whose other parts differ (attachments) comes anew.
///
/// # Panics
/// If two cells of a list are called the same.
pub fn cells_between(before: &[NotebookCell], after: &[NotebookCell]) -> Vec<CellChange> {
    let wanted: HashMap<&CellKey, &NotebookCell> = after.iter().map(|cell| (&cell.key, cell)).collect();
    assert_eq!(wanted.len(), after.len(), "each cell has a key of its own");
    let stays = |cell: &&NotebookCell| wanted.get(&cell.key).is_some_and(|new| has_same_others(cell, new));
    let left: Vec<&NotebookCell> = before.iter().filter(stays).collect();
    let gone = before.iter().filter(|cell| !stays(cell)).map(|cell| CellChange::Remove { key: cell.key.clone() });
    let mut changes: Vec<CellChange> = gone.collect();
    let known: HashMap<&CellKey, &NotebookCell> = left.iter().map(|cell| (&cell.key, *cell)).collect();
    let in_order = in_order(&left, after);
    let mut above: Option<&CellKey> = None;
    for cell in after {
        match known.get(&cell.key) {
            None => changes.push(CellChange::Insert { cell: cell.clone(), after: above.cloned() }),
            Some(old) => {
                if !in_order.contains(&cell.key) {
                    changes.push(CellChange::Move { key: cell.key.clone(), after: above.cloned() });
                }
                changes.extend(changes_in(old, cell));
            }
        }
        above = Some(&cell.key);
    }
    changes
}

/// What the file has no room for is no difference.
fn has_same_others(before: &NotebookCell, after: &NotebookCell) -> bool {
    let in_file = |cell: &NotebookCell| {
        let others = cell.others.clone().into_iter();
        others.filter(|(name, _)| has_room(&after.kind, name)).collect::<BTreeMap<_, _>>()
    };
    before.others == after.others || in_file(before) == in_file(after)
}

/// What differs within a cell.
fn changes_in(before: &NotebookCell, after: &NotebookCell) -> Vec<CellChange> {
    let key = || before.key.clone();
    let mut changes = Vec::new();
    if before.kind != after.kind {
        changes.push(CellChange::Kind { key: key(), kind: after.kind.clone() });
    }
    if before.source != after.source {
        let splices = splices_between(&before.source, &after.source);
        changes.push(CellChange::Source { key: key(), splices });
    }
    let names: HashSet<&String> = before.metadata.keys().chain(after.metadata.keys()).collect();
    // Another kind writes a part of the metadata too.
    let is_other = |name: &String| {
        before.metadata.get(name) != after.metadata.get(name) || (name == OURS && before.kind != after.kind)
    };
    let mut differ: Vec<_> = names.into_iter().filter(|name| is_other(name)).collect();
    differ.sort();
    let set = |name: &String| CellChange::Metadata {
        key: key(),
        name: name.clone(),
        value: after.metadata.get(name).cloned(),
    };
    changes.extend(differ.into_iter().map(set));
    changes
}

/// The cells that need not be moved: a longest run of them that is in the wanted order already.
fn in_order(before: &[&NotebookCell], after: &[NotebookCell]) -> HashSet<CellKey> {
    let places: HashMap<&CellKey, usize> = after.iter().enumerate().map(|(at, cell)| (&cell.key, at)).collect();
    let wanted: Vec<usize> = before.iter().map(|cell| places[&cell.key]).collect();
    // The last of the best run of each length, and what comes before each in its run.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, place) in wanted.iter().enumerate() {
        let length = ends.partition_point(|end| wanted[*end] < *place);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    std::iter::successors(ends.last().copied(), |at| previous[*at]).map(|at| before[at].key.clone()).collect()
}
