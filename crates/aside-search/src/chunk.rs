//! Cutting texts into pieces: at headings, then at empty lines, each small enough for models of meaning.

use crate::Chunk;

/// Bytes above which a piece is cut. Small models of meaning read 256 tokens, about as many as this has.
const MOST: usize = 700;
/// Bytes after which an empty line ends a piece.
const ENOUGH: usize = 490;

/// Cuts Markdown: a heading begins a piece, and stands above those that follow.
pub fn markdown(text: &str) -> Vec<Chunk> {
    let mut cut = Cut::default();
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut fence: Option<&str> = None;
    let body = body_line(text);
    for (number, line) in lines(text) {
        let mark = fence_mark(line);
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if mark.starts_with(open) => fence = None,
            _ => {}
        }
        let found = if fence.is_none() && mark.is_none() && number >= body { heading(line) } else { None };
        let Some((level, words)) = found else {
            cut.line(number, line);
            continue;
        };
        cut.section(number);
        above.retain(|(other, _)| *other < level);
        above.push((level, words));
        cut.headings = above.iter().map(|(_, words)| words.clone()).collect();
    }
    cut.ended()
}

/// Cuts code and plain text.
pub fn plain(text: &str) -> Vec<Chunk> {
    let mut cut = Cut::default();
    for (number, line) in lines(text) {
        cut.line(number, line);
    }
    cut.ended()
}

/// Cuts cells of a notebook, counted from 1.
pub fn cells<'a>(cells: impl IntoIterator<Item = &'a str>) -> Vec<Chunk> {
    let mut all = Vec::new();
    for (number, cell) in (1..).zip(cells) {
        let pieces = plain(cell).into_iter();
        all.extend(pieces.map(|piece| Chunk { line: number, end: number, text_line: number, ..piece }));
    }
    all
}

/// Lines from 1, without their ends.
fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines())
}

/// The first line after the front matter.
fn body_line(text: &str) -> u32 {
    let mut lines = lines(text);
    let opens = lines.next().is_some_and(|(_, line)| line.trim_start_matches('\u{feff}').trim_end() == "---");
    let end = lines.find(|(_, line)| matches!(line.trim_end(), "---" | "..."));
    end.filter(|_| opens).map_or(1, |(number, _)| number + 1)
}

/// The run of backticks or tildes that opens or closes a block of code, in lists and quotes too.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '>', '-', '*', '+']);
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(sign).len();
    (length >= 3).then(|| &line[..length])
}

fn heading(line: &str) -> Option<(usize, String)> {
    let line =
        line.strip_prefix("   ").or_else(|| line.strip_prefix("  ")).or_else(|| line.strip_prefix(' ')).unwrap_or(line);
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    if !(1..=6).contains(&level) || !words.starts_with([' ', '\t']) {
        return None;
    }
    let words = words.trim().trim_end_matches('#').trim_end();
    let words = words.rfind('{').filter(|_| words.ends_with('}')).map_or(words, |at| words[..at].trim_end());
    Some((level, words.replace(['`', '*'], "")))
}

/// The pieces so far and the one that grows.
#[derive(Default)]
struct Cut {
    done: Vec<Chunk>,
    headings: Vec<String>,
    /// The line of a heading that has no piece yet.
    heading: Option<u32>,
    text: String,
    first: u32,
    last: u32,
}

impl Cut {
    fn line(&mut self, number: u32, line: &str) {
        if !self.text.is_empty() && self.text.len() + line.len() > MOST {
            self.flush();
        }
        let mut rest = line;
        while rest.len() > MOST {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(MOST));
            self.add(number, piece);
            self.flush();
            rest = after;
        }
        self.add(number, rest);
        if self.text.len() > ENOUGH && line.trim().is_empty() {
            self.flush();
        }
    }

    fn add(&mut self, number: u32, line: &str) {
        if self.text.is_empty() {
            self.first = number;
        } else {
            self.text.push('\n');
        }
        self.text.push_str(line);
        if self.text.is_empty() {
            return;
        }
        self.last = number;
    }

    fn section(&mut self, number: u32) {
        self.flush();
        self.bare_heading();
        self.heading = Some(number);
    }

    /// A heading without text is found too.
    fn bare_heading(&mut self) {
        if let Some(line) = self.heading.take() {
            self.done.push(Chunk {
                line,
                end: line,
                headings: self.headings.clone(),
                text: String::new(),
                text_line: line,
            });
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        let line = self.heading.take().unwrap_or(self.first);
        self.done.push(Chunk { line, end: self.last, headings: self.headings.clone(), text, text_line: self.first });
    }

    fn ended(mut self) -> Vec<Chunk> {
        self.flush();
        self.bare_heading();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(chunks: &[Chunk]) -> Vec<(u32, u32, String, &str)> {
        chunks.iter().map(|chunk| (chunk.line, chunk.end, chunk.headings.join(" > "), chunk.text.trim())).collect()
    }

    #[test]
    fn headings_cut_and_stand_above() {
        let text = "---\ntitle: x\n# no\n---\nintro\n# A `b` {#id}\none\n## C\n### D ##\ntwo\n```\n# code\n```\n# E\n";
        assert_eq!(
            shape(&markdown(text)),
            [
                (1, 5, String::new(), "---\ntitle: x\n# no\n---\nintro"),
                (6, 7, "A b".into(), "one"),
                (8, 8, "A b > C".into(), ""),
                (9, 13, "A b > C > D".into(), "two\n```\n# code\n```"),
                (14, 14, "E".into(), ""),
            ]
        );
    }

    #[test]
    fn long_lines_are_cut_not_lost() {
        let line = "wörd ".repeat(1_000);
        let chunks = plain(&format!("{line}\nlast"));
        assert!(chunks.iter().all(|chunk| chunk.text.len() <= MOST));
        assert_eq!(
            chunks.iter().map(|chunk| chunk.text.as_str()).collect::<String>().replace('\n', ""),
            format!("{line}last")
        );
    }

    #[test]
    fn cells_count_from_one() {
        assert_eq!(shape(&cells(["a", "", "b\nc"])), [(1, 1, String::new(), "a"), (3, 3, String::new(), "b\nc")]);
    }
}
