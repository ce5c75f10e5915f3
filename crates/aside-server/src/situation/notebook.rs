//! The cells of the active notebook, in lines: key, kind, state.

use std::fmt::Write as _;

use aside_core::WouldBe;

use crate::app::App;

/// The most cells that are told one by one.
const MOST: usize = 30;

/// Returns the lines; none if the notebook can't be read.
pub(super) fn cells(app: &App, path: &str, focused: Option<&str>) -> String {
    let would_be = WouldBe::default();
    let Some(seen) = path.parse().ok().and_then(|path| app.workspace.view(&would_be).notebook(&path).ok()) else {
        return String::new();
    };
    let mut lines = format!("cells of {path}, by key:\n");
    for (at, cell) in seen.cells.iter().enumerate().take(MOST) {
        let outputs = seen.notebook.cells.get(at).and_then(|cell| cell.get("outputs"));
        let state = outputs.map_or("", |outputs| state(outputs.as_str()));
        let active = if Some(cell.key.0.as_str()) == focused { " (active)" } else { "" };
        let _ = writeln!(lines, "{}. {} {}{state}{active}", at + 1, cell.key.0, cell.kind.name());
    }
    if seen.cells.len() > MOST {
        let _ = writeln!(lines, "and {} more", seen.cells.len() - MOST);
    }
    lines
}

/// The state of a cell, by its outputs as JSON.
fn state(outputs: &str) -> &'static str {
    let is_error = |output: &serde_json::Value| output["output_type"] == "error";
    match serde_json::from_str::<Vec<serde_json::Value>>(outputs) {
        Ok(outputs) if outputs.iter().any(is_error) => ", ended with an error",
        Ok(outputs) if !outputs.is_empty() => ", has outputs",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_follows_outputs() {
        assert_eq!(state("[]"), "");
        assert_eq!(state(r#"[{"output_type": "stream"}]"#), ", has outputs");
        assert_eq!(state(r#"[{"output_type": "stream"}, {"output_type": "error"}]"#), ", ended with an error");
        assert_eq!(state("{"), "");
    }
}
