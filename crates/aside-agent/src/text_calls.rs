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
    Edits { path: String, base: Option<String>, edits: Vec<Value> },
    Other { name: &'static str, args: Value, changes: bool },
}

impl Collecting<'_> {
    fn block(&mut self, block: Block) -> Result<(), String> {
        match block {
            Block::Edit { path, base, lines, new } => {
                let path = self.path(path)?;
                let base = self.base(&path, base, lines)?;
                let edit = json!({"start": lines.start, "end": lines.end, "new": new});
                self.edit(path, Some(base), edit)
            }
            Block::Search { path, old, new } => {
                let path = self.path(path)?;
                self.edit(path, None, json!({"old": old, "new": new}))
            }
            Block::Create { path, text } => {
                self.other("doc.create", json!({"path": path, "text": text}), true);
                Ok(())
            }
            Block::Show { path, lines } => {
                let path = self.path(path)?;
                for range in lines {
                    self.other("doc.read", json!({"path": path, "start": range.start, "end": range.end}), false);
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

    /// A range of lines means nothing without the version it was read in.
    fn base(&self, path: &str, base: Option<String>, lines: LineRange) -> Result<String, String> {
        let shown = || self.shown.versions.get(&WorkspacePath::new(path).ok()?).cloned();
        base.or_else(shown).ok_or_else(|| {
            format!(
                "Lines {}-{} of {path}: you have not been shown this file since it changed. Write `<<<SHOW {path} lines 1-200` first.",
                lines.start, lines.end
            )
        })
    }

    fn edit(&mut self, path: String, base: Option<String>, edit: Value) -> Result<(), String> {
        let known = self.items.iter_mut().find_map(|item| match item {
            Item::Edits { path: own, base, edits } if *own == path => Some((base, edits)),
            _ => None,
        });
        let Some((known, edits)) = known else {
            self.items.push(Item::Edits { path, base, edits: vec![edit] });
            return Ok(());
        };
        if let (Some(one), Some(two)) = (&*known, &base)
            && one != two
        {
            return Err(format!("Two blocks for {path} name different versions: use the one you were shown last."));
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
            Self::Edits { path, base, edits } => {
                let fields = [("path", json!(path)), ("base", json!(base)), ("edits", json!(edits))];
                let fields: BTreeMap<_, _> = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
                ("doc.edit", json!(fields))
            }
            Self::Other { name, args, .. } => (name, args),
        };
        ToolCall { id: format!("block_{number}"), name: name.to_owned(), args, problem: None, from_text: true }
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar;

    use super::*;

    fn shown() -> Shown {
        let path: WorkspacePath = "a.py".parse().unwrap();
        Shown { focus: Some(path.clone()), versions: [(path, "0123456789ab".to_owned())].into() }
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
}
