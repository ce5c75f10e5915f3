//! Checks the ranges of a parsed note: for tests of any text.

use std::ops::Range;

use crate::{Note, Value};

impl Note {
    /// Returns the first range that does not lie within the text on whole characters, or line that does not count from 1;
    /// none if all do. `text` is the text that the note was parsed from.
    pub fn wrong_range(&self, text: &str) -> Option<Range<usize>> {
        let lines = 1 + text.bytes().filter(|byte| *byte == b'\n').count() as u32;
        let is_right = |range: &Range<usize>| text.get(range.clone()).is_some();
        let wrong_line = self.lines().find(|line| !(1..=lines).contains(line)).map(|line| line as usize..0);
        self.ranges().into_iter().find(|range| !is_right(range)).or(wrong_line)
    }

    fn lines(&self) -> impl Iterator<Item = u32> {
        let headings = self.headings.iter().map(|heading| heading.line);
        let todos = self.todos.iter().flat_map(|todo| [Some(todo.line), todo.parent]).flatten();
        headings.chain(todos).chain(self.links.iter().map(|link| link.line)).chain(self.tags.iter().map(|tag| tag.line))
    }

    fn ranges(&self) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> = self.title_range.iter().cloned().collect();
        all.push(self.body..self.body);
        for entry in self.front_matter.iter().flat_map(|found| &found.entries) {
            all.extend([entry.key_range.clone(), entry.value_range.clone()]);
            match &entry.value {
                Value::Text(scalar) => all.push(scalar.range.clone()),
                Value::Flow(items) | Value::Block(items) => all.extend(items.iter().map(|item| item.range.clone())),
                Value::Null | Value::Other => {}
            }
        }
        all.extend(self.front_matter.iter().flat_map(|found| [found.range.clone(), found.content.clone()]));
        all.extend(self.tags.iter().map(|tag| tag.range.clone()));
        all.extend(self.headings.iter().flat_map(|heading| [heading.range.clone(), heading.words.clone()]));
        all.extend(self.blocks.iter().map(|block| block.range.clone()));
        for link in &self.links {
            all.extend([link.range.clone(), link.target_range.clone()]);
            all.extend(link.anchor_range.clone());
        }
        for todo in &self.todos {
            all.extend([&todo.range, &todo.lines, &todo.bullet, &todo.mark_range, &todo.body].map(Clone::clone));
            all.extend(todo.signs.iter().flat_map(|sign| [sign.range.clone(), sign.value_range.clone()]));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Flavour, parse, parse_text};

    /// Pieces of notes, put together in any order.
    const PIECES: [&str; 62] = [
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "  ",
        "    ",
        "\t",
        "---\n",
        "...\n",
        "tags: ",
        "[a, b",
        "]",
        "\"",
        "title: x",
        ": ",
        "- ",
        "* ",
        "1. ",
        "[ ] ",
        "[x] ",
        "TODO ",
        "> ",
        "# ",
        "## ",
        "===\n",
        "```",
        "~~~\n",
        "`",
        "``",
        "$",
        "$$",
        "%%",
        "<!--",
        "-->",
        "<b ",
        ">",
        "[[",
        "]]",
        "|",
        "\\",
        "![",
        "](",
        ")",
        "(",
        "<",
        "#tag",
        "#",
        "/",
        "^id",
        "https://x.y/",
        "[r]: ",
        "📅 ",
        "2026-12-01",
        "🔁 every week",
        "due:2026-12-01 ",
        "(due ",
        "[due:: ",
        "ä",
        "日本",
        "\u{308}",
        "\u{feff}",
        "DEADLINE: <2026-12-01 Tue .+1w>",
    ];

    proptest! {
        #[test]
        fn ranges_lie_within_any_text(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
            let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
            for flavour in [Flavour::Markdown, Flavour::Logseq] {
                let note = parse_text(&"n.md".parse().unwrap(), &text, flavour);
                prop_assert_eq!(note.wrong_range(&text), None);
            }
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let note = parse(&"n.md".parse().unwrap(), &bytes, Flavour::Markdown);
            prop_assert_eq!(note.not_utf8, std::str::from_utf8(&bytes).is_err());
            let text = std::str::from_utf8(&bytes).unwrap_or_default();
            prop_assert_eq!(note.wrong_range(text), None);
        }
    }

    #[test]
    fn long_lines_take_time_by_their_length() {
        let start = std::time::Instant::now();
        for piece in [
            "word", "[[", "[", "](a (", "`` ` ", "$a ", "<!--", "%% ", "<a \"", "[x](<", "#a ", "📅 ", "(due ", "> ",
            "- ",
        ] {
            let text = format!("# x\n\n- [ ] {}", piece.repeat(1_200_000 / piece.len()));
            let note = parse_text(&"n.md".parse().unwrap(), &text, Flavour::Markdown);
            assert_eq!(note.wrong_range(&text), None, "{piece}");
            assert!(start.elapsed().as_secs() < 60, "{piece} takes too long");
        }
    }

    #[test]
    fn ten_thousand_todos_are_read() {
        let line = |number: usize| {
            format!("- [{}] todo {number} #g 📅 2027-01-02\n", if number.is_multiple_of(4) { 'x' } else { ' ' })
        };
        let text: String = (0..10_000).map(line).collect();
        let note = parse_text(&"n.md".parse().unwrap(), &text, Flavour::Markdown);
        assert_eq!((note.todos.len(), note.todos[9_999].line), (10_000, 10_000));
    }
}
