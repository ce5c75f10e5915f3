//! What other programs say, made fit to be shown: nothing hidden in it, and not without end.

use aside_core::harmless;

/// Returns some words of a server, cut to a number of characters, with everything that hides spelled out.
pub(crate) fn fit(text: &str, most: usize) -> String {
    let shown = harmless(text);
    match shown.char_indices().nth(most) {
        Some((end, _)) => format!("{} … (cut)", &shown[..end]),
        None => shown.into_owned(),
    }
}

/// The same as one line.
pub(crate) fn fit_line(text: &str, most: usize) -> String {
    fit(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Returns a number of bytes as people say it.
pub(crate) fn bytes(count: usize) -> String {
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{} kB", count / 1_000),
        _ => format!("{} MB", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_hidden_and_the_cut_is_said() {
        assert_eq!(fit("a\u{e0041}\u{200b}b\u{1b}[2J", 100), "a\\u{e0041}\\u{200b}b\\u{1b}[2J");
        assert_eq!(fit_line("one\n\n  two\r\nthree four", 13), "one two three … (cut)");
        assert_eq!(fit("é".repeat(3).as_str(), 3), "ééé");
    }
}
