//! Brackets that would no longer balance, by a rough count and no parser; of LaTeX, all that comes in pairs.

use std::borrow::Cow;

use aside_core::{FileKind, Guard, Warning};
use aside_latex::imbalance;

/// Larger files are not looked through.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// What the count has to know of a language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Json,
    /// Comments start with `#`, quotes may be tripled.
    Hash,
    /// Comments are `//` and `/* */`; true if `'` quotes texts of any length.
    Slash(bool),
}

/// Warns if the text was balanced and no longer is; in LaTeX, of what was balanced and no longer is. The file's name tells
/// the language.
pub(super) fn lost(name: Option<&str>, before: &str, after: &str) -> Option<Warning> {
    let name = name?;
    if before.len().max(after.len()) > MAX_BYTES {
        return None;
    }
    let text = if is_latex(name) {
        imbalance(&without_chunks(name, before), &without_chunks(name, after))?.message()
    } else {
        lost_bracket(language(&extension(name)?)?, before, after)?
    };
    Some(Warning { guard: Guard::Unbalanced, text })
}

/// Warns if a new file of LaTeX is not balanced: a part of something is edited, and not begun with.
pub(super) fn lacking(name: Option<&str>, text: &str) -> Option<Warning> {
    name.filter(|name| is_latex(name)).and_then(|name| lost(Some(name), "", text))
}

fn is_latex(name: &str) -> bool {
    FileKind::of_name(name) == Some(FileKind::Tex)
}

fn extension(name: &str) -> Option<String> {
    name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase())
}

/// The lines of R in a text for Sweave or knitr are none of LaTeX: blank lines stand for them.
fn without_chunks<'text>(name: &str, text: &'text str) -> Cow<'text, str> {
    if !matches!(extension(name).as_deref(), Some("rnw" | "snw")) {
        return Cow::Borrowed(text);
    }
    let mut is_chunk = false;
    let line = |line: &str| {
        let begins = line.starts_with("<<") && line.trim_end().ends_with(">>=");
        let is_code = is_chunk || begins;
        is_chunk = begins || is_chunk && !(line.trim_end() == "@" || line.starts_with("@ "));
        if is_code { "\n".to_owned() } else { line.to_owned() }
    };
    Cow::Owned(text.split_inclusive('\n').map(line).collect())
}

fn lost_bracket(language: Language, before: &str, after: &str) -> Option<String> {
    if bracket_problem(language, before).is_some() { None } else { bracket_problem(language, after) }
}

fn language(extension: &str) -> Option<Language> {
    Some(match extension {
        "json" | "ipynb" => Language::Json,
        "py" | "jl" | "toml" => Language::Hash,
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "css" | "scss" => Language::Slash(true),
        "rs" | "c" | "h" | "cc" | "cpp" | "hpp" | "java" | "go" | "swift" | "kt" | "cs" => Language::Slash(false),
        _ => return None,
    })
}

fn bracket_problem(language: Language, text: &str) -> Option<String> {
    let mut open: Vec<u8> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(length) = opaque(language, &bytes[at..]) {
            at += length;
            continue;
        }
        match bytes[at] {
            byte @ (b'(' | b'[' | b'{') => open.push(byte),
            byte @ (b')' | b']' | b'}') => {
                let wanted = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if open.pop() != Some(wanted) {
                    return Some(format!("A `{}` would have nothing to close.", char::from(byte)));
                }
            }
            _ => {}
        }
        at += 1;
    }
    open.last().map(|byte| format!("A `{}` would not be closed.", char::from(*byte)))
}

/// The length of a comment or a quoted text that starts here.
fn opaque(language: Language, rest: &[u8]) -> Option<usize> {
    let until = |end: &[u8], skip: usize| {
        let found = memchr::memmem::find(&rest[skip..], end);
        found.map_or(rest.len(), |at| skip + at + end.len())
    };
    match (language, rest) {
        (Language::Hash, [b'#', ..]) | (Language::Slash(_), [b'/', b'/', ..]) => Some(until(b"\n", 1)),
        (Language::Slash(_), [b'/', b'*', ..]) => Some(until(b"*/", 2)),
        (Language::Hash, [b'"', b'"', b'"', ..]) => Some(until(b"\"\"\"", 3)),
        (Language::Hash, [b'\'', b'\'', b'\'', ..]) => Some(until(b"'''", 3)),
        (Language::Slash(true), [b'`', ..]) => Some(until(b"`", 1)),
        (Language::Slash(false), [b'\'', b'\\', _, b'\'', ..]) => Some(4),
        (Language::Slash(false), [b'\'', _, b'\'', ..]) => Some(3),
        (Language::Hash | Language::Slash(true), [b'\'', ..]) | (_, [b'"', ..]) => quoted(rest),
        _ => None,
    }
}

/// A quoted text ends on its line, or it is none.
fn quoted(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'\n' {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == rest[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost_in(extension: &str, before: &str, after: &str) -> Option<String> {
        lost(Some(&format!("a.{extension}")), before, after).map(|warning| warning.text)
    }

    #[test]
    fn a_lost_bracket_is_named() {
        assert_eq!(lost_in("py", "f(1)\n", "f(1\n"), Some("A `(` would not be closed.".into()));
        assert_eq!(lost_in("rs", "fn f() {}", "fn f() {}}"), Some("A `}` would have nothing to close.".into()));
        assert_eq!(lost_in("json", "[1]", "[1"), Some("A `[` would not be closed.".into()));
    }

    #[test]
    fn texts_and_comments_do_not_count() {
        assert_eq!(lost_in("py", "a\n", "a = '(' # [\nb = \"\"\"\n(\n\"\"\"\n"), None);
        assert_eq!(lost_in("rs", "a", "let c = '('; // {\n/* ( */ fn f<'a>(x: &'a str) {}"), None);
        assert_eq!(lost_in("ts", "a", "`${'('}`"), None);
    }

    #[test]
    fn what_was_unbalanced_before_is_not_blamed_on_the_edit() {
        assert_eq!(lost_in("py", "f((\n", "f(\n"), None);
        assert_eq!(lost_in("md", "(", ""), None);
    }

    #[test]
    fn latex_environments_have_both_ends() {
        let paper = "\\begin{a}\n\\begin{b}\\end{b}\n\\end{a}\n";
        assert_eq!(
            lost_in("tex", paper, "\\begin{a}\n\\begin{b}\n\\end{a}\n"),
            Some("\\begin{b} in line 2 has no \\end{b}.".into())
        );
        assert_eq!(lost_in("tex", paper, "\\begin{a}\n"), Some("\\begin{a} in line 1 has no \\end{a}.".into()));
        assert_eq!(lost_in("tex", "\\textbf{x}\n", "\\textbf{x\n"), Some("{ in line 1 is not closed.".into()));
        assert_eq!(lost_in("tex", "x\n", "100\\% \\{ % }\n"), None);
        assert_eq!(lost_in("tex", "$a$\n", "$a\n"), Some("$ in line 1 is not closed.".into()));
        assert_eq!(lost_in("tex", "a}\n$b$\n", "a}\n$b\n"), Some("$ in line 2 is not closed.".into()));
    }
}
