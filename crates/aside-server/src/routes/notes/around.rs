//! Lines and excerpts of a note, and relative paths.

use std::ops::Range;

use aside_core::WorkspacePath;

/// Bytes of a line that are shown, and of an excerpt.
const MOST_OF_LINE: usize = 300;
const MOST_OF_EXCERPT: usize = 2_000;
const MOST_LINES: usize = 24;

/// Returns a line, cut around a place in the text, and the place in it in UTF-16 units.
pub(super) fn line_at(text: &str, number: u32, place: Option<Range<usize>>) -> (String, [u32; 2]) {
    let Some(line) = text.split('\n').nth(number.saturating_sub(1) as usize) else { return (String::new(), [0, 0]) };
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let line = line.trim_end_matches('\r');
    let place = place.map_or(0..0, |place| {
        let within = |at: usize| line.floor_char_boundary(at.saturating_sub(start).min(line.len()));
        within(place.start)..within(place.end)
    });
    let from = if line.len() <= MOST_OF_LINE { 0 } else { place.start.saturating_sub(MOST_OF_LINE / 3) };
    let from = line.floor_char_boundary(from);
    let to = line.floor_char_boundary((from + MOST_OF_LINE).min(line.len())).max(from);
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    let (before, after) = (mark(from > 0), mark(to < line.len()));
    let units = |part: &str| part.encode_utf16().count() as u32;
    let first = units(before) + units(&line[from..place.start.clamp(from, to)]);
    let last = first + units(&line[place.start.clamp(from, to)..place.end.clamp(from, to)]);
    (format!("{before}{}{after}", &line[from..to]), [first, last])
}

/// Returns the first lines from a line on, as Markdown: to the next heading of a part, or so many.
pub(super) fn excerpt(text: &str, from: u32) -> String {
    let (mut excerpt, mut lines) = (String::new(), 0);
    for line in text.split_inclusive('\n').skip(from.saturating_sub(1) as usize) {
        let begins_next = lines > 0 && line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        if lines == MOST_LINES || excerpt.len() >= MOST_OF_EXCERPT || (begins_next && lines > 2) {
            break;
        }
        excerpt.push_str(line);
        lines += 1;
    }
    excerpt.truncate(excerpt.floor_char_boundary(MOST_OF_EXCERPT));
    excerpt.trim_end().to_owned()
}

/// Returns the path from a note's folder to a file, as the target of a Markdown link.
pub(super) fn relative(from: &WorkspacePath, to: &WorkspacePath) -> String {
    let folders: Vec<&str> = from.as_str().split('/').collect();
    let parts: Vec<&str> = to.as_str().split('/').collect();
    let most = (folders.len() - 1).min(parts.len() - 1);
    let shared = (0..most).take_while(|at| folders[*at] == parts[*at]).count();
    let up = "../".repeat(folders.len() - 1 - shared);
    up + &parts[shared..].iter().map(|part| encoded(part)).collect::<Vec<_>>().join("/")
}

/// A name as it can stand in `](…)`.
fn encoded(name: &str) -> String {
    let mut encoded = String::new();
    for character in name.chars() {
        match character {
            ' ' | '(' | ')' | '<' | '>' | '%' | '#' | '?' | '\\' | '"' => {
                encoded.push_str(&format!("%{:02X}", u32::from(character)));
            }
            _ => encoded.push(character),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_go_up_and_down() {
        let path = |from: &str, to: &str| relative(&from.parse().unwrap(), &to.parse().unwrap());
        assert_eq!(path("a/b/n.md", "a/c d/p.md"), "../c%20d/p.md");
        assert_eq!(path("n.md", "a/p (1).md"), "a/p%20%281%29.md");
        assert_eq!(path("a/n.md", "p.md"), "../p.md");
        assert_eq!(path("a/n.md", "a/n.md"), "n.md");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("x\n{}🎯[[n]]{}\r\n", "ä".repeat(400), "ö".repeat(400));
        let at = text.find("[[n]]").unwrap();
        let (line, [first, last]) = line_at(&text, 2, Some(at..at + 5));
        let units: Vec<u16> = line.encode_utf16().collect();
        assert_eq!(String::from_utf16_lossy(&units[first as usize..last as usize]), "[[n]]");
        assert!(line.starts_with('…') && line.ends_with('…') && line.len() < 320);
        assert_eq!(line_at("a\nb", 9, None), (String::new(), [0, 0]));
    }

    #[test]
    fn excerpts_end_at_the_next_part() {
        assert_eq!(excerpt("# A\n\ntext\n## B\nmore\n", 1), "# A\n\ntext");
        assert_eq!(excerpt("a\nb\n", 2), "b");
    }
}
