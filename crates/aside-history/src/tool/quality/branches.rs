//! How much a text of code branches, by its keywords: rough, but the same before and after.

/// The language of a file, by its ending.
pub fn language(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match ending {
        "rs" => "rust",
        "py" => "python",
        "ts" | "tsx" | "mts" => "typescript",
        "js" | "jsx" | "mjs" => "javascript",
        "go" => "go",
        "java" | "kt" => "java",
        "c" | "h" | "cc" | "cpp" | "hpp" => "c",
        "cs" => "csharp",
        "rb" => "ruby",
        "php" => "php",
        "swift" => "swift",
        _ => return None,
    })
}

/// Words and signs at which a program goes one way or another. Those of comments and texts count too.
pub fn branches(text: &str) -> usize {
    const WORDS: &[&str] =
        &["if", "elif", "for", "while", "case", "catch", "except", "match", "switch", "unless", "and", "or", "when"];
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_').filter(|word| WORDS.contains(word));
    words.count() + text.matches("&&").count() + text.matches("||").count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_counted_by_whole_words() {
        assert_eq!(branches("if a && b { for x in y {} } // notify"), 3);
        assert_eq!(branches("format(iffy)"), 0);
        assert_eq!((language("/a/b.rs"), language("/a/b.txt"), language("Makefile")), (Some("rust"), None, None));
    }
}
