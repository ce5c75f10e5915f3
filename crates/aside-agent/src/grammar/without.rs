//! An answer of before, for a model that may no longer do what it asked for.

use std::borrow::Cow;

use super::{
    Reader, Reading,
    fence::{Fence, Holds},
    header::{Keyword, header_of},
    lines_of,
};

/// The markers of blocks that ask for more than to be shown something.
pub const CHANGES: [&str; 6] = ["<<<EDIT", "<<<DELETE", "<<<SEARCH", "<<<CREATE", "<<<ACTION", "```exec"];

/// What stands for such a block where no word is to be lost about it.
pub const LEFT_OUT: &str = "[left out: what was asked for here]";

/// Returns the same text without what asks for more than to be shown something, also where that is an example.
pub fn without_changes(text: &str) -> Cow<'_, str> {
    let mut reader = Reader { lines: lines_of(text), at: 0, reading: Reading::default() };
    let (mut kept, mut all) = (String::new(), true);
    loop {
        let start = reader.at;
        let Some(line) = reader.next() else { break };
        let mut keep = true;
        if let Some(header) = header_of(line) {
            keep = matches!(&header, Ok(header) if header.keyword == Keyword::Show);
            reader.block(header);
        } else if let Some(fence) = Fence::open(line) {
            let known = reader.reading.problems.len();
            reader.fence(&fence);
            keep = matches!(fence.holds(), Holds::Text) && reader.reading.problems.len() == known;
        }
        all &= keep;
        if keep {
            kept.extend(reader.lines[start..reader.at].iter().flat_map(|line| [*line, "\n"]));
        } else {
            kept.push_str(LEFT_OUT);
            kept.push('\n');
        }
    }
    if all { Cow::Borrowed(text) } else { Cow::Owned(kept.trim_end().to_owned()) }
}
