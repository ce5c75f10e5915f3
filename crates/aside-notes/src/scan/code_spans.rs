//! Code spans of one paragraph: runs of backticks, each with its partner.

use std::{collections::HashMap, ops::Range};

/// The runs of backticks of a paragraph.
#[derive(Debug, Default)]
pub(crate) struct CodeSpans {
    /// The paragraph.
    pub range: Range<usize>,
    /// First bytes of the runs, by length, in order; none until the first backtick is met.
    runs: Option<HashMap<usize, Vec<usize>>>,
}

impl CodeSpans {
    pub fn new(range: Range<usize>) -> Self {
        Self { range, runs: None }
    }

    /// Returns the byte behind the code span that begins at a byte; none if its backticks have no partner.
    pub fn end(&mut self, text: &str, at: usize) -> Option<usize> {
        let length = run(text, at);
        let range = self.range.clone();
        let runs = self.runs.get_or_insert_with(|| runs(text, range)).get(&length)?;
        let next = runs.partition_point(|start| *start <= at);
        runs.get(next).map(|start| start + length)
    }
}

/// Returns the length of the run of backticks at a byte.
pub(crate) fn run(text: &str, at: usize) -> usize {
    text.as_bytes()[at..].iter().take_while(|byte| **byte == b'`').count()
}

fn runs(text: &str, range: Range<usize>) -> HashMap<usize, Vec<usize>> {
    let (mut runs, mut at) = (HashMap::<usize, Vec<usize>>::new(), range.start);
    while let Some(found) = text[at..range.end].find('`') {
        let length = run(&text[..range.end], at + found);
        runs.entry(length).or_default().push(at + found);
        at += found + length;
    }
    runs
}
