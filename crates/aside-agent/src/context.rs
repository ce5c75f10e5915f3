//! What is sent along with a message: the file the person looks at, whole if it is small, else a window.
//!
//! One function returns exactly the text that is sent, with its lines and its version.

use aside_core::{
    ContextChip, FileAgent, FileKind, Focus, FocusScope, LineRange, Observation, Sha256, ShownImage, Version,
    WorkspacePath,
};
use serde_json::Value;

/// A file up to this many lines and bytes is sent whole: a rename has to see all of it.
pub const WHOLE_LINES: u32 = 400;
pub const WHOLE_BYTES: usize = 16 * 1024;
/// Lines and bytes of a window, and the lines around what it is about.
const WINDOW_LINES: u32 = 100;
const WINDOW_BYTES: usize = 8 * 1024;
const AROUND: u32 = 10;
/// Bytes of a single line in a window.
const LINE_BYTES: usize = 2 * 1024;

/// Lines of a file as they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the first one.
    pub start: u32,
    /// The lines, without terminators and numbers.
    pub lines: Vec<String>,
    /// How many lines the file has.
    pub total: u32,
    /// The version of the file.
    pub version: Version,
}

impl Excerpt {
    /// Reads the data of a `doc.read`.
    pub fn from_data(data: &Value) -> Option<Self> {
        let number = |name: &str| u32::try_from(data[name].as_u64()?).ok();
        let text = data["text"].as_str()?;
        Some(Self {
            start: number("start")?,
            lines: text.lines().map(str::to_owned).collect(),
            total: number("lines")?,
            version: Version::parse(data["version"].as_str()?)?,
        })
    }

    /// The same lines of a text, as they would be read.
    pub fn of_text(text: &str, lines: LineRange) -> Self {
        let start = lines.start.max(1);
        let count = (lines.end + 1).saturating_sub(start) as usize;
        let shown = text.lines().skip(start as usize - 1).take(count).map(str::to_owned).collect();
        let total = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        Self { start, lines: shown, total, version: Sha256::of(text) }
    }

    /// Tells whether this is all of a file that is small enough to be sent whole.
    pub fn is_small_file(&self) -> bool {
        let bytes: usize = self.lines.iter().map(|line| line.len() + 1).sum();
        self.start <= 1 && self.total <= WHOLE_LINES && self.lines.len() >= self.total as usize && bytes <= WHOLE_BYTES
    }
}

/// Lines and bytes of a file that the person wants to be sent whole.
pub const LONGEST_LINES: u32 = 2_000;
const LONGEST_BYTES: usize = 64 * 1024;

/// Returns the same place with only what is selected in it, if something is.
pub fn selected(focus: &Focus) -> Option<Focus> {
    focus.selection?;
    Some(Focus { scope: Some(FocusScope::Selection), viewport: None, ..focus.clone() })
}

/// Returns the lines to read around what the person looks at, in a file of `total` lines.
pub fn window(focus: &Focus, total: u32) -> LineRange {
    let anchor = anchor(focus, total);
    // Who chose some lines wants those to be sent, and no others.
    let around = if matches!(focus.scope, None | Some(FocusScope::Cursor)) { AROUND } else { 0 };
    let end = (anchor.end + around).min(total.max(1));
    let wide = LineRange { start: anchor.start.saturating_sub(around).max(1), end };
    if wide.end - wide.start < WINDOW_LINES || focus.scope == Some(FocusScope::Whole) {
        return wide;
    }
    let inside = |line: &u32| anchor.start <= *line && *line <= anchor.end;
    let middle = focus.cursor.filter(inside).unwrap_or(anchor.start + (anchor.end - anchor.start) / 2);
    let start = middle.saturating_sub(WINDOW_LINES / 2).clamp(wide.start, wide.end + 1 - WINDOW_LINES);
    LineRange { start, end: start + WINDOW_LINES - 1 }
}

/// The selection, else what is visible, else the cursor, else the beginning.
fn anchor(focus: &Focus, total: u32) -> LineRange {
    let total = total.max(1);
    let cursor = focus.cursor.map(|line| LineRange { start: line, end: line });
    let chosen = match focus.scope {
        Some(FocusScope::Cursor) => cursor,
        Some(FocusScope::Selection) => focus.selection.or(cursor),
        Some(FocusScope::Viewport) => focus.viewport.or(cursor),
        Some(FocusScope::Whole) => Some(LineRange { start: 1, end: LONGEST_LINES }),
        Some(FocusScope::Nothing) | None => focus.selection.or(focus.viewport).or(cursor),
    };
    let range = chosen.unwrap_or(LineRange { start: 1, end: WINDOW_LINES });
    let start = range.start.clamp(1, total);
    LineRange { start, end: range.end.clamp(start, total) }
}

/// Tells whether a file is a notebook by its name.
pub fn is_notebook(path: &WorkspacePath) -> bool {
    FileKind::of_name(path.name()).is_some_and(|kind| kind.facts().agent() == FileAgent::Notebook)
}

/// Why something is sent along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The person has it before their eyes.
    Looks,
    /// The person named it in the message.
    Names,
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Self::Looks => "The user is looking at",
            Self::Names => "The user mentions",
        }
    }
}

/// Returns what is sent of a file, and what the person sees of that.
pub fn chip(why: Why, focus: &Focus, excerpt: Excerpt) -> ContextChip {
    let whole = excerpt.is_small_file() && matches!(focus.scope, None | Some(FocusScope::Whole));
    let (start, lines) = if whole { (1, excerpt.lines) } else { bounded(focus, &excerpt) };
    let whole = whole || (start == 1 && lines.len() >= excerpt.total as usize);
    let end = start + u32::try_from(lines.len()).unwrap_or(0) - u32::from(!lines.is_empty());
    let part = match (whole, lines.is_empty()) {
        (_, true) => "It is empty.".to_owned(),
        (true, _) => "Full text:".to_owned(),
        (false, _) => format!("Lines {start}-{end}; read the rest if needed:"),
    };
    let numbered = lines.iter().zip(start..).map(|(line, number)| format!("{number}\t{line}\n"));
    let text = format!(
        "[Aside] {} `{}`, version {}, {} lines.{}\n{part}\n{}",
        why.words(),
        focus.path,
        excerpt.version.short(),
        excerpt.total,
        place(focus, excerpt.total),
        numbered.collect::<String>(),
    );
    ContextChip {
        label: label(focus, excerpt.total),
        path: Some(focus.path.clone()),
        version: Some(excerpt.version),
        lines: (!lines.is_empty()).then_some(LineRange { start, end }),
        text,
        image: None,
        source: None,
        instructions: None,
    }
}

/// Returns what is sent of an image.
pub fn image(why: Why, focus: &Focus, image: ShownImage) -> ContextChip {
    let size = image.bytes.div_ceil(1000);
    ContextChip {
        label: format!("{}, an image", focus.path.name()),
        path: Some(focus.path.clone()),
        version: None,
        lines: None,
        text: format!("[Aside] {} `{}`, an image ({}, {size} kB).", why.words(), focus.path, image.kind),
        image: Some(image),
        source: None,
        instructions: None,
    }
}

/// Returns what is sent of a notebook, as `notebook.read` told it.
pub fn notebook(why: Why, focus: &Focus, read: &Observation) -> ContextChip {
    let shown = || read.data["shown"].as_array().into_iter().flatten();
    let cell = focus.cell.as_deref().and_then(|key| shown().find(|cell| cell["cell"].as_str() == Some(key)));
    let name = focus.path.name();
    let (label, at) = match (&focus.cell, cell) {
        (Some(key), Some(cell)) => {
            let line = |name: &str, lines: &str| match (focus.selection, focus.cursor) {
                (Some(range), _) if range.end >= range.start => format!("{lines} {}-{}", range.start, range.end),
                (_, Some(cursor)) => format!("{name} {cursor}"),
                _ => String::new(),
            };
            let (number, kind) = (&cell["place"], cell["kind"].as_str().unwrap_or_default());
            let (label, place) = (line(", line", ", lines"), line(", in line", ", with selected lines"));
            (format!("Cell {number} ({kind}) of {name}{label}"), format!(", cell `{key}` at position {number}{place}"))
        }
        _ => (name.to_owned(), String::new()),
    };
    ContextChip {
        label,
        path: Some(focus.path.clone()),
        version: None,
        lines: None,
        text: format!("[Aside] {} the notebook `{}`{at}.\n{}", why.words(), focus.path, read.text),
        image: None,
        source: None,
        instructions: None,
    }
}

/// Returns what is sent of a file that can be read neither as text nor as an image.
pub fn unreadable(why: Why, focus: &Focus, reason: &str) -> ContextChip {
    ContextChip {
        label: format!("{}, not sent", focus.path.name()),
        path: Some(focus.path.clone()),
        version: None,
        lines: None,
        text: format!("[Aside] {} `{}`, which can't be shown: {reason}", why.words(), focus.path),
        image: None,
        source: None,
        instructions: None,
    }
}

/// Drops lines farthest from the anchor until the rest is small enough.
fn bounded(focus: &Focus, excerpt: &Excerpt) -> (u32, Vec<String>) {
    let anchor = anchor(focus, excerpt.total);
    let lines: Vec<String> = excerpt.lines.iter().map(|line| shortened(line)).collect();
    let (mut first, mut last) = (0, lines.len());
    let mut bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    let most = if focus.scope == Some(FocusScope::Whole) { LONGEST_BYTES } else { WINDOW_BYTES };
    while bytes > most && last - first > 1 {
        let number = |index: usize| excerpt.start + u32::try_from(index).unwrap_or(u32::MAX);
        let (above, below) = (anchor.start.saturating_sub(number(first)), number(last - 1).saturating_sub(anchor.end));
        let gone = if above > below {
            first += 1;
            first - 1
        } else {
            last -= 1;
            last
        };
        bytes -= lines[gone].len() + 1;
    }
    (excerpt.start + u32::try_from(first).unwrap_or(0), lines[first..last].to_vec())
}

fn shortened(line: &str) -> String {
    if line.len() <= LINE_BYTES {
        return line.to_owned();
    }
    let head = &line[..line.floor_char_boundary(LINE_BYTES / 2)];
    let tail = &line[line.ceil_char_boundary(line.len() - LINE_BYTES / 2)..];
    format!("{head} [… {} bytes omitted …] {tail}", line.len() - head.len() - tail.len())
}

fn place(focus: &Focus, total: u32) -> String {
    let cursor = focus.cursor.filter(|line| *line <= total).map(|line| format!(" The cursor is at line {line}."));
    let selected = focus.selection.filter(|lines| lines.end >= lines.start && lines.start <= total).map(|lines| {
        let (start, end) = (lines.start, lines.end.min(total));
        if start == end { format!(" Line {start} is selected.") } else { format!(" Lines {start}-{end} are selected.") }
    });
    selected.or(cursor).unwrap_or_default()
}

fn label(focus: &Focus, total: u32) -> String {
    let name = focus.path.name();
    match (focus.selection, focus.cursor) {
        _ if focus.scope == Some(FocusScope::Whole) => format!("All of {name}"),
        _ if focus.scope == Some(FocusScope::Viewport) => format!("Visible lines of {name}"),
        (Some(lines), _) if lines.start == lines.end => format!("Line {} of {name} selected", lines.start),
        (Some(lines), _) if lines.end > lines.start => {
            format!("Lines {}–{} of {name} selected", lines.start, lines.end.min(total))
        }
        (_, Some(cursor)) => format!("Cursor at line {cursor} of {name}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Sha256;
    use proptest::prelude::*;

    use super::*;

    fn focus(cursor: Option<u32>, selection: Option<(u32, u32)>, viewport: Option<(u32, u32)>) -> Focus {
        let range = |(start, end)| LineRange { start, end };
        Focus {
            path: "src/model.py".parse().unwrap(),
            cell: None,
            cursor,
            selection: selection.map(range),
            viewport: viewport.map(range),
            scope: None,
        }
    }

    fn excerpt(start: u32, count: u32, total: u32, width: usize) -> Excerpt {
        let lines = (start..start + count).map(|number| format!("{number}{}", "x".repeat(width))).collect();
        Excerpt { start, lines, total, version: Sha256::of("text") }
    }

    #[test]
    fn a_small_file_is_sent_whole_with_numbers_and_version() {
        let chip = chip(Why::Looks, &focus(Some(2), None, None), excerpt(1, 3, 3, 0));
        insta::assert_snapshot!(chip.text, @r"
        [Aside] The user is looking at `src/model.py`, version 982d9e3eb996, 3 lines. The cursor is at line 2.
        Full text:
        1	1
        2	2
        3	3
        ");
        assert_eq!(chip.label, "Cursor at line 2 of model.py");
        assert_eq!(chip.lines, Some(LineRange { start: 1, end: 3 }));
    }

    #[test]
    fn a_window_lies_around_the_selection_else_the_visible_lines_else_the_cursor() {
        let range = |start, end| LineRange { start, end };
        assert_eq!(window(&focus(Some(5), Some((500, 510)), Some((1, 50))), 1000), range(490, 520));
        assert_eq!(window(&focus(Some(5), None, Some((300, 340))), 1000), range(290, 350));
        assert_eq!(window(&focus(Some(5), None, None), 1000), range(1, 15));
        assert_eq!(window(&focus(None, None, None), 1000), range(1, 100));
        assert_eq!(window(&focus(Some(400), None, Some((100, 600))), 1000), range(350, 449));
        assert_eq!(window(&focus(Some(5000), None, None), 1000), range(990, 1000));
    }

    #[test]
    fn what_the_person_chose_is_sent_and_no_more() {
        let at = |scope| Focus { scope: Some(scope), ..focus(Some(50), Some((10, 12)), Some((40, 60))) };
        let range = |start, end| LineRange { start, end };
        assert_eq!(window(&at(FocusScope::Cursor), 1000), range(40, 60));
        assert_eq!(window(&at(FocusScope::Selection), 1000), range(10, 12));
        assert_eq!(window(&at(FocusScope::Viewport), 1000), range(40, 60));
        assert_eq!(window(&at(FocusScope::Whole), 1000), range(1, 1000));
        assert_eq!(window(&at(FocusScope::Whole), 9000), range(1, 2000));
        let sent = chip(Why::Looks, &at(FocusScope::Selection), excerpt(10, 3, 100, 0));
        assert_eq!(sent.lines, Some(range(10, 12)));
        assert!(sent.text.contains("Lines 10-12; read the rest if needed:"), "{}", sent.text);
        let sent = chip(Why::Looks, &at(FocusScope::Whole), excerpt(1, 2000, 9000, 100));
        assert!(sent.text.len() < LONGEST_BYTES + 12 * LONGEST_LINES as usize);
    }

    #[test]
    fn an_empty_file_is_said_to_be_empty() {
        let chip = chip(Why::Looks, &focus(None, None, None), excerpt(1, 0, 0, 0));
        assert!(chip.text.ends_with("It is empty.\n"), "{}", chip.text);
        assert_eq!(chip.lines, None);
    }

    #[test]
    fn an_empty_file_has_a_window_too() {
        assert_eq!(window(&focus(None, None, None), 0), LineRange { start: 1, end: 1 });
    }

    proptest! {
        #[test]
        fn what_is_sent_is_bounded_and_numbered_as_it_says(
            cursor in prop::option::of(1u32..3000),
            selection in prop::option::of((1u32..2000, 0u32..800)),
            viewport in prop::option::of((1u32..2000, 0u32..800)),
            total in 0u32..2500,
            width in 0usize..400,
        ) {
            let span = |(start, length): (u32, u32)| (start, start + length);
            let focus = focus(cursor, selection.map(span), viewport.map(span));
            let range = window(&focus, total);
            prop_assert!(range.start >= 1 && range.end <= total.max(range.start) && range.end < range.start + WINDOW_LINES);
            let count = range.end.min(total) + 1 - range.start.min(total + 1);
            let sent = chip(Why::Looks, &focus, excerpt(range.start, count, total, width));
            prop_assert!(sent.text.len() <= WHOLE_BYTES + 12 * WHOLE_LINES as usize);
            if let Some(lines) = sent.lines {
                let first = format!("\n{}\t{}x", lines.start, lines.start);
                let last = format!("\n{}\t{}x", lines.end, lines.end);
                prop_assert!(width == 0 || (sent.text.contains(&first) && sent.text.contains(&last)), "{}", sent.text);
            }
        }

        #[test]
        fn one_endless_line_is_cut_in_the_middle(length in 0usize..100_000) {
            let excerpt = Excerpt { lines: vec!["é".repeat(length)], ..excerpt(1, 1, 1, 0) };
            let sent = chip(Why::Looks, &focus(None, None, None), excerpt);
            prop_assert!(sent.text.len() < WHOLE_BYTES + 300);
        }
    }
}
