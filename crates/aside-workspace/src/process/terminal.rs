//! What a terminal would show in the end: escape sequences are taken out, a carriage return draws over the line.

/// Characters of one line; a longer one is broken, so that a flood without line ends stays bounded.
const LONGEST_LINE: usize = 16 * 1024;

/// Returns bytes as text for people and models.
pub fn plain_text(bytes: &[u8]) -> String {
    let mut terminal = Terminal::default();
    terminal.push(bytes);
    terminal.take().map(|(_, text)| text).unwrap_or_default()
}

/// A terminal without a screen: finished lines, and one that is still being written.
#[derive(Default)]
pub(crate) struct Terminal {
    state: State,
    /// The beginning of a character whose rest has not come.
    partial: Vec<u8>,
    line: Vec<char>,
    column: usize,
    /// Lines finished since they were last taken.
    finished: String,
    /// Where `finished` begins, in UTF-16 units.
    start: usize,
    changed: bool,
}

/// Where in an escape sequence we are. See ECMA-48, section 5.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape,
    /// `ESC [` until a final byte.
    Control,
    /// `ESC ]` and its like, until BEL or `ESC \`.
    String,
    StringEscape,
    /// One more byte, as in `ESC ( B`.
    Skip,
}

impl Terminal {
    pub fn push(&mut self, bytes: &[u8]) {
        let mut bytes = [std::mem::take(&mut self.partial), bytes.to_vec()].concat();
        while !bytes.is_empty() {
            match std::str::from_utf8(&bytes) {
                Ok(text) => {
                    text.chars().for_each(|character| self.character(character));
                    return;
                }
                Err(error) => {
                    let (good, rest) = bytes.split_at(error.valid_up_to());
                    String::from_utf8_lossy(good).chars().for_each(|character| self.character(character));
                    let Some(bad) = error.error_len() else {
                        self.partial = rest.to_vec();
                        return;
                    };
                    self.character(char::REPLACEMENT_CHARACTER);
                    bytes = rest[bad..].to_vec();
                }
            }
        }
    }

    /// What has changed since this was called last, and from which UTF-16 unit on: everything after is replaced.
    pub fn take(&mut self) -> Option<(usize, String)> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let (from, finished) = (self.start, std::mem::take(&mut self.finished));
        self.start += finished.encode_utf16().count();
        Some((from, finished + &self.line.iter().collect::<String>()))
    }

    fn character(&mut self, character: char) {
        self.state = match (self.state, character) {
            (State::Text, '\u{1b}') => State::Escape,
            (State::Text, '\u{9b}') => State::Control,
            (State::Text, _) => return self.text(character),
            (State::Escape, '[') => State::Control,
            (State::Escape, ']' | 'P' | 'X' | '^' | '_') => State::String,
            (State::Escape, '(' | ')' | '*' | '+' | '#' | '%' | ' ') => State::Skip,
            (State::Control, '\u{40}'..='\u{7e}') => {
                self.control(character);
                State::Text
            }
            (State::Control, '\u{20}'..='\u{3f}') => State::Control,
            (State::String, '\u{7}') => State::Text,
            (State::String, '\u{1b}') => State::StringEscape,
            // A line end is the surer sign that the sequence was none.
            (State::String, '\n') => return self.back_to_text(character),
            (State::String, _) => State::String,
            (State::Escape | State::StringEscape | State::Skip, _) => State::Text,
            (State::Control, _) => return self.back_to_text(character),
        };
    }

    fn back_to_text(&mut self, character: char) {
        self.state = State::Text;
        self.text(character);
    }

    fn text(&mut self, character: char) {
        match character {
            '\n' => self.finish_line(),
            '\r' => self.column = 0,
            '\u{8}' => self.column = self.column.saturating_sub(1),
            '\t' => self.put(character),
            character if character.is_control() => {}
            character => self.put(character),
        }
    }

    /// Of all that could be drawn, only what progress bars use: the rest of the line, or all of it, is wiped.
    fn control(&mut self, last: char) {
        if last == 'K' {
            self.line.truncate(self.column);
            self.changed = true;
        } else if last == 'G' {
            self.column = 0;
        }
    }

    fn put(&mut self, character: char) {
        match self.line.get_mut(self.column) {
            Some(place) => *place = character,
            None => self.line.push(character),
        }
        self.column += 1;
        self.changed = true;
        if self.line.len() >= LONGEST_LINE {
            self.finish_line();
        }
    }

    fn finish_line(&mut self) {
        self.finished.extend(self.line.drain(..));
        self.finished.push('\n');
        (self.column, self.changed) = (0, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_titles_and_links_are_taken_out() {
        for (bytes, expected) in [
            (&b"\x1b[1;31merror\x1b[0m: no\n"[..], "error: no\n"),
            (b"\x1b]0;title\x07text", "text"),
            (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            (b"\x1b(Bplain\x07\x00", "plain"),
            (b"\x1b[?25lhidden cursor", "hidden cursor"),
            (b"\x1b]never ended\nnext", "\nnext"),
            (b"a\x1b", "a"),
        ] {
            assert_eq!(plain_text(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_progress_bar_ends_as_its_last_state() {
        assert_eq!(plain_text(b"get 1%\rget 50%\rget 100%\ndone\r\n"), "get 100%\ndone\n");
        assert_eq!(plain_text(b"long line\rshort\x1b[K\n"), "short\n");
        assert_eq!(plain_text(b"abc\x08\x08X"), "aXc");
    }

    #[test]
    fn what_is_no_utf8_is_shown_as_such_also_when_cut() {
        assert_eq!(plain_text(b"a\xff\xfeb"), "a\u{fffd}\u{fffd}b");
        let mut terminal = Terminal::default();
        let smile = "😀".as_bytes();
        terminal.push(&smile[..2]);
        assert_eq!(terminal.take(), None);
        terminal.push(&smile[2..]);
        assert_eq!(terminal.take(), Some((0, "😀".to_owned())));
        terminal.push(b"\r12\nx");
        assert_eq!(terminal.take(), Some((0, "12\nx".to_owned())));
        terminal.push(b"y");
        assert_eq!(terminal.take(), Some((3, "xy".to_owned())));
        assert_eq!(terminal.take(), None);
    }

    #[test]
    fn a_line_without_an_end_is_broken() {
        let text = plain_text(&vec![b'x'; 100_000]);
        assert!(text.lines().all(|line| line.len() <= LONGEST_LINE));
        assert_eq!(text.matches('x').count(), 100_000);
    }
}
