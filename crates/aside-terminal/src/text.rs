//! The text that a terminal shows, for models and the command line.
//!
//! A grid of characters without colours: a prompt that is drawn again, a progress bar or a full-screen program reads as
//! a person sees it. The parser of escape sequences is the crate `vte`; the grid is our own, as it needs no attributes,
//! keeps the lines that scroll away, and joins those that wrap.

mod grid;

use std::collections::VecDeque;

use aside_core::TerminalSize;
use unicode_width::UnicodeWidthChar as _;
use vte::{Params, Perform};

use grid::{Grid, Row};

/// Characters of a line that wraps: a longer one is broken.
const LONGEST_LINE: usize = 16 << 10;

/// The text of a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenText {
    /// The last lines, without blanks at their ends; lines that wrap are whole.
    pub lines: Vec<String>,
    /// A full-screen program draws: these are its rows.
    pub full_screen: bool,
    /// There were more lines.
    pub cut: bool,
}

/// A terminal that only knows characters.
pub(crate) struct Screen {
    size: (usize, usize),
    most: usize,
    main: Grid,
    alternate: Option<Grid>,
    history: VecDeque<String>,
    /// The beginning of a line that wraps, the rest of which is still in the grid.
    wrapping: String,
    cut: bool,
    last: char,
}

impl Screen {
    /// Makes an empty one that keeps so many lines.
    pub fn new(size: TerminalSize, most: usize, alternate: bool) -> Self {
        let size = (usize::from(size.rows).max(1), usize::from(size.cols).max(2));
        Self {
            size,
            most,
            main: Grid::new(size),
            alternate: alternate.then(|| Grid::new(size)),
            history: VecDeque::new(),
            wrapping: String::new(),
            cut: false,
            last: ' ',
        }
    }

    /// Returns what it shows.
    pub fn text(mut self) -> ScreenText {
        if let Some(grid) = self.alternate {
            let lines = without_blank_end(grid.rows.iter().map(|row| row.text()).collect());
            return ScreenText { lines, full_screen: true, cut: false };
        }
        for row in std::mem::take(&mut self.main.rows) {
            self.keep(&row);
        }
        let rest = std::mem::take(&mut self.wrapping);
        self.history.push_back(rest);
        let mut lines = without_blank_end(self.history.into());
        let more = lines.len().saturating_sub(self.most);
        lines.drain(..more);
        ScreenText { lines, full_screen: false, cut: self.cut || more > 0 }
    }

    /// Keeps a row that is scrolled away.
    fn keep(&mut self, row: &Row) {
        self.wrapping.push_str(&row.text());
        if row.wraps && self.wrapping.len() < LONGEST_LINE {
            return;
        }
        self.history.push_back(std::mem::take(&mut self.wrapping));
        // The rows of the screen come behind these.
        if self.history.len() > self.most + self.size.0 {
            self.history.pop_front();
            self.cut = true;
        }
    }

    fn grid(&mut self) -> &mut Grid {
        self.alternate.as_mut().unwrap_or(&mut self.main)
    }

    fn scrolled(&mut self, away: Vec<Row>) {
        if self.alternate.is_none() {
            away.iter().for_each(|row| self.keep(row));
        }
    }

    fn put(&mut self, character: char) {
        let away = self.grid().put(character, character.width().unwrap_or_default());
        self.scrolled(away);
        self.last = character;
    }

    fn line_feed(&mut self) {
        let away = self.grid().line_feed();
        self.scrolled(away);
    }

    fn set_alternate(&mut self, on: bool) {
        match (on, self.alternate.is_some()) {
            (true, false) => {
                let mut grid = Grid::new(self.size);
                grid.at = self.main.at;
                self.alternate = Some(grid);
            }
            (false, true) => self.alternate = None,
            _ => {}
        }
    }

    fn reset(&mut self) {
        (self.main, self.alternate) = (Grid::new(self.size), None);
        self.wrapping.clear();
    }

    fn erase_display(&mut self, part: u16) {
        if part == 3 {
            self.history.clear();
            self.wrapping.clear();
            self.cut = false;
        }
        self.grid().erase_display(part);
    }
}

impl Perform for Screen {
    fn print(&mut self, character: char) {
        // DEL counts as a character for the parser.
        if !character.is_control() {
            self.put(character);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' | 0x0b | 0x0c => self.line_feed(),
            b'\r' => self.grid().go_to_column(0),
            0x08 => self.grid().left(1),
            b'\t' => self.grid().tab(),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        if ignore {
            return;
        }
        let numbers: Vec<u16> = params.iter().filter_map(|param| param.first().copied()).take(8).collect();
        let number = |index: usize, default: u16| {
            let given = numbers.get(index).copied().unwrap_or_default();
            usize::from(if given == 0 { default } else { given })
        };
        if intermediates == b"?" {
            if matches!(action, 'h' | 'l') && numbers.iter().any(|mode| matches!(mode, 47 | 1047 | 1049)) {
                self.set_alternate(action == 'h');
            }
            return;
        }
        if !intermediates.is_empty() {
            return;
        }
        let count = number(0, 1);
        let part = numbers.first().copied().unwrap_or_default();
        let grid = self.grid();
        match action {
            'A' => grid.up(count),
            'B' | 'e' => grid.down(count),
            'C' | 'a' => grid.right(count),
            'D' => grid.left(count),
            'E' => {
                grid.down(count);
                grid.go_to_column(0);
            }
            'F' => {
                grid.up(count);
                grid.go_to_column(0);
            }
            'G' | '`' => grid.go_to_column(count - 1),
            'd' => grid.go_to_row(count - 1),
            'H' | 'f' => {
                grid.go_to_row(count - 1);
                grid.go_to_column(number(1, 1) - 1);
            }
            'J' => self.erase_display(part),
            'K' => grid.erase_line(part),
            'L' => grid.insert_lines(count),
            'M' => grid.delete_lines(count),
            'P' => grid.delete_characters(count),
            '@' => grid.insert_characters(count),
            'X' => grid.erase_characters(count),
            'S' => {
                let away = grid.scroll_up(count);
                self.scrolled(away);
            }
            'T' => grid.scroll_down(count),
            'r' => grid.set_region(number(0, 1), number(1, u16::MAX)),
            's' => grid.save(),
            'u' => grid.restore(),
            'b' => {
                // Lines are drawn with it, no longer ones than a row.
                let (last, most) = (self.last, self.size.1);
                (0..count.min(most)).for_each(|_| self.put(last));
            }
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        if !intermediates.is_empty() {
            return;
        }
        match byte {
            b'c' => self.reset(),
            b'D' => self.line_feed(),
            b'E' => {
                self.line_feed();
                self.grid().go_to_column(0);
            }
            b'M' => self.grid().reverse_line_feed(),
            b'7' => self.grid().save(),
            b'8' => self.grid().restore(),
            _ => {}
        }
    }
}

fn without_blank_end(mut lines: Vec<String>) -> Vec<String> {
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(cols: u16, rows: u16, most: usize, output: &[u8]) -> ScreenText {
        let mut screen = Screen::new(TerminalSize { cols, rows }, most, false);
        vte::Parser::new().advance(&mut screen, output);
        screen.text()
    }

    #[test]
    fn text_reads_as_a_person_sees_it() {
        for (output, lines) in [
            (&b"one\r\ntwo"[..], &["one", "two"][..]),
            (b"\x1b[1;31merror\x1b[0m: no\r\n", &["error: no"]),
            (b"get 1%\rget 50%\rget 100%\r\ndone", &["get 100%", "done"]),
            (b"long line\rshort\x1b[K", &["short"]),
            (b"abc\x08\x08X", &["aXc"]),
            (b"\x1b]0;title\x07\x1b]52;c;aGk=\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", &["link"]),
            (b"a\tb", &["a       b"]),
            (b"old\x1b[2J\x1b[Hnew", &["new"]),
            (b"$ sl\x1b[2D\x1b[Kls\r\nfile", &["$ ls", "file"]),
            (b"ab\x1b[3;1Hcd", &["ab", "", "cd"]),
            (b"abc\x1b[1;2H\x1b[P", &["ac"]),
            (b"abc\x1b[1;2H\x1b[@", &["a bc"]),
            (b"-\x1b[3b", &["----"]),
            ("漢字e\u{301}\x1b[1;3Hx".as_bytes(), &["漢xe\u{301}"]),
            (b"a\xffb", &["a\u{fffd}b"]),
            (b"\x1b[?1049hfull\x1b[?1049lback", &["back"]),
        ] {
            let text = shown(20, 5, 100, output);
            assert_eq!(text.lines, lines, "{:?}", String::from_utf8_lossy(output));
            assert!(!text.full_screen);
        }
    }

    #[test]
    fn lines_that_wrap_are_whole() {
        let text = shown(10, 3, 100, b"0123456789abcdefghij!\r\nnext\r\n1\r\n2\r\n3");
        assert_eq!(text.lines, ["0123456789abcdefghij!", "next", "1", "2", "3"]);
    }

    #[test]
    fn only_the_last_lines_are_returned() {
        let output: Vec<u8> = (0..500).flat_map(|line| format!("{line}\r\n").into_bytes()).collect();
        let text = shown(80, 24, 3, &output);
        assert_eq!((text.lines, text.cut), (["497", "498", "499"].map(str::to_owned).to_vec(), true));
        assert!(!shown(80, 24, 3, b"1\r\n2").cut);
    }

    #[test]
    fn a_scroll_region_keeps_the_rest() {
        let text = shown(10, 4, 100, b"top\x1b[2;3r\x1b[4;1Hend\x1b[2;1Ha\r\nb\r\nc\r\nd");
        assert_eq!(text.lines, ["top", "c", "d", "end"]);
    }

    proptest! {
        /// Any bytes give bounded text, whatever their pieces and the size of the terminal.
        #[test]
        fn any_output_gives_bounded_text(
            parts in prop::collection::vec(prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                "(\\x1b\\[[0-9;?]{0,9}[@-~]|\\x1b[78DEMc]|[a-z漢\\r\\n\\t\\x08]{1,30}|\\x1b\\][0-9]{1,2};[a-z]{0,9}\\x07){1,9}"
                    .prop_map(String::into_bytes),
            ], 0..30),
            cols in 0..30_u16, rows in 0..12_u16, most in 0..20_usize,
        ) {
            let mut screen = Screen::new(TerminalSize { cols, rows }, most, false);
            let mut parser = vte::Parser::new();
            parts.iter().for_each(|part| parser.advance(&mut screen, part));
            let text = screen.text();
            prop_assert!(text.lines.len() <= most.max(usize::from(rows.max(1))));
            prop_assert!(text.lines.iter().all(|line| !line.chars().any(char::is_control)));
        }

        /// Wherever output is split, its text is the same.
        #[test]
        fn text_does_not_depend_on_chunks(
            output in "(\\x1b\\[[0-9;]{0,5}[A-HJKm]|[a-z漢é\\r\\n]{1,20}){1,12}", at in any::<prop::sample::Index>(),
        ) {
            let (bytes, size) = (output.as_bytes(), TerminalSize { cols: 12, rows: 5 });
            let (one, two) = bytes.split_at(at.index(bytes.len()));
            let mut scrollback = crate::Scrollback::default();
            scrollback.push(one);
            scrollback.push(two);
            prop_assert_eq!(scrollback.text(size, 50), shown(12, 5, 50, bytes));
        }
    }
}
