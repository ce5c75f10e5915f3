//! The cells of an open notebook, as sentences name them.

use aside_core::{Version, WouldBe};
use aside_route::SeenCell;

use crate::app::App;

/// Returns the cells of a notebook, in order; none if it can't be read. `focused` is the key of the cell with the cursor.
pub(super) fn of(app: &App, path: &str, focused: Option<&str>) -> Option<(String, Vec<SeenCell>)> {
    let would_be = WouldBe::default();
    let seen = app.workspace.view(&would_be).notebook(&path.parse().ok()?).ok()?;
    let has_outputs = |at: usize| {
        let outputs = seen.notebook.cells.get(at).and_then(|cell| cell.get("outputs"));
        outputs.is_some_and(|outputs| !matches!(outputs.as_str().trim(), "" | "[]"))
    };
    let cells = seen.cells.iter().enumerate().map(|(at, cell)| SeenCell {
        key: cell.key.0.clone(),
        kind: cell.kind.name().to_owned(),
        version: Version::of(cell.source.as_bytes()).to_string(),
        outputs: has_outputs(at),
        focused: focused == Some(cell.key.0.as_str()),
    });
    Some((path.to_owned(), cells.collect()))
}
