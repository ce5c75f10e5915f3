//! Answers that a window's terminal gives by itself, as opposed to keys.

/// Tells whether input is nothing but answers to queries of a program, or reports of focus: several windows answer the
/// same query, and a window that replays old output answers queries of long ago.
pub fn is_answer(input: &[u8]) -> bool {
    let mut rest = input;
    while !rest.is_empty() {
        match one(rest) {
            Some(length) => rest = &rest[length..],
            None => return false,
        }
    }
    !input.is_empty()
}

/// Returns the length of the answer at the beginning.
fn one(input: &[u8]) -> Option<usize> {
    match input {
        [0x1b, b'[', rest @ ..] => {
            let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
            is_report(&rest[..end], rest[end]).then_some(end + 3)
        }
        [0x1b, b']' | b'P', ..] => {
            let bell = input.iter().position(|byte| *byte == 0x07).map(|at| at + 1);
            let terminator = input.windows(2).skip(2).position(|pair| pair == [0x1b, b'\\']).map(|at| at + 4);
            [bell, terminator].into_iter().flatten().min()
        }
        _ => None,
    }
}

/// Attributes of the device (`c`), its status (`n`), the cursor's place (`R`), modes (`$y`), sizes (`t`), focus (`I`,
/// `O`). A key can end in `R` too: F3 with a modifier is `CSI 1 ; 5 R`, so a place counts only outside the first row.
fn is_report(parameters: &[u8], last: u8) -> bool {
    match last {
        b'c' => parameters.first().is_some_and(|byte| matches!(byte, b'?' | b'>')),
        b'n' | b't' => !parameters.is_empty(),
        b'R' => parameters.contains(&b';') && !parameters.starts_with(b"1;"),
        b'y' => parameters.ends_with(b"$"),
        b'I' | b'O' => parameters.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_keys() {
        for answer in [
            &b"\x1b[?1;2c"[..],
            b"\x1b[>0;276;0c",
            b"\x1b[0n",
            b"\x1b[24;80R",
            b"\x1b[?2026;2$y",
            b"\x1b[8;24;80t",
            b"\x1b[I",
            b"\x1b]11;rgb:0000/0000/0000\x07",
            b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
            b"\x1bP1$r0m\x1b\\",
            b"\x1b[?1;2c\x1b[24;1R",
        ] {
            assert!(is_answer(answer), "{answer:?}");
        }
        for keys in [
            &b""[..],
            b"a",
            b"\r",
            b"\x1b",
            b"\x1b[A",
            b"\x1b[1;5C",
            b"\x1b[1;5R",
            b"\x1b[3~",
            b"\x1bOP",
            b"\x1b[<0;10;10M",
            b"\x1b[200~text\x1b[201~",
            b"\x1b[0nls",
            b"\x1b]",
            b"\x1b[",
        ] {
            assert!(!is_answer(keys), "{keys:?}");
        }
    }
}
