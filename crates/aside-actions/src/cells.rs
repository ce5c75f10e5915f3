//! What the actions on cells share: which cell is meant, which version of it, and whether it may be changed. How a
//! change is shown is in [`shown`], how it is carried out in [`change`].

mod change;
mod images;
mod output;
mod shown;

use aside_core::{Failure, Version, WorkspacePath};
use aside_doc::NotebookCell;
use aside_kernels::SqlCell;
use aside_notebook::{CellKey, CellKind, OURS, VISIBLE};

pub(crate) use change::{Back, CellArgs, CellPlan, ChangesCells, Seen, check_format, impossible, writes_cells};
pub(crate) use images::show_images;
pub(crate) use output::{head_and_tail, outputs_of, text_of_output};
pub(crate) use shown::{cell_diff, changed_row, numbered, whole_hunk};

/// Letters of a key that name a cell, if no other begins with them.
const FEWEST_LETTERS: usize = 4;
/// Letters of a key that are shown at least.
const SHOWN_LETTERS: usize = 8;

/// Finds the cell that is meant: by its key, or by the beginning of it that no other key has.
pub(crate) fn place(path: &WorkspacePath, cells: &[NotebookCell], meant: &str) -> Result<usize, Failure> {
    if let Some(at) = cells.iter().position(|cell| cell.key.0 == meant) {
        return Ok(at);
    }
    let begins = |cell: &NotebookCell| meant.len() >= FEWEST_LETTERS && cell.key.0.starts_with(meant);
    let found: Vec<usize> = (0..cells.len()).filter(|at| begins(&cells[*at])).collect();
    match found[..] {
        [at] => Ok(at),
        [] => Err(no_cell(path, meant)),
        _ => Err(Failure::new("ambiguous", format!("{} cells of `{path}` begin with `{meant}`", found.len()))
            .hint("give more letters of the key")),
    }
}

pub(crate) fn no_cell(path: &WorkspacePath, meant: &str) -> Failure {
    let meant: String = meant.chars().take(80).collect();
    Failure::new("no_such_cell", format!("there is no cell `{meant}` in `{path}`"))
        .hint("`notebook.read` shows the cells with their keys; a position such as 3 is not a key")
}

/// The beginning of a key that is enough to name its cell.
pub(crate) fn short<'a>(cells: &[NotebookCell], key: &'a CellKey) -> &'a str {
    let others = || cells.iter().filter(|cell| cell.key != *key);
    let ends = key.0.char_indices().map(|(at, _)| at).filter(|at| *at >= SHOWN_LETTERS);
    let mut short = ends.map(|end| &key.0[..end]);
    short.find(|short| !others().any(|cell| cell.key.0.starts_with(short))).unwrap_or(&key.0)
}

/// The version of a cell: of its text.
pub(crate) fn version(cell: &NotebookCell) -> Version {
    Version::of(cell.source.as_bytes())
}

/// Refuses what was meant for another text of the cell, and shows the present one.
pub(crate) fn check_version(cell: &NotebookCell, given: &str) -> Result<(), Failure> {
    if version(cell).matches(given) { Ok(()) } else { Err(stale(cell, given)) }
}

pub(crate) fn stale(cell: &NotebookCell, given: &str) -> Failure {
    let (now, given) = (version(cell), given.chars().take(64).collect::<String>());
    let text = numbered(&cell.source);
    let message =
        format!("cell `{}` is no longer at version `{given}`; it is now at version {}:\n{text}", cell.key, now.short());
    Failure::new("stale", message).hint("make the change again from this text and give this version")
}

/// Refuses to change a cell that its notebook protects.
pub(crate) fn may_change(cell: &NotebookCell) -> Result<(), Failure> {
    if says_no(cell, "editable") { Err(protected(cell, "changed", "editable")) } else { Ok(()) }
}

/// Refuses to take a cell away that its notebook protects.
pub(crate) fn may_delete(cell: &NotebookCell) -> Result<(), Failure> {
    if says_no(cell, "deletable") { Err(protected(cell, "deleted", "deletable")) } else { Ok(()) }
}

/// Tells whether a person keeps a cell from models.
pub(crate) fn is_hidden(cell: &NotebookCell) -> bool {
    let said = |name: &str| cell.metadata.get(name).map(String::as_str);
    aside_notebook::is_hidden(said(VISIBLE), said(OURS))
}

/// What an SQL cell asks; none of another kind.
pub(crate) fn sql_of(cell: &NotebookCell) -> Option<SqlCell> {
    (cell.kind == CellKind::Sql).then(|| SqlCell::of_metadata(cell.metadata.get(OURS).map(String::as_str)))
}

/// The kind of a cell, and what one of SQL asks.
pub(crate) fn kind_words(cell: &NotebookCell) -> String {
    let asks = sql_of(cell).and_then(|sql| sql.words()).map(|asks| format!(" {asks}"));
    format!("{}{}", cell.kind.name(), asks.unwrap_or_default())
}

fn says_no(cell: &NotebookCell, name: &str) -> bool {
    cell.metadata.get(name).is_some_and(|value| value.trim() == "false")
}

fn protected(cell: &NotebookCell, done: &str, name: &str) -> Failure {
    let message = format!("cell `{}` can't be {done}: the notebook protects it (`{name}` is false)", cell.key);
    Failure::new("protected", message).hint("only the user can lift this protection, in the cell's metadata")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn cell(key: &str, source: &str) -> NotebookCell {
        NotebookCell {
            key: CellKey(key.to_owned()),
            kind: CellKind::Code,
            source: source.to_owned(),
            metadata: [].into(),
            others: [].into(),
        }
    }

    #[test]
    fn a_cell_is_named_by_its_key_or_a_beginning_that_no_other_has() {
        let path = "a.ipynb".parse().unwrap();
        let cells = [cell("abcdef01-1", ""), cell("abcdef01-2", ""), cell("abc", ""), cell("x", "")];
        let place = |meant: &str| place(&path, &cells, meant).map_err(|failure| failure.code);
        assert_eq!(place("abcdef01-2"), Ok(1));
        assert_eq!((place("abc"), place("x")), (Ok(2), Ok(3)));
        assert_eq!(place("abcdef"), Err("ambiguous".to_owned()));
        assert_eq!((place("ab"), place("1"), place("")), {
            let none = || Err("no_such_cell".to_owned());
            (none(), none(), none())
        });
        assert_eq!(
            cells.iter().map(|cell| short(&cells, &cell.key)).collect::<Vec<_>>(),
            ["abcdef01-1", "abcdef01-2", "abc", "x"]
        );
        assert_eq!(short(&cells[1..], &cells[1].key), "abcdef01");
    }

    #[test]
    fn who_has_an_old_version_is_shown_the_present_text() {
        let now = cell("abc", "one\ntwo");
        assert!(check_version(&now, version(&now).short()).is_ok());
        let failure = check_version(&now, "0123456789ab").unwrap_err();
        assert_eq!(failure.code, "stale");
        assert!(failure.message.contains("1\tone\n2\ttwo"), "{}", failure.message);
        assert!(failure.message.contains(version(&now).short()));
        assert_eq!(check_version(&now, "").unwrap_err().code, "stale");
    }
}
