//! Doc lines that begin with a relative clause in place of a noun.

use super::{Measure, Offender};
use crate::tidy::source::SourceFile;

pub const DOC_LINES: Measure = Measure {
    name: "doc-lines",
    rule: "a doc line begins with the thing or a verb, not with What, Who, Whose, That which or One that",
    find,
};

const CLAUSES: &[&str] = &["What", "Who", "Whose", "That which", "One that"];

fn find(files: &[SourceFile]) -> Vec<Offender> {
    let mut found = Vec::new();
    for file in files {
        let is_doc = if file.is_rust() { rust_doc } else { typescript_doc };
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            let before = index.checked_sub(1).map_or("", |before| lines[before]);
            if is_doc(before, line).is_some_and(begins_with_clause) {
                found.push(Offender::in_folder(file, index + 1, line));
            }
        }
    }
    found
}

fn rust_doc<'a>(_before: &str, line: &'a str) -> Option<&'a str> {
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

/// The first line of `/** … */`, on the same line or below an opening that stands alone.
fn typescript_doc<'a>(before: &str, line: &'a str) -> Option<&'a str> {
    if before == "/**" { line.strip_prefix('*') } else { line.strip_prefix("/**") }
}

fn begins_with_clause(text: &str) -> bool {
    let mut rests = CLAUSES.iter().filter_map(|clause| text.trim_start().strip_prefix(clause));
    rests.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::ratchet::tests::lines;

    #[test]
    fn clauses_are_found_in_rust_docs() {
        let text = "//! What it owns.\n    /// Whose word counts.\n/// Whatever it is.\n// What for.\n/// One that waits.\n/// Says what.\n";
        assert_eq!(lines(&DOC_LINES, "a.rs", text), [1, 2, 5]);
    }

    #[test]
    fn clauses_are_found_in_typescript_docs() {
        let text = "/** Who asked. */\n/**\n * That which waits.\n * What more.\n */\n/// What\n/** The asker. */\n";
        assert_eq!(lines(&DOC_LINES, "a.tsx", text), [1, 3]);
    }
}
