//! Finds the front matter of a note and reads its title, tags and aliases.

use std::ops::Range;

use jiff::civil::Date;

use super::{FrontMatter, FrontMatterEntry, FrontMatterKind, Scalar, Value, logseq, yaml};
use crate::{Flavour, NoteProblem, NoteProblemKind, TagPlace, date_at_start, tag::place_of};

/// The front matter at the start of a text, which begins at `start` (behind a BOM), and its problems.
pub(crate) fn front_matter(text: &str, start: usize, flavour: Flavour) -> (Option<FrontMatter>, Vec<NoteProblem>) {
    if let Some((range, content)) = fences(text, start) {
        return yaml_front_matter(text, range, content);
    }
    if flavour == Flavour::Logseq {
        let (entries, end) = logseq::entries(text, start);
        let problems = duplicates(&entries);
        let kind = FrontMatterKind::Logseq;
        let found = FrontMatter { kind, range: start..end, content: start..end, entries, broken: false };
        return ((!found.entries.is_empty()).then_some(found), problems);
    }
    (None, Vec::new())
}

/// The bytes of a front matter with its fences, and of the lines between them.
fn fences(text: &str, start: usize) -> Option<(Range<usize>, Range<usize>)> {
    let mut at = line_end(text, start);
    if text[start..at].trim_end() != "---" {
        return None;
    }
    let first = at;
    while at < text.len() {
        let end = line_end(text, at);
        if matches!(text[at..end].trim_end(), "---" | "...") {
            return Some((start..end, first..at));
        }
        at = end;
    }
    None
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at + 1)
}

fn yaml_front_matter(
    text: &str,
    range: Range<usize>,
    content: Range<usize>,
) -> (Option<FrontMatter>, Vec<NoteProblem>) {
    let kind = FrontMatterKind::Yaml;
    let of = |entries, broken| Some(FrontMatter { kind, range, content: content.clone(), entries, broken });
    match yaml::entries(&text[content.clone()]) {
        Ok(Some(mut entries)) => {
            entries.iter_mut().for_each(|entry| shift(entry, content.start));
            let problems = duplicates(&entries);
            (of(entries, false), problems)
        }
        Ok(None) => (of(Vec::new(), true), Vec::new()),
        Err(broken) => {
            let line = 2 + text[content.start..content.start + broken.at].bytes().filter(|byte| *byte == b'\n').count();
            let kind = NoteProblemKind::BrokenFrontMatter;
            (of(Vec::new(), true), vec![NoteProblem { line: line as u32, kind, detail: broken.reason }])
        }
    }
}

/// Makes the places of an entry those of the whole text.
fn shift(entry: &mut FrontMatterEntry, by: usize) {
    let moved = |range: &mut Range<usize>| *range = range.start + by..range.end + by;
    entry.line += 1;
    moved(&mut entry.key_range);
    moved(&mut entry.value_range);
    match &mut entry.value {
        Value::Text(scalar) => moved(&mut scalar.range),
        Value::Flow(items) | Value::Block(items) => items.iter_mut().for_each(|item| moved(&mut item.range)),
        Value::Null | Value::Other => {}
    }
}

fn duplicates(entries: &[FrontMatterEntry]) -> Vec<NoteProblem> {
    let is_second = |at: usize| entries[..at].iter().any(|earlier| earlier.key == entries[at].key);
    let problem = |at: usize| NoteProblem {
        line: entries[at].line,
        kind: NoteProblemKind::DuplicateKey,
        detail: entries[at].key.clone(),
    };
    (0..entries.len()).filter(|at| is_second(*at)).map(problem).collect()
}

impl FrontMatter {
    /// Returns the title: a text or a number that is not empty.
    pub(crate) fn title(&self) -> Option<&Scalar> {
        match &self.entry("title")?.value {
            Value::Text(scalar) if !scalar.text.trim().is_empty() && !is_truth(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the tags, in the order in which they stand.
    pub(crate) fn tags(&self, text: &str) -> Vec<TagPlace> {
        let items = self.items(text, &["tags", "tag"], |character| character == ',' || character.is_whitespace());
        let place = |item: Scalar| {
            let name = item.text.trim().trim_start_matches('#').trim_end_matches('/').trim();
            let is_name = has_sign(name) && !(item.plain && is_null(name));
            let line = 1 + text[..item.range.start].bytes().filter(|byte| *byte == b'\n').count() as u32;
            is_name.then(|| place_of(name, line, item.range, true))
        };
        items.into_iter().filter_map(place).collect()
    }

    /// Returns the other names of the note.
    pub(crate) fn aliases(&self, text: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for item in self.items(text, &["aliases", "alias"], |character| character == ',') {
            let name = item.text.trim().trim_start_matches('#').trim();
            let is_nothing = name.is_empty() || (item.plain && is_null(name));
            if !is_nothing && !names.iter().any(|other| other == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Returns the day of `date`, else of `created`.
    pub(crate) fn date(&self) -> Option<Date> {
        let day = |key: &str| match &self.entry(key)?.value {
            Value::Text(scalar) => date_at_start(scalar.text.trim()).map(|(day, _)| day),
            _ => None,
        };
        day("date").or_else(|| day("created"))
    }

    /// Returns the items of the entries that count of some keys, in the order in which they stand.
    fn items(&self, text: &str, keys: &[&str], splits: impl Fn(char) -> bool) -> Vec<Scalar> {
        let mut entries: Vec<&FrontMatterEntry> = keys.iter().filter_map(|key| self.entry(key)).collect();
        entries.sort_by_key(|entry| entry.key_range.start);
        let mut items = Vec::new();
        for entry in entries {
            match &entry.value {
                Value::Flow(found) | Value::Block(found) => items.extend(found.iter().cloned()),
                Value::Text(scalar) if self.kind == FrontMatterKind::Logseq => {
                    items.extend(logseq::items(&scalar.text, scalar.range.start));
                }
                Value::Text(scalar) => items.extend(parts(scalar, text, &splits)),
                Value::Null | Value::Other => {}
            }
        }
        items
    }
}

/// Splits a text into its items. Their bytes are known if the text is written as it is read.
fn parts(scalar: &Scalar, text: &str, splits: impl Fn(char) -> bool) -> Vec<Scalar> {
    let written = &text[scalar.range.clone()];
    let inner = written.find(&*scalar.text).map(|at| scalar.range.start + at);
    let part = |part: &str| {
        let trimmed = part.trim();
        let at = trimmed.as_ptr() as usize - scalar.text.as_ptr() as usize;
        let range = inner.map_or(scalar.range.clone(), |start| start + at..start + at + trimmed.len());
        Scalar { text: trimmed.to_owned(), range, plain: scalar.plain }
    };
    scalar.text.split(splits).filter(|part| !part.trim().is_empty()).map(part).collect()
}

fn is_null(text: &str) -> bool {
    matches!(text, "null" | "Null" | "NULL" | "~")
}

fn is_truth(scalar: &Scalar) -> bool {
    scalar.plain && matches!(&*scalar.text.to_ascii_lowercase(), "true" | "false")
}

/// Tells whether there is anything but digits and dividers.
fn has_sign(name: &str) -> bool {
    name.chars().any(|character| !character.is_numeric() && !matches!(character, '_' | '-' | '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<FrontMatter>, Vec<(u32, &'static str)>) {
        let (found, problems) = front_matter(text, 0, Flavour::Markdown);
        (found, problems.iter().map(|problem| (problem.line, problem.kind.words())).collect())
    }

    fn tags(text: &str) -> Vec<String> {
        read(text).0.map_or_else(Vec::new, |found| found.tags(text).into_iter().map(|tag| tag.name).collect())
    }

    #[test]
    fn tags_are_read_in_all_forms() {
        assert_eq!(tags("---\ntags: [a, 'b c', \"#d\", 2024, null, \"null\"]\n---\n"), ["a", "b c", "d", "null"]);
        assert_eq!(tags("---\r\ntags:\r\n  - ä/b/\r\n  - 'x, y'\r\ntag: one\r\n---\r\n"), ["ä/b", "x, y", "one"]);
        assert_eq!(tags("---\ntags: a, #b c\n---\n"), ["a"], "YAML takes ` #b c` for a comment");
        assert_eq!(tags("---\ntags: 'a, #b c'\n...\n"), ["a", "b", "c"]);
        assert_eq!(tags("---\ntags:\n---\n"), [""; 0]);
        assert_eq!(tags("---\ntags: [a]\ntags: [b]\n---\n"), ["b"]);
        assert_eq!(tags("---\ntags: [a, [b], c]\nx:\n  tags: [no]\n---\n"), [""; 0]);
    }

    #[test]
    fn ranges_are_those_of_the_written_value() {
        let text = "---\nütags: ü # comment\ntags:\n  - \"ä\"\n  - b # x\nflow: [ a, b ]\nempty:\nmap: {a: b}\nlast: |\n  x\n  y\n\n---\nbody";
        let found = read(text).0.unwrap();
        let written: Vec<_> = found
            .entries
            .iter()
            .map(|entry| (&text[entry.key_range.clone()], &text[entry.value_range.clone()]))
            .collect();
        let expected = [
            ("ütags", "ü"),
            ("tags", "- \"ä\"\n  - b"),
            ("flow", "[ a, b ]"),
            ("empty", ""),
            ("map", "{a: b}"),
            ("last", "|\n  x\n  y"),
        ];
        assert_eq!(written, expected);
        assert_eq!(&text[found.range.end..], "body");
        assert_eq!(found.entries[1].line, 3);
    }

    #[test]
    fn broken_yaml_is_a_problem_with_its_line() {
        let broken = |text: &str| read(text).1;
        assert_eq!(broken("---\ntitle: \"not closed\ntags: [a, b\n---\n"), [(2, "broken front matter")]);
        assert_eq!(broken("---\na: 1\ntags: [a, b\n---\n"), [(3, "broken front matter")]);
        assert_eq!(broken("---\ntitle: a: b\n---\n"), [(2, "broken front matter")]);
        assert_eq!(broken("---\ntags:\n\t- a\n---\n"), [(3, "broken front matter")]);
        assert_eq!(broken("---\na: 1\nb: 2\na: 3\n---\n"), [(4, "duplicate key")]);
        assert!(broken("---\n---\n").is_empty() && broken("---\nnever closed\n").is_empty());
        assert!(read("---\n- a\n---\n").0.unwrap().broken, "a list has no place for tags");
    }

    #[test]
    fn logseq_lines_at_the_top_are_front_matter() {
        let text = "tags:: a, [[b, c]], #d\nalias:: x\ntitle:: T\n\nno:: more";
        let (found, _) = front_matter(text, 0, Flavour::Logseq);
        let found = found.unwrap();
        let names: Vec<_> = found.tags(text).into_iter().map(|tag| (tag.name, tag.line)).collect();
        assert_eq!(names, [("a".to_owned(), 1), ("b, c".to_owned(), 1), ("d".to_owned(), 1)]);
        assert_eq!((found.aliases(text), found.title().map(|title| &*title.text)), (vec!["x".to_owned()], Some("T")));
        assert_eq!(found.entries.len(), 3);
    }
}
