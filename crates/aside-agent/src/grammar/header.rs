//! The marker lines of a block: its first line and its last.

use aside_core::LineRange;

/// What a block is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Edit,
    Delete,
    Search,
    Create,
    Show,
    Action,
}

/// The first line of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The number of `<`; the last line has as many.
    pub depth: usize,
    pub keyword: Keyword,
    /// The file; of an action its name, and what of its arguments stands beside it.
    pub path: Option<String>,
    pub base: Option<String>,
    pub lines: Vec<LineRange>,
    /// The end marker stands on the same line.
    pub closed: bool,
}

/// Returns the number of `<` if the line starts a block, well written or not.
pub(super) fn depth_of(line: &str) -> Option<usize> {
    marker(line).map(|(depth, ..)| depth)
}

/// Reads the first line of a block; none if it isn't one, an error if it can't be used.
pub(super) fn header_of(line: &str) -> Option<Result<Header, String>> {
    let (depth, keyword, rest) = marker(line)?;
    let (rest, closed) = match text_before_end(rest, depth) {
        Some(before) => (before, true),
        None => (rest, false),
    };
    Some(read_rest(depth, keyword, rest, closed))
}

/// Tells whether a line is nothing but the end marker of a block.
pub(super) fn ends_block(line: &str, depth: usize) -> bool {
    is_marker(line, '<', depth, "END")
}

/// Returns what stands before an end marker at the end of a line, with the blanks between taken off.
pub(super) fn text_before_end(line: &str, depth: usize) -> Option<&str> {
    let line = line.trim_end().trim_end_matches('>').trim_end();
    let start = line.len().checked_sub(depth + "END".len())?;
    let (before, end) = (line.get(..start)?, &line.as_bytes()[start..]);
    let matches = end[..depth].iter().all(|byte| *byte == b'<') && end[depth..].eq_ignore_ascii_case(b"END");
    (matches && !before.ends_with('<')).then(|| before.trim_end())
}

/// Tells whether a line is a run of `bracket` and a word, in any case, with blanks around.
pub(super) fn is_marker(line: &str, bracket: char, depth: usize, word: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches(bracket);
    let word_is = |text: &str| text.trim().eq_ignore_ascii_case(word);
    line.len() - rest.len() == depth && word_is(if bracket == '<' { rest.trim_end_matches('>') } else { rest })
}

/// Up to three blanks, three or more `<`, a known word, and the rest of the line.
fn marker(line: &str) -> Option<(usize, Keyword, &str)> {
    let inner = line.trim_start_matches(' ');
    let rest = inner.trim_start_matches('<');
    let depth = inner.len() - rest.len();
    if line.len() - inner.len() > 3 || depth < 3 {
        return None;
    }
    let rest = rest.trim_start();
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = rest.split_at(length);
    let keyword = match word.to_ascii_uppercase().as_str() {
        "EDIT" => Keyword::Edit,
        "DELETE" => Keyword::Delete,
        "SEARCH" => Keyword::Search,
        "CREATE" => Keyword::Create,
        "SHOW" => Keyword::Show,
        "ACTION" => Keyword::Action,
        _ => return None,
    };
    let separate = rest.is_empty() || rest.starts_with(|next: char| next.is_whitespace() || "<>:".contains(next));
    separate.then_some((depth, keyword, rest))
}

fn read_rest(depth: usize, keyword: Keyword, rest: &str, closed: bool) -> Result<Header, String> {
    if keyword == Keyword::Action {
        // A name and JSON, in which everything counts.
        let said = Some(rest.trim().trim_start_matches(':').trim_start().to_owned());
        return Ok(Header { depth, keyword, path: said, base: None, lines: Vec::new(), closed });
    }
    let rest = rest.trim().trim_start_matches(':').trim_end_matches('>');
    let (base, words): (Vec<&str>, Vec<&str>) = rest.split_whitespace().partition(|word| is_base(word));
    let base = base.last().map(|word| word[1..].to_ascii_lowercase());
    let header = |path, lines| Header { depth, keyword, path, base, lines, closed };
    if matches!(keyword, Keyword::Search | Keyword::Create) {
        return Ok(header(path_of(&words), Vec::new()));
    }
    let (path, lines) = split_lines(&words).ok_or_else(|| {
        let marker = "<".repeat(depth);
        format!("`{}` names no lines: write for example `{marker}EDIT lines 3-5`", rest.trim())
    })?;
    Ok(header(path_of(path), ranges(lines)?))
}

fn is_base(word: &str) -> bool {
    word.strip_prefix('@').is_some_and(|hex| hex.len() >= 8 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn path_of(words: &[&str]) -> Option<String> {
    let path = words.join(" ");
    let path = path.trim_end_matches(':').trim_matches(|quote| matches!(quote, '"' | '\'' | '`'));
    (!path.is_empty()).then(|| path.to_owned())
}

/// Splits `some path lines 3-5` before the word `lines`, or before what can only be numbers of lines.
fn split_lines<'w>(words: &'w [&'w str]) -> Option<(&'w [&'w str], String)> {
    let is_lines = |word: &&str| matches!(word.trim_end_matches(':').to_ascii_lowercase().as_str(), "line" | "lines");
    if let Some(at) = words.iter().rposition(is_lines) {
        return Some((&words[..at], words[at + 1..].join(" ")));
    }
    let numeric = |word: &str| word.chars().all(|sign| sign.is_ascii_digit() || is_dash(sign) || sign == ',');
    let at = words.len() - words.iter().rev().take_while(|word| numeric(word)).count();
    (at < words.len()).then(|| (&words[..at], words[at..].join(" ")))
}

fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn ranges(text: String) -> Result<Vec<LineRange>, String> {
    let plain: String = text.chars().map(|sign| if is_dash(sign) { '-' } else { sign }).collect();
    let plain = plain.to_ascii_lowercase().replace("..", "-").replace("to", "-").replace("and", ",");
    let ranges = plain.split(',').map(|range| one_range(range.trim()));
    ranges.collect::<Option<Vec<_>>>().ok_or_else(|| {
        format!("`{}` is not a range of lines: write `N-M` with 1 <= N <= M", text.chars().take(60).collect::<String>())
    })
}

fn one_range(text: &str) -> Option<LineRange> {
    let number = |text: &str| text.trim().trim_start_matches('l').parse::<u32>().ok().filter(|line| *line >= 1);
    let (start, end) = match text.split_once('-') {
        Some((start, end)) => (number(start)?, number(end)?),
        None => (number(text)?, number(text)?),
    };
    (start <= end).then_some(LineRange { start, end })
}
