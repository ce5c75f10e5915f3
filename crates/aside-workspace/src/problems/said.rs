//! The places that programs name in what they put out: compilers and linters line by line, Rust's compiler in two lines,
//! tests, and the tracebacks of Python, also those of a notebook's kernel. Pure; what is none of these is left.

use aside_core::ProblemSeverity;

/// Lines that are read: their end, where what broke it is told.
const MOST_LINES: usize = 20_000;
/// Bytes of a program's own words that are kept.
const DETAIL: usize = 1_500;

/// One thing that a program said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// Where, as it was written; of a traceback all of its places, the innermost first.
    pub places: Vec<Spot>,
    pub severity: ProblemSeverity,
    pub message: String,
    /// What it was read from.
    pub detail: String,
}

/// A line of a file, as a program wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

/// Reads what a program put out, as plain text.
pub(crate) fn said(text: &str) -> Vec<Said> {
    let all: Vec<&str> = text.lines().collect();
    let lines = &all[all.len().saturating_sub(MOST_LINES)..];
    let (mut found, mut at) = (Vec::new(), 0);
    // What pytest says of a failure stands before its place.
    let mut because = "";
    while let Some(line) = lines.get(at) {
        if let Some((said, after)) = traceback(lines, at).or_else(|| rust(lines, at)) {
            found.push(said);
            at = after;
            continue;
        }
        because = line.strip_prefix("E   ").map_or(because, str::trim);
        found.extend(in_one_line(line, because));
        at += 1;
    }
    found
}

/// `  File "a.py", line 3, in f` and `File ~/a.py:3, in f(x)`, up to the line that says what it was.
fn traceback(lines: &[&str], first: usize) -> Option<(Said, usize)> {
    let mut places = vec![frame(lines[first])?];
    let mut at = first + 1;
    while let Some(line) = lines.get(at) {
        match frame(line) {
            Some(place) => places.push(place),
            // A kernel shows lines of the code between its frames, and leaves some empty.
            None if line.is_empty() || line.starts_with([' ', '\t', '-']) || shows_code(line) => {}
            None => break,
        }
        at += 1;
    }
    let message = lines.get(at).filter(|line| names_error(line))?;
    places.reverse();
    let from = first.saturating_sub(usize::from(first > 0 && lines[first - 1].starts_with("Traceback")));
    let detail = end_of(&lines[from..=at].join("\n"));
    Some((Said { places, severity: ProblemSeverity::Error, message: (*message).to_owned(), detail }, at + 1))
}

fn frame(line: &str) -> Option<Spot> {
    let rest = line.trim_start().strip_prefix("File ")?;
    let (file, line) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let (file, rest) = quoted.split_once("\", line ")?;
            (file, number(rest)?)
        }
        None => {
            let (place, _) = rest.split_once(", in ").unwrap_or((rest, ""));
            let (file, line) = place.rsplit_once(':')?;
            (file, line.parse().ok()?)
        }
    };
    Some(Spot { file: file.to_owned(), line, column: None })
}

/// `     12 code` and `---> 12 code`, and the cell that it was called from.
fn shows_code(line: &str) -> bool {
    line.starts_with("Cell In[") || line.chars().next().is_some_and(|first| first.is_ascii_digit())
}

/// `ZeroDivisionError: division by zero`, also of a module: `json.decoder.JSONDecodeError: …`.
fn names_error(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "._".contains(letter));
    is_name && name.chars().next().is_some_and(char::is_alphabetic)
}

/// `error[E0425]: what` and below it `  --> src/main.rs:4:5`.
fn rust(lines: &[&str], first: usize) -> Option<(Said, usize)> {
    let (severity, message) = graded(lines[first], true)?;
    let at = (first + 1..lines.len().min(first + 4)).find(|at| lines[*at].trim_start().starts_with("--> "))?;
    let place = spot(lines[at].trim_start().trim_start_matches("--> "))?;
    let end = (at + 1..lines.len()).find(|at| lines[*at].trim().is_empty()).unwrap_or(lines.len());
    let detail = beginning_of(&lines[first..end].join("\n"));
    Some((Said { places: vec![place], severity, message: message.to_owned(), detail }, end))
}

/// `a.c:3:5: error: what`, `a.ts(3,5): error TS2304: what`, `a.py:3:1: F401 what`, `test_a.py:12: AssertionError`.
fn in_one_line(line: &str, because: &str) -> Option<Said> {
    let (place, rest) = line.split_once(": ")?;
    let place = spot(place)?;
    let (severity, message) = match graded(rest, false) {
        Some(graded) => graded,
        None if is_code(rest.split(' ').next()?) => (ProblemSeverity::Warning, rest),
        None if is_raised(rest) => (ProblemSeverity::Error, if because.is_empty() { rest } else { because }),
        None => return None,
    };
    let detail = beginning_of(line);
    Some(Said { places: vec![place], severity, message: message.trim().to_owned(), detail })
}

/// What is wrong, after the word for how grave it is. A code may stand between: `error[E1]: …`, `error TS1: …`.
fn graded(text: &str, in_brackets: bool) -> Option<(ProblemSeverity, &str)> {
    let words = [
        ("fatal error", ProblemSeverity::Error),
        ("error", ProblemSeverity::Error),
        ("warning", ProblemSeverity::Warning),
    ];
    let (rest, severity) = words.iter().find_map(|(word, severity)| Some((text.strip_prefix(word)?, *severity)))?;
    let (code, message) = rest.split_once(": ")?;
    let inside = code.strip_prefix('[').and_then(|code| code.strip_suffix(']')).or_else(|| code.strip_prefix(' '));
    let fits =
        code.is_empty() || (inside.is_some_and(|code| !code.contains(' ')) && (code.starts_with('[') || !in_brackets));
    fits.then_some((severity, message))
}

/// `a.c:3`, `a.c:3:5` and `a.ts(3,5)`.
fn spot(text: &str) -> Option<Spot> {
    let of = |file: &str, line: u32, column: Option<u32>| {
        let is_file = !file.is_empty() && line > 0 && !file.contains(['<', '>', '"']);
        is_file.then(|| Spot { file: file.to_owned(), line, column: column.filter(|column| *column > 0) })
    };
    if let Some((file, rest)) = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        let (line, column) = rest.split_once(',').unwrap_or((rest, ""));
        return of(file, line.parse().ok()?, column.parse().ok());
    }
    let (before, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => of(file, line, Some(last)),
        None => of(before, last, None),
    }
}

/// `E501`, `SC2086`, `F401`.
fn is_code(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let letters = word.len() - digits.len();
    (1..=5).contains(&letters) && (2..=5).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_raised(text: &str) -> bool {
    let name = text.trim();
    names_error(name) && !name.contains(':') && (name.ends_with("Error") || name.ends_with("Exception"))
}

fn number(text: &str) -> Option<u32> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok()
}

fn beginning_of(text: &str) -> String {
    text[..text.floor_char_boundary(DETAIL)].to_owned()
}

fn end_of(text: &str) -> String {
    text[text.ceil_char_boundary(text.len().saturating_sub(DETAIL))..].to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each as `file:line[:column] severity message`, the innermost place only.
    fn check(text: &str, expected: &[&str]) {
        let shown = |said: Said| {
            let Spot { file, line, column } = &said.places[0];
            let column = column.map(|column| format!(":{column}")).unwrap_or_default();
            format!("{file}:{line}{column} {:?} {}", said.severity, said.message)
        };
        assert_eq!(said(text).into_iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn compilers_and_linters() {
        check("cc -c a.c\nsrc/a.c:3:5: error: expected ‘;’\n  int x\n", &["src/a.c:3:5 Error expected ‘;’"]);
        check("a.c:1:10: fatal error: no.h: No such file\n", &["a.c:1:10 Error no.h: No such file"]);
        check(
            "model.py:7: error: Name \"y\" is not defined  [name-defined]\n",
            &["model.py:7 Error Name \"y\" is not defined  [name-defined]"],
        );
        check("src/a.ts(3,5): error TS2304: Cannot find name 'x'.\n", &["src/a.ts:3:5 Error Cannot find name 'x'."]);
        check("a.py:1:1: F401 `os` imported but unused\n", &["a.py:1:1 Warning F401 `os` imported but unused"]);
        check("main.go:4:2: warning: unused\n", &["main.go:4:2 Warning unused"]);
    }

    #[test]
    fn the_compiler_of_rust() {
        let text =
            "error[E0425]: cannot find value `x`\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^\n\nerror: aborting\n";
        check(text, &["src/main.rs:2:5 Error cannot find value `x`"]);
        assert!(said(text)[0].detail.ends_with("|     ^"));
        check("error: could not compile `a` (bin \"a\") due to 1 previous error\n", &[]);
    }

    #[test]
    fn tracebacks_say_where_from_the_inside_out() {
        let text = "start\nTraceback (most recent call last):\n  File \"/w/run.py\", line 9, in <module>\n    go()\n  \
                    File \"lib/model.py\", line 3, in go\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\nend\n";
        check(text, &["lib/model.py:3 Error ZeroDivisionError: division by zero"]);
        let found = said(text).remove(0);
        assert_eq!(found.places[1].file, "/w/run.py");
        assert!(
            found.detail.starts_with("Traceback") && found.detail.ends_with("division by zero"),
            "{}",
            found.detail
        );
        check(
            "  File \"a.py\", line 3\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
            &["a.py:3 Error SyntaxError: '(' was never closed"],
        );
    }

    #[test]
    fn tracebacks_of_a_kernel() {
        let text = "---------------------------------------------------------------------------\n\
                    ZeroDivisionError                         Traceback (most recent call last)\n\
                    Cell In[2], line 1\n----> 1 go()\n\nFile ~/w/model.py:12, in go(x)\n     10 def go(x):\n---> 12     \
                    1 / 0\n\nZeroDivisionError: division by zero\n";
        check(text, &["~/w/model.py:12 Error ZeroDivisionError: division by zero"]);
    }

    #[test]
    fn tests_name_the_line_after_the_reason() {
        let text =
            "    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:12: AssertionError\n";
        check(text, &["tests/test_a.py:12 Error assert 1 == 2"]);
    }

    #[test]
    fn what_only_looks_like_one_is_left() {
        for text in
            ["12:30:05: error", "http://localhost:80: refused", "a.py:3: x = 1", "key: value", "note: error: x", ""]
        {
            check(text, &[]);
        }
    }

    proptest! {
        #[test]
        fn anything_is_read(text in "(File \"|\", line |a.py|:|3|error|: |\\[|\\]|\\(|,|\\)|\\n| |-->|é){0,60}") {
            let _ = said(&text);
        }
    }
}
