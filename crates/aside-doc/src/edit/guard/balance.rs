//! Brackets and LaTeX environments that would no longer balance. A rough count, not a parser.

use aside_core::{Guard, Warning};

/// Larger files are not looked through.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// What the count has to know of a language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Latex,
    Json,
    /// Comments start with `#`, quotes may be tripled.
    Hash,
    /// Comments are `//` and `/* */`; true if `'` quotes texts of any length.
    Slash(bool),
}

/// Warns if the text was balanced and no longer is.
pub(super) fn lost(extension: Option<&str>, before: &str, after: &str) -> Option<Warning> {
    let language = language(extension?)?;
    if before.len().max(after.len()) > MAX_BYTES || problem(language, before).is_some() {
        return None;
    }
    let text = problem(language, after)?;
    Some(Warning { guard: Guard::Unbalanced, text })
}

fn language(extension: &str) -> Option<Language> {
    Some(match extension {
        "tex" | "sty" | "cls" => Language::Latex,
        "json" | "ipynb" => Language::Json,
        "py" | "jl" | "toml" => Language::Hash,
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "css" | "scss" => Language::Slash(true),
        "rs" | "c" | "h" | "cc" | "cpp" | "hpp" | "java" | "go" | "swift" | "kt" | "cs" => Language::Slash(false),
        _ => return None,
    })
}

fn problem(language: Language, text: &str) -> Option<String> {
    if language == Language::Latex { latex_problem(text) } else { bracket_problem(language, text) }
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
                    return Some(format!("A `{}` would close nothing.", char::from(byte)));
                }
            }
            _ => {}
        }
        at += 1;
    }
    open.last().map(|byte| format!("A `{}` would stay open.", char::from(*byte)))
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

fn latex_problem(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut braces = 0_i64;
    for line in text.lines() {
        let line = without_latex_comment(line);
        braces += brace_balance(line);
        for (at, command) in line.match_indices('\\') {
            let rest = &line[at + command.len()..];
            if let Some(name) = argument(rest, "begin{") {
                open.push(name);
            } else if let Some(name) = argument(rest, "end{")
                && open.pop() != Some(name)
            {
                return Some(format!("`\\end{{{name}}}` would have no `\\begin`."));
            }
        }
    }
    let unclosed = open.last().map(|name| format!("`\\begin{{{name}}}` would have no `\\end`."));
    unclosed.or_else(|| (braces != 0).then(|| "Braces would no longer balance.".to_owned()))
}

fn argument<'text>(rest: &'text str, command: &str) -> Option<&'text str> {
    rest.strip_prefix(command)?.split_once('}').map(|(name, _)| name)
}

fn without_latex_comment(line: &str) -> &str {
    let mut escaped = false;
    for (at, character) in line.char_indices() {
        match character {
            '%' if !escaped => return &line[..at],
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    line
}

fn brace_balance(line: &str) -> i64 {
    let (mut balance, mut escaped) = (0, false);
    for byte in line.bytes() {
        match byte {
            b'{' if !escaped => balance += 1,
            b'}' if !escaped => balance -= 1,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    balance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost_in(extension: &str, before: &str, after: &str) -> Option<String> {
        lost(Some(extension), before, after).map(|warning| warning.text)
    }

    #[test]
    fn a_lost_bracket_is_named() {
        assert_eq!(lost_in("py", "f(1)\n", "f(1\n"), Some("A `(` would stay open.".into()));
        assert_eq!(lost_in("rs", "fn f() {}", "fn f() {}}"), Some("A `}` would close nothing.".into()));
        assert_eq!(lost_in("json", "[1]", "[1"), Some("A `[` would stay open.".into()));
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
            Some("`\\end{a}` would have no `\\begin`.".into())
        );
        assert_eq!(lost_in("tex", paper, "\\begin{a}\n"), Some("`\\begin{a}` would have no `\\end`.".into()));
        assert_eq!(lost_in("tex", "\\textbf{x}\n", "\\textbf{x\n"), Some("Braces would no longer balance.".into()));
        assert_eq!(lost_in("tex", "x\n", "100\\% \\{ % }\n"), None);
    }
}
