//! What is told of a notebook: never more than an answer holds, whatever is in it.

use std::fmt::Write as _;

use aside_doc::{Lines, NotebookCell};
use aside_kernels::SqlCell;
use aside_notebook::{CellKind, Raw};
use aside_workspace::SeenNotebook;
use serde_json::{Value, json};

use crate::{
    cells::{head_and_tail, outputs_of, sql_of, text_of_output, version},
    doc_read::moved,
};

/// Bytes of an answer, and of it for what is not asked for by name.
pub(super) const MOST_BYTES: usize = 48 * 1024;
/// What may come after that: a line or two that are begun before, a title, where to go on.
pub(super) const REST: usize = 3 * LINE;
const MOST_AROUND: usize = 12 * 1024;
/// Bytes of a notebook that is shown whole without being asked for.
const SMALL: usize = 16 * 1024;
/// Bytes of one output in a summary, and of one that is asked for.
const OUTPUT: usize = 2 * 1024;
const MOST_OUTPUT: usize = 16 * 1024;
/// Bytes of one output in a summary at least.
const LEAST: usize = 200;
/// Bytes of a line, and of the first line of a cell in short.
const LINE: usize = 2 * 1024;
const FIRST_LINE: usize = 120;
/// Lines that are found at most.
const MOST_FOUND: usize = 100;
/// Cells on either side that are shown with the one that is asked for.
const NEIGHBOURS: usize = 3;

/// What is asked for; places are from 0.
pub(super) enum Wanted {
    All,
    Range { from: usize, to: usize },
    Cells { places: Vec<usize>, start: usize, base: Option<String> },
    Around(usize),
    Find(String),
    Output { cell: usize, number: usize, start: usize },
}

/// What is told.
pub(super) struct Answer {
    pub text: String,
    pub data: Value,
    /// Something of it is what cells put out.
    pub has_outputs: bool,
    /// The forms of what is told of that, in order.
    pub forms: Vec<Raw>,
}

/// Answers in about so many bytes; the lines of cells end [`REST`] after them at most.
pub(super) fn answer(seen: &SeenNotebook, hidden: usize, wanted: &Wanted, most: usize) -> Answer {
    let mut telling =
        Telling { seen, most, text: head(seen, hidden), told: Vec::new(), has_outputs: false, forms: Vec::new() };
    match wanted {
        Wanted::All if telling.is_small() => telling.whole(&(0..seen.cells.len()).collect::<Vec<_>>(), 0),
        Wanted::All => telling.outline(0, seen.cells.len()),
        Wanted::Range { from, to } => telling.whole(&(*from..*to).collect::<Vec<_>>(), 0),
        Wanted::Cells { places, start, base } => {
            if let (Some(base), [at]) = (base, &places[..])
                && !version(&seen.cells[*at]).matches(base)
            {
                telling.text.push_str(moved(base).trim_start());
                telling.text.push('\n');
            }
            telling.whole(places, *start);
        }
        Wanted::Around(at) => telling.around(*at),
        Wanted::Find(text) => telling.find(text),
        Wanted::Output { cell, number, start } => telling.output(*cell, *number, *start),
    }
    let data = json!({"path": seen.path, "cells": seen.cells.len(), "hidden": hidden, "shown": telling.told});
    Answer { text: telling.text, data, has_outputs: telling.has_outputs, forms: telling.forms }
}

fn head(seen: &SeenNotebook, hidden: usize) -> String {
    let count = match seen.cells.len() {
        1 => "1 cell".to_owned(),
        count => format!("{count} cells"),
    };
    let language = seen.notebook.language().map(|language| format!(", {language}")).unwrap_or_default();
    let hidden = match hidden {
        0 => String::new(),
        1 => ", and 1 that the user keeps private".to_owned(),
        more => format!(", and {more} that the user keeps private"),
    };
    format!("{}, {count}{language}{hidden}\n", seen.path)
}

struct Telling<'a> {
    seen: &'a SeenNotebook,
    /// Bytes after which nothing new is begun.
    most: usize,
    text: String,
    /// The cells that were shown, as data.
    told: Vec<Value>,
    has_outputs: bool,
    forms: Vec<Raw>,
}

impl Telling<'_> {
    fn is_small(&self) -> bool {
        let sources: usize = self.seen.cells.iter().map(|cell| cell.source.len() + FIRST_LINE).sum();
        let outputs = self.seen.notebook.cells.iter().filter_map(|cell| cell.get("outputs"));
        sources + outputs.map(|outputs| outputs.as_str().len().min(OUTPUT)).sum::<usize>() <= SMALL.min(self.most)
    }

    /// Cells with all their lines, one after the other, as far as there is room.
    fn whole(&mut self, places: &[usize], start: usize) {
        for (told, at) in places.iter().enumerate() {
            if self.text.len() > self.most {
                let rest = places.len() - told;
                let _ = write!(self.text, "\n… {rest} more cells were asked for, from position {}", at + 1);
                return;
            }
            let room = self.most.saturating_sub(self.text.len()).max(LINE);
            self.cell(*at, start, room);
        }
    }

    /// One line a cell.
    fn outline(&mut self, from: usize, to: usize) {
        for at in from..to {
            if self.text.len() > self.most {
                let _ = writeln!(self.text, "… {} more cells, from position {}", to - at, at + 1);
                return;
            }
            self.in_short(at);
        }
    }

    fn around(&mut self, at: usize) {
        let (from, to) = (at.saturating_sub(NEIGHBOURS), (at + 1 + NEIGHBOURS).min(self.seen.cells.len()));
        self.outline(from, at);
        self.cell(at, 0, MOST_AROUND.min(self.most.saturating_sub(self.text.len())));
        self.text.push('\n');
        self.outline(at + 1, to);
    }

    fn find(&mut self, text: &str) {
        let (wanted, mut found) = (text.to_lowercase(), 0);
        for at in 0..self.seen.cells.len() {
            let cell = &self.seen.cells[at];
            let lines = cell.source.lines().zip(1..).filter(|(line, _)| line.to_lowercase().contains(&wanted));
            let lines: Vec<(&str, usize)> = lines.take(MOST_FOUND - found).collect();
            if lines.is_empty() {
                continue;
            }
            if self.text.len() > self.most {
                let _ = writeln!(self.text, "… more from position {} on; search for a longer text", at + 1);
                return;
            }
            found += lines.len();
            self.in_short(at);
            for (line, number) in lines {
                let _ = writeln!(self.text, "    {number}\t{}", cut(line, FIRST_LINE));
                if line.len() <= FIRST_LINE {
                    self.has_shown(number, number);
                }
            }
            if found == MOST_FOUND {
                let _ = writeln!(self.text, "… there may be more; search for a longer text");
                return;
            }
        }
        if found == 0 {
            self.text.push_str("No cell contains that text.\n");
        }
    }

    /// `[3] code load, 4 lines, 2 outputs: import numpy`
    fn in_short(&mut self, at: usize) {
        let cell = &self.seen.cells[at];
        let first = (1..).zip(cell.source.lines()).find(|(_, line)| !line.trim().is_empty());
        let title = self.title(at);
        let (number, line) = first.unwrap_or((0, "(empty)"));
        let told = cut(line.trim(), FIRST_LINE);
        let _ = writeln!(self.text, "{title}: {told}");
        if number > 0 && told == line {
            self.has_shown(number, number);
        }
    }

    fn title(&mut self, at: usize) -> String {
        let cell = &self.seen.cells[at];
        // The whole key: not every action takes the beginning of one.
        let (name, version, lines) = (&cell.key, version(cell), Lines::new(&cell.source).len());
        let outputs = self.seen.notebook.cell(&cell.key).and_then(|cell| cell.get("outputs"));
        let has_outputs = outputs.is_some_and(|outputs| outputs.as_str().len() > "[]".len());
        let mut told = json!({
            "cell": cell.key.0, "place": at + 1, "kind": cell.kind.name(), "version": version, "lines": lines, "shown": [],
            "has_outputs": has_outputs,
        });
        let sql = sql_of(cell);
        let asks = sql.as_ref().and_then(SqlCell::words).map(|asks| format!(", {asks}")).unwrap_or_default();
        if let Some(sql) = sql {
            (told["connection"], told["result"]) = (sql.connection.into(), sql.result.into());
        }
        self.told.push(told);
        let lines = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
        let outputs = if has_outputs { ", has outputs" } else { "" };
        let kind = if cell.kind == CellKind::Other(String::new()) { "unknown" } else { cell.kind.name() };
        format!("[{}] {kind} {name}{asks}, version {}, {lines}{outputs}", at + 1, version.short())
    }

    /// Notes that these lines of the cell that was named last are in the text, from 1.
    fn has_shown(&mut self, first: usize, last: usize) {
        if let Some(Value::Array(shown)) = self.told.last_mut().and_then(|told| told.get_mut("shown")) {
            shown.push(json!([first, last]));
        }
    }

    /// Adds a fact to the data about the cell that was named last.
    fn has(&mut self, name: &str, value: Value) {
        if let Some(told) = self.told.last_mut() {
            told[name] = value;
        }
    }

    fn cell(&mut self, at: usize, start: usize, room: usize) {
        let title = self.title(at);
        let _ = writeln!(self.text, "\n{title}");
        let cell = &self.seen.cells[at];
        let end = numbered(&mut self.text, &cell.source, start, room, "`cells` with this one and `start`");
        if end > start {
            self.has_shown(start + 1, end);
        }
        if start == 0 && end == Lines::new(&cell.source).len() && cell.source.len() <= self.most {
            self.has("source", cell.source.as_str().into());
        }
        if start == 0 {
            self.outputs(cell);
        }
    }

    fn outputs(&mut self, cell: &NotebookCell) {
        let Some(file) = self.seen.notebook.cell(&cell.key) else { return };
        let run = file.execution_count().map(|run| format!(" of run {run}")).unwrap_or_default();
        let outputs = match outputs_of(file) {
            Ok(outputs) => outputs,
            Err(size) => {
                let _ = writeln!(self.text, "outputs{run}: {size}, too large to summarize; `output` reads them");
                return;
            }
        };
        let count = outputs.len();
        let room = MOST_OUTPUT.min(self.most.saturating_sub(self.text.len()));
        let each = OUTPUT.min(room / count.max(1)).max(LEAST);
        self.has("outputs", json!([]));
        for (number, output) in (1..).zip(outputs) {
            self.has_outputs = true;
            if self.text.len() > self.most {
                let _ = writeln!(self.text, "… {} more outputs; continue with `output`: {number}", count + 1 - number);
                return;
            }
            let others =
                if output.others.is_empty() { String::new() } else { format!(", {}", output.others.join(", ")) };
            let _ = writeln!(self.text, "output {number}{run}: {}{others}", output.title);
            self.forms.extend(output.forms);
            let more = format!("`output`: {number} reads them");
            let text = output.text.map(|text| head_and_tail(text.trim_end_matches('\n'), each, &more));
            if let Some(text) = &text {
                let _ = writeln!(self.text, "{text}");
            }
            if let Some(Value::Array(outputs)) = self.told.last_mut().and_then(|told| told.get_mut("outputs")) {
                outputs.push(json!({"title": output.title, "text": text}));
            }
        }
    }

    fn output(&mut self, at: usize, number: usize, start: usize) {
        let title = self.title(at);
        let file = self.seen.notebook.cell(&self.seen.cells[at].key);
        let Some(output) = file.and_then(|cell| text_of_output(cell, number)) else {
            let _ = writeln!(self.text, "{title}\nThis cell has no output {number}.");
            return;
        };
        self.has_outputs = true;
        let others = if output.others.is_empty() { String::new() } else { format!(", {}", output.others.join(", ")) };
        let _ = writeln!(self.text, "{title}\noutput {number}: {}{others}", output.title);
        self.forms.extend(output.forms);
        match output.text {
            Some(text) => {
                numbered(&mut self.text, &text, start, MOST_OUTPUT.min(self.most), "the same `output` and `start`");
            }
            None => self.text.push_str("This output has no text.\n"),
        }
    }
}

/// Lines with their numbers, from 0 as `start`, as many as there is room for; returns the line it got to.
fn numbered(out: &mut String, text: &str, start: usize, room: usize, more: &str) -> usize {
    let (lines, before) = (Lines::new(text), out.len());
    for line in start..lines.len() {
        if out.len() - before > room {
            let _ = writeln!(out, "… {} more lines: continue with {more}: {}", lines.len() - line, line + 1);
            return line;
        }
        let _ = writeln!(out, "{}\t{}", line + 1, cut(lines.get(line), LINE));
    }
    lines.len()
}

/// The beginning of a line that is too long.
fn cut(line: &str, most: usize) -> String {
    let end = line.floor_char_boundary(most);
    if end == line.len() { line.to_owned() } else { format!("{} … ({} bytes)", &line[..end], line.len()) }
}
