//! The quotes and list items in which a line stands.

use super::marks::ListMarker;

/// A quote or a list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Quote,
    Item {
        /// Columns before the mark.
        indent: usize,
        /// The column of its text: lines with less belong to something else.
        content: usize,
        sign: u8,
    },
}

/// A place in a line. Columns count from the innermost quote; a tab counts to the next multiple of 4.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
    pub end: usize,
    pub column: usize,
}

impl<'a> Cursor<'a> {
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    pub fn skip_spaces(&mut self) {
        while let Some(byte) = self.text.as_bytes()[..self.end].get(self.at).filter(|byte| matches!(byte, b' ' | b'\t'))
        {
            self.column = if *byte == b'\t' { self.column / 4 * 4 + 4 } else { self.column + 1 };
            self.at += 1;
        }
    }

    /// Goes over a `>` and the space behind it.
    pub fn skip_quote(&mut self) {
        self.at += 1;
        self.column = 0;
        match self.text.as_bytes()[..self.end].get(self.at) {
            Some(b' ') => self.at += 1,
            Some(b'\t') => {
                self.at += 1;
                self.column = 2;
            }
            _ => {}
        }
    }

    /// Goes over the mark of a list item and the white space behind it; returns the item.
    pub fn skip_marker(&mut self, marker: &ListMarker) -> Container {
        let indent = self.column;
        self.at += marker.length;
        self.column += marker.length;
        let behind = self.column;
        self.skip_spaces();
        let is_far = self.column > behind + 4 || self.rest().is_empty();
        Container::Item { indent, content: if is_far { behind + 1 } else { self.column }, sign: marker.sign }
    }
}

/// Goes over the marks of the containers that a line continues; returns how many it continues.
pub(crate) fn continued(containers: &[Container], cursor: &mut Cursor<'_>) -> usize {
    for (number, container) in containers.iter().enumerate() {
        let before = *cursor;
        cursor.skip_spaces();
        let continues = match container {
            Container::Quote => cursor.rest().starts_with('>'),
            Container::Item { content, .. } => cursor.rest().is_empty() || cursor.column >= *content,
        };
        if !continues {
            *cursor = before;
            return number;
        }
        if *container == Container::Quote {
            cursor.skip_quote();
        } else {
            // The columns of an item stay those of the line, so nothing is gone over.
            *cursor = before;
        }
    }
    containers.len()
}
