//! The newest output of a terminal as raw bytes, bounded, in pieces that can each be shown without those before.
//!
//! A piece begins after a line end or a whole escape sequence and knows the modes that hold there. When output becomes
//! too long, whole pieces go, the oldest first. Each byte has a number, counted from the terminal's first one.

use std::{collections::VecDeque, mem, sync::Arc};

use aside_core::TerminalSize;
use memchr::{memchr, memchr_iter, memrchr};
use vte::Parser;

use crate::{
    modes::{Follower, Modes},
    text::{Screen, ScreenText},
};

/// Bytes that are kept at most, but for one piece.
const MOST_BYTES: usize = 2 << 20;
/// Lines that are kept at most where they have more bytes than [`LEAST_BYTES`].
const MOST_LINES: usize = 10_000;
/// Bytes that are kept however many lines they have: a window may be so far behind.
const LEAST_BYTES: usize = 256 << 10;
/// Bytes and lines after which a piece is full.
const PIECE_BYTES: usize = 32 << 10;
const PIECE_LINES: usize = 500;
/// Bytes of a character at most.
const LONGEST_CHARACTER: usize = 4;
/// Bytes after which a piece ends where it can't be cut safely: in a string that does not end.
const LONGEST_PIECE: usize = 256 << 10;

/// A place from which output can be shown, and how to bring a terminal there that was just reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The number of the first byte.
    pub seq: u64,
    /// The sequences that set the modes which hold there.
    pub restore: String,
    /// It is in the alternate screen, whose beginning is gone: only the program can draw it again.
    pub mid_screen: bool,
}

/// The newest output of a terminal.
pub struct Scrollback {
    /// Never empty; the last is being written.
    pieces: VecDeque<Piece>,
    lines: usize,
    bytes: usize,
    /// The beginning of a character whose rest has not come.
    partial: Vec<u8>,
    parser: Parser,
    follower: Follower,
}

struct Piece {
    start: u64,
    bytes: Vec<u8>,
    lines: usize,
    modes: Arc<Modes>,
    /// It begins in the middle of a string of an escape sequence.
    in_string: bool,
}

impl Piece {
    fn new(start: u64, modes: Arc<Modes>, in_string: bool) -> Self {
        Self { start, bytes: Vec::new(), lines: 0, modes, in_string }
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn resume(&self) -> Resume {
        let mut restore = self.modes.restore();
        if self.in_string {
            // A command that no terminal has takes in the rest of the string.
            restore.push_str("\x1b]7777;");
        }
        Resume { seq: self.start, restore, mid_screen: self.modes.alternate }
    }
}

impl Default for Scrollback {
    fn default() -> Self {
        Self {
            pieces: [Piece::new(0, Arc::default(), false)].into(),
            lines: 0,
            bytes: 0,
            partial: Vec::new(),
            parser: Parser::new(),
            follower: Follower::default(),
        }
    }
}

impl Scrollback {
    /// Adds output. The beginning of a character is held back until its rest comes.
    pub fn push(&mut self, output: &[u8]) {
        let joined;
        let mut rest = output;
        if !self.partial.is_empty() {
            joined = [&mem::take(&mut self.partial), output].concat();
            rest = &joined;
        }
        let whole = whole_characters(rest);
        self.partial = rest[whole..].to_vec();
        rest = &rest[..whole];
        while !rest.is_empty() {
            let took = if self.last().is_full() { self.finish_piece(rest) } else { self.fill_piece(rest) };
            rest = &rest[took..];
        }
        self.drop_oldest();
    }

    /// Returns the number of the byte that comes next.
    pub fn end(&self) -> u64 {
        self.last().end()
    }

    /// Returns the number of the oldest byte that is kept.
    pub fn oldest(&self) -> u64 {
        self.pieces.front().map_or(0, |piece| piece.start)
    }

    /// Returns the title that the program set last; it is not harmless.
    pub fn title(&self) -> &str {
        &self.follower.modes.title
    }

    /// Returns a place about so many bytes before the end.
    pub fn resume(&self, behind: u64) -> Resume {
        let wanted = self.end().saturating_sub(behind);
        let piece = self.pieces.iter().find(|piece| piece.start >= wanted);
        piece.unwrap_or_else(|| self.last()).resume()
    }

    /// Returns the bytes from a number on, at most so many; none if its byte is gone or is yet to come.
    pub fn read(&self, from: u64, most: usize) -> Option<Vec<u8>> {
        if from < self.oldest() || from > self.end() {
            return None;
        }
        let mut bytes = Vec::with_capacity(most.min(usize::try_from(self.end() - from).unwrap_or(most)));
        let first = self.pieces.partition_point(|piece| piece.end() <= from);
        for piece in self.pieces.range(first..) {
            let begin = usize::try_from(from.saturating_sub(piece.start)).unwrap_or(usize::MAX);
            let part = piece.bytes.get(begin..).unwrap_or_default();
            bytes.extend_from_slice(&part[..part.len().min(most - bytes.len())]);
            if bytes.len() == most {
                break;
            }
        }
        Some(bytes)
    }

    /// Returns the last lines as a person sees them, at most so many.
    pub fn text(&self, size: TerminalSize, most: usize) -> ScreenText {
        let (mut lines, mut bytes) = (0, 0);
        let enough = most + usize::from(size.rows);
        let is_enough = |piece: &Piece| {
            lines += piece.lines;
            bytes += piece.bytes.len();
            lines > enough && bytes > PIECE_BYTES
        };
        let first = self.pieces.iter().rposition(is_enough).unwrap_or_default();
        let begin = &self.pieces[first];
        let mut screen = Screen::new(size, most, begin.modes.alternate);
        let mut parser = Parser::new();
        parser.advance(&mut screen, begin.resume().restore.as_bytes());
        // Pieces hold whole characters, which the parser needs: it loses a byte behind one that comes in two parts.
        for piece in self.pieces.range(first..) {
            parser.advance(&mut screen, &piece.bytes);
        }
        screen.text()
    }

    /// Returns the lines from a byte on as a person sees them, at most so many of the last.
    pub fn text_from(&self, from: u64, size: TerminalSize, most: usize) -> ScreenText {
        let is_short = self.end().saturating_sub(from) <= LEAST_BYTES as u64 && !self.follower.modes.alternate;
        let Some(bytes) = is_short.then(|| self.read(from, LEAST_BYTES)).flatten() else {
            return ScreenText { cut: true, ..self.text(size, most) };
        };
        let mut screen = Screen::new(size, most, false);
        Parser::new().advance(&mut screen, &bytes);
        screen.text()
    }

    fn last(&self) -> &Piece {
        self.pieces.back().expect("there is always one piece")
    }

    /// Adds output until the piece is full; returns how much of it that was.
    fn fill_piece(&mut self, output: &[u8]) -> usize {
        let piece = self.last();
        let room = PIECE_BYTES - piece.bytes.len();
        let lines = PIECE_LINES - piece.lines;
        let within = &output[..output.len().min(room)];
        let end = memchr_iter(b'\n', within).nth(lines - 1).map_or_else(|| end_within(output, room), |at| at + 1);
        self.follower.stop_after_sequence = false;
        self.parser.advance(&mut self.follower, &output[..end]);
        self.append(&output[..end]);
        end
    }

    /// Adds output to a full piece up to the next place at which it can be cut; returns how much of it that was.
    fn finish_piece(&mut self, output: &[u8]) -> usize {
        let within = &output[..output.len().min(PIECE_BYTES)];
        let end = memchr(b'\n', within).map_or_else(|| end_within(output, PIECE_BYTES), |at| at + 1);
        (self.follower.after_sequence, self.follower.after_line) = (false, false);
        self.follower.stop_after_sequence = true;
        let took = self.parser.advance_until_terminated(&mut self.follower, &output[..end]);
        self.append(&output[..took]);
        let is_line = took == end && output[end - 1] == b'\n' && self.follower.after_line;
        if is_line || self.follower.after_sequence {
            self.next_piece(false);
        } else if self.last().bytes.len() >= LONGEST_PIECE {
            let in_string = self.last().ends_in_string();
            self.next_piece(in_string);
        }
        took
    }

    fn append(&mut self, output: &[u8]) {
        let lines = memchr_iter(b'\n', output).count();
        let piece = self.pieces.back_mut().expect("there is always one piece");
        piece.bytes.extend_from_slice(output);
        piece.lines += lines;
        self.lines += lines;
        self.bytes += output.len();
    }

    fn next_piece(&mut self, in_string: bool) {
        let modes = &self.follower.modes;
        let known = &self.last().modes;
        let modes = if **known == *modes { known.clone() } else { Arc::new(modes.clone()) };
        let last = self.pieces.back_mut().expect("there is always one piece");
        last.bytes.shrink_to_fit();
        let next = Piece::new(last.end(), modes, in_string);
        self.pieces.push_back(next);
    }

    fn drop_oldest(&mut self) {
        while self.pieces.len() > 1 && self.is_too_long() {
            let oldest = self.pieces.pop_front().expect("there are two");
            self.lines -= oldest.lines;
            self.bytes -= oldest.bytes.len();
        }
    }

    fn is_too_long(&self) -> bool {
        let left = self.pieces.front().map_or(0, |oldest| self.bytes - oldest.bytes.len());
        self.bytes > MOST_BYTES || (self.lines > MOST_LINES && left >= LEAST_BYTES)
    }
}

impl Piece {
    fn is_full(&self) -> bool {
        self.bytes.len() + LONGEST_CHARACTER > PIECE_BYTES || self.lines >= PIECE_LINES
    }

    /// Tells whether it ends in a string of an escape sequence, such as a title: it takes in all until its end.
    fn ends_in_string(&self) -> bool {
        let (begins, tail) = match memrchr(0x1b, &self.bytes) {
            Some(escape) => {
                let tail = &self.bytes[escape + 1..];
                (matches!(tail.first(), Some(b']' | b'P' | b'X' | b'^' | b'_')), tail)
            }
            None => (self.in_string, &self.bytes[..]),
        };
        begins && memchr(0x07, tail).is_none()
    }
}

impl std::fmt::Debug for Scrollback {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Scrollback({}..{})", self.oldest(), self.end())
    }
}

/// Returns how much of some output fits and ends with a whole character. All of it does, also where its last byte looks like a beginning.
fn end_within(output: &[u8], room: usize) -> usize {
    if output.len() <= room { output.len() } else { whole_characters(&output[..room]) }
}

/// Returns how many of some bytes are whole characters, or none at all; the rest is the beginning of one.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes.len().saturating_sub(LONGEST_CHARACTER - 1);
    for at in (last..bytes.len()).rev() {
        let length = match bytes[at] {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        return if at + length > bytes.len() { at } else { bytes.len() };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: TerminalSize = TerminalSize { cols: 80, rows: 24 };

    fn of(output: &[u8]) -> Scrollback {
        let mut scrollback = Scrollback::default();
        output.chunks(60_000).for_each(|chunk| scrollback.push(chunk));
        scrollback
    }

    fn numbered(lines: usize) -> Vec<u8> {
        (0..lines).flat_map(|line| format!("line {line}\r\n").into_bytes()).collect()
    }

    #[test]
    fn a_million_lines_stay_within_bounds() {
        let output = numbered(1_000_000);
        let scrollback = of(&output);
        assert_eq!(scrollback.end(), output.len() as u64);
        let kept = scrollback.end() - scrollback.oldest();
        assert!((LEAST_BYTES as u64..LEAST_BYTES as u64 + 70_000).contains(&kept), "{kept}");
        let read = scrollback.read(scrollback.oldest(), usize::MAX).unwrap();
        assert!(output.ends_with(&read) && read.starts_with(b"line "));
        assert_eq!(scrollback.read(scrollback.oldest() - 1, 9), None);
        assert_eq!(scrollback.read(scrollback.end(), 9).unwrap(), b"");
        assert_eq!(scrollback.read(scrollback.end() + 1, 9), None);
    }

    #[test]
    fn output_without_lines_stays_within_bounds() {
        for output in [vec![b'x'; 8 << 20], [b"\x1b]0;".to_vec(), vec![b'x'; 8 << 20]].concat()] {
            let scrollback = of(&output);
            assert!(scrollback.end() - scrollback.oldest() <= (MOST_BYTES + LONGEST_PIECE) as u64);
            assert!(scrollback.pieces.len() > 2);
        }
    }

    #[test]
    fn cut_in_a_title_shows_none_of_it() {
        let scrollback = of(&[b"\x1b]0;".to_vec(), vec![b'x'; 8 << 20], b"\x07after".to_vec()].concat());
        assert!(scrollback.resume(1 << 20).restore.ends_with("\x1b]7777;"));
        assert_eq!(scrollback.text(SIZE, 10).lines, ["after"]);
    }

    #[test]
    fn a_full_screen_program_can_be_cut() {
        let frame: Vec<u8> =
            (1..=24).flat_map(|row| format!("\x1b[{row};1H\x1b[3{}mrow", row % 8).into_bytes()).collect();
        let scrollback = of(&[b"\x1b[?1049h\x1b[?25l".to_vec(), frame.repeat(20_000)].concat());
        let resume = scrollback.resume(200_000);
        assert!(resume.mid_screen && resume.restore.starts_with("\x1b[?1049h\x1b[?25l\x1b[3"), "{resume:?}");
        let begin = scrollback.read(resume.seq, 9).unwrap();
        assert!(begin.starts_with(b"\x1b[") || begin.starts_with(b"row"), "{begin:?}");
        assert!(scrollback.end() - resume.seq <= 200_000);
        let text = scrollback.text(SIZE, 100);
        assert!(text.full_screen && text.lines.len() == 24);
    }

    #[test]
    fn characters_in_two_parts_are_kept_whole() {
        let output = "aé\r\n漢字\r\n😀".as_bytes();
        for at in 0..output.len() {
            let mut scrollback = Scrollback::default();
            scrollback.push(&output[..at]);
            assert!(std::str::from_utf8(&scrollback.read(0, 99).unwrap()).is_ok());
            scrollback.push(&output[at..]);
            assert_eq!(scrollback.text(SIZE, 9).lines, ["aé", "漢字", "😀"], "{at}");
        }
        let mut scrollback = Scrollback::default();
        for byte in [0xe6, 0xff, 0xf0, 0x9f, b'a', 0x80, 0x80, 0x80, 0x80] {
            scrollback.push(&[byte]);
        }
        assert_eq!(scrollback.end(), 9, "what is no character is not held back");
    }

    #[test]
    fn letters_of_other_encodings_do_not_stop_it() {
        for bytes in
            [&b"\xc9\xc9\xc9tide"[..], b"\xe9t\xe9 \xc9\xe9\xf0\xf0\xf0\xf0tide", b"\xf0\x9f\xc9\xc9\n\xc9tide"]
        {
            let (whole, mut parts) = (of(bytes), Scrollback::default());
            bytes.iter().for_each(|byte| parts.push(&[*byte]));
            assert_eq!((parts.end(), parts.text(SIZE, 9)), (whole.end(), whole.text(SIZE, 9)));
            assert!(whole.text(SIZE, 9).lines.last().unwrap().ends_with("tide"));
        }
    }

    #[test]
    fn a_reader_goes_on_where_it_was() {
        let output = numbered(3_000);
        let scrollback = of(&output);
        let (mut at, mut read) = (0, Vec::new());
        while at < scrollback.end() {
            let part = scrollback.read(at, 777).unwrap();
            at += part.len() as u64;
            read.extend(part);
        }
        assert_eq!(read, output);
    }
}
