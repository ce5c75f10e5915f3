//! The two habits of other programs, as they are described of them.

use crate::mistake::Said;

/// Search and replace: the first place that holds the old lines, else the first that does but for blanks around each
/// line; what comes goes in as it was said.
pub fn first_match(text: &[String], said: &Said) -> Option<Vec<String>> {
    let old: Vec<String> = said.old.iter().map(|line| plain(line)).collect();
    if old.iter().all(|line| line.trim().is_empty()) {
        return None;
    }
    let find = |equal: fn(&str, &str) -> bool| {
        let fits = |window: &[String]| window.iter().zip(&old).all(|(line, old)| equal(line, old));
        text.windows(old.len()).position(fits)
    };
    let start = find(|line, old| line == old).or_else(|| find(|line, old| line.trim() == old.trim()))?;
    Some([&text[..start], &new(said), &text[start + old.len()..]].concat())
}

/// Line numbers and nothing else: whatever is in these lines goes, if there are so many.
pub fn line_numbers(text: &[String], said: &Said) -> Option<Vec<String>> {
    let (start, end) = (usize::try_from(said.start - 1).ok()?, usize::try_from(said.end).ok()?);
    (start <= end && end <= text.len()).then(|| [&text[..start], &new(said), &text[end..]].concat())
}

fn new(said: &Said) -> Vec<String> {
    said.new.iter().map(|line| plain(line)).collect()
}

/// Without the carriage returns of the message, which they all take off.
fn plain(line: &str) -> String {
    line.trim_end_matches('\r').to_owned()
}
