//! Files long enough to hold a second idea.

use super::{Measure, Offender};
use crate::tidy::source::SourceFile;

pub const LONG_FILES: Measure =
    Measure { name: "long-files", rule: "a file has at most 400 lines: look for the second idea in it", find };

const MOST_LINES: usize = 400;

fn find(files: &[SourceFile]) -> Vec<Offender> {
    let lengths = files.iter().map(|file| (file, file.text.lines().count()));
    let long = lengths.filter(|(_, lines)| *lines > MOST_LINES);
    long.map(|(file, lines)| Offender::in_folder(file, lines, &format!("{lines} lines"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::ratchet::tests::lines;

    #[test]
    fn file_over_400_lines_is_found() {
        assert_eq!(lines(&LONG_FILES, "web/src/a.css", &"\n".repeat(400)), []);
        assert_eq!(lines(&LONG_FILES, "web/src/a.css", &"\n".repeat(401)), [401]);
    }
}
