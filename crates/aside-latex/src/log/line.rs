//! The lines of a log as they were before TeX broke them.

use std::ops::Range;

/// Programs break what they write at this many bytes or characters: pdfTeX and XeTeX at 79, LuaTeX at 80.
const BREAKS: [usize; 2] = [79, 80];
/// The longest line that is put together; what is longer is cut.
const LONGEST: usize = 8 * 1024;

/// One line, put together again.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    /// Where it is in the log, without its line end.
    pub(super) raw: Range<usize>,
}

/// All lines of a log, in order.
pub(super) fn lines(log: &[u8]) -> impl Iterator<Item = Line> {
    let mut rest = physical(log).peekable();
    std::iter::from_fn(move || {
        let first = rest.next()?;
        let mut raw = first.clone();
        let mut bytes = cut(&log[first.clone()]).to_vec();
        let mut last = first;
        while was_broken(&log[last.clone()]) && bytes.len() < LONGEST {
            let Some(next) = rest.next_if(|next| !begins_anew(&log[next.clone()])) else { break };
            bytes.extend_from_slice(cut(&log[next.clone()]));
            raw.end = next.end;
            last = next;
        }
        Some(Line { text: String::from_utf8_lossy(&bytes).into_owned(), raw })
    })
}

fn physical(log: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    log.split(|&byte| byte == b'\n').map(move |line| {
        let from = start;
        start += line.len() + 1;
        from..from + line.strip_suffix(b"\r").unwrap_or(line).len()
    })
}

fn cut(line: &[u8]) -> &[u8] {
    &line[..line.len().min(LONGEST)]
}

fn was_broken(line: &[u8]) -> bool {
    if !(BREAKS[0]..=4 * BREAKS[1]).contains(&line.len()) || line.ends_with(b"...") {
        return false;
    }
    BREAKS.contains(&line.len()) || BREAKS.contains(&String::from_utf8_lossy(line).chars().count())
}

/// A line that is no rest of another, though the one before is as long as a broken one.
fn begins_anew(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 11] = [
        b"! ",
        b"l.",
        b"(./",
        b"(/",
        b"LaTeX ",
        b"Package ",
        b"Class ",
        b"Overfull \\",
        b"Underfull \\",
        b"Runaway ",
        b"Latexmk: ",
    ];
    line.is_empty() || STARTS.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(log: &str, expect: &[&str]) {
        let found: Vec<_> = lines(log.as_bytes()).map(|line| line.text).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn puts_broken_lines_together() {
        let long = "x".repeat(79);
        check(&format!("{long}\nrest\nnext"), &[&format!("{long}rest"), "next"]);
        check(&format!("{long}\r\n{long}\r\nrest"), &[&format!("{long}{long}rest")]);
        check(&format!("{}...\nnext", "x".repeat(76)), &[&format!("{}...", "x".repeat(76)), "next"]);
        check(&format!("{long}\n! Undefined"), &[&long, "! Undefined"]);
    }

    #[test]
    fn a_character_cut_in_two_is_whole_again() {
        let mut log = "y".repeat(78).into_bytes();
        log.extend_from_slice(b"\xc3\n\xa4z");
        assert_eq!(lines(&log).next().unwrap().text, format!("{}äz", "y".repeat(78)));
        check(&format!("{}\nrest", "ä".repeat(79)), &[&format!("{}rest", "ä".repeat(79))]);
    }

    #[test]
    fn says_where_a_line_is() {
        let log = format!("a\n{}\nrest\nb", "x".repeat(79));
        let found: Vec<_> = lines(log.as_bytes()).map(|line| &log[line.raw]).collect();
        assert_eq!(found, ["a", &log[2..86], "b"]);
    }
}
