//! `cell.set`: gives a cell another text.

use aside_core::{
    Completeness, Failure, FileChange, Guard, Hunk, Preview, PreviewBody, Version, Warning, WorkspacePath,
};
use aside_doc::{BaseText, CellChange, edits_between, plan, splices_between, text_guards};
use aside_gate::Declaration;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cells::{
        Back, CellArgs, CellPlan, Seen, cell_diff, check_version, may_change, place, short, version, writes_cells,
    },
    doc_edit::EditArgs,
    file_diffs::whole,
};

/// Arguments of `cell.set`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook, relative to the workspace.
    path: WorkspacePath,
    /// The cell's key, or the beginning of it.
    cell: String,
    /// The version of the cell that was read. If the cell has changed since, nothing is changed and the answer has its
    /// text.
    version: String,
    /// The whole new source.
    source: String,
    /// Allows an empty source.
    #[serde(default)]
    empty: bool,
}

impl CellArgs for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "cell.set",
            summary: "Replace a cell's source",
            description: "Replaces the whole source of a cell. To change a few lines of a long cell, use \
                `cell.edit`. The cell's outputs stay until it runs again. To empty a cell set `empty`; to delete \
                it, use `cell.delete`.",
            preconditions: &["the notebook exists and can be read", "the cell is at the version that was read"],
            examples: vec![(
                "Replace a cell's source",
                json!({"path": "tides.ipynb", "cell": "load", "version": "ec71a30d5985", "source": "heights = [3, 2]"}),
            )],
            phrases: &["rewrite the cell", "replace the cell"],
            tags: &["notebook", "cell", "write"],
            safety: &["the preview shows the changed lines", "undo keeps what was typed since"],
            ..writes_cells()
        }
    }

    fn path(&self) -> &WorkspacePath {
        &self.path
    }

    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure> {
        let at = place(seen.path, seen.cells, &self.cell)?;
        let cell = &seen.cells[at];
        may_change(cell)?;
        check_version(cell, &self.version)?;
        let source = self.source.replace("\r\n", "\n");
        if source.trim().is_empty() && !cell.source.trim().is_empty() && !self.empty {
            return Err(Failure::new("emptying", format!("cell `{}` would be empty; it was not changed", cell.key))
                .hint("set `empty` if this is intended, or delete the cell with `cell.delete`"));
        }
        let name = short(seen.cells, &cell.key);
        // One place, so that it is taken or left as a whole.
        let hunks: Vec<Hunk> = whole(&cell.source, &source).into_iter().collect();
        let after = Version::of(&source);
        let words = match cell.source == source {
            true => format!("cell `{name}` already has this text; nothing was changed. Version {}.", after.short()),
            false => format!("Replaced the source of cell `{name}`. Version {}.", after.short()),
        };
        let changes = match cell.source == source {
            true => Vec::new(),
            false => {
                let splices = splices_between(&cell.source, &source);
                vec![CellChange::Source { key: cell.key.clone(), splices }]
            }
        };
        let back = if changes.is_empty() { Back::Nothing } else { back(&cell.key.0, &source, &cell.source) };
        let warnings = warnings(&hunks, &cell.source, &source);
        let mut diff = cell_diff(seen.path, (at + 1, cell), FileChange::Edited, hunks);
        diff.base = Some(version(cell));
        let preview = Preview {
            summary: format!("Replace the source of cell {} of {}", at + 1, seen.path.name()),
            body: PreviewBody::Diff { files: vec![diff] },
            completeness: Completeness::Full,
            warnings,
        };
        Ok(CellPlan { changes, preview, words, data: json!({"cell": cell.key.0, "version": after}), back })
    }
}

/// What takes it back: edits, so that what was typed since is kept; the whole text where lines can't say it.
fn back(key: &str, new: &str, old: &str) -> Back {
    let version = Version::of(new);
    let edits = edits_between(new, old);
    let base = BaseText { version: version.clone(), text: new };
    let planned = plan(new, &version, Some(&base), &edits);
    if !edits.is_empty() && planned.is_ok_and(|plan| plan.text_after(new) == old) {
        let edits: Vec<EditArgs> = edits.into_iter().map(EditArgs::from).collect();
        return Back::Ask("cell.edit", json!({"cell": key, "version": version, "edits": edits}));
    }
    Back::Ask("cell.set", json!({"cell": key, "version": version, "source": old, "empty": true}))
}

/// What of the guards of files makes sense where a whole text is meant to be another.
fn warnings(hunks: &[Hunk], before: &str, after: &str) -> Vec<Warning> {
    let gone: Vec<&str> = hunks.iter().flat_map(|hunk| &hunk.old).map(String::as_str).collect();
    let came: String = hunks.iter().flat_map(|hunk| &hunk.new).map(|line| format!("{line}\n")).collect();
    let emptied = after.trim().is_empty() && !before.trim().is_empty();
    let emptied = emptied.then(|| Warning { guard: Guard::Emptying, text: "The cell would be empty.".to_owned() });
    // Text that stands for text it leaves out matters only where something goes.
    let of_text =
        text_guards(None, &came).into_iter().filter(|warning| warning.guard != Guard::Elision || !gone.is_empty());
    emptied.into_iter().chain(of_text).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::cells::{tests::cell, version};

    /// The text afterwards, and the way back.
    type Planned = (String, Option<(&'static str, Value)>);

    fn planned(source: &str, extra: Value) -> Result<Planned, String> {
        let (path, cells) = ("a.ipynb".parse().unwrap(), vec![cell("abcd", source)]);
        let mut fields = json!({"path": "a.ipynb", "cell": "abcd", "version": version(&cells[0]).short()});
        fields.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let args: Args = serde_json::from_value(fields).map_err(|error| error.to_string())?;
        let plan = args.plan(&Seen { path: &path, cells: &cells, kept: None }).map_err(|failure| failure.code)?;
        let mut after = cells;
        for change in &plan.changes {
            change.make(&mut after).unwrap();
        }
        let back = if let Back::Ask(name, args) = plan.back { Some((name, args)) } else { None };
        Ok((after[0].source.clone(), back))
    }

    #[test]
    fn a_missing_text_is_an_error_and_an_empty_one_has_to_be_meant() {
        assert!(planned("a", json!({})).unwrap_err().contains("missing field `source`"));
        assert_eq!(planned("a", json!({"source": " \n"})), Err("emptying".into()));
        assert_eq!(planned("a", json!({"source": "", "empty": true})).unwrap().0, "");
        assert_eq!(planned("", json!({"source": ""})).unwrap(), (String::new(), None));
    }

    #[test]
    fn another_version_than_the_one_that_was_read_is_stale() {
        assert_eq!(planned("a", json!({"source": "b", "version": "0123456789ab"})), Err("stale".into()));
    }

    #[test]
    fn the_way_back_is_edits_wherever_lines_can_say_it() {
        for (before, after) in
            [("a\nb\nc", "a\nB\nc"), ("a", "a\nb"), ("", "a\nb"), ("a\nb", ""), ("a\n", "a"), ("a", "\n")]
        {
            let (made, back) = planned(before, json!({"source": after, "empty": true})).unwrap();
            assert_eq!(made, after);
            let (name, mut args) = back.unwrap();
            args["path"] = json!("a.ipynb");
            let (path, cells) = ("a.ipynb".parse().unwrap(), vec![cell("abcd", after)]);
            let seen = Seen { path: &path, cells: &cells, kept: None };
            let plan = match name {
                "cell.edit" => serde_json::from_value::<crate::cell_edit::Args>(args).unwrap().plan(&seen),
                _ => serde_json::from_value::<Args>(args).unwrap().plan(&seen),
            };
            let mut cells = cells.clone();
            plan.unwrap().changes.iter().for_each(|change| _ = change.make(&mut cells).unwrap());
            assert_eq!(cells[0].source, before, "{before:?} -> {after:?} by {name}");
        }
    }
}
