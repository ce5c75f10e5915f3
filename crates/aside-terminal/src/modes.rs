//! The state that escape sequences leave behind, so that output can be shown from a place in its middle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use vte::{Params, Perform};

/// Private modes that are followed, apart from those of the alternate screen: keys, origin, wrapping, mouse, focus,
/// paste. A mode that is missing here is lost where old output is gone.
const FOLLOWED: [u16; 17] = [1, 5, 6, 7, 9, 25, 45, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004];
/// The modes that are on after a reset.
const USUALLY_ON: [u16; 2] = [7, 25];
/// The alternate screen, by each of its numbers.
const ALTERNATE: [u16; 3] = [47, 1047, 1049];
/// Bytes of a title.
const LONGEST_TITLE: usize = 200;

/// Modes of a terminal that are not as after a reset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modes {
    private: BTreeMap<u16, bool>,
    pub alternate: bool,
    style: Style,
    region: Option<(u16, u16)>,
    keypad: bool,
    cursor: Option<u16>,
    /// G0 and G1 draw lines.
    drawing: [bool; 2],
    shifted: bool,
    /// As the program set it: not harmless.
    pub title: String,
}

/// Colours and attributes of the text that comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Style {
    foreground: Option<String>,
    background: Option<String>,
    attributes: BTreeSet<u16>,
}

impl Modes {
    /// Returns the sequences that bring a terminal here that was just reset.
    pub fn restore(&self) -> String {
        let mut text = String::new();
        let mut put = |sequence: std::fmt::Arguments<'_>| text.write_fmt(sequence).expect("a string takes all");
        if self.alternate {
            put(format_args!("\x1b[?1049h"));
        }
        for (mode, on) in &self.private {
            put(format_args!("\x1b[?{mode}{}", if *on { 'h' } else { 'l' }));
        }
        if let Some((top, bottom)) = self.region {
            put(format_args!("\x1b[{top};{bottom}r"));
        }
        if self.keypad {
            put(format_args!("\x1b="));
        }
        if let Some(cursor) = self.cursor {
            put(format_args!("\x1b[{cursor} q"));
        }
        for (draws, set) in self.drawing.iter().zip(['(', ')']) {
            if *draws {
                put(format_args!("\x1b{set}0"));
            }
        }
        if self.shifted {
            put(format_args!("\x0e"));
        }
        let style = &self.style;
        let attributes = style.attributes.iter().map(u16::to_string);
        let all: Vec<_> = attributes.chain(style.foreground.clone()).chain(style.background.clone()).collect();
        if !all.is_empty() {
            put(format_args!("\x1b[{}m", all.join(";")));
        }
        text
    }

    fn reset(&mut self) {
        *self = Self { title: std::mem::take(&mut self.title), ..Self::default() };
    }

    fn set_private(&mut self, params: &Params, on: bool) {
        for mode in params.iter().filter_map(|param| param.first().copied()) {
            if ALTERNATE.contains(&mode) {
                self.alternate = on;
            } else if FOLLOWED.contains(&mode) {
                match on == USUALLY_ON.contains(&mode) {
                    true => self.private.remove(&mode),
                    false => self.private.insert(mode, on),
                };
            }
        }
    }
}

impl Style {
    fn apply(&mut self, params: &Params) {
        let mut groups = params.iter();
        while let Some(group) = groups.next() {
            match group.first().copied().unwrap_or_default() {
                0 => *self = Self::default(),
                code @ 1..=9 => _ = self.attributes.insert(code),
                21 => _ = self.attributes.insert(21),
                22 => self.attributes.retain(|code| !matches!(code, 1 | 2)),
                24 => self.attributes.retain(|code| !matches!(code, 4 | 21)),
                code @ (23 | 25 | 27 | 28 | 29) => self.attributes.retain(|known| *known != code - 20),
                code @ (30..=37 | 90..=97) => self.foreground = Some(code.to_string()),
                code @ (40..=47 | 100..=107) => self.background = Some(code.to_string()),
                38 => self.foreground = colour(group, &mut groups),
                48 => self.background = colour(group, &mut groups),
                39 => self.foreground = None,
                49 => self.background = None,
                _ => {}
            }
        }
    }
}

/// A colour of the palette or of red, green and blue; its numbers are parts of one parameter, or parameters of their own.
fn colour<'a>(group: &[u16], rest: &mut impl Iterator<Item = &'a [u16]>) -> Option<String> {
    let joined = |numbers: &[u16], by: &str| numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(by);
    if group.len() > 1 {
        return Some(joined(group, ":"));
    }
    let mut numbers = group.to_vec();
    let kind = *rest.next()?.first()?;
    numbers.push(kind);
    let more = match kind {
        5 => 1,
        2 => 3,
        _ => return None,
    };
    for _ in 0..more {
        numbers.push(*rest.next()?.first()?);
    }
    Some(joined(&numbers, ";"))
}

/// Follows the modes of a stream of output, and notices places at which it can be cut.
#[derive(Default)]
pub(crate) struct Follower {
    pub modes: Modes,
    /// Reading stops after the next whole sequence.
    pub stop_after_sequence: bool,
    /// A sequence has just ended: the next byte is text, or begins another.
    pub after_sequence: bool,
    /// The last byte of text was a line end.
    pub after_line: bool,
}

impl Follower {
    fn between(&mut self, after_sequence: bool) {
        (self.after_sequence, self.after_line) = (after_sequence, false);
    }
}

impl Perform for Follower {
    fn print(&mut self, _character: char) {
        self.after_line = false;
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            0x0e => self.modes.shifted = true,
            0x0f => self.modes.shifted = false,
            _ => {}
        }
        self.after_line = byte == b'\n';
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        self.between(true);
        if ignore {
            return;
        }
        let first = |default: u16| params.iter().next().and_then(|param| param.first().copied()).unwrap_or(default);
        match (intermediates, action) {
            (b"?", 'h') => self.modes.set_private(params, true),
            (b"?", 'l') => self.modes.set_private(params, false),
            (b"", 'm') => self.modes.style.apply(params),
            (b"", 'r') => {
                let mut numbers = params.iter().filter_map(|param| param.first().copied());
                self.modes.region = match (numbers.next(), numbers.next()) {
                    (Some(top), Some(bottom)) if bottom > 0 => Some((top.max(1), bottom)),
                    _ => None,
                };
            }
            (b" ", 'q') => self.modes.cursor = Some(first(0)).filter(|shape| (1..=6).contains(shape)),
            (b"!", 'p') => {
                let alternate = self.modes.alternate;
                self.modes.reset();
                self.modes.alternate = alternate;
            }
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        self.between(true);
        match (intermediates, byte) {
            (b"", b'c') => self.modes.reset(),
            (b"", b'=') => self.modes.keypad = true,
            (b"", b'>') => self.modes.keypad = false,
            (b"(", set) => self.modes.drawing[0] = set == b'0',
            (b")", set) => self.modes.drawing[1] = set == b'0',
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _bell_terminated: bool) {
        // The `ESC` of a terminator is followed by its `\`, which is dispatched on its own.
        self.between(false);
        if let [b"0" | b"2", title @ ..] = params {
            let title = title.join(&b';');
            let text = String::from_utf8_lossy(&title);
            text[..text.floor_char_boundary(LONGEST_TITLE)].clone_into(&mut self.modes.title);
        }
    }

    fn unhook(&mut self) {
        self.between(false);
    }

    fn terminated(&self) -> bool {
        self.stop_after_sequence && self.after_sequence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(output: &[u8]) -> Modes {
        let mut follower = Follower::default();
        vte::Parser::new().advance(&mut follower, output);
        follower.modes
    }

    #[test]
    fn modes_come_back_as_they_were() {
        for (output, restored) in [
            (&b"plain\r\n"[..], ""),
            (
                b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1006;1002h",
                "\x1b[?1049h\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?2004h",
            ),
            (b"\x1b[?47h\x1b[?1049l\x1b[?25l\x1b[?25h", ""),
            (b"\x1b[1;31;48;5;7m", "\x1b[1;31;48;5;7m"),
            (b"\x1b[38:2::1:2:3m\x1b[4m", "\x1b[4;38:2:0:1:2:3m"),
            (b"\x1b[38;2;1;2;3;1m\x1b[22m", "\x1b[38;2;1;2;3m"),
            (b"\x1b[31m\x1b[m", ""),
            (b"\x1b[2;20r\x1b=\x1b[5 q\x1b(0", "\x1b[2;20r\x1b=\x1b[5 q\x1b(0"),
            (b"\x1b[?1h\x1b[31m\x1bc", ""),
        ] {
            assert_eq!(after(output).restore(), restored, "{output:?}");
            assert_eq!(after(restored.as_bytes()).restore(), restored);
        }
    }

    #[test]
    fn titles_are_kept_short() {
        assert_eq!(after(b"\x1b]0;build; ok\x07").title, "build; ok");
        assert_eq!(after(b"\x1b]2;a\x1b\\\x1b]52;c;aGk=\x07").title, "a");
        assert!(after(format!("\x1b]0;{}\x07", "é".repeat(400)).as_bytes()).title.len() <= LONGEST_TITLE);
    }
}
