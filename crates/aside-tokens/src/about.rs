//! About how many tokens a text has, by how dense it is.
//!
//! Words have three bytes a token or more, also in code. Digits, base64 and what else was made by chance have hardly more
//! than one: a table of numbers that counted like prose would be three times as long as it looks, and refused.

use serde_json::Value;

/// Bytes that are looked at together at most: long lines without blanks are not all of one kind.
const STRETCH: usize = 64;
/// Sixths of a token for a byte of a word, of what is foreign to ASCII, and of what is dense.
const WORD: usize = 2;
const FOREIGN: usize = 3;
const DENSE: usize = 6;

/// About how many tokens a text has; rather too many than too few.
pub fn about(text: &str) -> usize {
    let mut counting = Counting::default();
    counting.push(text.as_bytes());
    counting.tokens()
}

/// The same for something as JSON.
pub fn about_json(value: &Value) -> usize {
    about(&value.to_string())
}

/// The count so far, and the stretch that is being looked at.
#[derive(Default)]
struct Counting {
    sixths: usize,
    /// Before the stretch.
    blanks: usize,
    length: usize,
    /// Sums of [`COUNTS`].
    counts: u32,
    last: Kind,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    None,
    Small,
    Capital,
    Digit,
    Sign,
    Foreign,
}

impl Counting {
    fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let kind = KINDS[usize::from(*byte)];
            if kind == Kind::None {
                self.end_stretch();
                self.blanks += 1;
                continue;
            }
            self.counts += COUNTS[self.last as usize][kind as usize];
            self.last = kind;
            self.length += 1;
            if self.length == STRETCH {
                self.end_stretch();
            }
        }
    }

    fn end_stretch(&mut self) {
        if self.length == 0 {
            return;
        }
        let (parts, foreign) = ((self.counts & MOST) as usize, ((self.counts / FOREIGN_ONE) & MOST) as usize);
        let is_dense = foreign == 0 && parts * 2 > self.length;
        let each = match is_dense {
            true => DENSE,
            false if foreign * 2 > self.length => FOREIGN,
            false => WORD,
        };
        // A blank before a word belongs to it; one before a digit is a token.
        let begins_with_digit = self.counts & DIGIT_FIRST != 0;
        let blanks = if begins_with_digit { DENSE * self.blanks.div_ceil(2) } else { WORD * self.blanks };
        *self = Self { sixths: self.sixths + each * self.length + blanks, ..Self::default() };
    }

    fn tokens(mut self) -> usize {
        self.end_stretch();
        (self.sixths + WORD * self.blanks).div_ceil(6)
    }
}

/// The kind of each byte; none of a blank.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::None; 256];
    let mut byte = 0_u8;
    loop {
        kinds[byte as usize] = Kind::of(byte);
        if byte == u8::MAX {
            break kinds;
        }
        byte += 1;
    }
};

/// One byte beyond ASCII, in [`COUNTS`], and the most of what stands in its lower places; a stretch has fewer.
const FOREIGN_ONE: u32 = 1 << 8;
const MOST: u32 = FOREIGN_ONE - 1;
/// The stretch begins with a digit.
const DIGIT_FIRST: u32 = 1 << 16;

/// The addition of a byte of a kind after one of another: in the lowest places what a tokenizer makes at least one token of each
/// (a digit, a capital, a run of small letters, a sign), above them bytes beyond ASCII. One sum, since each byte is looked at.
const COUNTS: [[u32; 6]; 6] = {
    let mut counts = [[0; 6]; 6];
    let mut place = 0;
    while place < 36 {
        let (last, kind) = (Kind::ALL[place / 6], Kind::ALL[place % 6]);
        let part = match (last, kind) {
            (_, Kind::Digit) => true,
            // A sign or a capital and the word that it begins are one.
            (Kind::Sign | Kind::Capital, Kind::Small) | (Kind::Sign, Kind::Sign | Kind::Capital) => false,
            (_, Kind::Sign | Kind::Capital) => true,
            (last, kind) => last as u8 != kind as u8,
        };
        counts[place / 6][place % 6] = part as u32
            + if matches!(kind, Kind::Foreign) { FOREIGN_ONE } else { 0 }
            + if matches!((last, kind), (Kind::None, Kind::Digit)) { DIGIT_FIRST } else { 0 };
        place += 1;
    }
    counts
};

impl Kind {
    const ALL: [Self; 6] = [Self::None, Self::Small, Self::Capital, Self::Digit, Self::Sign, Self::Foreign];

    const fn of(byte: u8) -> Self {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => Self::None,
            b'a'..=b'z' => Self::Small,
            b'A'..=b'Z' => Self::Capital,
            b'0'..=b'9' => Self::Digit,
            128.. => Self::Foreign,
            _ => Self::Sign,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dense_text_counts_a_token_for_each_byte() {
        let table = "0.8414,17,-3.25e-05,2041\n".repeat(100);
        assert!(about(&table) >= table.len(), "{} of {}", about(&table), table.len());
        let columns = "1 2 3 4 5\n".repeat(100);
        assert!(about(&columns) >= columns.len());
        let base64 = "kJ3x9QmZ0pLr7VtYw2Hn8aBcD1eFgUiO5sT4vRqX6yNzMhEoKjPlCbWdGfSuAI+/";
        assert!(about(&base64.repeat(50)) >= 50 * 60);
        let sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        assert!(about(sum) >= 64);
        let rows = json!({ "rows": vec![[0.125, 7.5, 3.25]; 50], "of": "x" });
        assert!(about_json(&rows) > 50 * 16);
    }

    #[test]
    fn prose_and_code_count_three_bytes_a_token() {
        let prose = "The editor keeps what was written, and says what a model may read of it. ".repeat(20);
        let code = "        let Some(unit) = self.units.get(place) else { return Ok(fallback) };\n".repeat(20);
        for text in [prose, code] {
            let third = text.len() / 3;
            assert!((third..third * 5 / 4).contains(&about(&text)), "{} of {}: {text}", about(&text), text.len());
        }
        assert_eq!((about(""), about("word"), about("   ")), (0, 2, 1));
    }

    #[test]
    fn other_scripts_count_by_their_bytes() {
        let text = "这是一个用来测试分词器的中文句子";
        assert!(about(text) >= 22 && about(text) <= text.len());
    }
}
