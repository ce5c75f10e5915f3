//! Turns the blocks of an answer into tool calls: the same actions that a model with tools asks for.
//!
//! All edits of one answer to one file become one call, so that they are made together or not at all, and changes of
//! several files become one plan. A block that can't be used holds back every change of the answer, and is answered.

mod action;
mod item;

use aside_core::{LineRange, ToolCall, WorkspacePath};
use item::{Item, Target, planned};
use serde_json::{Value, json};

use crate::{
    grammar::{Block, Reading},
    live::MOST_CALLS,
    numbered::{base_of, not_shown},
    shown::{Excerpts, Shown, merged},
    tasks::PLAN,
    tools::Tools,
};

/// What the blocks of one answer come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextCalls {
    /// In the order of the blocks.
    pub calls: Vec<ToolCall>,
    /// What can't be used, one sentence each, for the model and the person.
    pub problems: Vec<String>,
}

/// Converts what was read; `shown` says which file and which version is meant where none is named, and `tools` which
/// actions there are.
pub fn text_calls(reading: Reading, shown: &Shown, tools: &Tools) -> TextCalls {
    let mut collecting = Collecting { shown, tools, items: Vec::new(), problems: Vec::new() };
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
    tools: &'a Tools,
    items: Vec<Item>,
    problems: Vec<String>,
}

impl Collecting<'_> {
    fn block(&mut self, block: Block) -> Result<(), String> {
        match block {
            Block::Edit { path, base, lines, new } => {
                let target = self.target(path)?;
                let base = self.base(&target, base.as_deref(), lines)?;
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
            Block::Show { path, base, lines } => {
                let target = self.target(path)?;
                let base = base.or_else(|| Some(self.excerpts(&target)?.latest()?.to_owned()));
                for range in merged(lines) {
                    self.show(&target, base.as_deref(), range);
                }
                Ok(())
            }
            Block::Exec { command } => {
                self.other("shell.run", json!({"command": command}), true);
                Ok(())
            }
            Block::Action { name, args } => {
                self.items.push(action::action(&name, args, self.shown, self.tools)?);
                Ok(())
            }
        }
    }

    fn other(&mut self, name: &'static str, args: Value, changes: bool) {
        self.items.push(Item::Other { name, args, changes });
    }

    /// Asks for lines, and to be told if they are no longer of the version that was shown.
    fn show(&mut self, target: &Target, base: Option<&str>, lines: LineRange) {
        let (name, mut args) = match target {
            Target::File(path) => ("doc.read", json!({"path": path, "start": lines.start, "end": lines.end})),
            // The first lines come with what the cell put out.
            Target::Cell { path, cell } if lines.start == 1 => {
                ("notebook.read", json!({"path": path, "cells": [cell]}))
            }
            Target::Cell { path, cell } => {
                ("notebook.read", json!({"path": path, "cells": [cell], "start": lines.start}))
            }
        };
        if let Some(base) = base {
            args["base"] = json!(base);
        }
        self.other(name, args, false);
    }

    fn path(&self, path: Option<String>) -> Result<String, String> {
        let focus = || self.shown.focus.as_ref().map(|path| path.as_str().to_owned());
        path.or_else(focus)
            .ok_or_else(|| "A block names no file, and the user has no file open: write its path.".to_owned())
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

    /// What the model was shown of a file or a cell.
    fn excerpts(&self, target: &Target) -> Option<&Excerpts> {
        match target {
            Target::File(path) => self.shown.files.get(&WorkspacePath::new(path).ok()?),
            Target::Cell { path, cell } => self.shown.cell(&WorkspacePath::new(path).ok()?, cell),
        }
    }

    fn base(&self, target: &Target, base: Option<&str>, lines: LineRange) -> Result<String, String> {
        let (LineRange { start, end }, name) = (lines, target.name());
        base_of(base, lines, self.excerpts(target))
            .ok_or_else(|| format!("{} Write `<<<SHOW {name} lines {start}-{end}` first.", not_shown(lines, &name)))
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
            let name = target.name();
            return Err(format!(
                "Two blocks for {name} use lines of different versions, {one} and {two}. First read both ranges with \
                 `<<<SHOW {name}`, or edit them in two answers."
            ));
        }
        *known = known.take().or(base);
        edits.push(edit);
        Ok(())
    }

    fn finish(mut self) -> TextCalls {
        let asked = self.items.len();
        if asked > MOST_CALLS {
            let problem = format!(
                "Your answer makes {asked} requests, more than the maximum of {MOST_CALLS}. None of them were \
                 carried out: make fewer at once."
            );
            return TextCalls { calls: Vec::new(), problems: vec![problem] };
        }
        if !self.problems.is_empty() {
            self.items.retain(|item| !item.changes());
            if self.items.len() < asked {
                self.problems.push("None of the changes of this answer was made.".to_owned());
            }
        }
        let items = if self.tools.covers(PLAN) { planned(self.items) } else { self.items };
        let calls = items.into_iter().enumerate().map(|(index, item)| item.into_call(index + 1)).collect();
        TextCalls { calls, problems: self.problems }
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
mod tests;
