//! Finds the heading or block that a link means in a note.

use std::collections::HashMap;

use crate::{Note, folded};

/// Returns the line of `Heading`, `A#B` (B below A) or `^block`.
pub(super) fn line_of(note: &Note, anchor: &str, by_slug: bool) -> Option<u32> {
    if let Some(id) = anchor.strip_prefix('^') {
        return note.blocks.iter().find(|block| block.id.eq_ignore_ascii_case(id)).map(|block| block.line);
    }
    let found = by_words(note, anchor).or_else(|| nested(note, anchor));
    found.or_else(|| if by_slug { by_anchor(note, anchor) } else { None })
}

/// A heading's words as they compare: without case, white space and signs that links can't have.
fn bare(text: &str) -> String {
    let kept = |sign: &char| !sign.is_whitespace() && !matches!(sign, '#' | '|' | '^' | ':' | '%' | '[' | ']');
    folded(&text.chars().filter(kept).collect::<String>())
}

fn by_words(note: &Note, anchor: &str) -> Option<u32> {
    let wanted = bare(anchor);
    let fits = |text: &str| !wanted.is_empty() && bare(text) == wanted;
    note.headings.iter().find(|heading| fits(&heading.text)).map(|heading| heading.line)
}

/// `A#B`: the heading B in the part below A.
fn nested(note: &Note, anchor: &str) -> Option<u32> {
    let parts: Vec<String> = anchor.split('#').map(bare).filter(|part| !part.is_empty()).collect();
    let (mut from, mut level, mut line) = (0, 0, None);
    for part in &parts {
        let below = note.headings[from..].iter().take_while(|heading| heading.level > level || line.is_none());
        let at = below.into_iter().position(|heading| bare(&heading.text) == *part)?;
        let heading = &note.headings[from + at];
        (from, level, line) = (from + at + 1, heading.level, Some(heading.line));
    }
    line
}

/// By slug; the second heading with one slug has `-1` behind it.
fn by_anchor(note: &Note, anchor: &str) -> Option<u32> {
    let wanted = folded(anchor);
    let mut seen: HashMap<&str, u32> = HashMap::new();
    note.headings.iter().find_map(|heading| {
        let count = seen.entry(&heading.slug).or_default();
        let slug = if *count == 0 { heading.slug.clone() } else { format!("{}-{count}", heading.slug) };
        *count += 1;
        (folded(&slug) == wanted).then_some(heading.line)
    })
}

#[cfg(test)]
mod tests {
    use crate::{Flavour, parse_text};

    #[test]
    fn anchors_find_headings_and_blocks() {
        let text = "# A: one\n## Sub\n# B\n## Sub\ntext ^id-1\n## What is *this*?\n## C # D\n";
        let note = parse_text(&"n.md".parse().unwrap(), text, Flavour::Markdown);
        for (anchor, by_slug, line) in [
            ("a one", false, Some(1)),
            ("Sub", false, Some(2)),
            ("B#Sub", false, Some(4)),
            ("A one#B", false, None),
            ("^ID-1", false, Some(5)),
            ("^none", false, None),
            ("what-is-this", true, Some(6)),
            ("what-is-this", false, None),
            ("sub-1", true, Some(4)),
            ("C # D", false, Some(7)),
            ("C#D", false, Some(7)),
        ] {
            assert_eq!(note.anchor_line(anchor, by_slug), line, "{anchor}");
        }
    }
}
