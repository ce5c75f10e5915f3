//! Turns the blocks of an answer into tool calls: the same actions that a model with tools asks for.
//!
//! All edits of one answer to one file become one call, so that they are made together or not at all; a
//! block that can't be used holds back every change of the answer, and is answered.

use std::collections::BTreeMap;

use aside_core::{LineRange, ToolCall, WorkspacePath};
use serde_json::{Value, json};

use crate::{
    grammar::{Block, Reading},
    shown::Shown,
};

/// What the blocks of one answer come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextCalls {
    /// In the order of the blocks.
    pub calls: Vec<ToolCall>,
    /// What can't be used, one sentence each, for the model and the person.
    pub problems: Vec<String>,
}

/// Converts what was read; `shown` says which file and which version is meant where none is named.
pub fn text_calls(reading: Reading, shown: &Shown) -> TextCalls {
    let mut collecting = Collecting { shown, items: Vec::new(), problems: Vec::new() };
    // Beside real blocks, one in a code fence is an example.
    let only_fenced = reading.blocks.is_empty();
    for problem in reading.problems.iter().filter(|problem| only_fenced || !problem.fenced) {
        collecting.problems.push(format!("The block at line {} of your answer: {}.", problem.line, problem.text));
    }
    for block in reading.blocks {
        if let Err(problem) = collecting.block(block) {
            collecting.problems.push(problem);
        }
    }
    collecting.finish()
}

struct Collecting<'a> {
    shown: &'a Shown,
    items: Vec<Item>,
    problems: Vec<String>,
}

/// One call in the making.
enum Item {
    Edits { target: Target, base: Option<String>, edits: Vec<Value> },
    Other { name: &'static str, args: Value, changes: bool },
}

/// What edits are of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    File(String),
    Cell { path: String, cell: String },
}

impl Collecting<'_> {
    fn block(&mut self, block: Block) -> Result<(), String> {
        match block {
            Block::Edit { path, base, lines, new } => {
                let target = self.target(path)?;
                let base = self.base(&target, base, lines)?;
                let edit = json!({"start": lines.start, "end": lines.end, "new": new});
                self.edit(target, Some(base), edit)
            }
            Block::Search { path, old, new } => {
                let target = self.target(path)?;
                self.edit(target, None, json!({"old": old, "new": new}))
            }
            Block::Create { path, text } => {
                match new_cell(&path) {
                    Some(place) => self.insert(place, &text)?,
                    None => self.other("doc.create", json!({"path": path, "text": text}), true),
                }
                Ok(())
            }
            Block::Show { path, lines } => {
                let target = self.target(path)?;
                for range in lines {
                    match &target {
                        Target::File(path) => {
                            self.other(
                                "doc.read",
                                json!({"path": path, "start": range.start, "end": range.end}),
                                false,
                            );
                        }
                        Target::Cell { path, cell } => {
                            // The first lines come with what the cell put out.
                            let mut args = json!({"path": path, "cells": [cell]});
                            if range.start > 1 {
                                args["start"] = json!(range.start);
                            }
                            self.other("notebook.read", args, false);
                        }
                    }
                }
                Ok(())
            }
            Block::Exec { command } => {
                self.other("shell.run", json!({"command": command}), true);
                Ok(())
            }
        }
    }

    fn other(&mut self, name: &'static str, args: Value, changes: bool) {
        self.items.push(Item::Other { name, args, changes });
    }

    fn path(&self, path: Option<String>) -> Result<String, String> {
        let focus = || self.shown.focus.as_ref().map(|path| path.as_str().to_owned());
        path.or_else(focus)
            .ok_or_else(|| "A block names no file, and the person is looking at none: write its path.".to_owned())
    }

    /// The file that is named, or the cell of the notebook that the person looks at.
    fn target(&self, path: Option<String>) -> Result<Target, String> {
        match path.as_deref().and_then(|path| path.strip_prefix("cell ")) {
            Some(cell) => {
                let cell = cell.trim().trim_matches('`').to_owned();
                Ok(Target::Cell { path: self.path(None)?, cell })
            }
            None => self.path(path).map(Target::File),
        }
    }

    fn insert(&mut self, mut place: Value, text: &str) -> Result<(), String> {
        let kind = place["kind"].take();
        let path = self.path(None)?;
        let cell = json!({"kind": kind, "source": text.strip_suffix('\n').unwrap_or(text)});
        let mut args = json!({"path": path, "cells": [cell]});
        for side in ["after", "before"] {
            if place[side].is_string() {
                args[side] = place[side].take();
            }
        }
        self.other("cell.insert", args, true);
        Ok(())
    }

    /// A range of lines means nothing without the version it was read in.
    fn base(&self, target: &Target, base: Option<String>, lines: LineRange) -> Result<String, String> {
        let (name, how) = match target {
            Target::File(path) => (path.clone(), path.clone()),
            Target::Cell { cell, .. } => (format!("cell {cell}"), format!("cell {cell}")),
        };
        let shown = || match target {
            Target::File(path) => self.shown.versions.get(&WorkspacePath::new(path).ok()?).cloned(),
            Target::Cell { path, cell } => self.shown.cell(&WorkspacePath::new(path).ok()?, cell).map(str::to_owned),
        };
        let what = if matches!(target, Target::File(_)) { "file" } else { "cell" };
        base.or_else(shown).ok_or_else(|| {
            format!(
                "Lines {}-{} of {name}: you have not been shown this {what} since it changed. Write `<<<SHOW {how} lines 1-200` first.",
                lines.start, lines.end
            )
        })
    }

    fn edit(&mut self, target: Target, base: Option<String>, edit: Value) -> Result<(), String> {
        let known = self.items.iter_mut().find_map(|item| match item {
            Item::Edits { target: own, base, edits } if *own == target => Some((base, edits)),
            _ => None,
        });
        let Some((known, edits)) = known else {
            self.items.push(Item::Edits { target, base, edits: vec![edit] });
            return Ok(());
        };
        if let (Some(one), Some(two)) = (&*known, &base)
            && one != two
        {
            let name = match &target {
                Target::File(path) => path.clone(),
                Target::Cell { cell, .. } => format!("cell {cell}"),
            };
            return Err(format!("Two blocks for {name} name different versions: use the one you were shown last."));
        }
        *known = known.take().or(base);
        edits.push(edit);
        Ok(())
    }

    fn finish(mut self) -> TextCalls {
        if !self.problems.is_empty() {
            let before = self.items.len();
            self.items.retain(|item| matches!(item, Item::Other { changes: false, .. }));
            if self.items.len() < before {
                self.problems.push("None of the changes of this answer was made.".to_owned());
            }
        }
        let calls = self.items.into_iter().enumerate().map(|(index, item)| item.into_call(index + 1)).collect();
        TextCalls { calls, problems: self.problems }
    }
}

impl Item {
    fn into_call(self, number: usize) -> ToolCall {
        let (name, args) = match self {
            Self::Edits { target, base, edits } => {
                let (name, version, path, cell) = match target {
                    Target::File(path) => ("doc.edit", "base", path, None),
                    Target::Cell { path, cell } => ("cell.edit", "version", path, Some(cell)),
                };
                let fields =
                    [("path", json!(path)), ("cell", json!(cell)), (version, json!(base)), ("edits", json!(edits))];
                let fields: BTreeMap<_, _> = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
                (name, json!(fields))
            }
            Self::Other { name, args, .. } => (name, args),
        };
        ToolCall { id: format!("block_{number}"), name: name.to_owned(), args, problem: None, from_text: true }
    }
}

/// What a CREATE block asks for if it is a cell: `code cell after KEY`, its kind and its place.
fn new_cell(path: &str) -> Option<Value> {
    let words: Vec<&str> = path.split_whitespace().collect();
    let (kind, rest) = match &words[..] {
        ["cell", rest @ ..] => ("code", rest),
        [kind @ ("code" | "markdown" | "raw"), "cell", rest @ ..] => (*kind, rest),
        _ => return None,
    };
    let mut place = json!({"kind": kind});
    match rest {
        [] => (),
        [side @ ("after" | "before"), key] => place[*side] = json!(key.trim_matches('`')),
        _ => return None,
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use crate::grammar;

    use super::*;

    fn shown() -> Shown {
        let path: WorkspacePath = "a.py".parse().unwrap();
        let versions = [(path.clone(), "0123456789ab".to_owned())].into();
        Shown { focus: Some(path), versions, ..Shown::default() }
    }

    fn convert(text: &str) -> TextCalls {
        text_calls(grammar::read(text), &shown())
    }

    #[test]
    fn all_edits_of_one_file_are_one_call_in_the_version_that_was_shown() {
        let text =
            "<<<EDIT lines 1-2\nx\n<<<END\n<<<SHOW b.py lines 1-9\n<<<END\n<<<SEARCH a.py\no\n>>>REPLACE\nn\n<<<END";
        let converted = convert(text);
        assert!(converted.problems.is_empty());
        let calls: Vec<_> = converted.calls.iter().map(|call| (call.name.as_str(), call.args.clone())).collect();
        let edits = json!([{"start": 1, "end": 2, "new": "x\n"}, {"old": "o\n", "new": "n\n"}]);
        assert_eq!(
            calls,
            [
                ("doc.edit", json!({"path": "a.py", "base": "0123456789ab", "edits": edits})),
                ("doc.read", json!({"path": "b.py", "start": 1, "end": 9})),
            ]
        );
    }

    #[test]
    fn one_bad_block_holds_back_every_change_and_no_question() {
        let converted =
            convert("<<<EDIT lines 1-2\nx\n<<<END\n<<<SHOW lines 1-9\n<<<END\n<<<EDIT lines 5-3\ny\n<<<END");
        assert_eq!(converted.calls.len(), 1);
        assert_eq!(converted.calls[0].name, "doc.read");
        assert_eq!(converted.problems.len(), 2);
        assert!(converted.problems[0].contains("line 6"), "{}", converted.problems[0]);
        assert!(converted.problems[1].contains("None of the changes"));
    }

    #[test]
    fn lines_of_a_file_that_was_not_shown_are_refused() {
        let converted = convert("<<<EDIT b.py lines 1-2\nx\n<<<END");
        assert!(converted.calls.is_empty());
        assert!(converted.problems[0].contains("not been shown"), "{:?}", converted.problems);
        let named = convert("<<<EDIT b.py lines 1-2 @ba9876543210\nx\n<<<END");
        assert_eq!(named.calls[0].args["base"], "ba9876543210");
    }

    #[test]
    fn blocks_that_name_a_cell_are_of_the_notebook_that_is_looked_at() {
        let path: WorkspacePath = "a.ipynb".parse().unwrap();
        let cells = [((path.clone(), "5f2c01aa".to_owned()), "0123456789ab".to_owned())].into();
        let shown = Shown { focus: Some(path), cells, ..Shown::default() };
        let text = "<<<EDIT cell 5f2c lines 2-3\nx\n<<<END\n<<<SEARCH cell 5f2c\no\n>>>REPLACE\nn\n<<<END\n\
                    <<<CREATE markdown cell after 5f2c01aa\n# T\n<<<END\n<<<SHOW cell `5f2c` lines 1-200\n<<<END";
        let converted = text_calls(grammar::read(text), &shown);
        assert_eq!(converted.problems, [""; 0]);
        let calls: Vec<_> = converted.calls.iter().map(|call| (call.name.as_str(), call.args.clone())).collect();
        let edits = json!([{"start": 2, "end": 3, "new": "x\n"}, {"old": "o\n", "new": "n\n"}]);
        let edit = json!({"path": "a.ipynb", "cell": "5f2c", "version": "0123456789ab", "edits": edits});
        let cells = json!([{"kind": "markdown", "source": "# T"}]);
        assert_eq!(
            calls,
            [
                ("cell.edit", edit),
                ("cell.insert", json!({"path": "a.ipynb", "cells": cells, "after": "5f2c01aa"})),
                ("notebook.read", json!({"path": "a.ipynb", "cells": ["5f2c"]})),
            ]
        );
        let unseen = text_calls(grammar::read("<<<EDIT cell 77 lines 1-1\nx\n<<<END"), &shown);
        assert!(unseen.calls.is_empty() && unseen.problems[0].contains("not been shown this cell"));
    }
}
