//! The hard limit on the length of a file. The ratchet has a lower one, for new files.

use super::source::SourceFile;

/// Files longer than this hold a second idea, or a table.
const LONGEST_FILE: usize = 600;

/// Names the files over the limit; browser tests are free of it.
pub fn problems(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| !file.path.starts_with("web/tests/"))
        .map(|file| (file, file.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(file, lines)| format!("{} has {lines} lines: look for the second idea in it", file.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_over_the_limit_is_named() {
        let long = |path: &str, lines| SourceFile { path: path.to_owned(), text: "\n".repeat(lines) };
        let files = [long("xtask/a.rs", 600), long("xtask/b.rs", 601), long("web/tests/c.ts", 601)];
        assert_eq!(problems(&files), ["xtask/b.rs has 601 lines: look for the second idea in it"]);
    }
}
