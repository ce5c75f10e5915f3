//! A notebook as text: what was not changed as it was, byte for byte; what was, in the file's own layout.

use std::collections::HashMap;

use crate::{Cell, CellKey, Member, Notebook, notebook::ReadNotebook, rewrite::Site, style::Style};

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
    let styles = read.styles();
    let site = Site { text: &read.text, style: &styles.other, depth: 0, line: Some(""), inline: false };
    let written = site.object(&read.whole, &read.members, notebook.members(), |site, name, old, new| {
        if name == "cells" && old.span() == read.cells.span() {
            return cells(Site { style: &styles.cells, ..site }, notebook, read);
        }
        site.rewritten(old, new)
    });
    let text = [&read.text[..read.whole.span().start], &written, &read.text[read.whole.span().end..]].concat();
    if read.has_mark { format!("\u{feff}{text}") } else { text }
}

/// Writes the list of cells: those of the file with what changed in them, wherever they stand now.
fn cells(site: Site<'_>, notebook: &Notebook, read: &ReadNotebook) -> String {
    let places: HashMap<&CellKey, usize> = read.keys.iter().enumerate().map(|(at, key)| (key, at)).collect();
    let of_file = |cell: &&Cell| cell.as_read().is_some_and(|before| before.whole.is_from(&read.text));
    let slots = |site: Site<'_>| {
        let slot = |cell: &Cell| {
            let place = Some(cell).filter(of_file).and_then(|cell| places.get(cell.key()).copied());
            (place, written_cell(site, cell))
        };
        notebook.cells.iter().map(slot).collect()
    };
    site.array_of(&read.cells, &read.items, slots).unwrap_or_else(|| {
        let site = Site { depth: site.depth + 1, line: None, ..site };
        let cells: Vec<String> = notebook.cells.iter().map(|cell| written_cell(site, cell)).collect();
        site.style.array(&cells, site.depth - 1)
    })
}

fn written_cell(site: Site<'_>, cell: &Cell) -> String {
    match cell.as_read() {
        Some(before) if before.members == cell.members() => site.anew(&before.whole),
        Some(before) if before.whole.is_from(site.text) => {
            site.object(&before.whole, &before.members, cell.members(), |site, _, old, new| site.rewritten(old, new))
        }
        _ => site.object_anew(cell.members()),
    }
}
