//! How many columns text takes, and how many there are.

use std::io;

/// A terminal with fewer columns than this gets tables without those that few look at.
pub const NARROW: usize = 100;

/// The columns that there are: what the person says, else those of the terminal; none if it is no terminal.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|said| said.parse().ok());
    let is = || rustix::termios::tcgetwinsize(io::stdout()).ok().map(|size| usize::from(size.ws_col));
    said.or_else(is).filter(|columns| *columns > 0)
}

/// The columns that text takes in a terminal.
pub fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// The beginning of text that fits into so many columns, with a sign if that is not all.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |char: &char| {
        let fits = width_of(*char) <= left;
        left = left.saturating_sub(width_of(*char));
        fits
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Signs of East Asia and pictures take two columns; what is set above or joins others takes none.
fn width_of(char: char) -> usize {
    match u32::from(char) {
        0x300..=0x36F | 0x200B..=0x200F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xA960..=0xA97F | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF => 2,
        0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 => 2,
        0x1F300..=0x1F64F | 0x1F680..=0x1F6FF | 0x1F900..=0x1FAFF | 0x2_0000..=0x3_FFFD => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_east_asia_take_two_columns() {
        assert_eq!(["shop", "店を直す", "e\u{301}", "🛒 ok", "한글"].map(width), [4, 8, 1, 5, 4]);
        assert_eq!(["店を直す", "店を直す", "shop"].map(|text| cut(text, 7)), ["店を直…", "店を直…", "shop"]);
        assert_eq!((cut("店を直す", 6), cut("shop", 3)), ("店を…".to_owned(), "sh…".to_owned()));
    }
}
