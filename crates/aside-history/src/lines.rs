//! Cuts a piece of a file into lines that are complete.

use crate::record::Place;

/// The complete lines of a piece that begins `base` bytes into its file, without their ends; returns how many bytes
/// they are. What follows the last line end is half-written, and read when it is complete.
pub fn each_line(piece: &[u8], base: u64, mut each: impl FnMut(&[u8], Place)) -> usize {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', piece) {
        let line = &piece[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.trim_ascii().is_empty() {
            let length = u32::try_from(line.len()).unwrap_or(u32::MAX);
            each(line, Place { offset: base + start as u64, length });
        }
        start = end + 1;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(piece: &[u8]) -> (Vec<(u64, &[u8])>, usize) {
        let mut found = Vec::new();
        let read = each_line(piece, 100, |line, place| {
            let start = usize::try_from(place.offset - 100).unwrap();
            assert_eq!(line.len(), place.length as usize);
            found.push((place.offset, &piece[start..start + line.len()]));
        });
        (found, read)
    }

    #[test]
    fn blank_lines_are_passed_and_a_half_line_is_left() {
        let (found, read) = lines(b"one\r\n\n  \ntwo\nthr");
        assert_eq!(found, [(100, &b"one"[..]), (109, b"two")]);
        assert_eq!(read, 13);
        assert_eq!(lines(b"half"), (vec![], 0));
    }
}
