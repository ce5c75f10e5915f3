//! A notebook as text: what was not changed as it was, byte for byte; what was, in the file's own layout.

use std::ops::Range;

use crate::{Cell, Member, Notebook, Raw, notebook::ReadNotebook, style::Style};

/// A piece of a text and what comes in its place.
type Replaced = (Range<usize>, String);

impl Notebook {
    /// Writes it.
    pub fn write(&self) -> String {
        match self.as_read() {
            Some(read) => changed(self, read),
            None => self.write_new(),
        }
    }

    fn write_new(&self) -> String {
        let text = self.write_canonical();
        match self.as_upgraded() {
            Some(upgraded) if *upgraded.as_four == text => upgraded.file.to_string(),
            _ => text,
        }
    }

    /// Writes all of it anew, to the byte as the format's own writer in Python does; but texts and numbers of a file keep
    /// their spelling, such as `\u00e9`.
    pub fn write_canonical(&self) -> String {
        let style = Style::canonical();
        let cells: Vec<String> = self.cells.iter().map(|cell| canonical_cell(cell, &style)).collect();
        let mut members: Vec<(&str, String)> =
            others(self.members()).map(|member| (member.name.as_str(), style.value(&member.value, 1))).collect();
        members.push(("cells", style.array(&cells, 1)));
        members.sort_by(|a, b| a.0.cmp(b.0));
        style.object(&members, 0) + "\n"
    }
}

fn canonical_cell(cell: &Cell, style: &Style) -> String {
    match cell.as_read() {
        Some(read) if cell.members().is_empty() => style.value(&read.whole, 2),
        _ => {
            let mut members: Vec<_> =
                cell.members().iter().map(|member| (member.name.as_str(), style.value(&member.value, 3))).collect();
            members.sort_by(|a, b| a.0.cmp(b.0));
            style.object(&members, 2)
        }
    }
}

fn others(members: &[Member]) -> impl Iterator<Item = &Member> {
    members.iter().filter(|member| member.name != "cells")
}

fn changed(notebook: &Notebook, read: &ReadNotebook) -> String {
    let cells = replaced_cells(notebook, read);
    let text = if same_names(notebook.members(), &read.members) {
        let mut pieces = replaced_values(notebook.members(), &read.members, read, 1);
        pieces.extend(cells);
        with(&read.text, 0..read.text.len(), pieces)
    } else {
        let cells = with(&read.text, read.cells.span(), cells);
        let member = |member: &Member| {
            let value = if member.name == "cells" { cells.clone() } else { written(&member.value, read, 1) };
            (member.name.clone(), value)
        };
        let members: Vec<(String, String)> = notebook.members().iter().map(member).collect();
        let members: Vec<(&str, String)> = members.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        with(&read.text, 0..read.text.len(), vec![(read.whole.span(), read.style.object(&members, 0))])
    };
    if read.has_mark { format!("\u{feff}{text}") } else { text }
}

/// Returns what changes in the file's cells: single values, whole cells, or, where their order or number changed, the list.
fn replaced_cells(notebook: &Notebook, read: &ReadNotebook) -> Vec<Replaced> {
    if notebook.cells.iter().map(Cell::key).eq(&read.keys) {
        return notebook.cells.iter().flat_map(|cell| replaced_in_cell(cell, read)).collect();
    }
    let items: Vec<String> = notebook.cells.iter().map(|cell| written_cell(cell, read)).collect();
    vec![(read.cells.span(), read.style.array(&items, 1))]
}

fn replaced_in_cell(cell: &Cell, read: &ReadNotebook) -> Vec<Replaced> {
    match cell.as_read() {
        Some(before) if same_names(cell.members(), &before.members) => {
            replaced_values(cell.members(), &before.members, read, 3)
        }
        Some(before) => vec![(before.whole.span(), whole_cell(cell, read))],
        None => Vec::new(),
    }
}

fn written_cell(cell: &Cell, read: &ReadNotebook) -> String {
    match cell.as_read().filter(|before| before.whole.is_from(&read.text)) {
        Some(before) => with(&read.text, before.whole.span(), replaced_in_cell(cell, read)),
        None => whole_cell(cell, read),
    }
}

fn whole_cell(cell: &Cell, read: &ReadNotebook) -> String {
    let members: Vec<_> =
        cell.members().iter().map(|member| (member.name.as_str(), written(&member.value, read, 3))).collect();
    read.style.object(&members, 2)
}

fn same_names(members: &[Member], before: &[Member]) -> bool {
    members.iter().map(|member| &member.name).eq(before.iter().map(|member| &member.name))
}

fn replaced_values(members: &[Member], before: &[Member], read: &ReadNotebook, depth: usize) -> Vec<Replaced> {
    let pairs = members.iter().zip(before).filter(|(member, before)| member.value != before.value);
    pairs.map(|(member, before)| (before.value.span(), written(&member.value, read, depth))).collect()
}

/// Returns a value as it is to be written: what stands in the file as it stands there.
fn written(value: &Raw, read: &ReadNotebook, depth: usize) -> String {
    if value.is_from(&read.text) { value.as_str().to_owned() } else { read.style.value(value, depth) }
}

/// Returns a part of a text with pieces of it replaced.
fn with(text: &str, part: Range<usize>, mut pieces: Vec<Replaced>) -> String {
    pieces.sort_by_key(|(span, _)| span.start);
    let mut written = String::with_capacity(part.len());
    let mut at = part.start;
    for (span, piece) in pieces {
        written.push_str(&text[at..span.start]);
        written.push_str(&piece);
        at = span.end;
    }
    written.push_str(&text[at..part.end]);
    written
}
