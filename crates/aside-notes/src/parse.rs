//! Parses a note.

use std::ops::Range;

use aside_core::WorkspacePath;

use crate::{
    Flavour, FrontMatterKind, Note, NoteProblem, NoteProblemKind, day_of_name, day_of_words,
    front_matter::front_matter, scan::scan,
};

const BOM: char = '\u{feff}';

/// Parses the bytes of a note. A file that is no UTF-8 has a title and a problem, and nothing else.
pub fn parse(path: &WorkspacePath, bytes: &[u8], flavour: Flavour) -> Note {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse_text(path, text, flavour),
        Err(_) => {
            let problem = NoteProblem { line: 1, kind: NoteProblemKind::NotUtf8, detail: String::new() };
            let note = parse_text(path, "", flavour);
            Note { problems: vec![problem], not_utf8: true, length: bytes.len(), ..note }
        }
    }
}

/// Parses the text of a note.
pub fn parse_text(path: &WorkspacePath, text: &str, flavour: Flavour) -> Note {
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let (front_matter, problems) = front_matter(text, start, flavour);
    let body = front_matter.as_ref().map_or(start, |found| found.range.end);
    let before = text[..body].bytes().filter(|byte| *byte == b'\n').count();
    let found = scan(text, body, before, flavour);
    let mut tags = Vec::new();
    let mut aliases = Vec::new();
    let mut written = None;
    if let Some(front_matter) = &front_matter {
        (tags, aliases) = (front_matter.tags(text), front_matter.aliases(text));
        written = front_matter.title().map(|title| (title.text.trim().to_owned(), title.range.clone()));
    }
    tags.extend(found.tags);
    let daily = daily(path, flavour, written.as_ref());
    let date = front_matter.as_ref().and_then(crate::FrontMatter::date).or(daily);
    let (title, title_range) = match written.or(found.title) {
        Some((title, range)) => (title, Some(range)),
        None => (name_title(path, flavour), None),
    };
    Note {
        path: path.clone(),
        flavour,
        title,
        title_range,
        aliases,
        tags,
        front_matter,
        body,
        headings: found.headings,
        blocks: found.blocks,
        links: found.links,
        todos: found.todos,
        problems,
        daily,
        date,
        not_utf8: false,
        length: text.len(),
    }
}

/// Tells whether a path is that of a note: it ends in `.md` or `.markdown`, in any case.
pub fn is_note(path: &WorkspacePath) -> bool {
    let name = path.name();
    stem(name).len() < name.len()
}

/// Returns a file name without the ending of a note.
pub fn stem(name: &str) -> &str {
    let ending = [".md", ".markdown"].into_iter().find(|ending| {
        name.len() > ending.len()
            && name.is_char_boundary(name.len() - ending.len())
            && name[name.len() - ending.len()..].eq_ignore_ascii_case(ending)
    });
    ending.map_or(name, |ending| &name[..name.len() - ending.len()])
}

/// The title that a note has by its name. In a Logseq graph, `___` is `/`, and signs may be percent-encoded.
fn name_title(path: &WorkspacePath, flavour: Flavour) -> String {
    let name = stem(path.name());
    match flavour {
        Flavour::Markdown => name.to_owned(),
        Flavour::Logseq => crate::scan::decoded(&name.replace("___", "/")),
    }
}

fn daily(
    path: &WorkspacePath,
    flavour: Flavour,
    written: Option<&(String, Range<usize>)>,
) -> Option<jiff::civil::Date> {
    let name = stem(path.name());
    let by_name = day_of_name(name).or_else(|| match flavour {
        Flavour::Logseq => day_of_name(&name_title(path, flavour)),
        Flavour::Markdown => None,
    });
    by_name.or_else(|| day_of_words(&written?.0))
}

impl Note {
    /// Returns the first line behind the front matter, from 1. `text` is the text that the note was parsed from.
    pub fn first_line(&self, text: &str) -> u32 {
        1 + text.bytes().take(self.body).filter(|byte| *byte == b'\n').count() as u32
    }

    /// Tells whether its tags can be changed: its front matter is read, and it is UTF-8.
    pub fn takes_tags(&self) -> bool {
        let is_open = |found: &crate::FrontMatter| !found.broken || found.kind == FrontMatterKind::Logseq;
        !self.not_utf8 && self.front_matter.as_ref().is_none_or(is_open)
    }
}
