//! A line of a shell, cut into its commands.

/// The commands of a line, each with the sign after it; what stands in quotes is not cut.
pub fn pieces(line: &str) -> Vec<(&str, &str)> {
    // A quote that is never closed is an apostrophe.
    cut(line, true).or_else(|| cut(line, false)).unwrap_or_default()
}

fn cut(line: &str, quotes: bool) -> Option<Vec<(&str, &str)>> {
    let bytes = line.as_bytes();
    let (mut found, mut start, mut at, mut quote) = (Vec::new(), 0, 0, None);
    while let Some(byte) = bytes.get(at) {
        let length = match (quote, byte) {
            (Some(open), _) if open != byte => 0,
            (Some(_), _) => {
                quote = None;
                0
            }
            (None, b'"' | b'\'') if quotes => {
                quote = Some(byte);
                0
            }
            (None, b'\n' | b';') => 1,
            (None, b'|' | b'&') => sign(bytes, at),
            _ => 0,
        };
        if length > 0 {
            found.push((&line[start..at], &line[at..at + length]));
            start = at + length;
        }
        at += length.max(if *byte == b'\\' { 2 } else { 1 });
    }
    found.push((&line[start..], ""));
    quote.is_none().then_some(found)
}

/// How long the sign is that begins there: none in `2>&1` and `&>`.
fn sign(bytes: &[u8], at: usize) -> usize {
    let (before, after) = (at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + 1));
    match (bytes[at], before, after) {
        (b'&', Some(b'>' | b'<'), _) | (b'&', _, Some(b'>')) | (b'|', Some(b'>'), _) => 0,
        (sign, _, Some(next)) if sign == *next => 2,
        (b'|', _, Some(b'&')) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_a_shell_cuts_it() {
        let check = |line: &str, expected: &[(&str, &str)]| assert_eq!(pieces(line), expected, "{line}");
        check("a 2>&1 | b", &[("a 2>&1 ", "|"), (" b", "")]);
        check("a &> x && b || c;d", &[("a &> x ", "&&"), (" b ", "||"), (" c", ";"), ("d", "")]);
        check("a -k \"x|y\" 'z;'", &[("a -k \"x|y\" 'z;'", "")]);
        check("don't | b", &[("don't ", "|"), (" b", "")]);
        check("a \\| b &", &[("a \\| b ", "&"), ("", "")]);
        check("ä 'ö' |& ü", &[("ä 'ö' ", "|&"), (" ü", "")]);
    }
}
