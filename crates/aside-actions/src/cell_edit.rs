//! `cell.edit`: changes some lines of one cell, at the right place or not at all.

use aside_core::{Completeness, Failure, FileChange, Guard, Preview, PreviewBody, Version, Warning, WorkspacePath};
use aside_doc::{AnchoredEdit, BaseText, CellChange, NotebookCell, Plan, guards, invert, plan};
use aside_gate::Declaration;
use aside_workspace::{Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cells::{Back, CellArgs, CellPlan, Seen, cell_diff, may_change, place, short, stale, version, writes_cells},
    doc_edit::{EditArgs, care, edits_of, not_placed, places},
    files::counted,
};

/// Lines that may go from a cell without a question; of a file it depends on how many there are.
const FEW_LINES: usize = 40;

/// What to do before a second try.
const AGAIN: &str = "read the cell again with `notebook.read`, copy `old` exactly, and give the cell's version";

/// Arguments of `cell.edit`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The cell's key, or the beginning of it.
    cell: String,
    /// The version of the cell that was read. Line numbers refer to this version.
    #[serde(default)]
    version: Option<String>,
    /// The changes. All are made, or none.
    #[schemars(length(min = 1, max = 1000))]
    edits: Vec<EditArgs>,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.edit",
            summary: "Edit lines of a notebook cell",
            description: "Replaces, inserts or deletes whole lines of a cell's source. Read the cell first with \
                `notebook.read`, give its version, and copy `old` exactly; line numbers in the cell start at 1. All \
                edits of one call are made, or none. The cell's outputs stay until it runs again.",
            examples: vec![(
                "Replace a line of a cell",
                json!({"path": "tides.ipynb", "cell": "load", "edits": [
                    {"old": "heights = [1, 2]", "new": "heights = [1, 2, 3]"},
                ]}),
            )],
            phrases: &["edit the cell", "change this cell", "fix the cell"],
            tags: &["notebook", "cell", "change", "replace", "lines"],
            safety: &["the preview shows the exact lines", "undo keeps what was typed since"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn kept(&self, workspace: &Workspace) -> Result<Option<String>, WorkspaceError> {
        let version = self.version.as_deref().and_then(Version::parse);
        version.map_or(Ok(None), |version| workspace.kept_text(&version))
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let at = place(seen.path, seen.cells, &self.cell)?;
        let cell = &seen.cells[at];
        may_change(cell)?;
        let plan = self.placed(cell, seen.kept)?;
        Ok(edited(seen, at, &plan))
    }

    fn parts(&self, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let (file, edits) = edits_of(preview, parts)?;
        Ok(json!({"path": file.path, "cell": self.cell, "version": file.base, "edits": edits}))
    }
}

impl Args {
    /// Finds the places. What was read in a version that nobody knows any more is found by its lines alone.
    fn placed(&self, cell: &NotebookCell, kept: Option<&str>) -> Result<Plan, Failure> {
        let current = version(cell);
        let mut edits: Vec<AnchoredEdit> = self.edits.iter().map(AnchoredEdit::from).collect();
        let base = match (&self.version, kept) {
            (None, _) => None,
            (Some(given), _) if current.matches(given) => Some((current.clone(), &*cell.source)),
            (Some(given), Some(text)) => Version::parse(given).map(|version| (version, text)),
            (Some(given), None) => {
                let is_blind = |edit: &AnchoredEdit| edit.old.as_deref().is_none_or(|old| old.trim().is_empty());
                if edits.iter().any(is_blind) {
                    return Err(stale(cell, given));
                }
                edits.iter_mut().for_each(|edit| (edit.start, edit.end) = (None, None));
                None
            }
        };
        let base = base.map(|(version, text)| BaseText { version, text });
        plan(&cell.source, &current, base.as_ref(), &edits).map_err(|report| not_placed(&report, AGAIN))
    }
}

fn edited(seen: &Seen<'_>, at: usize, plan: &Plan) -> CellPlan {
    let cell = &seen.cells[at];
    let (name, after) = (short(seen.cells, &cell.key).to_owned(), Version::of(plan.text_after(&cell.source)));
    let mut diff = cell_diff(seen.path, (at + 1, cell), FileChange::Edited, plan.preview(&cell.source));
    diff.base = Some(version(cell));
    let what = match plan.hunks.len() {
        0 => "nothing to change".to_owned(),
        count => counted(count, "change"),
    };
    let preview = Preview {
        summary: format!("Edit cell {} of {}, {what}", at + 1, seen.path.name()),
        body: PreviewBody::Diff { files: vec![diff] },
        completeness: Completeness::Full,
        warnings: cell_guards(&cell.source, plan),
    };
    let data = json!({"cell": cell.key.0, "version": after, "report": plan.report});
    if plan.changes_nothing() {
        let words = format!("cell `{name}` already has this text; nothing was changed. Version {}.", after.short());
        return CellPlan { changes: Vec::new(), preview, words, data, back: Back::Nothing };
    }
    let lines = places(&plan.report);
    let edits: Vec<EditArgs> = invert(plan, &cell.source).into_iter().map(EditArgs::from).collect();
    CellPlan {
        changes: vec![CellChange::Source { key: cell.key.clone(), splices: plan.splices.clone() }],
        preview,
        words: format!("Edited cell `{name}`, {what}: {lines}. Version {}.{}", after.short(), care(&plan.report)),
        data,
        back: Back::Ask("cell.edit", json!({"cell": cell.key.0, "version": after, "edits": edits})),
    }
}

/// The guards of a file, less strict: a cell is short, and most of it changes at once.
pub(crate) fn cell_guards(source: &str, plan: &Plan) -> Vec<Warning> {
    let lost: usize = plan.hunks.iter().map(|hunk| hunk.old.len().saturating_sub(hunk.new.len())).sum();
    let is_meant = |warning: &Warning| match warning.guard {
        Guard::WholeFile => true,
        Guard::LargeDeletion => lost <= FEW_LINES,
        _ => false,
    };
    guards(None, source, plan).into_iter().filter(|warning| !is_meant(warning)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::tests::cell;

    fn args(value: Value) -> Args {
        let mut fields = json!({"path": "a.ipynb", "cell": "abcd"});
        fields.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        serde_json::from_value(fields).unwrap()
    }

    fn planned(source: &str, value: Value, kept: Option<&str>) -> Result<String, String> {
        let (path, cells) = ("a.ipynb".parse().unwrap(), [cell("other", "x"), cell("abcd", source)]);
        let plan = args(value).plan(&Seen { path: &path, cells: &cells, kept }).map_err(|failure| failure.code)?;
        let mut cells = cells.to_vec();
        for change in &plan.changes {
            change.make(&mut cells).unwrap();
        }
        assert_eq!(cells[0].source, "x");
        Ok(cells[1].source.clone())
    }

    #[test]
    fn lines_are_replaced_linesthey_are() {
        let edit = json!({"edits": [{"old": "b", "new": "B"}]});
        assert_eq!(planned("a\nb\nc", edit.clone(), None), Ok("a\nB\nc".into()));
        assert_eq!(planned("a\nb\nc\nb", edit.clone(), None), Err("ambiguous".into()));
        assert_eq!(planned("a", edit, None), Err("no_match".into()));
    }

    #[test]
    fn an_unknown_version_counts_no_lines_and_is_stale_without_them() {
        let found = json!({"version": "0123456789ab", "edits": [{"start": 1, "end": 1, "old": "b", "new": "B"}]});
        assert_eq!(planned("a\nb", found, None), Ok("a\nB".into()));
        let blind = json!({"version": "0123456789ab", "edits": [{"start": 1, "end": 1, "new": "B"}]});
        assert_eq!(planned("a\nb", blind, None), Err("stale".into()));
    }

    #[test]
    fn lines_of_a_kept_version_are_followed() {
        let before = "a\nb\nc";
        let edit = json!({"version": Version::of(before), "edits": [{"start": 2, "end": 2, "old": "b", "new": ""}]});
        assert_eq!(planned("new\na\nb\nc", edit, Some(before)), Ok("new\na\nc".into()));
    }
}
