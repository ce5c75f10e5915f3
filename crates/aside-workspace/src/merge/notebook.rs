//! Brings together what two sides made of one notebook, cell by cell. A cell that one side took away and the other one
//! changed stays; within a cell the text is merged line by line, of everything else the side that changed it counts, ours
//! if both did. What cells put out is the file's, unless they were run here since it was last the same.

use std::collections::{BTreeMap, HashMap, HashSet};

use aside_doc::{CellOutputs, Change, LiveNotebook, NotebookCell, Unfit, cells_of};
use aside_notebook::{CellKey, Notebook, Raw};

use super::merge;

/// Takes what a file holds now into a live notebook; `base` is what the file held before.
pub(super) fn merge_into(ours: &mut LiveNotebook, base: &str, theirs: &str) -> Result<Vec<Change>, Unfit> {
    let theirs = ours.read(theirs)?;
    let Ok(base) = ours.read(base) else {
        // What it was is not known: the file counts.
        return Ok(ours.become_file(&cells_of(&theirs), theirs, "disk")?);
    };
    let merged = merged_cells(&cells_of(&base), &ours.document().cells(), &cells_of(&theirs));
    // As it would be written: a list that is spelled otherwise is not another one.
    let runs = own_runs(&base, &ours.read(&ours.text())?);
    let changes = ours.become_file(&merged, theirs, "disk")?;
    if !runs.is_empty() {
        ours.set_outputs(&runs);
    }
    Ok(changes)
}

/// What a notebook would be like if it became what it was `then`: its cells, and what is to stand under them where that is
/// something else. With `since` only what changed between the two goes back, and what was changed after it stays.
pub(crate) fn back_to(
    ours: &LiveNotebook,
    then: &str,
    since: Option<&str>,
) -> Result<(Vec<NotebookCell>, Vec<CellOutputs>), Unfit> {
    let (then, now) = (ours.read(then)?, ours.read(&ours.text())?);
    let (cells, later) = match since.map(|since| ours.read(since)).transpose()? {
        Some(since) => {
            (merged_cells(&cells_of(&since), &ours.document().cells(), &cells_of(&then)), own_runs(&since, &now))
        }
        None => (cells_of(&then), Vec::new()),
    };
    let outputs = own_runs(&now, &then).into_iter();
    Ok((cells, outputs.filter(|run| later.iter().all(|later| later.key != run.key)).collect()))
}

/// What cells have put out since the file was last the same.
fn own_runs(base: &Notebook, ours: &Notebook) -> Vec<CellOutputs> {
    let run = |cell: &&aside_notebook::Cell| match base.cell(cell.key()) {
        Some(before) => before.get("outputs").map(Raw::as_str) != cell.get("outputs").map(Raw::as_str),
        None => !cell.outputs().is_empty(),
    };
    let as_run = |cell: &aside_notebook::Cell| {
        let outputs = cell.get("outputs")?.clone();
        Some(CellOutputs { key: cell.key().clone(), outputs, count: cell.execution_count() })
    };
    ours.cells.iter().filter(run).filter_map(as_run).collect()
}

type ByKey<'cells> = HashMap<&'cells CellKey, &'cells NotebookCell>;

fn merged_cells(base: &[NotebookCell], ours: &[NotebookCell], theirs: &[NotebookCell]) -> Vec<NotebookCell> {
    let by_key = |cells: &'_ [NotebookCell]| -> Vec<CellKey> { cells.iter().map(|cell| cell.key.clone()).collect() };
    let (in_base, in_ours, in_theirs): (ByKey, ByKey, ByKey) = (index(base), index(ours), index(theirs));
    let changed_by = |cells: &ByKey, key: &CellKey| matches!((in_base.get(key), cells.get(key)), (Some(before), Some(after)) if before != after);
    let our_keys = with_kept(by_key(ours), base, |key| !in_ours.contains_key(key) && changed_by(&in_theirs, key));
    let their_keys = with_kept(by_key(theirs), base, |key| !in_theirs.contains_key(key) && changed_by(&in_ours, key));
    let as_lines =
        |keys: &[CellKey]| keys.iter().map(|key| key.0.escape_default().to_string() + "\n").collect::<String>();
    let all = our_keys.iter().chain(&their_keys).chain(in_base.keys().copied());
    let spelled: HashMap<String, &CellKey> = all.map(|key| (key.0.escape_default().to_string(), key)).collect();
    let order = merge(&as_lines(&by_key(base)), &as_lines(&our_keys), &as_lines(&their_keys));
    let mut seen = HashSet::new();
    let keys = order.lines().filter_map(|line| spelled.get(line).copied()).filter(|key| seen.insert((*key).clone()));
    keys.filter_map(|key| merged_cell(in_base.get(key), in_ours.get(key), in_theirs.get(key))).collect()
}

fn index(cells: &[NotebookCell]) -> ByKey<'_> {
    cells.iter().map(|cell| (&cell.key, cell)).collect()
}

/// The keys of one side with those that have to stay although it took them away, each after the one it came after.
fn with_kept(mut keys: Vec<CellKey>, base: &[NotebookCell], stays: impl Fn(&CellKey) -> bool) -> Vec<CellKey> {
    let mut above: Option<&CellKey> = None;
    for cell in base {
        if stays(&cell.key) {
            let at = above.and_then(|above| keys.iter().position(|key| key == above)).map_or(0, |at| at + 1);
            keys.insert(at, cell.key.clone());
        }
        above = Some(&cell.key);
    }
    keys
}

fn merged_cell(
    base: Option<&&NotebookCell>,
    ours: Option<&&NotebookCell>,
    theirs: Option<&&NotebookCell>,
) -> Option<NotebookCell> {
    let (ours, theirs) = match (ours, theirs) {
        (Some(ours), Some(theirs)) => (*ours, *theirs),
        (one, other) => return one.or(other).map(|cell| (*cell).clone()),
    };
    let Some(base) = base else {
        // Both made it: whoever opened the file in two programs.
        let source = merge(&ours.source, &ours.source, &theirs.source);
        return Some(NotebookCell { source, ..ours.clone() });
    };
    Some(NotebookCell {
        key: ours.key.clone(),
        kind: if ours.kind == base.kind { theirs.kind.clone() } else { ours.kind.clone() },
        source: merge(&base.source, &ours.source, &theirs.source),
        metadata: merged_parts(&base.metadata, &ours.metadata, &theirs.metadata),
        others: merged_parts(&base.others, &ours.others, &theirs.others),
    })
}

type Parts = BTreeMap<String, String>;

fn merged_parts(base: &Parts, ours: &Parts, theirs: &Parts) -> Parts {
    let names: HashSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let part = |name: &String| {
        let side = if ours.get(name) == base.get(name) { theirs } else { ours };
        Some((name.clone(), side.get(name)?.clone()))
    };
    names.into_iter().filter_map(part).collect()
}
